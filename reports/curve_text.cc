#include "reports/curve_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace reports {
namespace {

constexpr std::size_t line_width = 80;
constexpr std::size_t name_width_max = 21;
/// From a little to the greatest; nothing at all is a blank.
constexpr std::string_view levels = ".:-=+*#@";

class TextCurve {
 public:
  TextCurve(std::int64_t end_ms, std::size_t columns) : end_ms_(std::max<std::int64_t>(1, end_ms)), columns_(columns) {}

  std::size_t column_of(std::int64_t ms) const {
    const auto column =
        static_cast<std::size_t>(std::max<std::int64_t>(0, ms)) * columns_ / static_cast<std::size_t>(end_ms_);
    return std::min(column, columns_ - 1);
  }

  /// The greatest value of each column, as a level of `most`.
  std::string line(std::span<const StoredPoint> curve, std::int64_t most) const {
    std::vector<std::int64_t> greatest(columns_);
    for (std::size_t i = 0; i < curve.size(); ++i) {
      const auto value = std::max(curve[i].garbage_bytes, curve[i].garbage_bytes_max);
      const auto column = column_of(curve[i].time_ms);
      greatest[column] = std::max(greatest[column], value);
      // A row holds until the next one.
      const auto until = i + 1 < curve.size() ? column_of(curve[i + 1].time_ms) : columns_;
      for (auto at = column + 1; at < until; ++at) greatest[at] = std::max(greatest[at], curve[i].garbage_bytes);
    }
    std::string text;
    for (const auto value : greatest) text += value == 0 ? ' ' : levels[level_of(value, most)];
    return text;
  }

  std::string fault_line(std::span<const FaultSpan> faults) const {
    std::string text(columns_, ' ');
    for (const auto& fault : faults) {
      const auto begin = column_of(to_milliseconds(fault.start));
      const auto end = column_of(to_milliseconds(fault.end));
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                '^');
    }
    return text;
  }

 private:
  static std::size_t level_of(std::int64_t value, std::int64_t most) {
    const auto part = static_cast<double>(value) / static_cast<double>(most);
    return std::min(levels.size() - 1, static_cast<std::size_t>(part * static_cast<double>(levels.size())));
  }

  std::int64_t end_ms_;
  std::size_t columns_;
};

}  // namespace

std::string curve_text(std::span<const StoredRun> runs) {
  std::int64_t most = 0;
  std::int64_t end_ms = 0;
  std::size_t name_width = std::string_view{"faults"}.size();
  for (const auto& run : runs) {
    for (const auto& point : run.curve) most = std::max({most, point.garbage_bytes, point.garbage_bytes_max});
    end_ms = std::max(end_ms, to_milliseconds(run.overview.world_end));
    name_width = std::max(name_width, std::min(name_width_max, run.overview.summary.policy.size()));
  }
  if (most == 0) return "";

  const TextCurve curve{end_ms, line_width - name_width - 3};
  std::string text;
  std::span<const FaultSpan> faults;
  for (const auto& run : runs) {
    if (run.curve.empty()) continue;
    text += fmt::format("{:<{}} |{}|\n", shorten(run.overview.summary.policy, name_width), name_width,
                        curve.line(run.curve, most));
    if (run.overview.faults.size() > faults.size()) faults = run.overview.faults;
  }
  if (!faults.empty()) text += fmt::format("{:<{}} |{}|\n", "faults", name_width, curve.fault_line(faults));
  return text + fmt::format("{:<{}}  garbage from 0 to {}; `@` is {}, `.` up to {}\n", "", name_width,
                            human_duration(std::chrono::milliseconds{end_ms}), human_bytes(Bytes{most}),
                            human_bytes(Bytes{most / static_cast<std::int64_t>(levels.size())}));
}

}  // namespace reports
