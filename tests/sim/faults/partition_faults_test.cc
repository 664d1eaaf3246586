// What the controller or an operator does to partitions: facts 4.2, 8.2; cases C20 and C29.
#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(partition_faults)

using namespace tests;

constexpr std::string_view nothing = "0 0 0 0";
constexpr std::string_view whole = "1048576 262144 65536 65536";

// C20: the upload is cut at the bytes that had arrived, and the clean-up is skipped because the task is cancelled.
BOOST_AUTO_TEST_CASE(c20_a_move_leaves_a_started_copy_with_the_bytes_that_had_arrived) {
  for (const char* policy : {"kafka-4.0", "kafka-4.3", "kip-dangling"}) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{two_brokers(), "500ms,,leader-move,partition:t-0,\n", {}, policy};
      world.run_until(4min);
      BOOST_TEST(world.leaders() == "0 1/0, 500 2/1");
      BOOST_TEST(world.stored(0) == "471859 0 0 0");  // 450 ms of 1 MiB/s.
      BOOST_TEST(world.transitions(0) == "0 CS");
      BOOST_TEST(world.transitions(2) == "500 CS, 1925 CF");  // The new leader's, of the same range.
      BOOST_TEST(world.world.segment(2).start_offset == world.world.segment(0).start_offset);
      BOOST_TEST(world.hits() == 1u);
    }
  }
}

// Readings 2.10: in 3.6 the move interrupts nothing, and the new leader's task has its next run after the finish.
BOOST_AUTO_TEST_CASE(a_move_lets_an_upload_of_3_6_finish) {
  TestWorld world{two_brokers(), "500ms,,leader-move,partition:t-0,to=2\n", {}, "kafka-3.6"};
  world.run_until(4min);
  BOOST_TEST(world.leaders() == "0 1/0, 500 2/1");
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF");
  BOOST_TEST(world.stored(0) == whole);
  BOOST_TEST(world.world.segment_count() == 2u);
}

BOOST_AUTO_TEST_CASE(a_lead_does_not_move_to_whom_it_cannot) {
  for (const char* plan : {"10s,,leader-move,partition:t-0,to=1\n", "10s,,leader-move,partition:t-0,to=7\n",
                           "5s,,topic-delete,topic:t,\n10s,,leader-move,topic:t,\n",
                           "5s,1m,crash,broker:2,\n10s,,leader-move,partition:t-0,\n"}) {
    TestWorld world{two_brokers(), plan};
    world.run_until(30s);
    BOOST_TEST(world.leaders() == "0 1/0", plan);
    BOOST_TEST(world.world.faults().windows().back().hits == 0u, plan);
  }
}

BOOST_AUTO_TEST_CASE(a_balance_gives_partitions_back_to_their_first_replicas) {
  TestWorld world{two_brokers(), "10s,,leader-move,topic:t,\n20s,,leader-balance,*,\n30s,,leader-balance,topic:t,\n"};
  world.run_until(1min);
  BOOST_TEST(world.leaders() == "0 1/0, 10000 2/1, 20000 1/2");
  BOOST_TEST(world.leaders(PartitionNumber{1}) == "0 2/0, 10000 1/1, 20000 2/2");
  BOOST_TEST(world.hits(1) == 2u);
  BOOST_TEST(world.hits(2) == 0u);  // They lead already.
}

// Facts 6.4: what ends below the log start goes with the next run, and nobody counts it as lost.
BOOST_AUTO_TEST_CASE(deleted_records_take_their_copies_with_them) {
  const char* row = "10s,,delete-records,partition:t-0,\n";
  TestWorld world{one_broker, row};
  world.run_until(1min);
  BOOST_TEST(world.world.log(BrokerId{1}, first_partition).log_start_offset() == 2048_offset);
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF, 15000 DS, 15050 DF");
  BOOST_TEST(world.stored(0) == nothing);
  BOOST_TEST(world.stored(1) == nothing);
  BOOST_TEST(world.hits() == 1u);

  const Scenario scenario = read_world(one_broker, row);
  for (const std::string_view policy : policy_names()) {
    const sim::RunResult result = sim::run_world(scenario, policy_choice(policy, scenario), 1, nullptr);
    BOOST_TEST((result.summary.outcome == sim::Outcome::clean), policy);
    BOOST_TEST(result.summary.over_deleted_bytes == Bytes{0}, policy);
  }
}

BOOST_AUTO_TEST_CASE(records_above_an_offset_stay) {
  TestWorld world{one_broker, "10s,,delete-records,topic:t,before=1024\n"};
  world.run_until(1min);
  BOOST_TEST(world.stored(0) == nothing);
  BOOST_TEST(world.stored(1) == whole);
}

// OffsetOutOfRangeException (facts 8.2).
BOOST_AUTO_TEST_CASE(nothing_above_the_high_watermark_is_deleted) {
  TestWorld world{one_broker, "10s,,delete-records,*,before=5000\n"};
  world.run_until(1min);
  BOOST_TEST(world.stored(0) == whole);
  BOOST_TEST(world.hits() == 0u);
}

BOOST_AUTO_TEST_CASE(followers_learn_of_deleted_records) {
  TestWorld world{two_brokers(), "10s,,delete-records,partition:t-0,\n20s,,leader-move,partition:t-0,\n"};
  world.run_until(1min);
  BOOST_TEST(world.world.log(BrokerId{2}, first_partition).log_start_offset() == 1024_offset);
  BOOST_TEST(world.stored(0) == nothing);
}

BOOST_AUTO_TEST_SUITE_END()
