// Mirrors: what RLMTask and its subclasses share: identity, the cancelled flag, segmentIdsBeingCopied (facts 4.4, 5.1).
// Leaves out: the future of the scheduler (the manager knows which run is under way), log prefixes.
#pragma once

#include <algorithm>
#include <vector>

#include "model/copy_quota.h"
#include "model/metrics.h"
#include "model/options.h"
#include "model/policy.h"
#include "model/ports.h"
#include "model/remote_log_manager.h"

namespace model {

/// What ended a step or a run, as the exception in the Java would.
enum class TaskError : std::uint8_t {
  storage,  ///< RemoteStorageException.
  /// RetriableRemoteStorageException, a RemoteStorageException too; only 4.3 treats it apart.
  retriable_storage,
  unchecked,     ///< Any other exception of a plug-in or of the task itself.
  metadata,      ///< ExecutionException from a publish.
  interrupted,   ///< InterruptedException.
  out_of_range,  ///< OffsetOutOfRangeException from the log.
  not_ready,     ///< ReplicaNotAvailableException: the cache is not initialized (facts 2.7).
  custom_metadata_size_limit_exceeded,
  fatal,  ///< An Error: no handler catches it (F15).
};
TaskError to_task_error(RemoteStorageError error);
TaskError to_task_error(MetadataError error);
RunEnd to_run_end(TaskError error);
/// What `catch (RemoteStorageException)` catches.
constexpr bool is_storage_error(TaskError error) {
  return error == TaskError::storage || error == TaskError::retriable_storage;
}

/// What all tasks of one partition on one broker share, cancelled ones that still run included.
struct PartitionState {
  /// segmentIdsBeingCopied; ids are of one partition, so that a set a partition is the same as Kafka's one set.
  std::vector<const RemoteLogSegment*> segments_being_copied;
  /// What the expiration task or a sweep of kip-dangling-recovery deletes. Kafka has no such set; only that policy
  /// looks.
  std::vector<const RemoteLogSegment*> segments_being_deleted;
  /// The leader's tasks set them; a cancelled task that still runs sets Kafka's own, too (KAFKA-21124).
  PartitionGauges gauges;

  bool is_being_copied(const RemoteLogSegment& segment) const {
    return std::find(segments_being_copied.begin(), segments_being_copied.end(), &segment) !=
           segments_being_copied.end();
  }
  bool is_being_deleted(const RemoteLogSegment& segment) const {
    return std::find(segments_being_deleted.begin(), segments_being_deleted.end(), &segment) !=
           segments_being_deleted.end();
  }
  void delete_ended(const RemoteLogSegment& segment) {
    segments_being_deleted.erase(std::find(segments_being_deleted.begin(), segments_being_deleted.end(), &segment));
  }
};

/// What a run would find now, without doing it.
struct Outlook {
  bool has_work = false;
  /// Without work: the next tick has something to note all the same (take_note), so that it must not be left out.
  bool takes_note = false;
  /// Without work: as long as no event changes what the task looks at, it has none before the broker's clock shows
  /// this.
  SimTime idle_until = time_never;
  friend bool operator==(const Outlook&, const Outlook&) = default;
};
/// The outlook of a task that has no work now and may have some at any time, with no event that says so.
inline constexpr Outlook may_change_any_time{.has_work = false, .idle_until = SimTime::min()};

/// One task: who it is and what it may use. Lives until its last run has ended.
struct TaskContext {
  PartitionNumber partition;
  TaskKind kind;
  BrokerId broker;
  /// Under which the task was created; 3.6 moves it with each notification.
  LeaderEpoch epoch;
  const Policy& policy;
  const RemoteLogManagerOptions& options;
  TaskPorts ports;
  BrokerPorts broker_ports;
  RemoteLogManagerHost& host;
  RemoteLogManager& manager;
  /// The broker's, for all its copy tasks.
  CopyQuota& copy_quota;
  PartitionState& state;
  /// RLMTask.cancel's flag.
  bool cancelled = false;
  /// 3.6: leaderEpoch is not -1. Later versions cancel instead.
  bool leads = true;

  /// What Kafka asks between segments: isCancelled(), in 3.6 isCancelled() || !isLeader().
  bool is_cancelled() const { return cancelled || !leads; }
  bool is_ready() const { return ports.metadata.is_ready(); }
  /// What the metadata manager's first call throws while that is not initialized, or could not be (facts 3.2). Nothing
  /// for a task that its gate keeps from calling.
  std::optional<TaskError> unstarted_error() const;
  const Rules& rules() const { return policy.rules(); }
  const RemoteLogMetadataCache& cache() { return ports.metadata.cache(); }
  UnifiedLog& log() { return host.log(partition); }
  SimTime now() const { return broker_ports.clock.now(); }
  void mark(Metric meter, std::int64_t amount = 1) { host.metrics().mark(partition, meter, amount); }
  void set(Metric gauge, std::int64_t value) { host.metrics().set(partition, state.gauges, gauge, value); }
};

/// Reports `step` and publishes `metadata` in `state`, any but COPY_SEGMENT_STARTED; the KIP's gauges follow.
Task<Result<void, MetadataError>> publish(TaskContext& task, RemoteLogSegmentMetadata metadata,
                                          RemoteLogSegmentState state, TaskStep step);

/// Raises the log start offset. False, and nothing changed, for an offset above the high watermark.
[[nodiscard]] bool raise_log_start_offset(TaskContext& task, Offset offset);

/// Whether the KIP's gauges differ from what the broker's cache holds. Never for a policy without DANGLING, for a
/// cancelled task (it must not bring back what becoming a follower removed) and before the cache is initialized.
bool dangling_gauges_are_stale(TaskContext& task);
void set_dangling_gauges(TaskContext& task);

}  // namespace model
