#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// The tables from which random.cc interpolates. The compiler computes them in doubles with the four basic operations,
// which IEEE 754 fixes to the bit, and rounds them to integers: so they hold the same numbers everywhere, unlike
// results of libm.

namespace sim::quantiles {

inline constexpr int fixed_bits = 48;  // All values are multiples of 2^-48.
inline constexpr std::size_t point_count = 1025;
using Table = std::array<std::int64_t, point_count>;

inline constexpr double ln2 = 0.693147180559945309417;

constexpr std::int64_t to_fixed(double value) {
  const double scaled = value * static_cast<double>(std::int64_t{1} << fixed_bits);
  return static_cast<std::int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

// By Taylor's series, for small arguments.
constexpr double exp_small(double x) {
  double sum = 1;
  double term = 1;
  for (int i = 1; i < 16; ++i) {
    term *= x / i;
    sum += term;
  }
  return sum;
}

constexpr double exp_of(double x) {
  double result = exp_small(x / 32);
  for (int i = 0; i < 5; ++i) result *= result;
  return result;
}

// ln(1 + i / 1024).
constexpr Table make_logarithms() {
  Table table{};
  for (std::size_t i = 0; i < point_count; ++i) {
    const double x = static_cast<double>(i) / 1024;
    const double ratio = x / (2 + x);
    double power = ratio;
    double sum = 0;
    for (int n = 1; n < 34; n += 2) {
      sum += power / n;
      power *= ratio * ratio;
    }
    table[i] = to_fixed(2 * sum);
  }
  return table;
}

// 2^(i / 1024).
constexpr Table make_powers_of_two() {
  Table table{};
  for (std::size_t i = 0; i < point_count; ++i) table[i] = to_fixed(exp_small(ln2 * static_cast<double>(i) / 1024));
  return table;
}

// Mills' ratio: the upper tail of the normal distribution over its density.
constexpr double mills_ratio(double z) {
  if (z < 2) {
    double term = z;
    double sum = z;
    for (int n = 3; n < 44; n += 2) {
      term *= z * z / n;
      sum += term;
    }
    return 1.25331413731550025121 * exp_of(z * z / 2) - sum;
  }
  double fraction = z;
  for (int n = 48; n > 0; --n) fraction = z + n / fraction;
  return 1 / fraction;
}

// The normal distribution's z at which the upper tail is p = 2^-(octave + 1) (1 - step / 64), 32 steps an octave: close
// together where p is small, because z grows with its logarithm. A Taylor step, then one of Newton's.
constexpr Table make_normal_tails() {
  constexpr double sqrt_two_pi = 2.50662827463100050242;
  Table table{};
  double z = 0;
  double p = 0.5;
  for (std::size_t i = 1; i < point_count; ++i) {
    const double before = p;
    double scale = 0.5;
    for (std::size_t octave = 0; octave < i / 32; ++octave) scale /= 2;
    p = scale * (1 - static_cast<double>(i % 32) / 64);
    const double x = (before - p) / before;
    const double step = x + x * x / 2 + x * x * x / 3 + x * x * x * x / 4;  // -ln(p / before).
    const double ratio = mills_ratio(z);
    z += ratio * step + (z * ratio - 1) * ratio * step * step / 2;
    z += mills_ratio(z) - p * sqrt_two_pi * exp_of(z * z / 2);
    table[i] = to_fixed(z);
  }
  return table;
}

inline constexpr Table logarithms = make_logarithms();
inline constexpr Table powers_of_two = make_powers_of_two();
inline constexpr Table normal_tails = make_normal_tails();

}  // namespace sim::quantiles
