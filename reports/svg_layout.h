#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/stored_run.h"

namespace reports {

// The parts of the picture that are arithmetic, apart from the drawing.

struct Tick {
  std::int64_t value = 0;
  std::string label;
};

/// From 0 up to the first round value that is not below the greatest.
struct ByteAxis {
  std::int64_t top = 1;
  std::vector<Tick> ticks;
};
ByteAxis byte_axis(std::int64_t most);
/// Round times from 0, at most eight, all in one unit: `0`, `6h`, `12h`.
std::vector<Tick> time_ticks(std::int64_t end_ms);

/// One block of text that wants its middle at `wanted`.
struct LabelBlock {
  double wanted = 0;
  double height = 0;
};
/// The tops of the blocks, in their order from top to bottom: each as near to where it wants to be as the others allow,
/// none over another, all within [top, bottom] if they fit at all.
std::vector<double> push_apart(std::span<const LabelBlock> blocks, double top, double bottom);

/// All windows of the faults of one name, where they touch or overlap merged into one.
struct FaultBand {
  std::string text;
  std::vector<std::pair<std::int64_t, std::int64_t>> windows;
  /// Which line of names above the plot, from the top.
  std::size_t row = 0;
  double text_x = 0;
  bool text_at_end = false;
};
std::vector<FaultBand> fault_bands(std::span<const FaultSpan> faults, const std::function<double(std::int64_t)>& x,
                                   double left, double right);

/// The steps of a curve as a path: across to each point, up to the greatest value since the one before, and to the
/// point's own. One column holds one greatest and one last value, so a path has about two points a column of half a
/// unit.
std::string step_path(std::span<const StoredPoint> curve, const std::function<double(std::int64_t)>& x,
                      const std::function<double(std::int64_t)>& y);

/// Cuts a sentence at blanks, though not inside `605 MiB` or `1h 23m`; a longer word stays whole.
std::vector<std::string> wrap_words(std::string_view text, std::size_t columns);
/// No more lines than wrap_words, as equal in length as that allows.
std::vector<std::string> wrap_evenly(std::string_view text, std::size_t columns);
/// Cuts a name after `-`, `:`, `=`, `,` or at a blank into at most two lines; what does not fit is shortened.
std::vector<std::string> wrap_name(std::string_view name, std::size_t columns);

}  // namespace reports
