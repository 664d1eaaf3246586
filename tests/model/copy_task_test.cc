#include "model/copy_task.h"

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::Offset;
using model::PartitionNumber;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};

BOOST_AUTO_TEST_SUITE(copy_task)

// Facts 5.1 step 6, 5.5: all candidates in one run, in offset order.
BOOST_AUTO_TEST_CASE(copies_every_closed_segment_in_one_run) {
  TaskWorld world;
  world.append_segments(2);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0, CS 1, copy 1, CF 1");
  BOOST_TEST(world.runs() == "copy started under 0, copy done");
  BOOST_TEST(world.log().highest_offset_in_remote_storage().value() == 19);
}

// Ledger (readings 3.1): a copy is held from its first publish until the run lets it go.
BOOST_AUTO_TEST_CASE(reports_every_step_while_it_holds_a_copy) {
  TaskWorld world;
  world.append_segments(1);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.steps() == "copy-publish-started 0, copy-upload 0, copy-publish-finished 0, left 0");
}

// Facts 5.3: the active segment is never taken, nor one that reaches above the last stable offset.
BOOST_AUTO_TEST_CASE(copies_nothing_above_the_last_stable_offset) {
  TaskWorld world;
  world.append_segments(1);
  model::UnifiedLog& log = world.log();
  log.append(10, 100_B, world.now());
  log.roll(world.now());
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  log.set_high_watermark(Offset{20});
  world.manager().changed(partition0);
  world.run_for(30s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1");
}

// Facts 5.5 step 1: without epochs the metadata cannot be made, and nothing is published.
BOOST_AUTO_TEST_CASE(a_segment_without_epochs_ends_the_run_before_anything_is_published) {
  TaskWorld world;
  world.append_segments(1);
  world.log().leader_epochs().truncate_from_end(Offset{0});
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "");
  BOOST_TEST(world.runs() == "copy started under 0, copy failed");
}

// Facts 5.5 step 2, 2.1: no upload; the next run draws a new id.
BOOST_AUTO_TEST_CASE(a_failed_first_publish_uploads_nothing) {
  TaskWorld world;
  world.append_segments(2);
  world.answer(Call::started, refused);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0");
  BOOST_TEST(world.steps() == "copy-publish-started 0, left 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy failed");
  world.run_for(30s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1, CS 2, copy 2, CF 2");
}

// Facts 5.5 step 5: unchecked exceptions clean up nothing in any version. kip-dangling-recovery takes over what it
// left.
BOOST_AUTO_TEST_CASE(an_unchecked_error_leaves_the_copy_as_it_is) {
  for (const model::PolicyEntry& policy : model::policies()) {
    if (policy.name == "kip-dangling-recovery") continue;
    BOOST_TEST_CONTEXT(policy.name) {
      TaskWorld world{{.policy = policy.name}};
      world.append_segments(1);
      world.answer(Call::copy, unchecked);
      world.lead();
      world.run_for(1s);
      BOOST_TEST(world.events() == "CS 0, copy 0");
      BOOST_TEST(world.runs() == "copy started under 0, copy failed");
      BOOST_TEST(world.cache().count(copy_segment_started) == 1);
    }
  }
}

// Facts 5.5 step 7: the copied offset stays, so the range is copied twice (F4).
BOOST_AUTO_TEST_CASE(a_failed_last_publish_copies_the_range_again) {
  TaskWorld world;
  world.append_segments(1);
  world.answer(Call::finished, timed_out);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  BOOST_TEST(world.log().highest_offset_in_remote_storage().value() == -1);
  world.run_for(30s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1");
  BOOST_TEST(world.cache().count(copy_segment_finished) == 2);
}

// Facts 5.6: the run ends at the first failed segment, whatever becomes of it.
BOOST_AUTO_TEST_CASE(the_run_ends_at_the_first_failed_copy) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      TaskWorld world{{.policy = policy.name}};
      world.append_segments(3);
      world.answer(Call::copy, ok);
      world.answer(Call::copy, permanent);
      world.lead();
      world.run_for(1s);
      BOOST_TEST(world.events().find("CS 2") == std::string::npos);
      BOOST_TEST(world.log().highest_offset_in_remote_storage().value() == 9);
    }
  }
}

// Facts 5.5, last sentences: nothing asks between the first publish and the last; the interrupt meets the last one's
// wait.
BOOST_AUTO_TEST_CASE(a_cancelled_copy_still_publishes_when_the_upload_returns) {
  TaskWorld world{{.on_interrupt = OnInterrupt::goes_on}};
  world.append_segments(2);
  world.answer(Call::copy, parked);
  world.lead();
  world.run_for(1s);
  world.manager().become_follower(partition0);
  world.release(Call::copy);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy interrupted");
  BOOST_TEST(world.cache().count(copy_segment_finished) == 1);
  BOOST_TEST(world.log().highest_offset_in_remote_storage().value() == -1);
}

// Facts 5.1 step 6: cancelled is looked at between segments.
BOOST_AUTO_TEST_CASE(a_cancelled_task_takes_no_further_segment) {
  TaskWorld world{{.policy = "kafka-3.6"}};
  world.append_segments(2);
  world.answer(Call::finished, parked);
  world.lead();
  world.run_for(1s);
  world.manager().become_follower(partition0);
  world.release(Call::finished);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy cancelled");
}

// Facts 5.1 step 2: once a task the log start becomes the first listed copy's, even a failed one's (F12).
BOOST_AUTO_TEST_CASE(a_new_leader_raises_the_log_start_to_the_first_copy_in_any_state) {
  TaskWorld world;
  world.start_log_at(30);
  world.add_copy(10, 19, copy_segment_started);
  world.add_copy(20, 29, copy_segment_finished);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "raise 10");
  BOOST_TEST(world.log().log_start_offset().value() == 10);
}

// Facts 5.1 step 2: with nothing listed, the local log start.
BOOST_AUTO_TEST_CASE(a_new_leader_with_an_empty_cache_raises_the_log_start_to_the_local_one) {
  TaskWorld world;
  world.start_log_at(30);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "raise 30");
}

// Facts 8.2: a log start above the high watermark is refused, and the whole run with it, every time.
BOOST_AUTO_TEST_CASE(a_log_start_above_the_high_watermark_fails_the_run) {
  TaskWorld world;
  world.append_segments(1);
  world.add_copy(20, 29, copy_segment_finished);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.runs() == "copy started under 0, copy failed");
  world.run_for(30s);
  BOOST_TEST(world.runs() == "copy started under 0, copy failed");
  BOOST_TEST(world.events() == "");
}

// Facts 5.2, KAFKA-15241: capped at the end of the epoch since 3.7; 3.6 takes what is remote as it is.
BOOST_AUTO_TEST_CASE(seeds_the_highest_remote_offset_capped_by_the_epochs_end) {
  for (const auto& [policy, highest] : {std::pair{"kafka-3.6", 29}, std::pair{"kafka-4.0", 19}}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      world.append_segments(2);
      world.log().leader_epochs().assign(model::LeaderEpoch{1}, Offset{20});
      world.add_copy(0, 29, copy_segment_finished);
      world.lead();
      world.run_for(1s);
      BOOST_TEST(world.log().highest_offset_in_remote_storage().value() == highest);
    }
  }
}

// Facts 5.3: a new leader whose segments have other bounds begins below what is remote and uploads an overlap.
BOOST_AUTO_TEST_CASE(the_first_candidate_may_begin_below_what_is_remote) {
  TaskWorld world;
  world.append_segments(2);
  world.add_copy(0, 14, copy_segment_finished);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1");
  BOOST_TEST(world.log().highest_offset_in_remote_storage().value() == 19);
}

// F24, facts 5.5 step 3: the data cannot be put together without the snapshot at the next base offset; one orphan
// without data more with every run, and the segments behind are never reached.
BOOST_AUTO_TEST_CASE(f24_a_lost_producer_snapshot_leaves_an_orphan_with_every_run) {
  for (const model::PolicyEntry& policy : model::policies()) {
    if (policy.name == "kip-dangling-recovery") continue;  // It takes over what it left itself.
    BOOST_TEST_CONTEXT(policy.name) {
      TaskWorld world{{.policy = policy.name}};
      world.append_segments(3);
      world.log().lose_producer_snapshot(Offset{20});
      world.lead();
      world.run_for(1s);
      BOOST_TEST(world.events() == "CS 0, copy 0, CF 0, CS 1");
      BOOST_TEST(world.steps().ends_with("copy-publish-started 1, left 1"));
      world.run_for(60s);
      BOOST_TEST(world.events() == "CS 2, CS 3");
      BOOST_TEST(world.cache().count(copy_segment_started) == 3);
    }
  }
}

// Facts 5.1 step 0, KAFKA-16711: another folder makes the task look again, from 3.8 on.
BOOST_AUTO_TEST_CASE(a_moved_log_folder_makes_the_task_look_again) {
  for (const std::string_view policy : {"kafka-3.6", "kafka-4.0"}) {
    BOOST_TEST_CONTEXT(policy) {
      const bool looks_again = policy == "kafka-4.0";
      TaskWorld world{{.policy = policy}};
      world.start_log_at(20);
      world.add_copy(10, 19, copy_segment_finished);
      world.lead(1h);
      world.run_for(1s);
      BOOST_TEST(world.events() == "raise 10");
      BOOST_TEST(world.runs() != "");
      world.manager().log_dir_moved(partition0);
      world.run_for(30s);
      BOOST_TEST(world.runs().empty() != looks_again);
      // Somebody else copied meanwhile: only a task that looks again knows.
      world.append_segments(2);
      world.add_copy(20, 29, copy_segment_finished);
      world.manager().log_dir_moved(partition0);
      world.run_for(30s);
      BOOST_TEST(world.events() == (looks_again ? "CS 2, copy 2, CF 2" : "CS 2, copy 2, CF 2, CS 3, copy 3, CF 3"));
      BOOST_TEST((world.segments()[2].start_offset == Offset{looks_again ? 30 : 20}));
    }
  }
}

// Facts 4.2 step 5, 4.3, readings 3.3: no copy task, and so no sweep; expiration goes on. 3.6 does not know the key.
BOOST_AUTO_TEST_CASE(a_topic_with_copies_disabled_only_expires) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      TaskWorld world{{.policy = policy.name}};
      world.topic_options().remote_log_copy_disable = true;
      world.topic_options().retention_time = 10min;
      world.append_segments(2);
      world.add_copy(0, 9, copy_segment_finished);
      world.lead();
      world.run_for(9min);
      const bool copies = policy.name == "kafka-3.6";
      BOOST_TEST(world.events() == (copies ? "CS 1, copy 1, CF 1" : ""));
      world.run_for(2min);
      BOOST_TEST(world.events().find("DF 0") != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(copies_can_be_disabled_and_enabled_while_the_task_runs) {
  TaskWorld world;
  world.append_segments(2);
  world.answer(Call::copy, parked);
  world.lead();
  world.run_for(1s);
  world.topic_options().remote_log_copy_disable = true;
  world.manager().stop_copying(partition0);
  world.run_for(10min);
  BOOST_TEST(world.events() == "CS 0, copy 0");
  BOOST_TEST(world.runs().ends_with("copy failed"));
  world.topic_options().remote_log_copy_disable = false;
  world.manager().become_leader(partition0, model::LeaderEpoch{0}, 0s, 0s);
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1, CS 2, copy 2, CF 2");
}

// Facts 4.4 step 2: from 4.0 a run returns silently until the consumer has caught up; before, its first query fails
// (2.7).
BOOST_AUTO_TEST_CASE(does_nothing_until_the_cache_is_initialized) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      TaskWorld world{{.policy = policy.name}};
      world.set_ready(false);
      world.append_segments(1);
      world.lead();
      world.run_for(100s);
      BOOST_TEST(world.events() == "");
      BOOST_TEST(world.runs() == "");
      world.set_ready(true);
      world.run_for(30s);
      BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
    }
  }
}

// Facts 4.4: the gate of 4.0 holds back runs that ask nothing, too; 3.9 goes on from its own copied offset.
BOOST_AUTO_TEST_CASE(only_the_gate_stops_a_task_that_has_seeded_before) {
  for (const auto& [policy, events] : {std::pair{"kafka-3.9", "CS 0, copy 0, CF 0"}, std::pair{"kafka-4.0", ""}}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      world.lead();
      world.run_for(1s);
      world.set_ready(false);
      world.append_segments(1);
      world.run_for(30s);
      BOOST_TEST(world.events() == events);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
