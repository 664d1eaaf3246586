#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/file.h"
#include "sim/search/first_difference.h"

namespace reports {

/// Whether a run's folder holds the three files whose rows are records of its trace: events.csv, transitions.csv and
/// dropped.csv (--keep all).
bool has_event_rows(const std::string& folder);

/// What two runs' rows say, in the order of their records.
struct RowComparison {
  /// Rows that both have.
  std::uint64_t equal = 0;
  /// Nothing: all rows are the same. Steps of tasks and changes of bytes have none.
  std::optional<sim::Difference> difference;
};

/// Goes through both folders' rows side by side, in the memory of a block a file.
Result<RowComparison, Problem> compare_rows(const std::string& first, const std::string& second);

}  // namespace reports
