#include "model/policies/dangling.h"

namespace model {

using Options = KipDanglingOptions;

namespace {

std::unique_ptr<Policy> make_base(Options::Base base) {
  switch (base) {
    case Options::Base::kafka_4_0:
      return make_kafka_4_0({});
    case Options::Base::kafka_3_9:
      return make_kafka_3_9({});
    case Options::Base::kafka_4_3:
      return make_kafka_4_3({});
  }
  check_failed("known base", __FILE__, __LINE__);
}

}  // namespace

DanglingPolicy::DanglingPolicy(const KipDanglingOptions& options, const FinalizedFeatures& features)
    : options_(options), features_(features), base_(make_base(options.base)) {}

Task<void> DanglingPolicy::after_failed_copy(CopyRun& run, RemoteLogSegmentMetadata metadata,
                                             RemoteStorageError error) const {
  if (!is_enabled()) {
    run.task.ports.listener.took_branch("dangling-not-finalized");
    co_await base_->after_failed_copy(run, metadata, error);
    co_return;
  }
  if (!sets_dangling(to_task_error(error))) co_return;
  // On 4.3 a retriable error is no failure, so that the copy stays COPY_SEGMENT_STARTED (readings 3.3).
  if (error == RemoteStorageError::retriable && rules().retriable_is_apart) co_return;
  co_await publish_dangling(run, metadata, TaskStep::publish_dangling);
}

Task<void> DanglingPolicy::after_failed_finish(CopyRun& run, RemoteLogSegmentMetadata metadata) const {
  if (!is_enabled() || options_.dangling_on != Options::DanglingOn::also_failed_finish) co_return;
  co_await publish_dangling(run, metadata, TaskStep::publish_dangling);
}

bool DanglingPolicy::retention_failure_is_dangling(bool is_cancelled) const {
  return is_enabled() && options_.retention_failure == Options::RetentionFailure::dangling && may_publish(is_cancelled);
}

bool DanglingPolicy::sets_dangling(TaskError error) const {
  if (is_storage_error(error)) return true;
  return error == TaskError::unchecked && options_.dangling_on != Options::DanglingOn::storage_error;
}

Task<void> DanglingPolicy::publish_dangling(CopyRun& run, RemoteLogSegmentMetadata metadata, TaskStep step) const {
  if (!may_publish(run.task.is_cancelled())) {
    run.task.ports.listener.took_branch("dangling-skipped-when-cancelled");
    co_return;
  }
  auto published = co_await publish(run.task, metadata, RemoteLogSegmentState::dangling, step);
  if (!published) run.thrown = to_task_error(published.error());
}

bool DanglingPolicy::may_sweep(CopyRun& run, bool copies_succeeded) const {
  if (copies_succeeded || options_.sweep == Options::Sweep::always) return true;
  run.task.ports.listener.took_branch("sweep-skipped-after-failed-copy");
  return false;
}

Task<bool> DanglingPolicy::sweep_failed(CopyRun& run, RemoteLogSegmentMetadata metadata) const {
  run.task.ports.listener.took_branch("sweep-delete-failed");
  const std::optional<TaskError> thrown_before = run.thrown;
  run.thrown.reset();
  co_await publish_dangling(run, metadata, TaskStep::sweep_publish_dangling);
  const bool is_stored = !run.thrown;
  if (is_stored) run.thrown = thrown_before;
  co_return is_stored;
}

}  // namespace model
