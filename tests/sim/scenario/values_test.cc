#include "sim/scenario/values.h"

#include <boost/test/unit_test.hpp>

#include "sim/scenario/names.h"

namespace sim {
namespace {

template <class T>
bool holds(const Result<T, std::string>& result, std::string_view text) {
  return !result && result.error().find(text) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(values)

BOOST_AUTO_TEST_CASE(a_duration_is_a_sum_of_falling_units) {
  BOOST_TEST((parse_duration("250us") && *parse_duration("250us") == 250us));
  BOOST_TEST((parse_duration("4h49m") && *parse_duration("4h49m") == 4h + 49min));
  BOOST_TEST((parse_duration("1.5s") && *parse_duration("1.5s") == 1500ms));
  BOOST_TEST(holds(parse_duration("5m4h"), "out of order"));
  BOOST_TEST(holds(parse_duration("1.0000001s"), "finer than one us"));
}

BOOST_AUTO_TEST_CASE(a_bare_number_needs_a_unit_unless_the_key_is_kafkas) {
  BOOST_TEST(holds(parse_duration("30"), "without a unit: write 250us"));
  BOOST_TEST((*parse_duration("0") == 0s));
  BOOST_TEST((*parse_duration("30", Unit::milliseconds) == 30ms));
  BOOST_TEST((*parse_duration("30", Unit::seconds) == 30s));
  BOOST_TEST(holds(parse_bytes("200", Unit::none), "without a unit"));
  BOOST_TEST((*parse_bytes("200") == 200_B));
  BOOST_TEST(holds(parse_rate("200"), "without a unit"));
}

BOOST_AUTO_TEST_CASE(minus_one_and_minus_two_are_kafkas_only) {
  BOOST_TEST((*parse_duration("-2", Unit::milliseconds) == -2ms));
  BOOST_TEST((*parse_bytes("-1") == Bytes{-1}));
  BOOST_TEST(holds(parse_duration("-1"), "negative"));
  BOOST_TEST(holds(parse_duration("-5", Unit::milliseconds), "negative"));
  BOOST_TEST(holds(parse_duration("-1s", Unit::milliseconds), "negative"));
  BOOST_TEST(holds(parse_bytes("-1MiB"), "negative"));
}

BOOST_AUTO_TEST_CASE(kafkas_greatest_time_is_cut_so_that_sums_do_not_overflow) {
  BOOST_TEST((*parse_duration("9223372036854775807", Unit::milliseconds) == duration_max));
  BOOST_TEST(holds(parse_duration("9223372036854775808", Unit::milliseconds), "too large"));
  BOOST_TEST(holds(parse_duration("99999999d"), "longer than"));
}

BOOST_AUTO_TEST_CASE(an_unknown_unit_is_named_with_what_was_meant) {
  BOOST_TEST(holds(parse_duration("5min"), "unknown unit 'min' (did you mean 'm'?)"));
  BOOST_TEST(holds(parse_bytes("5M"), "unknown unit 'M' (did you mean 'MiB'?)"));
  BOOST_TEST(holds(parse_duration("5x"), "the units are d, h, m, s, ms, us"));
}

BOOST_AUTO_TEST_CASE(sizes_and_rates_have_units_of_both_kinds) {
  BOOST_TEST((*parse_bytes("128MiB") == 128_MiB));
  BOOST_TEST((*parse_bytes("10GB") == Bytes{10'000'000'000}));
  BOOST_TEST((*parse_rate("4MiB/s") == 4_MiB));
  BOOST_TEST(holds(parse_rate("4MiB"), "no rate"));
}

BOOST_AUTO_TEST_CASE(a_ratio_is_exact) {
  BOOST_TEST((*parse_ratio("0.01") == Ratio{1, 100}));
  BOOST_TEST((*parse_ratio("2/6") == Ratio{1, 3}));
  BOOST_TEST((*parse_ratio("1") == Ratio{1, 1}));
  BOOST_TEST(holds(parse_ratio("1/0"), "division by 0"));
  BOOST_TEST(holds(parse_ratio("half"), "write 0.01"));
}

BOOST_AUTO_TEST_CASE(a_distribution_is_checked_in_its_parts) {
  using Kind = DurationDistribution::Kind;
  BOOST_TEST((*parse_distribution("40ms") == DurationDistribution{40ms}));
  BOOST_TEST((*parse_distribution("exp(40ms)") == DurationDistribution{Kind::exponential, 40ms, 0ms}));
  BOOST_TEST((*parse_distribution("uniform(10ms, 80ms)") == DurationDistribution{Kind::uniform, 10ms, 80ms}));
  BOOST_TEST(holds(parse_distribution("unifrom(1ms,2ms)"), "did you mean 'uniform'?"));
  BOOST_TEST(holds(parse_distribution("uniform(80ms,10ms)"), "below the first"));
  BOOST_TEST(holds(parse_distribution("lognormal(0s,1s)"), "above 0"));
  BOOST_TEST(holds(parse_distribution("exp(1ms"), "write 40ms"));
}

BOOST_AUTO_TEST_CASE(a_fixed_distribution_draws_its_value_and_a_uniform_one_stays_inside) {
  BOOST_TEST((DurationDistribution{40ms}.draw(7) == 40ms));
  const DurationDistribution uniform{DurationDistribution::Kind::uniform, 10ms, 80ms};
  for (std::uint64_t draw = 1; draw < 100; ++draw) {
    const Duration drawn = uniform.draw(mix(draw));
    BOOST_TEST((drawn >= 10ms && drawn <= 80ms));
  }
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_back_as_the_same_value) {
  for (const std::int64_t microseconds :
       {0LL, 1LL, 999LL, 1'500'000LL, 90'000'000LL, 90'000'001LL, 604'800'000'000LL}) {
    const Duration value{microseconds};
    BOOST_TEST((*parse_duration(format_duration(value)) == value), format_duration(value));
  }
  for (const std::int64_t bytes : {0LL, 1LL, 1023LL, 1024LL, 1'000'000LL, 1LL << 30, 9'223'372'036'854'775'807LL}) {
    BOOST_TEST((*parse_bytes(format_bytes(Bytes{bytes})) == Bytes{bytes}), format_bytes(Bytes{bytes}));
  }
  for (const Ratio ratio : {Ratio{0, 1}, Ratio{1, 3}, Ratio{1, 100}, Ratio{999'999'937, 1'000'000'000}, Ratio{5, 2}}) {
    BOOST_TEST((*parse_ratio(format_ratio(ratio)) == ratio), format_ratio(ratio));
  }
  BOOST_TEST(format_duration(4h + 49min) == "4h49m");
  BOOST_TEST(format_bytes(128_MiB) == "128MiB");
  BOOST_TEST(format_ratio({1, 100}) == "0.01");
}

BOOST_AUTO_TEST_CASE(an_instant_is_iso_8601) {
  BOOST_TEST(*parse_instant("1970-01-02T00:00:00Z") == 86'400'000);
  BOOST_TEST(*parse_instant("2024-02-29T12:00:00.250+01:00") == 1'709'204'400'250);
  BOOST_TEST(holds(parse_instant("2023-02-29"), "no such day"));
  BOOST_TEST(holds(parse_instant("2024-02-29T25:00:00Z"), "no such time"));
  BOOST_TEST(holds(parse_instant("yesterday"), "no instant"));
}

BOOST_AUTO_TEST_CASE(the_nearest_name_counts_a_swap_as_one_edit) {
  const std::vector<std::string> names{"retention.ms", "retention.bytes", "segment.ms"};
  BOOST_TEST(nearest_name("retnetion.ms", names) == "retention.ms");
  BOOST_TEST(nearest_name("RETENTION.BYTES", names) == "retention.bytes");
  BOOST_TEST(nearest_name("segment", names) == "segment.ms");
  BOOST_TEST(nearest_name("compaction", names).empty());
  BOOST_TEST(nearest_name(std::string(100'000, 'x'), names).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sim
