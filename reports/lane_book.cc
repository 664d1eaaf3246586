#include "reports/lane_book.h"

#include <algorithm>
#include <numeric>

namespace reports {

std::uint32_t Words::number_of(std::string_view word) {
  if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(list_.size());
  list_.emplace_back(word);
  numbers_.emplace(word, number);
  return number;
}

std::optional<std::uint32_t> Words::find(std::string_view word) const {
  const auto found = numbers_.find(word);
  return found == numbers_.end() ? std::nullopt : std::optional{found->second};
}

bool FoldedSteps::add(std::int64_t time_ms, std::int64_t event, std::uint32_t kind) {
  if (fold(time_ms, kind)) return false;
  if (steps_.size() >= most) {
    ++left_out_;
    return false;
  }
  steps_.push_back({time_ms, event, kind, 1, time_ms});
  return true;
}

bool FoldedSteps::fold(std::int64_t time_ms, std::uint32_t kind) {
  const auto size = steps_.size();
  const auto repeat = [](LaneStep& step, std::int64_t last_time_ms) {
    ++step.count;
    step.last_time_ms = last_time_ms;
  };
  if (size > whole_ && steps_[size - 1].kind == kind) {
    repeat(steps_[size - 1], time_ms);
    return true;
  }
  // a b a + b: the second pair joins the first.
  if (size < whole_ + 3) return false;
  LaneStep& a = steps_[size - 3];
  LaneStep& b = steps_[size - 2];
  const LaneStep& again = steps_[size - 1];
  if (a.kind != again.kind || b.kind != kind || a.count != b.count || again.count != 1) return false;
  repeat(a, again.last_time_ms);
  repeat(b, time_ms);
  steps_.pop_back();
  return true;
}

void thin_copies(LaneBook& book, std::size_t count) {
  if (book.copies.size() <= count) return;
  std::vector<std::size_t> order(book.copies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto weight = [&](std::size_t copy) {
    const auto& leftover = book.copies[copy].leftover;
    return leftover ? leftover->bytes + 1 : std::int64_t{0};
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  order.resize(count);
  std::sort(order.begin(), order.end());

  Words ids;
  std::vector<LaneCopy> copies;
  copies.reserve(count);
  std::uint64_t leftovers = 0;
  for (const auto& copy : book.copies) leftovers += copy.leftover ? 1 : 0;
  for (const auto copy : order) {
    ids.number_of(book.ids.list()[copy]);
    copies.push_back(std::move(book.copies[copy]));
    leftovers -= copies.back().leftover ? 1 : 0;
  }
  book.copies_left_out += book.copies.size() - count;
  book.leftovers_left_out += leftovers;
  book.ids = std::move(ids);
  book.copies = std::move(copies);
}

}  // namespace reports
