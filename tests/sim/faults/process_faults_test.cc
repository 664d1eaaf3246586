// Faults of a broker's process that are no crash: it is shut down in order, stands still, or is cut off from the
// controller while it runs (facts F2, 4.4; readings 2.10, 4.4; case C18).
#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(process_faults)

using namespace tests;

constexpr std::string_view nothing = "0 0 0 0";
constexpr std::string_view whole = "1048576 262144 65536 65536";
constexpr PartitionNumber second_partition{1};

/// Broker 2 leads partition 1, whose first copy is number 1; broker 1 leads the metadata topic.
TestWorld three_brokers(std::string_view plan, std::vector<std::string> sets = {},
                        std::string_view policy = "kafka-4.0") {
  sets.emplace_back("cluster.brokers=3");
  return TestWorld{two_brokers(), plan, sets, policy};
}

BOOST_AUTO_TEST_CASE(a_shut_down_broker_gives_its_leads_away_before_its_process_ends) {
  TestWorld world = three_brokers("500ms,1m,restart,broker:2,\n");
  world.run_until(4min);
  BOOST_TEST(world.leaders(second_partition) == "0 2/0, 500 3/1");
  BOOST_TEST(world.stored(1) == "471859 0 0 0");  // 450 ms of 1 MiB/s, cut by the move.
  BOOST_TEST(world.transitions(1) == "0 CS");
  BOOST_TEST(world.transitions(2) == "500 CS, 1925 CF");
  const auto ends = world.all<sim::BrokerCrashed>();
  const auto starts = world.all<sim::BrokerStarted>();
  BOOST_REQUIRE(ends.size() == 1u);
  BOOST_REQUIRE(starts.size() == 1u);
  BOOST_TEST(ends[0].time == SimTime{5500ms});
  BOOST_TEST((ends[0].event.fault == sim::FaultIndex{0}));
  BOOST_TEST(starts[0].time == SimTime{60'500ms});
  BOOST_TEST(world.hits() == 1u);
}

// Readings 2.10 and 4.4: nothing interrupts 3.6's upload before the process ends.
BOOST_AUTO_TEST_CASE(an_upload_of_3_6_has_the_time_between_to_finish) {
  TestWorld in_time = three_brokers("500ms,1m,restart,broker:2,\n", {}, "kafka-3.6");
  in_time.run_until(4min);
  BOOST_TEST(in_time.transitions(1) == "0 CS, 1425 CF");
  BOOST_TEST(in_time.stored(1) == whole);
  BOOST_TEST(in_time.world.segment_count() == 2u);  // The new leader's task has its next run after the finish.
  TestWorld too_late = three_brokers("500ms,1m,restart,broker:2,handover=50ms\n", {}, "kafka-3.6");
  too_late.run_until(4min);
  BOOST_TEST(too_late.transitions(1) == "0 CS");
  BOOST_TEST(too_late.stored(1) == "524288 0 0 0");
}

BOOST_AUTO_TEST_CASE(the_metadata_topic_has_no_gap_when_its_leader_is_shut_down) {
  TestWorld world = three_brokers("500ms,1m,restart,broker:1,\n");
  world.run_until(10s);
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-50 ok, CS 500-550 ok, CF 1425-1475 ok, CF 1925-1975 ok");
}

BOOST_AUTO_TEST_CASE(a_shutdown_longer_than_the_fault_ends_with_it) {
  TestWorld world{one_broker, "500ms,2s,restart,broker:1,handover=1h\n"};
  world.run_until(1min);
  BOOST_TEST(world.all<sim::BrokerCrashed>().at(0).time == SimTime{2500ms});
  BOOST_TEST(world.all<sim::BrokerStarted>().at(0).time == SimTime{2500ms});
  BOOST_TEST(world.leaders() == "0 1/0, 2500 0/0, 2500 1/1");  // Nobody else was there to lead.
}

BOOST_AUTO_TEST_CASE(an_upload_of_a_broker_that_stands_still_stands_still_too) {
  TestWorld world{one_broker, "550ms,10s,pause,broker:1,\n"};
  world.run_until(12s);
  BOOST_TEST(world.requests().starts_with("put log 50-11050 ok, put indexes 11050-11300 ok"));
  BOOST_TEST(world.transitions(0) == "0 CS, 11425 CF");
  BOOST_TEST(world.leaders() == "0 1/0");
  BOOST_TEST(world.hits() == 1u);
}

BOOST_AUTO_TEST_CASE(a_broker_that_dies_while_it_stands_still_leaves_what_had_arrived) {
  TestWorld world{one_broker, "550ms,10s,pause,broker:1,\n5s,1m,crash,broker:1,\n"};
  world.run_until(1min);
  BOOST_TEST(world.stored(0) == "524288 0 0 0");
  world.run_until(5min);
  BOOST_TEST(world.folded(1) == "CF");
}

// Retention is due at 20 s, and the run at 45 s would be the first to see it.
BOOST_AUTO_TEST_CASE(ticks_that_come_meanwhile_are_late) {
  TestWorld world{one_broker, "40s,1m,pause,broker:1,\n", {"topic.t.retention.ms=20s"}};
  world.run_until(99'999ms);
  BOOST_TEST(world.stored(0) == whole);
  world.run_until(2min);
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF, 100000 DS, 100050 DF");
}

BOOST_AUTO_TEST_CASE(others_lead_after_the_failover_time_and_the_paused_leader_hears_of_it_afterwards) {
  TestWorld world = three_brokers("550ms,30s,pause,broker:2,\n");
  world.run_until(4min);
  BOOST_TEST(world.leaders(second_partition) == "0 2/0, 9550 3/1");
  BOOST_TEST(world.transitions(2) == "9550 CS, 10975 CF");
  // Its upload goes on for no time, and is interrupted.
  BOOST_TEST(world.stored(1) == "524288 0 0 0");
  BOOST_TEST(world.transitions(1) == "0 CS");
}

// F2: nothing fences a zombie.
BOOST_AUTO_TEST_CASE(f2_a_zombie_that_heeds_no_interrupt_finishes_its_copy_after_the_new_leader_did) {
  TestWorld world = three_brokers("550ms,30s,pause,broker:2,\n", {"client.interrupt=ignore"});
  world.run_until(4min);
  BOOST_TEST(world.transitions(2) == "9550 CS, 10975 CF");
  BOOST_TEST(world.transitions(1) == "0 CS, 31425 CF");
  BOOST_TEST(world.stored(1) == whole);
  BOOST_TEST(world.stored(2) == whole);
}

// The broker reaches only itself of three: the controller is not there. The store is.
BOOST_AUTO_TEST_CASE(f2_a_leader_that_is_cut_off_goes_on_while_another_one_leads) {
  TestWorld world = three_brokers("500ms,1m,partition,broker:2<>broker:1+broker:3,\n");
  world.run_until(1min);
  BOOST_TEST(world.leaders(second_partition) == "0 2/0, 9500 3/1");
  BOOST_TEST(world.stored(1) == whole);  // Its upload was not interrupted, and its record cannot leave.
  BOOST_TEST(world.transitions(1) == "0 CS");
  BOOST_TEST(world.transitions(2) == "9500 CS, 10925 CF");
  world.run_until(4min);
  BOOST_TEST(world.transitions(1) == "0 CS, 60500 CF");  // It leaves when the link is back, and nobody refuses it.
  BOOST_TEST(world.stored(1) == whole);
  BOOST_TEST(world.stored(2) == whole);
}

BOOST_AUTO_TEST_CASE(a_leader_that_is_cut_off_for_less_than_the_failover_time_stays) {
  TestWorld world = three_brokers("500ms,8s,partition,broker:2<>*,\n", {"topic.t.produce=64KiB/s"});
  world.run_until(1min);
  BOOST_TEST(world.leaders(second_partition) == "0 2/0");
  // Nobody could write to it for 8 seconds: 60 s less these are 3,328 records, after the 1,024 that were there.
  BOOST_TEST(world.log_end(BrokerId{2}, second_partition) == 1024 + 3328);
  BOOST_TEST(world.log_end(BrokerId{3}, second_partition) == 1024 + 3328);
}

// With two brokers each reaches half of them, and neither is the one that is cut off.
BOOST_AUTO_TEST_CASE(half_of_the_brokers_is_no_minority) {
  TestWorld world{two_brokers(), "500ms,1m,partition,broker:1<>broker:2,\n"};
  world.run_until(4min);
  BOOST_TEST(world.leaders() == "0 1/0");
  BOOST_TEST(world.leaders(second_partition) == "0 2/0");
}

BOOST_AUTO_TEST_CASE(a_broker_that_crashes_while_it_is_cut_off_leads_nothing_until_it_is_back) {
  TestWorld world = three_brokers("500ms,1m,partition,broker:2<>broker:1+broker:3,\n5s,10s,crash,broker:2,\n");
  world.run_until(4min);
  BOOST_TEST(world.leaders(second_partition) == "0 2/0, 5000 0/0, 9500 3/1");
  BOOST_TEST(world.cached(BrokerId{2}, 2) == "CF");
}

// C18: until it has read the topic, no copy, no delete, no decision on an empty list.
BOOST_AUTO_TEST_CASE(c18_a_consumer_that_starts_late_keeps_its_broker_idle) {
  for (const std::string_view policy : policy_names()) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{one_broker,
                      "0s,1m,consumer-slow-start,broker:1,delay=3m\n10s,10s,crash,broker:1,\n",
                      {"topic.t.retention.ms=15s"},
                      policy};
      world.run_until(199s);
      BOOST_TEST(!world.world.metadata_is_ready(BrokerId{1}, first_partition));
      BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF");
      BOOST_TEST(world.world.segment_count() == 2u);
      BOOST_TEST(world.stored(0) == whole);
      world.run_until(4min);
      BOOST_TEST(world.world.metadata_is_ready(BrokerId{1}, first_partition));
      BOOST_TEST(world.stored(0) == nothing);
      BOOST_TEST(world.hits() == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_consumer_of_a_process_that_dies_before_it_begins_never_does) {
  TestWorld world{one_broker,
                  "0s,1m,consumer-slow-start,broker:1,delay=30s\n10s,10s,crash,broker:1,\n40s,5m,crash,broker:1,\n"};
  world.run_until(6min);
  BOOST_TEST(world.world.metadata_is_ready(BrokerId{1}, first_partition));
  BOOST_TEST(world.hits() == 1u);  // The third process starts after the fault.
}

BOOST_AUTO_TEST_SUITE_END()
