#include "reports/compare.h"

#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

namespace {

/// Under seed s the baseline peaks at 100 * s bytes and the other at 100 * s + step(s).
std::vector<StudyRun> sample_study(int seeds, std::int64_t (*step)(int seed)) {
  std::vector<StudyRun> runs;
  for (const auto* policy : {"kafka-4.0", "kip-dangling"}) {
    for (int seed = 1; seed <= seeds; ++seed) {
      auto summary = sample_summary(policy);
      summary.seed = static_cast<std::uint64_t>(seed);
      const auto more = runs.size() >= static_cast<std::size_t>(seeds) ? step(seed) : 0;
      summary.peak_garbage_bytes = Bytes{100 * seed + more};
      runs.push_back({{}, summary});
    }
  }
  return runs;
}

const Comparison& find(const std::vector<Comparison>& rows, std::string_view metric) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Comparison& row) { return row.metric == metric; });
  BOOST_TEST_REQUIRE((found != rows.end()));
  return *found;
}

std::string text(const std::optional<Decimal>& decimal) { return decimal ? to_string(*decimal) : "empty"; }

}  // namespace

BOOST_AUTO_TEST_SUITE(comparisons)

BOOST_AUTO_TEST_CASE(decimals_print_without_trailing_zeros) {
  BOOST_TEST(to_string({1'500, 3}) == "1.5");
  BOOST_TEST(to_string({-5, 3}) == "-0.005");
  BOOST_TEST(to_string({0, 3}) == "0");
  BOOST_TEST(to_string({12'000, 3}) == "12");
}

BOOST_AUTO_TEST_CASE(means_and_medians_are_exact) {
  const auto rows = compare(sample_study(3, [](int seed) -> std::int64_t { return seed == 3 ? -20 : 10; }));
  const auto& row = find(rows, "peak_garbage_bytes");
  BOOST_TEST(row.policy_a == "kafka-4.0");
  BOOST_TEST(row.policy_b == "kip-dangling");
  BOOST_TEST(row.n == 3);
  BOOST_TEST(text(row.mean_a) == "200");
  BOOST_TEST(text(row.mean_b) == "200");
  BOOST_TEST(text(row.mean_difference) == "0");
  BOOST_TEST(text(row.median_difference) == "10");
  BOOST_TEST(text(row.share_reclaimed_a) == "empty");
}

BOOST_AUTO_TEST_CASE(the_interval_is_the_same_everywhere) {
  const auto rows = compare(sample_study(30, [](int seed) -> std::int64_t { return seed * seed % 17; }));
  const auto& row = find(rows, "peak_garbage_bytes");
  BOOST_TEST(text(row.mean_difference) == "8.6");
  BOOST_TEST(text(row.ci95_low) == "6.6");
  BOOST_TEST(text(row.ci95_high) == "10.533");
}

BOOST_AUTO_TEST_CASE(the_interval_holds_the_mean_and_is_a_point_without_spread) {
  const auto rows = compare(sample_study(20, [](int seed) -> std::int64_t { return seed % 2 == 0 ? 100 : -100; }));
  const auto& row = find(rows, "peak_garbage_bytes");
  // The mean of 20 differences of +-100 has a standard error of 22.4: about 44 to each side.
  BOOST_TEST((row.ci95_low->value >= -60'000 && row.ci95_low->value <= -30'000), text(row.ci95_low));
  BOOST_TEST((row.ci95_high->value <= 60'000 && row.ci95_high->value >= 30'000), text(row.ci95_high));
  const auto& same = find(rows, "copy_attempts");
  BOOST_TEST(text(same.ci95_low) == "0");
  BOOST_TEST(text(same.ci95_high) == "0");
}

BOOST_AUTO_TEST_CASE(reclaim_has_shares_and_a_median_but_no_mean) {
  auto runs = sample_study(3, [](int) -> std::int64_t { return 0; });
  runs[0].summary.reclaim.reset();  // a, seed 1: b was sooner by an unknown time.
  runs[4].summary.reclaim = 5min;   // b, seed 2: sooner by 19 h 55 min.
  const auto rows = compare(runs);
  const auto& row = find(rows, "reclaim_ms");
  BOOST_TEST(text(row.mean_a) == "empty");
  BOOST_TEST(text(row.ci95_low) == "empty");
  BOOST_TEST(text(row.share_reclaimed_a) == "0.667");
  BOOST_TEST(text(row.share_reclaimed_b) == "1");
  BOOST_TEST(text(row.median_difference) == "-71700000");
}

BOOST_AUTO_TEST_CASE(a_median_that_nobody_saw_is_empty) {
  auto runs = sample_study(3, [](int) -> std::int64_t { return 0; });
  for (int i = 0; i < 2; ++i) runs[static_cast<std::size_t>(i)].summary.reclaim.reset();
  BOOST_TEST(text(find(compare(runs), "reclaim_ms").median_difference) == "empty");
}

BOOST_AUTO_TEST_CASE(pairs_are_seeds_that_both_ran_and_the_baseline_can_be_named) {
  auto runs = sample_study(4, [](int) -> std::int64_t { return 0; });
  runs.pop_back();
  const auto rows = compare(runs, "kip-dangling");
  BOOST_TEST(rows.front().policy_a == "kip-dangling");
  BOOST_TEST(rows.front().n == 3);
  BOOST_TEST(compare(runs, "unknown").empty());
}

BOOST_AUTO_TEST_CASE(kafka_4_0_is_the_baseline_wherever_it_stands_unless_another_is_named) {
  std::vector<StudyRun> runs;
  for (const auto* policy : {"kafka-3.6", "kip-dangling", "kafka-4.0"}) runs.push_back({{}, sample_summary(policy)});
  for (const auto& row : compare(runs)) BOOST_TEST(row.policy_a == "kafka-4.0");
  BOOST_TEST(compare(runs, "kafka-3.6").front().policy_a == "kafka-3.6");
  runs.pop_back();
  BOOST_TEST(compare(runs).front().policy_a == "kafka-3.6");
}

BOOST_AUTO_TEST_CASE(each_pair_is_there_once_and_the_other_way_round_only_the_signs_differ) {
  auto runs = sample_study(30, [](int seed) -> std::int64_t { return seed * seed % 17; });
  const auto each = compare_each_pair(runs);
  BOOST_TEST(each.size() == summary_metrics().size());
  const auto back = compare(runs, "kip-dangling");
  const auto& there = find(each, "peak_garbage_bytes");
  const auto& here = find(back, "peak_garbage_bytes");
  BOOST_TEST((here.mean_difference->value == -there.mean_difference->value));
  BOOST_TEST((here.ci95_low->value == -there.ci95_high->value));
  BOOST_TEST((here.ci95_high->value == -there.ci95_low->value));
  BOOST_TEST((here.median_difference->value == -there.median_difference->value));
}

BOOST_AUTO_TEST_CASE(one_policy_alone_has_its_means_and_bounds) {
  auto runs = sample_study(3, [](int) -> std::int64_t { return 0; });
  runs.resize(3);
  runs[0].summary.reclaim.reset();
  const auto table = spread_table(runs);
  BOOST_TEST(table.starts_with("kafka-4.0, 3 seeds\n"), table);
  BOOST_TEST(table.find("peak garbage         200 B     100 B     300 B\n") != std::string::npos, table);
  BOOST_TEST(table.find("  of the 67% reclaimed in time\n") != std::string::npos, table);
  BOOST_TEST(spread_table({}).empty());
}

BOOST_AUTO_TEST_CASE(the_file_has_the_grid_in_front_and_empty_cells_where_nothing_applies) {
  const ScratchFolder scratch;
  auto runs = sample_study(2, [](int) -> std::int64_t { return 0; });
  for (auto& run : runs) run.grid = {"30000", "a,b"};
  const auto rows = compare(runs);
  const std::vector<std::string> keys{"broker.interval", "odd,key"};
  BOOST_TEST_REQUIRE(write_comparisons(scratch.path("compare.csv"), keys, rows).has_value());
  const auto file = text_of(scratch.path("compare.csv"));
  BOOST_TEST(file.starts_with(
      "broker.interval,\"odd,key\",scenario,metric,policy_a,policy_b,n,mean_a,mean_b,mean_difference,ci95_low,"
      "ci95_high,median_difference,share_reclaimed_a,share_reclaimed_b\n"
      "30000,\"a,b\",paper,peak_garbage_bytes,kafka-4.0,kip-dangling,2,150,150,0,0,0,0,,\n"));
  BOOST_TEST(file.find("30000,\"a,b\",paper,reclaim_ms,kafka-4.0,kip-dangling,2,,,,,,0,1,1\n") != std::string::npos);
  BOOST_TEST(file.find("paper,cost_usd,kafka-4.0,kip-dangling,2,1.234567,1.234567,0,0,0,0,,\n") != std::string::npos);
  BOOST_TEST(std::count(file.begin(), file.end(), '\n') == 24);
}

BOOST_AUTO_TEST_CASE(the_terminals_table_stays_within_80_columns) {
  auto runs = sample_study(5, [](int seed) -> std::int64_t { return (seed - 3) * (1'020LL << 40); });
  for (auto& run : runs) {
    run.grid = {std::string(100, 'x')};
    run.summary.policy += ":sweep=after-success,base=kafka-3.9,expiration=as-any";
    run.summary.store_requests = run.summary.peak_garbage_bytes.value();
    run.summary.reclaim =
        Duration{std::numeric_limits<std::int64_t>::max() / (run.summary.policy.starts_with("kip") ? 1 : 2)};
  }
  const std::vector<std::string> keys{"topic.orders.segment.bytes"};
  const auto table = compare_table(keys, compare(runs));
  for (std::size_t begin = 0; begin < table.size();) {
    const auto end = table.find('\n', begin);
    BOOST_TEST(end - begin <= 80U, table.substr(begin, end - begin));
    begin = end + 1;
  }
}

BOOST_AUTO_TEST_SUITE_END()
