// Topics that are not copied (facts 10.3, 8.3): remote.log.copy.disable, and topics that are not tiered at all.
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

BOOST_AUTO_TEST_SUITE(copy_disable)

using namespace tests;
using namespace sim::literals;

/// A segment of 100 MiB every 100 seconds, kept for ten minutes; two finished copies and one closed segment at first.
CaseWorld producing(std::string_view setting) {
  CaseWorld world;
  world.topic = std::string{setting} + " = true\nretention.ms = 10m\nproduce = 1MiB/s\n";
  world.broker += "log.retention.check.interval.ms = 10s\n";
  world.duration = "1h";
  return world;
}

// No copy and no sweep; what was copied before expires, and local deletion follows the total limits: nothing is lost.
BOOST_AUTO_TEST_CASE(a_topic_with_copies_disabled_only_expires) {
  for (const char* policy : {"kafka-3.9", "kafka-4.0", "kip-dangling"}) {
    BOOST_TEST_CONTEXT(policy) {
      CaseWorld world = producing("remote.log.copy.disable");
      world.topic += "initial.finished = 2\ninitial.local = 1\ninitial.closed = 1\n";
      const CaseRun run = run_case(world, policy);
      BOOST_TEST(run.result.summary.copy_attempts == 0);
      BOOST_TEST(run.states == "DS DF | DS DF");
      BOOST_TEST((run.result.summary.outcome == sim::Outcome::clean), run.result.summary.first_violation);
      BOOST_TEST(run.result.summary.over_deleted_bytes.value() == 0);
      BOOST_TEST(run.log_start.value() > 0);
    }
  }
}

// The key came with 3.9.
BOOST_AUTO_TEST_CASE(kafka_3_6_copies_all_the_same) {
  const CaseRun run = run_case(producing("remote.log.copy.disable"), "kafka-3.6");
  BOOST_TEST(run.result.summary.copy_attempts > 20);
}

BOOST_AUTO_TEST_CASE(a_topic_that_is_not_tiered_is_left_alone) {
  CaseWorld world = producing("remote.storage.enable");
  world.topic.replace(world.topic.find("true"), 4, "false");
  for (const char* policy : {"kafka-3.6", "kafka-4.0"}) {
    BOOST_TEST_CONTEXT(policy) {
      const CaseRun run = run_case(world, policy);
      BOOST_TEST(run.result.summary.store_requests == 0);
      BOOST_TEST(run.result.summary.metadata_records == 0);
      BOOST_TEST((run.result.summary.outcome == sim::Outcome::clean), run.result.summary.first_violation);
      BOOST_TEST(run.log_start.value() > 0);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
