#include "sim/kernel/random.h"

#include <bit>
#include <cstddef>

#include <boost/random/uniform_int_distribution.hpp>

#include "model/check.h"
#include "sim/kernel/quantiles.h"

namespace sim {

namespace {

using Wide = __int128;

constexpr std::int64_t one = std::int64_t{1} << quantiles::fixed_bits;
constexpr std::int64_t ln2 = quantiles::to_fixed(quantiles::ln2);
constexpr std::int64_t log2_e = quantiles::to_fixed(1.44269504088896340736);
constexpr std::int64_t z_of_p99 = quantiles::to_fixed(2.32634787404084110089);

constexpr Wide multiply(std::int64_t a, std::int64_t b) { return static_cast<Wide>(a) * b >> quantiles::fixed_bits; }

// The table at index + fraction / 2^fraction_bits.
std::int64_t interpolate(const quantiles::Table& table, std::size_t index, std::uint64_t fraction, int fraction_bits) {
  if (fraction == 0) return table[index];
  const Wide step = static_cast<Wide>(table[index + 1] - table[index]) * static_cast<Wide>(fraction);
  return table[index] + static_cast<std::int64_t>(step >> fraction_bits);
}

// ln(value), value not 0.
std::int64_t logarithm(std::uint64_t value) {
  const int exponent = static_cast<int>(std::bit_width(value)) - 1;
  const std::uint64_t mantissa = (value << (63 - exponent)) << 1;  // Without the leading one.
  return exponent * ln2 +
         interpolate(quantiles::logarithms, mantissa >> 54, mantissa & ((std::uint64_t{1} << 54) - 1), 54);
}

// How many standard deviations above the mean the normal distribution is at this draw.
std::int64_t normal(std::uint64_t draw) {
  constexpr std::size_t last = quantiles::point_count - 1;
  const bool is_upper = (draw >> 63) != 0;
  // The distance to the nearer end in units of 2^-64, not 0; both halves get the same numbers.
  const std::uint64_t tail = ((is_upper ? ~draw : draw) & (SplitMix64::max() >> 1)) | 1;
  const int zeros = std::countl_zero(tail);
  const auto octave = static_cast<std::size_t>(zeros - 1);
  const std::uint64_t below_one = ~(tail << zeros) + 1;  // 1 - the tail's mantissa, in [0, 1/2].
  const std::size_t index = octave * 32 + (below_one >> 58);
  const std::int64_t z =
      index >= last ? quantiles::normal_tails[last]
                    : interpolate(quantiles::normal_tails, index, below_one & ((std::uint64_t{1} << 58) - 1), 58);
  return is_upper ? z : -z;
}

Duration to_duration(Wide microseconds) {
  return microseconds > Duration::max().count() ? Duration::max() : Duration{static_cast<std::int64_t>(microseconds)};
}

// value * e^exponent, rounded to the nearest.
Duration times_exp(Duration value, Wide exponent) {
  const Wide binary = exponent * log2_e >> quantiles::fixed_bits;
  const auto whole = static_cast<std::int64_t>(binary >> quantiles::fixed_bits);
  const auto part = static_cast<std::uint64_t>(binary) & static_cast<std::uint64_t>(one - 1);
  constexpr int part_bits = quantiles::fixed_bits - 10;
  const std::int64_t power =
      interpolate(quantiles::powers_of_two, part >> part_bits, part & ((std::uint64_t{1} << part_bits) - 1), part_bits);
  if (whole > 63) return Duration::max();
  if (whole < -64) return Duration{0};
  // At most 2^112: the power is below 2^49. A large exponent comes last, where it may be too much.
  const Wide product = static_cast<Wide>(value.count()) * power;
  const int shift = quantiles::fixed_bits - static_cast<int>(whole);
  if (shift > 0) return to_duration((product + (static_cast<Wide>(1) << (shift - 1))) >> shift);
  if (product > static_cast<Wide>(Duration::max().count())) return Duration::max();
  return to_duration(product << -shift);
}

}  // namespace

bool chance(std::uint64_t draw, Ratio ratio) {
  CHECK(ratio.denominator != 0);
  using UnsignedWide = unsigned __int128;
  return static_cast<UnsignedWide>(draw) * ratio.denominator < static_cast<UnsignedWide>(ratio.numerator) << 64;
}

std::int64_t uniform(SplitMix64& engine, std::int64_t low, std::int64_t high) {
  CHECK(low <= high, "[{}, {}] is empty", low, high);
  return boost::random::uniform_int_distribution<std::int64_t>{low, high}(engine);
}

std::int64_t uniform(std::uint64_t draw, std::int64_t low, std::int64_t high) {
  SplitMix64 engine{draw};
  return uniform(engine, low, high);
}

Duration uniform(std::uint64_t draw, Duration low, Duration high) {
  return Duration{uniform(draw, low.count(), high.count())};
}

Duration exponential(std::uint64_t draw, Duration mean) {
  CHECK(mean >= Duration{0});
  // -ln of the draw as a fraction of 2^64; a draw of 0 has no logarithm.
  const std::int64_t quantile = 64 * ln2 - logarithm(draw | 1);
  return to_duration((static_cast<Wide>(mean.count()) * quantile + one / 2) >> quantiles::fixed_bits);
}

Duration lognormal(std::uint64_t draw, Duration median, Duration p99) {
  CHECK(median > Duration{0});
  CHECK(p99 >= median);
  const std::int64_t spread =
      logarithm(static_cast<std::uint64_t>(p99.count())) - logarithm(static_cast<std::uint64_t>(median.count()));
  const auto deviation = static_cast<std::int64_t>((static_cast<Wide>(spread) << quantiles::fixed_bits) / z_of_p99);
  return times_exp(median, multiply(normal(draw), deviation));
}

}  // namespace sim
