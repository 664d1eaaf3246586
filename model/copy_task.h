// Mirrors: RemoteLogManager.RLMCopyTask, Kafka 3.6 to 4.3 (facts 5.1 to 5.7), in its order of waits and checks.
// Leaves out: index files, 4.4's remote.copy.lag (KIP-1241, facts 5.3).
#pragma once

#include <optional>
#include <vector>

#include "model/task_context.h"

namespace model {

/// An entry that a sweep may take, and from when on.
struct Sweepable {
  SimTime due;
  RemoteLogSegmentMetadata metadata;
};

/// What a copy task remembers, from run to run, of an entry that kip-dangling-recovery has tried to remove.
struct SweepMemory {
  const RemoteLogSegment* segment = nullptr;
  /// Not before this.
  SimTime due;
  std::int32_t failure_count = 0;
  /// Until when a write of the copy may still land, if it was taken over from another or an earlier task.
  std::optional<SimTime> written_until;
};

/// One run of a copy task, as a policy sees it.
struct CopyRun {
  TaskContext& task;
  /// What the run will end with; a clean-up that throws replaces the copy's error, as an exception in a Java handler
  /// does.
  std::optional<TaskError> thrown;
  /// For lists that live across waits; the task's own, because one task runs once at a time.
  std::vector<RemoteLogSegmentMetadata> swept;
  std::vector<Sweepable> sweepable;
  /// Ascending by number. Goes with the task when the broker no longer leads.
  std::vector<SweepMemory> memories;
};

/// Closed segments on local disk alone (facts 5.7).
struct CopyLag {
  Bytes bytes;
  std::int64_t segments = 0;
};

/// Copies closed segments of one partition to the remote tier.
class CopyTask {
 public:
  explicit CopyTask(TaskContext& task) : task_(task), run_{task, {}, {}, {}, {}} {}

  /// What a run would find now. Not while one is under way.
  Outlook outlook();
  Task<RunEnd> run();
  /// A tick that finds nothing to copy still sets the lag gauges (4.3+). After an outlook at this instant.
  void take_note();
  /// 3.6's convertToLeader: the next run looks for the log start and for the highest remote offset again.
  void convert_to_leader();
  /// The log lies in another folder from now on: the next run looks again, too (3.8+, KAFKA-16711).
  void log_dir_moved();

 private:
  Task<void> copy_log_segments_to_remote();
  bool maybe_update_log_start_offset_on_becoming_leader();
  void maybe_update_copied_offset();
  void list_candidates();
  /// False when an interrupt ended the wait; the run's error is set then.
  Task<bool> wait_for_quota(Bytes size);
  Task<void> copy_log_segment(LogSegment segment);
  Task<void> copy_attempt(const RemoteLogSegment* segment, bool has_producer_snapshot);
  bool ends_with_copy_error() const;
  CopyLag copy_lag();
  bool copy_lag_is_stale();
  void set_copy_lag(CopyLagSet when);

  TaskContext& task_;
  CopyRun run_;
  bool log_start_updated_ = false;
  bool log_dir_moved_ = false;
  /// Inclusive, -1 for nothing copied; nothing until the first run that could ask.
  std::optional<Offset> copied_offset_;
  std::vector<LogSegment> candidates_;
  std::vector<RemoteLogSegmentMetadata> listed_;
};

}  // namespace model
