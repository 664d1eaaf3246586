#include "model/remote_log_segment_deletion.h"

namespace model {
namespace {

/// Whether a failed delete of the plug-in counts in RemoteDeleteErrorsPerSec.
bool is_marked(RemoteStorageError error, const Rules& rules) {
  if (!is_storage_error(error) || !rules.has_expiration_metrics) return false;
  return error != RemoteStorageError::retriable || !rules.retriable_is_apart;
}

}  // namespace

Task<Result<void, TaskError>> remove_remote_log_segment(TaskContext& task, RemoteLogSegmentMetadata metadata,
                                                        DeletionSteps steps) {
  // `metadata` is carried across the waits, as in the Java: nobody looks whether the copy has changed state meanwhile.
  const auto started = RemoteLogSegmentState::delete_segment_started;
  if (auto published = co_await publish(task, metadata, started, steps.publish_started); !published) {
    co_return Failed(to_task_error(published.error()));
  }

  if (task.rules().has_expiration_metrics) task.mark(Metric::remote_delete_requests_per_sec);
  task.ports.listener.entered(*metadata.segment, steps.remove);
  if (auto removed = co_await task.ports.storage.delete_log_segment_data(metadata); !removed) {
    if (is_marked(removed.error(), task.rules())) task.mark(Metric::remote_delete_errors_per_sec);
    co_return Failed(to_task_error(removed.error()));
  }
  co_return Result<void, TaskError>{};
}

Task<Result<void, TaskError>> delete_remote_log_segment(TaskContext& task, RemoteLogSegmentMetadata metadata,
                                                        DeletionSteps steps) {
  auto removed = co_await remove_remote_log_segment(task, metadata, steps);
  if (!removed) co_return removed;
  const auto finished = RemoteLogSegmentState::delete_segment_finished;
  if (auto published = co_await publish(task, metadata, finished, steps.publish_finished); !published) {
    co_return Failed(to_task_error(published.error()));
  }
  co_return Result<void, TaskError>{};
}

}  // namespace model
