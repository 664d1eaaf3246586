#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "model/metrics.h"
#include "model/ports.h"
#include "model/remote_log_manager.h"
#include "model/remote_log_segment_metadata.h"

namespace sim {

using namespace model;

/// The objects of one copy, in the order in which a client writes them.
enum class ObjectKind : std::uint8_t { log, indexes, producer_snapshot, leader_epoch_checkpoint };
inline constexpr int object_kind_count = 4;
std::string_view to_string(ObjectKind kind);

enum class StoreOperation : std::uint8_t { put, get, remove, list };
inline constexpr int store_operation_count = 4;
/// `put`, `get`, `delete`, `list`.
std::string_view to_string(StoreOperation operation);

/// Whether bytes lie under an object's key, or as parts of an upload that nobody has completed.
enum class StoredAs : std::uint8_t { object, parts };

/// How a request or call ended, as its caller saw it.
enum class CallResult : std::uint8_t { ok, rejected, timed_out, interrupted, failed };
std::string_view to_string(CallResult result);

/// Index of a fault in the scenario's plan; nothing when no fault had a hand in it.
using FaultIndex = std::optional<std::uint32_t>;

// Every event is a small struct; `describe` names its fields once for the hash and for who prints it.

/// A record was appended to the metadata topic. `applied` says whether it applies when the topic is folded with the
/// union table; what does not apply is in dropped.csv.
struct Transition {
  const RemoteLogSegment* segment;
  BrokerId broker;
  /// Of the task that wrote it; -1 for initial states.
  LeaderEpoch leader_epoch;
  std::optional<RemoteLogSegmentState> from;
  RemoteLogSegmentState to;
  /// What the writing task was doing; `none` for initial states.
  TaskStep step;
  bool applied;
  MetadataPartition metadata_partition;
  /// In its metadata partition.
  Offset offset;
  /// When its writer made it, by the writer's clock.
  SimTime event_timestamp;
  /// Bytes of custom metadata that the record carries; 0: none.
  std::int32_t custom_metadata_size = 0;
};

/// A publish ended for its caller.
struct PublishEnded {
  const RemoteLogSegment* segment;
  BrokerId broker;
  TaskKind task;
  RemoteLogSegmentState state;
  SimTime started;
  CallResult result;
  FaultIndex fault;
};

/// Bytes in the store came or went.
struct BytesChanged {
  const RemoteLogSegment* segment;
  ObjectKind object;
  StoredAs stored_as;
  Bytes delta;
  FaultIndex fault;
};

/// One request to the store ended for its caller (or its caller is gone).
struct StoreRequestEnded {
  const RemoteLogSegment* segment;
  BrokerId broker;
  TaskKind task;
  StoreOperation operation;
  ObjectKind object;
  SimTime started;
  Bytes bytes;
  CallResult result;
  FaultIndex fault;
};

/// One call of the storage plug-in (copyLogSegmentData, deleteLogSegmentData) ended.
struct StorageCallEnded {
  const RemoteLogSegment* segment;
  BrokerId broker;
  TaskKind task;
  StoreOperation operation;  ///< put or remove.
  SimTime started;
  CallResult result;
  FaultIndex fault;
};

/// A task run holds `segment` and entered `step`.
struct StepEntered {
  const RemoteLogSegment* segment;
  BrokerId broker;
  TaskKind task;
  TaskStep step;
};

/// A task run let `segment` go. After a crash there is none: BrokerCrashed ends all holds of the broker.
struct SegmentLeft {
  const RemoteLogSegment* segment;
  BrokerId broker;
  TaskKind task;
};

struct RunStarted {
  BrokerId broker;
  TaskKind task;
  PartitionNumber partition;
  LeaderEpoch leader_epoch;
};

struct RunEnded {
  BrokerId broker;
  TaskKind task;
  PartitionNumber partition;
  RunEnd end;
  SimTime started;
};

struct LeaderChanged {
  PartitionNumber partition;
  /// 0 when nobody leads.
  BrokerId leader;
  LeaderEpoch epoch;
};

struct BrokerCrashed {
  BrokerId broker;
  /// What crashed it: the cause of what its tasks leave behind.
  FaultIndex fault = {};
};
struct BrokerStarted {
  BrokerId broker;
};

/// A closed segment joined the leader's log.
struct SegmentRolled {
  PartitionNumber partition;
  Offset base_offset;
  /// Exclusive.
  Offset next_offset;
  Bytes size;
};

struct LogStartRaised {
  PartitionNumber partition;
  BrokerId broker;
  Offset offset;
};

struct LocalSegmentsDeleted {
  PartitionNumber partition;
  BrokerId broker;
  Offset local_log_start_offset;
};

/// A topic was deleted, and with it this partition: none of its offsets is retained from now on.
struct PartitionDeleted {
  PartitionNumber partition;
  /// Who led it, and is to delete its copies; 0 when nobody led.
  BrokerId leader;
  Offset log_end_offset;
};

/// Somebody deleted records on purpose: the leader's log start offset is `offset` from now on.
struct RecordsDeleted {
  PartitionNumber partition;
  BrokerId leader;
  Offset offset;
};

/// A topic's configuration was changed; `key` is Kafka's.
struct TopicChanged {
  /// Index into the scenario's topics.
  std::uint32_t topic;
  std::string_view key;
  std::string_view value;
};

/// Records of a partition are no longer in the metadata topic, which says something else of its copies now, or nothing.
struct RecordsForgotten {
  PartitionNumber partition;
  MetadataPartition metadata_partition;
  std::uint64_t count;
  FaultIndex fault;
};

/// The KIP's gauges of one partition on its leader.
struct GaugesSet {
  PartitionNumber partition;
  BrokerId broker;
  DanglingGauges gauges;
};

struct FaultStarted {
  std::uint32_t fault;
};
struct FaultEnded {
  std::uint32_t fault;
};
/// A fault changed what would have happened.
struct FaultHit {
  std::uint32_t fault;
};

/// A broker's metadata consumer thread met a record that ended it: nothing is read until the process is another one.
struct ConsumerEnded {
  BrokerId broker;
  MetadataPartition metadata_partition;
  Offset offset;
};

/// A broker's metadata manager found no metadata topic for too long after its process started (facts 3.2).
struct InitializationFailed {
  BrokerId broker;
};

/// What operators add from outside (`[remedies]`).
enum class Remedy : std::uint8_t { bucket_rule, scrubber };
std::string_view to_string(Remedy remedy);
/// What a remedy takes a key of the store for.
enum class RemedyFinding : std::uint8_t {
  unnamed,            ///< Stored, and no entry of the metadata names it.
  missing,            ///< The metadata calls its copy finished, and it is not stored.
  unfinished_upload,  ///< Parts that nobody will complete.
};
std::string_view to_string(RemedyFinding finding);
enum class RemedyAction : std::uint8_t {
  removed,
  reported,  ///< Nothing to be done about it.
  waiting,   ///< Younger than the grace time.
  refused,   ///< The store did not let it be removed.
  quota,     ///< No request was left.
};
std::string_view to_string(RemedyAction action);

/// A remedy found something and acts, just before the bytes go.
struct RemedyActed {
  const RemoteLogSegment* segment;
  ObjectKind object;
  Remedy remedy;
  RemedyFinding finding;
  RemedyAction action;
  /// The truth at this instant is another than what it saw.
  bool false_alarm;
};

/// A policy branch was taken (reachability).
struct BranchTaken {
  std::string_view branch;
};

using TraceEvent =
    std::variant<Transition, PublishEnded, BytesChanged, StoreRequestEnded, StorageCallEnded, StepEntered, SegmentLeft,
                 RunStarted, RunEnded, LeaderChanged, BrokerCrashed, BrokerStarted, SegmentRolled, LogStartRaised,
                 LocalSegmentsDeleted, GaugesSet, FaultStarted, FaultEnded, FaultHit, BranchTaken, ConsumerEnded,
                 PartitionDeleted, RecordsDeleted, TopicChanged, RecordsForgotten, InitializationFailed, RemedyActed>;

/// One record of the trace.
struct TraceRecord {
  SimTime time;
  /// From 1, without gaps; the same with elision on and off.
  std::uint64_t number;
  TraceEvent event;
};

}  // namespace sim
