#include "sim/kernel/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "model/types.h"

namespace {

using namespace std::chrono_literals;
using namespace model::literals;
using model::Duration;
using sim::Ratio;
using sim::Seed;
using sim::SplitMix64;
using Draws = std::vector<std::uint64_t>;

constexpr std::uint64_t draw_max = std::numeric_limits<std::uint64_t>::max();

Draws many_draws(std::uint64_t count) {
  Draws draws(count);
  for (std::uint64_t i = 0; i < count; ++i) draws[i] = sim::keyed_draw(Seed{7}, "test", i);
  return draws;
}

double as_seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

/// The draw at a fraction of all draws.
std::uint64_t draw_at(double fraction) { return static_cast<std::uint64_t>(std::ldexp(fraction, 64)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(random_draws)

BOOST_AUTO_TEST_CASE(keyed_draw_depends_on_each_of_its_arguments_and_their_order) {
  const std::set<std::uint64_t> draws{
      sim::keyed_draw(Seed{1}, "put", 1, 2),    sim::keyed_draw(Seed{2}, "put", 1, 2),
      sim::keyed_draw(Seed{1}, "delete", 1, 2), sim::keyed_draw(Seed{1}, "put", 2, 1),
      sim::keyed_draw(Seed{1}, "put", 1),       sim::keyed_draw(Seed{1}, "put", 1, 2, 0),
      sim::keyed_draw(Seed{1}, "put"),          sim::keyed_draw(Seed{1}, "put", 0),
  };
  BOOST_TEST(draws.size() == 8);
}

BOOST_AUTO_TEST_CASE(keyed_draw_takes_numbers_enumerators_and_strong_types) {
  enum class Step : std::uint8_t { first, second };
  const std::uint64_t draw = sim::keyed_draw(Seed{1}, "put", 5_offset, Step::second, -1);
  BOOST_TEST(draw == sim::keyed_draw(Seed{1}, "put", 5, 1, draw_max));
}

BOOST_AUTO_TEST_CASE(keyed_draw_flips_half_of_the_bits_when_one_bit_of_a_part_flips) {
  int flipped_count = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const std::uint64_t draw = sim::keyed_draw(Seed{3}, "test", i, 5);
    for (int bit = 0; bit < 64; ++bit) {
      const std::uint64_t other = sim::keyed_draw(Seed{3}, "test", i ^ (std::uint64_t{1} << bit), 5);
      flipped_count += std::popcount(draw ^ other);
    }
  }
  BOOST_TEST(flipped_count / (200.0 * 64 * 64) == 0.5, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(chance_is_exact_at_its_edges) {
  BOOST_TEST(!sim::chance(0, Ratio{0, 100}));
  BOOST_TEST(sim::chance(draw_max, Ratio{1, 1}));
  BOOST_TEST(sim::chance(draw_max, Ratio{draw_max, draw_max}));
  BOOST_TEST(sim::chance((std::uint64_t{1} << 62) - 1, Ratio{25, 100}));
  BOOST_TEST(!sim::chance(std::uint64_t{1} << 62, Ratio{25, 100}));
}

BOOST_AUTO_TEST_CASE(chance_comes_as_often_as_its_ratio_for_keys_that_count_up) {
  int hit_count = 0;
  for (std::uint64_t partition = 0; partition < 100; ++partition) {
    for (std::uint64_t offset = 0; offset < 1000; ++offset) {
      const std::uint64_t draw = sim::keyed_draw(Seed{1}, "put fails", partition, offset * 1000, 0);
      if (sim::chance(draw, Ratio{3, 100})) ++hit_count;
    }
  }
  BOOST_TEST(hit_count == 3000.0, boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(uniform_reaches_both_ends_and_all_between_alike) {
  std::array<int, 7> counts{};
  for (const std::uint64_t draw : many_draws(70'000))
    ++counts.at(static_cast<std::size_t>(sim::uniform(draw, -3, 3) + 3));
  for (const int count : counts) BOOST_TEST(count == 10'000.0, boost::test_tools::tolerance(0.04));
  BOOST_TEST(sim::uniform(std::uint64_t{9}, 4, 4) == 4);
  BOOST_TEST((sim::uniform(std::uint64_t{9}, 5ms, 5ms) == 5ms));
}

BOOST_AUTO_TEST_CASE(streams_of_two_names_differ_and_one_repeats) {
  SplitMix64 first = sim::stream(Seed{1}, "orders");
  SplitMix64 again = sim::stream(Seed{1}, "orders");
  SplitMix64 other = sim::stream(Seed{1}, "payments");
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t value = first();
    BOOST_TEST(value == again());
    BOOST_TEST(value != other());
  }
}

BOOST_AUTO_TEST_CASE(exponential_has_its_mean_and_its_quantiles) {
  double sum = 0;
  const Draws draws = many_draws(200'000);
  for (const std::uint64_t draw : draws) sum += as_seconds(sim::exponential(draw, 1s));
  BOOST_TEST(sum / static_cast<double>(draws.size()) == 1.0, boost::test_tools::tolerance(0.01));
  for (const double fraction : {1e-6, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99}) {
    const double value = as_seconds(sim::exponential(draw_at(fraction), 1000s));
    BOOST_TEST(value == -1000 * std::log(fraction), boost::test_tools::tolerance(2e-5));
  }
}

BOOST_AUTO_TEST_CASE(lognormal_has_its_median_its_p99_and_its_mean) {
  BOOST_TEST((sim::lognormal(std::uint64_t{1} << 63, 20ms, 400ms) == 20ms));
  BOOST_TEST(as_seconds(sim::lognormal(draw_at(0.99), 20ms, 400ms)) == 0.4, boost::test_tools::tolerance(2e-4));
  BOOST_TEST(as_seconds(sim::lognormal(draw_at(0.01), 20ms, 400ms)) == 0.001, boost::test_tools::tolerance(2e-3));
  double sum = 0;
  const Draws draws = many_draws(200'000);
  for (const std::uint64_t draw : draws) sum += as_seconds(sim::lognormal(draw, 1s, 3s));
  const double deviation = std::log(3) / 2.3263478740408408;
  BOOST_TEST(sum / static_cast<double>(draws.size()) == std::exp(deviation * deviation / 2),
             boost::test_tools::tolerance(0.005));
}

BOOST_AUTO_TEST_CASE(lognormal_follows_the_normal_distribution_into_both_tails) {
  // ln(p99 / median) is z(0.99), so the logarithm of a value is its distance from the median in standard deviations.
  const Duration median = 1'000'000s;
  const auto p99 =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1e6 * std::exp(2.3263478740408408)));
  for (const double fraction : {1e-9, 1e-6, 0.001, 0.02275, 0.158655, 0.3, 0.45, 0.7, 0.9, 0.999, 0.999999}) {
    const double z = std::log(as_seconds(sim::lognormal(draw_at(fraction), median, p99)) / 1e6);
    BOOST_TEST(std::erfc(-z / std::sqrt(2)) / 2 == fraction, boost::test_tools::tolerance(1e-3));
  }
}

BOOST_AUTO_TEST_CASE(distributions_are_monotone_and_take_every_draw) {
  Draws draws = many_draws(20'000);
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t near : {power - 1, power, power + 1}) draws.insert(draws.end(), {near, ~near});
  }
  std::sort(draws.begin(), draws.end());
  for (std::size_t i = 1; i < draws.size(); ++i) {
    BOOST_TEST_REQUIRE((sim::exponential(draws[i - 1], 1h) >= sim::exponential(draws[i], 1h)));
    BOOST_TEST_REQUIRE((sim::lognormal(draws[i - 1], 1s, 100s) <= sim::lognormal(draws[i], 1s, 100s)));
  }
}

BOOST_AUTO_TEST_CASE(distributions_take_extreme_parameters) {
  BOOST_TEST((sim::exponential(0, Duration::max()) == Duration::max()));
  BOOST_TEST((sim::exponential(5, 0s) == 0s));
  BOOST_TEST((sim::lognormal(draw_max, 1us, Duration::max()) == Duration::max()));
  BOOST_TEST((sim::lognormal(0, 1us, Duration::max()) == 0us));
  BOOST_TEST((sim::lognormal(12345, 7ms, 7ms) == 7ms));
}

// The same bits everywhere: with every compiler, at every level of optimisation, on every processor.
BOOST_AUTO_TEST_CASE(draws_have_the_values_that_they_have_always_had) {
  std::uint64_t hash = 0;
  for (const std::uint64_t draw : many_draws(100'000)) {
    hash = sim::fold(hash, static_cast<std::uint64_t>(sim::exponential(draw, 1h).count()));
    hash = sim::fold(hash, static_cast<std::uint64_t>(sim::lognormal(draw, 20ms, 3s).count()));
    hash = sim::fold(hash, static_cast<std::uint64_t>(sim::uniform(draw, 0, 999)));
  }
  BOOST_TEST(hash == 2918127005702866714U);
  BOOST_TEST(sim::keyed_draw(Seed{1}, "put", 1, 2) == 14209215029767960391U);
  BOOST_TEST(sim::exponential(draw_at(0.3), 1s).count() == 1'203'973);
  BOOST_TEST(sim::lognormal(draw_at(0.3), 1s, 10s).count() == 595'071);
}

// The engine is the published one: these are the first outputs for the state 1234567.
BOOST_AUTO_TEST_CASE(engine_gives_the_known_sequence) {
  SplitMix64 engine{1234567};
  for (const std::uint64_t expected : {6457827717110365317U, 3203168211198807973U, 9817491932198370423U}) {
    BOOST_TEST(engine() == expected);
  }
}

BOOST_AUTO_TEST_SUITE_END()
