// Brokers of several versions in one cluster, and one after the other (readings 7).
#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
