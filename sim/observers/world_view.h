#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/remote_log_metadata_cache.h"
#include "model/unified_log.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/trace_events.h"

namespace sim {

/// What observers may ask the world: its public state at this instant, never a task's private one.
class WorldView {
 public:
  virtual ~WorldView() = default;
  virtual const Scenario& scenario() const = 0;
  virtual const Policy& policy_of(BrokerId broker) const = 0;
  virtual SimTime now() const = 0;
  /// When the world ends.
  virtual SimTime end() const = 0;

  virtual std::uint32_t partition_count() const = 0;
  /// Index into scenario().topics.
  virtual std::uint32_t topic_of(PartitionNumber partition) const = 0;
  virtual std::int32_t index_in_topic(PartitionNumber partition) const = 0;
  /// What Kafka calls the topic beside its name; drawn.
  virtual Uuid topic_id(std::uint32_t) const { return {}; }
  virtual std::vector<BrokerId> replicas(PartitionNumber partition) const = 0;
  virtual bool is_up(BrokerId broker) const = 0;
  /// Who leads, or led last when nobody does.
  virtual BrokerId leader(PartitionNumber partition) const = 0;

  /// A replica's local log, with every record appended that has arrived by now.
  virtual const UnifiedLog& log(BrokerId broker, PartitionNumber partition) const = 0;
  const UnifiedLog& leader_log(PartitionNumber partition) const { return log(leader(partition), partition); }
  /// A replica's cache with every record applied that has reached it by now.
  virtual const RemoteLogMetadataCache& cache(BrokerId broker, PartitionNumber partition) const = 0;
  /// Whether that cache has been given every record of its metadata partition that is meant for it: none is on its way.
  virtual bool has_consumed_all(BrokerId, PartitionNumber) const { return true; }
  const RemoteLogMetadataCache& leader_cache(PartitionNumber partition) const {
    return cache(leader(partition), partition);
  }

  /// The metadata topic's records of one partition folded with the union table, from scratch (slow; for recounts).
  virtual const RemoteLogMetadataCache& folded(PartitionNumber partition) const = 0;
  /// The records themselves, in their order, without what is lost (slow; for when something was).
  virtual std::vector<RemoteLogSegmentMetadata> records(PartitionNumber) const { return {}; }
  /// A topic's configuration as it is now.
  virtual const TopicOptions& topic_options(std::uint32_t topic) const { return scenario().topics[topic].options; }
  /// The bytes of one copy that the store holds, by object and as what (slow; for recounts).
  virtual Bytes stored(const RemoteLogSegment& segment, ObjectKind object, StoredAs stored_as) const = 0;
  /// Every copy attempt of the world so far, by number.
  virtual std::uint32_t segment_count() const = 0;
  virtual const RemoteLogSegment& segment(std::uint32_t number) const = 0;
  /// Whether a live call may still complete the upload whose parts these are.
  virtual bool upload_is_live(const RemoteLogSegment& segment) const = 0;

  /// When the bucket's rule will have aborted every unfinished upload of the copy; nothing: there is no rule.
  virtual std::optional<SimTime> upload_aborted_at(const RemoteLogSegment&) const { return std::nullopt; }
  /// When a scrubber may remove the copy's objects, given that nobody names them; nothing: there is none.
  virtual std::optional<SimTime> scrubbed_at(const RemoteLogSegment&) const { return std::nullopt; }

  /// Closed segments of the leader's log above the highest copied offset: Kafka's bytesLag, from the truth.
  virtual Bytes copy_lag(PartitionNumber partition) const = 0;
  /// Task runs that have been waiting since before `since`.
  virtual std::vector<std::string> runs_waiting_since(SimTime since) const = 0;
  /// Faults in force.
  virtual std::uint32_t active_fault_count() const = 0;
  /// A broker's meters and gauges; null while it is down.
  virtual const BrokerTopicMetrics* metrics(BrokerId) const { return nullptr; }
  /// What shows a broker's other MBeans; null while it is down.
  virtual const RemoteLogManager* manager(BrokerId) const { return nullptr; }
};

}  // namespace sim
