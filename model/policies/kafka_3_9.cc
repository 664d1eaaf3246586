// Mirrors: RLMCopyTask of Kafka 3.8.1 and 3.9 with KAFKA-17062: what becomes of a failed copy (facts 5.6, second
// column).
// Leaves out: 3.8.1's single task; the rules are those of 3.9.
#include "model/copy_task.h"
#include "model/policies/policies.h"

namespace model {
namespace {

class Kafka39 final : public Policy {
 public:
  std::string_view name() const override { return "kafka-3.9"; }
  const Rules& rules() const override { return kafka_3_9_rules; }

  // One delete, also when the task is cancelled. Its failure is only logged, and COPY_SEGMENT_STARTED stays either way.
  Task<void> after_failed_copy(CopyRun& run, RemoteLogSegmentMetadata metadata,
                               RemoteStorageError error) const override {
    if (!is_storage_error(error)) co_return;
    run.task.ports.listener.entered(*metadata.segment, TaskStep::clean_up_decided);
    run.task.ports.listener.entered(*metadata.segment, TaskStep::clean_up_delete);
    auto removed = co_await run.task.ports.storage.delete_log_segment_data(metadata);
    if (removed) co_return;
    if (!is_storage_error(removed.error())) run.thrown = to_task_error(removed.error());
    run.task.ports.listener.took_branch("clean-up-failed");
  }
};

}  // namespace

std::unique_ptr<Policy> make_kafka_3_9(const PolicyOptions&) { return std::make_unique<Kafka39>(); }

}  // namespace model
