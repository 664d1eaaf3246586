#pragma once

#include <span>
#include <string_view>

#include "reports/csv.h"
#include "sim/run_result.h"

namespace reports {

inline constexpr std::string_view summary_columns =
    "scenario,policy,seed,outcome,verdict,first_violation,peak_garbage_bytes,garbage_byte_hours,waste_byte_hours,"
    "reclaim_ms,"
    "garbage_bytes_end,garbage_bytes_never,last_due_ms,garbage_age_max_ms,orphan_bytes_end,stuck_bytes_end,ghosts_end,"
    "over_deleted_bytes,copy_attempts,copy_failures,delete_attempts,delete_failures,put_bytes,metadata_records,"
    "metadata_bytes,"
    "store_requests,cost_usd,events,transitions,trace_hash";

/// The fields of one row, without its end.
void write_summary_fields(CsvFile& out, const sim::Summary& summary);
/// What a row says; times are whole milliseconds then, byte-hours whole.
sim::Summary read_summary_fields(const CsvRow& row);

/// One number of a summary, for whoever compares many of them.
struct SummaryMetric {
  /// The column's name.
  std::string_view name;
  /// In units of 10^-digits; nothing when the field is empty.
  std::optional<__int128> (*value)(const sim::Summary& summary);
  int digits = 0;
  /// Empty means `not before the world ended`.
  bool is_censored = false;
};
/// The numeric columns in their order; seed and trace_hash name a run and measure nothing.
std::span<const SummaryMetric> summary_metrics();

}  // namespace reports
