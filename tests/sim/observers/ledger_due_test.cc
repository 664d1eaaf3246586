// When a finished copy is expired: by log start, by time to the microsecond, by size of what lies above it.
#include <boost/test/unit_test.hpp>

#include "tests/support/observer_support.h"

namespace tests {
namespace {

using sim::ByteClass;
using enum model::RemoteLogSegmentState;
using enum model::TaskStep;

BOOST_AUTO_TEST_SUITE(ledger_due)

BOOST_AUTO_TEST_CASE(a_copy_falls_due_by_time_at_its_exact_instant) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  world.at(10s);
  world.roll(100);
  world.copied(0_offset, 99_offset, SimTime{0s});
  world.copied(100_offset, 199_offset, SimTime{10s});
  world.ledger.advance(SimTime{1h - 1us});
  BOOST_TEST(world.of(ByteClass::live) == 200_MiB);
  world.ledger.advance(SimTime{1h});
  BOOST_TEST(world.of(ByteClass::expired) == 100_MiB);
  world.ledger.advance(SimTime{1h + 10s});
  BOOST_TEST(world.of(ByteClass::expired) == 200_MiB);
}

BOOST_AUTO_TEST_CASE(the_instants_between_two_records_are_not_lost) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.at(2h);
  BOOST_TEST(world.books_balance());
  // Expired, and so waste, for the second of the two hours.
  const auto byte_microseconds = static_cast<std::uint64_t>(world.ledger.waste_integral());
  BOOST_TEST(byte_microseconds == std::uint64_t{100} * 1024 * 1024 * 3600 * 1'000'000);
}

BOOST_AUTO_TEST_CASE(a_copy_that_finishes_after_it_fell_due_is_expired_at_once) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  world.at(3h);
  world.copied(0_offset, 99_offset);
  BOOST_TEST(world.of(ByteClass::expired) == 100_MiB);
}

BOOST_AUTO_TEST_CASE(timestamps_that_do_not_ascend_fall_due_in_their_own_order) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(300);
  world.copied(0_offset, 99_offset, SimTime{20s});
  world.copied(100_offset, 199_offset, SimTime{10s});
  world.copied(200_offset, 299_offset, SimTime{30s});
  for (const auto& [instant, expired] : {std::pair{10s, 100_MiB}, std::pair{20s, 200_MiB}, std::pair{30s, 300_MiB}}) {
    world.ledger.advance(SimTime{1h + instant - 1us});
    BOOST_TEST(world.of(ByteClass::expired) == expired - 100_MiB);
    world.ledger.advance(SimTime{1h + instant});
    BOOST_TEST(world.of(ByteClass::expired) == expired);
  }
}

BOOST_AUTO_TEST_CASE(a_copy_below_the_log_start_is_due_and_one_that_ends_at_it_is_not) {
  FakeWorld world;
  world.roll(100);
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.copied(100_offset, 199_offset);
  world.raise_log_start(99_offset);
  BOOST_TEST(world.of(ByteClass::expired) == 0_MiB);
  world.raise_log_start(100_offset);
  BOOST_TEST(world.of(ByteClass::expired) == 100_MiB);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(a_followers_log_start_makes_nothing_due) {
  FakeWorld world{{.brokers = 2}};
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.raise_log_start(100_offset, broker_2);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
}

BOOST_AUTO_TEST_CASE(a_copy_is_due_by_size_when_what_lies_above_it_fills_the_limit) {
  FakeWorld world{{.retention_bytes = 200_MiB}};
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.roll(100);
  world.append(99);
  BOOST_TEST(world.books_balance());
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  world.append(1);
  BOOST_TEST(world.books_balance());
  BOOST_TEST(world.of(ByteClass::expired) == 100_MiB);
}

BOOST_AUTO_TEST_CASE(retained_offsets_count_once_whether_local_remote_or_both) {
  FakeWorld world{{.retention_bytes = 300_MiB}};
  for (int i = 0; i < 3; ++i) {
    world.roll(100);
    world.copied(Offset{100 * i}, Offset{100 * i + 99});
  }
  world.copied(100_offset, 199_offset);
  world.roll(100);
  BOOST_TEST(world.books_balance());
  // 300 MiB lie above the first copy, 200 above the next, however often they are stored.
  BOOST_TEST(world.of(ByteClass::expired) == 100_MiB);
  BOOST_TEST(world.of(ByteClass::live) == 200_MiB);
  BOOST_TEST(world.of(ByteClass::unreferenced) == 100_MiB);
}

BOOST_AUTO_TEST_CASE(bytes_of_failed_copies_make_nothing_due) {
  FakeWorld world{{.retention_bytes = 100_MiB}};
  world.roll(100);
  world.copied(0_offset, 99_offset);
  for (int i = 0; i < 5; ++i) {
    const auto& copy = world.uploading(100_offset, 199_offset, 100_MiB);
    world.copy_failed(copy);
    world.leave(copy);
  }
  BOOST_TEST(world.books_balance());
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
}

BOOST_AUTO_TEST_CASE(a_leader_with_a_shorter_log_takes_back_what_was_due_by_size) {
  FakeWorld world{{.brokers = 2, .retention_bytes = 200_MiB}};
  for (int i = 0; i < 3; ++i) world.roll(100);
  world.copied(0_offset, 99_offset);
  BOOST_TEST(world.books_balance());
  BOOST_TEST(world.of(ByteClass::expired) == 100_MiB);
  world.log_of(broker_2).truncate_to(200_offset);
  world.lead(broker_2, 1);
  BOOST_TEST(world.of(ByteClass::live) == 100_MiB);
  BOOST_TEST(world.books_balance());
}

BOOST_AUTO_TEST_CASE(remote_segments_of_the_initial_state_weigh_too) {
  FakeWorld world{{.retention_bytes = 150_MiB}};
  for (int i = 0; i < 3; ++i) world.initial_copy(Offset{100 * i}, Offset{100 * i + 99});
  BOOST_TEST(world.books_balance());
  BOOST_TEST(world.of(ByteClass::expired) == 100_MiB);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
