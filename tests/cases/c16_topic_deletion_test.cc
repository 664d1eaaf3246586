// Case C16, worked in readings 5: a topic of 4 partitions with 50 finished copies each is deleted, and the tenth delete
// of each partition fails once. 41 of 50 copies stay for ever under every policy, the recovery's sweep included: nobody
// leads a partition of a deleted topic, so that no task of it is left to try again. Entries say DELETE_SEGMENT_STARTED.
#include <boost/test/unit_test.hpp>

#include "model/policy.h"
#include "tests/support/case_support.h"
#include "tests/support/task_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::ByteClass;

constexpr std::int64_t copy_bytes = std::int64_t{100} << 20;

/// One broker leads all partitions. A copy's delete takes a second for its four objects; the broker deletes one
/// partition after the other, and goes on with the next when one has failed.
CaseWorld deletion_with_failures() {
  CaseWorld world;
  world.topic = "initial.finished = 50\n";
  world.partitions = 4;
  world.store = "latency = 0\ndelete.latency = 250ms\nbandwidth = 0\n";
  // From 60 s on: 50 ms of publishes, nine deletes and the tenth, which fails as it begins.
  world.faults =
      "60s,,topic-delete,topic:orders,\n"
      "69040ms,20ms,delete-fail,store,\n"
      "78090ms,20ms,delete-fail,store,\n"
      "87140ms,20ms,delete-fail,store,\n"
      "96190ms,20ms,delete-fail,store,\n";
  world.duration = "30m";
  return world;
}

std::int64_t at_end(const CaseRun& run, ByteClass byte_class) {
  return run.curve.back().rows.front().totals.of(byte_class).value();
}

void check_leftovers(const CaseRun& run, std::int64_t left) {
  BOOST_TEST((run.result.summary.outcome == sim::Outcome::leak));
  BOOST_TEST(run.result.summary.over_deleted_bytes.value() == 0);
  BOOST_TEST(at_end(run, ByteClass::stuck) == left * copy_bytes);
  BOOST_TEST(run.result.summary.garbage_bytes_never.value() == left * copy_bytes);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(c16)

BOOST_AUTO_TEST_CASE(the_tenth_delete_fails_and_41_of_50_stay_in_every_partition_under_every_policy) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      const CaseRun run = run_case(deletion_with_failures(), policy.name);
      check_leftovers(run, 4 * 41);
      // 50 announcements a partition, whether the bytes went or not, and no DELETE_SEGMENT_FINISHED.
      BOOST_TEST(run.states.find("DF") == std::string::npos);
      BOOST_TEST(run.states.size() == 200 * std::string_view{"DS | "}.size() - std::string_view{" | "}.size());
    }
  }
}

// Variant b: the broker dies during the ninth delete, which the store still carries out; it comes back, and the topic
// is gone.
BOOST_AUTO_TEST_CASE(a_crash_during_the_deletion_leaves_them_as_well) {
  for (const char* policy : {"kafka-4.0", "kafka-4.3", "kip-dangling", "kip-dangling-recovery"}) {
    BOOST_TEST_CONTEXT(policy) {
      CaseWorld world = deletion_with_failures();
      world.partitions = 1;
      world.faults = "60s,,topic-delete,topic:orders,\n68150ms,10s,crash,broker:1,\n";
      check_leftovers(run_case(world, policy), 41);
    }
  }
}

// A publish that fails ends the deletion before its first delete: 49 copies are announced, one is not, all stay, and
// hours of the recovery's intervals bring nothing.
BOOST_AUTO_TEST_CASE(a_failed_publish_leaves_all_copies_under_the_recovery) {
  for (const std::string_view policy : {"kafka-4.0", "kip-dangling", "kip-dangling-recovery"}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      for (int i = 0; i < 50; ++i)
        world.add_copy(10 * i, 10 * i + 9, model::RemoteLogSegmentState::copy_segment_finished);
      world.start_log_at(500);
      world.lead();
      world.run_for(1min);
      world.events();
      world.answer(Call::delete_started, ok);
      world.answer(Call::delete_started, refused);
      world.runs();
      world.manager().stop_partition(model::PartitionNumber{0}, model::RemoteLogManager::Remote::remove);
      world.run_for(24h);
      BOOST_TEST(world.runs() == "partition-deletion started under -1, partition-deletion failed");
      const std::string events = world.events();
      BOOST_TEST(events.starts_with("DS 0, DS 1, DS 2, "));
      BOOST_TEST(events.ends_with(", DS 49"));
      BOOST_TEST(events.find("delete") == std::string::npos);
      BOOST_TEST(world.cache().count(model::RemoteLogSegmentState::delete_segment_started) == 49);
      BOOST_TEST(world.cache().count(model::RemoteLogSegmentState::copy_segment_finished) == 1);
    }
  }
}

// The store may have the record that its caller was refused: announced or not, nobody acts on it.
BOOST_AUTO_TEST_CASE(a_publish_in_doubt_leaves_all_copies_under_the_recovery) {
  TaskWorld world{{.policy = "kip-dangling-recovery"}};
  for (int i = 0; i < 3; ++i) world.add_copy(10 * i, 10 * i + 9, model::RemoteLogSegmentState::copy_segment_finished);
  world.start_log_at(30);
  world.lead();
  world.run_for(1min);
  world.events();
  world.answer(Call::delete_started, timed_out);
  world.manager().stop_partition(model::PartitionNumber{0}, model::RemoteLogManager::Remote::remove);
  world.run_for(24h);
  BOOST_TEST(world.events() == "DS 0, DS 1, DS 2");
  BOOST_TEST(world.cache().count(model::RemoteLogSegmentState::delete_segment_started) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
