// Where each stored byte belongs: the table of classes, row by row, and its boundaries.
#include <boost/test/unit_test.hpp>

#include "tests/support/observer_support.h"

namespace tests {
namespace {

using sim::ByteClass;
using enum model::RemoteLogSegmentState;
using enum model::TaskStep;

BOOST_AUTO_TEST_SUITE(ledger_classes)

BOOST_AUTO_TEST_CASE(an_upload_that_goes_on_is_in_flight) {
  FakeWorld world;
  world.uploading(0_offset, 99_offset, 60_MiB);
  BOOST_TEST(world.of(ByteClass::in_flight) == 60_MiB);
  BOOST_TEST(world.ledger.totals().waste() == 0_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(an_upload_that_succeeded_stays_in_flight_until_its_record_applies) {
  FakeWorld world;
  world.roll(100);
  const auto& copy = world.uploading(0_offset, 99_offset, 100_MiB);
  world.enter(copy, copy_publish_finished);
  BOOST_TEST(world.of(ByteClass::in_flight) == 100_MiB);
  world.publish(copy, copy_segment_finished);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  world.leave(copy);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_zombie_that_uploads_keeps_its_bytes_in_flight) {
  FakeWorld world{{.brokers = 2}};
  world.roll(100);
  world.uploading(0_offset, 99_offset, 60_MiB);
  world.lead(broker_2, 1);
  BOOST_TEST(world.of(ByteClass::in_flight) == 60_MiB);
}

BOOST_AUTO_TEST_CASE(what_a_failed_upload_left_is_stuck_once_its_task_lets_it_go) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 60_MiB);
  world.copy_failed(copy);
  world.leave(copy);
  BOOST_TEST(world.of(ByteClass::stuck) == 60_MiB);
  BOOST_TEST(world.ledger.totals().garbage() == 60_MiB);
  BOOST_TEST(world.ledger.totals().garbage_count == 1);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(what_a_crash_interrupted_is_stuck_at_once) {
  FakeWorld world{{.brokers = 2}};
  world.uploading(0_offset, 99_offset, 60_MiB);
  world.uploading(100_offset, 199_offset, 10_MiB, broker_2);
  world.crash(broker_1);
  BOOST_TEST(world.of(ByteClass::stuck) == 60_MiB);
  BOOST_TEST(world.of(ByteClass::in_flight) == 10_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_failed_copy_that_its_task_cleans_up_is_garbage_being_deleted) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 60_MiB);
  world.copy_failed(copy);
  BOOST_TEST(world.of(ByteClass::deleting) == 60_MiB);
  for (const auto step : {clean_up_decided, clean_up_publish_started}) {
    world.enter(copy, step);
    BOOST_TEST(world.of(ByteClass::deleting) == 60_MiB);
  }
  world.publish(copy, delete_segment_started);
  for (const auto step : {clean_up_delete, clean_up_publish_finished}) {
    world.enter(copy, step);
    BOOST_TEST(world.ledger.totals().deleting_failed == 60_MiB);
  }
  world.leave(copy);
  BOOST_TEST(world.of(ByteClass::stuck) == 60_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(an_oversized_copy_that_is_rolled_back_is_garbage_though_its_upload_succeeded) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 100_MiB);
  world.enter(copy, clean_up_decided);
  BOOST_TEST(world.ledger.totals().deleting_failed == 100_MiB);
}

BOOST_AUTO_TEST_CASE(a_copy_is_dangling_while_its_task_says_so_and_after_it) {
  FakeWorld world{{.policy = "kip-dangling"}};
  const auto& copy = world.uploading(0_offset, 99_offset, 60_MiB);
  world.copy_failed(copy);
  world.enter(copy, publish_dangling);
  BOOST_TEST(world.of(ByteClass::dangling) == 60_MiB);
  world.publish(copy, dangling);
  BOOST_TEST(world.of(ByteClass::dangling) == 60_MiB);
  world.leave(copy);
  BOOST_TEST(world.of(ByteClass::dangling) == 60_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_sweep_deletes_garbage_from_when_its_record_applies_until_it_says_that_it_failed) {
  FakeWorld world{{.policy = "kip-dangling"}};
  const auto& copy = world.uploading(0_offset, 99_offset, 60_MiB);
  world.copy_failed(copy);
  world.publish(copy, dangling);
  world.leave(copy);
  world.enter(copy, sweep_publish_started);
  BOOST_TEST(world.of(ByteClass::dangling) == 60_MiB);
  world.publish(copy, delete_segment_started);
  BOOST_TEST(world.of(ByteClass::deleting) == 60_MiB);
  world.enter(copy, sweep_delete);
  BOOST_TEST(world.ledger.totals().deleting_failed == 60_MiB);
  world.enter(copy, sweep_publish_dangling);
  BOOST_TEST(world.of(ByteClass::dangling) == 60_MiB);
  world.publish(copy, dangling);
  world.leave(copy);
  BOOST_TEST(world.of(ByteClass::dangling) == 60_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_dangling_copy_that_somebody_else_deletes_is_being_deleted) {
  FakeWorld world{{.policy = "kip-dangling"}};
  const auto& copy = world.uploading(0_offset, 99_offset, 60_MiB);
  world.enter(copy, retention_publish_started);
  world.publish(copy, dangling);
  world.leave(copy);
  BOOST_TEST(world.of(ByteClass::dangling) == 60_MiB);
  world.enter(copy, retention_delete);
  BOOST_TEST(world.ledger.totals().deleting_failed == 60_MiB);
}

BOOST_AUTO_TEST_CASE(a_first_retention_delete_is_waste_and_no_garbage) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.at(2h);
  world.enter(copy, retention_publish_started);
  BOOST_TEST(world.of(ByteClass::deleting) == 100_MiB);
  world.publish(copy, delete_segment_started);
  world.enter(copy, retention_delete);
  BOOST_TEST(world.of(ByteClass::deleting) == 100_MiB);
  BOOST_TEST(world.ledger.totals().garbage() == 0_MiB);
  BOOST_TEST(world.ledger.totals().waste() == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_second_retention_delete_is_garbage) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.at(2h);
  world.enter(copy, retention_publish_started);
  world.publish(copy, delete_segment_started);
  world.enter(copy, retention_delete);
  world.delete_failed(copy, TaskKind::expiration);
  world.leave(copy, TaskKind::expiration);
  BOOST_TEST(world.of(ByteClass::stuck) == 100_MiB);
  world.enter(copy, retention_publish_started);
  BOOST_TEST(world.ledger.totals().deleting_failed == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_second_task_that_deletes_what_another_one_deletes_makes_it_garbage) {
  FakeWorld world{{.brokers = 2, .retention_time = 1h}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.at(2h);
  world.enter(copy, retention_publish_started);
  world.publish(copy, delete_segment_started);
  world.enter(copy, retention_delete);
  world.enter(copy, retention_publish_started, broker_2);
  BOOST_TEST(world.ledger.totals().deleting_failed == 100_MiB);
}

BOOST_AUTO_TEST_CASE(a_retention_delete_of_a_stuck_copy_is_garbage_at_its_first_attempt) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 60_MiB);
  world.crash(broker_1);
  world.enter(copy, retention_publish_started);
  BOOST_TEST(world.ledger.totals().deleting_failed == 60_MiB);
}

BOOST_AUTO_TEST_CASE(a_failed_retention_delete_is_dangling_where_the_policy_says_so) {
  FakeWorld world{{.policy = "kip-dangling", .retention_time = 1h}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.at(2h);
  world.enter(copy, retention_publish_started);
  world.publish(copy, delete_segment_started);
  world.enter(copy, retention_delete);
  world.enter(copy, retention_publish_dangling);
  BOOST_TEST(world.of(ByteClass::dangling) == 100_MiB);
  BOOST_TEST(world.ledger.totals().garbage() == 100_MiB);
}

BOOST_AUTO_TEST_CASE(what_lands_after_the_end_of_its_entry_is_an_orphan) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 0_MiB);
  world.publish(copy, delete_segment_started);
  world.publish(copy, delete_segment_finished);
  world.leave(copy);
  world.change_bytes(copy, 100_MiB);
  BOOST_TEST(world.of(ByteClass::orphan) == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(bytes_that_no_entry_names_are_an_orphan_even_while_a_task_holds_them) {
  FakeWorld world;
  const auto& copy = world.new_copy(0_offset, 99_offset);
  world.enter(copy, copy_publish_started);
  world.change_bytes(copy, 10_MiB);
  BOOST_TEST(world.of(ByteClass::orphan) == 10_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_record_that_does_not_apply_changes_nothing) {
  FakeWorld world;
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.publish(copy, delete_segment_finished);
  world.publish(copy, dangling);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(parts_are_in_flight_while_a_call_may_complete_them_and_garbage_after_it) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 0_MiB);
  world.live_uploads.insert(copy.number);
  world.change_bytes(copy, 40_MiB, sim::StoredAs::parts);
  BOOST_TEST(world.of(ByteClass::in_flight) == 40_MiB);
  world.live_uploads.clear();
  world.copy_failed(copy);
  BOOST_TEST(world.of(ByteClass::upload_parts) == 40_MiB);
  BOOST_TEST(world.ledger.totals().garbage() == 40_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(parts_and_objects_of_one_copy_belong_to_their_own_classes) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 30_MiB);
  world.change_bytes(copy, 5_MiB, sim::StoredAs::parts);
  world.copy_failed(copy);
  world.leave(copy);
  BOOST_TEST(world.of(ByteClass::stuck) == 30_MiB);
  BOOST_TEST(world.of(ByteClass::upload_parts) == 5_MiB);
  BOOST_TEST(world.ledger.totals().garbage_count == 1);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_first_retention_delete_turns_to_garbage_when_dead_parts_make_the_copy_garbage) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.at(2h);
  world.enter(copy, retention_publish_started);
  world.change_bytes(copy, 5_MiB, sim::StoredAs::parts);
  BOOST_TEST(world.ledger.totals().garbage() == 105_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_superseded_copy_is_unreferenced) {
  FakeWorld world;
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.copied(0_offset, 99_offset);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  BOOST_TEST(world.of(ByteClass::unreferenced) == 100_MiB);
  BOOST_TEST(world.ledger.totals().garbage() == 0_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_superseded_copy_lives_again_when_the_better_one_goes_only_if_the_lookup_says_so) {
  FakeWorld world;
  world.roll(200);
  world.copied(0_offset, 99_offset);
  const auto& narrow = world.copied(50_offset, 149_offset);
  BOOST_TEST(world.of(ByteClass::live) == 200_MiB);
  world.publish(narrow, delete_segment_started);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_copy_whose_tail_left_the_leaders_history_lives_by_the_reads_that_it_serves) {
  FakeWorld world{{.brokers = 2}};
  world.roll(600);
  world.roll(400);
  world.copied(0_offset, 599_offset);
  world.copied(600_offset, 999_offset);
  // Broker 2 had only 700 records when it was elected.
  world.log_of(broker_2).truncate_to(700_offset);
  world.lead(broker_2, 1);
  BOOST_TEST(world.of(ByteClass::live) == 1000_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_copy_of_an_epoch_that_the_leader_never_had_is_unreferenced) {
  FakeWorld world{{.brokers = 2}};
  world.roll(600);
  world.roll(400);
  world.copied(0_offset, 599_offset);
  world.copied(600_offset, 999_offset);
  world.log_of(broker_2).truncate_to(600_offset);
  world.lead(broker_2, 1);
  BOOST_TEST(world.of(ByteClass::live) == 600_MiB);
  BOOST_TEST(world.of(ByteClass::unreferenced) == 400_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_log_start_inside_an_overlapped_copy_leaves_it_without_a_reader) {
  FakeWorld world;
  world.roll(200);
  world.copied(0_offset, 149_offset);
  world.copied(100_offset, 199_offset);
  BOOST_TEST(world.of(ByteClass::live) == 250_MiB);
  world.raise_log_start(120_offset);
  BOOST_TEST(world.of(ByteClass::unreferenced) == 150_MiB);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_copy_over_two_epochs_lives_by_either) {
  FakeWorld world{{.brokers = 2}};
  world.append(50);
  world.lead(broker_2, 1);
  world.log_of(broker_1).leader_epochs().assign(model::LeaderEpoch{1}, 50_offset);
  world.roll(50);
  world.copied(0_offset, 99_offset, model::time_start, epochs({{0, 0}, {1, 50}}));
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  world.raise_log_start(60_offset, broker_2);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(an_entry_without_bytes_that_nobody_works_on_is_a_ghost) {
  FakeWorld world;
  const auto& copy = world.uploading(0_offset, 99_offset, 0_MiB);
  BOOST_TEST(world.ledger.totals().ghost_count == 0);
  world.copy_failed(copy);
  world.leave(copy);
  BOOST_TEST(world.ledger.totals().ghost_count == 1);
  BOOST_TEST(world.ledger.totals().ghost_claimed == 100_MiB);
  BOOST_TEST(world.ledger.totals().garbage_count == 0);
  world.enter(copy, retention_publish_started);
  BOOST_TEST(world.ledger.totals().ghost_count == 0);
  world.publish(copy, delete_segment_started);
  world.leave(copy, TaskKind::expiration);
  BOOST_TEST(world.ledger.totals().ghost_count == 1);
  world.publish(copy, delete_segment_finished);
  BOOST_TEST(world.ledger.totals().ghost_count == 0);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_dangling_entry_without_bytes_is_a_ghost_and_a_finished_one_is_not) {
  FakeWorld world{{.policy = "kip-dangling"}};
  world.roll(100);
  const auto& finished = world.copied(0_offset, 99_offset);
  world.remove_all(finished);
  BOOST_TEST(world.ledger.totals().ghost_count == 0);
  const auto& copy = world.uploading(100_offset, 199_offset, 0_MiB);
  world.publish(copy, dangling);
  world.leave(copy);
  BOOST_TEST(world.ledger.totals().ghost_count == 1);
}

BOOST_AUTO_TEST_CASE(a_run_that_outlives_its_leadership_holds_on_beside_its_successor) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.at(2h);
  world.enter(copy, retention_publish_started);
  world.publish(copy, delete_segment_started);
  world.enter(copy, retention_delete);
  world.enter(copy, retention_publish_started);
  world.leave(copy, TaskKind::expiration);
  BOOST_TEST(world.of(ByteClass::deleting) == 100_MiB);
  world.leave(copy, TaskKind::expiration);
  BOOST_TEST(world.of(ByteClass::stuck) == 100_MiB);
}

BOOST_AUTO_TEST_CASE(topics_have_their_own_sums) {
  FakeWorld world{{.topics = 2}};
  const auto& copy = world.new_copy(0_offset, 99_offset, model::time_start, {}, PartitionNumber{1});
  world.publish(copy, copy_segment_started);
  world.change_bytes(copy, 7_MiB);
  BOOST_TEST(world.ledger.totals(0).stored() == 0_MiB);
  BOOST_TEST(world.ledger.totals(1).garbage() == 7_MiB);
  BOOST_TEST(world.ledger.totals().garbage() == 7_MiB);
}

BOOST_AUTO_TEST_CASE(what_the_first_record_finds_is_the_initial_state) {
  FakeWorld world{{.retention_time = 1h}};
  world.initial_copy(0_offset, 99_offset, SimTime{-2h});
  world.initial_copy(100_offset, 199_offset, SimTime{-30min});
  BOOST_TEST(world.books_balance());
  BOOST_TEST(world.of(ByteClass::expired) == 100_MiB);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  BOOST_TEST(world.ledger.peak_garbage() == 0_MiB);
  BOOST_TEST(world.ledger.leftovers().empty());
}

BOOST_AUTO_TEST_CASE(garbage_of_the_initial_state_is_garbage_from_the_start) {
  FakeWorld world;
  const auto& copy = world.new_copy(0_offset, 99_offset);
  world.store_all(copy);
  world.publish(copy, copy_segment_started, none);
  world.ledger.advance(model::time_start);
  BOOST_TEST(world.of(ByteClass::stuck) == 100_MiB);
  BOOST_TEST(world.ledger.peak_garbage() == 100_MiB);
  BOOST_TEST(world.ledger.leftovers().size() == 1U);
  BOOST_TEST(!world.ledger.garbage_free_since());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
