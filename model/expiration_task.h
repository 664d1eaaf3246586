// Mirrors: RemoteLogManager.RLMExpirationTask, Kafka 3.6 to 4.3 (facts 6.1 to 6.7), in its order of waits and checks.
// Leaves out: nothing.
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
  void set_metadata_gauges();
  /// What a run would add to the delete lag below the earliest epoch: copies that straddle it are added and never taken
  /// off (facts 6.6).
  void add_truncated_to_delete_lag();
  void add_to_delete_lag(Bytes bytes, std::int64_t segments);
  void take_off_delete_lag(const RemoteLogSegment& segment) { add_to_delete_lag(-segment.size, -1); }
  /// Whether take_note would set any gauge to another value.
  bool gauges_are_stale();
  Task<Result<void, TaskError>> delete_chosen();
  Task<Result<void, TaskError>> delete_truncated();
  Task<Result<void, TaskError>> delete_segment(RemoteLogSegmentMetadata metadata);

  TaskContext& task_;
  RetentionWalk walk_;
  /// This run's; the gauges keep the last one's as long as no copy is listed (F29).
  Bytes delete_lag_bytes_;
  std::int64_t delete_lag_segments_ = 0;
};

}  // namespace model
