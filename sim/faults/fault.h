// What may go wrong together, and what must survive it.
//
// Faults act at six places only: the network cuts a direction of a link; the store answers a request, or carries it
// out, otherwise than asked; the storage plug-in's call as a whole fails or returns what Kafka does not take; the
// metadata topic loses a record or its answer, or a consumer reads it late; a broker's process ends and begins again,
// stands still, or its clock is wrong; the controller moves a leader or changes a topic. They may overlap in any way.
// Bytes that reached the store stay there, records that the metadata topic stored stay there, and local logs survive a
// crash, unless a kind says otherwise. When all faults have healed, every broker is up and every link carries, so that
// whatever is still wrong then is a finding.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "sim/kernel/random.h"
#include "sim/scenario/fault_plan.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/trace_events.h"

namespace sim {

/// An end of a link.
struct Node {
  /// 0 is the store.
  std::int32_t number = 0;
  static constexpr Node store() { return {0}; }
  static constexpr Node broker(BrokerId id) { return {id.value()}; }
  friend constexpr auto operator<=>(Node, Node) = default;
};

/// One direction between two ends.
struct Link {
  Node from;
  Node to;
};

/// That a request is carried out once more.
struct Repetition {
  Duration delay{0};
  FaultIndex fault;
};

/// A request or an answer between a broker and the store, or a publish or its acknowledgement between two brokers.
struct Message {
  Link link;
  /// What keyed draws are made of, policy-independent.
  std::uint64_t key;
};

/// One try of one request, as it leaves the client.
struct StoreRequest {
  BrokerId broker;
  StoreOperation operation;
  /// Null for a listing.
  const RemoteLogSegment* segment;
  ObjectKind object;
  /// Which copy of this range, and which call and try of it: what keyed draws are made of, policy-independent.
  std::uint32_t copy_attempt;
  std::uint32_t call;
  std::uint32_t attempt;
  /// When the store meets it.
  SimTime sent = {};
};

/// What becomes of a request.
struct RequestEffect {
  enum class Kind : std::uint8_t {
    pass,
    reject,       ///< Refused before any effect; the client hears it.
    hang,         ///< Never carried out and never answered.
    no_effect,    ///< Acknowledged, and nothing is done.
    late,         ///< Refused, and carried out all the same when `delay` is over.
    late_unheard  ///< The same without any answer.
  };
  Kind kind = Kind::pass;
  RemoteStorageError error = RemoteStorageError::permanent;
  FaultIndex fault;
  /// Of a late effect, from the request on; of a refusal: how long the store asks its client to wait.
  Duration delay{0};
  /// A refusal that no other try changes, and that a client does not try to.
  bool is_final = false;
};

/// One call of the plug-in: copyLogSegmentData (put) or deleteLogSegmentData (remove).
struct StorageCall {
  BrokerId broker;
  StoreOperation operation;
  const RemoteLogSegment* segment;
  std::uint32_t copy_attempt;
  std::uint32_t call;
};

/// What becomes of a call.
struct CallEffect {
  bool fails = false;
  /// How many of the copy's bytes, in the order of its objects, are stored (or for a delete: gone) before it fails;
  /// nothing: all.
  std::optional<Bytes> done_before_failure;
  /// The caller hears nothing and ends by its time-out.
  bool answer_lost = false;
  RemoteStorageError error = RemoteStorageError::permanent;
  FaultIndex fault;
  /// The call does not fail but stands when that much is done, longer than any time-out of a try.
  bool hangs = false;
  /// How long it stands before it goes on; nothing: for ever.
  std::optional<Duration> hang_time = {};
};

/// One publish to the metadata topic, as it leaves its broker; the producer's own tries are all one publish.
struct PublishRequest {
  BrokerId broker;
  MetadataPartition metadata_partition;
  const RemoteLogSegment* segment;
  RemoteLogSegmentState state;
  /// Which copy of this range, and which publish of this state for it: what keyed draws are made of.
  std::uint32_t copy_attempt;
  std::uint32_t publish;
};

/// What becomes of a publish.
struct PublishEffect {
  enum class Kind : std::uint8_t {
    pass,
    lost,      ///< Never stored, and its sender hears nothing until the producer's time-out.
    ack_lost,  ///< Stored, and its sender hears nothing until the producer's time-out.
    late,      ///< Stored `delay` later, also when its sender has given up or died by then.
  };
  Kind kind = Kind::pass;
  Duration delay{0};
  FaultIndex fault;
};

/// The parts of the world that a fault may touch. What changes something counts as a hit of the fault that is acting,
/// where the fault does not hit by starting already.
class Breakable {
 public:
  virtual ~Breakable() = default;
  /// All of them at once: a broker that reaches only a minority of the brokers then has lost the controller too.
  virtual void cut(std::span<const Link> links) = 0;
  virtual void restore(std::span<const Link> links) = 0;
  /// Messages of these links take this much longer, and so do the records that a consumer reads over them; a delay
  /// below 0 takes that back.
  virtual void delay(std::span<const Link> links, Duration by) = 0;
  virtual void crash(BrokerId broker) = 0;
  virtual void restart(BrokerId broker) = 0;
  /// A controlled shutdown in Kafka's order: its leads go to others now, and its process ends after `handover`.
  virtual void shut_down(BrokerId broker, Duration handover) = 0;
  /// What the broker's next process runs: `chosen` as --policy says, or a policy's name. Only between two processes.
  /// Nothing changes where a finalized feature level refuses that version.
  virtual void install(BrokerId broker, std::string_view policy) = 0;
  /// The process stands still, and the controller hears nothing of it.
  virtual void pause(BrokerId broker) = 0;
  virtual void resume(BrokerId broker) = 0;
  /// Moves the broker's clock; what is scheduled is not moved, as Java's nanoTime is not.
  virtual void shift_clock(BrokerId broker, Duration by) = 0;
  /// The broker's copies share this many bytes a second from now on; nothing: what the configuration says.
  virtual void limit_copies(BrokerId broker, std::optional<Bytes> bytes_per_second) = 0;
  /// Requests of these operations that are on their way meet the fault too: they end as `effect` says, where they
  /// stand.
  virtual void interrupt_transfers(std::uint32_t operations, RequestEffect effect) = 0;
  /// Transfers under way go on at 1/factor of their speed from now on; 1 restores it.
  virtual void slow_transfers(Ratio factor) = 0;

  // Partitions. Nothing happens to one that is deleted, has no leader, or is what it should become already.
  /// Every partition's leader deletes its copies, in one attempt; the other replicas only let it go. Nothing the second
  /// time.
  virtual void delete_topic(std::string_view topic) = 0;
  /// A topic of the same name and another id, when the one before is deleted; its partitions begin empty.
  virtual void create_topic(std::string_view topic) = 0;
  /// An in-sync replica takes over: `to`, or 0 for the one after the leader in the order of replicas.
  virtual void move_leader(PartitionNumber partition, BrokerId to) = 0;
  /// A replica leads that need not be in sync: `to`, or 0 for the first that is out of sync, else the first other one.
  /// One in sync loses the last `missing` bytes of its log, as if it had not been. The others follow its history.
  virtual void elect_uncleanly(PartitionNumber partition, BrokerId to, Bytes missing) = 0;
  /// The preferred replica leads again, if it is in sync.
  virtual void elect_preferred_leader(PartitionNumber partition) = 0;
  /// Kafka's DeleteRecords: the log starts at `before`, or at the high watermark. Nothing for an offset above that.
  virtual void delete_records(PartitionNumber partition, std::optional<Offset> before) = 0;
  /// Another value of one of the topic's keys, both with the life of the plan.
  virtual void change_topic(std::string_view topic, std::string_view key, std::string_view value) = 0;
  virtual std::vector<std::string_view> topic_names() const = 0;
  virtual std::int32_t partition_count_of(std::string_view topic) const = 0;
  virtual PartitionNumber partition(std::string_view topic, std::int32_t index) const = 0;
  virtual std::vector<PartitionNumber> all_partitions() const = 0;

  // The metadata topic.
  /// The partition has no leader that anybody reaches until it is given back as often as it was taken.
  virtual void take_metadata(MetadataPartition partition) = 0;
  virtual void give_metadata_back(MetadataPartition partition) = 0;
  /// The broker's consumer reads records of the partition this much later than it did; a lag below 0 takes that back.
  virtual void lag_consumer(BrokerId broker, MetadataPartition partition, Duration lag) = 0;
  /// Records stored less than `age` ago are lost.
  virtual void lose_metadata_records(MetadataPartition partition, Duration age) = 0;
  /// Records older than this are lost from now on; nothing: they stay.
  virtual void retain_metadata(MetadataPartition partition, std::optional<Duration> retention) = 0;
  /// The consumer of a process that starts from now on begins to read this much later.
  virtual void slow_consumer_start(BrokerId broker, Duration delay) = 0;
  virtual std::uint32_t metadata_partition_count() const = 0;
  /// The brokers that lead partitions of the metadata topic now; `only` picks one partition.
  virtual std::vector<BrokerId> metadata_leaders(std::optional<MetadataPartition> only) const = 0;
  virtual MetadataPartition metadata_partition_of(std::string_view topic, std::int32_t partition) const = 0;
  virtual std::int32_t broker_count() const = 0;
};

/// One row of the plan, alive for the whole run and in force between start and heal. A fault that changed what would
/// have happened says so in the effect it returns; the world counts the hit.
class Fault {
 public:
  virtual ~Fault() = default;
  virtual void start(Breakable&) {}
  virtual void heal(Breakable&) {}
  /// The first fault in the plan's order that does not let a request pass decides.
  virtual RequestEffect on_request(const StoreRequest&) { return {}; }
  virtual CallEffect on_call(const StorageCall&) const { return {}; }
  /// Whether it wants to be asked about messages.
  virtual bool judges_messages() const { return false; }
  virtual bool loses(const Message&) const { return false; }
  /// Whether a request to the store is carried out a second time.
  virtual std::optional<Repetition> repeats(const Message&) const { return std::nullopt; }
  /// Whether it wants to be asked about publishes, which are numbered for it then.
  virtual bool judges_publishes() const { return false; }
  virtual PublishEffect on_publish(const PublishRequest&) const { return {}; }
  /// How much custom metadata the plug-in returns for a successful upload; nothing: as if there were no fault.
  virtual std::optional<std::int32_t> custom_metadata_size(const StorageCall&) const { return std::nullopt; }
  /// What a transfer's time is multiplied with.
  virtual Ratio slowness() const { return {1, 1}; }
  /// How old what a listing shows is.
  virtual Duration listing_age() const { return Duration{0}; }
  /// Whether starting it is a hit already (a cut that nobody sends over is none).
  virtual bool hits_when_started() const { return false; }
};

/// What a fault is made of.
struct FaultMaking {
  const FaultRow& row;
  std::uint32_t index;
  Seed seed;
  /// Total size of a copy up to and including the named object, for `stored=STEP`.
  const ClientOptions& client;
  /// For what a topic or a partition is as a target.
  const Scenario& scenario;
};

struct FaultKind {
  FaultKindInfo info;
  std::unique_ptr<Fault> (*make)(const FaultMaking& making);
};

}  // namespace sim
