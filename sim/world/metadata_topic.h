// Mirrors: the topic __remote_log_metadata with TopicBasedRemoteLogMetadataManager's producer and the wait for the own
// consumer on the common pool (facts 3.1, 3.3); its consumers stand in metadata_consumers.h.
// Leaves out: record bytes, the topic's creation (it is always there), max.block.ms (a send without metadata waits as
// long as any), publishers whose own consumer does not read the partition (facts 3.3).
#pragma once

#include <memory>
#include <vector>

#include "model/remote_log_metadata_cache.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/wait.h"
#include "sim/trace/trace.h"
#include "sim/world/fault_board.h"
#include "sim/world/metadata_consumers.h"
#include "sim/world/network.h"

namespace sim {

/// What a publisher hears.
struct PublishAnswer {
  CallResult result = CallResult::ok;
  FaultIndex fault;
};

/// Who writes a record, beside what it says.
struct PublishOrigin {
  BrokerId broker;
  LeaderEpoch leader_epoch;
  TaskStep step = TaskStep::none;
};

/// metadataPartition (facts 3.1): which partition of the metadata topic holds a user partition's records.
MetadataPartition metadata_partition_for(Uuid topic_id, std::int32_t partition, std::int32_t metadata_partition_count);

/// What the topic tells the world.
class MetadataTopicHost {
 public:
  virtual ~MetadataTopicHost() = default;
  /// A record of `partition` can be seen by `broker` from now on.
  virtual void cache_changed(BrokerId broker, PartitionNumber partition) = 0;
  /// The broker's metadata manager could not be initialized.
  virtual void initialization_failed(BrokerId broker) = 0;
  /// Whether its process runs: up, and not standing still.
  virtual bool is_running(BrokerId broker) const = 0;
  /// Whether the controller hears of it, so that it may lead.
  virtual bool is_heard(BrokerId broker) const = 0;
  virtual std::uint64_t& publish_number(PartitionNumber partition) = 0;
  /// As in PublishRequest.
  virtual std::uint32_t copy_attempt(const RemoteLogSegment& segment) const = 0;
};

/// The metadata topic: its partitions' logs and leaders, the publishes under way, and the brokers' consumers.
class MetadataTopic {
 public:
  /// `settings` are the consumers' too, with `scenario.metadata` as their options.
  MetadataTopic(Kernel& kernel, Trace& trace, Network& network, FaultBoard& faults, MetadataTopicHost& host,
                const Scenario& scenario, const MetadataConsumers::Settings& settings);
  ~MetadataTopic();

  /// A record that was always there (initial states): stored and read by everybody.
  void place(const RemoteLogSegmentMetadata& record, PublishOrigin origin);
  /// Nothing is placed any more: consumers that could not read what was ended on it before the world began.
  void begin() const;
  /// Sends a record to its partition's leader; the answer comes when it is stored and the publisher's own consumer has
  /// it.
  void publish(const RemoteLogSegmentMetadata& record, PublishOrigin origin, Reply<PublishAnswer> reply);

  /// This broker's cache, up to date with what has reached it.
  const RemoteLogMetadataCache& cache(BrokerId broker, PartitionNumber partition);
  /// The truth: the stored records folded with the union table.
  const RemoteLogMetadataCache& folded(PartitionNumber partition) const;
  /// The records that are folded, in their order.
  std::vector<RemoteLogSegmentMetadata> records(PartitionNumber partition) const;
  /// Whether the broker's consumer has read what was there when it started.
  bool is_ready(BrokerId broker, PartitionNumber partition);

  /// How far the broker's metadata manager is with its start.
  ManagerState manager_state(BrokerId broker) const;

  /// Whether the broker's consumer has read everything that is stored for this partition, and nothing more.
  bool has_consumed_all(BrokerId broker, PartitionNumber partition);
  /// Whether the broker's consumer thread has met a record that ended it for good (F16).
  bool consumer_has_ended(BrokerId broker) const;

  /// Nobody reaches the partition's leader until it is given back as often as it was taken.
  void take(MetadataPartition partition, FaultIndex fault);
  void give_back(MetadataPartition partition);
  /// A broker's consumer reads this much later than it did; a lag below 0 takes that back.
  void lag_consumer(BrokerId broker, MetadataPartition partition, Duration lag, FaultIndex fault);
  /// The partition's records that were stored less than `age` ago are lost, as when too few replicas had them.
  void lose_newest(MetadataPartition partition, Duration age, FaultIndex fault);
  /// Records older than this go at each check, every five minutes; nothing: they stay. One by one, where Kafka deletes
  /// whole segments of its log.
  void retain(MetadataPartition partition, std::optional<Duration> retention, FaultIndex fault);
  /// How the broker's next process reads.
  void install(BrokerId broker, const MetadataReader& reader);
  void link_changed(BrokerId a, BrokerId b);
  void broker_died(BrokerId broker);
  /// `consumer_delay`: how much later its consumer begins.
  void broker_started(BrokerId broker, Duration consumer_delay);
  /// The controller hears nothing of the broker, or of it again; or it stands still, or goes on.
  void hearing_changed(BrokerId broker);
  /// The broker's leads go to other replicas, where there are any.
  void hand_over(BrokerId broker);
  /// Gives partitions of the metadata topic without a leader for the failover time to replicas that are up; those
  /// that broker `back` led last at once.
  void elect_leaders(BrokerId back = BrokerId{0});

  BrokerId leader(MetadataPartition partition) const;
  MetadataPartition partition_of(PartitionNumber partition) const;
  std::uint32_t partition_count() const;
  std::int64_t record_count() const;

 private:
  void lose_leads(BrokerId broker);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim
