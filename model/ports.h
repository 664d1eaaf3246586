// Mirrors: the plug-in interfaces RemoteStorageManager and RemoteLogMetadataManager, as Kafka's tasks use them (facts
// 3.3, 5.5).
// Leaves out: reads (fetchLogSegment, fetchIndex), configure and close.
#pragma once

#include "model/remote_log_metadata_cache.h"
#include "model/remote_log_segment_metadata.h"
#include "model/result.h"
#include "model/task.h"
#include "model/time.h"
#include "model/unified_log.h"

namespace model {

/// How a call to the storage plug-in failed.
enum class RemoteStorageError : std::uint8_t {
  /// RemoteStorageException: not said to be worth another try.
  permanent,
  /// RetriableRemoteStorageException, a subclass; only 4.3 treats it apart.
  retriable,
  /// Any other exception: no clean-up in any version.
  unchecked,
  /// An Error, as OutOfMemoryError: nothing in a task catches it, and the scheduler never runs the task again (F15).
  fatal,
};
/// What a handler of RemoteStorageException catches.
constexpr bool is_storage_error(RemoteStorageError error) {
  return error == RemoteStorageError::permanent || error == RemoteStorageError::retriable;
}

/// How a metadata publish ended for its caller. In doubt is an answer of its own: after both the record may be in the
/// topic.
enum class MetadataError : std::uint8_t {
  /// ExecutionException: refused, timed out, or the own consumer did not catch up in time.
  execution,
  /// InterruptedException from get(): the record is usually sent all the same.
  interrupted,
  /// An Error, as FatalExitError from a manager that failed to initialise (facts 3.2): ends the task for good, too.
  fatal,
};

/// How far a metadata manager is with its start (facts 3.2). Before it is initialized every call but isReady throws.
enum class ManagerState : std::uint8_t {
  initialized,
  initializing,  ///< An IllegalStateException.
  failed,        ///< A FatalExitError, an Error, to 4.1; later the process is gone.
};

/// What the plug-in returns about a finished upload.
struct CustomMetadata {
  std::int32_t size = 0;
};

/// The store as one task run sees it: it knows who calls, so that a cancel interrupts the call and a crash drops its
/// answer.
class RemoteStorageManager {
 public:
  virtual ~RemoteStorageManager() = default;
  /// Uploads all objects of one copy; takes simulated time. After an error none, some or all of them may be stored.
  virtual Task<Result<CustomMetadata, RemoteStorageError>> copy_log_segment_data(RemoteLogSegmentMetadata metadata) = 0;
  /// Removes all objects of one copy. Objects that do not exist count as removed. After an error some may be gone.
  virtual Task<Result<void, RemoteStorageError>> delete_log_segment_data(RemoteLogSegmentMetadata metadata) = 0;
  /// How long after its call a copy may still write, by the plug-in's configuration on every broker; nothing: for ever.
  virtual std::optional<Duration> copy_deadline() const { return std::nullopt; }
};

/// The metadata topic as one task run sees it.
class RemoteLogMetadataManager {
 public:
  virtual ~RemoteLogMetadataManager() = default;
  /// Publishes COPY_SEGMENT_STARTED and waits until the topic and this broker's consumer have it.
  virtual Task<Result<void, MetadataError>> add_remote_log_segment_metadata(RemoteLogSegmentMetadata metadata) = 0;
  /// Publishes any other state, with the same wait. Nothing checks the transition here: caches drop what is illegal.
  virtual Task<Result<void, MetadataError>> update_remote_log_segment_metadata(RemoteLogSegmentMetadata metadata) = 0;
  virtual ManagerState state() const { return ManagerState::initialized; }
  /// isReady (4.0 and later): this broker's consumer has caught up since the partition was assigned.
  virtual bool is_ready() const = 0;
  /// This broker's cache of the partition, with every record applied that has reached it by now.
  virtual const RemoteLogMetadataCache& cache() = 0;
  /// How long a publish may take until it is answered, by the configuration that all brokers share; nothing: for ever.
  virtual std::optional<Duration> publish_deadline() const { return std::nullopt; }
};

/// A step of a task, for the ledger (who holds a copy), for the causes and for whoever places a fault at a step.
/// Each is reported when the task enters it.
enum class TaskStep : std::uint8_t {
  none,
  copy_publish_started,   ///< Publishing COPY_SEGMENT_STARTED; the task holds the copy from here on.
  copy_upload,            ///< The upload's call is under way.
  copy_publish_finished,  ///< The upload succeeded; publishing COPY_SEGMENT_FINISHED.
  clean_up_decided,       ///< The copy failed and this task will delete what it left (3.9: directly, 4.x: with states).
  clean_up_publish_started,
  clean_up_delete,
  clean_up_publish_finished,
  publish_dangling,       ///< The copy failed and this task is saying so.
  sweep_publish_started,  ///< The copy task takes a DANGLING copy: deciding and publishing DELETE_SEGMENT_STARTED.
  sweep_delete,
  sweep_publish_finished,
  sweep_publish_dangling,     ///< The sweep's delete failed.
  retention_publish_started,  ///< The expiration task chose the copy.
  retention_delete,
  retention_publish_finished,
  retention_publish_dangling,      ///< A retention delete failed (kip-dangling, retention-failure=dangling).
  topic_deletion_publish_started,  ///< The topic is deleted and this broker led the partition.
  topic_deletion_delete,
  topic_deletion_publish_finished,
  /// kip-dangling-recovery: the copy task takes over what another or an earlier task left, or keeps what it has deleted
  /// DANGLING because a write may still land.
  adopt_publish_dangling,
};
inline constexpr int task_step_count = 21;
/// As in files: `copy-upload`.
std::string_view to_string(TaskStep step);

/// Hears what a task run does with a copy.
class TaskListener {
 public:
  virtual ~TaskListener() = default;
  /// The run holds `segment` and enters `step`.
  virtual void entered(const RemoteLogSegment& segment, TaskStep step) = 0;
  /// The run lets `segment` go, whatever became of it.
  virtual void left(const RemoteLogSegment& segment) = 0;
  /// The task raised the log start offset: expiration before its deletes, a copy task once on becoming leader (F12).
  virtual void log_start_raised(Offset offset) = 0;
  /// A policy branch worth counting was taken, by a stable name as `clean-up-skipped-when-cancelled`.
  virtual void took_branch(std::string_view branch) = 0;
};

/// Time as the broker's clock shows it.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SimTime now() const = 0;
  /// Where time 0 lies on the clock that Kafka reads, counted from 1970: it decides from when on a long retention.ms
  /// reaches behind 1970. In worlds always 2020-01-01, whatever scenario.start says, so that only settings of decades
  /// do.
  virtual Duration start_since_1970() const { return 1'577'836'800s; }
};

/// Makes new copy attempts: RemoteLogSegmentId.generateNew and the immutable part of the metadata.
class RemoteLogSegmentFactory {
 public:
  virtual ~RemoteLogSegmentFactory() = default;
  /// The returned record lives as long as the world.
  virtual const RemoteLogSegment& new_segment(PartitionNumber partition, const LogSegment& segment,
                                              EpochEntries epochs) = 0;
};

/// The thread of a task run: what it blocks on can be woken by Thread.interrupt.
class Interruptible {
 public:
  virtual ~Interruptible() = default;
  virtual void interrupt() = 0;
  /// Forgets an interrupt that met no wait (the pool's thread goes on to another task).
  virtual void clear_interrupt() = 0;
  /// A loop that no longer ends and heeds no interrupt: the task never resumes, and its thread is gone until the
  /// process ends.
  virtual Task<void> spin() = 0;
  /// Condition.await for a time. False when an interrupt ended it or had come before.
  virtual Task<bool> sleep(Duration time) = 0;
  /// Condition.signal: ends the thread's sleep, by an event at this instant, as if its time had passed. Nothing while
  /// it does not sleep.
  virtual void wake() = 0;
};

/// The ports of one (broker, partition, task), alive as long as the broker's process.
struct TaskPorts {
  RemoteStorageManager& storage;
  RemoteLogMetadataManager& metadata;
  TaskListener& listener;
  Interruptible& thread;
};

/// The ports that a broker's whole RemoteLogManager shares.
struct BrokerPorts {
  const Clock& clock;
  RemoteLogSegmentFactory& segments;
};

}  // namespace model
