#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace reports {

/// The offsets of one metadata partition that were seen, as ranges. A dump without gaps is one range whatever its
/// length; of more ranges than `most` the two oldest become one, and `is_coarse` tells.
class OffsetSet {
 public:
  static constexpr std::size_t most = 4096;

  /// False when it was in already.
  bool add(std::int64_t offset);
  bool empty() const { return ranges_.empty(); }
  std::int64_t first() const { return ranges_.front().first; }
  /// Included.
  std::int64_t last() const { return ranges_.back().second; }
  /// Offsets missing between the first and the last, and in how many places.
  std::int64_t missing() const;
  std::size_t gaps() const { return ranges_.empty() ? 0 : ranges_.size() - 1 + merged_; }
  bool is_coarse() const { return merged_ > 0; }
  /// The first missing offset behind the first one seen.
  std::int64_t first_missing() const { return first_missing_ >= 0 ? first_missing_ : ranges_.front().second + 1; }

 private:
  bool add_between(std::int64_t offset);
  void limit();

  /// Both ends included, ascending, never touching.
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;
  std::size_t merged_ = 0;
  std::int64_t missing_merged_ = 0;
  std::int64_t first_missing_ = -1;
};

}  // namespace reports
