#include "model/task_context.h"

namespace model {
namespace {

DanglingGauges dangling_of(const RemoteLogMetadataCache& cache) {
  return {cache.count(RemoteLogSegmentState::dangling), cache.size(RemoteLogSegmentState::dangling)};
}

}  // namespace

TaskError to_task_error(RemoteStorageError error) {
  switch (error) {
    case RemoteStorageError::permanent:
      return TaskError::storage;
    case RemoteStorageError::retriable:
      return TaskError::retriable_storage;
    case RemoteStorageError::unchecked:
      return TaskError::unchecked;
    case RemoteStorageError::fatal:
      return TaskError::fatal;
  }
  check_failed("known RemoteStorageError", __FILE__, __LINE__);
}

TaskError to_task_error(MetadataError error) {
  switch (error) {
    case MetadataError::execution:
      return TaskError::metadata;
    case MetadataError::interrupted:
      return TaskError::interrupted;
    case MetadataError::fatal:
      return TaskError::fatal;
  }
  check_failed("known MetadataError", __FILE__, __LINE__);
}

RunEnd to_run_end(TaskError error) {
  switch (error) {
    case TaskError::interrupted:
      return RunEnd::interrupted;
    case TaskError::not_ready:
      return RunEnd::not_ready;
    case TaskError::fatal:
      return RunEnd::fatal;
    case TaskError::storage:
    case TaskError::retriable_storage:
    case TaskError::unchecked:
    case TaskError::metadata:
    case TaskError::out_of_range:
    case TaskError::custom_metadata_size_limit_exceeded:
      return RunEnd::failed;
  }
  check_failed("known TaskError", __FILE__, __LINE__);
}

std::optional<TaskError> TaskContext::unstarted_error() const {
  if (rules().ready_gate && kind != TaskKind::partition_deletion) return std::nullopt;
  switch (ports.metadata.state()) {
    case ManagerState::initialized:
      return std::nullopt;
    case ManagerState::initializing:
      return TaskError::unchecked;
    case ManagerState::failed:
      return TaskError::fatal;
  }
  check_failed("known ManagerState", __FILE__, __LINE__);
}

Task<Result<void, MetadataError>> publish(TaskContext& task, RemoteLogSegmentMetadata metadata,
                                          RemoteLogSegmentState state, TaskStep step) {
  task.ports.listener.entered(*metadata.segment, step);
  RemoteLogSegmentMetadata updated = metadata.with_state(state, task.broker, task.now());
  updated.encoding = task.policy.dangling_encoding();
  auto published = co_await task.ports.metadata.update_remote_log_segment_metadata(updated);
  set_dangling_gauges(task);
  co_return published;
}

bool raise_log_start_offset(TaskContext& task, Offset offset) {
  UnifiedLog& log = task.log();
  const Offset before = log.log_start_offset();
  if (!log.maybe_increment_log_start_offset(offset)) return false;
  if (log.log_start_offset() > before) {
    task.ports.listener.log_start_raised(log.log_start_offset());
    task.manager.changed(task.partition);
  }
  return true;
}

bool dangling_gauges_are_stale(TaskContext& task) {
  if (task.policy.transitions() != TransitionTable::kip) return false;
  if (task.is_cancelled() || !task.is_ready()) return false;
  return dangling_of(task.cache()) != task.state.gauges.dangling();
}

void set_dangling_gauges(TaskContext& task) {
  if (!dangling_gauges_are_stale(task)) return;
  const DanglingGauges gauges = dangling_of(task.cache());
  task.set(Metric::dangling_remote_log_count, gauges.count);
  task.set(Metric::dangling_remote_log_bytes, gauges.bytes.value());
  task.host.dangling_gauges_set(task.partition, gauges);
}

}  // namespace model
