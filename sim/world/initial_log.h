#pragma once

#include <cstdint>
#include <vector>

#include "model/leader_epochs.h"
#include "model/unified_log.h"
#include "sim/scenario/scenario.h"

namespace sim {

/// What every replica of a partition holds at time 0.
struct InitialLog {
  /// Closed, one after the other, from the log start on.
  std::vector<LogSegment> segments;
  Offset log_start;
  /// The first offset on disk.
  Offset local_start;
  /// Records of the active segment.
  std::int64_t active_records = 0;
  /// Never empty; begins at the log start.
  EpochEntries epochs;
  LeaderEpoch leader_epoch;

  Offset end() const { return segments.empty() ? log_start : segments.back().next_offset; }
};

/// By the topic's initial keys, or by its file.
InitialLog initial_log(const TopicScenario& topic, std::int32_t partition);

/// By a file's copies of one partition. Its epochs: those that the copies name, the higher ones having cut off the
/// lower ones. It begins with the first finished copy that a reader finds under them (without one with what was never
/// finished) and ends with the last copy. Its segments are the copies', and of the size of segment.bytes where none is.
InitialLog initial_log_of_file(const TopicScenario& topic, const InitialFile& file, std::int32_t partition);

}  // namespace sim
