// Mirrors: RemoteLogManager.RLMTask.deleteRemoteLogSegment (facts 6.7).
// Leaves out: the index cache, which this step does not touch in Kafka either.
#pragma once

#include "model/task_context.h"

namespace model {

/// Under which names a deletion reports itself.
struct DeletionSteps {
  TaskStep publish_started;
  TaskStep remove;
  TaskStep publish_finished;
};
inline constexpr DeletionSteps clean_up_steps{TaskStep::clean_up_publish_started, TaskStep::clean_up_delete,
                                              TaskStep::clean_up_publish_finished};
inline constexpr DeletionSteps sweep_steps{TaskStep::sweep_publish_started, TaskStep::sweep_delete,
                                           TaskStep::sweep_publish_finished};
inline constexpr DeletionSteps retention_steps{TaskStep::retention_publish_started, TaskStep::retention_delete,
                                               TaskStep::retention_publish_finished};

/// Publishes DELETE_SEGMENT_STARTED, removes the data, publishes DELETE_SEGMENT_FINISHED. The first failure ends it and
/// leaves the state as it is; `storage` or `unchecked` means that the removal failed and the copy is
/// DELETE_SEGMENT_STARTED. The caller asks beforehand whether its task is cancelled: nothing asks in between.
Task<Result<void, TaskError>> delete_remote_log_segment(TaskContext& task, RemoteLogSegmentMetadata metadata,
                                                        DeletionSteps steps);

/// The same without the end: after success the copy is DELETE_SEGMENT_STARTED.
Task<Result<void, TaskError>> remove_remote_log_segment(TaskContext& task, RemoteLogSegmentMetadata metadata,
                                                        DeletionSteps steps);

}  // namespace model
