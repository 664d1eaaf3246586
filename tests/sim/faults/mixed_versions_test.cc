// Brokers of several versions in one cluster, and one after the other (readings 7).
#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(mixed_versions)

using namespace tests;

BOOST_AUTO_TEST_CASE(a_restart_may_bring_another_version) {
  TestWorld world{two_brokers(),
                  "10s,10s,restart,broker:2,policy=chosen\n60s,10s,restart,broker:2,policy=kafka-3.6\n",
                  {"broker.2.policy=kafka-4.0"},
                  "kip-dangling"};
  world.run_until(19s);
  BOOST_TEST(world.world.policy_of(BrokerId{2}).name() == "kafka-4.0");
  world.run_until(20s);
  BOOST_TEST(world.world.policy_of(BrokerId{2}).name() == "kip-dangling");
  world.run_until(71s);
  BOOST_TEST(world.world.policy_of(BrokerId{2}).name() == "kafka-3.6");
  BOOST_TEST(world.world.policy_of(BrokerId{1}).name() == "kip-dangling");
}

BOOST_AUTO_TEST_CASE(a_restart_knows_every_policy) {
  const auto kinds = sim::fault_kinds();
  const auto restart =
      std::find_if(kinds.begin(), kinds.end(), [](const auto& kind) { return kind.name == "restart"; });
  BOOST_REQUIRE(restart != kinds.end());
  std::string words = "same|chosen";
  for (const std::string_view name : policy_names()) words += fmt::format("|{}", name);
  BOOST_TEST(restart->params.back().words == words);
}

// Readings 7.5 and 7.6: whoever hosts a partition of that metadata partition stops reading, for all of its partitions.
BOOST_AUTO_TEST_CASE(an_older_broker_that_meets_dangling_reads_nothing_any_more) {
  TestWorld world{two_brokers(),
                  "10s,10s,restart,broker:2,policy=kip-dangling\n310s,5m,copy-fail,broker:2,stored=all\n",
                  {"topic.t.produce=64KiB/s"},
                  "kafka-4.0"};
  world.run_until(300s);
  BOOST_TEST(!world.world.metadata().consumer_has_ended(BrokerId{1}));
  world.run_until(20min);
  BOOST_TEST(world.world.metadata().consumer_has_ended(BrokerId{1}));
  BOOST_TEST(!world.world.metadata().consumer_has_ended(BrokerId{2}));
  // 7.7: its publishes are stored and fail, so that each run leaves an entry without an upload.
  BOOST_TEST(world.publishes(BrokerId{1}).ends_with("timed-out"));
}

// Readings 7.8: the replay meets the record again.
BOOST_AUTO_TEST_CASE(a_downgraded_broker_stops_where_the_record_lies) {
  TestWorld world{
      two_brokers(),
      "0s,10s,copy-fail,broker:2,stored=all\n0s,20s,delete-fail,store,\n10s,10s,restart,broker:2,policy=kafka-4.0\n",
      {},
      "kip-dangling"};
  world.run_until(30s);
  BOOST_TEST(world.world.metadata().consumer_has_ended(BrokerId{2}));
  BOOST_TEST(!world.world.metadata_is_ready(BrokerId{2}, PartitionNumber{1}));
}

// The remedies of readings 7.

std::vector<std::string> feature_branches(const TestWorld& world) {
  std::vector<std::string> found;
  for (const auto& [time, taken] : world.all<sim::BranchTaken>()) {
    if (taken.branch != "dangling-finalized" && taken.branch != "downgrade-refused") continue;
    found.push_back(fmt::format("{} {}", (time - model::time_start) / 1s, taken.branch));
  }
  return found;
}

bool has_dangling(const TestWorld& world) {
  const auto transitions = world.all<sim::Transition>();
  return std::any_of(transitions.begin(), transitions.end(), [](const auto& transition) {
    return transition.event.to == model::RemoteLogSegmentState::dangling;
  });
}

/// Two brokers of kafka-4.0 whose every copy fails; broker 2 is upgraded at once and broker 1 after five minutes.
TestWorld upgraded_one_by_one(std::string_view policy) {
  return {two_brokers(),
          "0s,20m,copy-fail,store,stored=all\n10s,10s,restart,broker:2,policy=chosen\n"
          "5m,1m,restart,broker:1,policy=chosen\n",
          {"broker.1.policy=kafka-4.0", "broker.2.policy=kafka-4.0", "topic.t.produce=64KiB/s"},
          policy};
}

BOOST_AUTO_TEST_CASE(behind_the_gate_nobody_writes_dangling_before_the_last_broker_is_upgraded) {
  TestWorld ungated = upgraded_one_by_one("kip-dangling");
  ungated.run_until(350s);
  BOOST_TEST(has_dangling(ungated));
  BOOST_TEST(feature_branches(ungated).empty());

  for (const char* policy : {"kip-dangling", "kip-dangling-recovery"}) {
    TestWorld world = upgraded_one_by_one(fmt::format("{}:feature-gate=finalized", policy));
    world.run_until(299s);
    BOOST_TEST(world.world.policy_of(BrokerId{2}).name() == policy);
    // Broker 1 stays registered as it was while it is down.
    world.run_until(359s);
    BOOST_TEST(!has_dangling(world));
    BOOST_TEST(feature_branches(world).empty());
    world.run_until(10min);
    BOOST_TEST(has_dangling(world));
    BOOST_TEST(feature_branches(world) == std::vector<std::string>{"360 dangling-finalized"});
    for (const BrokerId broker : {BrokerId{1}, BrokerId{2}}) {
      BOOST_TEST(!world.world.metadata().consumer_has_ended(broker));
    }
  }
}

// The level is told after the initial state, which nobody is to take for garbage.
BOOST_AUTO_TEST_CASE(a_level_that_is_finalized_from_the_start_changes_nothing) {
  const Scenario scenario = read_catalogue("tiny");
  const auto summary_of = [&](std::string_view policy) {
    return sim::run_world(scenario, policy_choice(policy, scenario), 1).summary;
  };
  const sim::Summary plain = summary_of("kip-dangling");
  const sim::Summary gated = summary_of("kip-dangling:feature-gate=finalized");
  BOOST_TEST(gated.peak_garbage_bytes == plain.peak_garbage_bytes);
  BOOST_TEST(gated.metadata_records == plain.metadata_records);
}

BOOST_AUTO_TEST_CASE(a_finalized_level_refuses_the_downgrade) {
  TestWorld world{two_brokers(),
                  "10s,10s,restart,broker:2,policy=kafka-4.0\n60s,10s,restart,broker:2,policy=kip-dangling-recovery\n",
                  {},
                  "kip-dangling:feature-gate=finalized"};
  world.run_until(30s);
  BOOST_TEST(world.world.is_up(BrokerId{2}));
  BOOST_TEST(world.world.policy_of(BrokerId{2}).name() == "kip-dangling");
  BOOST_TEST(feature_branches(world) == (std::vector<std::string>{"0 dangling-finalized", "20 downgrade-refused"}));
  // One that knows DANGLING is let in.
  world.run_until(71s);
  BOOST_TEST(world.world.policy_of(BrokerId{2}).name() == "kip-dangling-recovery");
}

// Readings 4.12: with the tag an older broker takes DANGLING for a delete under way, and reads on.
BOOST_AUTO_TEST_CASE(an_older_broker_reads_on_past_a_tagged_dangling) {
  TestWorld world{two_brokers(),
                  "0s,10s,copy-fail,broker:2,stored=all\n0s,1h,delete-fail,store,\n"
                  "10s,10s,restart,broker:2,policy=kafka-4.0\n",
                  {},
                  "kip-dangling:encoding=tagged"};
  world.run_until(30s);
  BOOST_TEST(has_dangling(world));
  BOOST_TEST(world.cached(BrokerId{1}, 1) == "DANGLING");
  BOOST_TEST(world.cached(BrokerId{2}, 1) == "DS");
  BOOST_TEST(!world.world.metadata().consumer_has_ended(BrokerId{2}));
  BOOST_TEST(world.world.metadata_is_ready(BrokerId{2}, PartitionNumber{1}));
}

BOOST_AUTO_TEST_SUITE_END()
