// Mirrors: RemoteLogManager's scheduling: onLeadershipChange, stopPartitions, the thread pools and
// scheduleWithFixedDelay (facts 4.1 to 4.4).
// Leaves out: dynamic pool sizes, close (facts 4.5), remote.log.delete.on.disable and ZooKeeper's StopReplica, a
// replica without a log.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/metrics.h"
#include "model/options.h"
#include "model/policy.h"
#include "model/ports.h"

namespace model {

/// The scheduled tasks, and the deletion of a partition, which runs on the thread that applies the cluster's metadata.
enum class TaskKind : std::uint8_t { copy, expiration, follower, partition_deletion };
inline constexpr int task_kind_count = 4;
inline constexpr int scheduled_task_kind_count = 3;
/// `copy`, `expiration`, `follower`, `partition-deletion`. The one task of kafka-3.6 is a copy task, also where it
/// follows; its runs are then reported as the follower's.
std::string_view to_string(TaskKind kind);

/// How a run of a task ended, for the trace. After `fatal` the task never runs again (F15).
enum class RunEnd : std::uint8_t { done, failed, interrupted, cancelled, not_ready, fatal };
/// As in files: `not-ready`.
std::string_view to_string(RunEnd end);

/// Threads of each pool (facts 4.1).
struct PoolSizes {
  std::int32_t copier;  ///< In 3.6 the only pool; the others are 0.
  std::int32_t expiration;
  std::int32_t follower;
};
PoolSizes pool_sizes(const RemoteLogManagerOptions& options, const Rules& rules);

/// What a RemoteLogManager needs of the broker that it runs on. The broker's process is one scope: a crash destroys the
/// manager.
class RemoteLogManagerHost {
 public:
  virtual ~RemoteLogManagerHost() = default;
  virtual TaskPorts task_ports(PartitionNumber partition, TaskKind kind) = 0;
  /// The local replica, with every record appended that has arrived by now.
  virtual UnifiedLog& log(PartitionNumber partition) = 0;
  virtual const TopicOptions& topic(PartitionNumber partition) const = 0;
  /// True while records keep arriving, so that sizes and offsets change between two events.
  virtual bool is_growing(PartitionNumber partition) const = 0;
  /// The instant of the event that is being executed, in which ticks are scheduled: skew and jumps of the broker's
  /// clock do not move it, as they do not move Java's nanoTime.
  virtual SimTime now() const = 0;
  /// Runs a task from an event of its own at this instant, never inside the caller.
  virtual void spawn(Task<void> task) = 0;
  /// Calls on_tick(partition, kind) at `at`, in the lane of ticks; replaces an earlier one of the same task.
  virtual void schedule_tick(PartitionNumber partition, TaskKind kind, SimTime at) = 0;
  virtual void cancel_tick(PartitionNumber partition, TaskKind kind) = 0;
  /// Whether a tick of this task at `at` would come after every event executed so far: at the present instant only if
  /// its place among the ticks has not been reached, also when the event being executed is no tick.
  virtual bool tick_is_ahead(PartitionNumber partition, TaskKind kind, SimTime at) const = 0;
  /// The reports of the runs, for the trace. Runs that change nothing and take no time are not reported.
  virtual void run_started(PartitionNumber partition, TaskKind kind, LeaderEpoch epoch) = 0;
  virtual void run_ended(PartitionNumber partition, TaskKind kind, RunEnd end) = 0;
  virtual void dangling_gauges_set(PartitionNumber partition, DanglingGauges gauges) = 0;
  /// The broker's meters and gauges, which are in no trace.
  virtual BrokerTopicMetrics& metrics() = 0;
};

/// One broker's manager: which tasks it has, when they run and on which pool's threads.
class RemoteLogManager {
 public:
  struct Settings {
    RemoteLogManagerOptions options;
    BrokerId broker;
    /// Idle ticks are not simulated (the hash is the same either way).
    bool elide_idle_ticks = true;
    /// At one instant on becoming leader the copy task runs before the expiration task, or after it (KAFKA-20732).
    bool copy_first = true;
    std::size_t partition_count = 0;
  };
  RemoteLogManager(Settings settings, const Policy& policy, BrokerPorts ports, RemoteLogManagerHost& host);
  ~RemoteLogManager();
  RemoteLogManager(const RemoteLogManager&) = delete;
  RemoteLogManager& operator=(const RemoteLogManager&) = delete;

  // What the thread does that applies the cluster's metadata: one thing after the other, so that whatever comes while a
  // partition is being deleted waits until that has ended.

  /// This broker leads `partition` under `epoch`. Tasks that exist stay as they are (facts 4.2); new ones get their
  /// first run `copy_delay` and `expiration_delay` from now: 0 in Kafka, a drawn phase at the world's start. With
  /// remote.log.copy.disable there is no copy task.
  void become_leader(PartitionNumber partition, LeaderEpoch epoch, Duration copy_delay, Duration expiration_delay);
  /// This broker follows: copy and expiration tasks are cancelled and interrupted, or in 3.6 told that they do not
  /// lead; there is a follower task from now on, whose first run is `delay` from now.
  void become_follower(PartitionNumber partition, Duration delay = Duration{0});
  /// The broker lets the partition go altogether. `Remote::remove` is for the leader of a deleted topic: it removes
  /// every copy as well, in one attempt (facts 4.3).
  enum class Remote : std::uint8_t { keep, remove };
  void stop_partition(PartitionNumber partition, Remote remote = Remote::keep);
  /// stopLeaderCopyRLMTasks: remote.log.copy.disable was switched on. Copies end, expiration goes on; whoever switches
  /// it off again calls become_leader.
  void stop_copying(PartitionNumber partition);

  /// updateCopyQuota: the broker's copies share another number of bytes a second from now on.
  void limit_copies(Bytes bytes_per_second);

  /// The partition's log lies in another folder of this broker from now on.
  void log_dir_moved(PartitionNumber partition);

  /// RLMTask.cancel of one task, which the partition has no longer: the flag, and an interrupt if it runs.
  void cancel(PartitionNumber partition, TaskKind kind);

  /// The tick that schedule_tick asked for.
  void on_tick(PartitionNumber partition, TaskKind kind);
  /// Something a sleeping task looks at changed: own cache, whether it is ready, log offsets or segments, epochs,
  /// configuration, whether the log grows, the broker's clock other than by time passing.
  void changed(PartitionNumber partition);

  /// The process is about to be stopped: every task has its next tick scheduled, since nobody will wake it.
  void wake_all();

  /// An MBean of the manager itself at this instant; nothing where Kafka shows NaN or has none.
  std::optional<double> metric(ManagerMetric metric) const;
  bool leads(PartitionNumber partition) const;
  /// Whether the thread that applies metadata deletes a partition now.
  bool is_deleting() const;
  /// Runs of scheduled tasks under way, waiting ones included.
  std::size_t active_runs() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace model
