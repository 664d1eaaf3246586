// Mirrors: RemoteLogManager.deleteRemoteLogPartition, as stopPartitions calls it for a deleted topic (facts 4.3 step
// 3). Leaves out: the entries of the index cache; an Error, which ends this partition here and in Kafka the whole
// notification.
#pragma once

#include <coroutine>
#include <optional>
#include <vector>

#include "model/task_context.h"

namespace model {

/// Deletes every copy of one partition that this broker led. One attempt: whatever fails ends it, and nobody comes back
/// (F18). It marks no meters.
class PartitionDeletion {
 public:
  /// `context` is that of no scheduled task; its thread is the one that applies the cluster's metadata.
  explicit PartitionDeletion(const TaskContext& context) : task_(context) {}
  PartitionDeletion(const PartitionDeletion&) = delete;
  PartitionDeletion& operator=(const PartitionDeletion&) = delete;

  /// Lists all copies, in any state and lineage; publishes DELETE_SEGMENT_STARTED for all of them and waits for all;
  /// removes the data of one after the other; publishes DELETE_SEGMENT_FINISHED for all.
  Task<RunEnd> run();

 private:
  struct AllPublished;

  Task<Result<void, TaskError>> delete_copies();
  Task<Result<void, TaskError>> publish_all(RemoteLogSegmentState state, TaskStep step);
  Task<void> publish_one(RemoteLogSegmentMetadata metadata, RemoteLogSegmentState state, TaskStep step);

  TaskContext task_;
  std::vector<RemoteLogSegmentMetadata> copies_;
  // Of the publishes under way, each a coroutine of its own.
  std::size_t open_publishes_ = 0;
  std::optional<TaskError> publish_error_;
  std::coroutine_handle<> waits_for_publishes_;
};

}  // namespace model
