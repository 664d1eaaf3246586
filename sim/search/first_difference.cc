#include "sim/search/first_difference.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "sim/run.h"

namespace sim {
namespace {

/// One of the two runs, as far as the other one has not caught up with it.
class Side final : public RunListener {
 public:
  explicit Side(const RunSetup& setup) : run_(setup.scenario, setup.policy, setup.seed, this) {}

  void record(const TraceRecord& record) override { waiting_.push_back({record, run_.trace().hash()}); }

  /// The next record that was not taken; null when the run has ended.
  const TraceRecord* next(std::size_t ahead = 0) {
    while (waiting_.size() <= ahead && run_.step()) {
    }
    return ahead < waiting_.size() ? &waiting_[ahead].record : nullptr;
  }
  /// The hash of all records up to the next one; equal as long as all of them are.
  std::uint64_t hash() const { return waiting_.front().hash; }
  void take() { waiting_.pop_front(); }

  std::vector<std::string> describe_next() {
    std::vector<std::string> lines;
    while (lines.size() < difference_context) {
      const TraceRecord* const record = next(lines.size());
      if (record == nullptr) break;
      lines.push_back(describe(*record));
    }
    return lines;
  }

 private:
  struct Waiting {
    TraceRecord record;
    std::uint64_t hash;
  };
  std::deque<Waiting> waiting_;
  WorldRun run_;
};

std::string first_field(const TraceRecord& a, const TraceRecord& b) {
  const auto ours = fields_of(a);
  const auto theirs = fields_of(b);
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (ours[i] != theirs[i]) return std::string{ours[i].first};
  }
  return "hash";
}

}  // namespace

std::optional<Difference> first_difference(const RunSetup& a, const RunSetup& b) {
  Side first{a};
  Side second{b};
  std::deque<TraceRecord> before;
  for (std::uint64_t event = 1;; ++event) {
    const TraceRecord* const ours = first.next();
    const TraceRecord* const theirs = second.next();
    if (ours == nullptr && theirs == nullptr) return std::nullopt;
    if (ours != nullptr && theirs != nullptr && first.hash() == second.hash()) {
      before.push_back(*ours);
      if (before.size() > difference_context) before.pop_front();
      first.take();
      second.take();
      continue;
    }
    Difference difference;
    difference.event = event;
    difference.field = ours != nullptr && theirs != nullptr ? first_field(*ours, *theirs) : "end";
    for (const TraceRecord& record : before) difference.before.push_back(describe(record));
    difference.first = first.describe_next();
    difference.second = second.describe_next();
    return difference;
  }
}

std::string sentence_of(const Difference& difference) {
  return fmt::format("event #{} is the first that differs, {}", difference.event,
                     difference.field == "end" ? "as one of the runs ended before it"
                                               : fmt::format("in its field {}", difference.field));
}

std::string describe(const Difference& difference, std::string_view first_name, std::string_view second_name) {
  std::string text = sentence_of(difference) + "\n";
  const auto add = [&text](std::string_view name, const std::vector<std::string>& lines) {
    text += fmt::format("{}\n", name);
    for (const std::string& line : lines) text += fmt::format("  {}\n", line);
    if (lines.empty()) text += "  (no event)\n";
  };
  add("before it, in both", difference.before);
  add(first_name, difference.first);
  add(second_name, difference.second);
  return text;
}

}  // namespace sim
