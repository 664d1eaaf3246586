#include "model/policy.h"

#include "model/copy_task.h"

namespace model {

Task<void> Policy::after_oversized_custom_metadata(CopyRun& run, RemoteLogSegmentMetadata metadata) const {
  co_await after_failed_copy(run, metadata, RemoteStorageError::permanent);
}

// Kafka neither cleans up nor retries: data and COPY_SEGMENT_STARTED stay, or COPY_SEGMENT_FINISHED if the record
// landed.
Task<void> Policy::after_failed_finish(CopyRun&, RemoteLogSegmentMetadata) const { co_return; }

Task<void> Policy::after_copies(CopyRun&, bool) const { co_return; }

Outlook Policy::outlook_after_copies(CopyRun&) const { return {}; }

std::optional<SimTime> Policy::sweeps_from(const RemoteLogSegmentMetadata&, BrokerId, const CopyBounds&) const {
  return std::nullopt;
}

bool Policy::retention_failure_is_dangling(bool) const { return false; }

}  // namespace model
