// Mirrors: RemoteLogManager.RLMExpirationTask, Kafka 3.6 to 4.3 (facts 6.1 to 6.7), in its order of waits and checks.
// Leaves out: its metrics.
#pragma once

#include "model/retention.h"
#include "model/task_context.h"

namespace model {

/// Deletes copies of one partition that retention no longer keeps.
class ExpirationTask {
 public:
  explicit ExpirationTask(TaskContext& task) : task_(task) {}

  /// What a run would find now. Not while one is under way.
  Outlook outlook();
  Task<RunEnd> run();
  /// A tick that finds no work still looks: what a run would keep of what it sees. After an outlook at this instant.
  void take_note();

 private:
  RetentionView view();
  bool must_seed();
  void seed();
  Task<Result<void, TaskError>> delete_chosen();
  Task<Result<void, TaskError>> delete_truncated();
  Task<Result<void, TaskError>> delete_segment(RemoteLogSegmentMetadata metadata);

  TaskContext& task_;
  RetentionWalk walk_;
};

}  // namespace model
