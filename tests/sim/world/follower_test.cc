// Followers: their task keeps the gate of their local retention (facts 8.3, 8.6).
#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(follower)

using namespace tests;

std::int64_t highest(const TestWorld& world, std::int32_t broker) {
  return world.world.log(BrokerId{broker}, first_partition).highest_offset_in_remote_storage().value();
}

std::vector<SimTime> follower_runs(const TestWorld& world) {
  std::vector<SimTime> times;
  for (const auto& [time, end] : world.all<sim::RunEnded>()) {
    if (end.task == model::TaskKind::follower) times.push_back(time);
  }
  return times;
}

// Two copies are finished at 1.4 s and 2.9 s; the follower's first look may come between, the next thirty seconds
// later.
BOOST_AUTO_TEST_CASE(a_follower_learns_what_is_copied_within_an_interval) {
  TestWorld world{one_broker, "", {"cluster.brokers=2"}};
  world.run_until(1s);
  BOOST_TEST(highest(world, 2) == -1);
  world.run_until(33s);
  BOOST_TEST(highest(world, 1) == 2047);
  BOOST_TEST(highest(world, 2) == 2047);
  world.run_until(2h);
  // Nothing changes after that: no run is left to do.
  const auto runs = follower_runs(world);
  BOOST_TEST(runs.size() >= 1u);
  BOOST_TEST(runs.size() <= 2u);
}

BOOST_AUTO_TEST_CASE(a_follower_deletes_locally_what_its_own_cache_says_is_copied) {
  // Broker 2 hears nothing of the metadata topic, whose partition broker 1 leads, for half an hour.
  const std::string ini = std::string{one_broker} + "remote.log.metadata.topic.num.partitions = 1\n";
  TestWorld world{ini, "0s,30m,partition,broker:1>broker:2,\n", {"cluster.brokers=2", "topic.t.local.retention.ms=1s"}};
  world.run_until(29min);
  BOOST_TEST(world.world.log(BrokerId{1}, first_partition).segments().size() == 1u);
  BOOST_TEST(world.world.log(BrokerId{2}, first_partition).segments().size() == 3u);
  world.run_until(41min);
  BOOST_TEST(world.world.log(BrokerId{2}, first_partition).segments().size() == 1u);
}

// Facts 8.2: not persisted, so that a new process begins anew.
BOOST_AUTO_TEST_CASE(a_restarted_follower_learns_it_again) {
  TestWorld world{one_broker, "10m,1m,crash,broker:2,\n", {"cluster.brokers=2"}};
  world.run_until(11min - 1s);
  const std::size_t runs = follower_runs(world).size();
  world.run_until(11min + 1s);
  BOOST_TEST(highest(world, 2) == 2047);
  BOOST_TEST(follower_runs(world).size() == runs + 1);
}

// F25: while uploads fail, no replica frees anything, and each of them grows with what is produced.
BOOST_AUTO_TEST_CASE(f25_an_upload_outage_grows_every_replicas_disk) {
  TestWorld world{one_broker,
                  "0s,100m,store-unavailable,store,operations=put\n",
                  {"cluster.brokers=2", "topic.t.produce=64KiB/s", "topic.t.local.retention.ms=1m"}};
  world.run_until(100min);
  for (const std::int32_t broker : {1, 2}) {
    BOOST_TEST(world.world.log(BrokerId{broker}, first_partition).segments().size() > 370u);
  }
  world.run_until(2h);
  for (const std::int32_t broker : {1, 2}) {
    BOOST_TEST(world.world.log(BrokerId{broker}, first_partition).segments().size() < 40u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
