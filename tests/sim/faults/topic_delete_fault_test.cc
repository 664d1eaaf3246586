// A deleted topic's copies are the business of whoever led its partitions: one attempt, by nobody else (facts 4.3).
#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(topic_delete_fault)

using namespace tests;

constexpr std::string_view nothing = "0 0 0 0";
constexpr std::string_view whole = "1048576 262144 65536 65536";

BOOST_AUTO_TEST_CASE(the_leader_removes_every_copy) {
  for (const char* policy : {"kafka-3.6", "kafka-3.9", "kafka-4.0", "kip-dangling"}) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{one_broker, "10m,,topic-delete,topic:t,\n", {}, policy};
      world.run_until(10min - 1s);
      BOOST_TEST(world.stored(0) == whole);
      world.run_until(11min);
      BOOST_TEST(world.stored(0) == nothing);
      BOOST_TEST(world.stored(1) == nothing);
      BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF, 600000 DS, 600050 DF");
      BOOST_TEST(world.hits() == 1u);
      const auto deleted = world.all<sim::PartitionDeleted>();
      BOOST_REQUIRE(deleted.size() == 1u);
      BOOST_TEST(deleted[0].event.leader == BrokerId{1});
      BOOST_TEST(world.log_end() == deleted[0].event.log_end_offset.value());
    }
  }
}

// Nobody produces to it, leads it or runs a task for it any more.
BOOST_AUTO_TEST_CASE(nothing_goes_on_with_a_deleted_topic) {
  TestWorld world{two_brokers(), "1m,,topic-delete,topic:t,\n20m,1m,crash,broker:1,\n", {"topic.t.produce=64KiB/s"}};
  world.run_until(1min + 1s);
  const std::size_t rolls = world.all<sim::SegmentRolled>().size();
  const std::size_t runs = world.all<sim::RunStarted>().size();
  const std::size_t leaders = world.all<sim::LeaderChanged>().size();
  BOOST_TEST(rolls > 0u);
  const std::int64_t end = world.log_end();
  world.run_until(2h);
  BOOST_TEST(world.all<sim::SegmentRolled>().size() == rolls);
  BOOST_TEST(world.all<sim::RunStarted>().size() == runs);
  BOOST_TEST(world.all<sim::LeaderChanged>().size() == leaders);
  BOOST_TEST(world.log_end() == end);
}

// Partitions go one after the other on each broker, and brokers do not wait for each other.
BOOST_AUTO_TEST_CASE(each_broker_deletes_its_partitions_one_after_the_other) {
  TestWorld world{two_brokers(),
                  "1m,,topic-delete,topic:t,\n",
                  {"topic.t.partitions=4", "store.delete.latency=1s", "cluster.brokers=2"}};
  world.run_until(2min);
  std::string runs;
  for (const auto& [time, end] : world.all<sim::RunEnded>()) {
    if (end.task != model::TaskKind::partition_deletion) continue;
    runs += fmt::format("{}/{} {} ", end.broker, end.partition, (time - model::time_start).count() / 1'000);
  }
  // Four objects a copy, a second each, between two rounds of publishes.
  BOOST_TEST(runs == "1/0 64100 2/1 64100 1/2 68200 2/3 68200 ");
}

// F18: the broker that led it is down, so nobody is the leader of the previous image: the data have no owner.
BOOST_AUTO_TEST_CASE(f18_a_leader_that_is_down_deletes_nothing_ever) {
  TestWorld world{one_broker, "9m55s,5m,crash,broker:1,\n10m,,topic-delete,topic:t,\n"};
  world.run_until(2h);
  BOOST_TEST(world.stored(0) == whole);
  BOOST_TEST(world.stored(1) == whole);
  BOOST_TEST(world.folded(0) == "CF");
  BOOST_TEST(world.all<sim::PartitionDeleted>().at(0).event.leader == BrokerId{0});
}

// F18: the leader crashes in the middle, and does not come back to it.
BOOST_AUTO_TEST_CASE(f18_a_leader_that_crashes_meanwhile_does_not_come_back_to_it) {
  TestWorld world{one_broker, "10m,,topic-delete,topic:t,\n602s,1m,crash,broker:1,\n", {"store.delete.latency=1s"}};
  world.run_until(2h);
  // Sent at 600050, 601050 and 602050 ms: the third never was.
  BOOST_TEST(world.stored(0) == "0 0 65536 65536");
  BOOST_TEST(world.stored(1) == whole);
  BOOST_TEST(world.folded(0) == "DS");
  BOOST_TEST(world.folded(1) == "DS");
}

// F19: an upload that does not mind interrupts ends after its removal.
BOOST_AUTO_TEST_CASE(f19_an_upload_that_ends_after_the_deletion_is_an_orphan) {
  TestWorld world{one_broker, "500ms,,topic-delete,topic:t,\n", {"client.interrupt=ignore"}};
  world.run_until(10min);
  BOOST_TEST(world.transitions(0) == "0 CS, 500 DS, 550 DF, 1425 -CF");
  BOOST_TEST(world.stored(0) == whole);
}

// The same upload, interrupted: what had arrived is there before the removal.
BOOST_AUTO_TEST_CASE(an_interrupted_upload_is_removed_with_the_rest) {
  TestWorld world{one_broker, "500ms,,topic-delete,topic:t,\n"};
  world.run_until(10min);
  BOOST_TEST(world.transitions(0) == "0 CS, 500 DS, 550 DF");
  BOOST_TEST(world.stored(0) == nothing);
}

BOOST_AUTO_TEST_SUITE_END()
