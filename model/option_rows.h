#pragma once

#include <cstdint>
#include <string_view>

namespace model {

/// What a bare number in a file means; values with a unit of their own are always taken.
enum class Unit : std::uint8_t {
  none,
  milliseconds,  ///< Kafka's `.ms`.
  seconds,       ///< Kafka's `.seconds`.
  bytes,
  bytes_per_second,
};

/// The values an option takes, both ends included, in the option's base unit (microseconds, bytes, ...).
struct Range {
  std::int64_t least;
  std::int64_t greatest;
};

// An options struct tells its rows to a visitor, each option once:
//
//   template <class Visitor> static constexpr void describe(Visitor& row) {
//     row("name.as.in.files", &Self::member, Unit::milliseconds, Range{...}, "One sentence of help.");
//   }
//
// Command line, scenario file, `check --print`, `list keys` and the manifest all walk the rows. The type of the member
// says how a value is read: bool, std::int32_t, std::int64_t, Bytes, Duration, std::string, std::optional of a number
// or a Duration, or an enum with `std::span<const std::string_view> enum_names(Enum)` found by argument-dependent
// lookup (names in the enum's order from 0).

}  // namespace model
