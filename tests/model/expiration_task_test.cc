#include "model/expiration_task.h"

#include <utility>

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::Offset;
using model::PartitionNumber;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};

/// Only expiration: `count` due copies of 10 offsets and then a retained one; the first run is at 15 s.
struct DueCopies {
  explicit DueCopies(int count, TaskWorldSettings settings = {}) : world(std::move(settings)) {
    world.start_log_at(10 * count + 10);
    world.topic_options().retention_time = 1s;
    for (int i = 0; i < count; ++i) world.add_copy(10 * i, 10 * i + 9, copy_segment_finished);
    world.add_copy(10 * count, 10 * count + 9, copy_segment_finished, {}, model::time_start + 24h);
    world.manager().become_leader(partition0, model::LeaderEpoch{0}, 24h, 15s);
  }
  void run() { world.run_for(15s); }
  TaskWorld world;
};

BOOST_AUTO_TEST_SUITE(expiration_task)

// Facts 6.1 steps 7 and 8, 6.7: the log start first, then each delete in full.
BOOST_AUTO_TEST_CASE(raises_the_log_start_before_the_first_delete) {
  DueCopies due{2};
  due.run();
  BOOST_TEST(due.world.events() == "raise 20, DS 0, delete 0, DF 0, DS 1, delete 1, DF 1");
  BOOST_TEST(due.world.steps() ==
             "retention-publish-started 0, retention-delete 0, retention-publish-finished 0, left 0, "
             "retention-publish-started 1, retention-delete 1, retention-publish-finished 1, left 1");
  BOOST_TEST(due.world.runs() == "expiration started under 0, expiration done");
}

// Facts 6.7: what each failed step leaves; step 8: the run ends there.
BOOST_AUTO_TEST_CASE(the_run_ends_at_the_first_failed_delete) {
  struct Row {
    Call call;
    Answer answer;
    std::string_view events;
    model::RemoteLogSegmentState left;
  };
  for (const Row& row :
       {Row{Call::delete_started, refused, "raise 20, DS 0", copy_segment_finished},
        Row{Call::delete_started, timed_out, "raise 20, DS 0", delete_segment_started},
        Row{Call::remove, permanent, "raise 20, DS 0, delete 0", delete_segment_started},
        Row{Call::remove, retriable, "raise 20, DS 0, delete 0", delete_segment_started},
        Row{Call::remove, unchecked, "raise 20, DS 0, delete 0", delete_segment_started},
        Row{Call::delete_finished, refused, "raise 20, DS 0, delete 0, DF 0", delete_segment_started}}) {
    DueCopies due{2};
    due.world.answer(row.call, row.answer);
    due.run();
    BOOST_TEST(due.world.events() == row.events);
    BOOST_TEST(due.world.runs() == "expiration started under 0, expiration failed");
    BOOST_TEST(due.world.cache().count(row.left) >= 1);
  }
}

// Facts 6.7 step 4: the record of a failed last publish may have landed; then nothing is retried.
BOOST_AUTO_TEST_CASE(a_last_publish_that_landed_needs_no_retry) {
  DueCopies due{1};
  due.world.answer(Call::delete_finished, timed_out);
  due.run();
  BOOST_TEST(due.world.events() == "raise 10, DS 0, delete 0, DF 0");
  due.world.run_for(300s);
  BOOST_TEST(due.world.events() == "");
}

// Facts 6.8, head-of-line blocking: the head is tried every run, nothing behind it ever is, and the log start goes on.
BOOST_AUTO_TEST_CASE(a_head_that_cannot_be_deleted_blocks_all_behind_it) {
  for (const std::string_view policy : {"kafka-3.9", "kafka-4.0"}) {
    DueCopies due{2, {.policy = policy}};
    due.world.answer_always(Call::remove, permanent);
    due.run();
    due.world.run_for(60s);
    BOOST_TEST(due.world.events() == "raise 20, DS 0, delete 0, DS 0, delete 0, DS 0, delete 0");
    BOOST_TEST(due.world.log().log_start_offset().value() == 20);
  }
}

// Facts 6.1 step 7: above the high watermark the run aborts before any delete.
BOOST_AUTO_TEST_CASE(a_log_start_above_the_high_watermark_aborts_the_run) {
  TaskWorld world;
  world.topic_options().retention_time = 1s;
  world.append_segments(2);
  world.log().append(10, 100_B, world.now());
  world.add_copy(0, 24, copy_segment_finished);
  world.manager().become_leader(partition0, model::LeaderEpoch{0}, 24h, 15s);
  world.run_for(15s);
  BOOST_TEST(world.events() == "");
  BOOST_TEST(world.runs() == "expiration started under 0, expiration failed");
}

// Facts 6.1 step 8: cancelled between two deletes; the delete under way is not asked again (6.7).
BOOST_AUTO_TEST_CASE(a_cancelled_task_finishes_the_delete_under_way_and_begins_no_other) {
  DueCopies due{2, {.on_interrupt = OnInterrupt::goes_on}};
  due.world.answer(Call::remove, parked);
  due.run();
  due.world.manager().become_follower(partition0);
  due.world.release(Call::remove);
  BOOST_TEST(due.world.events() == "raise 20, DS 0, delete 0, DF 0");
  BOOST_TEST(due.world.runs() == "expiration started under 0, expiration interrupted");
}

// The same in 3.6, where losing the leadership interrupts nothing.
BOOST_AUTO_TEST_CASE(in_3_6_a_lost_leadership_ends_the_run_between_two_deletes) {
  TaskWorld world{{.policy = "kafka-3.6"}};
  world.start_log_at(20);
  world.topic_options().retention_time = 1s;
  for (int i = 0; i < 2; ++i) world.add_copy(10 * i, 10 * i + 9, copy_segment_finished, {}, model::time_start - 10s);
  world.answer(Call::remove, parked);
  world.lead();
  world.run_for(1s);
  world.manager().become_follower(partition0);
  world.release(Call::remove);
  BOOST_TEST(world.events() == "raise 20, DS 0, delete 0, DF 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy cancelled");
}

// Facts 6.6: after all else, without touching the log start; a copy of two lost epochs is deleted twice.
BOOST_AUTO_TEST_CASE(removes_what_truncation_of_the_epochs_has_left) {
  TaskWorld world;
  world.append_segments(2);
  world.log().leader_epochs().truncate_from_end(Offset{0});
  world.log().leader_epochs().assign(model::LeaderEpoch{5}, Offset{0});
  world.add_copy(0, 9, copy_segment_finished, epochs({{3, 0}, {4, 5}}), model::time_start + 24h);
  world.manager().become_leader(partition0, model::LeaderEpoch{5}, 24h, 15s);
  world.run_for(15s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0, DS 0, dropped DS 0, delete 0, DF 0, dropped DF 0");
}

// Facts 6.8: chosen twice, deleted twice; the second round meets an id that is gone.
BOOST_AUTO_TEST_CASE(a_started_delete_of_two_epochs_is_deleted_twice) {
  TaskWorld world;
  world.append_segments(1);
  world.log().leader_epochs().assign(model::LeaderEpoch{1}, Offset{10});
  world.append_segments(1);
  world.add_copy(5, 14, delete_segment_started, epochs({{0, 5}, {1, 10}}));
  world.manager().become_leader(partition0, model::LeaderEpoch{1}, 24h, 15s);
  world.run_for(15s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0, DS 0, dropped DS 0, delete 0, DF 0, dropped DF 0");
}

/// A due copy and, below the earliest epoch 5, what truncation has left; the leadership goes while the due one is being
/// deleted, and the plug-in forgets the interrupt.
struct CancelledBeforeTruncation {
  explicit CancelledBeforeTruncation(std::string_view policy)
      : world({.policy = policy, .thread_count = 1, .on_interrupt = OnInterrupt::swallows}) {
    world.append_segments(2);
    world.log().update_highest_offset_in_remote_storage(Offset{19});
    world.topic_options().retention_time = 1s;
    world.log().leader_epochs().truncate_from_end(Offset{0});
    world.log().leader_epochs().assign(model::LeaderEpoch{5}, Offset{0});
    world.add_copy(0, 9, copy_segment_finished, epochs({{5, 0}}), model::time_start - 10s);
    // Straddles the earliest epoch: listed, though it is never deleted here.
    world.add_copy(10, 19, copy_segment_finished, epochs({{4, 10}, {5, 15}}), model::time_start + 24h);
    world.answer(Call::remove, parked);
    world.lead(0s);
    world.run_for(1s);
    world.manager().become_follower(partition0);
    world.release(Call::remove);
  }
  TaskWorld world;
};

// Facts 6.6, F14: the listing takes an element only while it is not cancelled and ends only when it has taken all.
BOOST_AUTO_TEST_CASE(f14_a_run_cancelled_before_it_lists_truncated_epochs_keeps_its_thread_for_ever) {
  for (const std::string_view policy : {"kafka-3.9", "kafka-4.0", "kafka-4.2", "kafka-4.3", "kip-dangling"}) {
    BOOST_TEST_CONTEXT(policy) {
      CancelledBeforeTruncation cancelled{policy};
      TaskWorld& world = cancelled.world;
      BOOST_TEST(world.events() == "raise 10, DS 0, delete 0, DF 0");
      BOOST_TEST(world.branches() == "truncation-spins");
      world.run_for(300s);
      BOOST_TEST(world.manager().active_runs() == 1);
      BOOST_TEST(world.runs().find("expiration done") == std::string::npos);
      // The pool's one thread is gone: the next leadership copies, and never expires.
      world.manager().become_leader(partition0, model::LeaderEpoch{6}, 0s, 0s);
      world.run_for(300s);
      BOOST_TEST(world.runs().find("expiration") == std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(f14_in_3_6_the_run_returns) {
  CancelledBeforeTruncation cancelled{"kafka-3.6"};
  BOOST_TEST(cancelled.world.branches() == "");
  BOOST_TEST(cancelled.world.runs() == "copy started under 0, copy cancelled");
  BOOST_TEST(cancelled.world.manager().active_runs() == 0);
}

// Facts 6.1 steps 2 and 4: with KAFKA-20732 a run seeds after it has seen copies; the highest offset of deleted ones
// does not count yet.
BOOST_AUTO_TEST_CASE(nothing_is_seeded_while_no_copy_is_listed) {
  TaskWorld world{{.policy = "kafka-4.3-seeding"}};
  world.append_segments(2);
  const model::RemoteLogSegment& gone = world.add_copy(0, 9, copy_segment_finished);
  for (const auto state : {delete_segment_started, delete_segment_finished}) {
    world.cache().handle({&gone, model::time_start, state, model::BrokerId{2}, 0});
  }
  world.manager().become_leader(partition0, model::LeaderEpoch{0}, 24h, 15s);
  world.run_for(20s);
  BOOST_TEST(world.log().highest_offset_in_remote_storage().value() == -1);
  world.add_copy(10, 19, copy_segment_finished);
  world.manager().changed(partition0);
  world.run_for(30s);
  BOOST_TEST(world.log().highest_offset_in_remote_storage().value() == 19);
}

// Facts 6.3: retention of a century makes every run of 3.6 fail, size retention included; 3.9.2 has KAFKA-17995 too
// (conformance script retention-time-behind-1970).
BOOST_AUTO_TEST_CASE(retention_behind_1970_fails_every_run_of_3_6) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      DueCopies due{1, {.policy = policy.name}};
      due.world.topic_options().retention_time = 100 * 366 * 24h;
      due.world.topic_options().retention_bytes = 100_B;
      due.world.log().update_highest_offset_in_remote_storage(Offset{19});
      due.world.manager().stop_partition(partition0);
      due.world.lead();
      due.run();
      due.world.run_for(30s);
      const bool fails = policy.name == "kafka-3.6";
      BOOST_TEST(due.world.events() == (fails ? "" : "raise 10, DS 0, delete 0, DF 0"));
      const std::string runs = due.world.runs();
      BOOST_TEST((runs.find(" failed") != std::string::npos) == fails, runs);
    }
  }
}

// Facts 2.7, 4.4: nothing is listed before the cache is initialized.
BOOST_AUTO_TEST_CASE(waits_until_the_cache_is_initialized) {
  for (const std::string_view policy : {"kafka-3.9", "kafka-4.0"}) {
    DueCopies due{1, {.policy = policy}};
    due.world.set_ready(false);
    due.run();
    BOOST_TEST(due.world.runs() == "");
    due.world.set_ready(true);
    due.world.run_for(30s);
    BOOST_TEST(due.world.events() == "raise 10, DS 0, delete 0, DF 0");
  }
}

// Facts 6.1 step 6b, F26: the set protects a copy until copyLogSegment returns, and no longer.
BOOST_AUTO_TEST_CASE(a_copy_in_flight_is_protected_until_its_copy_task_lets_it_go) {
  TaskWorld world;
  world.topic_options().retention_time = 1s;
  world.append_segments(1);
  world.run_for(10s);
  world.answer(Call::copy, parked);
  world.lead(5s);
  world.run_for(6s);
  BOOST_TEST(world.events() == "CS 0, copy 0");
  world.release(Call::copy, unchecked);
  world.run_for(30s);
  // The failed copy was due, and the log start is behind a segment that was never copied (F10).
  BOOST_TEST(world.events() == "raise 10, DS 0, delete 0, DF 0");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
