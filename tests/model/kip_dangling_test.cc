// The KIP's sequences, and the options of readings 3.3 where the KIP leaves a choice.
#include <map>
#include <set>

#include <boost/test/unit_test.hpp>

#include "model/policies/policies.h"
#include "model/policy_options.h"
#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::KipDanglingOptions;
using model::PartitionNumber;
using model::TaskKind;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};

TaskWorldSettings kip(KipDanglingOptions options = {}) { return {.policy = "kip-dangling", .kip = options}; }

/// Leads with one closed segment whose first upload is answered with `copied`, for one copy run.
void run_one_copy(TaskWorld& world, Answer copied) {
  world.append_segments(1);
  world.answer(Call::copy, copied);
  world.lead();
  world.run_for(1s);
}

BOOST_AUTO_TEST_SUITE(kip_dangling)

// KIP, Proposed Changes: DANGLING, no delete in the copy; the same run sweeps afterwards.
BOOST_AUTO_TEST_CASE(a_failed_copy_is_dangling_and_swept_by_the_same_run) {
  TaskWorld world{kip()};
  run_one_copy(world, permanent);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0, DS 0, delete 0, DF 0");
  BOOST_TEST(world.steps() ==
             "copy-publish-started 0, copy-upload 0, publish-dangling 0, left 0, "
             "sweep-publish-started 0, sweep-delete 0, sweep-publish-finished 0, left 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy failed");
  world.run_for(30s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1");
}

// KIP: a failed delete moves back to DANGLING, and the next run tries again.
BOOST_AUTO_TEST_CASE(a_failed_sweep_moves_back_to_dangling_and_the_next_run_retries) {
  TaskWorld world{kip()};
  world.answer(Call::remove, permanent);
  run_one_copy(world, permanent);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0, DS 0, delete 0, DANGLING 0");
  BOOST_TEST(world.cache().count(dangling) == 1);
  world.run_for(30s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1, DS 0, delete 0, DF 0");
}

// Readings 3.3, order: in the order of the COPY_SEGMENT_STARTED events, whatever wrote them.
BOOST_AUTO_TEST_CASE(the_sweep_takes_every_dangling_copy_in_the_order_of_their_events) {
  TaskWorld world{kip()};
  world.start_log_at(100);
  world.add_copy(50, 59, dangling);
  world.add_copy(10, 19, copy_segment_started);
  world.add_copy(20, 29, dangling, epochs({{7, 20}}));
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "raise 10, DS 0, delete 0, DF 0, DS 2, delete 2, DF 2");
}

// The brief of the sweep: a run with nothing to copy sweeps, and without DANGLING there is no run at all.
BOOST_AUTO_TEST_CASE(a_run_with_nothing_to_copy_still_sweeps) {
  TaskWorld world{kip()};
  world.lead();
  world.run_for(100s);
  BOOST_TEST(world.runs() == "copy started under 0, copy done");
  world.add_copy(0, 9, dangling);
  world.manager().changed(partition0);
  world.run_for(30s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0");
}

// Readings 3.3, what a sweep takes: all DANGLING of any author, and what this run itself left, after those before it.
BOOST_AUTO_TEST_CASE(the_sweep_takes_what_others_wrote_and_what_its_own_run_left) {
  TaskWorld world{kip()};
  world.add_copy_of(model::BrokerId{2}, model::time_start, dangling);
  run_one_copy(world, permanent);
  BOOST_TEST(world.events() == "CS 1, copy 1, DANGLING 1, DS 0, delete 0, DF 0, DS 1, delete 1, DF 1");
}

// Readings 3.3: on base 4.0 the retriable subclass is a RemoteStorageException like any other.
BOOST_AUTO_TEST_CASE(a_retriable_error_sets_dangling_on_4_0) {
  TaskWorld world{kip()};
  run_one_copy(world, retriable);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0, DS 0, delete 0, DF 0");
}

// Readings 3.3, size retention on base 4.0: 200 bytes finished and 100 DANGLING are within 200.
BOOST_AUTO_TEST_CASE(size_retention_does_not_count_dangling) {
  for (const auto& [state, events] :
       {std::pair{dangling, ""}, std::pair{copy_segment_finished, "raise 10, DS 0, delete 0, DF 0"}}) {
    TaskWorld world{kip()};
    world.start_log_at(30);
    world.topic_options().retention_bytes = 200_B;
    world.add_copy(0, 9, copy_segment_finished);
    world.add_copy(10, 19, copy_segment_finished);
    world.add_copy(20, 29, state);
    world.manager().become_leader(partition0, model::LeaderEpoch{0}, 3600s, 15s);
    world.run_for(15s);
    BOOST_TEST(world.events() == events);
  }
}

// Option sweep (readings 3.3, C01): after-success reclaims nothing while copies fail.
BOOST_AUTO_TEST_CASE(a_sweep_after_success_waits_until_a_run_copies_all) {
  TaskWorld world{kip({.sweep = KipDanglingOptions::Sweep::after_success})};
  world.answer(Call::copy, permanent);
  run_one_copy(world, permanent);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0");
  world.run_for(30s);
  BOOST_TEST(world.events() == "CS 1, copy 1, DANGLING 1");
  BOOST_TEST(world.branches() == "sweep-skipped-after-failed-copy, sweep-skipped-after-failed-copy");
  world.run_for(30s);
  BOOST_TEST(world.events() == "CS 2, copy 2, CF 2, DS 0, delete 0, DF 0, DS 1, delete 1, DF 1");
}

// Option sweep-on-delete-failure.
BOOST_AUTO_TEST_CASE(a_failed_delete_goes_on_with_the_next_copy_or_stops) {
  using OnDeleteFailure = KipDanglingOptions::OnDeleteFailure;
  const std::map<OnDeleteFailure, std::string> expected{
      {OnDeleteFailure::go_on, "DS 0, delete 0, DANGLING 0, DS 1, delete 1, DF 1"},
      {OnDeleteFailure::stop, "DS 0, delete 0, DANGLING 0"}};
  for (const auto& [option, events] : expected) {
    TaskWorld world{kip({.sweep_on_delete_failure = option})};
    world.add_copy(0, 9, dangling);
    world.add_copy(0, 9, dangling);
    world.answer(Call::remove, permanent);
    world.lead();
    world.run_for(1s);
    BOOST_TEST(world.events() == events);
  }
}

// Readings 3.3: publishing DS, DF or DANGLING fails: the sweep stops, the state is as stored.
BOOST_AUTO_TEST_CASE(a_publish_that_fails_stops_the_sweep) {
  const std::map<Call, std::string> expected{{Call::delete_started, "DS 0"},
                                             {Call::delete_finished, "DS 0, delete 0, DF 0"},
                                             {Call::dangling, "DS 0, delete 0, DANGLING 0"}};
  for (const auto& [call, events] : expected) {
    TaskWorld world{kip()};
    world.add_copy(0, 9, dangling);
    world.add_copy(0, 9, dangling);
    world.answer(call, refused);
    if (call == Call::dangling) world.answer(Call::remove, permanent);
    world.lead();
    world.run_for(1s);
    BOOST_TEST(world.events() == events);
    BOOST_TEST(world.runs() == "copy started under 0, copy failed");
  }
}

// Option dangling-on: an unchecked error.
BOOST_AUTO_TEST_CASE(an_unchecked_error_sets_dangling_only_with_any_error) {
  using DanglingOn = KipDanglingOptions::DanglingOn;
  const std::map<DanglingOn, std::string> expected{
      {DanglingOn::storage_error, "CS 0, copy 0"},
      {DanglingOn::any_error, "CS 0, copy 0, DANGLING 0, DS 0, delete 0, DF 0"},
      {DanglingOn::also_failed_finish, "CS 0, copy 0, DANGLING 0, DS 0, delete 0, DF 0"}};
  for (const auto& [option, events] : expected) {
    TaskWorld world{kip({.dangling_on = option})};
    run_one_copy(world, unchecked);
    BOOST_TEST(world.events() == events);
  }
}

// Option dangling-on: a lost COPY_SEGMENT_FINISHED; had the record landed, CF -> DANGLING is illegal and dropped.
BOOST_AUTO_TEST_CASE(a_failed_finish_sets_dangling_only_with_also_failed_finish) {
  TaskWorld plain{kip({.dangling_on = KipDanglingOptions::DanglingOn::any_error})};
  plain.answer(Call::finished, refused);
  run_one_copy(plain, ok);
  BOOST_TEST(plain.events() == "CS 0, copy 0, CF 0");

  TaskWorld also{kip({.dangling_on = KipDanglingOptions::DanglingOn::also_failed_finish})};
  also.answer(Call::finished, refused);
  run_one_copy(also, ok);
  BOOST_TEST(also.events() == "CS 0, copy 0, CF 0, DANGLING 0, DS 0, delete 0, DF 0");

  TaskWorld landed{kip({.dangling_on = KipDanglingOptions::DanglingOn::also_failed_finish})};
  landed.answer(Call::finished, timed_out);
  run_one_copy(landed, ok);
  BOOST_TEST(landed.events() == "CS 0, copy 0, CF 0, DANGLING 0, dropped DANGLING 0");
}

// Readings 3.3: publishing DANGLING fails: COPY_SEGMENT_STARTED stays, and no sweep will see it.
BOOST_AUTO_TEST_CASE(a_dangling_that_cannot_be_published_leaves_the_copy_started) {
  TaskWorld world{kip()};
  world.answer(Call::dangling, refused);
  run_one_copy(world, permanent);
  world.run_for(300s);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0, CS 1, copy 1, CF 1");
  BOOST_TEST(world.cache().count(copy_segment_started) == 1);
}

// Option publish-when-cancelled, default: the guard of 4.0. No sweep either.
BOOST_AUTO_TEST_CASE(a_cancelled_task_publishes_no_dangling) {
  TaskWorld world{kip()};
  run_one_copy(world, parked);
  world.manager().become_follower(partition0);
  world.run_for(100s);
  BOOST_TEST(world.events() == "CS 0, copy 0");
  BOOST_TEST(world.branches() == "dangling-skipped-when-cancelled");
}

// Option publish-when-cancelled=yes: the record usually lands, and the next leader's first sweep removes it (C20).
BOOST_AUTO_TEST_CASE(a_cancelled_task_may_publish_dangling_for_the_next_leader) {
  TaskWorld world{kip({.publish_when_cancelled = true})};
  run_one_copy(world, parked);
  world.manager().become_follower(partition0);
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0");
  world.manager().become_leader(partition0, model::LeaderEpoch{1}, 0s, 15s);
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1, DS 0, delete 0, DF 0");
}

// Readings 3.3: where the plug-in did not take the interrupt, get() throws although the record is sent, and the run
// ends as interrupted.
BOOST_AUTO_TEST_CASE(an_interrupt_that_is_left_meets_the_dangling_of_a_cancelled_task_whose_record_is_sent) {
  TaskWorldSettings settings = kip({.publish_when_cancelled = true});
  settings.on_interrupt = OnInterrupt::goes_on;
  TaskWorld world{settings};
  run_one_copy(world, parked);
  world.manager().become_follower(partition0);
  world.release(Call::copy, permanent);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy interrupted");
  BOOST_TEST(world.cache().count(dangling) == 1);
}

// Options publish-when-cancelled and retention-failure: the expiration task is cancelled like the copy task.
BOOST_AUTO_TEST_CASE(a_cancelled_retention_delete_that_fails_is_dangling_only_with_publish_when_cancelled) {
  for (const auto& [publishes, events] : {std::pair{false, ""}, std::pair{true, "DANGLING 0"}}) {
    TaskWorld world{kip({.publish_when_cancelled = publishes})};
    world.start_log_at(20);
    world.topic_options().retention_time = 1s;
    world.add_copy(0, 9, copy_segment_finished);
    world.add_copy(10, 19, copy_segment_finished, {}, model::time_never - 10s);
    world.answer(Call::remove, parked);
    world.lead();
    world.run_for(15s);
    BOOST_TEST(world.events() == "raise 10, DS 0, delete 0");
    world.manager().become_follower(partition0);
    world.run_for(1s);
    BOOST_TEST(world.events() == events);
  }
}

// The sweep looks between segments whether it is cancelled.
BOOST_AUTO_TEST_CASE(a_cancelled_sweep_stops_between_two_copies) {
  TaskWorld world{[] {
    TaskWorldSettings settings = kip();
    settings.on_interrupt = OnInterrupt::goes_on;
    return settings;
  }()};
  world.add_copy(0, 9, dangling);
  world.add_copy(0, 9, dangling);
  world.answer(Call::remove, parked);
  world.lead();
  world.run_for(1s);
  world.manager().become_follower(partition0);
  world.release(Call::remove);
  // The interrupt meets the wait of DF, whose record is sent all the same.
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy interrupted");
  BOOST_TEST(world.cache().count(dangling) == 1);
}

// C11: DANGLING, and then no sweep on this leader any more.
BOOST_AUTO_TEST_CASE(oversized_custom_metadata_is_dangling_until_a_new_leader_sweeps) {
  TaskWorld world{kip()};
  run_one_copy(world, oversized);
  world.run_for(300s);
  BOOST_TEST(world.events() == "CS 0, copy 0, DANGLING 0");
  world.manager().become_follower(partition0);
  world.manager().become_leader(partition0, model::LeaderEpoch{1}, 0s, 15s);
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1, DS 0, delete 0, DF 0");
}

// Option retention-failure.
BOOST_AUTO_TEST_CASE(a_failed_retention_delete_is_dangling_or_stays) {
  using RetentionFailure = KipDanglingOptions::RetentionFailure;
  const std::map<RetentionFailure, std::string> expected{
      {RetentionFailure::dangling, "raise 10, DS 0, delete 0, DANGLING 0"},
      {RetentionFailure::stays, "raise 10, DS 0, delete 0"}};
  for (const auto& [option, events] : expected) {
    TaskWorld world{kip({.retention_failure = option})};
    world.start_log_at(20);
    world.topic_options().retention_time = 1s;
    world.add_copy(0, 9, copy_segment_finished);
    world.add_copy(10, 19, copy_segment_finished, {}, model::time_never - 10s);
    world.answer(Call::remove, permanent);
    world.lead();
    world.run_for(15s);
    BOOST_TEST(world.events() == events);
    BOOST_TEST(world.runs() == "copy started under 0, copy done, expiration started under 0, expiration failed");
  }
}

// Option base: rules of 3.9, transitions of the KIP.
BOOST_AUTO_TEST_CASE(the_base_decides_all_that_the_kip_does_not_change) {
  const auto on_4_0 = model::make_kip_dangling({});
  BOOST_TEST(on_4_0->rules().retry_delete_started);
  BOOST_TEST(on_4_0->rules().ready_gate);
  model::PolicyOptions options;
  options.kip_dangling.base = KipDanglingOptions::Base::kafka_3_9;
  const auto on_3_9 = model::make_kip_dangling(options);
  BOOST_TEST(!on_3_9->rules().retry_delete_started);
  BOOST_TEST((on_3_9->rules().size_filter == model::SizeFilter::finished_and_deleting));
  BOOST_TEST((on_3_9->transitions() == model::TransitionTable::kip));
  const auto on_4_3 = model::make_kip_dangling({.kip_dangling = {.base = KipDanglingOptions::Base::kafka_4_3}});
  BOOST_TEST(on_4_3->rules().time_breach_is_strict);
  BOOST_TEST((on_4_3->transitions() == model::TransitionTable::kip));
}

// Readings 3.3: a retriable error sets DANGLING on 4.0's rules; on 4.3's it is no failure, and the sweep sees nothing.
// Of a sweep's own delete it is one on either.
BOOST_AUTO_TEST_CASE(on_4_3_a_retriable_error_of_a_copy_leaves_it_as_it_is) {
  TaskWorld world{kip({.base = KipDanglingOptions::Base::kafka_4_3})};
  run_one_copy(world, retriable);
  BOOST_TEST(world.events() == "CS 0, copy 0");
  world.run_for(60s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1");
  TaskWorld sweeping{kip({.base = KipDanglingOptions::Base::kafka_4_3})};
  sweeping.answer(Call::remove, retriable);
  run_one_copy(sweeping, permanent);
  BOOST_TEST(sweeping.events() == "CS 0, copy 0, DANGLING 0, DS 0, delete 0, DANGLING 0");
}

// readings 3.3: the keys and values as files spell them.
BOOST_AUTO_TEST_CASE(every_option_has_a_row) {
  std::set<std::string_view> keys;
  const auto row = [&](std::string_view key, auto, model::Unit, model::Range, std::string_view) { keys.insert(key); };
  KipDanglingOptions::describe(row);
  const std::set<std::string_view> expected{"base",
                                            "sweep",
                                            "sweep-on-delete-failure",
                                            "dangling-on",
                                            "publish-when-cancelled",
                                            "retention-failure",
                                            "expiration",
                                            "encoding",
                                            "feature-gate"};
  BOOST_TEST(keys == expected, boost::test_tools::per_element());
  BOOST_TEST(enum_names(KipDanglingOptions::Expiration{})[2] == "delete");
  BOOST_TEST(enum_names(KipDanglingOptions::DanglingOn{})[2] == "also-failed-finish");
  BOOST_TEST(enum_names(KipDanglingOptions::Encoding{})[1] == "tagged");
  BOOST_TEST(enum_names(KipDanglingOptions::FeatureGate{})[1] == "finalized");
}

BOOST_AUTO_TEST_SUITE_END()

// Readings 3.8.
BOOST_AUTO_TEST_SUITE(kip_dangling_gauges)

BOOST_AUTO_TEST_CASE(follow_each_transition_and_are_reported_only_when_they_change) {
  TaskWorld world{kip()};
  world.answer(Call::remove, permanent);
  run_one_copy(world, permanent);
  BOOST_TEST(world.gauges() == "1 of 100 B, 0 of 0 B, 1 of 100 B");
  world.run_for(30s);
  BOOST_TEST(world.gauges() == "0 of 0 B");
}

BOOST_AUTO_TEST_CASE(are_removed_on_becoming_a_follower_and_not_brought_back_by_what_still_runs) {
  TaskWorld world{kip({.publish_when_cancelled = true})};
  world.add_copy(0, 9, dangling);
  world.answer(Call::remove, parked);
  world.lead();
  world.run_for(1s);
  world.manager().become_follower(partition0);
  BOOST_TEST(world.gauges() == "1 of 100 B, 0 of 0 B");
  world.run_for(1s);
  BOOST_TEST(world.cache().count(dangling) == 1);
  BOOST_TEST(world.gauges() == "");
}

BOOST_AUTO_TEST_CASE(show_at_the_start_of_a_run_what_others_wrote) {
  TaskWorld world{kip({.expiration = KipDanglingOptions::Expiration::delete_it})};
  world.lead(1s);
  world.run_for(1s);
  world.add_copy(0, 9, dangling);
  world.manager().changed(partition0);
  world.answer(Call::delete_started, parked);
  world.run_for(29s);
  BOOST_TEST(world.gauges() == "1 of 100 B");
}

BOOST_AUTO_TEST_CASE(are_never_set_by_kafkas_policies) {
  TaskWorld world;
  run_one_copy(world, permanent);
  world.manager().become_follower(partition0);
  BOOST_TEST(world.gauges() == "");
}

BOOST_AUTO_TEST_SUITE_END()

// Readings 2.6, 2.7: what happens between sweep and expiration task.
BOOST_AUTO_TEST_SUITE(kip_dangling_and_expiration)

/// A world with one DANGLING copy whose sweep waits in its delete: the cache says DELETE_SEGMENT_STARTED.
TaskWorldSettings no_settings() { return kip(); }
struct ParkedSweep {
  ParkedSweep() : world(no_settings()) {
    world.add_copy(0, 9, dangling);
    world.answer(Call::remove, parked);
    world.lead();
    world.run_for(1s);
    BOOST_TEST(world.events() == "DS 0, delete 0");
  }
  TaskWorld world;
};

BOOST_AUTO_TEST_CASE(both_delete_what_the_sweep_has_begun) {
  ParkedSweep sweep;
  sweep.world.tick(TaskKind::expiration);
  BOOST_TEST(sweep.world.events() == "DS 0, delete 0, DF 0");
  sweep.world.release(Call::remove);
  BOOST_TEST(sweep.world.events() == "DF 0, dropped DF 0");
}

// The worse interleaving: no bytes are left, the metadata says DANGLING, both callers saw success; the next sweep
// repairs it.
BOOST_AUTO_TEST_CASE(a_finished_delete_is_dropped_after_the_sweeps_dangling_and_the_next_sweep_repairs_it) {
  ParkedSweep sweep;
  TaskWorld& world = sweep.world;
  world.answer(Call::delete_finished, parked);
  world.tick(TaskKind::expiration);
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0");
  world.release(Call::remove, permanent);
  BOOST_TEST(world.events() == "DANGLING 0");
  world.release(Call::delete_finished);
  BOOST_TEST(world.events() == "dropped DF 0");
  BOOST_TEST(world.runs() == "copy started under 0, expiration started under 0, copy done, expiration done");
  BOOST_TEST(world.cache().count(dangling) == 1);
  world.run_for(30s);
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0");
}

// Option expiration, on a DANGLING copy that is due: as-any takes it and moves the log start behind it (F10).
BOOST_AUTO_TEST_CASE(a_due_dangling_copy_is_met_as_the_option_says) {
  using Expiration = KipDanglingOptions::Expiration;
  const std::map<Expiration, std::string> expected{{Expiration::as_any, "raise 10, DS 0, delete 0, DF 0"},
                                                   {Expiration::skip, ""},
                                                   {Expiration::delete_it, "DS 0, delete 0, DF 0"}};
  for (const auto& [option, events] : expected) {
    TaskWorld world{kip({.expiration = option})};
    world.start_log_at(20);
    world.topic_options().retention_time = 1s;
    world.add_copy(0, 9, dangling);
    world.manager().become_leader(partition0, model::LeaderEpoch{0}, 3600s, 15s);
    world.run_for(15s);
    BOOST_TEST(world.events() == events);
  }
}

// Option expiration, on a retained DANGLING copy before an expired one: as-any stops there like at any retained copy.
BOOST_AUTO_TEST_CASE(a_retained_dangling_copy_stops_the_walk_only_with_as_any) {
  using Expiration = KipDanglingOptions::Expiration;
  const std::map<Expiration, std::string> expected{
      {Expiration::as_any, ""},
      {Expiration::skip, "raise 20, DS 1, delete 1, DF 1"},
      {Expiration::delete_it, "raise 20, DS 0, delete 0, DF 0, DS 1, delete 1, DF 1"}};
  for (const auto& [option, events] : expected) {
    TaskWorld world{kip({.expiration = option})};
    world.start_log_at(30);
    world.topic_options().retention_time = 10s;
    world.add_copy(0, 9, dangling, {}, model::time_start + 3600s);
    world.add_copy(10, 19, copy_segment_finished);
    world.add_copy(20, 29, copy_segment_finished, {}, model::time_start + 3600s);
    world.manager().become_leader(partition0, model::LeaderEpoch{0}, 3600s, 15s);
    world.run_for(15s);
    BOOST_TEST(world.events() == events);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
