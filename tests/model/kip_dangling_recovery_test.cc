// kip-dangling-recovery: what it takes over and when (readings 3.4), and what its sweep may cost (readings 5, C51).
#include <set>

#include <boost/test/unit_test.hpp>

#include "model/policies/policies.h"
#include "model/policy_options.h"
#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::BrokerId;
using model::KipDanglingRecoveryOptions;
using model::PartitionNumber;
using model::time_start;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};
constexpr BrokerId self{1};
constexpr BrokerId other{2};
/// Two publishes, a copy and the margin of a minute: what others began at 0 s is over at 80 s.
constexpr model::CopyBounds with_deadline{.copy_deadline = 10s, .publish_deadline = 5s};
constexpr model::CopyBounds without_deadline{.copy_deadline = {}, .publish_deadline = 5s};

TaskWorldSettings recovery(model::CopyBounds bounds = without_deadline, KipDanglingRecoveryOptions options = {}) {
  return {.policy = "kip-dangling-recovery", .recovery = options, .bounds = bounds};
}

KipDanglingRecoveryOptions at_most(std::int32_t requests_per_run) {
  KipDanglingRecoveryOptions options;
  options.requests_per_run = requests_per_run;
  return options;
}

/// The expiration task stays away, so that only the copy task's ticks at 0 s, 30 s, ... matter.
void lead_for(TaskWorld& world, model::Duration time) {
  world.lead(24h);
  world.run_for(time);
}

/// Seconds at which something of record() ending in `what` happened.
std::vector<std::int64_t> seconds_of(const TaskWorld& world, std::string_view what) {
  std::vector<std::int64_t> seconds;
  for (const std::string& line : world.record()) {
    if (line.ends_with(what)) seconds.push_back(std::stoll(line) / 1'000'000);
  }
  return seconds;
}

BOOST_AUTO_TEST_SUITE(kip_dangling_recovery)

// Readings 3.4 (a): what bears this broker's id and is held by no task of this process was left by an earlier one. What
// that one had sent may still land, so the copy is deleted once more when the margin is over.
BOOST_AUTO_TEST_CASE(takes_over_what_its_own_broker_left_and_deletes_it_twice) {
  TaskWorld world{recovery()};
  world.add_copy_of(self, time_start, copy_segment_started);
  lead_for(world, 1s);
  BOOST_TEST(world.events() == "DANGLING 0, DS 0, delete 0, DANGLING 0");
  BOOST_TEST(world.steps() ==
             "adopt-publish-dangling 0, left 0, sweep-publish-started 0, sweep-delete 0, adopt-publish-dangling 0, "
             "left 0");
  BOOST_TEST(world.branches() == "adopted, swept-again-later");
  world.run_for(58s);
  BOOST_TEST(world.events() == "");
  world.run_for(1s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0");
}

BOOST_AUTO_TEST_CASE(takes_over_a_delete_that_its_own_broker_left) {
  TaskWorld world{recovery()};
  world.add_copy_of(self, time_start, delete_segment_started);
  lead_for(world, 60s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DANGLING 0, DS 0, delete 0, DF 0");
}

// With a deadline the second delete waits until nothing of the copy can land any more: 80 s.
BOOST_AUTO_TEST_CASE(deletes_again_when_the_deadline_of_the_copy_is_over) {
  TaskWorld world{recovery(with_deadline)};
  world.add_copy_of(self, time_start, copy_segment_started);
  lead_for(world, 89s);
  BOOST_TEST(world.events() == "DANGLING 0, DS 0, delete 0, DANGLING 0");
  world.run_for(1s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0");
}

// Readings 3.4: without a deadline nothing tells a broker that a copy or a delete of another one is over.
BOOST_AUTO_TEST_CASE(leaves_alone_what_another_broker_began_when_there_is_no_deadline) {
  for (const auto state : {copy_segment_started, delete_segment_started}) {
    TaskWorld world{recovery()};
    world.add_copy_of(other, time_start, state);
    lead_for(world, 12h);
    BOOST_TEST(world.events() == "");
  }
}

// Readings 3.4 (b). Nothing can land after the bound: one delete is enough.
BOOST_AUTO_TEST_CASE(takes_over_what_another_broker_began_when_the_deadline_is_over) {
  TaskWorld copying{recovery(with_deadline)};
  copying.add_copy_of(other, time_start, copy_segment_started);
  lead_for(copying, 89s);
  BOOST_TEST(copying.events() == "");
  copying.run_for(1s);
  BOOST_TEST(copying.events() == "DANGLING 0, DS 0, delete 0, DF 0");

  TaskWorld deleting{recovery(with_deadline)};
  deleting.add_copy_of(other, time_start, delete_segment_started);
  lead_for(deleting, 90s);
  BOOST_TEST(deleting.events() == "DS 0, delete 0, DF 0");
}

// The KIP: whoever wrote it and whatever that one's clock shows.
BOOST_AUTO_TEST_CASE(sweeps_a_dangling_copy_of_a_broker_whose_clock_is_ahead) {
  TaskWorld world{recovery()};
  world.add_copy_of(other, time_start + 1h, dangling);
  lead_for(world, 1s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0");
}

BOOST_AUTO_TEST_CASE(a_failed_copy_is_swept_by_the_same_run_as_under_the_kip) {
  TaskWorld world{recovery()};
  world.append_segments(1);
  world.answer(Call::copy, permanent);
  lead_for(world, 1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0, DS 0, delete 0, DF 0");
}

// What Kafka and the KIP leave COPY_SEGMENT_STARTED because the plug-in threw what nobody expects.
BOOST_AUTO_TEST_CASE(a_copy_that_failed_with_another_exception_is_taken_over_by_the_same_run) {
  TaskWorld world{recovery()};
  world.append_segments(1);
  world.answer(Call::copy, unchecked);
  lead_for(world, 1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0, DS 0, delete 0, DANGLING 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy failed");
}

// Readings 3.4 (a): nothing before the cache has been read to the end after the restart (isReady, facts 2.7).
BOOST_AUTO_TEST_CASE(waits_until_its_cache_is_read) {
  TaskWorld world{recovery()};
  world.add_copy_of(self, time_start, copy_segment_started);
  world.set_ready(false);
  lead_for(world, 100s);
  BOOST_TEST(world.events() == "");
  world.set_ready(true);
  world.run_for(30s);
  BOOST_TEST(world.events() == "DANGLING 0, DS 0, delete 0, DANGLING 0");
}

// A task that lost the lead may still upload in this very process.
BOOST_AUTO_TEST_CASE(leaves_alone_what_a_cancelled_task_of_this_process_still_copies) {
  TaskWorldSettings settings = recovery();
  settings.on_interrupt = OnInterrupt::goes_on;
  for (const Answer end : {ok, permanent}) {
    TaskWorld world{settings};
    world.append_segments(1);
    world.answer(Call::copy, parked);
    lead_for(world, 1s);
    world.manager().become_follower(partition0);
    world.manager().become_leader(partition0, model::LeaderEpoch{1}, 0s, 24h);
    world.run_for(300s);
    BOOST_TEST(world.events() == "CS 0, copy 0, CS 1, copy 1, CF 1");
    world.release(Call::copy, end);
    world.run_for(30s);
    BOOST_TEST(world.events() == (end.storage_error ? "DANGLING 0, DS 0, delete 0, DANGLING 0" : "CF 0"));
  }
}

BOOST_AUTO_TEST_CASE(leaves_alone_what_the_expiration_task_deletes) {
  TaskWorld world{recovery()};
  world.start_log_at(20);
  world.topic_options().retention_time = 1s;
  world.add_copy(0, 9, copy_segment_finished);
  world.add_copy(10, 19, copy_segment_finished, {}, model::time_never - 10s);
  world.answer(Call::remove, parked);
  world.lead();
  world.run_for(80s);
  BOOST_TEST(world.events() == "raise 10, DS 0, delete 0");
  // No RemoteStorageException: DELETE_SEGMENT_STARTED stays.
  world.release(Call::remove, unchecked);
  world.run_for(10s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DANGLING 0");
}

// Readings 2.7 turned round: the walk would end an entry whose second delete is still to come.
BOOST_AUTO_TEST_CASE(the_expiration_walk_passes_what_the_sweep_deletes) {
  TaskWorld world{recovery()};
  world.add_copy_of(self, time_start, copy_segment_started);
  world.answer(Call::remove, parked);
  world.lead();
  world.run_for(20s);
  BOOST_TEST(world.events() == "DANGLING 0, DS 0, delete 0");
  BOOST_TEST(world.runs() == "copy started under 0");
}

// CF -> DANGLING is illegal: what was finished meanwhile is never deleted.
BOOST_AUTO_TEST_CASE(a_copy_that_is_finished_before_it_is_taken_over_stays) {
  TaskWorld world{recovery()};
  const model::RemoteLogSegment& copy = world.add_copy_of(self, time_start, copy_segment_started);
  world.answer(Call::dangling, parked);
  lead_for(world, 1s);
  BOOST_TEST((world.deliver(make_event(copy, copy_segment_finished)) == model::CacheAnswer::applied));
  world.release(Call::dangling);
  world.run_for(1h);
  BOOST_TEST(world.events() == "DANGLING 0, dropped DANGLING 0");
  BOOST_TEST(world.branches() == "adopted-too-late");
  BOOST_TEST(world.cache().count(copy_segment_finished) == 1);
}

// KIP's option and sweep: shared with kip-dangling.
BOOST_AUTO_TEST_CASE(a_sweep_after_success_takes_over_nothing_while_copies_fail) {
  KipDanglingRecoveryOptions options;
  options.sweep = model::KipDanglingOptions::Sweep::after_success;
  TaskWorld world{recovery(without_deadline, options)};
  world.append_segments(1);
  world.answer(Call::copy, permanent);
  lead_for(world, 1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0");
  BOOST_TEST(world.branches() == "sweep-skipped-after-failed-copy");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(kip_dangling_recovery_bounds)

// Twice as long after each failure, to backoff-max.
BOOST_AUTO_TEST_CASE(waits_longer_after_each_failure_and_never_longer_than_the_most) {
  TaskWorld world{recovery()};
  world.add_copy_of(self, time_start, dangling);
  world.answer_always(Call::remove, permanent);
  lead_for(world, 1'000s);
  const std::vector<std::int64_t> expected{0, 30, 90, 210, 450, 690, 930};
  BOOST_TEST(seconds_of(world, " delete 0") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_new_leadership_knows_of_no_failure) {
  TaskWorld world{recovery()};
  world.add_copy_of(self, time_start, dangling);
  world.answer_always(Call::remove, permanent);
  lead_for(world, 220s);
  world.manager().become_follower(partition0);
  world.manager().become_leader(partition0, model::LeaderEpoch{1}, 0s, 24h);
  world.run_for(31s);
  const std::vector<std::int64_t> expected{0, 30, 90, 210, 220, 250};
  BOOST_TEST(seconds_of(world, " delete 0") == expected, boost::test_tools::per_element());
}

// Option requests-per-run: three calls a copy, one more to take it over.
BOOST_AUTO_TEST_CASE(a_run_makes_no_more_calls_than_the_option_says) {
  for (const auto& [state, first, second] : {std::tuple{dangling, 18, 12}, std::tuple{copy_segment_started, 20, 20}}) {
    TaskWorld world{recovery(without_deadline, at_most(20))};
    for (int i = 0; i < 10; ++i) world.add_copy_of(self, time_start, state);
    const auto calls = [&] {
      const std::string events = world.events();
      return events.empty() ? 0 : std::count(events.begin(), events.end(), ',') + 1;
    };
    lead_for(world, 1s);
    BOOST_TEST(calls() == first);
    world.run_for(30s);
    BOOST_TEST(calls() == second);
  }
}

// F8: one that cannot be deleted lets the others pass, whichever way it fails.
BOOST_AUTO_TEST_CASE(a_copy_that_cannot_be_deleted_starves_no_other) {
  for (const Answer failure : {permanent, unchecked}) {
    TaskWorld world{recovery(without_deadline, at_most(4))};
    for (int i = 0; i < 3; ++i) world.add_copy_of(self, time_start, dangling);
    world.answer(Call::remove, failure);
    lead_for(world, 61s);
    const std::string dangles = failure.storage_error == model::RemoteStorageError::permanent ? "DANGLING 0, " : "";
    BOOST_TEST(world.events() == "DS 0, delete 0, " + dangles + "DS 1, delete 1, DF 1, DS 2, delete 2, DF 2");
  }
}

BOOST_AUTO_TEST_CASE(an_exception_that_nobody_expects_does_not_end_the_sweep) {
  TaskWorld world{recovery()};
  for (int i = 0; i < 2; ++i) world.add_copy_of(self, time_start, dangling);
  world.answer(Call::remove, unchecked);
  lead_for(world, 1s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DS 1, delete 1, DF 1");
  BOOST_TEST(world.runs() == "copy started under 0, copy failed");
  world.run_for(30s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DANGLING 0");
}

BOOST_AUTO_TEST_CASE(a_failed_delete_ends_the_sweep_where_the_option_says_stop) {
  KipDanglingRecoveryOptions options;
  options.sweep_on_delete_failure = model::KipDanglingOptions::OnDeleteFailure::stop;
  TaskWorld world{recovery(without_deadline, options)};
  for (int i = 0; i < 2; ++i) world.add_copy_of(self, time_start, dangling);
  world.answer(Call::remove, permanent);
  lead_for(world, 1s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DANGLING 0");
}

// Each publish of the sweep: it stops there, and the copy waits like after a failed delete.
BOOST_AUTO_TEST_CASE(a_publish_that_fails_stops_the_sweep_and_counts_as_a_failure) {
  const std::vector<std::tuple<Call, model::RemoteLogSegmentState, std::string>> expected{
      {Call::dangling, copy_segment_started, "DANGLING 0"},
      {Call::delete_started, dangling, "DS 0"},
      {Call::delete_finished, dangling, "DS 0, delete 0, DF 0"}};
  for (const auto& [call, state, events] : expected) {
    TaskWorld world{recovery()};
    for (int i = 0; i < 2; ++i) world.add_copy_of(self, time_start, state);
    world.answer(call, refused);
    lead_for(world, 1s);
    BOOST_TEST(world.events() == events);
    BOOST_TEST(world.runs() == "copy started under 0, copy failed");
    world.run_for(30s);
    BOOST_TEST(world.events().find("1, ") < 12u);
  }
}

// Sleeping tasks wake when a bound or a back-off is over, and at nothing else.
BOOST_AUTO_TEST_CASE(idle_ticks_may_be_left_out) {
  const auto run = [](bool elide, int& ticks) {
    TaskWorldSettings settings = recovery(with_deadline);
    settings.elide_idle_ticks = elide;
    TaskWorld world{settings};
    world.add_copy_of(self, time_start, copy_segment_started);
    world.add_copy_of(other, time_start + 1000s, copy_segment_started);
    world.add_copy_of(other, time_start, dangling);
    for (int i = 0; i < 6; ++i) world.answer(Call::remove, permanent);
    lead_for(world, 2h);
    ticks = world.tick_count();
    return world.record();
  };
  int elided_ticks = 0;
  int all_ticks = 0;
  BOOST_TEST(run(true, elided_ticks) == run(false, all_ticks), boost::test_tools::per_element());
  BOOST_TEST(elided_ticks < 20);
  BOOST_TEST(all_ticks >= 240);
}

// What the ledger says of the future.
BOOST_AUTO_TEST_CASE(tells_from_when_on_it_removes_an_entry) {
  const auto policy = model::make_kip_dangling_recovery({});
  const model::RemoteLogSegment segment = make_segment(0, model::Offset{0}, model::Offset{9});
  const auto from = [&](model::RemoteLogSegmentState state, BrokerId writer, const model::CopyBounds& bounds) {
    return policy->sweeps_from(make_event(segment, state, writer, time_start + 100s), self, bounds);
  };
  BOOST_TEST((from(copy_segment_started, self, without_deadline) == time_start));
  BOOST_TEST(!from(copy_segment_started, other, without_deadline));
  BOOST_TEST((from(copy_segment_started, other, with_deadline) == time_start + 180s));
  BOOST_TEST(!from(copy_segment_started, other, {.copy_deadline = 10s, .publish_deadline = {}}));
  BOOST_TEST((from(dangling, other, without_deadline) == time_start));
  BOOST_TEST(!from(copy_segment_finished, self, with_deadline));
}

BOOST_AUTO_TEST_CASE(every_option_has_a_row) {
  std::set<std::string_view> keys;
  const auto row = [&](std::string_view key, auto, model::Unit, model::Range, std::string_view) { keys.insert(key); };
  KipDanglingRecoveryOptions::describe(row);
  const std::set<std::string_view> expected{"backoff",
                                            "backoff-max",
                                            "base",
                                            "dangling-on",
                                            "encoding",
                                            "expiration",
                                            "feature-gate",
                                            "margin",
                                            "publish-when-cancelled",
                                            "requests-per-run",
                                            "retention-failure",
                                            "sweep",
                                            "sweep-on-delete-failure"};
  BOOST_TEST(keys == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
