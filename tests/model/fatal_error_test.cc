// F15, facts 4.4: nothing catches an Error, and the scheduler never runs the task again.

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::LeaderEpoch;
using model::PartitionNumber;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};

BOOST_AUTO_TEST_SUITE(f15_fatal_errors)

// F1 as well: the entry stays COPY_SEGMENT_STARTED, with whatever data the upload left.
BOOST_AUTO_TEST_CASE(an_error_from_an_upload_ends_the_copy_task_in_every_version) {
  for (const model::PolicyEntry& policy : model::policies()) {
    for (const bool elided : {true, false}) {
      BOOST_TEST_CONTEXT(policy.name << (elided ? "" : ", with idle ticks")) {
        TaskWorld world{{.policy = policy.name, .elide_idle_ticks = elided}};
        world.append_segments(1);
        world.answer(Call::copy, fatal);
        world.lead();
        world.run_for(1s);
        BOOST_TEST(world.events() == "CS 0, copy 0");
        BOOST_TEST(world.runs() == "copy started under 0, copy fatal");
        BOOST_TEST(world.manager().active_runs() == 0);
        world.append_segments(1);
        world.run_for(1h);
        BOOST_TEST(world.events() == "");
        BOOST_TEST(!world.has_tick(model::TaskKind::copy));
      }
    }
  }
}

// "Create if absent" finds the dead one: the same leader under another epoch brings nothing back.
BOOST_AUTO_TEST_CASE(leading_on_does_not_bring_the_task_back) {
  TaskWorld world;
  world.append_segments(1);
  world.answer(Call::copy, fatal);
  world.lead();
  world.run_for(1s);
  world.events();
  world.manager().become_leader(partition0, LeaderEpoch{1}, 0s, 0s);
  world.run_for(1h);
  BOOST_TEST(world.events() == "");
}

// 3.9 and later make a new task after a change of leaders; 3.6 keeps its one task, and so the dead one, until the
// partition is stopped.
BOOST_AUTO_TEST_CASE(a_change_of_leaders_brings_it_back_except_in_3_6) {
  for (const auto& [policy, events] :
       {std::pair{"kafka-3.6", ""}, std::pair{"kafka-3.9", "CS 1, copy 1, CF 1"},
        std::pair{"kafka-4.0", "CS 1, copy 1, CF 1"}, std::pair{"kip-dangling", "CS 1, copy 1, CF 1"}}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      world.append_segments(1);
      world.answer(Call::copy, fatal);
      world.lead();
      world.run_for(1s);
      world.events();
      world.manager().become_follower(partition0);
      world.manager().become_leader(partition0, LeaderEpoch{2}, 0s, 15s);
      world.run_for(1min);
      BOOST_TEST(world.events() == events);
      world.manager().stop_partition(partition0);
      world.append_segments(1);
      world.manager().become_leader(partition0, LeaderEpoch{3}, 0s, 15s);
      world.run_for(1min);
      BOOST_TEST(world.events() != "");
    }
  }
}

// The expiration task has a schedule of its own, except in 3.6.
BOOST_AUTO_TEST_CASE(the_other_task_goes_on_where_there_is_one) {
  for (const auto& [policy, events] : {std::pair{"kafka-3.6", ""}, std::pair{"kafka-4.0", "DS 0, delete 0, DF 0"}}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      world.topic_options().retention_time = 10min;
      world.append_segments(1);
      world.lead();
      world.run_for(1min);
      world.append_segments(1);
      world.answer(Call::copy, fatal);
      world.run_for(1min);
      BOOST_TEST(world.events() == "CS 0, copy 0, CF 0, CS 1, copy 1");
      world.topic_options().retention_time = 90s;
      world.manager().changed(partition0);
      world.run_for(20s);
      std::string happened = world.events();
      if (happened.starts_with("raise 10, ")) happened = happened.substr(10);
      BOOST_TEST(happened == events);
    }
  }
}

// From the delete of a clean-up, which then replaces the copy's own error.
BOOST_AUTO_TEST_CASE(an_error_from_a_clean_up_ends_the_copy_task) {
  for (const auto& [policy, events] :
       {std::pair{"kafka-3.9", "CS 0, copy 0, delete 0"}, std::pair{"kafka-4.0", "CS 0, copy 0, DS 0, delete 0"},
        std::pair{"kip-dangling", "CS 0, copy 0, DANGLING 0, DS 0, delete 0"}}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      world.append_segments(1);
      world.answer_always(Call::copy, permanent);
      world.answer(Call::remove, fatal);
      world.lead(2h);
      world.run_for(1h);
      BOOST_TEST(world.events() == events);
      BOOST_TEST(world.runs() == "copy started under 0, copy fatal");
    }
  }
}

// 3.6 deletes only what has too large custom metadata; the flag is never set then, the task is dead all the same.
BOOST_AUTO_TEST_CASE(an_error_from_the_delete_of_oversized_custom_metadata_ends_the_copy_task) {
  for (const char* policy : {"kafka-3.6", "kafka-3.9", "kafka-4.0"}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      world.append_segments(1);
      world.answer(Call::copy, oversized);
      world.answer(Call::remove, fatal);
      world.lead(2h);
      world.run_for(1h);
      BOOST_TEST(world.runs() == "copy started under 0, copy fatal");
    }
  }
}

BOOST_AUTO_TEST_CASE(an_error_from_a_retention_delete_ends_the_expiration_task) {
  for (const model::PolicyEntry& policy : model::policies()) {
    if (policy.name == "kip-dangling-recovery") continue;  // Its copy task ends what the dead task began.
    BOOST_TEST_CONTEXT(policy.name) {
      TaskWorld world{{.policy = policy.name}};
      world.topic_options().retention_time = 1min;
      world.append_segments(1);
      world.lead();
      world.run_for(31s);
      BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
      world.answer(Call::remove, fatal);
      world.run_for(1h);
      BOOST_TEST(world.events() == "raise 10, DS 0, delete 0");
      BOOST_TEST(world.runs().ends_with(" fatal"));
      BOOST_TEST(world.cache().count(delete_segment_started) == 1);
    }
  }
}

// 3.6's expiration follows a failed copy in the same run; an Error of it counts all the same.
BOOST_AUTO_TEST_CASE(in_3_6_an_error_after_a_failed_copy_ends_the_task) {
  TaskWorld world{{.policy = "kafka-3.6"}};
  world.topic_options().retention_time = 10s;
  world.append_segments(1);
  world.run_for(20s);
  world.answer(Call::copy, permanent);
  world.answer(Call::remove, fatal);
  world.lead();
  world.run_for(1h);
  BOOST_TEST(world.events() == "CS 0, copy 0, raise 10, DS 0, delete 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy fatal");
}

// Facts 3.2: a metadata manager that failed to initialise throws FatalExitError from every call.
BOOST_AUTO_TEST_CASE(an_error_from_a_publish_ends_the_task) {
  TaskWorld world;
  world.append_segments(1);
  world.answer(Call::started, {.metadata_error = model::MetadataError::fatal, .is_stored = false});
  world.lead();
  world.run_for(1h);
  BOOST_TEST(world.events() == "CS 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy fatal");
}

// Facts 3.2: its tasks die with their first call; from 4.0 on their gate keeps them from calling, and they idle for as
// long as the process lives (in 4.2 and later that is no longer).
BOOST_AUTO_TEST_CASE(a_manager_that_could_not_be_initialized_ends_tasks_by_version) {
  for (const auto& [policy, runs] :
       {std::pair{"kafka-3.6", "copy started under 0, copy fatal"},
        std::pair{"kafka-3.9", "copy started under 0, copy fatal, expiration started under 0, expiration fatal"},
        std::pair{"kafka-4.0", ""}, std::pair{"kip-dangling", ""}}) {
    for (const bool elided : {true, false}) {
      BOOST_TEST_CONTEXT(policy << (elided ? "" : ", with idle ticks")) {
        TaskWorld world{{.policy = policy, .elide_idle_ticks = elided}};
        world.set_manager_state(model::ManagerState::failed);
        world.append_segments(1);
        world.lead();
        world.run_for(1h);
        BOOST_TEST(world.events() == "");
        BOOST_TEST(world.runs() == runs);
        world.manager().become_follower(partition0);
        world.run_for(1h);
        // 3.6 keeps its one task, and so the dead one; 3.9's new follower task dies too.
        BOOST_TEST(world.runs() ==
                   (std::string_view{policy} == "kafka-3.9" ? "follower started under -1, follower fatal" : ""));
      }
    }
  }
}

// Until it is initialized its calls throw an IllegalStateException: a failed run, which counts as an error of a copy.
BOOST_AUTO_TEST_CASE(a_manager_that_is_not_initialized_yet_fails_every_run_before_4_0) {
  for (const std::string_view policy : {"kafka-3.6", "kafka-3.9", "kafka-4.0"}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      world.set_manager_state(model::ManagerState::initializing);
      world.append_segments(1);
      world.lead();
      world.run_for(40s);
      BOOST_TEST(world.events() == "");
      const bool is_gated = policy == "kafka-4.0";
      BOOST_TEST(world.metric(model::Metric::remote_copy_errors_per_sec) == (is_gated ? 0 : 2));
      world.set_manager_state(model::ManagerState::initialized);
      world.manager().changed(partition0);
      world.run_for(30s);
      BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
    }
  }
}

// The deletion of a topic has no gate in any version.
BOOST_AUTO_TEST_CASE(a_manager_that_could_not_be_initialized_ends_a_deletion) {
  for (const std::string_view policy : {"kafka-3.9", "kafka-4.0"}) {
    TaskWorld world{{.policy = policy}};
    world.set_manager_state(model::ManagerState::failed);
    world.add_copy(0, 9, copy_segment_finished);
    world.lead();
    world.run_for(1min);
    world.runs();
    world.manager().stop_partition(partition0, model::RemoteLogManager::Remote::remove);
    world.run_for(1s);
    BOOST_TEST(world.runs() == "partition-deletion started under -1, partition-deletion fatal");
    BOOST_TEST(world.events() == "");
  }
}

// The thread of a dead task's run is free for others.
BOOST_AUTO_TEST_CASE(a_dead_tasks_thread_serves_the_next_run) {
  TaskWorld world{{.partition_count = 2, .thread_count = 1, .call_time = 1s}};
  for (std::uint32_t i = 0; i < 2; ++i) world.append_segments(1, PartitionNumber{i});
  world.answer(Call::copy, fatal);
  world.lead();
  world.run_for(20s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CS 1, copy 1, CF 1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
