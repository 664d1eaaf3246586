#include "sim/scenario/option_values.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sim {

namespace {

// The range in words; only the end that was missed is of interest.
std::string out_of_range(std::string_view text, bool too_small, const std::string& limit) {
  return fmt::format("{} is out of range: at {} {}", quoted(text), too_small ? "least" : "most", limit);
}

template <class Format>
ReadError range_error(std::string_view text, std::int64_t value, Range range, Format&& format) {
  if (value < range.least) return out_of_range(text, true, format(range.least));
  if (value > range.greatest) return out_of_range(text, false, format(range.greatest));
  return std::nullopt;
}

std::string number_text(std::int64_t value) { return fmt::format("{}", value); }
std::string duration_text(std::int64_t value) { return format_duration(Duration{value}); }

template <class Integer>
ReadError read_integer(std::string_view text, Integer& value, Range range) {
  const auto parsed = parse_integer(text);
  if (!parsed) return parsed.error();
  range.least = std::max<std::int64_t>(range.least, std::numeric_limits<Integer>::min());
  range.greatest = std::min<std::int64_t>(range.greatest, std::numeric_limits<Integer>::max());
  if (auto error = range_error(text, *parsed, range, number_text)) return error;
  value = static_cast<Integer>(*parsed);
  return std::nullopt;
}

template <std::size_t count>
using Names = std::array<std::string_view, count>;

}  // namespace

std::span<const std::string_view> enum_names(BrokerOptions::First) {
  static constexpr Names<2> names{"copy", "expiration"};
  return names;
}
std::span<const std::string_view> enum_names(StoreOptions::Missing) {
  static constexpr Names<2> names{"204", "404"};
  return names;
}
std::span<const std::string_view> enum_names(ClientOptions::Plugin) {
  static constexpr Names<2> names{"plain", "common"};
  return names;
}
std::span<const std::string_view> enum_names(ClientOptions::TimeoutError) {
  static constexpr Names<2> names{"permanent", "retriable"};
  return names;
}
std::span<const std::string_view> enum_names(ClientOptions::Interrupt) {
  static constexpr Names<4> names{"throw", "unchecked", "ignore", "swallow"};
  return names;
}
std::span<const std::string_view> enum_names(ClientOptions::DeleteMissing) {
  static constexpr Names<2> names{"done", "error"};
  return names;
}

ReadError read_option(std::string_view text, bool& value, Unit, Range) {
  const auto parsed = parse_bool(text);
  if (!parsed) return parsed.error();
  value = *parsed;
  return std::nullopt;
}

ReadError read_option(std::string_view text, std::int32_t& value, Unit, Range range) {
  return read_integer(text, value, range);
}

ReadError read_option(std::string_view text, std::int64_t& value, Unit, Range range) {
  return read_integer(text, value, range);
}

ReadError read_option(std::string_view text, Bytes& value, Unit unit, Range range) {
  const bool is_rate = unit == Unit::bytes_per_second;
  const auto parsed = is_rate ? parse_rate(text, unit) : parse_bytes(text, unit);
  if (!parsed) return parsed.error();
  const auto format = [&](std::int64_t limit) {
    return is_rate ? format_rate(Bytes{limit}) : format_bytes(Bytes{limit});
  };
  if (auto error = range_error(text, parsed->value(), range, format)) return error;
  value = *parsed;
  return std::nullopt;
}

ReadError read_option(std::string_view text, Duration& value, Unit unit, Range range) {
  const auto parsed = parse_duration(text, unit);
  if (!parsed) return parsed.error();
  if (auto error = range_error(text, parsed->count(), range, duration_text)) return error;
  value = *parsed;
  return std::nullopt;
}

ReadError read_option(std::string_view text, DurationDistribution& value, Unit, Range range) {
  const auto parsed = parse_distribution(text);
  if (!parsed) return parsed.error();
  if (auto error = range_error(text, parsed->first.count(), range, duration_text)) return error;
  if (auto error = range_error(text, parsed->second.count(), range, duration_text)) return error;
  value = *parsed;
  return std::nullopt;
}

ReadError read_option(std::string_view text, Ratio& value, Unit, Range range) {
  const auto parsed = parse_ratio(text);
  if (!parsed) return parsed.error();
  using Wide = __int128;
  const auto part = static_cast<Wide>(parsed->numerator);
  const auto whole = static_cast<Wide>(parsed->denominator);
  if (part < range.least * whole) return out_of_range(text, true, number_text(range.least));
  if (part > range.greatest * whole) return out_of_range(text, false, number_text(range.greatest));
  value = *parsed;
  return std::nullopt;
}

ReadError read_option(std::string_view text, std::string& value, Unit, Range) {
  value = text;
  return std::nullopt;
}

std::string format_option(bool value, Unit) { return value ? "yes" : "no"; }
std::string format_option(std::int32_t value, Unit) { return number_text(value); }
std::string format_option(std::int64_t value, Unit) { return number_text(value); }
std::string format_option(Bytes value, Unit unit) {
  return unit == Unit::bytes_per_second ? format_rate(value) : format_bytes(value);
}
std::string format_option(Duration value, Unit) { return format_duration(value); }
std::string format_option(const DurationDistribution& value, Unit) { return format_distribution(value); }
std::string format_option(Ratio value, Unit) { return format_ratio(value); }
std::string format_option(const std::string& value, Unit) { return value; }

std::string unit_text(const bool*, Unit) { return "yes|no"; }
std::string unit_text(const std::int32_t*, Unit) { return "number"; }
std::string unit_text(const std::int64_t*, Unit) { return "number"; }
std::string unit_text(const Bytes*, Unit unit) {
  if (unit == Unit::bytes_per_second) return "bytes/s";
  return unit == Unit::bytes ? "bytes" : "size";
}
std::string unit_text(const Duration*, Unit unit) {
  if (unit == Unit::milliseconds) return "ms";
  return unit == Unit::seconds ? "s" : "duration";
}
std::string unit_text(const std::optional<std::int32_t>*, Unit) { return "number"; }
std::string unit_text(const std::optional<Duration>*, Unit) { return "duration"; }
std::string unit_text(const DurationDistribution*, Unit) { return "duration or distribution"; }
std::string unit_text(const Ratio*, Unit) { return "ratio"; }
std::string unit_text(const std::string*, Unit) { return "text"; }

}  // namespace sim
