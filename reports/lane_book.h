#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace reports {

/// Texts by number, in the order of their first use.
class Words {
 public:
  std::uint32_t number_of(std::string_view word);
  std::optional<std::uint32_t> find(std::string_view word) const;
  const std::vector<std::string>& list() const { return list_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::string> list_;
};

/// One line of a copy's story: a transition, or a request to the store.
struct LaneStep {
  std::int64_t time_ms = 0;
  std::int64_t event = 0;
  /// Which words it has: an index of the run's list of kinds.
  std::uint32_t kind = 0;
  /// How often it happened; more than once where a cycle was folded.
  std::uint32_t count = 1;
  std::int64_t last_time_ms = 0;
};

/// Steps in their order. A sweep that fails every half minute of an outage writes the same two lines hundreds of times:
/// after the first `whole` steps, one that repeats the step before, or the one before that in a cycle of two, is only
/// counted there.
class FoldedSteps {
 public:
  static constexpr std::size_t most = 200;

  explicit FoldedSteps(std::size_t whole) : whole_(whole) {}
  /// True when this took a place of its own.
  bool add(std::int64_t time_ms, std::int64_t event, std::uint32_t kind);
  const std::vector<LaneStep>& steps() const { return steps_; }
  /// Steps beyond `most`, which are nowhere.
  std::uint64_t left_out() const { return left_out_; }

 private:
  bool fold(std::int64_t time_ms, std::uint32_t kind);

  std::size_t whole_;
  std::vector<LaneStep> steps_;
  std::uint64_t left_out_ = 0;
};

struct LaneLeftover {
  std::int64_t bytes = 0;
  std::int64_t became_garbage_ms = 0;
  std::optional<std::int64_t> reclaimed_ms = {};
  /// Of the run's list of causes.
  std::uint32_t cause = 0;
  std::string reclaimed_by = {};
  std::string due_by = {};
  std::optional<std::int64_t> due_ms = {};
};

/// One copy of a segment, with what happened to it.
struct LaneCopy {
  std::uint32_t partition = 0;
  std::int64_t start_offset = 0;
  std::int64_t end_offset = 0;
  FoldedSteps transitions{12};
  FoldedSteps calls{4};
  std::optional<LaneLeftover> leftover = {};
};

struct LanePartition {
  std::string topic = {};
  std::int64_t index = 0;
  /// All that there were, shown or not.
  std::uint64_t copy_count = 0;
};

struct LeaderChange {
  std::int64_t time_ms = 0;
  std::uint32_t partition = 0;
  std::int64_t broker = 0;
  std::string detail = {};
};

/// Leftovers of one fault, at one step, in one state.
struct LaneCause {
  std::uint64_t copy_count = 0;
  std::uint64_t ghost_count = 0;
  std::int64_t bytes = 0;
  std::int64_t first_ms = 0;
  std::optional<std::int64_t> last_reclaimed_ms = {};
  std::uint64_t left_count = 0;
  std::optional<std::int64_t> last_due_ms = {};
  std::uint64_t never_count = 0;
  /// Who removed how many, or is due to; in the order of the words.
  std::vector<std::uint64_t> removed = {};
  std::vector<std::uint64_t> due = {};
};

/// What a page shows of one run's copies.
struct LaneBook {
  Words ids;
  std::vector<LaneCopy> copies;
  std::vector<LanePartition> partitions;
  /// `from_state,to_state,cause,broker,leader_epoch,size_bytes`.
  Words transition_kinds;
  /// `kind,object,task,result,fault,bytes`.
  Words call_kinds;
  /// `fault,step,state`, and the sums beside.
  Words cause_names;
  std::vector<LaneCause> causes;
  Words removers;
  std::vector<LeaderChange> leader_changes;
  std::uint64_t leader_changes_left_out = 0;
  /// Copies that a limit kept out, and leftovers without a lane.
  std::uint64_t copies_left_out = 0;
  std::uint64_t leftovers_left_out = 0;
  /// Transitions and requests that were counted in a fold, and those that are nowhere.
  std::uint64_t folded = 0;
  std::uint64_t steps_left_out = 0;
  /// Copies without leftovers have no requests.
  bool has_transitions = false;
  bool has_calls = false;
};

/// Takes copies out until no more than `count` are left: first those that left nothing, then those that left least.
/// Counts them as left out.
void thin_copies(LaneBook& book, std::size_t count);

}  // namespace reports
