#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/file.h"
#include "reports/summary_row.h"
#include "sim/run_result.h"

namespace reports {

/// One run of a study: its place in the grid (values in the order of the keys, base units; none for compare) and its
/// summary.
struct StudyRun {
  std::vector<std::string> grid;
  sim::Summary summary;
};

/// A number with an exact, finite text: numerator over a power of ten.
struct Decimal {
  __int128 value = 0;
  /// Digits after the point.
  int digits = 0;
};
/// Without trailing zeros after the point.
std::string to_string(Decimal decimal);

/// A row of compare.csv. Differences are b - a, a being the baseline. Means, differences and bounds are rounded to
/// thousandths of the metric's unit (cost_usd: to a thousandth of a millionth).
struct Comparison {
  std::vector<std::string> grid;
  std::string scenario;
  std::string_view metric;
  std::string policy_a;
  std::string policy_b;
  /// Pairs: seeds under which both ran.
  std::int64_t n = 0;
  std::optional<Decimal> mean_a = {};
  std::optional<Decimal> mean_b = {};
  std::optional<Decimal> mean_difference = {};
  std::optional<Decimal> ci95_low = {};
  std::optional<Decimal> ci95_high = {};
  /// Of the paired differences; for reclaim_ms an end that was not seen counts as later than every other, a pair
  /// without either end is left out, and a median among such is empty.
  std::optional<Decimal> median_difference = {};
  /// Of reclaim_ms only: which part of the n runs was reclaimed before its world ended.
  std::optional<Decimal> share_reclaimed_a = {};
  std::optional<Decimal> share_reclaimed_b = {};
};

inline constexpr int bootstrap_draws = 2'000;

/// To which the others are compared when nobody says it: kafka-4.0, on which the KIP's policies stand by default; else
/// the first.
std::string reference_policy(std::span<const std::string> policies);

/// Compares the baseline with every other policy, at each place of the grid, in the order in which places, policies and
/// metrics first appear. `baseline` empty: the reference policy. The interval is the percentile interval of the mean of
/// the paired differences in 2,000 seeded resamples; integers throughout, so every compiler gets the same.
std::vector<Comparison> compare(std::span<const StudyRun> runs, std::string_view baseline = {});
/// As above with every policy as the baseline of those behind it, so each pair is there once. The other way round a
/// pair has the same numbers with the other sign, the interval's bounds exchanged.
std::vector<Comparison> compare_each_pair(std::span<const StudyRun> runs);

/// compare.csv. Means and shares of columns that do not apply are empty.
Result<void, Problem> write_comparisons(const std::string& path, std::span<const std::string> grid_keys,
                                        std::span<const Comparison> comparisons);

/// One metric of the runs that it applies to.
struct Spread {
  std::optional<Decimal> mean = {};
  std::optional<Decimal> least = {};
  std::optional<Decimal> greatest = {};
  /// Of all runs, the part that has a value: below 1 for an end that was not seen.
  Decimal share = {};
};
Spread spread_of(std::span<const StudyRun> runs, const SummaryMetric& metric);

/// The most telling metrics for a terminal: at most 80 columns, one block a pair of policies (and place in the grid).
std::string compare_table(std::span<const std::string> grid_keys, std::span<const Comparison> comparisons);
/// The same metrics of one policy alone, which has nothing to be compared with.
std::string spread_table(std::span<const StudyRun> runs);

}  // namespace reports
