#include "model/expiration_task.h"

#include "model/remote_log_segment_deletion.h"
#include "model/remote_offsets.h"

namespace model {

Outlook ExpirationTask::outlook() {
  if (task_.is_cancelled()) return {};
  if (task_.unstarted_error()) return {.has_work = true};
  if (!task_.is_ready()) return {};
  if (must_seed()) return {.has_work = true};
  const RetentionView now = view();
  walk_.walk(now);
  if (walk_.fails()) return {.has_work = true};
  walk_.list_truncated(now);
  if (!walk_.chosen().empty() || walk_.leaves_by_truncation()) return {.has_work = true};
  const bool takes_note = walk_.has_findings() || gauges_are_stale();
  return {.has_work = false, .takes_note = takes_note, .idle_until = walk_.same_until()};
}

void ExpirationTask::take_note() {
  walk_.keep_findings();
  set_metadata_gauges();
  if (listed_count(task_.cache()) == 0) return;
  delete_lag_bytes_ = {};
  delete_lag_segments_ = 0;
  add_truncated_to_delete_lag();
}

Task<RunEnd> ExpirationTask::run() {
  if (task_.is_cancelled()) co_return RunEnd::cancelled;
  if (const auto error = task_.unstarted_error()) co_return to_run_end(*error);
  // Before 4.0 there is no gate, but the first listing throws as long as the cache is not initialized (facts 2.7).
  if (!task_.is_ready()) co_return RunEnd::not_ready;
  if (must_seed()) seed();
  walk_.walk(view());
  walk_.keep_findings();
  set_metadata_gauges();
  if (listed_count(task_.cache()) == 0) co_return RunEnd::done;
  if (walk_.fails()) co_return RunEnd::failed;
  if (const auto offset = walk_.log_start_offset(); offset && !raise_log_start_offset(task_, *offset))
    co_return RunEnd::failed;

  delete_lag_bytes_ = {};
  delete_lag_segments_ = 0;
  add_to_delete_lag(walk_.chosen_size(), static_cast<std::int64_t>(walk_.chosen().size()));
  if (auto ended = co_await delete_chosen(); !ended) co_return to_run_end(ended.error());
  const bool returns_when_cancelled = !task_.rules().truncation_spins_when_cancelled;
  if (task_.is_cancelled() && returns_when_cancelled) co_return RunEnd::cancelled;
  walk_.list_truncated(view());
  if (task_.is_cancelled() && !walk_.truncated().empty()) {
    // The listing's loop takes an element only while it is not cancelled, and ends only when it has taken all (F14).
    task_.ports.listener.took_branch("truncation-spins");
    co_await task_.ports.thread.spin();
  }
  add_truncated_to_delete_lag();
  if (auto ended = co_await delete_truncated(); !ended) co_return to_run_end(ended.error());
  co_return task_.is_cancelled() ? RunEnd::cancelled : RunEnd::done;
}

// The choice is carried across the deletes, as in the Java: no copy is judged again before its turn.
Task<Result<void, TaskError>> ExpirationTask::delete_chosen() {
  for (std::size_t i = 0; i < walk_.chosen().size(); ++i) {
    if (task_.is_cancelled()) continue;
    const RemoteLogSegmentMetadata metadata = walk_.chosen()[i];
    if (auto ended = co_await delete_segment(metadata); !ended) co_return ended;
    take_off_delete_lag(*metadata.segment);
  }
  co_return Result<void, TaskError>{};
}

Task<Result<void, TaskError>> ExpirationTask::delete_truncated() {
  for (std::size_t i = 0; i < walk_.truncated().size(); ++i) {
    const RemoteLogSegmentMetadata metadata = walk_.truncated()[i];
    if (task_.is_cancelled() || !walk_.is_left_by_truncation(*metadata.segment)) continue;
    if (auto ended = co_await delete_segment(metadata); !ended) co_return ended;
    take_off_delete_lag(*metadata.segment);
  }
  co_return Result<void, TaskError>{};
}

void ExpirationTask::set_metadata_gauges() {
  if (!task_.rules().has_expiration_metrics) return;
  task_.set(Metric::remote_log_metadata_count, listed_count(task_.cache()));
  task_.set(Metric::remote_log_size_bytes, listed_size(task_.cache(), task_.rules().size_metric_filter).value());
}

void ExpirationTask::add_to_delete_lag(Bytes bytes, std::int64_t segments) {
  delete_lag_bytes_ += bytes;
  delete_lag_segments_ += segments;
  if (!task_.rules().has_expiration_metrics) return;
  task_.set(Metric::remote_delete_lag_bytes, delete_lag_bytes_.value());
  task_.set(Metric::remote_delete_lag_segments, delete_lag_segments_);
}

void ExpirationTask::add_truncated_to_delete_lag() {
  Bytes bytes;
  for (const RemoteLogSegmentMetadata& metadata : walk_.truncated()) bytes += metadata.segment->size;
  add_to_delete_lag(bytes, static_cast<std::int64_t>(walk_.truncated().size()));
}

bool ExpirationTask::gauges_are_stale() {
  if (!task_.rules().has_expiration_metrics) return false;
  const PartitionGauges& shown = task_.state.gauges;
  const std::int64_t count = listed_count(task_.cache());
  const Bytes size = listed_size(task_.cache(), task_.rules().size_metric_filter);
  if (shown.get(Metric::remote_log_metadata_count) != count) return true;
  if (shown.get(Metric::remote_log_size_bytes) != size.value()) return true;
  if (count == 0) return false;
  Bytes lag;
  for (const RemoteLogSegmentMetadata& metadata : walk_.truncated()) lag += metadata.segment->size;
  return shown.get(Metric::remote_delete_lag_bytes) != lag.value() ||
         shown.get(Metric::remote_delete_lag_segments) != static_cast<std::int64_t>(walk_.truncated().size());
}

RetentionView ExpirationTask::view() {
  return {
      task_.log(),  task_.cache(), task_.host.topic(task_.partition),           task_.state,
      task_.policy, task_.now(),   task_.broker_ports.clock.start_since_1970(), task_.host.is_growing(task_.partition)};
}

bool ExpirationTask::must_seed() {
  if (!task_.rules().seeds_before_expiration) return false;
  const UnifiedLog& log = task_.log();
  if (log.highest_offset_in_remote_storage() != Offset{-1} || listed_count(task_.cache()) == 0) return false;
  return find_highest_remote_offset(log, task_.cache(), task_.rules()) != Offset{-1};
}

void ExpirationTask::seed() {
  UnifiedLog& log = task_.log();
  log.update_highest_offset_in_remote_storage(find_highest_remote_offset(log, task_.cache(), task_.rules()));
  task_.manager.changed(task_.partition);
}

Task<Result<void, TaskError>> ExpirationTask::delete_segment(RemoteLogSegmentMetadata metadata) {
  task_.state.segments_being_deleted.push_back(metadata.segment);
  auto deleted = co_await delete_remote_log_segment(task_, metadata, retention_steps);
  const bool data_is_left = !deleted && is_storage_error(deleted.error());
  if (data_is_left && task_.policy.retention_failure_is_dangling(task_.is_cancelled())) {
    const auto dangling = RemoteLogSegmentState::dangling;
    if (auto published = co_await publish(task_, metadata, dangling, TaskStep::retention_publish_dangling);
        !published) {
      deleted = Failed(to_task_error(published.error()));
    }
  }
  task_.ports.listener.left(*metadata.segment);
  task_.state.delete_ended(*metadata.segment);
  task_.manager.changed(task_.partition);
  co_return deleted;
}

}  // namespace model
