// What many runs come to: grouped by signature, the same however they are grouped into parts.
#include "sim/search/campaign.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "sim/faults/faults.h"
#include "sim/search/in_order.h"

namespace sim {
namespace {

Finding finding(std::string invariant, std::string fault) {
  return {.signature = {"kip-dangling", std::move(invariant), "COPY_SEGMENT_STARTED", std::move(fault)},
          .standing = FailureStanding::unexpected,
          .message = "orders: 1 byte",
          .event = 7};
}

CampaignRun run(std::uint64_t seed, std::uint64_t events, std::vector<Finding> findings,
                std::vector<std::string> hit_kinds) {
  CampaignRun made;
  made.summary.policy = "kip-dangling";
  made.summary.seed = seed;
  made.summary.events = events;
  made.findings = std::move(findings);
  made.hit_kinds = std::move(hit_kinds);
  made.goals.resize(goals().size());
  made.goals[seed % 3] = seed;
  return made;
}

std::vector<CampaignRun> some_runs() {
  return {run(1, 500, {finding("garbage-zero", "crash")}, {"crash", "pause"}),
          run(2, 300, {finding("garbage-zero", "crash"), finding("entries-settle", "pause")}, {"crash", "pause"}),
          run(3, 300, {finding("garbage-zero", "crash")}, {"crash", "store-slow"}), run(4, 10, {}, {})};
}

/// The tiny world: kafka-4.0 leaves what a failed copy stored (facts 5.6), which its scenario expects.
Scenario tiny() {
  auto read = read_scenario(
      {.scenario = std::string{FLOTSAM_SOURCE_DIR} + "/scenarios/tiny.ini", .sets = {}, .configs = {}}, fault_kinds());
  BOOST_REQUIRE(read.has_value());
  return std::move(*read);
}

PolicyChoice kafka_40(const Scenario& scenario) { return *read_policy_choice("kafka-4.0", scenario); }

}  // namespace

BOOST_AUTO_TEST_SUITE(campaign)

BOOST_AUTO_TEST_CASE(keeps_the_failure_with_the_fewest_events_then_the_lowest_seed) {
  CampaignTally tally;
  for (const CampaignRun& one : some_runs()) tally.add(one);
  BOOST_REQUIRE(tally.failures.size() == 2U);
  const FailureGroup& group = tally.failures.at(finding("garbage-zero", "crash").signature);
  BOOST_TEST(group.count == 3U);
  BOOST_TEST(group.seed == 2U);
  BOOST_TEST(group.events == 300U);
  BOOST_TEST(group.common_faults == (std::vector<std::string>{"crash"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(is_the_same_in_whatever_parts) {
  const auto runs = some_runs();
  CampaignTally whole;
  for (const CampaignRun& one : runs) whole.add(one);
  for (std::size_t split = 0; split <= runs.size(); ++split) {
    CampaignTally first;
    CampaignTally second;
    for (std::size_t i = 0; i < runs.size(); ++i) (i < split ? second : first).add(runs[i]);
    CampaignTally merged;
    merged.add(first);
    merged.add(second);
    BOOST_REQUIRE(merged.failures.size() == whole.failures.size());
    for (const auto& [signature, group] : whole.failures) {
      const FailureGroup& other = merged.failures.at(signature);
      BOOST_TEST(other.count == group.count);
      BOOST_TEST(other.seed == group.seed);
      BOOST_TEST(other.common_faults == group.common_faults, boost::test_tools::per_element());
    }
    for (std::size_t i = 0; i < whole.goals.size(); ++i) {
      BOOST_TEST(merged.goals[i].times == whole.goals[i].times);
      BOOST_TEST(merged.goals[i].runs == whole.goals[i].runs);
      BOOST_TEST(merged.goals[i].first_seed == whole.goals[i].first_seed);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_worst_failure_decides_the_exit_code) {
  CampaignTally tally;
  BOOST_TEST(tally.exit_code() == 0);
  tally.add(run(1, 1, {finding("garbage-zero", "crash")}, {}));
  BOOST_TEST(tally.exit_code() == 3);
  tally.add(run(2, 1, {finding("nothing-live-deleted", "crash")}, {}));
  BOOST_TEST(tally.exit_code() == 1);
  CampaignRun twice = run(3, 1, {}, {});
  twice.summary.trace_hash = 1;
  twice.second_hash = 2;
  tally.add(twice);
  BOOST_TEST(tally.exit_code() == 4);
}

BOOST_AUTO_TEST_CASE(a_signature_has_the_states_and_the_fault_of_what_was_left) {
  Scenario scenario = tiny();
  const CampaignRun expected = run_campaign_world(scenario, kafka_40(scenario), 1, {});
  BOOST_REQUIRE(expected.findings.size() == 1U);
  BOOST_TEST(to_string(expected.findings[0].signature) ==
             "kafka-4.0/garbage-zero/COPY_SEGMENT_STARTED>DELETE_SEGMENT_STARTED/copy-fail");
  BOOST_TEST((expected.findings[0].standing == FailureStanding::expected));
  BOOST_TEST(expected.exit_code == 0);

  scenario.expectations.clear();
  const CampaignRun unexpected = run_campaign_world(scenario, kafka_40(scenario), 1, {});
  BOOST_TEST((unexpected.findings[0].standing == FailureStanding::unexpected));
  BOOST_TEST(unexpected.exit_code == 3);
  BOOST_TEST((unexpected.summary.verdict == Verdict::fail));

  ChaosOptions accepting;
  accepting.known = {{"kafka-*", "garbage-zero", "*", "copy-fail"}};
  const CampaignRun known = run_campaign_world(scenario, kafka_40(scenario), 1, accepting);
  BOOST_TEST((known.findings[0].standing == FailureStanding::known));
  BOOST_TEST(known.exit_code == 0);
  BOOST_TEST((known.summary.verdict == Verdict::pass));
  BOOST_TEST(known.summary.trace_hash == unexpected.summary.trace_hash);
}

BOOST_AUTO_TEST_CASE(demands_only_what_these_policies_and_kinds_can_reach) {
  const Scenario scenario = tiny();
  ChaosOptions options;
  options.kinds = {"crash"};
  const auto missed = goals_missed({}, options, {kafka_40(scenario)});
  const auto has = [&](std::string_view name) {
    return std::any_of(missed.begin(), missed.end(), [&](std::size_t goal) { return goals()[goal].name == name; });
  };
  BOOST_TEST(has("crash"));
  BOOST_TEST(!has("pause"));
  BOOST_TEST(has("none > COPY_SEGMENT_STARTED"));
  BOOST_TEST(!has("COPY_SEGMENT_STARTED > DANGLING"));
  BOOST_TEST(!has("sweep-stopped"));
  options.may_miss = {"crash"};
  BOOST_TEST(goals_missed({}, options, {kafka_40(scenario)}).size() == missed.size() - 1);
}

BOOST_AUTO_TEST_CASE(runs_a_share_of_the_seeds_twice) {
  ChaosOptions options;
  options.run_twice = {1, 20};
  int twice = 0;
  for (std::uint64_t seed = 0; seed < 4'000; ++seed) twice += runs_twice(seed, options) ? 1 : 0;
  BOOST_TEST(twice > 140);
  BOOST_TEST(twice < 260);
  options.run_twice = {0, 1};
  BOOST_TEST(!runs_twice(1, options));
}

BOOST_AUTO_TEST_CASE(takes_results_in_order_whatever_finishes_first) {
  std::vector<std::size_t> taken;
  const auto count = run_in_order<std::size_t>(
      500, 4,
      [](std::size_t piece) {
        if (piece % 7 == 0) std::this_thread::yield();
        return piece * 2;
      },
      [&](std::size_t piece, std::size_t result) {
        BOOST_TEST(result == piece * 2);
        taken.push_back(piece);
        return true;
      },
      [] { return true; });
  BOOST_TEST(count == 500U);
  for (std::size_t i = 0; i < taken.size(); ++i) BOOST_TEST(taken[i] == i);
}

BOOST_AUTO_TEST_CASE(stops_with_a_prefix) {
  std::size_t last = 0;
  const auto count = run_in_order<std::size_t>(
      10'000, 3, [](std::size_t piece) { return piece; },
      [&](std::size_t piece, std::size_t) {
        BOOST_TEST(piece == last);
        ++last;
        return piece < 100;
      },
      [] { return true; });
  BOOST_TEST(count >= 101U);
  BOOST_TEST(count < 10'000U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sim
