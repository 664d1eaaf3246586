// Mirrors: one broker's process: ReplicaManager and RemoteLogManager around its logs, local retention's schedule.
// Leaves out: requests of clients, close's grace time.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "model/remote_log_manager.h"
#include "sim/kernel/scope.h"
#include "sim/world/cluster.h"
#include "sim/world/task_seat.h"

namespace sim {

/// What all brokers of a world share.
struct BrokerSurroundings {
  Kernel& kernel;
  Trace& trace;
  ObjectStore& store;
  FaultBoard& faults;
  MetadataTopic& metadata;
  Cluster& cluster;
  RemoteLogSegmentFactory& segments;
  const Scenario& scenario;
  Seed seed;
};

/// One broker. Its process is a scope: a crash destroys the tasks' frames where they wait, and nothing of them runs but
/// destructors; what they had sent goes on elsewhere. A restart builds the process again from what is durable.
class Broker final : private RemoteLogManagerHost, private SeatHost {
 public:
  Broker(const BrokerSurroundings& surroundings, BrokerId id, const Policy& policy, bool elide);

  BrokerId id() const { return id_; }
  bool is_up() const { return process_ != nullptr; }
  const Policy& policy() const { return *policy_; }

  void start();
  void crash();
  /// What its next process runs.
  void install(const Policy& policy) { policy_ = &policy; }
  /// The process stands still and goes on: tasks, ticks and local retention, all of them late then.
  void pause();
  void go_on();
  /// What the cluster tells it from now on waits until it hears again.
  void stop_hearing() { is_deaf_ = true; }
  void hear_again();
  /// Kafka's onLeadershipChange; the delays are those of the first runs.
  void become_leader(PartitionNumber partition, LeaderEpoch epoch, Duration copy_delay, Duration expiration_delay);
  void become_follower(PartitionNumber partition, Duration delay = Duration{0});
  /// remote.log.copy.disable was switched on; become_leader undoes it.
  void stop_copying(PartitionNumber partition);
  /// Its clock shows this much more than it did.
  void shift_clock(Duration by);
  /// Its copies share this many bytes a second; nothing: what the configuration says. Survives its process.
  void limit_copies(std::optional<Bytes> bytes_per_second);
  /// The partition's topic is deleted; whoever led it removes its copies.
  void let_go(PartitionNumber partition, RemoteLogManager::Remote remote);
  /// Something that sleeping tasks of the partition look at changed.
  void changed(PartitionNumber partition);
  /// Something that all of them look at.
  void changed();

  /// Its meters and gauges; null while it is down.
  const BrokerTopicMetrics* shown_metrics() const { return process_ ? &process_->metrics : nullptr; }
  const RemoteLogManager* shown_manager() const { return process_ ? process_->manager.get() : nullptr; }
  /// Waits that have lasted since before `since`, in words.
  void list_waits(SimTime since, std::vector<std::string>& out) const;

 private:
  /// What the broker's machine takes for the time.
  struct MachineClock final : Clock {
    explicit MachineClock(const Kernel& k) : kernel(k) {}
    SimTime now() const override { return kernel.now() + ahead; }
    const Kernel& kernel;
    Duration ahead{0};
  };
  /// What the cluster tells a broker of one partition.
  struct Notice {
    enum class Kind : std::uint8_t { lead, follow, stop_copying, let_go } kind;
    PartitionNumber partition;
    LeaderEpoch epoch;
    Duration delay{0};
    Duration expiration_delay{0};
    RemoteLogManager::Remote remote = RemoteLogManager::Remote::keep;
  };
  struct Process {
    explicit Process(Broker& broker);
    BrokerTopicMetrics metrics;
    std::deque<TaskSeat> seats;
    std::vector<TaskSeat*> latest_seats;  // By place of the partition in hosted_, and task.
    std::unique_ptr<RemoteLogManager> manager;
    // Last, so that the frames go first: they refer to what stands above.
    Scope scope;
  };

  // RemoteLogManagerHost
  TaskPorts task_ports(PartitionNumber partition, TaskKind kind) override;
  UnifiedLog& log(PartitionNumber partition) override;
  const TopicOptions& topic(PartitionNumber partition) const override;
  bool is_growing(PartitionNumber partition) const override;
  SimTime now() const override { return around_.kernel.now(); }
  void spawn(Task<void> task) override;
  void schedule_tick(PartitionNumber partition, TaskKind kind, SimTime at) override;
  void cancel_tick(PartitionNumber partition, TaskKind kind) override;
  bool tick_is_ahead(PartitionNumber partition, TaskKind kind, SimTime at) const override;
  void run_started(PartitionNumber partition, TaskKind kind, LeaderEpoch epoch) override;
  void run_ended(PartitionNumber partition, TaskKind kind, RunEnd end) override;
  void dangling_gauges_set(PartitionNumber partition, DanglingGauges gauges) override;
  BrokerTopicMetrics& metrics() override { return process_->metrics; }
  // SeatHost
  void log_start_raised(PartitionNumber partition, Offset offset) override;

  std::size_t task_index(PartitionNumber partition, TaskKind kind) const {
    return places_[partition.value()] * task_kind_count + static_cast<std::size_t>(kind);
  }
  TickKey tick_key(PartitionNumber partition, TaskKind kind) const;
  void notify(const Notice& notice);
  void apply(const Notice& notice);
  void apply_notices();
  void tick(std::uint64_t index);
  void retain_locally();

  BrokerSurroundings around_;
  BrokerId id_;
  const Policy* policy_;
  const BrokerOptions& options_;
  bool elide_;
  MachineClock clock_;
  std::optional<Bytes> copy_limit_;
  std::vector<std::uint32_t> topic_of_;
  std::vector<PartitionNumber> hosted_;  // The partitions it replicates.
  std::vector<std::uint32_t> places_;    // By partition: its place among them.
  std::vector<LeaderEpoch> epochs_;      // By place: what the broker leads under.
  std::vector<Timer> ticks_;             // By place and task.
  std::vector<SimTime> runs_started_;    // By place and task.
  bool is_paused_ = false;
  bool is_deaf_ = false;
  FaultIndex heard_by_;                    // Whose end let it hear again.
  std::vector<Notice> notices_;            // While it does not hear.
  std::vector<std::uint64_t> late_ticks_;  // While it stands still: those that have come.
  bool retention_is_late_ = false;
  Timer retention_timer_;
  std::unique_ptr<Process> process_;
};

}  // namespace sim
