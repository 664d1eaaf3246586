// Mirrors: the KIP's Proposed Changes and Public Interfaces (kip-dangling-state.txt), on the rules of Kafka 4.0, 4.3 or
// 3.9, with the readings 3.3 as options.
// Leaves out: the tagged encoding.
#include "model/copy_task.h"
#include "model/policies/policies.h"
#include "model/remote_log_segment_deletion.h"

namespace model {
namespace {

using Options = KipDanglingOptions;

class KipDangling final : public Policy {
 public:
  explicit KipDangling(const Options& options) : options_(options) {}

  std::string_view name() const override { return "kip-dangling"; }
  const Rules& rules() const override {
    switch (options_.base) {
      case Options::Base::kafka_4_0:
        return kafka_4_0_rules;
      case Options::Base::kafka_3_9:
        return kafka_3_9_rules;
      case Options::Base::kafka_4_3:
        return kafka_4_3_rules;
    }
    check_failed("known base", __FILE__, __LINE__);
  }
  TransitionTable transitions() const override { return TransitionTable::kip; }

  Task<void> after_failed_copy(CopyRun& run, RemoteLogSegmentMetadata metadata,
                               RemoteStorageError error) const override {
    if (!sets_dangling(to_task_error(error))) co_return;
    // On 4.3 a retriable error is no failure, so that the copy stays COPY_SEGMENT_STARTED (readings 3.3).
    if (error == RemoteStorageError::retriable && rules().retriable_is_apart) co_return;
    co_await publish_dangling(run, metadata, TaskStep::publish_dangling);
  }

  Task<void> after_failed_finish(CopyRun& run, RemoteLogSegmentMetadata metadata) const override {
    if (options_.dangling_on != Options::DanglingOn::also_failed_finish) co_return;
    co_await publish_dangling(run, metadata, TaskStep::publish_dangling);
  }

  Task<void> after_copies(CopyRun& run, bool copies_succeeded) const override {
    if (!has_work_after_copies(run.task.cache())) co_return;
    if (!copies_succeeded && options_.sweep == Options::Sweep::after_success) {
      run.task.ports.listener.took_branch("sweep-skipped-after-failed-copy");
      co_return;
    }
    co_await sweep(run);
  }

  bool has_work_after_copies(const RemoteLogMetadataCache& cache) const override {
    return cache.count(RemoteLogSegmentState::dangling) > 0;
  }

  bool retention_failure_is_dangling(bool is_cancelled) const override {
    return options_.retention_failure == Options::RetentionFailure::dangling && may_publish(is_cancelled);
  }

  Options::Expiration dangling_in_walk() const override { return options_.expiration; }

 private:
  /// Whether a plug-in's error counts as the KIP's failure; otherwise the state stays and the error ends the run as in
  /// Kafka.
  bool sets_dangling(TaskError error) const {
    if (is_storage_error(error)) return true;
    return error == TaskError::unchecked && options_.dangling_on != Options::DanglingOn::storage_error;
  }

  bool may_publish(bool is_cancelled) const { return !is_cancelled || options_.publish_when_cancelled; }

  Task<void> publish_dangling(CopyRun& run, RemoteLogSegmentMetadata metadata, TaskStep step) const {
    if (!may_publish(run.task.is_cancelled())) {
      run.task.ports.listener.took_branch("dangling-skipped-when-cancelled");
      co_return;
    }
    auto published = co_await publish(run.task, metadata, RemoteLogSegmentState::dangling, step);
    if (!published) run.thrown = to_task_error(published.error());
  }

  // Takes what is DANGLING now, whoever wrote it and in whatever lineage. The list is carried across the waits: that
  // the expiration task may have taken a copy meanwhile is not looked at, since the KIP names no such check
  // (readings 2.7).
  Task<void> sweep(CopyRun& run) const {
    run.swept.clear();
    run.task.cache().list_in_state(RemoteLogSegmentState::dangling, run.swept);
    for (std::size_t i = 0; i < run.swept.size(); ++i) {
      if (run.task.is_cancelled()) co_return;
      const RemoteLogSegmentMetadata metadata = run.swept[i];
      auto goes_on = co_await sweep_segment(run, metadata);
      run.task.ports.listener.left(*metadata.segment);
      if (!goes_on) co_return;
    }
  }

  /// Whether the sweep goes on to the next copy.
  Task<bool> sweep_segment(CopyRun& run, RemoteLogSegmentMetadata metadata) const {
    auto deleted = co_await delete_remote_log_segment(run.task, metadata, sweep_steps);
    if (deleted) co_return true;
    if (!sets_dangling(deleted.error())) {
      // A publish failed, or the plug-in threw what nobody expects: the state stays as stored.
      run.thrown = deleted.error();
      run.task.ports.listener.took_branch("sweep-stopped");
      co_return false;
    }
    run.task.ports.listener.took_branch("sweep-delete-failed");
    const std::optional<TaskError> thrown_before = run.thrown;
    run.thrown.reset();
    co_await publish_dangling(run, metadata, TaskStep::sweep_publish_dangling);
    const bool is_stored = !run.thrown;
    if (is_stored) run.thrown = thrown_before;
    co_return is_stored&& options_.sweep_on_delete_failure == Options::OnDeleteFailure::go_on;
  }

  Options options_;
};

}  // namespace

std::unique_ptr<Policy> make_kip_dangling(const PolicyOptions& options) {
  return std::make_unique<KipDangling>(options.kip_dangling);
}

}  // namespace model
