// What a campaign must have seen before its silence means anything: each transition, each kind of fault with an effect,
// each step of a task and each branch of a policy, at least once in some world ('sometimes').
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/trace/trace.h"

namespace sim {

enum class GoalKind : std::uint8_t { transition, fault, step, branch };
/// `transition`, `fault`, `step`, `branch`.
std::string_view to_string(GoalKind kind);

/// One thing that some world should do.
struct Goal {
  GoalKind kind;
  /// As `COPY_SEGMENT_STARTED > DANGLING`, `store-slow`, `sweep-delete`, `sweep-stopped`.
  std::string name;
};
/// All goals, in the order of reports. A branch that the model takes and this list lacks is a failed CHECK.
std::span<const Goal> goals();

/// How often a world reached one goal, and when first.
struct GoalReached {
  std::uint64_t times = 0;
  SimTime first{};
  /// Number of the trace record that reached it first.
  std::uint64_t event = 0;
};

/// Counts the goals that one world reaches.
class GoalObserver final : public TraceObserver {
 public:
  explicit GoalObserver(const Scenario& scenario);
  void on(const TraceRecord& record) override;
  /// One entry a goal, in the order of goals().
  const std::vector<GoalReached>& reached() const { return reached_; }

 private:
  void reach(std::size_t goal, const TraceRecord& record);

  std::vector<GoalReached> reached_ = std::vector<GoalReached>(goals().size());
  /// Goal of each row of the fault plan.
  std::vector<std::size_t> goal_of_fault_;
};

}  // namespace sim
