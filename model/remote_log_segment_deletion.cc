#include "model/remote_log_segment_deletion.h"

namespace model {

Task<Result<void, TaskError>> delete_remote_log_segment(TaskContext& task, RemoteLogSegmentMetadata metadata,
                                                        DeletionSteps steps) {
  // `metadata` is carried across the waits, as in the Java: nobody looks whether the copy has changed state meanwhile.
  const auto started = RemoteLogSegmentState::delete_segment_started;
  if (auto published = co_await publish(task, metadata, started, steps.publish_started); !published) {
    co_return Failed(to_task_error(published.error()));
  }

  task.ports.listener.entered(*metadata.segment, steps.remove);
  if (auto removed = co_await task.ports.storage.delete_log_segment_data(metadata); !removed) {
    co_return Failed(to_task_error(removed.error()));
  }

  const auto finished = RemoteLogSegmentState::delete_segment_finished;
  if (auto published = co_await publish(task, metadata, finished, steps.publish_finished); !published) {
    co_return Failed(to_task_error(published.error()));
  }
  co_return Result<void, TaskError>{};
}

}  // namespace model
