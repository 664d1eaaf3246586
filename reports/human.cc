#include "reports/human.h"

#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace reports {
namespace {

/// One digit after the point below ten, rounded half up, as text: 1.0, 9.9, 10, 1023.
std::string short_ratio(unsigned __int128 value, unsigned __int128 unit) {
  const auto tenths = static_cast<std::uint64_t>((value * 10 + unit / 2) / unit);
  if (tenths < 100) return fmt::format("{}.{}", tenths / 10, tenths % 10);
  return fmt::format("{}", static_cast<std::uint64_t>((value + unit / 2) / unit));
}

}  // namespace

std::string human_bytes(Bytes bytes) {
  if (bytes.value() == 0) return "0";
  // Negative amounts are differences.
  const bool is_negative = bytes.value() < 0;
  const auto magnitude =
      is_negative ? -static_cast<std::uint64_t>(bytes.value()) : static_cast<std::uint64_t>(bytes.value());
  const std::string sign = is_negative ? "-" : "";
  if (magnitude < 1024) return fmt::format("{}{} B", sign, magnitude);
  constexpr std::array<std::string_view, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  // 1023.5 of a unit would round to 1024.
  while (unit + 1 < units.size() && (static_cast<unsigned __int128>(magnitude) * 2) >> (10 * (unit + 1)) >= 2047)
    ++unit;
  return fmt::format("{}{} {}", sign, short_ratio(magnitude, static_cast<unsigned __int128>(1) << (10 * (unit + 1))),
                     units[unit]);
}

Bytes byte_hours(unsigned __int128 byte_time) {
  const auto hours = byte_time / 3'600'000'000U;
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return Bytes{hours > static_cast<unsigned __int128>(most) ? most : static_cast<std::int64_t>(hours)};
}

std::string human_count(std::int64_t count) {
  const bool is_negative = count < 0;
  const auto magnitude = is_negative ? -static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  const std::string sign = is_negative ? "-" : "";
  if (magnitude < 1'000) return fmt::format("{}{}", sign, magnitude);
  constexpr std::array<std::string_view, 6> units{"k", "M", "G", "T", "P", "E"};
  std::size_t index = 0;
  std::uint64_t unit = 1'000;
  while (index + 1 < units.size() &&
         static_cast<unsigned __int128>(magnitude) * 2 >= static_cast<unsigned __int128>(unit) * 1'999) {
    ++index;
    unit *= 1'000;
  }
  return fmt::format("{}{}{}", sign, short_ratio(magnitude, unit), units[index]);
}

std::string human_duration(Duration duration) {
  if (duration < Duration{0}) return "-" + human_duration(-duration);
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 6> units{
      {{86'400'000'000, "d"}, {3'600'000'000, "h"}, {60'000'000, "m"}, {1'000'000, "s"}, {1'000, "ms"}, {1, "us"}}};
  const auto rest = duration.count();
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto [size, name] = units[i];
    if (rest < size) continue;
    const auto whole = rest / size;
    // Only days to seconds have a second part that people want to read.
    const bool has_second = i < 3;
    const auto second = has_second ? rest % size / units[i + 1].first : 0;
    if (second == 0) return fmt::format("{}{}", whole, name);
    return fmt::format("{}{} {}{}", whole, name, second, units[i + 1].second);
  }
  return "0s";
}

std::string shorten(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string{text};
  if (width <= 2) return std::string{text.substr(0, width)};
  const auto kept = width - 2;
  const auto head = kept / 2;
  return fmt::format("{}..{}", text.substr(0, head), text.substr(text.size() - (kept - head)));
}

}  // namespace reports
