#include "model/partition_deletion.h"

#include <utility>

namespace model {

struct PartitionDeletion::AllPublished {
  PartitionDeletion& deletion;
  bool await_ready() const { return deletion.open_publishes_ == 0; }
  void await_suspend(std::coroutine_handle<> caller) const { deletion.waits_for_publishes_ = caller; }
  void await_resume() const {}
};

Task<RunEnd> PartitionDeletion::run() {
  if (const auto error = task_.unstarted_error()) co_return to_run_end(*error);
  // The listing throws as long as the cache is not initialized, in every version (facts 2.7).
  if (!task_.is_ready()) co_return RunEnd::not_ready;
  task_.cache().list_all_remote_log_segments(copies_);
  auto deleted = co_await delete_copies();
  for (const RemoteLogSegmentMetadata& copy : copies_) task_.ports.listener.left(*copy.segment);
  co_return deleted ? RunEnd::done : to_run_end(deleted.error());
}

// The list is carried across all waits: a copy whose COPY_SEGMENT_STARTED comes later is not in it, and an upload that
// ends after its removal stays (F19).
Task<Result<void, TaskError>> PartitionDeletion::delete_copies() {
  const auto started = RemoteLogSegmentState::delete_segment_started;
  if (auto published = co_await publish_all(started, TaskStep::topic_deletion_publish_started); !published) {
    co_return published;
  }
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    const RemoteLogSegmentMetadata copy = copies_[i];
    task_.ports.listener.entered(*copy.segment, TaskStep::topic_deletion_delete);
    if (auto removed = co_await task_.ports.storage.delete_log_segment_data(copy); !removed) {
      co_return Failed(to_task_error(removed.error()));
    }
  }
  const auto finished = RemoteLogSegmentState::delete_segment_finished;
  auto published = co_await publish_all(finished, TaskStep::topic_deletion_publish_finished);
  co_return published;
}

Task<Result<void, TaskError>> PartitionDeletion::publish_all(RemoteLogSegmentState state, TaskStep step) {
  publish_error_.reset();
  open_publishes_ = copies_.size();
  for (const RemoteLogSegmentMetadata& copy : copies_) task_.host.spawn(publish_one(copy, state, step));
  AllPublished all_published{*this};
  co_await all_published;
  if (publish_error_) co_return Failed(*publish_error_);
  co_return Result<void, TaskError>{};
}

Task<void> PartitionDeletion::publish_one(RemoteLogSegmentMetadata metadata, RemoteLogSegmentState state,
                                          TaskStep step) {
  auto published = co_await publish(task_, metadata, state, step);
  if (!published && !publish_error_) publish_error_ = to_task_error(published.error());
  if (--open_publishes_ > 0) co_return;
  // The last one lets the deletion go on, which may end and take this object with it: nothing of it is touched after.
  if (auto caller = std::exchange(waits_for_publishes_, nullptr)) caller.resume();
}

}  // namespace model
