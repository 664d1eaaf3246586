// Mirrors: RemoteLogManager.findLogStartOffset and findHighestRemoteOffset (facts 5.1 step 2, 5.2).
// Leaves out: nothing; followers seed with the second one as well (facts 8.6).
#pragma once

#include <vector>

#include "model/policy.h"
#include "model/remote_log_metadata_cache.h"
#include "model/unified_log.h"

namespace model {

/// The start of the first copy that the cache lists under the log's epochs, whatever its state (F12), else the local
/// log start. `scratch` is overwritten.
Offset find_log_start_offset(const UnifiedLog& log, const RemoteLogMetadataCache& cache,
                             std::vector<RemoteLogSegmentMetadata>& scratch);

/// The highest offset (inclusive) that the remote tier holds of the log's own history; -1 when it holds nothing.
Offset find_highest_remote_offset(const UnifiedLog& log, const RemoteLogMetadataCache& cache, const Rules& rules);

}  // namespace model
