#pragma once

#include "sim/trace/trace_events.h"

namespace sim {

// The fields of each event, named once: `field(name, value)` is called for each of them, in an order that the hash
// depends on. Append new fields at the end of their event.

template <class Field>
constexpr void describe_fields(const Transition& e, Field&& field) {
  field("segment", e.segment);
  field("broker", e.broker);
  field("leader_epoch", e.leader_epoch);
  field("from", e.from);
  field("to", e.to);
  field("step", e.step);
  field("applied", e.applied);
  field("metadata_partition", e.metadata_partition);
  field("offset", e.offset);
  field("event_timestamp", e.event_timestamp);
  field("custom_metadata_size", e.custom_metadata_size);
}

template <class Field>
constexpr void describe_fields(const PublishEnded& e, Field&& field) {
  field("segment", e.segment);
  field("broker", e.broker);
  field("task", e.task);
  field("state", e.state);
  field("started", e.started);
  field("result", e.result);
  field("fault", e.fault);
}

template <class Field>
constexpr void describe_fields(const BytesChanged& e, Field&& field) {
  field("segment", e.segment);
  field("object", e.object);
  field("stored_as", e.stored_as);
  field("delta", e.delta);
  field("fault", e.fault);
}

template <class Field>
constexpr void describe_fields(const StoreRequestEnded& e, Field&& field) {
  field("segment", e.segment);
  field("broker", e.broker);
  field("task", e.task);
  field("operation", e.operation);
  field("object", e.object);
  field("started", e.started);
  field("bytes", e.bytes);
  field("result", e.result);
  field("fault", e.fault);
}

template <class Field>
constexpr void describe_fields(const StorageCallEnded& e, Field&& field) {
  field("segment", e.segment);
  field("broker", e.broker);
  field("task", e.task);
  field("operation", e.operation);
  field("started", e.started);
  field("result", e.result);
  field("fault", e.fault);
}

template <class Field>
constexpr void describe_fields(const StepEntered& e, Field&& field) {
  field("segment", e.segment);
  field("broker", e.broker);
  field("task", e.task);
  field("step", e.step);
}

template <class Field>
constexpr void describe_fields(const SegmentLeft& e, Field&& field) {
  field("segment", e.segment);
  field("broker", e.broker);
  field("task", e.task);
}

template <class Field>
constexpr void describe_fields(const RunStarted& e, Field&& field) {
  field("broker", e.broker);
  field("task", e.task);
  field("partition", e.partition);
  field("leader_epoch", e.leader_epoch);
}

template <class Field>
constexpr void describe_fields(const RunEnded& e, Field&& field) {
  field("broker", e.broker);
  field("task", e.task);
  field("partition", e.partition);
  field("end", e.end);
  field("started", e.started);
}

template <class Field>
constexpr void describe_fields(const LeaderChanged& e, Field&& field) {
  field("partition", e.partition);
  field("leader", e.leader);
  field("epoch", e.epoch);
}

template <class Field>
constexpr void describe_fields(const BrokerCrashed& e, Field&& field) {
  field("broker", e.broker);
  field("fault", e.fault);
}

template <class Field>
constexpr void describe_fields(const BrokerStarted& e, Field&& field) {
  field("broker", e.broker);
}

template <class Field>
constexpr void describe_fields(const SegmentRolled& e, Field&& field) {
  field("partition", e.partition);
  field("base_offset", e.base_offset);
  field("next_offset", e.next_offset);
  field("size", e.size);
}

template <class Field>
constexpr void describe_fields(const LogStartRaised& e, Field&& field) {
  field("partition", e.partition);
  field("broker", e.broker);
  field("offset", e.offset);
}

template <class Field>
constexpr void describe_fields(const LocalSegmentsDeleted& e, Field&& field) {
  field("partition", e.partition);
  field("broker", e.broker);
  field("local_log_start_offset", e.local_log_start_offset);
}

template <class Field>
constexpr void describe_fields(const PartitionDeleted& e, Field&& field) {
  field("partition", e.partition);
  field("leader", e.leader);
  field("log_end_offset", e.log_end_offset);
}

template <class Field>
constexpr void describe_fields(const RecordsDeleted& e, Field&& field) {
  field("partition", e.partition);
  field("leader", e.leader);
  field("offset", e.offset);
}

template <class Field>
constexpr void describe_fields(const TopicChanged& e, Field&& field) {
  field("topic", e.topic);
  field("key", e.key);
  field("value", e.value);
}

template <class Field>
constexpr void describe_fields(const RecordsForgotten& e, Field&& field) {
  field("partition", e.partition);
  field("metadata_partition", e.metadata_partition);
  field("count", e.count);
  field("fault", e.fault);
}

template <class Field>
constexpr void describe_fields(const GaugesSet& e, Field&& field) {
  field("partition", e.partition);
  field("broker", e.broker);
  field("count", e.gauges.count);
  field("bytes", e.gauges.bytes);
}

template <class Field>
constexpr void describe_fields(const FaultStarted& e, Field&& field) {
  field("fault", e.fault);
}

template <class Field>
constexpr void describe_fields(const FaultEnded& e, Field&& field) {
  field("fault", e.fault);
}

template <class Field>
constexpr void describe_fields(const FaultHit& e, Field&& field) {
  field("fault", e.fault);
}

template <class Field>
constexpr void describe_fields(const BranchTaken& e, Field&& field) {
  field("branch", e.branch);
}

template <class Field>
constexpr void describe_fields(const ConsumerEnded& e, Field&& field) {
  field("broker", e.broker);
  field("metadata_partition", e.metadata_partition);
  field("offset", e.offset);
}

template <class Field>
constexpr void describe_fields(const InitializationFailed& e, Field&& field) {
  field("broker", e.broker);
}

template <class Field>
constexpr void describe_fields(const RemedyActed& e, Field&& field) {
  field("segment", e.segment);
  field("object", e.object);
  field("remedy", e.remedy);
  field("finding", e.finding);
  field("action", e.action);
  field("false_alarm", e.false_alarm);
}

}  // namespace sim
