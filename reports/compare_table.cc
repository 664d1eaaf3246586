// The terminal's view of a comparison: the metrics that answer the product's question.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reports/compare.h"
#include "reports/human.h"

namespace reports {
namespace {

constexpr std::size_t table_width = 80;

enum class Unit : std::uint8_t { bytes, milliseconds, count, dollars };
struct Shown {
  std::string_view metric;
  std::string_view label;
  Unit unit;
};
constexpr std::array<Shown, 10> shown{{
    {"peak_garbage_bytes", "peak garbage", Unit::bytes},
    {"garbage_byte_hours", "byte-hours", Unit::bytes},
    {"reclaim_ms", "time to reclaim", Unit::milliseconds},
    {"garbage_bytes_end", "garbage at end", Unit::bytes},
    {"garbage_bytes_never", "never freed", Unit::bytes},
    {"over_deleted_bytes", "over-deleted", Unit::bytes},
    {"copy_failures", "failed copies", Unit::count},
    {"store_requests", "store calls", Unit::count},
    {"metadata_records", "metadata records", Unit::count},
    {"cost_usd", "cost, USD", Unit::dollars},
}};

/// Rounded half away from zero to a whole number of the metric's units that fits 64 bits.
std::int64_t whole(const Decimal& decimal) {
  __int128 divisor = 1;
  for (int i = 0; i < decimal.digits; ++i) divisor *= 10;
  const __int128 half = divisor / 2;
  const __int128 rounded = decimal.value < 0 ? -((-decimal.value + half) / divisor) : (decimal.value + half) / divisor;
  constexpr __int128 most = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(rounded, -most, most));
}

std::string cell(const std::optional<Decimal>& decimal, Unit unit) {
  if (!decimal) return "-";
  switch (unit) {
    case Unit::bytes:
      return human_bytes(Bytes{whole(*decimal)});
    case Unit::milliseconds:
      return human_duration(
          std::chrono::milliseconds{std::clamp<std::int64_t>(whole(*decimal), -9'000'000'000'000, 9'000'000'000'000)});
    case Unit::count:
      return human_count(whole(*decimal));
    case Unit::dollars: {
      // To the cent: four digits beyond the six of the file are noise here.
      const auto cents = whole({decimal->value, decimal->digits - 2});
      return fmt::format("{}{}.{:02}", cents < 0 ? "-" : "", std::abs(cents / 100), std::abs(cents % 100));
    }
  }
  return "";
}

std::string percent(const std::optional<Decimal>& share) {
  return share ? fmt::format("{}%", whole({share->value, share->digits - 2})) : "-";
}

std::string row_text(const Shown& metric, const Comparison& row) {
  // The interval's ends keep their own units: a range from 3 MiB to 1.2 GiB reads as such.
  const bool is_censored = row.share_reclaimed_a.has_value();
  const auto interval =
      row.ci95_low ? fmt::format("[{}, {}]", cell(row.ci95_low, metric.unit), cell(row.ci95_high, metric.unit)) : "";
  auto text = fmt::format("{:<16} {:>9} {:>9} {:>10}  {}", metric.label,
                          is_censored ? percent(row.share_reclaimed_a) : cell(row.mean_a, metric.unit),
                          is_censored ? percent(row.share_reclaimed_b) : cell(row.mean_b, metric.unit),
                          cell(is_censored ? row.median_difference : row.mean_difference, metric.unit),
                          is_censored ? "reclaimed in time; median" : interval);
  return text + "\n";
}

bool is_same_pair(const Comparison& a, const Comparison& b) {
  return a.grid == b.grid && a.scenario == b.scenario && a.policy_a == b.policy_a && a.policy_b == b.policy_b;
}

std::string block_head(std::span<const std::string> grid_keys, const Comparison& row) {
  std::string place;
  for (std::size_t i = 0; i < row.grid.size() && i < grid_keys.size(); ++i)
    place += fmt::format(" {}={}", grid_keys[i], row.grid[i]);
  const auto pair =
      fmt::format("b: {} against a: {}, {} pairs", shorten(row.policy_b, 24), shorten(row.policy_a, 24), row.n);
  auto head = pair + "\n";
  if (!place.empty()) head = shorten(place.substr(1), table_width) + "\n" + head;
  return head + fmt::format("{:<16} {:>9} {:>9} {:>10}  {}\n", "mean", "a", "b", "b - a", "95 % interval");
}

}  // namespace

std::string compare_table(std::span<const std::string> grid_keys, std::span<const Comparison> comparisons) {
  std::string text;
  for (std::size_t begin = 0; begin < comparisons.size();) {
    std::size_t end = begin;
    while (end < comparisons.size() && is_same_pair(comparisons[begin], comparisons[end])) ++end;
    if (!text.empty()) text += "\n";
    text += block_head(grid_keys, comparisons[begin]);
    for (const auto& metric : shown) {
      const auto block = comparisons.subspan(begin, end - begin);
      const auto row =
          std::find_if(block.begin(), block.end(), [&](const Comparison& c) { return c.metric == metric.metric; });
      if (row != block.end()) text += row_text(metric, *row);
    }
    begin = end;
  }
  return text;
}

std::string spread_table(std::span<const StudyRun> runs) {
  if (runs.empty()) return "";
  auto text = fmt::format("{}, {} seed{}\n{:<16} {:>9} {:>9} {:>9}\n", shorten(runs.front().summary.policy, 60),
                          runs.size(), runs.size() == 1 ? "" : "s", "", "mean", "least", "greatest");
  for (const auto& shown_metric : shown) {
    const auto metrics = summary_metrics();
    const auto metric = std::find_if(metrics.begin(), metrics.end(),
                                     [&](const SummaryMetric& each) { return each.name == shown_metric.metric; });
    if (metric == metrics.end()) continue;
    const auto spread = spread_of(runs, *metric);
    text += fmt::format("{:<16} {:>9} {:>9} {:>9}{}\n", shown_metric.label, cell(spread.mean, shown_metric.unit),
                        cell(spread.least, shown_metric.unit), cell(spread.greatest, shown_metric.unit),
                        metric->is_censored ? fmt::format("  of the {} reclaimed in time", percent(spread.share)) : "");
  }
  return text;
}

}  // namespace reports
