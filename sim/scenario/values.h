#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/leader_epochs.h"
#include "model/option_rows.h"
#include "model/result.h"
#include "model/time.h"
#include "model/types.h"
#include "sim/kernel/random.h"

namespace sim {

using namespace model;

/// A length of time that is fixed or drawn anew for each use: `40ms`, `exp(40ms)`, `uniform(10ms,80ms)`,
/// `lognormal(40ms,400ms)` (median and 99th percentile).
struct DurationDistribution {
  enum class Kind : std::uint8_t { fixed, exponential, uniform, lognormal };
  Kind kind = Kind::fixed;
  /// The value; the mean; the least; the median.
  Duration first{0};
  /// The greatest (uniform) or the 99th percentile (lognormal).
  Duration second{0};

  constexpr DurationDistribution() = default;
  constexpr DurationDistribution(Duration fixed) : first(fixed) {}
  constexpr DurationDistribution(Kind k, Duration a, Duration b) : kind(k), first(a), second(b) {}
  friend bool operator==(const DurationDistribution&, const DurationDistribution&) = default;

  /// The value that a keyed draw decides.
  Duration draw(std::uint64_t keyed) const;
};

/// The longest time that a file may state: 100,000 years. Adding a world's time to it cannot overflow.
inline constexpr Duration duration_max = std::chrono::hours{24LL * 36'525'000};

// Readers of one value as it stands in a file; the error says what is wrong with it in words. Values carry a unit
// (`30s`, `128MiB`); a bare number other than 0 is taken only where the key's unit, Kafka's, says what it means.

/// With `Unit::milliseconds` or `seconds` a bare number has that unit, -1 and -2 stay what they are, and what is longer
/// than duration_max becomes duration_max.
Result<Duration, std::string> parse_duration(std::string_view text, Unit unit = Unit::none);
/// With `Unit::bytes` a bare number is bytes, -1 and -2 included.
Result<Bytes, std::string> parse_bytes(std::string_view text, Unit unit = Unit::bytes);
/// `4MiB/s`; with `Unit::bytes_per_second` a bare number is bytes a second.
Result<Bytes, std::string> parse_rate(std::string_view text, Unit unit = Unit::none);
/// `0.01`, `1/100`, `1`: exact, in lowest terms, not negative.
Result<Ratio, std::string> parse_ratio(std::string_view text);
Result<DurationDistribution, std::string> parse_distribution(std::string_view text);
Result<std::int64_t, std::string> parse_integer(std::string_view text);
/// `true`, `false`, `yes`, `no`.
Result<bool, std::string> parse_bool(std::string_view text);
/// `EPOCH=START` joined with blanks, epochs rising and starts not falling: `0=0 4=1500`. May be empty.
Result<EpochEntries, std::string> parse_epochs(std::string_view text);
/// ISO 8601, as `2024-02-29`, `2024-02-29T12:00:00Z`, `2024-02-29T12:00:00.250+01:00`: milliseconds since 1970 in UTC.
Result<std::int64_t, std::string> parse_instant(std::string_view text);

// The same values as a file writes them, exact, so that what is printed reads back as the same value.
std::string format_duration(Duration value);
std::string format_bytes(Bytes value);
std::string format_rate(Bytes value);
std::string format_ratio(Ratio value);
std::string format_distribution(const DurationDistribution& value);

}  // namespace sim
