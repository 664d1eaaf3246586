// Mirrors: what the KIP's two policies share: its states, its options, and one DANGLING copy's sweep.
// Leaves out: which copies are swept and when; that is each policy's own.
#pragma once

#include "model/copy_task.h"
#include "model/policies/policies.h"

namespace model {

/// The KIP's Proposed Changes up to the sweep.
class DanglingPolicy : public Policy {
 public:
  explicit DanglingPolicy(const KipDanglingOptions& options) : options_(options) {}

  const Rules& rules() const final;
  TransitionTable transitions() const final { return TransitionTable::kip; }
  Task<void> after_failed_copy(CopyRun& run, RemoteLogSegmentMetadata metadata, RemoteStorageError error) const final;
  Task<void> after_failed_finish(CopyRun& run, RemoteLogSegmentMetadata metadata) const final;
  bool retention_failure_is_dangling(bool is_cancelled) const final;
  KipDanglingOptions::Expiration dangling_in_walk() const final { return options_.expiration; }
  DanglingEncoding dangling_encoding() const final { return options_.encoding; }

 protected:
  const KipDanglingOptions& kip_options() const { return options_; }
  /// Whether a plug-in's error counts as the KIP's failure; otherwise the state stays and the error ends the run as in
  /// Kafka.
  bool sets_dangling(TaskError error) const;
  /// A failed publish goes to run.thrown.
  Task<void> publish_dangling(CopyRun& run, RemoteLogSegmentMetadata metadata, TaskStep step) const;
  /// False, and the branch taken, when the option `sweep` says so.
  bool may_sweep(CopyRun& run, bool copies_succeeded) const;
  /// A delete of the sweep failed with the KIP's failure: back to DANGLING, after which the run's own error stands
  /// again. False when that could not be published.
  Task<bool> sweep_failed(CopyRun& run, RemoteLogSegmentMetadata metadata) const;

 private:
  bool may_publish(bool is_cancelled) const { return !is_cancelled || options_.publish_when_cancelled; }

  KipDanglingOptions options_;
};

}  // namespace model
