#include "reports/import/offset_set.h"

#include <algorithm>

namespace reports {

bool OffsetSet::add(std::int64_t offset) {
  if (ranges_.empty() || offset > last() + 1) {
    ranges_.emplace_back(offset, offset);
    limit();
    return true;
  }
  if (offset == last() + 1) {
    ranges_.back().second = offset;
    return true;
  }
  return add_between(offset);
}

bool OffsetSet::add_between(std::int64_t offset) {
  const auto above = std::upper_bound(ranges_.begin(), ranges_.end(), offset,
                                      [](std::int64_t value, const auto& range) { return value < range.first; });
  const bool has_below = above != ranges_.begin();
  if (has_below && offset <= std::prev(above)->second) return false;
  const bool joins_below = has_below && std::prev(above)->second + 1 == offset;
  const bool joins_above = above != ranges_.end() && offset + 1 == above->first;
  if (joins_below && joins_above) {
    std::prev(above)->second = above->second;
    ranges_.erase(above);
  } else if (joins_below) {
    std::prev(above)->second = offset;
  } else if (joins_above) {
    above->first = offset;
  } else {
    ranges_.emplace(above, offset, offset);
    limit();
  }
  return true;
}

void OffsetSet::limit() {
  if (ranges_.size() <= most) return;
  if (merged_ == 0) first_missing_ = ranges_.front().second + 1;
  ++merged_;
  missing_merged_ += ranges_[1].first - ranges_[0].second - 1;
  ranges_[1].first = ranges_[0].first;
  ranges_.erase(ranges_.begin());
}

std::int64_t OffsetSet::missing() const {
  std::int64_t count = missing_merged_;
  for (std::size_t i = 1; i < ranges_.size(); ++i) count += ranges_[i].first - ranges_[i - 1].second - 1;
  return count;
}

}  // namespace reports
