// Leftovers: which fault at which step left a copy, who removed it, and who will.
#include <boost/test/unit_test.hpp>

#include "tests/support/observer_support.h"

namespace tests {
namespace {

using sim::Leftover;
using sim::Remover;
using enum model::RemoteLogSegmentState;
using enum model::TaskStep;

constexpr sim::FaultIndex fault_3{3};
constexpr sim::FaultIndex fault_4{4};

/// The one leftover of a world at its end.
Leftover finish(FakeWorld& world) {
  world.ledger.finish();
  BOOST_REQUIRE(world.ledger.leftovers().size() == 1);
  return world.ledger.leftovers().front();
}

/// A copy that failed with all its bytes stored and that nobody holds any longer.
const RemoteLogSegment& abandoned(FakeWorld& world, Offset start, Offset end,
                                  SimTime max_timestamp = model::time_start) {
  const auto& copy = world.new_copy(start, end, max_timestamp);
  world.enter(copy, copy_publish_started);
  world.publish(copy, copy_segment_started, copy_publish_started);
  world.enter(copy, copy_upload);
  world.store_all(copy);
  world.copy_failed(copy, fault_3);
  world.leave(copy);
  return copy;
}

void sweep(FakeWorld& world, const RemoteLogSegment& copy) {
  world.enter(copy, sweep_publish_started);
  world.publish(copy, delete_segment_started, sweep_publish_started);
  world.enter(copy, sweep_delete);
  world.remove_all(copy);
  world.enter(copy, sweep_publish_finished);
  world.publish(copy, delete_segment_finished, sweep_publish_finished);
  world.leave(copy);
}

void retain(FakeWorld& world, const RemoteLogSegment& copy) {
  world.enter(copy, retention_publish_started);
  world.publish(copy, delete_segment_started, retention_publish_started);
  world.enter(copy, retention_delete);
  world.remove_all(copy);
  world.leave(copy, TaskKind::expiration);
}

BOOST_AUTO_TEST_SUITE(ledger_leftovers)

BOOST_AUTO_TEST_CASE(a_world_without_failures_leaves_none) {
  FakeWorld world;
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.ledger.finish();
  BOOST_TEST(world.ledger.leftovers().empty());
}

BOOST_AUTO_TEST_CASE(a_failed_upload_names_its_fault_step_and_state) {
  FakeWorld world;
  world.at(5s);
  abandoned(world, 0_offset, 99_offset);
  const Leftover row = finish(world);
  BOOST_TEST(row.bytes == 100_MiB);
  BOOST_TEST(row.became_garbage == SimTime{5s});
  BOOST_TEST(row.fault.value() == 3U);
  BOOST_TEST(row.step == copy_upload);
  BOOST_TEST(row.state == copy_segment_started);
  BOOST_TEST(!row.reclaimed);
}

BOOST_AUTO_TEST_CASE(a_crash_names_itself) {
  FakeWorld world;
  world.uploading(0_offset, 99_offset, 10_MiB);
  world.crash(broker_1, fault_4);
  const Leftover row = finish(world);
  BOOST_TEST(row.fault.value() == 4U);
  BOOST_TEST(row.step == copy_upload);
}

BOOST_AUTO_TEST_CASE(a_failed_publish_names_itself) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 100_MiB);
  world.enter(copy, copy_publish_finished);
  world.publish_failed(copy, copy_segment_finished, fault_4);
  world.leave(copy);
  const Leftover row = finish(world);
  BOOST_TEST(row.fault.value() == 4U);
  BOOST_TEST(row.step == copy_publish_finished);
}

BOOST_AUTO_TEST_CASE(a_late_write_names_the_fault_that_made_it_late) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 0_MiB);
  world.publish(copy, delete_segment_started);
  world.publish(copy, delete_segment_finished);
  world.leave(copy);
  world.change_bytes(copy, 100_MiB, sim::StoredAs::object, fault_4);
  const Leftover row = finish(world);
  BOOST_TEST(row.fault.value() == 4U);
  BOOST_TEST(row.state == delete_segment_finished);
  BOOST_TEST(row.due_by == Remover::none);
}

// An upload's fault made it garbage, which a sweep would have taken; that it is never freed is the delete's doing.
BOOST_AUTO_TEST_CASE(what_outlives_its_entry_names_the_delete_that_did_nothing) {
  FakeWorld world;
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.enter(copy, sweep_publish_started);
  world.publish(copy, delete_segment_started, sweep_publish_started);
  world.enter(copy, sweep_delete);
  world.emit(sim::StoreRequestEnded{&copy, broker_1, TaskKind::copy, sim::StoreOperation::remove, sim::ObjectKind::log,
                                    model::time_start, copy.size, sim::CallResult::ok, fault_4});
  world.enter(copy, sweep_publish_finished);
  world.publish(copy, delete_segment_finished, sweep_publish_finished);
  world.leave(copy);
  const Leftover row = finish(world);
  BOOST_TEST(row.fault.value() == 4U);
  BOOST_TEST(row.step == copy_upload);
}

BOOST_AUTO_TEST_CASE(a_failed_retention_delete_names_its_step) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.at(2h);
  world.enter(copy, retention_publish_started);
  world.publish(copy, delete_segment_started);
  world.enter(copy, retention_delete);
  world.delete_failed(copy, TaskKind::expiration, fault_4);
  world.leave(copy, TaskKind::expiration);
  const Leftover row = finish(world);
  BOOST_TEST(row.fault.value() == 4U);
  BOOST_TEST(row.step == retention_delete);
  BOOST_TEST(row.state == delete_segment_started);
}

BOOST_AUTO_TEST_CASE(what_the_clean_up_removed_was_garbage_for_a_moment) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 60_MiB);
  world.copy_failed(copy);
  world.enter(copy, clean_up_decided);
  world.publish(copy, delete_segment_started);
  world.enter(copy, clean_up_delete);
  world.remove_all(copy);
  world.publish(copy, delete_segment_finished);
  world.leave(copy);
  const Leftover row = finish(world);
  BOOST_TEST(row.bytes == 60_MiB);
  BOOST_TEST(row.reclaimed == model::time_start);
  BOOST_TEST(row.reclaimed_by == Remover::clean_up);
}

BOOST_AUTO_TEST_CASE(what_a_sweep_removed_says_so) {
  FakeWorld world{{.policy = "kip-dangling"}};
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.publish(copy, dangling);
  world.at(30s);
  sweep(world, copy);
  const Leftover row = finish(world);
  BOOST_TEST(row.reclaimed == SimTime{30s});
  BOOST_TEST(row.reclaimed_by == Remover::sweep);
}

BOOST_AUTO_TEST_CASE(an_entry_that_the_walk_takes_as_it_is_goes_by_expiration) {
  FakeWorld world{{.policy = "kafka-4.0"}};
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.publish(copy, delete_segment_started);
  retain(world, copy);
  BOOST_TEST(finish(world).reclaimed_by == Remover::expiration);
}

BOOST_AUTO_TEST_CASE(an_entry_that_a_rule_chose_goes_by_retention) {
  FakeWorld world{{.policy = "kafka-3.9"}};
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.publish(copy, delete_segment_started);
  retain(world, copy);
  BOOST_TEST(finish(world).reclaimed_by == Remover::retention);
}

BOOST_AUTO_TEST_CASE(bytes_that_go_after_their_task_died_went_by_its_delete) {
  FakeWorld world{{.policy = "kip-dangling"}};
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.publish(copy, dangling);
  world.enter(copy, sweep_publish_started);
  world.publish(copy, delete_segment_started);
  world.enter(copy, sweep_delete);
  world.crash(broker_1);
  world.remove_all(copy);
  BOOST_TEST(finish(world).reclaimed_by == Remover::sweep);
}

BOOST_AUTO_TEST_CASE(a_copy_whose_record_landed_late_was_reclaimed_by_nobody) {
  FakeWorld world;
  world.roll(100);
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.at(9s);
  world.publish(copy, copy_segment_finished);
  const Leftover row = finish(world);
  BOOST_TEST(row.reclaimed == SimTime{9s});
  BOOST_TEST(row.reclaimed_by == Remover::none);
  BOOST_TEST(world.of(sim::ByteClass::live) == 100_MiB);
}

// The row is the copy's only one, and tells of the last time.
BOOST_AUTO_TEST_CASE(a_copy_that_becomes_garbage_again_keeps_its_one_row) {
  FakeWorld world;
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.at(9s);
  world.publish(copy, copy_segment_finished);
  world.at(12s);
  world.publish(copy, delete_segment_started);
  const Leftover row = finish(world);
  BOOST_TEST(row.became_garbage == SimTime{12s});
  BOOST_TEST(!row.reclaimed);
}

BOOST_AUTO_TEST_CASE(a_ghost_has_a_row_of_no_bytes_until_its_entry_ends) {
  FakeWorld world{{.policy = "kip-dangling"}};
  const auto& copy = world.uploading(0_offset, 99_offset, 0_MiB);
  world.copy_failed(copy, fault_3);
  world.publish(copy, dangling);
  world.leave(copy);
  world.at(30s);
  world.enter(copy, sweep_publish_started);
  world.leave(copy);
  world.at(60s);
  sweep(world, copy);
  const Leftover row = finish(world);
  BOOST_TEST(row.bytes == 0_MiB);
  BOOST_TEST(row.became_garbage == model::time_start);
  BOOST_TEST(row.reclaimed == SimTime{60s});
  BOOST_TEST(row.reclaimed_by == Remover::sweep);
}

BOOST_AUTO_TEST_CASE(the_entry_that_a_clean_up_left_without_bytes_does_not_open_its_row_again) {
  FakeWorld world{{.policy = "kafka-3.9"}};
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.enter(copy, clean_up_delete);
  world.remove_all(copy);
  world.leave(copy);
  BOOST_TEST(world.ledger.totals().ghost_count == 1);
  BOOST_TEST(finish(world).reclaimed.has_value());
}

BOOST_AUTO_TEST_CASE(rows_are_ordered_by_when_they_became_garbage_then_by_number) {
  FakeWorld world;
  const auto& first = world.uploading(0_offset, 99_offset, 1_MiB);
  const auto& second = world.uploading(100_offset, 199_offset, 1_MiB);
  const auto& third = world.uploading(200_offset, 299_offset, 1_MiB);
  world.copy_failed(third);
  world.at(1s);
  world.copy_failed(second);
  world.copy_failed(first);
  world.ledger.finish();
  const auto& rows = world.ledger.leftovers();
  BOOST_REQUIRE(rows.size() == 3);
  BOOST_TEST(rows[0].segment->number == third.number);
  BOOST_TEST(rows[1].segment->number == first.number);
  BOOST_TEST(rows[2].segment->number == second.number);
}

// What will remove what is left.

BOOST_AUTO_TEST_CASE(the_sweep_will_take_a_dangling_copy_with_its_next_run) {
  FakeWorld world{{.policy = "kip-dangling", .retention_time = 24h}};
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.publish(copy, dangling);
  world.at(10s);
  const Leftover row = finish(world);
  BOOST_TEST(row.state == dangling);
  BOOST_TEST(row.due_by == Remover::sweep);
  BOOST_TEST(row.due == SimTime{40s});
  BOOST_TEST(world.ledger.garbage_never() == 0_MiB);
}

BOOST_AUTO_TEST_CASE(a_stuck_copy_of_a_dead_attempt_waits_for_time_retention) {
  FakeWorld world{{.policy = "kip-dangling", .retention_time = 24h}};
  world.roll(100);
  abandoned(world, 0_offset, 99_offset, SimTime{10s});
  world.roll(1);
  const Leftover row = finish(world);
  BOOST_TEST(row.due_by == Remover::retention);
  BOOST_TEST(row.due == SimTime{24h + 10s});
  BOOST_TEST(world.ledger.last_due() == SimTime{24h + 10s});
}

BOOST_AUTO_TEST_CASE(what_lies_behind_younger_copies_waits_for_them) {
  FakeWorld world{{.retention_time = 24h}};
  for (int i = 0; i < 3; ++i) world.roll(100);
  world.copied(0_offset, 99_offset, SimTime{1h});
  world.copied(100_offset, 199_offset, SimTime{3h});
  const auto& copy = abandoned(world, 200_offset, 299_offset, SimTime{2h});
  world.publish(copy, delete_segment_started);
  world.roll(1);
  const Leftover row = finish(world);
  // Kafka 4.0 takes it as soon as the walk comes by, and the walk comes by when both before it have expired.
  BOOST_TEST(row.due_by == Remover::expiration);
  BOOST_TEST(row.due == SimTime{27h});
}

BOOST_AUTO_TEST_CASE(what_nothing_retained_precedes_goes_with_the_next_run) {
  FakeWorld world{{.policy = "kafka-4.0"}};
  world.roll(100);
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.publish(copy, delete_segment_started);
  world.roll(1);
  const Leftover row = finish(world);
  BOOST_TEST(row.due_by == Remover::expiration);
  BOOST_TEST(row.due == SimTime{30s});
}

BOOST_AUTO_TEST_CASE(unlimited_retention_never_reaches_what_is_left) {
  FakeWorld world{{.policy = "kafka-4.0"}};
  world.roll(100);
  world.roll(100);
  world.copied(0_offset, 99_offset);
  const auto& copy = abandoned(world, 100_offset, 199_offset);
  world.publish(copy, delete_segment_started);
  world.roll(1);
  const Leftover row = finish(world);
  BOOST_TEST(row.due_by == Remover::none);
  BOOST_TEST(!row.due);
  BOOST_TEST(world.ledger.garbage_never() == 100_MiB);
  BOOST_TEST(!world.ledger.last_due());
}

BOOST_AUTO_TEST_CASE(what_the_log_start_has_passed_goes_with_the_next_run) {
  FakeWorld world{{.policy = "kafka-3.9"}};
  world.roll(100);
  world.roll(100);
  abandoned(world, 0_offset, 99_offset);
  world.raise_log_start(100_offset);
  const Leftover row = finish(world);
  BOOST_TEST(row.due_by == Remover::retention);
  BOOST_TEST(row.due == SimTime{30s});
}

BOOST_AUTO_TEST_CASE(what_the_leaders_history_never_knew_is_never_reached) {
  FakeWorld world{{.brokers = 2, .retention_time = 24h}};
  world.roll(100);
  world.lead(broker_2, 1);
  world.roll(100);
  const auto& copy = world.new_copy(100_offset, 199_offset, model::time_start, epochs({{0, 100}}));
  world.publish(copy, copy_segment_started);
  world.store_all(copy);
  const Leftover row = finish(world);
  BOOST_TEST(row.due_by == Remover::none);
}

BOOST_AUTO_TEST_CASE(parts_of_a_cut_upload_stay_for_ever) {
  FakeWorld world{{.retention_time = 24h}};
  world.roll(100);
  const auto& copy = world.uploading(0_offset, 99_offset, 0_MiB);
  world.change_bytes(copy, 8_MiB, sim::StoredAs::parts);
  world.copy_failed(copy);
  world.leave(copy);
  world.roll(1);
  const Leftover row = finish(world);
  BOOST_TEST(row.due_by == Remover::none);
  BOOST_TEST(world.ledger.garbage_never() == 8_MiB);
}

BOOST_AUTO_TEST_CASE(a_skipping_walk_leaves_a_dangling_copy_to_the_sweep_alone) {
  FakeWorld world{{.policy = "kip-dangling",
                   .kip = {.expiration = model::KipDanglingOptions::Expiration::skip},
                   .retention_time = 24h}};
  world.roll(100);
  const auto& copy = abandoned(world, 0_offset, 99_offset);
  world.publish(copy, dangling);
  world.roll(1);
  world.down.insert(broker_1);
  BOOST_TEST(finish(world).due_by == Remover::none);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
