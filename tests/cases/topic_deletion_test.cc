// Deleted topics as whole worlds (F18, F19, facts 4.3, readings 1): what is left, in which class, and that none of it
// counts as lost.
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::ByteClass;
using sim::Remover;

constexpr const char* policies[] = {"kafka-3.6", "kafka-3.9", "kafka-4.0", "kip-dangling"};

/// Three finished copies of 100 MiB; the topic is deleted after a minute.
CaseWorld deletion(std::string_view more_faults) {
  CaseWorld world;
  world.topic = "initial.finished = 3\n";
  world.faults = "1m,,topic-delete,topic:orders,\n" + std::string{more_faults};
  return world;
}

sim::Bytes at_end(const CaseRun& run, ByteClass byte_class) {
  return run.curve.back().rows.front().totals.of(byte_class);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(topic_deletion)

BOOST_AUTO_TEST_CASE(a_deletion_that_works_leaves_and_loses_nothing) {
  for (const char* policy : policies) {
    BOOST_TEST_CONTEXT(policy) {
      const CaseRun run = run_case(deletion(""), policy);
      BOOST_TEST(run.states == "DS DF | DS DF | DS DF");
      BOOST_TEST((run.result.summary.outcome == sim::Outcome::clean));
      BOOST_TEST(run.result.summary.over_deleted_bytes.value() == 0);
      BOOST_TEST(run.result.summary.peak_garbage_bytes.value() == 0);
      BOOST_TEST(run.curve.back().rows.front().totals.stored().value() == 0);
    }
  }
}

// F18: the first delete that fails ends it; nobody will ever remove what is left, in any version.
BOOST_AUTO_TEST_CASE(f18_a_failed_delete_leaves_everything_for_ever) {
  for (const char* policy : policies) {
    BOOST_TEST_CONTEXT(policy) {
      const CaseRun run = run_case(deletion("30s,2m,delete-fail,store,\n"), policy);
      BOOST_TEST(run.states == "DS | DS | DS");
      BOOST_TEST((run.result.summary.outcome == sim::Outcome::leak));
      BOOST_TEST(run.result.summary.over_deleted_bytes.value() == 0);
      BOOST_TEST(at_end(run, ByteClass::stuck).value() == (300_MiB).value());
      BOOST_TEST(run.result.summary.garbage_bytes_never.value() == (300_MiB).value());
      BOOST_REQUIRE(run.result.leftovers.size() == 3u);
      for (const sim::Leftover& leftover : run.result.leftovers) {
        BOOST_TEST((leftover.due_by == Remover::none));
        BOOST_TEST(!leftover.due.has_value());
        BOOST_TEST((leftover.step == sim::TaskStep::topic_deletion_delete ||
                    leftover.step == sim::TaskStep::topic_deletion_publish_started));
      }
    }
  }
}

// F18: without a leader nobody deletes. Finished copies that nobody may read are expired: waste, and no loss.
BOOST_AUTO_TEST_CASE(f18_without_a_leader_finished_copies_are_expired_for_ever) {
  for (const char* policy : policies) {
    BOOST_TEST_CONTEXT(policy) {
      const CaseRun run = run_case(deletion("50s,2m,crash,broker:1,\n"), policy);
      BOOST_TEST(run.states == "");
      BOOST_TEST(at_end(run, ByteClass::expired).value() == (300_MiB).value());
      BOOST_TEST(run.garbage_end().value() == 0);
      BOOST_TEST(run.result.summary.over_deleted_bytes.value() == 0);
    }
  }
}

// F19: the upload of 10 s ends 5 s after its removal; no entry names its bytes.
BOOST_AUTO_TEST_CASE(f19_an_upload_in_flight_becomes_an_orphan) {
  for (const char* policy : policies) {
    BOOST_TEST_CONTEXT(policy) {
      CaseWorld world;
      world.topic = "initial.closed = 1\n";
      world.store = "latency = 0\ndelete.latency = 0\nbandwidth = 10MiB/s\n";
      world.client += "interrupt = ignore\n";
      world.faults = "5s,,topic-delete,topic:orders,\n";
      const CaseRun run = run_case(world, policy);
      BOOST_TEST(run.states == "CS DS DF");
      BOOST_TEST(run.result.summary.orphan_bytes_end.value() == (100_MiB).value());
      BOOST_TEST(run.result.summary.garbage_bytes_never.value() == (100_MiB).value());
      BOOST_TEST(run.result.summary.over_deleted_bytes.value() == 0);
    }
  }
}

// What a failure had left before goes as well: by the deletion.
BOOST_AUTO_TEST_CASE(an_older_leftover_is_reclaimed_by_the_deletion) {
  CaseWorld world = deletion("0s,30s,copy-fail,store,stored=all\n");
  world.topic = "initial.finished = 1\ninitial.closed = 1\n";
  const CaseRun run = run_case(world, "kafka-3.6");
  BOOST_REQUIRE(run.result.leftovers.size() == 1u);
  BOOST_TEST((run.result.leftovers[0].reclaimed_by == Remover::topic_deletion));
  BOOST_TEST(run.garbage_end().value() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
