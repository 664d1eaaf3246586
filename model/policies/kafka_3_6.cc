// Mirrors: RLMTask of Kafka 3.6 to 3.8.0: what becomes of a failed copy (facts 5.6, first column).
// Leaves out: what 3.7 and 3.8.0 changed elsewhere; the rules are those of 3.6.
#include "model/copy_task.h"
#include "model/policies/policies.h"

namespace model {
namespace {

class Kafka36 final : public Policy {
 public:
  std::string_view name() const override { return "kafka-3.6"; }
  const Rules& rules() const override { return kafka_3_6_rules; }

  // Nothing: data and COPY_SEGMENT_STARTED stay until retention reaches them.
  Task<void> after_failed_copy(CopyRun&, RemoteLogSegmentMetadata, RemoteStorageError) const override { co_return; }

  // Only here the version removes data, and says nothing of it in the metadata.
  Task<void> after_oversized_custom_metadata(CopyRun& run, RemoteLogSegmentMetadata metadata) const override {
    run.task.ports.listener.entered(*metadata.segment, TaskStep::clean_up_decided);
    run.task.ports.listener.entered(*metadata.segment, TaskStep::clean_up_delete);
    auto removed = co_await run.task.ports.storage.delete_log_segment_data(metadata);
    if (removed) co_return;
    if (!is_storage_error(removed.error())) run.thrown = to_task_error(removed.error());
    run.task.ports.listener.took_branch("clean-up-failed");
  }
};

}  // namespace

std::unique_ptr<Policy> make_kafka_3_6(const PolicyOptions&) { return std::make_unique<Kafka36>(); }

}  // namespace model
