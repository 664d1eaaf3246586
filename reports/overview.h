#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/human.h"
#include "sim/run_result.h"

namespace reports {

/// One window in which a fault was in force.
struct FaultSpan {
  /// The row's name, else its kind.
  std::string name;
  SimTime start;
  SimTime end;
  std::uint64_t hits = 0;
};

/// What people are told about one run: from a run's result, or read back from its folder.
struct RunOverview {
  sim::Summary summary;
  std::vector<FaultSpan> faults;
  SimTime world_end;
  /// The end of the last fault that hit, and its name; the world's start and empty without one.
  SimTime last_fault_end;
  std::string last_fault;
  /// When the last garbage went, if nothing was left at the end and there had been some.
  std::optional<SimTime> clean_since;
  /// What removed the garbage that was there at or after the last fault's end: the last remover, and whether it was the
  /// only one.
  std::string reclaimed_by;
  bool reclaimed_by_one = true;
  /// What will remove what is left, the latest due.
  std::string due_by;
};

/// Does not follow the pointers of the leftovers, so the world may be gone.
RunOverview overview(const sim::RunResult& result, const sim::Scenario& scenario);

/// `2h 13m`, `at once`, `after 6d 20h (retention)`, `never`, `not yet`, or `-` when there was nothing to reclaim.
std::string time_to_reclaim(const RunOverview& run);

/// What the runs show, in a sentence that follows from their data alone. Runs of one scenario and seed, one a policy.
/// Compares kip-dangling with kafka-4.0 where both ran, else the best with the worst; empty without runs.
std::string headline(std::span<const RunOverview> runs);
/// The runs' places in the list, the best run first: no loss, nothing for ever, nothing at the end, fewer byte-hours.
std::vector<std::size_t> best_to_worst(std::span<const RunOverview> runs);
/// The part about one run, as `kip-dangling was clean 36m before put-outage ended`.
std::string headline_clause(const RunOverview& run);

}  // namespace reports
