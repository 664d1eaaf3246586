// Faults of a broker that leave its process running: its clock and its quota.
#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(broker_faults)

using namespace tests;

constexpr std::string_view nothing = "0 0 0 0";
constexpr std::string_view whole = "1048576 262144 65536 65536";

sim::RunResult result_of(std::string_view plan, const std::vector<std::string>& sets) {
  const Scenario scenario = read_world(one_broker, plan, sets);
  return sim::run_world(scenario, policy_choice("kafka-4.0", scenario), 1, nullptr);
}

std::string broken(const sim::RunResult& result) {
  std::string names;
  for (const sim::Violation& violation : result.violations) {
    if (names.find(violation.invariant) == std::string::npos) names += std::string{violation.invariant} + " ";
  }
  return names;
}

// Retention asks the broker's clock, and the truth is the world's: what goes early is a loss.
BOOST_AUTO_TEST_CASE(a_clock_that_is_ahead_expires_early) {
  for (const char* row : {"10s,1m,clock-skew,broker:1,by=2h\n", "10s,,clock-jump,broker:1,by=2h\n"}) {
    BOOST_TEST_CONTEXT(row) {
      TestWorld world{one_broker, row, {"topic.t.retention.ms=1h"}};
      world.run_until(14s);
      BOOST_TEST(world.stored(0) == whole);
      world.run_until(20s);
      BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF, 15000 DS, 15050 DF");
      BOOST_TEST(world.stored(0) == nothing);
      BOOST_TEST(world.stored(1) == nothing);
      BOOST_TEST(world.hits() == 1u);
      const sim::RunResult result = result_of(row, {"topic.t.retention.ms=1h"});
      BOOST_TEST(broken(result) == "nothing-live-deleted ");  // The log start, raised first, asks for the rest.
      BOOST_TEST((result.summary.outcome == sim::Outcome::loss));
      BOOST_TEST(result.summary.over_deleted_bytes == Bytes{2 << 20});
    }
  }
}

// The segments' records are of time 0 and due a minute later; without the fault the run at 75 s takes them.
BOOST_AUTO_TEST_CASE(a_clock_that_is_behind_expires_late_and_loses_nothing) {
  const char* row = "0s,10m,clock-skew,broker:1,by=1h;direction=behind\n";
  TestWorld world{one_broker, row, {"topic.t.retention.ms=1m"}};
  world.run_until(614s);
  BOOST_TEST(world.stored(0) == whole);
  world.run_until(620s);
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF, 615000 DS, 615050 DF");
  const sim::RunResult result = result_of(row, {"topic.t.retention.ms=1m"});
  BOOST_TEST(broken(result) == "");
  BOOST_TEST(result.summary.over_deleted_bytes == Bytes{0});
}

// A process does not take its machine's clock with it.
BOOST_AUTO_TEST_CASE(a_clock_stays_wrong_over_a_restart) {
  TestWorld world{one_broker,
                  "5s,,clock-jump,broker:1,by=2h;direction=behind\n10s,20s,crash,broker:1,\n",
                  {"topic.t.retention.ms=1m"}};
  world.run_until(1h);
  BOOST_TEST(world.stored(0) == whole);
}

// The first copy of 1 MiB is charged whole, and its sample is 11 windows of a second old at 11 s (facts 5.4). Looks
// come a second apart.
BOOST_AUTO_TEST_CASE(a_quota_delays_the_next_copy_until_the_rate_has_fallen) {
  TestWorld world{one_broker, "0s,1m,copy-quota,broker:1,rate=1KiB/s\n"};
  world.run_until(2min);
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF");
  BOOST_TEST(world.transitions(1) == "11475 CS, 12900 CF");
  BOOST_TEST(world.hits() == 1u);
}

BOOST_AUTO_TEST_CASE(a_quota_that_is_lifted_lets_copies_go_at_their_next_look) {
  TestWorld world{one_broker, "0s,5s,copy-quota,*,rate=1KiB/s\n"};
  world.run_until(2min);
  BOOST_TEST(world.transitions(1) == "5475 CS, 6900 CF");
}

// What was copied before the limit came counts against it.
BOOST_AUTO_TEST_CASE(a_quota_counts_what_was_copied_before_it) {
  TestWorld world{one_broker, "1s,1m,copy-quota,broker:1,rate=1KiB/s\n"};
  world.run_until(2min);
  BOOST_TEST(world.transitions(1) == "11475 CS, 12900 CF");
}

BOOST_AUTO_TEST_SUITE_END()
