#include "model/copy_quota.h"

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::CopyQuota;
using model::PartitionNumber;
using model::SimTime;
using model::time_start;

constexpr PartitionNumber partition0{0};

BOOST_AUTO_TEST_SUITE(copy_quota)

/// The first whole second from `from` on at which a copy may begin.
int free_at(CopyQuota& quota, int from) {
  while (quota.throttle_time_ms(time_start + from * 1s) > 0) ++from;
  return from;
}

// Facts 5.4: a segment is charged whole; its debt delays the next one until the rate since it began is below the limit.
BOOST_AUTO_TEST_CASE(a_segment_is_paid_off_at_the_rate_of_the_limit) {
  CopyQuota quota{100_B, 11, 1s};
  BOOST_TEST(quota.throttle_time_ms(time_start) == 0);
  quota.record(500_B, time_start);
  BOOST_TEST(quota.throttle_time_ms(time_start + 4s) > 0);
  BOOST_TEST(quota.throttle_time_ms(time_start + 5s) == 0);
}

// The first window counts as a whole one: what is charged within the limit of one second passes.
BOOST_AUTO_TEST_CASE(the_limit_of_one_window_passes_at_once) {
  CopyQuota quota{100_B, 11, 1s};
  quota.record(100_B, time_start);
  BOOST_TEST(quota.throttle_time_ms(time_start) == 0);
  quota.record(1_B, time_start);
  BOOST_TEST(quota.throttle_time_ms(time_start) > 0);
}

// A debt is forgotten when its sample has left the windows: at 11 s, however large.
BOOST_AUTO_TEST_CASE(a_debt_is_forgotten_after_all_windows) {
  CopyQuota quota{100_B, 11, 1s};
  quota.record(1'000'000_B, time_start);
  BOOST_TEST(free_at(quota, 0) == 11);
  CopyQuota longer{100_B, 21, 2s};
  longer.record(1'000'000_B, time_start);
  BOOST_TEST(free_at(longer, 0) == 42);
}

// Each charge begins a sample of its own when the last is a window old; the oldest makes room.
BOOST_AUTO_TEST_CASE(the_rate_is_that_of_the_last_windows) {
  CopyQuota quota{100_B, 3, 1s};
  for (int second = 0; second < 10; ++second) quota.record(100_B, time_start + second * 1s);
  BOOST_TEST(quota.throttle_time_ms(time_start + 9s) > 0);    // 300 B in 2 s.
  BOOST_TEST(quota.throttle_time_ms(time_start + 10s) == 0);  // 300 B in 3 s.
}

BOOST_AUTO_TEST_CASE(no_limit_never_throttles) {
  CopyQuota quota{model::Bytes{model::no_limit}, 11, 1s};
  quota.record(model::Bytes{model::no_limit}, time_start);
  BOOST_TEST(quota.throttle_time_ms(time_start) == 0);
}

// Facts 5.4, 9: every look that finds a copy must wait is recorded with how long. Two windows of 30 s count, and a
// window that has had no event for a minute counts no more.
BOOST_AUTO_TEST_CASE(throttle_times_are_those_of_the_last_minute) {
  CopyQuota quota{100_B, 11, 1s};
  BOOST_TEST(!quota.throttle_time(time_start).has_value());
  quota.record(350_B, time_start);
  BOOST_TEST(quota.throttle_time_ms(time_start) == 2500);  // 350 B in one second, at 100 B a second.
  BOOST_TEST(quota.throttle_time_ms(time_start + 2s) == 1500);
  quota.throttled(2500, time_start);
  quota.throttled(1500, time_start + 1s);
  BOOST_REQUIRE(quota.throttle_time(time_start + 60s).has_value());
  BOOST_TEST(quota.throttle_time(time_start + 60s)->average == 2000.0);
  BOOST_TEST(quota.throttle_time(time_start + 60s)->greatest == 2500.0);
  quota.throttled(100, time_start + 40s);
  BOOST_TEST(quota.throttle_time(time_start + 60s)->greatest == 2500.0);
  BOOST_TEST(quota.throttle_time(time_start + 61s)->greatest == 100.0);
  BOOST_TEST(!quota.throttle_time(time_start + 100s).has_value());
}

// Facts 9: the manager's own MBeans. Copies of 100 B at 50 B a second: each look but the last waits.
BOOST_AUTO_TEST_CASE(the_manager_shows_its_throttle_time_and_its_idle_threads) {
  using model::ManagerMetric;
  TaskWorld world{{.thread_count = 4, .copy_quota = 50_B, .call_time = 100ms}};
  world.append_segments(2);
  const auto shown = [&](ManagerMetric metric) { return world.manager().metric(metric); };
  BOOST_TEST(shown(ManagerMetric::tasks_avg_idle_percent).value() == 1.0);
  world.lead();
  world.run_until(time_start + 200ms);
  BOOST_TEST(shown(ManagerMetric::tasks_avg_idle_percent).value() == 0.75);
  BOOST_TEST(!shown(ManagerMetric::remote_copy_throttle_time_avg).has_value());
  world.run_until(time_start + 1s);
  BOOST_TEST(shown(ManagerMetric::remote_copy_throttle_time_avg).value() == 1000.0);
  world.run_until(time_start + 10s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0, CS 1, copy 1, CF 1");
  BOOST_TEST(shown(ManagerMetric::remote_copy_throttle_time_avg).value() == 850.0);  // 1000 and 700 ms.
  BOOST_TEST(shown(ManagerMetric::remote_copy_throttle_time_max).value() == 1000.0);
  BOOST_TEST(shown(ManagerMetric::tasks_avg_idle_percent).value() == 1.0);
}

// 3.6 has one pool, in which a run that expires is busy too; 3.9 and later show the copies' pool alone.
BOOST_AUTO_TEST_CASE(idle_threads_are_those_of_the_copies_pool) {
  for (const auto& [policy, idle] :
       {std::pair{"kafka-3.6", 0.5}, std::pair{"kafka-3.9", 1.0}, std::pair{"kafka-4.3", 1.0}}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy, .thread_count = 2}};
      world.topic_options().retention_time = 1ms;
      world.add_copy(0, 9, model::RemoteLogSegmentState::copy_segment_finished);
      world.start_log_at(10);
      world.answer(Call::remove, parked);
      world.lead(0s);
      world.run_for(1min);
      BOOST_REQUIRE(world.is_parked(Call::remove));
      BOOST_TEST(world.manager().metric(model::ManagerMetric::tasks_avg_idle_percent).value() == idle);
    }
  }
}

// Facts 5.4. Segments are 100 B each: at 50 B a second one takes 2 s of quota.

BOOST_AUTO_TEST_CASE(copies_wait_in_steps_of_a_second) {
  TaskWorld world{{.copy_quota = 50_B}};
  world.append_segments(3);
  world.lead();
  world.run_until(time_start + 1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  world.run_until(time_start + 2s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1");
  world.run_until(time_start + 3s);
  BOOST_TEST(world.events() == "");
  world.run_until(time_start + 4s);
  BOOST_TEST(world.events() == "CS 2, copy 2, CF 2");
  BOOST_TEST(world.branches() == "copy-throttled, copy-throttled");
  BOOST_TEST(world.runs() == "copy started under 0, copy done");
}

BOOST_AUTO_TEST_CASE(the_3_6_task_knows_no_quota) {
  TaskWorld world{{.policy = "kafka-3.6", .copy_quota = 1_B}};
  world.append_segments(3);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0, CS 1, copy 1, CF 1, CS 2, copy 2, CF 2");
}

// A failed copy is charged as well, and its retry again.
BOOST_AUTO_TEST_CASE(failed_copies_are_charged) {
  TaskWorld world{{.copy_quota = 3_B}};
  world.append_segments(1);
  world.answer(Call::copy, unchecked);
  world.answer(Call::copy, unchecked);
  world.lead();
  // A debt of 33 s is forgotten after 11 s: the run at 30 s pays again.
  world.run_until(time_start + 31s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CS 1, copy 1");
  world.append_segments(1);
  world.run_until(time_start + 60s);
  BOOST_TEST(world.events() == "CS 2, copy 2, CF 2");
  world.run_until(time_start + 70s);
  BOOST_TEST(world.events() == "");
  world.run_until(time_start + 71s);
  BOOST_TEST(world.events() == "CS 3, copy 3, CF 3");
}

// Whoever is charged lets the others look again: they wait from then on, in their order.
BOOST_AUTO_TEST_CASE(waiting_copies_take_turns) {
  TaskWorld world{{.partition_count = 3, .copy_quota = 50_B}};
  for (std::uint32_t i = 0; i < 3; ++i) world.append_segments(1, PartitionNumber{i});
  world.manager().become_leader(partition0, {}, 0s, 15s);
  world.manager().become_leader(PartitionNumber{1}, {}, 500ms, 15s);
  world.manager().become_leader(PartitionNumber{2}, {}, 900ms, 15s);
  world.run_until(time_start + 2400ms);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  world.run_until(time_start + 2500ms);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1");
  // Without the signal the third would look at 2900, 3900 and 4900 ms. From 2500 ms on: 3500, 4500. 300 B are over at
  // 4000 ms.
  world.run_until(time_start + 4499ms);
  BOOST_TEST(world.events() == "");
  world.run_until(time_start + 4500ms);
  BOOST_TEST(world.events() == "CS 2, copy 2, CF 2");
}

// Cancelling interrupts the wait; nothing is charged.
BOOST_AUTO_TEST_CASE(an_interrupt_ends_the_wait) {
  TaskWorld world{{.copy_quota = 10_B}};
  world.append_segments(2);
  world.lead();
  world.run_until(time_start + 3500ms);
  world.manager().become_follower(partition0);
  world.run_until(time_start + 3501ms);
  BOOST_TEST(world.runs().starts_with("copy started under 0, copy interrupted"));
  world.manager().become_leader(partition0, model::LeaderEpoch{2}, 0s, 15s);
  world.events();
  world.run_until(time_start + 9501ms);
  BOOST_TEST(world.events() == "");
  world.run_until(time_start + 10501ms);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
