#include "model/copy_task.h"

#include <utility>

#include "model/remote_offsets.h"

namespace model {

Outlook CopyTask::outlook() {
  if (task_.is_cancelled()) return {};
  if (task_.unstarted_error()) return {.has_work = true};
  const bool ready = task_.is_ready();
  if (!log_start_updated_ || !copied_offset_ || log_dir_moved_) return {.has_work = ready};
  if (!ready && task_.rules().ready_gate) return {};
  const Outlook after_copies = ready ? task_.policy.outlook_after_copies(run_) : Outlook{};
  if (after_copies.has_work) return after_copies;
  if (dangling_gauges_are_stale(task_)) return {.has_work = true};
  list_candidates();
  if (!candidates_.empty()) return {.has_work = true};
  // A closed segment that waits for the last stable offset, which moves without an event while records arrive.
  UnifiedLog& log = task_.log();
  const bool waits =
      log.active_segment().base_offset > log.last_stable_offset() && task_.host.is_growing(task_.partition);
  Outlook idle = waits ? may_change_any_time : after_copies;
  idle.takes_note = ready && copy_lag_is_stale();
  return idle;
}

void CopyTask::take_note() {
  if (copy_lag_is_stale()) set_copy_lag(CopyLagSet::after_run);
}

Task<RunEnd> CopyTask::run() {
  if (task_.is_cancelled()) co_return RunEnd::cancelled;
  if (task_.rules().ready_gate && !task_.is_ready()) co_return RunEnd::not_ready;
  run_.thrown.reset();
  if (std::exchange(log_dir_moved_, false)) convert_to_leader();
  set_dangling_gauges(task_);
  co_await copy_log_segments_to_remote();

  // The flag is never taken back: the schedule goes on and every run returns at once (F23).
  if (run_.thrown == TaskError::custom_metadata_size_limit_exceeded) task_.cancelled = true;
  set_copy_lag(CopyLagSet::after_run);
  if (run_.thrown == TaskError::fatal) co_return RunEnd::fatal;
  const bool goes_on =
      run_.thrown != TaskError::interrupted && run_.thrown != TaskError::not_ready && !task_.is_cancelled();
  if (goes_on && task_.is_ready()) {
    const bool copies_succeeded = !run_.thrown;
    co_await task_.policy.after_copies(run_, copies_succeeded);
    if (run_.thrown == TaskError::fatal) co_return RunEnd::fatal;
  }

  set_dangling_gauges(task_);
  if (ends_with_copy_error()) task_.mark(Metric::remote_copy_errors_per_sec);
  if (run_.thrown) co_return to_run_end(*run_.thrown);
  co_return task_.is_cancelled() ? RunEnd::cancelled : RunEnd::done;
}

// Facts 5.1: the handler of the whole run, so that a run counts once.
bool CopyTask::ends_with_copy_error() const {
  if (!run_.thrown) return false;
  switch (*run_.thrown) {
    case TaskError::interrupted:
    case TaskError::not_ready:
    case TaskError::fatal:
      return false;
    case TaskError::custom_metadata_size_limit_exceeded:
      return true;
    case TaskError::retriable_storage:
      return !task_.cancelled && !task_.rules().retriable_is_apart;
    case TaskError::storage:
    case TaskError::unchecked:
    case TaskError::metadata:
    case TaskError::out_of_range:
      return !task_.cancelled;
  }
  check_failed("known TaskError", __FILE__, __LINE__);
}

CopyLag CopyTask::copy_lag() {
  const UnifiedLog& log = task_.log();
  // The active segment is taken off even when it is below the highest remote offset, so that both can fall below 0.
  const CopyLag lag{log.only_local_log_segments_size() - log.active_segment().size,
                    log.only_local_log_segments_count() - 1};
  if (task_.rules().copy_lag_set != CopyLagSet::after_run) return lag;
  return {std::max(lag.bytes, Bytes{0}), std::max(lag.segments, std::int64_t{0})};
}

bool CopyTask::copy_lag_is_stale() {
  if (task_.rules().copy_lag_set != CopyLagSet::after_run) return false;
  const CopyLag lag = copy_lag();
  return lag.bytes.value() != task_.state.gauges.get(Metric::remote_copy_lag_bytes) ||
         lag.segments != task_.state.gauges.get(Metric::remote_copy_lag_segments);
}

void CopyTask::set_copy_lag(CopyLagSet when) {
  if (task_.rules().copy_lag_set != when || task_.is_cancelled()) return;
  const CopyLag lag = copy_lag();
  task_.set(Metric::remote_copy_lag_bytes, lag.bytes.value());
  task_.set(Metric::remote_copy_lag_segments, lag.segments);
}

void CopyTask::convert_to_leader() {
  log_start_updated_ = false;
  copied_offset_.reset();
}

void CopyTask::log_dir_moved() {
  if (task_.rules().resets_when_log_moves) log_dir_moved_ = true;
}

bool CopyTask::maybe_update_log_start_offset_on_becoming_leader() {
  if (log_start_updated_) return true;
  const Offset start = find_log_start_offset(task_.log(), task_.cache(), listed_);
  if (!raise_log_start_offset(task_, start)) return false;
  log_start_updated_ = true;
  return true;
}

void CopyTask::maybe_update_copied_offset() {
  if (copied_offset_) return;
  UnifiedLog& log = task_.log();
  copied_offset_ = find_highest_remote_offset(log, task_.cache(), task_.rules());
  log.update_highest_offset_in_remote_storage(*copied_offset_);
  task_.manager.changed(task_.partition);
}

void CopyTask::list_candidates() {
  candidates_.clear();
  const UnifiedLog& log = task_.log();
  const Offset lso = log.last_stable_offset();
  if (lso <= Offset{0} || *copied_offset_ >= lso) return;
  log.candidate_log_segments(std::max(next(*copied_offset_), log.log_start_offset()), lso, candidates_);
}

Task<void> CopyTask::copy_log_segments_to_remote() {
  if (const auto error = task_.unstarted_error()) {
    run_.thrown = *error;
    co_return;
  }
  if ((!log_start_updated_ || !copied_offset_) && !task_.is_ready()) {
    run_.thrown = TaskError::not_ready;
    co_return;
  }
  if (!maybe_update_log_start_offset_on_becoming_leader()) {
    run_.thrown = TaskError::out_of_range;
    co_return;
  }
  maybe_update_copied_offset();
  // Listed once and carried across all copies of the run, as in the Java: what is closed meanwhile waits for the next
  // run.
  list_candidates();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (task_.is_cancelled()) co_return;
    const LogSegment candidate = candidates_[i];
    auto may_copy = co_await wait_for_quota(candidate.size);
    if (!may_copy) co_return;
    co_await copy_log_segment(candidate);
    if (run_.thrown != TaskError::fatal) set_copy_lag(CopyLagSet::after_attempt);
    if (run_.thrown) co_return;
  }
}

// Kafka holds one lock for all copies of the broker while it looks and charges; here nothing can happen in between.
Task<bool> CopyTask::wait_for_quota(Bytes size) {
  if (!task_.rules().copy_quota) co_return true;
  Interruptible& thread = task_.ports.thread;
  bool was_throttled = false;
  while (const std::int64_t throttle_time_ms = task_.copy_quota.throttle_time_ms(task_.now())) {
    task_.copy_quota.throttled(throttle_time_ms, task_.now());
    if (!std::exchange(was_throttled, true)) task_.ports.listener.took_branch("copy-throttled");
    task_.copy_quota.add_waiter(thread);
    auto slept = co_await thread.sleep(CopyQuota::wait);
    task_.copy_quota.remove_waiter(thread);
    if (slept) continue;
    run_.thrown = TaskError::interrupted;
    co_return false;
  }
  task_.copy_quota.record(size, task_.now());
  co_return true;
}

Task<void> CopyTask::copy_log_segment(LogSegment segment) {
  EpochEntries epochs = task_.log().leader_epochs().entries_between(segment.base_offset, segment.next_offset);
  if (epochs.empty()) {
    // IllegalArgumentException from the metadata's constructor, before anything is published.
    run_.thrown = TaskError::unchecked;
    co_return;
  }
  const bool has_producer_snapshot = task_.log().has_producer_snapshot(segment.next_offset);
  const RemoteLogSegment* copy = &task_.broker_ports.segments.new_segment(task_.partition, segment, std::move(epochs));
  auto& being_copied = task_.state.segments_being_copied;
  being_copied.push_back(copy);
  co_await copy_attempt(copy, has_producer_snapshot);
  task_.ports.listener.left(*copy);
  being_copied.erase(std::find(being_copied.begin(), being_copied.end(), copy));
  // The walk need no longer stop there, and what is only local has changed.
  task_.manager.changed(task_.partition);
}

// Nothing here asks whether the task is cancelled or the broker still leads: neither does the Java from the first
// publish to the last (facts 5.5). `segment` is carried across all waits.
Task<void> CopyTask::copy_attempt(const RemoteLogSegment* segment, bool has_producer_snapshot) {
  const RemoteLogSegmentMetadata started{segment, task_.now(), RemoteLogSegmentState::copy_segment_started,
                                         task_.broker, 0};
  task_.ports.listener.entered(*segment, TaskStep::copy_publish_started);
  if (auto added = co_await task_.ports.metadata.add_remote_log_segment_metadata(started); !added) {
    run_.thrown = to_task_error(added.error());
    co_return;
  }

  if (!has_producer_snapshot) {
    // NullPointerException when the upload's data are put together: one more orphan with every run (F24).
    run_.thrown = TaskError::unchecked;
    co_return;
  }

  task_.mark(Metric::remote_copy_requests_per_sec);
  task_.ports.listener.entered(*segment, TaskStep::copy_upload);
  auto copied = co_await task_.ports.storage.copy_log_segment_data(started);
  if (!copied) {
    run_.thrown = to_task_error(copied.error());
    co_await task_.policy.after_failed_copy(run_, started, copied.error());
    co_return;
  }

  RemoteLogSegmentMetadata uploaded = started;
  uploaded.custom_metadata_size = copied->size;
  if (copied->size > task_.options.custom_metadata_max_bytes) {
    run_.thrown = TaskError::custom_metadata_size_limit_exceeded;
    co_await task_.policy.after_oversized_custom_metadata(run_, uploaded);
    co_return;
  }

  const auto finished = RemoteLogSegmentState::copy_segment_finished;
  if (auto published = co_await publish(task_, uploaded, finished, TaskStep::copy_publish_finished); !published) {
    // The copied offset stays: the next run copies the range again under a new id (F4).
    run_.thrown = to_task_error(published.error());
    co_await task_.policy.after_failed_finish(run_, uploaded);
    co_return;
  }
  task_.mark(Metric::remote_copy_bytes_per_sec, segment->size.value());
  copied_offset_ = segment->end_offset;
  task_.log().update_highest_offset_in_remote_storage(segment->end_offset);
  set_copy_lag(CopyLagSet::after_success);
}

}  // namespace model
