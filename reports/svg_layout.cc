#include "reports/svg_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace reports {
namespace {

/// A letter of the axis' size, as wide as the widest of the common fonts draws it.
constexpr double letter_width = 11.5;
constexpr std::size_t fault_rows_most = 4;

std::string tick_number(double value) {
  auto text = fmt::format("{:.3f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

ByteAxis byte_axis(std::int64_t most) {
  constexpr std::array<std::string_view, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  // Nothing at all still needs an axis to be nothing on.
  if (most <= 0) return {1 << 20, {{0, "0"}, {1 << 20, "1 MiB"}}};
  std::size_t unit = 0;
  while (unit + 1 < units.size() && most >> (10 * (unit + 1)) >= 1) ++unit;
  const double unit_size = std::ldexp(1.0, static_cast<int>(10 * unit));
  const double value = static_cast<double>(most) / unit_size;
  // Three to six steps of 1, 2 or 5 times a power of ten; of bytes only whole ones.
  const double rough = value / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  }
  if (unit == 0) step = std::max(step, 1.0);
  const auto count = static_cast<int>(std::ceil(value / step - 1e-9));
  ByteAxis axis;
  for (int i = 0; i <= count; ++i) {
    const double at = step * i;
    const auto bytes = static_cast<std::int64_t>(std::llround(at * unit_size));
    axis.ticks.push_back({bytes, i == 0 ? "0" : fmt::format("{} {}", tick_number(at), units[unit])});
    axis.top = bytes;
  }
  return axis;
}

std::vector<Tick> time_ticks(std::int64_t end_ms) {
  struct Step {
    std::int64_t ms;
    std::int64_t unit_ms;
    std::string_view unit;
  };
  constexpr std::int64_t second = 1'000;
  constexpr std::int64_t minute = 60 * second;
  constexpr std::int64_t hour = 60 * minute;
  constexpr std::int64_t day = 24 * hour;
  constexpr std::array<Step, 37> steps{{{1, 1, "ms"},
                                        {2, 1, "ms"},
                                        {5, 1, "ms"},
                                        {10, 1, "ms"},
                                        {20, 1, "ms"},
                                        {50, 1, "ms"},
                                        {100, 1, "ms"},
                                        {200, 1, "ms"},
                                        {500, 1, "ms"},
                                        {second, second, "s"},
                                        {2 * second, second, "s"},
                                        {5 * second, second, "s"},
                                        {10 * second, second, "s"},
                                        {20 * second, second, "s"},
                                        {30 * second, second, "s"},
                                        {minute, minute, "m"},
                                        {2 * minute, minute, "m"},
                                        {5 * minute, minute, "m"},
                                        {10 * minute, minute, "m"},
                                        {20 * minute, minute, "m"},
                                        {30 * minute, minute, "m"},
                                        {hour, hour, "h"},
                                        {2 * hour, hour, "h"},
                                        {3 * hour, hour, "h"},
                                        {6 * hour, hour, "h"},
                                        {12 * hour, hour, "h"},
                                        {day, day, "d"},
                                        {2 * day, day, "d"},
                                        {5 * day, day, "d"},
                                        {10 * day, day, "d"},
                                        {20 * day, day, "d"},
                                        {30 * day, day, "d"},
                                        {60 * day, day, "d"},
                                        {90 * day, day, "d"},
                                        {180 * day, day, "d"},
                                        {365 * day, day, "d"},
                                        {3'650 * day, day, "d"}}};
  const auto* step = &steps.back();
  for (const auto& candidate : steps) {
    if (end_ms / candidate.ms > 7) continue;
    step = &candidate;
    break;
  }
  const auto stride = step->ms * std::max<std::int64_t>(1, end_ms / step->ms / 7);
  std::vector<Tick> ticks;
  for (std::int64_t at = 0; at <= end_ms; at += stride)
    ticks.push_back({at, at == 0 ? "0" : fmt::format("{}{}", at / step->unit_ms, step->unit)});
  return ticks;
}

std::vector<double> push_apart(std::span<const LabelBlock> blocks, double top, double bottom) {
  // Take each block's place less the heights above it: then `none over another` says that these never fall, and the
  // nearest such sequence is found by pooling neighbours that are out of order into their mean.
  struct Pool {
    double sum = 0;
    std::size_t count = 0;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  double above = 0;
  for (const auto& block : blocks) {
    pools.push_back({block.wanted - block.height / 2 - above, 1});
    above += block.height;
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const auto last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  const double lowest = std::max(top, bottom - above);
  std::vector<double> tops;
  above = 0;
  for (const auto& pool : pools) {
    for (std::size_t i = 0; i < pool.count; ++i) {
      tops.push_back(std::clamp(pool.mean(), top, lowest) + above);
      above += blocks[tops.size() - 1].height;
    }
  }
  return tops;
}

namespace {

using Window = std::pair<std::int64_t, std::int64_t>;

void merge_windows(std::vector<Window>& windows) {
  std::sort(windows.begin(), windows.end());
  std::vector<Window> merged;
  for (const auto& window : windows) {
    if (!merged.empty() && window.first <= merged.back().second) {
      merged.back().second = std::max(merged.back().second, window.second);
    } else {
      merged.push_back(window);
    }
  }
  windows = std::move(merged);
}

/// Gives each name a place in the first row where it meets no other; the names of the rows that are too many become
/// one.
void place_names(std::vector<FaultBand>& bands, const std::function<double(std::int64_t)>& x, double left,
                 double right) {
  std::vector<std::vector<std::pair<double, double>>> rows;
  std::size_t left_out = 0;
  for (auto& band : bands) {
    const auto text_width = letter_width * static_cast<double>(band.text.size());
    const auto wanted = x(band.windows.front().first);
    band.text_at_end = wanted + text_width > right;
    band.text_x = band.text_at_end
                      ? std::max(std::min(right, x(band.windows.front().second) + text_width), left + text_width)
                      : wanted;
    if (band.text_at_end) band.text_x = std::min(band.text_x, right);
    const auto begin = band.text_at_end ? band.text_x - text_width : band.text_x;
    // A bar below another's name would read as that one's.
    const std::pair extent{std::min(begin, wanted) - letter_width,
                           std::max(begin + text_width, x(band.windows.back().second)) + letter_width};
    const auto is_free = [&](const auto& row) {
      return std::none_of(row.begin(), row.end(), [&](const auto& other) {
        return extent.first < other.second && other.first < extent.second;
      });
    };
    const auto row = std::find_if(rows.begin(), rows.end(), is_free);
    band.row = static_cast<std::size_t>(row - rows.begin());
    if (row != rows.end()) {
      row->push_back(extent);
    } else if (rows.size() < fault_rows_most) {
      rows.push_back({extent});
    } else {
      ++left_out;
      band.row = fault_rows_most - 1;
      band.text.clear();
    }
  }
  if (left_out == 0) return;
  // The last row's names make room for the count of those that have none.
  for (auto& band : bands) {
    if (band.row != fault_rows_most - 1 || band.text.empty()) continue;
    band.text.clear();
    ++left_out;
  }
  FaultBand rest{.text = fmt::format("and {} more kinds of fault", left_out),
                 .windows = {},
                 .row = fault_rows_most - 1,
                 .text_x = left};
  bands.push_back(rest);
}

}  // namespace

std::vector<FaultBand> fault_bands(std::span<const FaultSpan> faults, const std::function<double(std::int64_t)>& x,
                                   double left, double right) {
  std::vector<FaultBand> bands;
  for (const auto& fault : faults) {
    auto band =
        std::find_if(bands.begin(), bands.end(), [&](const FaultBand& other) { return other.text == fault.name; });
    if (band == bands.end()) {
      bands.push_back({.text = fault.name, .windows = {}});
      band = bands.end() - 1;
    }
    band->windows.emplace_back(to_milliseconds(fault.start), to_milliseconds(fault.end));
  }
  for (auto& band : bands) {
    merge_windows(band.windows);
    if (band.windows.size() > 1) band.text += fmt::format(" \u00d7{}", band.windows.size());
    if (band.text.size() > 40) band.text = shorten(band.text, 40);
  }
  std::stable_sort(bands.begin(), bands.end(),
                   [](const FaultBand& a, const FaultBand& b) { return a.windows.front() < b.windows.front(); });
  place_names(bands, x, left, right);
  return bands;
}

std::string step_path(std::span<const StoredPoint> curve, const std::function<double(std::int64_t)>& x,
                      const std::function<double(std::int64_t)>& y) {
  const auto column_of = [&](const StoredPoint& point) { return std::llround(x(point.time_ms) * 2); };
  auto path = fmt::format("M{:.1f} {:.1f}", x(curve.front().time_ms), y(curve.front().garbage_bytes));
  std::int64_t drawn = curve.front().garbage_bytes;
  for (std::size_t i = 0; i < curve.size();) {
    const auto column = column_of(curve[i]);
    std::int64_t greatest = 0;
    std::int64_t last = 0;
    for (; i < curve.size() && column_of(curve[i]) == column; ++i) {
      greatest = std::max({greatest, curve[i].garbage_bytes_max, curve[i].garbage_bytes});
      last = curve[i].garbage_bytes;
    }
    const bool is_peak = greatest > std::max(drawn, last);
    if (!is_peak && last == drawn && i < curve.size()) continue;
    path += fmt::format("H{:.1f}", static_cast<double>(column) / 2);
    if (is_peak) path += fmt::format("V{:.1f}", y(greatest));
    if (is_peak || last != drawn) path += fmt::format("V{:.1f}", y(last));
    drawn = last;
  }
  return path;
}

namespace {

/// Whether a blank belongs to an amount, as in `605 MiB` or `1h 23m`.
bool is_inside_amount(std::string_view before, std::string_view after) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (before.empty() || after.empty() || !is_digit(before.front())) return false;
  return is_digit(after.front()) || after.starts_with("B") || after.substr(1).starts_with("iB");
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string_view before;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (is_inside_amount(before, word)) {
      words.back().append(" ").append(word);
    } else {
      words.emplace_back(word);
    }
    before = word;
  }
  return words;
}

}  // namespace

std::vector<std::string> wrap_words(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  for (const auto& word : words_of(text)) {
    if (!lines.empty() && lines.back().size() + 1 + word.size() <= columns) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

std::vector<std::string> wrap_evenly(std::string_view text, std::size_t columns) {
  auto lines = wrap_words(text, columns);
  for (auto fewer = columns; fewer > 1; --fewer) {
    auto narrower = wrap_words(text, fewer - 1);
    if (narrower.size() > lines.size()) break;
    lines = std::move(narrower);
  }
  return lines;
}

std::vector<std::string> wrap_name(std::string_view name, std::size_t columns) {
  if (name.size() <= columns) return {std::string{name}};
  const auto cut = name.substr(0, columns).find_last_of("-:=, ");
  const auto first_size = cut == std::string_view::npos ? columns : cut + 1;
  auto first = std::string{name.substr(0, first_size)};
  if (first.back() == ' ') first.pop_back();
  return {first, shorten(name.substr(first_size), columns)};
}

}  // namespace reports
