#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(cluster)

using namespace tests;

/// One partition that begins empty and is written to; `more` are keys of its topic.
TestWorld producing(const std::string& more, std::int32_t brokers = 1, std::string_view plan = {}) {
  return TestWorld{
      fmt::format("[scenario]\nduration = 2h\n[cluster]\nbrokers = {}\n[topic.t]\npartitions = 1\n{}", brokers, more),
      plan};
}

BOOST_AUTO_TEST_CASE(a_segment_closes_when_the_first_record_that_does_not_fit_arrives) {
  TestWorld world = producing("segment.bytes = 10KiB\nproduce = 1KiB/s\n");
  world.run_until(10'999ms);
  BOOST_TEST(world.rolls() == "");
  world.run_until(31s);
  BOOST_TEST(world.rolls() == "11000 0-10 10240, 21000 10-20 10240, 31000 20-30 10240");
  BOOST_TEST(world.log_end() == 31);
}

// Facts 8.3: the clock is ahead, so that the active segment is as old as local retention allows. It is told like any
// other roll, and the next segment begins there and is full 1,024 records later.
BOOST_AUTO_TEST_CASE(local_retention_rolls_the_active_segment) {
  const std::vector<std::string> sets{"topic.t.produce=16KiB/s", "topic.t.local.retention.ms=1m"};
  TestWorld world{one_broker, "10s,,clock-jump,*,by=10m;direction=ahead\n", sets};
  world.run_until(100s);
  BOOST_TEST(world.rolls() == "30000 2048-2528 491520, 94062.500 2528-3552 1048576");
  // The oldest version rolls it only to keep something when all else goes, and this one is not copied yet.
  TestWorld old{one_broker, "10s,,clock-jump,*,by=10m;direction=ahead\n", sets, "kafka-3.6"};
  old.run_until(100s);
  BOOST_TEST(old.rolls() == "64062.500 2048-3072 1048576");
}

BOOST_AUTO_TEST_CASE(arrivals_are_rounded_up_to_a_microsecond) {
  TestWorld world = producing("segment.bytes = 10KiB\nproduce = 3KiB/s\n");
  world.run_until(11s);
  // Records 11, 21 and 31 arrive at 3.66666..., 7 and 10.33333... seconds.
  const auto rolls = world.all<sim::SegmentRolled>();
  BOOST_REQUIRE(rolls.size() == 3u);
  BOOST_TEST(rolls[0].time == SimTime{3'666'667us});
  BOOST_TEST(rolls[1].time == SimTime{7s});
  BOOST_TEST(rolls[2].time == SimTime{10'333'334us});
  BOOST_TEST(rolls[2].event.base_offset == 20_offset);
  BOOST_TEST(rolls[2].event.next_offset == 30_offset);
}

BOOST_AUTO_TEST_CASE(a_segment_keeps_only_whole_records) {
  TestWorld world = producing("segment.bytes = 10000\nrecord.bytes = 3000B\nproduce = 1000B/s\n");
  world.run_until(22s);
  BOOST_TEST(world.rolls() == "12000 0-3 9000, 21000 3-6 9000");
}

BOOST_AUTO_TEST_CASE(a_record_larger_than_a_segment_is_a_segment) {
  TestWorld world = producing("segment.bytes = 1000\nrecord.bytes = 3000B\nproduce = 1000B/s\n");
  world.run_until(9s);
  BOOST_TEST(world.rolls() == "6000 0-1 3000, 9000 1-2 3000");
}

BOOST_AUTO_TEST_CASE(no_segment_outgrows_its_size_when_several_records_arrive_in_a_microsecond) {
  TestWorld world = producing("segment.bytes = 1MiB\nrecord.bytes = 10B\nproduce = 100MiB/s\n");
  world.run_until(50ms);
  const auto rolls = world.all<sim::SegmentRolled>();
  BOOST_REQUIRE(rolls.size() == 5u);
  Offset next{0};
  for (const auto& [time, roll] : rolls) {
    BOOST_TEST(roll.base_offset == next);
    BOOST_TEST(roll.size == Bytes{1'048'570});  // 104,857 records.
    next = roll.next_offset;
  }
}

BOOST_AUTO_TEST_CASE(the_log_end_between_rolls_counts_every_record_that_has_arrived) {
  TestWorld world = producing("segment.bytes = 10KiB\nproduce = 1KiB/s\n");
  const std::vector<std::pair<Duration, std::int64_t>> ends = {{999ms, 0},     {1s, 1},   {5'500ms, 5},  {10s, 10},
                                                               {10'999ms, 10}, {11s, 11}, {25'001ms, 25}};
  for (const auto& [time, end] : ends) {
    world.run_until(time);
    BOOST_TEST(world.log_end() == end);
  }
}

BOOST_AUTO_TEST_CASE(to_look_at_a_log_does_not_change_it) {
  TestWorld seen = producing("segment.bytes = 10KiB\nproduce = 3KiB/s\n");
  TestWorld unseen = producing("segment.bytes = 10KiB\nproduce = 3KiB/s\n");
  for (int i = 1; i <= 1'000; ++i) {
    seen.run_until(i * 61ms);
    (void)seen.log_end();
  }
  unseen.run_until(61s);
  BOOST_TEST(seen.rolls() == unseen.rolls());
  BOOST_TEST(seen.log_end() == unseen.log_end());
  BOOST_TEST(seen.log_end() == 183);
}

BOOST_AUTO_TEST_CASE(a_segment_that_is_too_old_closes_with_the_next_record) {
  TestWorld world = producing("segment.ms = 5000\nproduce = 1KiB/s\n");
  world.run_until(20s);
  // The first record is of second 1; that of second 6 is exactly as old as allowed, that of second 7 begins a segment.
  BOOST_TEST(world.rolls() == "7000 0-6 6144, 13000 6-12 6144, 19000 12-18 6144");
}

BOOST_AUTO_TEST_CASE(a_slow_producer_gives_every_record_a_segment_of_its_own) {
  TestWorld world = producing("segment.ms = 5000\nproduce = 100B/s\n");
  world.run_until(35s);
  BOOST_TEST(world.rolls() == "20480 0-1 1024, 30720 1-2 1024");
}

BOOST_AUTO_TEST_CASE(an_old_active_segment_closes_with_the_first_record) {
  TestWorld world = producing("segment.ms = 60000\nproduce = 1KiB/s\ninitial.active = 5KiB\ninitial.age = 1h\n");
  world.run_until(30s);
  BOOST_TEST(world.rolls() == "1000 0-5 5120");
}

BOOST_AUTO_TEST_CASE(a_young_active_segment_takes_records_until_it_is_old) {
  TestWorld world = producing("segment.ms = 60000\nproduce = 1KiB/s\ninitial.active = 5KiB\ninitial.age = 50s\n");
  world.run_until(30s);
  BOOST_TEST(world.rolls() == "11000 0-15 15360");
}

BOOST_AUTO_TEST_CASE(an_active_segment_beyond_its_size_closes_with_the_first_record) {
  TestWorld world = producing("segment.bytes = 10KiB\nproduce = 1KiB/s\ninitial.active = 20KiB\n");
  world.run_until(2s);
  BOOST_TEST(world.rolls() == "1000 0-20 20480");
}

BOOST_AUTO_TEST_CASE(production_pauses_without_a_leader) {
  TestWorld world = producing("produce = 1KiB/s\n", 1, "10500ms,10s,crash,broker:1,\n");
  world.run_until(20s);
  BOOST_TEST(world.log_end() == 10);
  world.run_until(21'499ms);
  BOOST_TEST(world.log_end() == 10);  // A record takes a second from 20.5 s on.
  world.run_until(21'500ms);
  BOOST_TEST(world.log_end() == 11);
  BOOST_TEST(world.leaders() == "0 1/0, 10500 0/0, 20500 1/1");
  BOOST_TEST(world.epochs(BrokerId{1}) == "0=0 1=10");
}

BOOST_AUTO_TEST_CASE(the_next_replica_leads_after_the_failover_and_the_preferred_one_again_at_the_rebalance) {
  TestWorld world = producing("produce = 1KiB/s\n", 3, "10500ms,60s,crash,broker:1,\n");
  world.run_until(301s);
  BOOST_TEST(world.leaders() == "0 1/0, 10500 0/0, 19500 2/1, 300000 1/2");
  for (std::int32_t b = 1; b <= 3; ++b) {
    // Ten records before the crash, 280 by broker 2, the first of the third epoch at 301 s.
    BOOST_TEST(world.epochs(BrokerId{b}) == "0=0 1=10 2=290");
    BOOST_TEST(world.log_end(BrokerId{b}) == 291);
  }
}

BOOST_AUTO_TEST_CASE(a_follower_that_was_down_has_what_it_missed_once_it_is_back) {
  TestWorld world = producing("segment.bytes = 10KiB\nproduce = 1KiB/s\n", 3, "10500ms,60s,crash,broker:3,\n");
  world.run_until(70s);
  BOOST_TEST(world.log_end(BrokerId{3}) == 10);
  BOOST_TEST(world.log_end(BrokerId{2}) == 70);
  world.run_until(71s);
  BOOST_TEST(world.log_end(BrokerId{3}) == 71);
  BOOST_TEST(world.world.log(BrokerId{3}, first_partition).segments().size() ==
             world.world.log(BrokerId{1}, first_partition).segments().size());
}

BOOST_AUTO_TEST_CASE(a_follower_that_is_cut_off_stands_still_and_cannot_lead) {
  TestWorld world =
      producing("produce = 1KiB/s\n", 2, "10500ms,60s,partition,broker:1>broker:2,\n20500ms,60s,crash,broker:1,\n");
  world.run_until(60s);
  BOOST_TEST(world.log_end(BrokerId{2}) == 10);
  BOOST_TEST(world.leaders() == "0 1/0, 20500 0/0");  // The only one in sync is down.
  world.run_until(90'500ms);
  BOOST_TEST(world.leaders() == "0 1/0, 20500 0/0, 80500 1/1");
  BOOST_TEST(world.log_end(BrokerId{2}) == 30);
}

BOOST_AUTO_TEST_CASE(a_failover_takes_its_time_whatever_crashed_before) {
  Scenario scenario =
      read_world("[scenario]\nduration = 2h\n[cluster]\nbrokers = 3\n[topic.t]\npartitions = 3\nproduce = 1KiB/s\n",
                 "10s,2m,crash,broker:1,\n15s,2m,crash,broker:2,\n");
  TestWorld world{std::move(scenario), "kafka-4.0"};
  world.run_until(60s);
  BOOST_TEST(world.leaders(PartitionNumber{0}) == "0 1/0, 10000 0/0, 19000 3/1");
  BOOST_TEST(world.leaders(PartitionNumber{1}) == "0 2/0, 15000 0/0, 24000 3/1");
}

BOOST_AUTO_TEST_CASE(a_broker_that_starts_does_not_shorten_the_failover_of_another) {
  Scenario scenario =
      read_world("[scenario]\nduration = 2h\n[cluster]\nbrokers = 3\n[topic.t]\npartitions = 3\nproduce = 1KiB/s\n",
                 "10s,20s,crash,broker:1,\n25s,2m,crash,broker:2,\n");
  TestWorld world{std::move(scenario), "kafka-4.0"};
  world.run_until(60s);
  BOOST_TEST(world.leaders(PartitionNumber{1}) == "0 2/0, 25000 0/0, 34000 3/1");
}

BOOST_AUTO_TEST_CASE(a_leader_that_is_back_before_the_failover_lets_another_lead_at_once) {
  TestWorld world = producing("produce = 1KiB/s\n", 3, "10500ms,4s,crash,broker:1,\n");
  world.run_until(20s);
  BOOST_TEST(world.leaders() == "0 1/0, 10500 0/0, 14500 2/1");
  BOOST_TEST(world.log_end(BrokerId{1}) == 15);  // Nothing arrived while nobody led.
}

BOOST_AUTO_TEST_SUITE_END()
