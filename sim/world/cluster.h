// Mirrors: replicated local logs with leader epochs, elections from the in-sync replicas, automatic leader rebalance.
// Leaves out: fetch latency (an in-sync follower has a record when its leader has it), replica.lag.time.max.ms (a
// replica that is down or cut off leaves the in-sync set at once and is back when it has caught up), the controller's
// own brokers and log, the files of a deleted topic, a follower that begins below its leader's local log (facts 8.7),
// rolls by a full index or a wide offset (facts 8.4).
#pragma once

#include <optional>
#include <vector>

#include "model/unified_log.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/random.h"
#include "sim/trace/trace.h"
#include "sim/world/network.h"

namespace sim {

/// What the cluster tells the world.
class ClusterHost {
 public:
  virtual ~ClusterHost() = default;
  /// Leadership moved; `old_leader` is 0 when nobody led.
  virtual void leader_moved(PartitionNumber partition, BrokerId old_leader, BrokerId new_leader, LeaderEpoch epoch) = 0;
  /// A replica's log has a new closed segment, new epochs or other offsets.
  virtual void log_changed(BrokerId broker, PartitionNumber partition) = 0;
  /// Its topic is deleted; `leader` led it, or 0. Nothing of the cluster's goes on with it.
  virtual void partition_deleted(PartitionNumber partition, BrokerId leader) = 0;
};

/// User partitions: who replicates, who leads, the local logs, and the records that arrive.
///
/// Records are appended when somebody looks or a segment is full: arrival times are a function of the rate alone.
class Cluster {
 public:
  struct PartitionSettings {
    std::uint32_t topic = 0;
    std::int32_t index = 0;
    std::vector<BrokerId> replicas;
    /// 0 for the topic that is there from the beginning; others wait for create_topic.
    std::uint32_t incarnation = 0;
  };
  Cluster(Kernel& kernel, Trace& trace, Network& network, ClusterHost& host, const Scenario& scenario, Seed seed,
          std::vector<PartitionSettings> partitions);

  /// Gives every replica of a partition the same log, to begin with.
  void place(PartitionNumber partition, const UnifiedLog& log, LeaderEpoch epoch);
  /// Producers begin; the rebalance's first check is due after its interval.
  void begin();

  std::uint32_t partition_count() const { return static_cast<std::uint32_t>(partitions_.size()); }
  const PartitionSettings& settings(PartitionNumber partition) const { return partitions_[partition.value()].settings; }
  const TopicScenario& topic(PartitionNumber partition) const { return topics_[settings(partition).topic]; }
  const TopicOptions& topic_options(std::uint32_t topic) const { return topics_[topic].options; }
  /// Sets one of the topic's keys, as the reader of scenarios does.
  void change_topic(std::uint32_t topic, std::string_view key, std::string_view value);
  /// 0 when nobody leads.
  BrokerId leader(PartitionNumber partition) const { return partitions_[partition.value()].leader; }
  BrokerId last_leader(PartitionNumber partition) const { return partitions_[partition.value()].last_leader; }
  LeaderEpoch epoch(PartitionNumber partition) const { return partitions_[partition.value()].epoch; }
  bool is_growing(PartitionNumber partition) const;
  bool is_up(BrokerId broker) const { return is_up_[static_cast<std::size_t>(broker.value() - 1)]; }
  /// A replica's log with every record that has arrived by now.
  UnifiedLog& log(BrokerId broker, PartitionNumber partition);
  /// The leader's log start offset moved: its followers learn it from their next fetch, at once here.
  void log_start_raised(BrokerId by, PartitionNumber partition);

  /// The topic's partitions end: nobody produces, leads or replicates them any more, and their logs are empty and begin
  /// at their end. Nothing for a topic that is deleted already.
  void delete_topic(std::uint32_t topic);
  /// The topic's next incarnation begins, unless the one before still lives. Returns its partitions.
  std::vector<PartitionNumber> create_topic(std::uint32_t topic);
  /// Or not created yet.
  bool is_deleted(PartitionNumber partition) const { return partitions_[partition.value()].is_deleted; }

  /// Gives the lead to `to`, or with 0 to the next replica in sync. False when nothing changed.
  bool move_leader(PartitionNumber partition, BrokerId to);
  bool elect_preferred_leader(PartitionNumber partition);
  /// As in Breakable.
  bool elect_uncleanly(PartitionNumber partition, BrokerId to, Bytes missing);
  /// Every lead of the broker moves, where a replica in sync is left; it leads nothing new until its process ends.
  void hand_over(BrokerId broker);
  /// Raises the log start to `before`, or with nothing to the high watermark, because somebody asked for it.
  bool delete_records(PartitionNumber partition, std::optional<Offset> before);

  void broker_died(BrokerId broker);
  void broker_started(BrokerId broker);
  /// Partitions without a leader for at least the scenario's failover time go to the first replica in sync; those that
  /// broker `back` led last do so at once, since its new process tells the controller that the old one is gone.
  void elect_leaders(std::uint64_t back = 0);
  void link_changed(BrokerId a, BrokerId b);
  /// The controller hears nothing of the broker, which may still be up: it is fenced, and after the failover time its
  /// partitions get other leaders, of which it does not hear. Nobody can write to what it leads until then.
  void fell_silent(BrokerId broker);
  void is_heard_again(BrokerId broker);

 private:
  struct Replica {
    UnifiedLog log;
    bool in_sync = true;
  };
  struct Partition {
    PartitionSettings settings;
    std::vector<Replica> replicas;
    BrokerId leader;
    BrokerId last_leader;
    LeaderEpoch epoch;
    /// Since when nobody leads, or the controller has heard nothing of who does.
    SimTime leaderless_since;
    bool leader_is_silent = false;
    // The producer: records since `produced_from`, of which `produced` are in the logs.
    SimTime produced_from;
    std::int64_t produced = 0;
    std::int64_t in_active = 0;  ///< Records in the active segment.
    SimTime active_since;        ///< Timestamp of its first record.
    Timer next_roll;
    /// Or not created yet.
    bool is_deleted = false;
  };

  Partition& at(PartitionNumber partition) { return partitions_[partition.value()]; }
  static std::size_t at(BrokerId broker) { return static_cast<std::size_t>(broker.value() - 1); }
  Replica* replica(Partition& partition, BrokerId broker);
  std::int64_t records_by(const Partition& partition, SimTime time) const;
  SimTime time_of_record(const Partition& partition, std::int64_t record) const;
  std::int64_t records_of_segment(const Partition& partition) const;
  /// segment.ms less the active segment's jitter (facts 8.4).
  Duration time_of_segment(const Partition& partition) const;
  void append_until(Partition& partition, std::int64_t produced);
  void schedule_roll(Partition& partition);
  void roll(std::uint64_t partition);
  void start_producing(Partition& partition);
  void stop_producing(Partition& partition);
  void lead(Partition& partition, BrokerId leader);
  void catch_up(Partition& partition, Replica& replica, BrokerId broker);
  void rebalance();
  bool may_lead(BrokerId broker) const;
  bool reaches_leader(const Partition& partition, BrokerId broker) const;
  PartitionNumber number_of(const Partition& partition) const {
    return PartitionNumber{static_cast<std::uint32_t>(&partition - partitions_.data())};
  }

  Kernel& kernel_;
  Trace& trace_;
  Network& network_;
  ClusterHost& host_;
  const Scenario& scenario_;
  Seed seed_;
  std::vector<TopicScenario> topics_;  // As they are configured now.
  std::vector<Partition> partitions_;
  std::vector<bool> is_up_;
  std::vector<bool> is_silent_;
  std::vector<bool> is_leaving_;
};

}  // namespace sim
