#pragma once

#include <span>
#include <string>

#include "reports/stored_run.h"

namespace reports {

/// Garbage over time for a terminal: a line a run, a line of the faults, and the scale; at most 80 columns of ASCII,
/// every line ends in `\n`. Empty when no run kept its curve, or none ever held garbage.
std::string curve_text(std::span<const StoredRun> runs);

}  // namespace reports
