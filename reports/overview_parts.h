#pragma once

#include <optional>
#include <span>
#include <string>

#include "reports/overview.h"

namespace reports {

/// The end of a leftover, as both a run's result and leftovers.csv tell it.
struct LeftoverEnd {
  bool is_ghost = false;
  std::optional<SimTime> reclaimed = {};
  std::string reclaimed_by = {};
  std::string due_by = {};
  std::optional<SimTime> due = {};
};

/// Fills in last_fault and last_fault_end from the faults.
void find_last_fault(RunOverview& run);
/// Fills in what the leftovers tell; summary and last fault are there already.
void tell_leftovers(RunOverview& run, std::span<const LeftoverEnd> leftovers);

}  // namespace reports
