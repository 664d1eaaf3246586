#include "model/expiration_task.h"

#include "model/remote_log_segment_deletion.h"
#include "model/remote_offsets.h"

namespace model {

Outlook ExpirationTask::outlook() {
  if (task_.is_cancelled() || !task_.is_ready()) return {};
  if (must_seed()) return {.has_work = true};
  const RetentionView now = view();
  walk_.walk(now);
  walk_.list_truncated(now);
  if (!walk_.chosen().empty() || !walk_.truncated().empty()) return {.has_work = true};
  return {.has_work = false, .idle_until = walk_.same_until()};
}

Task<RunEnd> ExpirationTask::run() {
  if (task_.is_cancelled()) co_return RunEnd::cancelled;
  // Before 4.0 there is no gate, but the first listing throws as long as the cache is not initialized (facts 2.7).
  if (!task_.is_ready()) co_return RunEnd::not_ready;
  if (must_seed()) seed();
  walk_.walk(view());
  if (const auto offset = walk_.log_start_offset(); offset && !raise_log_start_offset(task_, *offset))
    co_return RunEnd::failed;

  // The choice is carried across the deletes, as in the Java: no copy is judged again before its turn.
  for (std::size_t i = 0; i < walk_.chosen().size(); ++i) {
    if (task_.is_cancelled()) continue;
    const RemoteLogSegmentMetadata metadata = walk_.chosen()[i];
    if (auto deleted = co_await delete_segment(metadata); !deleted) co_return to_run_end(deleted.error());
  }

  // 3.6 returns here; later versions never would while anything is left to list.
  if (task_.is_cancelled()) co_return RunEnd::cancelled;
  walk_.list_truncated(view());
  for (std::size_t i = 0; i < walk_.truncated().size(); ++i) {
    if (task_.is_cancelled()) continue;
    const RemoteLogSegmentMetadata metadata = walk_.truncated()[i];
    if (auto deleted = co_await delete_segment(metadata); !deleted) co_return to_run_end(deleted.error());
  }
  co_return task_.is_cancelled() ? RunEnd::cancelled : RunEnd::done;
}

RetentionView ExpirationTask::view() {
  return {task_.log(),  task_.cache(), task_.host.topic(task_.partition),     task_.state,
          task_.policy, task_.now(),   task_.host.is_growing(task_.partition)};
}

bool ExpirationTask::must_seed() {
  if (!task_.rules().seeds_before_expiration) return false;
  const UnifiedLog& log = task_.log();
  if (log.highest_offset_in_remote_storage() != Offset{-1}) return false;
  return find_highest_remote_offset(log, task_.cache(), task_.rules()) != Offset{-1};
}

void ExpirationTask::seed() {
  UnifiedLog& log = task_.log();
  log.update_highest_offset_in_remote_storage(find_highest_remote_offset(log, task_.cache(), task_.rules()));
  task_.manager.changed(task_.partition);
}

Task<Result<void, TaskError>> ExpirationTask::delete_segment(RemoteLogSegmentMetadata metadata) {
  auto deleted = co_await delete_remote_log_segment(task_, metadata, retention_steps);
  const bool data_is_left = !deleted && deleted.error() == TaskError::storage;
  if (data_is_left && task_.policy.retention_failure_is_dangling(task_.is_cancelled())) {
    const auto dangling = RemoteLogSegmentState::dangling;
    if (auto published = co_await publish(task_, metadata, dangling, TaskStep::retention_publish_dangling);
        !published) {
      deleted = Failed(to_task_error(published.error()));
    }
  }
  task_.ports.listener.left(*metadata.segment);
  co_return deleted;
}

}  // namespace model
