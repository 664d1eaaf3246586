// Mirrors: what the KIP's two policies share: its states, its options, and one DANGLING copy's sweep.
// Leaves out: which copies are swept and when; that is each policy's own.
//
// The KIP names no feature level, so that the first upgraded leader writes what the brokers beside it cannot read
// (readings 7). With `feature-gate = finalized` there is one, by Kafka's rules for a finalized feature: the controller
// finalizes a level only when all registered brokers know it, those that are down included; it does not lower it by
// itself; and it registers no broker that does not know it. A rolling upgrade thus runs as the base until its last
// broker is back. A rolling downgrade ends at its first. Lowering the level would not help: what says DANGLING stays in
// the topic for as long as the topic keeps it, so that this would be the kind of downgrade that Kafka calls unsafe.
//
// Who must be able to go back needs the tagged encoding, whose price is another one: after COPY_SEGMENT_FINISHED the
// KIP's table drops DANGLING, but an older broker reads a delete there, which Kafka's table allows, and may go on with
// it. `dangling-on = also-failed-finish` and recovery's taking over can write such a record.
#pragma once

#include "model/copy_task.h"
#include "model/policies/policies.h"

namespace model {

/// The KIP's Proposed Changes up to the sweep.
class DanglingPolicy : public Policy {
 public:
  DanglingPolicy(const KipDanglingOptions& options, const FinalizedFeatures& features);

  const Rules& rules() const final { return base_->rules(); }
  TransitionTable transitions() const final { return TransitionTable::kip; }
  Task<void> after_failed_copy(CopyRun& run, RemoteLogSegmentMetadata metadata, RemoteStorageError error) const final;
  Task<void> after_failed_finish(CopyRun& run, RemoteLogSegmentMetadata metadata) const final;
  bool retention_failure_is_dangling(bool is_cancelled) const final;
  KipDanglingOptions::Expiration dangling_in_walk() const final { return options_.expiration; }
  DanglingEncoding dangling_encoding() const final { return options_.encoding; }
  bool has_feature_gate() const final { return options_.feature_gate == KipDanglingOptions::FeatureGate::finalized; }

 protected:
  const KipDanglingOptions& kip_options() const { return options_; }
  /// False as long as its gate keeps the policy from all that the KIP adds. It can read DANGLING all the same.
  bool is_enabled() const { return !has_feature_gate() || features_.has_dangling(); }
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
  const FinalizedFeatures& features_;
  std::unique_ptr<Policy> base_;
};

}  // namespace model
