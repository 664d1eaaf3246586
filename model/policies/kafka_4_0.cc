// Mirrors: RLMCopyTask of Kafka 4.0 to 4.2 with KAFKA-17428: what becomes of a failed copy (facts 5.6, third column).
// Leaves out: nothing; 4.3's way with retriable errors is in kafka_4_3.cc.
#include "model/copy_task.h"
#include "model/policies/policies.h"
#include "model/remote_log_segment_deletion.h"

namespace model {

// When its own removal fails the copy stays DELETE_SEGMENT_STARTED for the expiration walk.
Task<void> clean_up_with_states(CopyRun& run, RemoteLogSegmentMetadata metadata) {
  if (run.task.is_cancelled()) {
    // Nothing is done, though the log line says that the clean-up completed (F13).
    run.task.ports.listener.took_branch("clean-up-skipped-when-cancelled");
    co_return;
  }
  run.task.ports.listener.entered(*metadata.segment, TaskStep::clean_up_decided);
  auto deleted = co_await delete_remote_log_segment(run.task, metadata, clean_up_steps);
  if (deleted) co_return;
  // Only a RemoteStorageException is caught and logged; any other replaces the copy's own.
  if (!is_storage_error(deleted.error())) run.thrown = deleted.error();
  run.task.ports.listener.took_branch("clean-up-failed");
}

namespace {

class Kafka40 final : public Policy {
 public:
  Kafka40(std::string_view name, const Rules& rules) : name_(name), rules_(rules) {}

  std::string_view name() const override { return name_; }
  const Rules& rules() const override { return rules_; }

  Task<void> after_failed_copy(CopyRun& run, RemoteLogSegmentMetadata metadata,
                               RemoteStorageError error) const override {
    if (!is_storage_error(error)) co_return;
    co_await clean_up_with_states(run, metadata);
  }

 private:
  std::string_view name_;
  const Rules& rules_;
};

}  // namespace

std::unique_ptr<Policy> make_kafka_4_0(const PolicyOptions&) {
  return std::make_unique<Kafka40>("kafka-4.0", kafka_4_0_rules);
}
std::unique_ptr<Policy> make_kafka_4_2(const PolicyOptions&) {
  return std::make_unique<Kafka40>("kafka-4.2", kafka_4_2_rules);
}

}  // namespace model
