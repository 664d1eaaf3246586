#pragma once

#include <span>
#include <string>

#include "reports/stored_run.h"

namespace reports {

/// Garbage over time, a line a run, as a picture that stands alone: title, axes with units, fault windows, a label at
/// each line's end. `title` empty: the runs' headline. Runs without curves are left out; without any it is a problem.
Result<std::string, Problem> garbage_svg(std::span<const StoredRun> runs, const std::string& title = {});

}  // namespace reports
