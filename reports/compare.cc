#include "reports/compare.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "reports/csv.h"
#include "reports/human.h"
#include "reports/summary_row.h"
#include "sim/kernel/random.h"

namespace reports {
namespace {

using Int = __int128;
using Value = std::optional<Int>;

/// Digits that a mean has beyond its metric's own.
constexpr int mean_digits = 3;

Int power_of_ten(int digits) {
  Int power = 1;
  for (; digits > 0; --digits) power *= 10;
  return power;
}

/// Rounded half away from zero; the divisor is positive.
Int divide_rounded(Int value, Int divisor) {
  const Int half = divisor / 2;
  return value < 0 ? -((-value + half) / divisor) : (value + half) / divisor;
}

/// sum / count in units of 10^-digits, as a number with mean_digits more.
Decimal mean_of(Int sum, std::size_t count, int digits) {
  return {divide_rounded(sum * power_of_ten(mean_digits), static_cast<Int>(count)), digits + mean_digits};
}

std::string unsigned_text(unsigned __int128 value) {
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return text;
}

/// The resamples' sums of the differences, sorted; each draw takes as many differences as there are.
std::vector<Int> bootstrap_sums(const std::vector<Int>& differences) {
  // One stream for every metric and pair: what is compared does not change which seeds a resample holds.
  sim::SplitMix64 engine{sim::hash_of("compare.csv bootstrap")};
  const auto count = static_cast<std::uint64_t>(differences.size());
  std::vector<Int> sums;
  sums.reserve(bootstrap_draws);
  for (int draw = 0; draw < bootstrap_draws; ++draw) {
    Int sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) sum += differences[(engine() >> 32) * count >> 32];
    sums.push_back(sum);
  }
  std::sort(sums.begin(), sums.end());
  return sums;
}

void tell_means(Comparison& row, const std::vector<Int>& a, const std::vector<Int>& b, int digits) {
  if (a.empty()) return;
  Int sum_a = 0;
  Int sum_b = 0;
  std::vector<Int> differences;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum_a += a[i];
    sum_b += b[i];
    differences.push_back(b[i] - a[i]);
  }
  row.mean_a = mean_of(sum_a, a.size(), digits);
  row.mean_b = mean_of(sum_b, a.size(), digits);
  row.mean_difference = mean_of(sum_b - sum_a, a.size(), digits);
  const bool all_equal = std::equal(differences.begin() + 1, differences.end(), differences.begin());
  if (all_equal) {
    row.ci95_low = row.ci95_high = row.mean_difference;
  } else {
    constexpr std::size_t tail = bootstrap_draws / 40;  // 2.5 % on each side.
    const auto sums = bootstrap_sums(differences);
    row.ci95_low = mean_of(sums[tail - 1], a.size(), digits);
    row.ci95_high = mean_of(sums[bootstrap_draws - tail], a.size(), digits);
  }
  std::sort(differences.begin(), differences.end());
  const auto middle = differences.size() / 2;
  const Int twice =
      differences.size() % 2 == 1 ? 2 * differences[middle] : differences[middle - 1] + differences[middle];
  row.median_difference = mean_of(twice, 2, digits);
}

/// For a metric whose end may lie behind the world's: an unseen end is later than every seen one.
void tell_censored(Comparison& row, const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.empty()) return;
  const auto share = [&](const std::vector<Value>& values) {
    const auto seen = std::count_if(values.begin(), values.end(), [](const Value& value) { return value.has_value(); });
    return mean_of(seen, values.size(), 0);
  };
  row.share_reclaimed_a = share(a);
  row.share_reclaimed_b = share(b);

  // Sorted as: b sooner by an unknown time, the known differences, b later by an unknown time.
  std::vector<std::pair<int, Int>> differences;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] && b[i]) {
      differences.emplace_back(0, *b[i] - *a[i]);
    } else if (a[i].has_value() != b[i].has_value()) {
      differences.emplace_back(a[i] ? 1 : -1, 0);
    }
  }
  if (differences.empty()) return;
  std::sort(differences.begin(), differences.end());
  const auto& upper = differences[differences.size() / 2];
  const auto& lower = differences[(differences.size() - 1) / 2];
  if (upper.first == 0 && lower.first == 0) row.median_difference = mean_of(upper.second + lower.second, 2, 0);
}

/// The runs of one place in the grid and one scenario, by policy and seed.
struct Group {
  std::vector<std::string> grid;
  std::string scenario;
  std::vector<std::string> policies;
  std::map<std::string, std::map<std::uint64_t, const sim::Summary*>> runs;
};

std::vector<Group> group(std::span<const StudyRun> runs) {
  std::vector<Group> groups;
  std::map<std::pair<std::vector<std::string>, std::string>, std::size_t> places;
  for (const auto& run : runs) {
    const auto [place, is_new] = places.try_emplace({run.grid, run.summary.scenario}, groups.size());
    if (is_new) groups.push_back({run.grid, run.summary.scenario, {}, {}});
    auto& found = groups[place->second];
    if (!found.runs.contains(run.summary.policy)) found.policies.push_back(run.summary.policy);
    found.runs[run.summary.policy][run.summary.seed] = &run.summary;
  }
  return groups;
}

Comparison compare_pair(const Group& group, const SummaryMetric& metric, const std::string& policy_a,
                        const std::string& policy_b) {
  Comparison row{.grid = group.grid,
                 .scenario = group.scenario,
                 .metric = metric.name,
                 .policy_a = policy_a,
                 .policy_b = policy_b};
  std::vector<Value> a;
  std::vector<Value> b;
  const auto& runs_b = group.runs.at(policy_b);
  for (const auto& [seed, summary] : group.runs.at(policy_a)) {
    const auto partner = runs_b.find(seed);
    if (partner == runs_b.end()) continue;
    const auto value_a = metric.value(*summary);
    const auto value_b = metric.value(*partner->second);
    // A pair counts where both have a value, except that a censored end is an answer too.
    if (!metric.is_censored && !(value_a && value_b)) continue;
    a.push_back(value_a);
    b.push_back(value_b);
  }
  row.n = static_cast<std::int64_t>(a.size());
  if (metric.is_censored) {
    tell_censored(row, a, b);
    return row;
  }
  std::vector<Int> known_a;
  std::vector<Int> known_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    known_a.push_back(*a[i]);
    known_b.push_back(*b[i]);
  }
  tell_means(row, known_a, known_b, metric.digits);
  return row;
}

}  // namespace

std::string to_string(Decimal decimal) {
  const bool is_negative = decimal.value < 0;
  auto text = unsigned_text(is_negative ? -static_cast<unsigned __int128>(decimal.value)
                                        : static_cast<unsigned __int128>(decimal.value));
  const auto digits = static_cast<std::size_t>(decimal.digits);
  if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
  if (digits > 0) {
    text.insert(text.size() - digits, ".");
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return is_negative ? "-" + text : text;
}

std::string reference_policy(std::span<const std::string> policies) {
  constexpr std::string_view reference = "kafka-4.0";
  if (std::find(policies.begin(), policies.end(), reference) != policies.end()) return std::string{reference};
  return policies.empty() ? std::string{} : policies.front();
}

std::vector<Comparison> compare(std::span<const StudyRun> runs, std::string_view baseline) {
  std::vector<Comparison> rows;
  for (const auto& place : group(runs)) {
    const auto policy_a = baseline.empty() ? reference_policy(place.policies) : std::string{baseline};
    if (!place.runs.contains(policy_a)) continue;
    for (const auto& policy_b : place.policies) {
      if (policy_b == policy_a) continue;
      for (const auto& metric : summary_metrics()) rows.push_back(compare_pair(place, metric, policy_a, policy_b));
    }
  }
  return rows;
}

std::vector<Comparison> compare_each_pair(std::span<const StudyRun> runs) {
  std::vector<Comparison> rows;
  for (const auto& place : group(runs)) {
    for (auto a = place.policies.begin(); a != place.policies.end(); ++a) {
      for (auto b = a + 1; b != place.policies.end(); ++b)
        for (const auto& metric : summary_metrics()) rows.push_back(compare_pair(place, metric, *a, *b));
    }
  }
  return rows;
}

Spread spread_of(std::span<const StudyRun> runs, const SummaryMetric& metric) {
  std::vector<Int> values;
  Int sum = 0;
  for (const auto& run : runs) {
    const auto value = metric.value(run.summary);
    if (!value) continue;
    values.push_back(*value);
    sum += *value;
  }
  Spread spread;
  if (runs.empty()) return spread;
  spread.share = mean_of(static_cast<Int>(values.size()), runs.size(), 0);
  if (values.empty()) return spread;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  spread.mean = mean_of(sum, values.size(), metric.digits);
  spread.least = Decimal{*least, metric.digits};
  spread.greatest = Decimal{*greatest, metric.digits};
  return spread;
}

Result<void, Problem> write_comparisons(const std::string& path, std::span<const std::string> grid_keys,
                                        std::span<const Comparison> comparisons) {
  std::string columns;
  for (const auto& key : grid_keys) columns += csv_field(key) + ",";
  columns +=
      "scenario,metric,policy_a,policy_b,n,mean_a,mean_b,mean_difference,ci95_low,ci95_high,median_difference,"
      "share_reclaimed_a,share_reclaimed_b";
  CsvFile out{File::create(path), columns};
  for (const auto& row : comparisons) {
    for (const auto& value : row.grid) out.text(value);
    out.text(row.scenario).raw(row.metric).text(row.policy_a).text(row.policy_b).integer(row.n);
    for (const auto& cell : {row.mean_a, row.mean_b, row.mean_difference, row.ci95_low, row.ci95_high,
                             row.median_difference, row.share_reclaimed_a, row.share_reclaimed_b}) {
      if (cell) {
        out.raw(to_string(*cell));
      } else {
        out.empty();
      }
    }
    out.end_row();
  }
  return out.close();
}

}  // namespace reports
