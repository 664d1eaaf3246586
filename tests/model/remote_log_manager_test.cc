#include "model/remote_log_manager.h"

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::Duration;
using model::LeaderEpoch;
using model::PartitionNumber;
using model::SimTime;
using model::TaskKind;
using model::time_start;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};

BOOST_AUTO_TEST_SUITE(remote_log_manager)

// Facts 4.1: the next run is one interval after the end of the last one, not after its beginning.
BOOST_AUTO_TEST_CASE(a_run_follows_one_interval_after_the_end_of_the_last_one) {
  TaskWorld world{{.call_time = 4s}};
  world.append_segments(1);
  world.answer(Call::copy, unchecked);
  world.lead();
  world.run_until(time_start + 37s);
  BOOST_TEST(world.events() == "CS 0, copy 0");
  world.run_until(time_start + 38s);
  BOOST_TEST(world.events() == "CS 1");
}

// Facts 4.1: a run waits for a thread; the threads take the waiting runs in order.
BOOST_AUTO_TEST_CASE(runs_wait_for_a_thread_in_the_order_of_their_ticks) {
  TaskWorld world{{.partition_count = 4, .thread_count = 1, .call_time = 1s}};
  for (std::uint32_t i = 0; i < 4; ++i) world.append_segments(1, PartitionNumber{i});
  world.lead();
  world.run_until(time_start + 1s);
  BOOST_TEST(world.manager().active_runs() == 4);
  world.run_until(time_start + 12s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0, CS 1, copy 1, CF 1, CS 2, copy 2, CF 2, CS 3, copy 3, CF 3");
  BOOST_TEST(world.manager().active_runs() == 0);
}

// Facts 4.2, 4.4: cancelled before it has begun, a run leaves the queue and never starts.
BOOST_AUTO_TEST_CASE(a_cancelled_run_leaves_the_queue) {
  TaskWorld world{{.partition_count = 3, .thread_count = 1, .call_time = 1s}};
  for (std::uint32_t i = 0; i < 3; ++i) world.append_segments(1, PartitionNumber{i});
  world.lead();
  world.run_until(time_start + 1s);
  world.manager().become_follower(PartitionNumber{1});
  BOOST_TEST(world.manager().active_runs() == 2);
  BOOST_TEST(!world.manager().leads(PartitionNumber{1}));
  world.run_until(time_start + 100s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0, CS 1, copy 1, CF 1");
}

// Facts 4.2: tasks that exist stay, with their copied offset and the epoch under which they were created.
BOOST_AUTO_TEST_CASE(a_leader_that_stays_keeps_its_tasks) {
  TaskWorld world;
  world.lead();
  world.run_for(10s);
  world.manager().become_leader(partition0, LeaderEpoch{3}, 0s, 0s);
  world.append_segments(1);
  world.run_for(10s);
  BOOST_TEST(world.events() == "");
  world.run_for(10s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  BOOST_TEST(world.runs().find("under 3") == std::string::npos);
}

// F2, facts 4.2: the old task goes on to its end beside the new one; both copy the range.
BOOST_AUTO_TEST_CASE(f2_a_new_task_runs_beside_a_cancelled_one_that_has_not_ended) {
  TaskWorld world{{.policy = "kafka-3.9", .on_interrupt = OnInterrupt::goes_on}};
  world.append_segments(1);
  world.answer(Call::copy, parked);
  world.lead();
  world.run_for(1s);
  world.manager().become_follower(partition0);
  world.manager().become_leader(partition0, LeaderEpoch{2}, 0s, 15s);
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CS 1, copy 1, CF 1");
  BOOST_TEST(world.manager().active_runs() == 1);
  world.release(Call::copy, permanent);
  BOOST_TEST(world.events() == "delete 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy started under 2, copy done, copy failed");
}

// Facts 4.4: an interrupt ends a call only if the plug-in reacts to it.
BOOST_AUTO_TEST_CASE(cancelling_interrupts_the_call_under_way) {
  for (const bool throws : {true, false}) {
    TaskWorld world{{.on_interrupt = throws ? OnInterrupt::fails : OnInterrupt::goes_on}};
    world.append_segments(1);
    world.answer(Call::copy, parked);
    world.lead();
    world.run_for(1s);
    world.manager().stop_partition(partition0);
    world.run_for(1s);
    BOOST_TEST(world.is_parked(Call::copy) == !throws);
    BOOST_TEST(world.manager().active_runs() == (throws ? 0 : 1));
  }
}

// Facts 4.2: a cancelled task has no tick any more.
BOOST_AUTO_TEST_CASE(a_stopped_partition_has_no_ticks) {
  TaskWorld world{{.elide_idle_ticks = false}};
  world.lead();
  world.run_for(100s);
  BOOST_TEST(world.has_tick(TaskKind::copy));
  world.manager().stop_partition(partition0);
  BOOST_TEST(!world.has_tick(TaskKind::copy));
  BOOST_TEST(!world.has_tick(TaskKind::expiration));
  world.append_segments(1);
  world.run_for(100s);
  BOOST_TEST(world.events() == "");
}

// Facts 4.2 step 1: only tiered partitions have tasks.
BOOST_AUTO_TEST_CASE(a_partition_that_is_not_tiered_has_no_tasks) {
  TaskWorld world;
  world.topic_options().remote_storage_enable = false;
  world.append_segments(1);
  world.lead();
  world.run_for(1h);
  BOOST_TEST(world.events() == "");
  world.manager().become_follower(partition0);
  BOOST_TEST(!world.has_tick(TaskKind::copy));
  BOOST_TEST(!world.has_tick(TaskKind::follower));
}

// Readings 3.6: which task comes first at one instant decides whether size retention counts local data twice
// (KAFKA-20732).
BOOST_AUTO_TEST_CASE(the_order_of_the_first_runs_is_a_setting) {
  for (const bool copy_first : {true, false}) {
    TaskWorld world{{.copy_first = copy_first}};
    world.append_segments(4);
    for (int i = 0; i < 4; ++i) world.add_copy(10 * i, 10 * i + 9, copy_segment_finished);
    world.topic_options().retention_bytes = 600_B;
    world.lead(0s);
    world.run_for(1s);
    const std::string deletes = "raise 20, DS 0, delete 0, DF 0, DS 1, delete 1, DF 1";
    BOOST_TEST(world.events() == (copy_first ? "" : deletes));
  }
}

// Contract of run_started: a run that changes nothing is not reported.
BOOST_AUTO_TEST_CASE(idle_runs_are_not_reported) {
  TaskWorld world{{.elide_idle_ticks = false}};
  world.lead();
  world.run_for(1h);
  BOOST_TEST(world.runs() == "copy started under 0, copy done");
  BOOST_TEST(world.tick_count() > 200);
}

BOOST_AUTO_TEST_SUITE_END()

// Kernel notes 3: idle ticks need not be simulated.
BOOST_AUTO_TEST_SUITE(idle_elision)

BOOST_AUTO_TEST_CASE(a_task_with_nothing_to_do_has_no_ticks) {
  TaskWorld world;
  world.lead();
  world.run_for(24h);
  BOOST_TEST(world.tick_count() == 2);
  BOOST_TEST(!world.has_tick(TaskKind::copy));
}

// A woken task goes on on its own grid: copy at 0, 30, 60, ...
BOOST_AUTO_TEST_CASE(a_change_brings_the_next_tick_of_the_grid_back) {
  TaskWorld world;
  world.lead();
  world.run_until(time_start + 3600s + 10s);
  world.append_segments(1);
  world.run_until(time_start + 3600s + 29s);
  BOOST_TEST(world.events() == "");
  world.run_until(time_start + 3600s + 30s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
}

// A change at the very instant of a grid point, by an event before the ticks: the tick of this instant is still ahead.
BOOST_AUTO_TEST_CASE(a_change_at_the_instant_of_a_tick_is_seen_by_it) {
  TaskWorld world;
  world.lead();
  world.at(time_start + 3600s, [&world] { world.append_segments(1); });
  world.run_until(time_start + 3600s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
}

// The expiration task wakes when the first retained copy becomes due: at 3600 s, whose next grid point is 3615 s.
BOOST_AUTO_TEST_CASE(the_clock_alone_wakes_the_expiration_task) {
  TaskWorld world;
  world.topic_options().retention_time = 1h;
  world.append_segments(1);
  world.lead();
  world.run_until(time_start + 3614s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  const int ticks = world.tick_count();
  world.run_until(time_start + 3615s);
  BOOST_TEST(world.events() == "raise 10, DS 0, delete 0, DF 0");
  BOOST_TEST(world.tick_count() == ticks + 1);
}

// What is due shows on the broker's clock; ticks come in the world's time.
BOOST_AUTO_TEST_CASE(a_skewed_clock_moves_what_is_due_but_not_the_grid) {
  TaskWorld world;
  world.topic_options().retention_time = 1h;
  world.append_segments(1);
  world.lead();
  world.run_until(time_start + 600s);
  world.set_clock_skew(1800s);
  world.run_until(time_start + 1814s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  world.run_until(time_start + 1815s);
  BOOST_TEST(world.events() == "raise 10, DS 0, delete 0, DF 0");
}

// While records arrive, sizes change with no event: size retention looks at every grid point.
BOOST_AUTO_TEST_CASE(size_retention_of_a_growing_log_keeps_its_ticks) {
  for (const bool growing : {false, true}) {
    TaskWorld world;
    world.set_growing(growing);
    world.topic_options().retention_time = -1ms;
    world.topic_options().retention_bytes = 10_KiB;
    world.append_segments(1);
    world.lead();
    world.run_for(300s);
    BOOST_TEST(world.has_tick(TaskKind::expiration) == growing);
    BOOST_TEST(!world.has_tick(TaskKind::copy));
  }
}

// The same for a closed segment that waits for the last stable offset.
BOOST_AUTO_TEST_CASE(a_segment_above_the_last_stable_offset_of_a_growing_log_keeps_the_ticks) {
  for (const bool growing : {false, true}) {
    TaskWorld world;
    world.set_growing(growing);
    world.log().append(10, 100_B, world.now());
    world.log().roll(world.now());
    world.lead();
    world.run_for(300s);
    BOOST_TEST(world.has_tick(TaskKind::copy) == growing);
  }
}

/// Twelve partitions, two threads, six hours: segments, outages of uploads and deletes, lost publishes, a leader that
/// goes and comes back, a consumer that is not ready for a while.
std::vector<std::string> busy_world(TaskWorldSettings settings) {
  settings.partition_count = 12;
  settings.thread_count = 2;
  settings.call_time = 3s;
  TaskWorld world{settings};
  for (std::uint32_t i = 0; i < 12; ++i) {
    world.topic_options(i).retention_time = i % 3 == 0 ? 40min : 2h;
    if (i % 4 == 1) world.topic_options(i).retention_bytes = model::Bytes{500};
    const PartitionNumber partition{i};
    for (Duration at = 60s; at < 6h; at += 7min + i * 41s) {
      world.at(time_start + at, [&world, partition] { world.append_segments(1, partition); });
    }
    world.at(time_start + 3h + i * 10s, [&world, partition] { world.manager().become_follower(partition); });
    world.at(time_start + 3h + 5min, [&world, partition] {
      world.manager().become_leader(partition, LeaderEpoch{1}, partition.value() * 1s, partition.value() * 2s);
    });
  }
  const auto set_at = [&world](Duration at, Call call, Answer answer) {
    world.at(time_start + at, [&world, call, answer] { world.answer_always(call, answer); });
  };
  set_at(30min, Call::copy, permanent);
  set_at(50min, Call::remove, permanent);
  set_at(70min, Call::copy, ok);
  set_at(80min, Call::remove, ok);
  set_at(140min, Call::finished, timed_out);
  set_at(145min, Call::finished, ok);
  set_at(200min, Call::copy, permanent);
  set_at(260min, Call::copy, ok);
  world.at(time_start + 300min, [&world] { world.set_ready(false); });
  world.at(time_start + 310min, [&world] { world.set_ready(true); });
  world.lead(1s);
  world.run_until(time_start + 6h);
  return world.record();
}

BOOST_AUTO_TEST_CASE(the_same_things_happen_at_the_same_times_with_and_without_idle_ticks) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      const auto elided = busy_world({.policy = policy.name, .elide_idle_ticks = true});
      const auto full = busy_world({.policy = policy.name, .elide_idle_ticks = false});
      BOOST_TEST(elided.size() > 1000);
      const auto [a, b] = std::mismatch(elided.begin(), elided.end(), full.begin(), full.end());
      BOOST_TEST((a == elided.end()), "elided only: " << *a << " after " << (a - elided.begin()));
      BOOST_TEST((b == full.end()), "with idle ticks only: " << *b);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
