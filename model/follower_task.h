// Mirrors: RemoteLogManager.RLMFollowerTask, and what 3.6's task does while it does not lead (facts 8.6).
// Leaves out: nothing.
#pragma once

#include "model/task_context.h"

namespace model {

/// Keeps a follower's highest remote offset up to date, which only its local retention looks at. A run waits for
/// nothing.
class FollowerTask {
 public:
  explicit FollowerTask(TaskContext& task) : task_(task) {}

  /// What a run would find now.
  Outlook outlook();
  RunEnd run();

 private:
  TaskContext& task_;
};

}  // namespace model
