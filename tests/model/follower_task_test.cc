#include "model/follower_task.h"

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::LeaderEpoch;
using model::Offset;
using model::PartitionNumber;
using model::TaskKind;
using model::time_start;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};

std::int64_t highest(TaskWorld& world) { return world.log().highest_offset_in_remote_storage().value(); }

BOOST_AUTO_TEST_SUITE(follower_task)

// Facts 8.6: each interval the highest remote offset follows the cache; nothing else happens.
BOOST_AUTO_TEST_CASE(keeps_the_highest_remote_offset_up_to_date) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      TaskWorld world{{.policy = policy.name}};
      world.append_segments(3);
      world.add_copy(0, 9, copy_segment_finished);
      world.manager().become_follower(partition0);
      world.run_for(1s);
      BOOST_TEST(highest(world) == 9);
      world.add_copy(10, 19, copy_segment_finished);
      world.manager().changed(partition0);
      world.run_until(time_start + 29s);
      BOOST_TEST(highest(world) == 9);
      world.run_until(time_start + 30s);
      BOOST_TEST(highest(world) == 19);
      BOOST_TEST(world.events() == "");
      BOOST_TEST(world.runs() == "follower started under -1, follower done, follower started under -1, follower done");
    }
  }
}

// Facts 5.2: capped at the end of the epoch since 3.7.
BOOST_AUTO_TEST_CASE(caps_the_offset_at_the_epochs_end) {
  for (const auto& [policy, offset] : {std::pair{"kafka-3.6", 29}, std::pair{"kafka-4.0", 19}}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      world.append_segments(2);
      world.add_copy(0, 29, copy_segment_finished);
      world.manager().become_follower(partition0);
      world.run_for(1s);
      BOOST_TEST(highest(world) == offset);
    }
  }
}

// The end of a growing log moves without an event.
BOOST_AUTO_TEST_CASE(follows_the_end_of_a_growing_log) {
  TaskWorld world;
  world.set_growing(true);
  world.append_segments(2);
  world.add_copy(0, 29, copy_segment_finished);
  world.manager().become_follower(partition0);
  world.run_for(1s);
  BOOST_TEST(highest(world) == 19);
  world.log().append(5, 50_B, world.now());
  world.run_for(30s);
  BOOST_TEST(highest(world) == 24);
}

// Facts 4.4 step 2, 2.7.
BOOST_AUTO_TEST_CASE(waits_for_the_cache) {
  TaskWorld world;
  world.append_segments(1);
  world.add_copy(0, 9, copy_segment_finished);
  world.set_ready(false);
  world.manager().become_follower(partition0);
  world.run_for(100s);
  BOOST_TEST(highest(world) == -1);
  world.set_ready(true);
  world.run_for(30s);
  BOOST_TEST(highest(world) == 9);
}

// No work for what does not change: other states of copies and other offsets leave it asleep.
BOOST_AUTO_TEST_CASE(sleeps_through_changes_that_are_nothing_to_it) {
  TaskWorld world;
  world.append_segments(1);
  world.add_copy(0, 9, copy_segment_finished);
  world.manager().become_follower(partition0);
  world.run_for(1h);
  BOOST_TEST(world.tick_count() == 1);
  world.add_copy(10, 19, copy_segment_started);
  world.append_segments(1);
  world.manager().changed(partition0);
  world.run_for(1h);
  BOOST_TEST(world.tick_count() == 1);
}

// Facts 4.2: made on becoming follower unless it is there, cancelled on becoming leader; 3.6 has one task for both.
BOOST_AUTO_TEST_CASE(comes_and_goes_with_the_leadership) {
  TaskWorld world{{.elide_idle_ticks = false}};
  world.manager().become_follower(partition0);
  world.run_for(10s);
  BOOST_TEST(world.has_tick(TaskKind::follower));
  world.manager().become_follower(partition0);
  world.run_for(10s);
  BOOST_TEST(world.tick_count() == 1);
  world.manager().become_leader(partition0, LeaderEpoch{1}, 0s, 0s);
  BOOST_TEST(!world.has_tick(TaskKind::follower));
  BOOST_TEST(world.has_tick(TaskKind::copy));
  world.manager().become_follower(partition0);
  BOOST_TEST(world.has_tick(TaskKind::follower));
  BOOST_TEST(!world.has_tick(TaskKind::copy));
  world.manager().stop_partition(partition0);
  BOOST_TEST(!world.has_tick(TaskKind::follower));
}

BOOST_AUTO_TEST_CASE(is_a_job_of_the_one_task_in_3_6) {
  TaskWorld world{{.policy = "kafka-3.6", .elide_idle_ticks = false}};
  world.append_segments(1);
  world.manager().become_follower(partition0);
  world.run_for(10s);
  BOOST_TEST(world.has_tick(TaskKind::copy));
  BOOST_TEST(!world.has_tick(TaskKind::follower));
  world.manager().become_leader(partition0, LeaderEpoch{1}, 0s, 0s);
  world.run_until(time_start + 29s);
  BOOST_TEST(world.events() == "");
  world.run_until(time_start + 30s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
}

// Facts 4.1: 3.6's followers queue behind copies for the same threads; later versions have a pool for them.
BOOST_AUTO_TEST_CASE(shares_a_pool_with_the_leaders_tasks_only_in_3_6) {
  for (const auto& [policy, offset] : {std::pair{"kafka-3.6", -1}, std::pair{"kafka-3.9", 9}}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy, .partition_count = 2, .thread_count = 1}};
      world.append_segments(1, PartitionNumber{1});
      world.append_segments(1);
      world.add_copy(0, 9, copy_segment_finished);
      world.answer(Call::copy, parked);
      world.manager().become_leader(PartitionNumber{1}, LeaderEpoch{0}, 0s, 15s);
      world.run_for(1s);
      world.manager().become_follower(partition0);
      world.run_for(100s);
      BOOST_TEST(highest(world) == offset);
      world.release(Call::copy);
      BOOST_TEST(highest(world) == 9);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

// Facts 4.1.
BOOST_AUTO_TEST_SUITE(pool_sizes)

constexpr model::Rules rules_3_6{.one_task = true};
constexpr model::Rules rules_3_9{.pool_sizes_fall_back = true};
constexpr model::Rules rules_4_0{};

void check_sizes(const model::RemoteLogManagerOptions& options, const model::Rules& rules,
                 const model::PoolSizes& expected) {
  const model::PoolSizes sizes = model::pool_sizes(options, rules);
  BOOST_TEST(sizes.copier == expected.copier);
  BOOST_TEST(sizes.expiration == expected.expiration);
  BOOST_TEST(sizes.follower == expected.follower);
}

BOOST_AUTO_TEST_CASE(the_defaults_are_the_versions) {
  check_sizes({}, rules_3_6, {10, 0, 0});
  check_sizes({}, rules_3_9, {10, 10, 10});
  check_sizes({}, rules_4_0, {10, 10, 2});
}

BOOST_AUTO_TEST_CASE(the_common_size_is_3_9s_fallback_and_later_the_followers) {
  model::RemoteLogManagerOptions options;
  options.thread_pool_size = 7;
  options.copier_thread_pool_size = -1;
  options.expiration_thread_pool_size = 3;
  check_sizes(options, rules_3_6, {7, 0, 0});
  check_sizes(options, rules_3_9, {7, 3, 7});
  check_sizes(options, rules_4_0, {10, 3, 7});
  options.follower_thread_pool_size = 4;
  check_sizes(options, rules_3_9, {7, 3, 7});
  check_sizes(options, rules_4_0, {10, 3, 4});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
