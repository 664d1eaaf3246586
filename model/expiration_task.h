// Mirrors: RemoteLogManager.RLMExpirationTask, Kafka 3.6 to 4.2 (facts 6.1 to 6.7), in its order of waits and checks.
// Leaves out: its metrics; the endless loop into which 3.7 and later fall when they are cancelled while they list what
// truncation has left (F14): the run ends there instead.
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

 private:
  RetentionView view();
  bool must_seed();
  void seed();
  Task<Result<void, TaskError>> delete_segment(RemoteLogSegmentMetadata metadata);

  TaskContext& task_;
  RetentionWalk walk_;
};

}  // namespace model
