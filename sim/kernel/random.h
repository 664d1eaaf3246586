#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "model/time.h"
#include "model/types.h"

namespace sim {

using model::Duration;

/// The one number from which all luck of a world follows.
using Seed = model::Strong<struct SeedTag, std::uint64_t>;

/// SplitMix64's finaliser: every bit of the argument reaches every bit of the result.
constexpr std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

/// Adds one number to a hash. A whole finaliser each time: a multiplication alone left failures 22 % off their
/// probability.
constexpr std::uint64_t fold(std::uint64_t hash, std::uint64_t part) {
  return mix((hash ^ part) + 0x9e3779b97f4a7c15U);
}

constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char letter : text) hash = fold(hash, static_cast<unsigned char>(letter));
  return hash;
}

/// What a draw is for. Written as a string literal at the draw, hashed by the compiler.
class Purpose {
 public:
  template <std::size_t size>
  consteval Purpose(const char (&text)[size]) : hash_(hash_of(std::string_view{text, size - 1})) {}
  constexpr std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_;
};

template <std::integral Part>
constexpr std::uint64_t to_part(Part part) {
  return static_cast<std::uint64_t>(part);
}
template <class Part>
requires std::is_enum_v<Part>
constexpr std::uint64_t to_part(Part part) { return static_cast<std::uint64_t>(part); }
template <class Tag, class Rep>
constexpr std::uint64_t to_part(model::Strong<Tag, Rep> part) {
  return static_cast<std::uint64_t>(part.value());
}

/// 64 uniform bits that depend on the seed, the purpose and the parts (numbers, enumerators, strong types) and on
/// nothing else. Name in the parts all that the draw decides: entity, operation, attempt, step. The same arguments give
/// the same draw.
template <class... Parts>
constexpr std::uint64_t keyed_draw(Seed seed, Purpose purpose, Parts... parts) {
  std::uint64_t hash = fold(mix(seed.value()), purpose.hash());
  ((hash = fold(hash, to_part(parts))), ...);
  return hash;
}

/// A probability as an exact fraction.
struct Ratio {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;  ///< Not 0.
  friend constexpr bool operator==(Ratio, Ratio) = default;
};

/// Whether the draw falls among the first numerator / denominator of all draws.
bool chance(std::uint64_t draw, Ratio ratio);

/// An engine of 8 bytes with Boost.Random's interface (a standard uniform random bit generator).
class SplitMix64 {
 public:
  using result_type = std::uint64_t;
  static constexpr bool has_fixed_range = false;

  constexpr explicit SplitMix64(std::uint64_t state) : state_(state) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  constexpr result_type operator()() { return mix(state_ += 0x9e3779b97f4a7c15U); }

 private:
  std::uint64_t state_;
};

/// The stream of this name. For the workload only: what a policy decides must not shift the luck of anything else.
constexpr SplitMix64 stream(Seed seed, std::string_view name) {
  return SplitMix64{fold(mix(seed.value()), hash_of(name))};
}

/// Uniform over [low, high], both inclusive and low not above high; every value has the same probability.
std::int64_t uniform(SplitMix64& engine, std::int64_t low, std::int64_t high);
std::int64_t uniform(std::uint64_t draw, std::int64_t low, std::int64_t high);
Duration uniform(std::uint64_t draw, Duration low, Duration high);

/// Exponentially distributed with this mean, which must not be negative.
Duration exponential(std::uint64_t draw, Duration mean);

/// Lognormally distributed: half of all draws are below the median, 99 of 100 below `p99`. 0 < median <= p99.
Duration lognormal(std::uint64_t draw, Duration median, Duration p99);

}  // namespace sim
