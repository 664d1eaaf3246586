// Mirrors: RLMCopyTask of Kafka 4.3 with KAFKA-19981: what becomes of a failed copy (facts 5.6, last column).
// Leaves out: nothing; the version's other changes are in its rules.
#include "model/copy_task.h"
#include "model/policies/policies.h"

namespace model {
namespace {

class Kafka43 final : public Policy {
 public:
  Kafka43(std::string_view name, const Rules& rules) : name_(name), rules_(rules) {}

  std::string_view name() const override { return name_; }
  const Rules& rules() const override { return rules_; }

  // After a retriable error nothing is cleaned up: data and COPY_SEGMENT_STARTED stay, once for each such attempt,
  // until retention reaches them.
  Task<void> after_failed_copy(CopyRun& run, RemoteLogSegmentMetadata metadata,
                               RemoteStorageError error) const override {
    if (!is_storage_error(error)) co_return;
    if (error == RemoteStorageError::retriable) {
      run.task.ports.listener.took_branch("clean-up-skipped-when-retriable");
      co_return;
    }
    co_await clean_up_with_states(run, metadata);
  }

 private:
  std::string_view name_;
  const Rules& rules_;
};

}  // namespace

std::unique_ptr<Policy> make_kafka_4_3(const PolicyOptions&) {
  return std::make_unique<Kafka43>("kafka-4.3", kafka_4_3_rules);
}
std::unique_ptr<Policy> make_kafka_4_3_seeding(const PolicyOptions&) {
  return std::make_unique<Kafka43>("kafka-4.3-seeding", kafka_4_3_seeding_rules);
}

}  // namespace model
