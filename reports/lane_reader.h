#pragma once

#include <string>

#include "reports/file.h"
#include "reports/lane_book.h"

namespace reports {

struct LaneLimits {
  /// Copies with a lane of their own: those that left something first, the most bytes first among them.
  std::size_t copies = 120'000;
  std::size_t leader_changes = 20'000;
  /// What is taken from every time: the page's time 0.
  std::int64_t origin_ms = 0;
};

/// Reads what a run's folder says of its copies (leftovers.csv, transitions.csv, events.csv; what is not there was not
/// kept; an import's findings.csv stands for leftovers.csv, each kind of finding for a cause), row by row, in memory
/// that the limits bound.
Result<LaneBook, Problem> read_lanes(const std::string& folder, const LaneLimits& limits);

/// The book as the page's script reads it: columns, with times and event numbers as differences. A copy's id is its
/// number in `ids`, to which it is added: policies under one seed have nearly the same ids, and no packing makes an id
/// small.
std::string to_json(const LaneBook& book, Words& ids);
std::string to_json(const Words& ids);

}  // namespace reports
