// Sums over time: integrals and peaks by hand, ages, and since when there is no garbage.
#include <boost/test/unit_test.hpp>

#include "tests/support/observer_support.h"

namespace tests {
namespace {

using enum model::RemoteLogSegmentState;
using enum model::TaskStep;

std::uint64_t as_number(unsigned __int128 value) { return static_cast<std::uint64_t>(value); }
std::uint64_t byte_time(Bytes bytes, Duration duration) {
  return static_cast<std::uint64_t>(bytes.value()) * static_cast<std::uint64_t>(duration.count());
}

const RemoteLogSegment& leave_stuck(FakeWorld& world, Bytes bytes) {
  const auto& copy = world.uploading(0_offset, 99_offset, bytes);
  world.copy_failed(copy);
  world.leave(copy);
  return copy;
}

BOOST_AUTO_TEST_SUITE(ledger_sums)

BOOST_AUTO_TEST_CASE(integrals_are_exact) {
  FakeWorld world;
  world.at(10s);
  const auto& copy = leave_stuck(world, 3_MiB);
  world.at(10s + 7us);
  world.change_bytes(copy, 2_MiB);
  world.at(20s);
  world.remove_all(copy);
  world.at(50s);
  world.ledger.advance(world.now());
  const std::uint64_t expected = byte_time(3_MiB, 7us) + byte_time(5_MiB, 10s - 7us);
  BOOST_TEST(as_number(world.ledger.garbage_integral()) == expected);
  BOOST_TEST(as_number(world.ledger.waste_integral()) == expected);
  BOOST_TEST(as_number(world.ledger.stored_integral()) == expected);
}

BOOST_AUTO_TEST_CASE(live_bytes_are_stored_and_no_waste) {
  FakeWorld world;
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.at(1h);
  world.ledger.advance(world.now());
  BOOST_TEST(as_number(world.ledger.stored_integral()) == byte_time(100_MiB, 1h));
  BOOST_TEST(as_number(world.ledger.waste_integral()) == 0U);
}

BOOST_AUTO_TEST_CASE(integrals_do_not_overflow_where_64_bits_would) {
  FakeWorld world;
  const auto& copy = leave_stuck(world, 1_GiB);
  world.change_bytes(copy, Bytes{std::int64_t{1} << 50});
  world.at(24h * 365);
  world.ledger.advance(world.now());
  const auto years = world.ledger.garbage_integral() / static_cast<unsigned __int128>(Duration{24h * 365}.count());
  BOOST_TEST(as_number(years) == (std::uint64_t{1} << 50) + (std::uint64_t{1} << 30));
}

BOOST_AUTO_TEST_CASE(a_peak_of_no_duration_is_seen) {
  FakeWorld world;
  const auto& copy = leave_stuck(world, 60_MiB);
  world.remove_all(copy);
  BOOST_TEST(world.ledger.peak_garbage() == 60_MiB);
  BOOST_TEST(as_number(world.ledger.garbage_integral()) == 0U);
}

BOOST_AUTO_TEST_CASE(the_peak_is_of_all_at_one_time) {
  FakeWorld world;
  const auto& first = leave_stuck(world, 60_MiB);
  world.remove_all(first);
  leave_stuck(world, 40_MiB);
  BOOST_TEST(world.ledger.peak_garbage() == 60_MiB);
  leave_stuck(world, 30_MiB);
  BOOST_TEST(world.ledger.peak_garbage() == 70_MiB);
}

BOOST_AUTO_TEST_CASE(the_maximum_since_the_last_row_starts_from_what_is_there) {
  FakeWorld world{{.topics = 2}};
  const auto& copy = leave_stuck(world, 60_MiB);
  world.change_bytes(copy, -50_MiB);
  BOOST_TEST(world.ledger.take_garbage_max(0) == 60_MiB);
  BOOST_TEST(world.ledger.take_garbage_max(1) == 0_MiB);
  BOOST_TEST(world.ledger.take_garbage_max({}) == 60_MiB);
  BOOST_TEST(world.ledger.take_garbage_max(0) == 10_MiB);
  BOOST_TEST(world.ledger.take_garbage_max({}) == 10_MiB);
}

BOOST_AUTO_TEST_CASE(garbage_is_free_since_the_last_of_it_went) {
  FakeWorld world;
  BOOST_TEST(world.ledger.garbage_free_since() == model::time_start);
  world.at(10s);
  const auto& first = leave_stuck(world, 1_MiB);
  const auto& second = leave_stuck(world, 1_MiB);
  BOOST_TEST(!world.ledger.garbage_free_since());
  world.at(20s);
  world.remove_all(first);
  BOOST_TEST(!world.ledger.garbage_free_since());
  world.at(30s);
  world.remove_all(second);
  world.at(40s);
  world.ledger.advance(world.now());
  BOOST_TEST(world.ledger.garbage_free_since() == SimTime{30s});
}

BOOST_AUTO_TEST_CASE(a_ghost_does_not_count_as_garbage) {
  FakeWorld world;
  leave_stuck(world, 0_MiB);
  BOOST_TEST(world.ledger.garbage_free_since() == model::time_start);
}

BOOST_AUTO_TEST_CASE(the_greatest_age_is_of_one_copy_whether_it_is_gone_or_not) {
  FakeWorld world;
  const auto& first = leave_stuck(world, 1_MiB);
  world.at(30s);
  world.remove_all(first);
  leave_stuck(world, 1_MiB);
  world.at(50s);
  world.ledger.advance(world.now());
  BOOST_TEST((world.ledger.garbage_age_max() == Duration{30s}));
  world.at(90s);
  world.ledger.advance(world.now());
  BOOST_TEST((world.ledger.garbage_age_max() == Duration{60s}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
