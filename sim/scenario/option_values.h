// How one option's value is read, checked against its range and written, by the type of its field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "model/option_rows.h"
#include "sim/scenario/names.h"
#include "sim/scenario/option_rows.h"
#include "sim/scenario/values.h"

namespace sim {

/// Nothing when `text` was read into `value`, else what is wrong; `value` is then unchanged.
using ReadError = std::optional<std::string>;

ReadError read_option(std::string_view text, bool& value, Unit unit, Range range);
ReadError read_option(std::string_view text, std::int32_t& value, Unit unit, Range range);
ReadError read_option(std::string_view text, std::int64_t& value, Unit unit, Range range);
ReadError read_option(std::string_view text, Bytes& value, Unit unit, Range range);
ReadError read_option(std::string_view text, Duration& value, Unit unit, Range range);
/// An empty text is nothing.
template <class Value>
ReadError read_option(std::string_view text, std::optional<Value>& value, Unit unit, Range range) {
  if (text.empty()) {
    value.reset();
    return std::nullopt;
  }
  Value parsed{};
  if (auto error = read_option(text, parsed, unit, range)) return error;
  value = parsed;
  return std::nullopt;
}
ReadError read_option(std::string_view text, DurationDistribution& value, Unit unit, Range range);
ReadError read_option(std::string_view text, Ratio& value, Unit unit, Range range);
ReadError read_option(std::string_view text, std::string& value, Unit unit, Range range);

/// As a file says it: with a unit, exact.
std::string format_option(bool value, Unit unit);
std::string format_option(std::int32_t value, Unit unit);
std::string format_option(std::int64_t value, Unit unit);
std::string format_option(Bytes value, Unit unit);
std::string format_option(Duration value, Unit unit);
template <class Value>
std::string format_option(const std::optional<Value>& value, Unit unit) {
  return value ? format_option(*value, unit) : "";
}
std::string format_option(const DurationDistribution& value, Unit unit);
std::string format_option(Ratio value, Unit unit);
std::string format_option(const std::string& value, Unit unit);

/// What `list keys` shows as the unit.
std::string unit_text(const bool*, Unit unit);
std::string unit_text(const std::int32_t*, Unit unit);
std::string unit_text(const std::int64_t*, Unit unit);
std::string unit_text(const Bytes*, Unit unit);
std::string unit_text(const Duration*, Unit unit);
std::string unit_text(const std::optional<std::int32_t>*, Unit unit);
std::string unit_text(const std::optional<Duration>*, Unit unit);
std::string unit_text(const DurationDistribution*, Unit unit);
std::string unit_text(const Ratio*, Unit unit);
std::string unit_text(const std::string*, Unit unit);

template <class Enum>
requires std::is_enum_v<Enum> ReadError read_option(std::string_view text, Enum& value, Unit, Range) {
  std::vector<std::string> names;
  for (const std::string_view name : enum_names(Enum{})) {
    if (name == text) {
      value = static_cast<Enum>(names.size());
      return std::nullopt;
    }
    names.emplace_back(name);
  }
  return fmt::format("{} is none of its values{}", quoted(text), suggestion(text, names));
}

template <class Enum>
requires std::is_enum_v<Enum> std::string format_option(Enum value, Unit) {
  return std::string{enum_names(value)[static_cast<std::size_t>(value)]};
}

template <class Enum>
requires std::is_enum_v<Enum> std::string unit_text(const Enum*, Unit) {
  return fmt::format("{}", fmt::join(enum_names(Enum{}), "|"));
}

/// What became of a key offered to a section's rows.
struct SetOutcome {
  bool known = false;
  ReadError error;
};

/// Reads `text` into the option called `key`, when `options` has one.
template <class Options>
SetOutcome set_option(Options& options, std::string_view key, std::string_view text) {
  SetOutcome outcome;
  for_each_option(options, [&](std::string_view name, auto& value, Unit unit, Range range, std::string_view) {
    if (name != key) return;
    outcome.known = true;
    outcome.error = read_option(text, value, unit, range);
  });
  return outcome;
}

template <class Options>
std::vector<std::string> option_names() {
  Options options;
  std::vector<std::string> names;
  for_each_option(options,
                  [&](std::string_view name, auto&, Unit, Range, std::string_view) { names.emplace_back(name); });
  return names;
}

}  // namespace sim
