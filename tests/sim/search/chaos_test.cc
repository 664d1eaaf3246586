// [chaos]: what may stand there, and what a seed draws of it.
#include "sim/scenario/chaos.h"

#include <set>

#include <boost/test/unit_test.hpp>

#include "sim/scenario/values.h"
#include "tests/sim/scenario/memory_files.h"

namespace sim {
namespace {

Result<ChaosOptions, std::vector<InputError>> read(std::vector<std::pair<std::string, std::string>> keys) {
  std::vector<WrittenKey> written;
  for (auto& [key, value] : keys) written.push_back({key, value, {"world.ini", 7}});
  return read_chaos(written, scenario_test::test_kinds());
}

/// The first complaint; empty when there is none.
std::string wrong(std::vector<std::pair<std::string, std::string>> keys) {
  const auto options = read(std::move(keys));
  return options ? std::string{} : to_string(options.error().front());
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(chaos)

BOOST_AUTO_TEST_CASE(takes_all_kinds_when_nothing_is_said) {
  const auto options = read({});
  BOOST_REQUIRE(options.has_value());
  BOOST_TEST(options->kinds.size() == scenario_test::test_kinds().size());
}

BOOST_AUTO_TEST_CASE(leaves_kinds_out) {
  BOOST_TEST(read({{"kinds", "all -crash"}})->kinds.size() == scenario_test::test_kinds().size() - 1);
  BOOST_TEST(read({{"kinds", "crash partition"}})->kinds == (std::vector<std::string>{"crash", "partition"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong_where) {
  BOOST_TEST(holds(wrong({{"kinds", "crsh"}}),
                   "world.ini:7: [chaos] kinds: unknown kind of fault 'crsh' (did you mean "
                   "'crash'?)"));
  BOOST_TEST(holds(wrong({{"faults", "4..2"}}), "the first end is above the second"));
  BOOST_TEST(holds(wrong({{"window", "3"}}), "out of place"));
  BOOST_TEST(holds(wrong({{"repeat", "2"}}), "at most 1"));
  BOOST_TEST(holds(wrong({{"store-reject.probabilty", "1"}}), "did you mean 'probability'"));
  BOOST_TEST(holds(wrong({{"window.x", "1h..x"}}), "no range"));
  BOOST_TEST(holds(wrong({{"known", "a/b/c"}}), "POLICY/INVARIANT/STATES/FAULT"));
  BOOST_TEST(holds(wrong({{"fautls", "1"}}), "did you mean 'faults'"));
}

BOOST_AUTO_TEST_CASE(draws_every_value_of_a_range_and_no_other) {
  const auto values = parse_drawn_values("2..4 9");
  BOOST_REQUIRE(values.has_value());
  std::set<std::string> drawn;
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    drawn.insert(DrawnKey{"x", *values}.draw(keyed_draw(Seed{seed}, "test")));
  BOOST_TEST(drawn == (std::set<std::string>{"2", "3", "4", "9"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(draws_what_reads_back_inside_its_ends) {
  const auto time = parse_drawn_values("30s..7m30s");
  const auto size = parse_drawn_values("1MiB..8MiB");
  const auto rate = parse_drawn_values("4KiB/s..24KiB/s");
  const auto share = parse_drawn_values("0.05..0.5");
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::uint64_t keyed = keyed_draw(Seed{seed}, "test");
    const Duration drawn_time = *parse_duration(time->front().draw(keyed));
    BOOST_TEST((drawn_time >= 30s && drawn_time <= 450s && drawn_time % 1s == 0s));
    const Bytes drawn_size = *parse_bytes(size->front().draw(keyed), Unit::none);
    BOOST_TEST((drawn_size >= Bytes{1 << 20} && drawn_size <= Bytes{8 << 20}));
    const Bytes drawn_rate = *parse_rate(rate->front().draw(keyed));
    BOOST_TEST((drawn_rate >= Bytes{4 << 10} && drawn_rate <= Bytes{24 << 10}));
    const Ratio drawn_share = *parse_ratio(share->front().draw(keyed));
    BOOST_TEST((20 * drawn_share.numerator >= drawn_share.denominator));
    BOOST_TEST((2 * drawn_share.numerator <= drawn_share.denominator));
  }
}

BOOST_AUTO_TEST_CASE(knows_signatures_by_their_parts) {
  const auto options = read({{"known.late", "kip-*/garbage-zero/*/crash"}, {"known", "*/copy-lag-zero/-/-"}});
  BOOST_REQUIRE(options.has_value());
  BOOST_TEST(options->is_known({"kip-dangling", "garbage-zero", "COPY_SEGMENT_STARTED>DANGLING", "crash"}));
  BOOST_TEST(!options->is_known({"kafka-4.0", "garbage-zero", "COPY_SEGMENT_STARTED", "crash"}));
  BOOST_TEST(!options->is_known({"kip-dangling", "garbage-zero", "COPY_SEGMENT_STARTED", "partition"}));
  BOOST_TEST(options->is_known({"kafka-3.6", "copy-lag-zero"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sim
