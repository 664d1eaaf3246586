// What offsets weigh: pieces of a log, cut, dropped and asked.
#include "sim/observers/ledger/log_pieces.h"

#include <boost/test/unit_test.hpp>

#include "tests/support/printing.h"

namespace tests {
namespace {

using namespace model::literals;
using model::Bytes;
using model::Offset;
using model::SimTime;

/// [0,10) of 100 bytes, [10,30) of 20, [30,40) of 400.
sim::LogPieces three_pieces() {
  sim::LogPieces pieces;
  pieces.append(0_offset, 10_offset, 100_B, SimTime{});
  pieces.append(10_offset, 30_offset, 20_B, SimTime{});
  pieces.append(30_offset, 40_offset, 400_B, SimTime{});
  return pieces;
}

BOOST_AUTO_TEST_SUITE(log_pieces)

BOOST_AUTO_TEST_CASE(bytes_below_an_offset_are_whole_pieces_and_a_share) {
  const auto pieces = three_pieces();
  BOOST_TEST(pieces.bytes_below(0_offset) == 0_B);
  BOOST_TEST(pieces.bytes_below(5_offset) == 50_B);
  BOOST_TEST(pieces.bytes_below(10_offset) == 100_B);
  BOOST_TEST(pieces.bytes_below(20_offset) == 110_B);
  BOOST_TEST(pieces.bytes_below(40_offset) == 520_B);
  BOOST_TEST(pieces.bytes_below(99_offset) == 520_B);
}

BOOST_AUTO_TEST_CASE(the_offset_with_so_many_bytes_below_it_is_the_greatest_one) {
  const auto pieces = three_pieces();
  BOOST_TEST(pieces.offset_with(-5_B) == 0_offset);
  BOOST_TEST(pieces.offset_with(99_B) == 9_offset);
  BOOST_TEST(pieces.offset_with(100_B) == 10_offset);
  BOOST_TEST(pieces.offset_with(119_B) == 29_offset);
  BOOST_TEST(pieces.offset_with(120_B) == 30_offset);
  BOOST_TEST(pieces.offset_with(520_B) == 40_offset);
  BOOST_TEST(pieces.offset_with(9999_B) == 40_offset);
}

BOOST_AUTO_TEST_CASE(what_is_known_is_not_added_again_and_a_gap_weighs_nothing) {
  auto pieces = three_pieces();
  pieces.append(10_offset, 30_offset, 999_B, SimTime{});
  BOOST_TEST(pieces.total() == 520_B);
  pieces.append(35_offset, 45_offset, 100_B, SimTime{});
  BOOST_TEST(pieces.total() == 570_B);
  pieces.append(55_offset, 65_offset, 30_B, SimTime{});
  BOOST_TEST(pieces.bytes_below(55_offset) == 570_B);
  BOOST_TEST(pieces.total() == 600_B);
}

BOOST_AUTO_TEST_CASE(a_cut_keeps_the_share_below_it) {
  auto pieces = three_pieces();
  pieces.cut_at(20_offset);
  BOOST_TEST(pieces.end() == 20_offset);
  BOOST_TEST(pieces.total() == 110_B);
  pieces.cut_at(0_offset);
  BOOST_TEST(pieces.empty());
  BOOST_TEST(pieces.total() == 0_B);
}

BOOST_AUTO_TEST_CASE(dropped_pieces_leave_the_scale_as_it_was) {
  auto pieces = three_pieces();
  pieces.drop_below(15_offset);
  BOOST_TEST(pieces.begin() == 10_offset);
  BOOST_TEST(pieces.bytes_below(30_offset) == 120_B);
  pieces.drop_below(40_offset);
  BOOST_TEST(pieces.empty());
  BOOST_TEST(pieces.total() == 520_B);
  pieces.append(40_offset, 50_offset, 10_B, SimTime{});
  BOOST_TEST(pieces.total() == 530_B);
}

BOOST_AUTO_TEST_CASE(long_lives_keep_few_pieces_and_the_same_answers) {
  sim::LogPieces pieces;
  for (std::int64_t i = 0; i < 1'000; ++i) {
    pieces.append(Offset{10 * i}, Offset{10 * i + 10}, Bytes{100}, SimTime{});
    if (i >= 5) pieces.drop_below(Offset{10 * (i - 5)});
  }
  BOOST_TEST(pieces.bytes_below(9'995_offset) == 99'950_B);
  BOOST_TEST(pieces.begin() == 9'940_offset);
}

BOOST_AUTO_TEST_CASE(visits_are_clipped_to_the_range) {
  const auto pieces = three_pieces();
  std::vector<std::pair<Offset, Offset>> visits;
  pieces.for_each(5_offset, 31_offset, [&](Offset from, Offset to, SimTime) { visits.emplace_back(from, to); });
  const std::vector<std::pair<Offset, Offset>> expected{
      {5_offset, 10_offset}, {10_offset, 30_offset}, {30_offset, 31_offset}};
  BOOST_TEST((visits == expected));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
