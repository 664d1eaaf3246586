#include "sim/observers/goals.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/check.h"
#include "sim/faults/faults.h"

namespace sim {

namespace {

/// The names that the model gives to TaskListener::took_branch, and the world to what becomes of a feature level.
constexpr std::array<std::string_view, 15> branches{"adopted",
                                                    "adopted-too-late",
                                                    "clean-up-failed",
                                                    "clean-up-skipped-when-cancelled",
                                                    "clean-up-skipped-when-retriable",
                                                    "copy-throttled",
                                                    "dangling-finalized",
                                                    "dangling-not-finalized",
                                                    "dangling-skipped-when-cancelled",
                                                    "downgrade-refused",
                                                    "sweep-delete-failed",
                                                    "sweep-skipped-after-failed-copy",
                                                    "sweep-stopped",
                                                    "swept-again-later",
                                                    "truncation-spins"};

constexpr std::size_t no_state = remote_log_segment_state_count;
constexpr std::size_t no_goal = static_cast<std::size_t>(-1);

/// Where each kind of goal begins in the list, and where each transition stands in it.
struct GoalList {
  std::vector<Goal> goals;
  /// By from_state (the last: none) and to_state; no_goal for what no table allows.
  std::array<std::array<std::size_t, remote_log_segment_state_count>, no_state + 1> of_transition{};
  std::size_t first_fault = 0;
  std::size_t first_step = 0;
  std::size_t first_branch = 0;
};

std::size_t state_index(std::optional<RemoteLogSegmentState> state) {
  return state ? static_cast<std::size_t>(*state) : no_state;
}

/// Every move of the union table that a fold can see: a state that follows itself is one (a retried publish), but an id
/// is forgotten with DELETE_SEGMENT_FINISHED (facts 2.3).
void add_transitions(GoalList& list) {
  for (std::size_t from = 0; from <= no_state; ++from) {
    const auto before = from == no_state ? std::nullopt : std::optional{static_cast<RemoteLogSegmentState>(from)};
    for (std::size_t to = 0; to < no_state; ++to) {
      const auto after = static_cast<RemoteLogSegmentState>(to);
      const bool is_move = before != RemoteLogSegmentState::delete_segment_finished &&
                           is_valid_transition(TransitionTable::kip, before, after);
      list.of_transition[from][to] = is_move ? list.goals.size() : no_goal;
      if (!is_move) continue;
      list.goals.push_back(
          {GoalKind::transition,
           fmt::format("{} > {}", before ? to_string(*before) : std::string_view{"none"}, to_string(after))});
    }
  }
}

const GoalList& goal_list() {
  static const GoalList list = [] {
    GoalList made;
    add_transitions(made);
    made.first_fault = made.goals.size();
    for (const FaultKindInfo& kind : fault_kinds()) made.goals.push_back({GoalKind::fault, std::string{kind.name}});
    made.first_step = made.goals.size();
    for (int step = 1; step < task_step_count; ++step) {
      made.goals.push_back({GoalKind::step, std::string{to_string(static_cast<TaskStep>(step))}});
    }
    made.first_branch = made.goals.size();
    for (const std::string_view branch : branches) made.goals.push_back({GoalKind::branch, std::string{branch}});
    return made;
  }();
  return list;
}

std::size_t goal_of_kind(std::string_view kind) {
  const auto kinds = fault_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& info) { return info.name == kind; });
  CHECK(found != kinds.end(), "the plan holds a kind of fault that is not listed: {}", kind);
  return goal_list().first_fault + static_cast<std::size_t>(found - kinds.begin());
}

}  // namespace

std::string_view to_string(GoalKind kind) {
  constexpr std::array<std::string_view, 4> names{"transition", "fault", "step", "branch"};
  return names[static_cast<std::size_t>(kind)];
}

std::span<const Goal> goals() { return goal_list().goals; }

GoalObserver::GoalObserver(const Scenario& scenario) {
  for (const FaultRow& row : scenario.faults) goal_of_fault_.push_back(goal_of_kind(row.kind));
}

void GoalObserver::reach(std::size_t goal, const TraceRecord& record) {
  GoalReached& reached = reached_[goal];
  if (reached.times++ == 0) {
    reached.first = record.time;
    reached.event = record.number;
  }
}

void GoalObserver::on(const TraceRecord& record) {
  const GoalList& list = goal_list();
  if (const auto* transition = std::get_if<Transition>(&record.event)) {
    const std::size_t goal =
        list.of_transition[state_index(transition->from)][static_cast<std::size_t>(transition->to)];
    if (transition->applied && goal != no_goal) reach(goal, record);
  } else if (const auto* hit = std::get_if<FaultHit>(&record.event)) {
    reach(goal_of_fault_[hit->fault], record);
  } else if (const auto* entered = std::get_if<StepEntered>(&record.event)) {
    if (entered->step != TaskStep::none) reach(list.first_step + static_cast<std::size_t>(entered->step) - 1, record);
  } else if (const auto* taken = std::get_if<BranchTaken>(&record.event)) {
    const auto* const found = std::find(branches.begin(), branches.end(), taken->branch);
    CHECK(found != branches.end(), "a branch that goals.cc does not list: {}", taken->branch);
    reach(list.first_branch + static_cast<std::size_t>(found - branches.begin()), record);
  }
}

}  // namespace sim
