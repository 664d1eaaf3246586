#include "tests/support/observer_support.h"

#include <algorithm>

#include "model/check.h"
#include "model/remote_log_segment_record.h"

namespace tests {
namespace {

constexpr model::LeaderEpoch epoch_0{0};

std::unique_ptr<model::Policy> make_policy(std::string_view name, const model::KipDanglingOptions& kip) {
  model::PolicyOptions options;
  options.kip_dangling = kip;
  for (const model::PolicyEntry& entry : model::policies()) {
    if (entry.name == name) return entry.make(options, model::nothing_finalized);
  }
  CHECK(false, "no policy {}", name);
  return nullptr;
}

}  // namespace

struct FakeWorld::Partition {
  explicit Partition(std::int32_t brokers) {
    for (std::int32_t id = 1; id <= brokers; ++id) {
      logs.emplace_back(Offset{0}, epoch_0, model::time_start);
      caches.emplace_back(model::TransitionTable::kip);
    }
  }
  std::vector<model::UnifiedLog> logs;
  std::vector<model::RemoteLogMetadataCache> caches;
  model::RemoteLogMetadataCache folded{model::TransitionTable::kip};
  std::vector<model::RemoteLogSegmentMetadata> records;
  BrokerId leader = broker_1;
  model::LeaderEpoch epoch = epoch_0;
};

TaskKind task_of(TaskStep step) {
  if (step >= TaskStep::topic_deletion_publish_started) return TaskKind::partition_deletion;
  return step >= TaskStep::retention_publish_started ? TaskKind::expiration : TaskKind::copy;
}

FakeWorld::FakeWorld(const Setup& setup) : setup_(setup) {
  scenario_value.brokers.resize(static_cast<std::size_t>(setup.brokers));
  scenario_value.client.indexes_bytes = scenario_value.client.producer_snapshot_bytes =
      scenario_value.client.leader_epoch_checkpoint_bytes = Bytes{0};
  for (std::int32_t topic = 0; topic < setup.topics; ++topic) {
    sim::TopicScenario& options = scenario_value.topics.emplace_back();
    options.name = topic == 0 ? "orders" : "topic" + std::to_string(topic);
    options.options.retention_time = setup.retention_time.value_or(Duration{-1000});
    options.options.retention_bytes = setup.retention_bytes.value_or(Bytes{-1});
    partitions_.push_back(std::make_unique<Partition>(setup.brokers));
  }
  for (std::int32_t id = 1; id <= setup.brokers; ++id) set_policy(BrokerId{id}, setup.policy);
  trace.add_observer(ledger);
  trace.add_observer(invariants);
}

FakeWorld::~FakeWorld() = default;

void FakeWorld::set_policy(BrokerId broker, std::string_view policy) {
  policies_[broker] = make_policy(policy, setup_.kip);
  for (const auto& partition : partitions_) {
    partition->caches[static_cast<std::size_t>(broker.value() - 1)] =
        model::RemoteLogMetadataCache{policies_[broker]->transitions()};
  }
  ended.erase(broker);
  for (const auto& partition : partitions_) {
    for (const auto& record : partition->records) read(broker, record);
  }
}

void FakeWorld::read(BrokerId broker, model::RemoteLogSegmentMetadata record) {
  if (ended.contains(broker)) return;
  const auto field = model::write_state(record.state, record.encoding);
  const auto state = model::read_state(policies_.at(broker)->transitions(), field);
  if (!state) {
    ended.insert(broker);
    return;
  }
  record.state = *state;
  cache_of(broker, record.segment->partition).handle(record);
}

void FakeWorld::roll(std::int64_t count, std::optional<SimTime> stamped, PartitionNumber partition) {
  Partition& p = *partitions_[partition.value()];
  const Offset base = log_of(p.leader, partition).log_end_offset();
  for (model::UnifiedLog& log : p.logs) {
    log.append(count, count * 1_MiB, stamped.value_or(now_));
    log.roll(now_);
    log.set_high_watermark(log.log_end_offset());
  }
  emit(sim::SegmentRolled{partition, base, base + count, count * 1_MiB});
}

void FakeWorld::append(std::int64_t count, PartitionNumber partition) {
  for (model::UnifiedLog& log : partitions_[partition.value()]->logs) {
    log.append(count, count * 1_MiB, now_);
    log.set_high_watermark(log.log_end_offset());
  }
}

const RemoteLogSegment& FakeWorld::new_copy(Offset start, Offset end, SimTime max_timestamp, model::EpochEntries epochs,
                                            PartitionNumber partition) {
  RemoteLogSegment segment =
      make_segment(segment_count(), start, end, std::move(epochs), (next(end) - start) * 1_MiB, max_timestamp);
  segment.partition = partition;
  return segments_.emplace_back(std::move(segment));
}

void FakeWorld::publish(const RemoteLogSegment& segment, RemoteLogSegmentState state, TaskStep step, BrokerId broker) {
  Partition& partition = *partitions_[segment.partition.value()];
  std::optional<RemoteLogSegmentState> from;
  if (const auto before = partition.folded.find(segment)) from = before->state;
  auto event = make_event(segment, state, broker, now_);
  event.encoding = policies_.at(broker)->dangling_encoding();
  const bool applied = partition.folded.handle(event) == model::CacheAnswer::applied;
  partition.records.push_back(event);
  for (const auto& [reader, policy] : policies_) read(reader, event);
  emit(sim::Transition{&segment, broker, partition.epoch, from, state, step, applied, model::MetadataPartition{0},
                       Offset{0}, now_});
}

void FakeWorld::change_bytes(const RemoteLogSegment& segment, Bytes delta, sim::StoredAs stored_as,
                             sim::FaultIndex fault) {
  stored_of(segment, stored_as) += delta;
  emit(sim::BytesChanged{&segment, sim::ObjectKind::log, stored_as, delta, fault});
}

const RemoteLogSegment& FakeWorld::initial_copy(Offset start, Offset end, SimTime max_timestamp) {
  const RemoteLogSegment& segment = new_copy(start, end, max_timestamp);
  store_all(segment);
  publish(segment, RemoteLogSegmentState::copy_segment_started, TaskStep::none);
  publish(segment, RemoteLogSegmentState::copy_segment_finished, TaskStep::none);
  for (model::UnifiedLog& log : partitions_[0]->logs) {
    log.add_closed_segment({start, next(end), segment.size, max_timestamp});
    log.set_high_watermark(log.log_end_offset());
    log.start_local_log_at(next(end));
  }
  return segment;
}

const RemoteLogSegment& FakeWorld::uploading(Offset start, Offset end, Bytes stored, BrokerId broker) {
  const RemoteLogSegment& segment = new_copy(start, end);
  enter(segment, TaskStep::copy_publish_started, broker);
  publish(segment, RemoteLogSegmentState::copy_segment_started, TaskStep::copy_publish_started, broker);
  enter(segment, TaskStep::copy_upload, broker);
  if (stored != Bytes{0}) change_bytes(segment, stored);
  return segment;
}

const RemoteLogSegment& FakeWorld::copied(Offset start, Offset end, SimTime max_timestamp, model::EpochEntries epochs) {
  const RemoteLogSegment& segment = new_copy(start, end, max_timestamp, std::move(epochs));
  const BrokerId broker = leader(partition_0);
  enter(segment, TaskStep::copy_publish_started, broker);
  publish(segment, RemoteLogSegmentState::copy_segment_started, TaskStep::copy_publish_started, broker);
  enter(segment, TaskStep::copy_upload, broker);
  store_all(segment);
  emit(
      sim::StorageCallEnded{&segment, broker, TaskKind::copy, sim::StoreOperation::put, now_, sim::CallResult::ok, {}});
  enter(segment, TaskStep::copy_publish_finished, broker);
  publish(segment, RemoteLogSegmentState::copy_segment_finished, TaskStep::copy_publish_finished, broker);
  leave(segment, TaskKind::copy, broker);
  return segment;
}

void FakeWorld::enter(const RemoteLogSegment& segment, TaskStep step, BrokerId broker) {
  emit(sim::StepEntered{&segment, broker, task_of(step), step});
}

void FakeWorld::leave(const RemoteLogSegment& segment, TaskKind task, BrokerId broker) {
  emit(sim::SegmentLeft{&segment, broker, task});
}

void FakeWorld::copy_failed(const RemoteLogSegment& segment, sim::FaultIndex fault, BrokerId broker) {
  emit(sim::StorageCallEnded{&segment, broker, TaskKind::copy, sim::StoreOperation::put, now_,
                             sim::CallResult::rejected, fault});
}

void FakeWorld::delete_failed(const RemoteLogSegment& segment, TaskKind task, sim::FaultIndex fault) {
  emit(sim::StorageCallEnded{&segment, broker_1, task, sim::StoreOperation::remove, now_, sim::CallResult::rejected,
                             fault});
}

void FakeWorld::publish_failed(const RemoteLogSegment& segment, RemoteLogSegmentState state, sim::FaultIndex fault) {
  emit(sim::PublishEnded{&segment, broker_1, TaskKind::copy, state, now_, sim::CallResult::timed_out, fault});
}

void FakeWorld::crash(BrokerId broker, sim::FaultIndex fault) {
  down.insert(broker);
  emit(sim::BrokerCrashed{broker, fault});
}

void FakeWorld::lead(BrokerId broker, std::int32_t epoch, PartitionNumber partition) {
  Partition& p = *partitions_[partition.value()];
  p.leader = broker;
  p.epoch = model::LeaderEpoch{epoch};
  model::UnifiedLog& log = log_of(broker, partition);
  log.leader_epochs().assign(p.epoch, log.log_end_offset());
  emit(sim::LeaderChanged{partition, broker, p.epoch});
}

void FakeWorld::raise_log_start(Offset offset, BrokerId broker, PartitionNumber partition) {
  const bool raised = log_of(broker, partition).maybe_increment_log_start_offset(offset);
  CHECK(raised);
  emit(sim::LogStartRaised{partition, broker, offset});
}

void FakeWorld::delete_local_below(Offset offset, PartitionNumber partition) {
  for (model::UnifiedLog& log : partitions_[partition.value()]->logs) {
    log.start_local_log_at(std::min(offset, log.log_end_offset()));
  }
  const BrokerId broker = leader(partition);
  emit(sim::LocalSegmentsDeleted{partition, broker, log_of(broker, partition).local_log_start_offset()});
}

void FakeWorld::set_gauges(model::DanglingGauges gauges, BrokerId broker) {
  emit(sim::GaugesSet{partition_0, broker, gauges});
}

model::UnifiedLog& FakeWorld::log_of(BrokerId broker, PartitionNumber partition) {
  return partitions_[partition.value()]->logs[static_cast<std::size_t>(broker.value() - 1)];
}

model::RemoteLogMetadataCache& FakeWorld::cache_of(BrokerId broker, PartitionNumber partition) {
  return partitions_[partition.value()]->caches[static_cast<std::size_t>(broker.value() - 1)];
}

Bytes& FakeWorld::stored_of(const RemoteLogSegment& segment, sim::StoredAs stored_as) {
  return store_[{segment.number, stored_as}];
}

bool FakeWorld::books_balance() {
  ledger.advance(now_);
  return ledger.totals() == ledger.recount();
}

std::vector<std::string> FakeWorld::broken() const {
  std::vector<std::string> names;
  for (const sim::Violation& violation : invariants.violations()) {
    if (std::find(names.begin(), names.end(), violation.invariant) == names.end())
      names.emplace_back(violation.invariant);
  }
  return names;
}

const model::Policy& FakeWorld::policy_of(BrokerId broker) const { return *policies_.at(broker); }

std::vector<BrokerId> FakeWorld::replicas(PartitionNumber) const {
  std::vector<BrokerId> result;
  for (const auto& [broker, policy] : policies_) result.push_back(broker);
  return result;
}

BrokerId FakeWorld::leader(PartitionNumber partition) const { return partitions_[partition.value()]->leader; }

const model::UnifiedLog& FakeWorld::log(BrokerId broker, PartitionNumber partition) const {
  return partitions_[partition.value()]->logs[static_cast<std::size_t>(broker.value() - 1)];
}

const model::RemoteLogMetadataCache& FakeWorld::cache(BrokerId broker, PartitionNumber partition) const {
  return partitions_[partition.value()]->caches[static_cast<std::size_t>(broker.value() - 1)];
}

std::vector<model::RemoteLogSegmentMetadata> FakeWorld::records(PartitionNumber partition) const {
  return partitions_[partition.value()]->records;
}

const model::RemoteLogMetadataCache& FakeWorld::folded(PartitionNumber partition) const {
  return partitions_[partition.value()]->folded;
}

Bytes FakeWorld::stored(const RemoteLogSegment& segment, sim::ObjectKind object, sim::StoredAs stored_as) const {
  if (object != sim::ObjectKind::log) return Bytes{0};
  const auto found = store_.find({segment.number, stored_as});
  return found == store_.end() ? Bytes{0} : found->second;
}

Bytes FakeWorld::copy_lag(PartitionNumber partition) const {
  const auto found = lag.find(partition);
  return found == lag.end() ? Bytes{0} : found->second;
}

}  // namespace tests
