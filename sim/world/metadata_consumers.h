// Mirrors: each broker's ConsumerTask with its RemotePartitionMetadataStore: one thread that reads the metadata
// partitions of all its user partitions, what makes a user partition initialized, and what ends the thread for good
// (facts 3.4 to 3.6; readings 7); and RLMMInitializationThread, which looks for the topic first (facts 3.2).
// Leaves out: batches (a bad record stops the thread right where it stands), the clearing of partitions that are
// unassigned, a partition count that differs from the topic's, how long one look for the topic takes, how long a
// process takes until it serves requests.
#pragma once

#include <optional>
#include <vector>

#include "model/remote_log_metadata_cache.h"
#include "sim/kernel/kernel.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/trace.h"

namespace sim {

/// One partition of the metadata topic.
struct MetadataLog {
  struct Record {
    RemoteLogSegmentMetadata metadata;
    SimTime appended;
    /// The segment's, so that who does not replicate it need not look there.
    PartitionNumber user;
    /// Whether the transition is legal where the topic is folded.
    bool applied = true;
    /// Who has not read it by now never will.
    bool is_lost = false;
  };

  std::vector<Record> records;
  /// How long records are kept, while a fault says so; those before `first_kept` are lost.
  std::optional<Duration> retention;
  std::size_t first_kept = 0;
  FaultIndex retained_by;
  Timer next_check;
  std::vector<BrokerId> replicas;
  /// 0: none.
  BrokerId leader;
  BrokerId last_leader;
  SimTime leaderless_since;
  /// While faults keep everybody from the leader: how many, and the last of them.
  std::int32_t taken_count = 0;
  FaultIndex taken_by;

  BrokerId reachable_leader() const { return taken_count > 0 ? BrokerId{0} : leader; }
};

/// How one broker reads the topic: by its version, and as it is configured.
struct MetadataReader {
  TransitionTable table = TransitionTable::kafka;
  /// 3.6: an illegal transition is an exception, which ends the thread; later it is dropped (KAFKA-15632).
  bool illegal_event_ends_thread = false;
  /// 3.7.1+: reading again from the beginning forgets how far it had been (KAFKA-16105).
  bool forgets_read_offset = true;
  /// After a start: how often it looks for the topic, and for how long.
  Duration initialization_retry_interval = 100ms;
  Duration initialization_retry_max_timeout = 120s;
};

/// What consumers ask of the topic and tell it.
class MetadataConsumersHost {
 public:
  virtual ~MetadataConsumersHost() = default;
  /// Whether what the partition's leader sends reaches the broker: it leads or is linked to the leader, and is up.
  virtual bool comes_through(MetadataPartition partition, BrokerId broker) const = 0;
  /// A record of `partition` can be seen by `broker` from now on, or its cache became ready.
  virtual void cache_changed(BrokerId broker, PartitionNumber partition) = 0;
  /// A fault keeps a record from being read for a while.
  virtual void lagged(FaultIndex) {}
  /// The broker's tiering could not start, and does not try again.
  virtual void initialization_failed(BrokerId broker) = 0;
};

/// All brokers' consumers. Caches are applied when somebody looks: a cache is a function of the log and of how far its
/// broker's consumer can have read.
class MetadataConsumers {
 public:
  struct Settings {
    const MetadataOptions& options;
    Seed seed;
    TieOrder tie_order = TieOrder::event_order;
    /// By user partition: its metadata partition and the brokers that replicate it.
    std::vector<MetadataPartition> partition_of;
    std::vector<std::vector<BrokerId>> replicas;
    /// By broker id - 1: how its version reads records.
    std::vector<MetadataReader> readers;
  };
  /// `logs` are the topic's, and stay where they are.
  MetadataConsumers(Kernel& kernel, Trace& trace, MetadataConsumersHost& host, const std::vector<MetadataLog>& logs,
                    Settings settings);

  /// The last record of the partition was always there: everybody has read it.
  void place(MetadataPartition partition);
  /// Nothing is placed any more: the threads that could not read what was end.
  void begin();
  /// The last record of the partition was stored now: tells whom it concerns when they will see it.
  void stored(MetadataPartition partition);
  /// A link, the leader or a broker changed: consumers freeze or thaw.
  void reconsider(MetadataPartition partition);
  /// The broker reads records of the partition this much later than it did; a lag below 0 takes that back.
  void lag(BrokerId broker, MetadataPartition partition, Duration lag, FaultIndex fault);
  /// The fault that makes it do so.
  FaultIndex lagged_by(BrokerId broker, MetadataPartition partition) const {
    return consumer(broker, partition).lagged_by;
  }
  /// The process is gone, and with it the caches.
  void broker_died(BrokerId broker);
  /// Another version reads from the next process on; between two processes only.
  void install(BrokerId broker, const MetadataReader& reader);
  /// A new process looks for the topic, until somebody who leads a partition of it can be heard, and then reads
  /// everything from the beginning; it begins to look after `delay`.
  void broker_started(BrokerId broker, Duration delay = Duration{0});
  /// The broker begins to replicate `partition`: its metadata partition is read again from the beginning, by all (F20).
  void assign(BrokerId broker, PartitionNumber partition);

  /// This broker's cache, up to date with what has reached it; null for who does not replicate the partition.
  const RemoteLogMetadataCache* cache(BrokerId broker, PartitionNumber partition);
  /// Whether the broker's consumer has read what was there when the partition was assigned.
  bool is_ready(BrokerId broker, PartitionNumber partition);
  /// What a publisher waits for: readOffset(partition) >= offset.
  bool has_read(BrokerId broker, MetadataPartition partition, std::size_t offset);
  bool has_read_all(BrokerId broker, MetadataPartition partition);
  /// Records of a user partition from `offset` on are about to be lost: who has read them keeps what they said.
  void about_to_lose(PartitionNumber partition, std::size_t offset);
  /// Whether the cache holds what the topic has lost; until the next process reads it.
  bool remembers_lost(BrokerId broker, PartitionNumber partition);
  ManagerState state(BrokerId broker) const { return threads_[at(broker)].state; }
  /// Nothing comes through: no leader, a cut link, a broker that is down, or a thread that has ended or not begun.
  bool is_frozen(BrokerId broker, MetadataPartition partition) const;
  /// When a record may be seen by a consumer that is not frozen.
  SimTime visible_at(BrokerId broker, MetadataPartition partition, std::size_t offset);
  bool has_ended(BrokerId broker) const { return threads_[at(broker)].has_ended; }

 private:
  /// One broker's reading of one metadata partition.
  struct Consumer {
    std::size_t position = 0;
    /// How far it had been before it began again, where the version does not forget that.
    std::size_t read_before = 0;
    /// Nothing unread becomes visible before this, where the position was `floor_position`.
    SimTime floor = time_start;
    std::size_t floor_position = 0;
    Duration lag{0};
    FaultIndex lagged_by;
    bool is_frozen = false;
  };
  /// A user partition on a broker (UserTopicIdPartition).
  struct Assignment {
    explicit Assignment(RemoteLogMetadataCache empty) : cache(std::move(empty)) {}
    RemoteLogMetadataCache cache;
    /// Records below this have been processed.
    std::size_t processed = 0;
    /// The end offset captured at assignment; nothing while it could not be fetched.
    std::optional<std::size_t> ready_at = 0;
    /// Then: how long it is tried, before it is left alone for five minutes.
    SimTime gives_up_at = time_start;
    bool is_initialized = true;
    bool remembers_lost = false;
  };
  struct Thread {
    bool has_ended = false;
    ManagerState state = ManagerState::initialized;
    /// While it is initializing: since when, and the event that ends that.
    SimTime started;
    Timer gives_up;
    /// It does not read before this instant; nothing once it does.
    std::optional<SimTime> begins_at;
    /// User partitions whose end offset is not known yet.
    std::int32_t fetch_count = 0;
    /// User partitions that have not been found initialized.
    std::int32_t uninitialized_count = 0;
  };

  static std::size_t at(BrokerId broker) { return static_cast<std::size_t>(broker.value() - 1); }
  const MetadataLog& log(MetadataPartition partition) const { return logs_[partition.value()]; }
  Consumer& consumer(BrokerId broker, MetadataPartition partition) {
    return consumers_[partition.value() * threads_.size() + at(broker)];
  }
  const Consumer& consumer(BrokerId broker, MetadataPartition partition) const {
    return consumers_[partition.value() * threads_.size() + at(broker)];
  }
  Assignment* assignment(BrokerId broker, PartitionNumber partition);
  /// The same question as whether there is an assignment, for who asks at every record: most of what a broker reads in
  /// a large cluster is not its own.
  bool replicates(BrokerId broker, PartitionNumber partition) const {
    return replicated_[at(broker) * settings_.partition_of.size() + partition.value()];
  }
  void note_replica(BrokerId broker, PartitionNumber partition) {
    replicated_[at(broker) * settings_.partition_of.size() + partition.value()] = true;
  }
  RemoteLogMetadataCache empty_cache(BrokerId broker) const;

  void sync(BrokerId broker, MetadataPartition partition);
  bool read(BrokerId broker, MetadataPartition partition, std::size_t offset);
  void end_thread(BrokerId broker, MetadataPartition partition, std::size_t offset);
  SimTime arrives_at(BrokerId broker, MetadataPartition partition, std::size_t offset) const;
  bool ends_thread(BrokerId broker, const MetadataLog::Record& record) const;
  bool hosts(BrokerId broker, MetadataPartition partition) const;
  void announce(BrokerId broker, MetadataPartition partition);
  void announce_readiness(BrokerId broker, MetadataPartition partition, SimTime visible);
  void begin_again(BrokerId broker, MetadataPartition partition);
  void fetch_end_offset(BrokerId broker, PartitionNumber partition);
  void finish_fetches(BrokerId broker, MetadataPartition partition);

  bool finds_topic(BrokerId broker) const;
  void look_for_topic_again(BrokerId broker);
  void begin_to_read(BrokerId broker);

  void start_late(std::uint64_t broker);
  void find_topic(std::uint64_t argument);
  void give_up(std::uint64_t argument);
  void show(std::uint64_t argument);
  void look(std::uint64_t argument);
  void fetch_again(std::uint64_t argument);

  Kernel& kernel_;
  Trace& trace_;
  MetadataConsumersHost& host_;
  const std::vector<MetadataLog>& logs_;
  Settings settings_;
  std::vector<Thread> threads_;      // By broker id - 1.
  std::vector<Consumer> consumers_;  // By metadata partition and broker id - 1.
  /// By user partition and place among its replicas.
  std::vector<std::vector<Assignment>> assignments_;
  std::vector<bool> replicated_;  // By broker id - 1 and user partition.
  /// Scratch of announce, by user partition: the last look that was promised.
  std::vector<SimTime> announced_;
};

}  // namespace sim
