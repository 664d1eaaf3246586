#include "model/remote_offsets.h"

#include <algorithm>

#include "model/check.h"

namespace model {

Offset find_log_start_offset(const UnifiedLog& log, const RemoteLogMetadataCache& cache,
                             std::vector<RemoteLogSegmentMetadata>& scratch) {
  for (const EpochEntry& entry : log.leader_epochs().entries()) {
    scratch.clear();
    cache.list_remote_log_segments(entry.epoch, scratch);
    if (!scratch.empty()) return scratch.front().segment->start_offset;
  }
  return log.local_log_start_offset();
}

Offset find_highest_remote_offset(const UnifiedLog& log, const RemoteLogMetadataCache& cache, const Rules& rules) {
  const EpochEntries& entries = log.leader_epochs().entries();
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const auto highest = cache.highest_offset_for_epoch(entry->epoch);
    if (!highest) continue;
    if (!rules.caps_highest_remote_offset) return *highest;
    // What the remote tier holds of this epoch beyond its end belongs to another history (KAFKA-15241).
    const auto end = log.leader_epochs().end_offset_for(entry->epoch, log.log_end_offset());
    CHECK(end.has_value());
    return std::min(*highest, previous(*end));
  }
  return Offset{-1};
}

}  // namespace model
