// What counts as over-deleted: retained offsets that no tier serves any longer, each byte once, and what a rule asked
// for never.
#include <boost/test/unit_test.hpp>

#include "tests/support/observer_support.h"

namespace tests {
namespace {

using enum model::RemoteLogSegmentState;
using enum model::TaskStep;

/// `count` finished copies of 100 MiB, all remote only, and the world begun.
std::vector<const RemoteLogSegment*> start_with_copies(FakeWorld& world, std::int64_t count) {
  std::vector<const RemoteLogSegment*> copies;
  for (std::int64_t i = 0; i < count; ++i) {
    copies.push_back(&world.initial_copy(Offset{100 * i}, Offset{100 * i + 99}));
  }
  BOOST_REQUIRE(world.books_balance());
  return copies;
}

void delete_by_retention(FakeWorld& world, const RemoteLogSegment& copy) {
  world.enter(copy, retention_publish_started);
  world.publish(copy, delete_segment_started);
  world.enter(copy, retention_delete);
  world.remove_all(copy);
  world.enter(copy, retention_publish_finished);
  world.publish(copy, delete_segment_finished);
  world.leave(copy, TaskKind::expiration);
}

BOOST_AUTO_TEST_SUITE(ledger_losses)

BOOST_AUTO_TEST_CASE(the_first_case_costs_kafka_3_6_five_hundred_mebibytes) {
  // C01: nine segments remote, the tenth on disk; each failed copy of it makes the log look 100 MiB bigger than 1 GiB
  // allows.
  FakeWorld world{{.policy = "kafka-3.6", .retention_bytes = 1_GiB}};
  const auto copies = start_with_copies(world, 9);
  world.roll(100);
  for (std::size_t attempt = 1; attempt <= 6; ++attempt) {
    world.at(30s * static_cast<int>(attempt - 1));
    const auto& failed = world.uploading(900_offset, 999_offset, 100_MiB);
    world.copy_failed(failed);
    world.leave(failed);
    if (attempt == 1) continue;
    const RemoteLogSegment& head = *copies[attempt - 2];
    world.raise_log_start(next(head.end_offset));
    delete_by_retention(world, head);
  }
  BOOST_TEST(world.ledger.over_deleted() == 500_MiB);
  BOOST_TEST(world.ledger.peak_garbage() == 600_MiB);
  BOOST_TEST(world.of(sim::ByteClass::stuck) == 600_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_raised_log_start_costs_what_it_hides_although_the_copy_exists) {
  FakeWorld world;
  start_with_copies(world, 3);
  world.raise_log_start(150_offset);
  BOOST_TEST(world.ledger.over_deleted() == 150_MiB);
  BOOST_TEST(world.of(sim::ByteClass::live) == 200_MiB);
}

BOOST_AUTO_TEST_CASE(a_deletion_that_time_asks_for_costs_nothing) {
  FakeWorld world{{.retention_time = 1h}};
  const auto copies = start_with_copies(world, 2);
  world.at(1h);
  world.raise_log_start(200_offset);
  for (const RemoteLogSegment* copy : copies) delete_by_retention(world, *copy);
  BOOST_TEST(world.ledger.over_deleted() == 0_MiB);
  BOOST_TEST(world.broken().empty());
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_microsecond_before_its_time_all_of_it_is_lost) {
  FakeWorld world{{.retention_time = 1h}};
  start_with_copies(world, 1);
  world.at(1h - 1us);
  world.raise_log_start(100_offset);
  BOOST_TEST(world.ledger.over_deleted() == 100_MiB);
}

BOOST_AUTO_TEST_CASE(a_deletion_that_size_asks_for_costs_nothing_and_one_record_more_costs_that_record) {
  FakeWorld world{{.retention_bytes = 200_MiB}};
  start_with_copies(world, 3);
  world.raise_log_start(100_offset);
  BOOST_TEST(world.ledger.over_deleted() == 0_MiB);
  world.raise_log_start(101_offset);
  BOOST_TEST(world.ledger.over_deleted() == 1_MiB);
}

BOOST_AUTO_TEST_CASE(the_active_segment_counts_towards_the_size_that_is_kept) {
  FakeWorld world{{.retention_bytes = 200_MiB}};
  start_with_copies(world, 2);
  world.append(100);
  world.raise_log_start(100_offset);
  BOOST_TEST(world.ledger.over_deleted() == 0_MiB);
}

BOOST_AUTO_TEST_CASE(deleting_the_only_copy_costs_it_and_raising_the_log_start_after_it_costs_no_more) {
  FakeWorld world;
  const auto copies = start_with_copies(world, 3);
  delete_by_retention(world, *copies[1]);
  BOOST_TEST(world.ledger.over_deleted() == 100_MiB);
  world.raise_log_start(200_offset);
  BOOST_TEST(world.ledger.over_deleted() == 200_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(deleting_a_copy_costs_nothing_while_the_leader_has_its_records_on_disk) {
  FakeWorld world;
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  delete_by_retention(world, copy);
  BOOST_TEST(world.ledger.over_deleted() == 0_MiB);
  // Until local retention goes by the highest offset that was ever copied.
  world.delete_local_below(100_offset);
  BOOST_TEST(world.ledger.over_deleted() == 100_MiB);
}

BOOST_AUTO_TEST_CASE(deleting_a_duplicate_costs_nothing) {
  FakeWorld world;
  world.roll(100);
  const auto& superseded = world.copied(0_offset, 99_offset);
  world.copied(0_offset, 99_offset);
  world.delete_local_below(100_offset);
  delete_by_retention(world, superseded);
  BOOST_TEST(world.ledger.over_deleted() == 0_MiB);
}

BOOST_AUTO_TEST_CASE(deleting_the_duplicate_that_readers_are_sent_to_costs_it) {
  FakeWorld world;
  world.roll(100);
  world.copied(0_offset, 99_offset);
  const auto& served = world.copied(0_offset, 99_offset);
  world.delete_local_below(100_offset);
  delete_by_retention(world, served);
  BOOST_TEST(world.ledger.over_deleted() == 100_MiB);
}

BOOST_AUTO_TEST_CASE(a_finished_copy_that_loses_a_byte_is_lost_whole_and_once) {
  FakeWorld world;
  const auto copies = start_with_copies(world, 1);
  world.change_bytes(*copies[0], -Bytes{1});
  BOOST_TEST(world.ledger.over_deleted() == 100_MiB);
  world.remove_all(*copies[0]);
  BOOST_TEST(world.ledger.over_deleted() == 100_MiB);
}

BOOST_AUTO_TEST_CASE(a_narrower_late_copy_hides_what_the_wider_one_held) {
  // F3: [0,99] and [100,199] are finished; a late copy of [0,50] takes the start key, and 51 to 99 have no reader.
  FakeWorld world;
  world.roll(100);
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.copied(100_offset, 199_offset);
  world.copied(0_offset, 50_offset);
  BOOST_TEST(world.of(sim::ByteClass::unreferenced) == 100_MiB);
  world.delete_local_below(200_offset);
  BOOST_TEST(world.ledger.over_deleted() == 49_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_leader_that_begins_later_costs_what_it_cannot_serve) {
  FakeWorld world{{.brokers = 2}};
  for (int i = 0; i < 3; ++i) world.roll(100);
  BOOST_REQUIRE(world.log_of(broker_2).maybe_increment_log_start_offset(100_offset));
  world.lead(broker_2, 1);
  BOOST_TEST(world.ledger.over_deleted() == 100_MiB);
}

BOOST_AUTO_TEST_CASE(a_leader_with_a_shorter_history_costs_the_copies_that_it_cannot_look_up) {
  FakeWorld world{{.brokers = 2}};
  start_with_copies(world, 2);
  auto& epochs = world.log_of(broker_2).leader_epochs();
  epochs.truncate_from_end(0_offset);
  epochs.assign(model::LeaderEpoch{3}, 0_offset);
  world.lead(broker_2, 4);
  BOOST_TEST(world.ledger.over_deleted() == 200_MiB);
  BOOST_TEST(world.of(sim::ByteClass::unreferenced) == 200_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(an_election_that_truncates_the_log_is_no_deletion) {
  FakeWorld world{{.brokers = 2}};
  world.roll(100);
  world.roll(100);
  world.log_of(broker_2).truncate_to(150_offset);
  world.lead(broker_2, 1);
  BOOST_TEST(world.ledger.over_deleted() == 0_MiB);
}

BOOST_AUTO_TEST_CASE(a_zombies_log_start_costs_nothing) {
  FakeWorld world{{.brokers = 2}};
  world.roll(100);
  world.lead(broker_2, 1);
  world.raise_log_start(100_offset, broker_1);
  BOOST_TEST(world.ledger.over_deleted() == 0_MiB);
}

BOOST_AUTO_TEST_CASE(ranges_given_up_piecemeal_count_once) {
  FakeWorld world;
  const auto copies = start_with_copies(world, 5);
  delete_by_retention(world, *copies[3]);
  delete_by_retention(world, *copies[1]);
  delete_by_retention(world, *copies[2]);
  BOOST_TEST(world.ledger.over_deleted() == 300_MiB);
  world.raise_log_start(450_offset);
  BOOST_TEST(world.ledger.over_deleted() == 450_MiB);
  world.raise_log_start(500_offset);
  BOOST_TEST(world.ledger.over_deleted() == 500_MiB);
}

BOOST_AUTO_TEST_CASE(the_last_loss_is_told_with_its_offsets) {
  FakeWorld world;
  start_with_copies(world, 2);
  world.raise_log_start(100_offset);
  BOOST_REQUIRE(world.ledger.last_over_deletion().has_value());
  BOOST_TEST(world.ledger.last_over_deletion()->from == 0_offset);
  BOOST_TEST(world.ledger.last_over_deletion()->to == 100_offset);
  BOOST_TEST(world.ledger.last_over_deletion()->bytes == 100_MiB);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
