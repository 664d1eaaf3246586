#include "sim/scenario/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "sim/scenario/names.h"

namespace sim {

namespace {

using Wide = __int128;
using Error = Failed<std::string>;

// A unit and how many base units (microseconds, bytes) it is.
struct UnitName {
  std::string_view name;
  std::int64_t size;
};

constexpr std::array duration_units{
    UnitName{"d", 86'400'000'000}, UnitName{"h", 3'600'000'000}, UnitName{"m", 60'000'000},
    UnitName{"s", 1'000'000},      UnitName{"ms", 1'000},        UnitName{"us", 1},
};
// In the order in which a value is printed: the first that divides it.
constexpr std::array byte_units{
    UnitName{"PiB", 1LL << 50}, UnitName{"PB", 1'000'000'000'000'000},
    UnitName{"TiB", 1LL << 40}, UnitName{"TB", 1'000'000'000'000},
    UnitName{"GiB", 1LL << 30}, UnitName{"GB", 1'000'000'000},
    UnitName{"MiB", 1LL << 20}, UnitName{"MB", 1'000'000},
    UnitName{"KiB", 1LL << 10}, UnitName{"kB", 1'000},
    UnitName{"B", 1},
};
// What people write instead, and the unit that they mean.
struct Habit {
  std::string_view written;
  std::string_view meant;
};
constexpr std::array habits{
    Habit{"sec", "s"},     Habit{"secs", "s"},   Habit{"second", "s"},  Habit{"seconds", "s"}, Habit{"min", "m"},
    Habit{"mins", "m"},    Habit{"minute", "m"}, Habit{"minutes", "m"}, Habit{"hr", "h"},      Habit{"hrs", "h"},
    Habit{"hour", "h"},    Habit{"hours", "h"},  Habit{"day", "d"},     Habit{"days", "d"},    Habit{"msec", "ms"},
    Habit{"millis", "ms"}, Habit{"usec", "us"},  Habit{"µs", "us"},     Habit{"K", "KiB"},     Habit{"k", "KiB"},
    Habit{"KB", "kB"},     Habit{"kib", "KiB"},  Habit{"M", "MiB"},     Habit{"mb", "MB"},     Habit{"mib", "MiB"},
    Habit{"G", "GiB"},     Habit{"gb", "GB"},    Habit{"gib", "GiB"},   Habit{"T", "TiB"},     Habit{"w", "d"},
};

constexpr std::string_view duration_examples = "write 250us, 250ms, 30s, 5m, 4h, 7d or 4h49m";
constexpr std::string_view byte_examples = "write 200B, 16KiB, 128MiB or 10GB";
constexpr std::string_view rate_examples = "write 500kB/s or 4MiB/s";

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// A decimal fraction, exact: digits / 10^places.
struct Decimal {
  std::int64_t digits = 0;
  int places = 0;
};

std::int64_t power_of_ten(int places) {
  std::int64_t power = 1;
  for (int i = 0; i < places; ++i) power *= 10;
  return power;
}

// Takes `12` or `1.25` off the front of the text. Nothing when no number is there or it does not fit.
std::optional<Decimal> take_decimal(std::string_view& text) {
  std::uint64_t digits = 0;  // 19 digits fit.
  int count = 0;
  int places = 0;
  bool after_point = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !after_point && at > 0) {
      after_point = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    if (digits != 0 || text[at] != '0') ++count;
    if (after_point) ++places;
    if (count > 19 || places > 18) return std::nullopt;
    digits = digits * 10 + static_cast<std::uint64_t>(text[at] - '0');
  }
  if (at == 0 || text[at - 1] == '.' || digits > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  text.remove_prefix(at);
  return Decimal{static_cast<std::int64_t>(digits), places};
}

// The whole text as an integer; nothing when it is none or too large.
std::optional<std::int64_t> to_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_bare_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::string unknown_unit(std::string_view unit, std::span<const UnitName> units) {
  std::vector<std::string> names;
  for (const UnitName& known : units) names.emplace_back(known.name);
  std::string hint;
  for (const Habit& habit : habits) {
    const bool is_here = std::find(names.begin(), names.end(), habit.meant) != names.end();
    if (habit.written == unit && is_here) hint = fmt::format(" (did you mean '{}'?)", habit.meant);
  }
  return fmt::format("unknown unit {}{}: the units are {}", quoted(unit), hint, fmt::join(names, ", "));
}

// Takes one `NUMBER UNIT` off the front; `units` shrinks to those below the one found.
Result<std::int64_t, std::string> take_measure(std::string_view& rest, std::span<const UnitName>& units,
                                               std::span<const UnitName> all_units, std::string_view examples) {
  const auto number = take_decimal(rest);
  if (!number) return Error{fmt::format("no number with a unit: {}", examples)};
  std::size_t length = 0;
  while (length < rest.size() && !is_digit(rest[length]) && rest[length] != '.') ++length;
  const std::string_view unit = rest.substr(0, length);
  if (unit.empty()) return Error{fmt::format("a number without a unit: {}", examples)};
  rest.remove_prefix(length);
  const auto is_it = [&](const UnitName& known) { return known.name == unit; };
  const auto found = std::find_if(units.begin(), units.end(), is_it);
  if (found == units.end()) {
    const bool is_known = std::find_if(all_units.begin(), all_units.end(), is_it) != all_units.end();
    if (is_known) return Error{fmt::format("units out of order: {}", examples)};
    return Error{unknown_unit(unit, all_units)};
  }
  units = units.subspan(static_cast<std::size_t>(found - units.begin()) + 1);
  const Wide scaled = static_cast<Wide>(number->digits) * found->size;
  const std::int64_t divisor = power_of_ten(number->places);
  if (scaled % divisor != 0) return Error{fmt::format("finer than one {}", all_units.back().name)};
  if (scaled / divisor > std::numeric_limits<std::int64_t>::max()) return Error{"too large"};
  return static_cast<std::int64_t>(scaled / divisor);
}

Error wrong(std::string_view text, std::string_view what) { return Error{fmt::format("{}: {}", quoted(text), what)}; }

std::string format_measure(std::int64_t value, std::span<const UnitName> units) {
  for (const UnitName& unit : units) {
    if (value % unit.size == 0) return fmt::format("{}{}", value / unit.size, unit.name);
  }
  return {};
}

// A size with a unit, or a bare one where that is meant: `bare_ok`.
Result<Bytes, std::string> parse_size(std::string_view text, bool bare_ok, std::string_view examples) {
  if (is_bare_number(text)) {
    const auto value = to_integer(text);
    if (!value) return wrong(text, "too large");
    if (*value == 0 || (bare_ok && *value >= -2)) return Bytes{*value};
    return wrong(text, *value < 0 ? std::string{"negative"} : fmt::format("a number without a unit: {}", examples));
  }
  if (text.starts_with('-')) return wrong(text, "negative");
  std::string_view rest = text;
  std::span<const UnitName> units{byte_units};
  const auto value = take_measure(rest, units, byte_units, examples);
  if (!value) return wrong(text, value.error());
  if (!rest.empty()) return wrong(text, examples);
  return Bytes{*value};
}

}  // namespace

Duration DurationDistribution::draw(std::uint64_t keyed) const {
  switch (kind) {
    case Kind::fixed:
      return first;
    case Kind::exponential:
      return sim::exponential(keyed, first);
    case Kind::uniform:
      return sim::uniform(keyed, first, second);
    case Kind::lognormal:
      return sim::lognormal(keyed, first, second);
  }
  return first;
}

Result<Duration, std::string> parse_duration(std::string_view given, Unit unit) {
  const std::string_view text = trimmed(given);
  if (text.empty()) return wrong(text, duration_examples);
  if (is_bare_number(text)) {
    const auto value = to_integer(text);
    if (!value) return wrong(text, "too large");
    if (*value == 0) return Duration{0};
    if (unit == Unit::none) {
      return wrong(
          text, *value < 0 ? std::string{"negative"} : fmt::format("a number without a unit: {}", duration_examples));
    }
    if (*value < -2) return wrong(text, "negative");
    const std::int64_t size = unit == Unit::seconds ? 1'000'000 : 1'000;
    return Duration{static_cast<std::int64_t>(std::min<Wide>(static_cast<Wide>(*value) * size, duration_max.count()))};
  }
  if (text.starts_with('-')) return wrong(text, "negative");
  Wide sum = 0;
  std::span<const UnitName> units{duration_units};
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto part = take_measure(rest, units, duration_units, duration_examples);
    if (!part) return wrong(text, part.error());
    sum += *part;
  }
  if (sum > duration_max.count()) return wrong(text, "longer than 100,000 years");
  return Duration{static_cast<std::int64_t>(sum)};
}

Result<Bytes, std::string> parse_bytes(std::string_view text, Unit unit) {
  return parse_size(trimmed(text), unit == Unit::bytes, byte_examples);
}

Result<Bytes, std::string> parse_rate(std::string_view given, Unit unit) {
  std::string_view text = trimmed(given);
  const bool bare_ok = unit == Unit::bytes_per_second;
  if (is_bare_number(text)) return parse_size(text, bare_ok, rate_examples);
  if (!text.ends_with("/s")) return wrong(given, fmt::format("no rate: {}", rate_examples));
  text.remove_suffix(2);
  if (is_bare_number(text)) return wrong(given, fmt::format("no rate: {}", rate_examples));
  return parse_size(text, bare_ok, rate_examples);
}

Result<Ratio, std::string> parse_ratio(std::string_view given) {
  constexpr std::string_view examples = "write 0.01, 1/100 or 1";
  const std::string_view text = trimmed(given);
  if (text.starts_with('-')) return wrong(text, "negative");
  std::int64_t above = 0;
  std::int64_t below = 1;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const auto first = to_integer(text.substr(0, slash));
    const auto second = to_integer(text.substr(slash + 1));
    if (!first || !second || *second < 0) return wrong(text, examples);
    if (*second == 0) return wrong(text, "a division by 0");
    above = *first;
    below = *second;
  } else {
    std::string_view rest = text;
    const auto number = take_decimal(rest);
    if (!number || !rest.empty()) return wrong(text, examples);
    above = number->digits;
    below = power_of_ten(number->places);
  }
  const std::int64_t common = std::gcd(above, below);
  return Ratio{static_cast<std::uint64_t>(above / common), static_cast<std::uint64_t>(below / common)};
}

Result<DurationDistribution, std::string> parse_distribution(std::string_view given) {
  using Kind = DurationDistribution::Kind;
  constexpr std::string_view examples = "write 40ms, exp(40ms), uniform(10ms,80ms) or lognormal(40ms,400ms)";
  const std::string_view text = trimmed(given);
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) {
    const auto fixed = parse_duration(text);
    if (!fixed) return Error{fixed.error()};
    return DurationDistribution{*fixed};
  }
  const std::string_view name = trimmed(text.substr(0, open));
  if (!text.ends_with(')')) return wrong(text, examples);
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  const std::size_t comma = inside.find(',');
  const bool has_two = comma != std::string_view::npos;
  if (name != "exp" && name != "uniform" && name != "lognormal") {
    const std::array<std::string, 3> names{"exp", "uniform", "lognormal"};
    return wrong(text, fmt::format("unknown distribution {}{}", quoted(name), suggestion(name, names)));
  }
  if (has_two == (name == "exp")) return wrong(text, examples);
  const auto first = parse_duration(inside.substr(0, comma));
  if (!first) return wrong(text, first.error());
  if (name == "exp") return DurationDistribution{Kind::exponential, *first, Duration{0}};
  const auto second = parse_duration(inside.substr(comma + 1));
  if (!second) return wrong(text, second.error());
  if (*second < *first) return wrong(text, "the second time is below the first");
  if (name == "uniform") return DurationDistribution{Kind::uniform, *first, *second};
  if (*first == Duration{0}) return wrong(text, "the median must be above 0");
  return DurationDistribution{Kind::lognormal, *first, *second};
}

Result<std::int64_t, std::string> parse_integer(std::string_view given) {
  const std::string_view text = trimmed(given);
  if (!is_bare_number(text)) return wrong(text, "no whole number");
  if (const auto value = to_integer(text)) return *value;
  return wrong(text, "too large");
}

Result<EpochEntries, std::string> parse_epochs(std::string_view text) {
  EpochEntries entries;
  for (const std::string& pair : split_list(text, " \t")) {
    constexpr std::string_view examples = "write EPOCH=START joined with blanks";
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) return wrong(pair, examples);
    const auto epoch = parse_integer(std::string_view{pair}.substr(0, equals));
    const auto start = parse_integer(std::string_view{pair}.substr(equals + 1));
    if (!epoch || !start || *epoch < 0 || *start < 0 || *epoch > std::numeric_limits<std::int32_t>::max()) {
      return wrong(pair, examples);
    }
    const EpochEntry entry{LeaderEpoch{static_cast<std::int32_t>(*epoch)}, Offset{*start}};
    const bool rises =
        entries.empty() || (entry.epoch > entries.back().epoch && entry.start_offset >= entries.back().start_offset);
    if (!rises) return wrong(pair, "epochs and their starts must rise");
    entries.push_back(entry);
  }
  return entries;
}

Result<bool, std::string> parse_bool(std::string_view given) {
  const std::string_view text = trimmed(given);
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  const std::array<std::string, 4> names{"yes", "no", "true", "false"};
  return wrong(text, fmt::format("neither yes nor no{}", suggestion(text, names)));
}

namespace {

// The text against a pattern in which each `0` stands for a digit.
bool matches(std::string_view text, std::string_view pattern) {
  if (text.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (pattern[i] == '0' ? !is_digit(text[i]) : text[i] != pattern[i]) return false;
  }
  return true;
}

int number_at(std::string_view text, std::size_t position, std::size_t length) {
  int value = 0;
  for (const char digit : text.substr(position, length)) value = value * 10 + (digit - '0');
  return value;
}

// Takes `.5` to `.999999999` off the front; milliseconds, finer digits dropped.
int take_fraction(std::string_view& rest) {
  if (!rest.starts_with('.')) return 0;
  std::size_t length = 1;
  while (length < rest.size() && length < 10 && is_digit(rest[length])) ++length;
  if (length == 1) return 0;
  std::string digits{rest.substr(1, length - 1)};
  digits.resize(3, '0');
  rest.remove_prefix(length);
  return number_at(digits, 0, 3);
}

}  // namespace

Result<std::int64_t, std::string> parse_instant(std::string_view given) {
  const std::string_view text = trimmed(given);
  const Error malformed = wrong(text, "no instant: write 2024-02-29T12:00:00Z");
  if (!matches(text.substr(0, 10), "0000-00-00")) return malformed;
  const std::chrono::year_month_day date{std::chrono::year{number_at(text, 0, 4)},
                                         std::chrono::month{static_cast<unsigned>(number_at(text, 5, 2))},
                                         std::chrono::day{static_cast<unsigned>(number_at(text, 8, 2))}};
  if (!date.ok()) return wrong(text, "no such day");
  std::chrono::milliseconds time = std::chrono::sys_days{date}.time_since_epoch();
  if (text.size() == 10) return time.count();
  if (text.size() < 19 || !matches(text.substr(10, 9), "T00:00:00")) return malformed;
  const int hour = number_at(text, 11, 2);
  const int minute = number_at(text, 14, 2);
  const int second = number_at(text, 17, 2);
  if (hour > 23 || minute > 59 || second > 59) return wrong(text, "no such time of day");
  time += std::chrono::hours{hour} + std::chrono::minutes{minute} + std::chrono::seconds{second};
  std::string_view rest = text.substr(19);
  time += std::chrono::milliseconds{take_fraction(rest)};
  if (rest == "Z") return time.count();
  if (!matches(rest, "+00:00") && !matches(rest, "-00:00")) return malformed;
  if (number_at(rest, 1, 2) > 23 || number_at(rest, 4, 2) > 59) return malformed;
  const std::chrono::minutes zone{number_at(rest, 1, 2) * 60 + number_at(rest, 4, 2)};
  time += rest.starts_with('+') ? -zone : zone;
  return time.count();
}

std::string format_duration(Duration value) {
  std::int64_t rest = value.count();
  if (rest == 0) return "0s";
  if (rest < 0) return fmt::format("{}", rest / 1000);  // Kafka's -1 and -2 milliseconds.
  if (rest < 60'000'000 && rest % 1'000'000 != 0) return format_measure(rest, std::span{duration_units}.last(2));
  std::string text;
  for (const UnitName& unit : duration_units) {
    if (rest >= unit.size) text += fmt::format("{}{}", rest / unit.size, unit.name);
    rest %= unit.size;
  }
  return text;
}

std::string format_bytes(Bytes value) {
  if (value <= Bytes{0}) return fmt::format("{}", value.value());
  return format_measure(value.value(), byte_units);
}

std::string format_rate(Bytes value) {
  return value <= Bytes{0} ? format_bytes(value) : fmt::format("{}/s", format_bytes(value));
}

std::string format_ratio(Ratio value) {
  // A decimal when the denominator divides a power of ten, else the fraction.
  std::uint64_t power = 1;
  for (int places = 0; places <= 9; ++places, power *= 10) {
    if (power % value.denominator != 0) continue;
    const std::uint64_t whole = value.numerator / value.denominator;
    if (places == 0) return fmt::format("{}", whole);
    const std::uint64_t part = value.numerator % value.denominator * (power / value.denominator);
    return fmt::format("{}.{:0{}}", whole, part, places);
  }
  return fmt::format("{}/{}", value.numerator, value.denominator);
}

std::string format_distribution(const DurationDistribution& value) {
  using Kind = DurationDistribution::Kind;
  std::string first = format_duration(value.first);
  switch (value.kind) {
    case Kind::fixed:
      return first;
    case Kind::exponential:
      return fmt::format("exp({})", first);
    case Kind::uniform:
      return fmt::format("uniform({},{})", first, format_duration(value.second));
    case Kind::lognormal:
      return fmt::format("lognormal({},{})", first, format_duration(value.second));
  }
  return first;
}

}  // namespace sim
