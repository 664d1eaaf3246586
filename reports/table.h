#pragma once

#include <span>
#include <string>

#include "reports/overview.h"

namespace reports {

/// The table of `run`: a header, one line a policy, and the notes that its marks need. Never wider than 80 columns,
/// every line ends in `\n`. ASCII.
std::string run_table(std::span<const RunOverview> runs);

}  // namespace reports
