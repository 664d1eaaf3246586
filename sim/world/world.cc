#include "sim/world/world.h"

#include <algorithm>

#include "sim/faults/row_values.h"

namespace sim {

namespace {

Uuid drawn_uuid(std::uint64_t first, std::uint64_t second) {
  // Version 4, variant 2, as java.util.UUID.randomUUID makes them.
  return {(first & ~0xf000ULL) | 0x4000ULL, (second & ~(3ULL << 62)) | (2ULL << 62)};
}

/// A topic's id depends on its name and on how often there was one of that name, so that one seed maps it to one
/// metadata partition under every policy.
Uuid topic_id_of(Seed seed, std::string_view name, std::uint32_t incarnation) {
  if (incarnation == 0) {
    return drawn_uuid(keyed_draw(seed, "topic-id-first", hash_of(name)),
                      keyed_draw(seed, "topic-id-second", hash_of(name)));
  }
  return drawn_uuid(keyed_draw(seed, "topic-id-first", hash_of(name), incarnation),
                    keyed_draw(seed, "topic-id-second", hash_of(name), incarnation));
}

/// How often the plan creates a topic anew.
std::uint32_t creation_count(const Scenario& scenario, std::string_view topic) {
  std::int64_t count = 0;
  for (const FaultRow& row : scenario.faults) {
    if (row.kind != topic_create_fault.info.name) continue;
    const bool is_meant = std::any_of(row.target.from.begin(), row.target.from.end(), [topic](const TargetNode& node) {
      return node.kind != TargetKind::topic || node.topic == topic;
    });
    if (is_meant) count += occurrence_count(row, scenario.faults_end());
  }
  return static_cast<std::uint32_t>(count);
}

std::unique_ptr<Policy> make_policy(std::string_view name, const PolicyOptions& options,
                                    const FinalizedFeatures& features) {
  const auto all = policies();
  const auto found = std::find_if(all.begin(), all.end(), [&](const PolicyEntry& entry) { return entry.name == name; });
  CHECK(found != all.end(), "{}", name);
  return found->make(options, features);
}

/// How a version reads the metadata topic.
MetadataReader reader_of(const Policy& policy, const RemoteLogManagerOptions& options) {
  const Rules& rules = policy.rules();
  return {policy.transitions(), rules.illegal_event_ends_consumer, rules.forgets_read_offset_on_seek,
          options.initialization_retry_interval, options.initialization_retry_max_timeout};
}

}  // namespace

World::World(const Scenario& scenario, const PolicyChoice& choice, std::uint64_t seed)
    : scenario_(scenario),
      choice_(choice),
      seed_(seed),
      feature_level_(scenario.brokers.size()),
      network_(static_cast<std::int32_t>(scenario.brokers.size()), scenario.network.latency, seed_),
      standings_(scenario.brokers.size()) {
  for (const BrokerOptions& options : scenario.brokers) {
    const std::string_view name = options.policy.empty() ? std::string_view{choice.name} : options.policy;
    policies_.push_back(make_policy(name, choice.options, feature_level_));
  }
  faults_ = std::make_unique<FaultBoard>(kernel_, trace_, scenario_, seed_);
  store_ = std::make_unique<ObjectStore>(kernel_, trace_, network_, *faults_, scenario_.store, scenario_.client, seed_);
  if (scenario.remedies.bucket_rule_days > 0) {
    bucket_rule_ = std::make_unique<BucketRule>(kernel_, trace_, *store_, scenario.remedies);
    trace_.add_observer(*bucket_rule_);
  }
  if (scenario.remedies.scrubber_every > Duration{0}) {
    scrubber_ = std::make_unique<Scrubber>(kernel_, trace_, *store_, *faults_, scenario);
    trace_.add_observer(*scrubber_);
  }
  auto partitions = lay_out_partitions();
  copy_attempts_.resize(partitions.size());
  publish_numbers_.resize(partitions.size());
  const auto settings = metadata_settings(partitions);
  cluster_ = std::make_unique<Cluster>(kernel_, trace_, network_, static_cast<ClusterHost&>(*this), scenario_, seed_,
                                       std::move(partitions));
  metadata_ = std::make_unique<MetadataTopic>(kernel_, trace_, network_, *faults_,
                                              static_cast<MetadataTopicHost&>(*this), scenario_, settings);
  const BrokerSurroundings surroundings{kernel_,   trace_, *store_,   *faults_, *metadata_,
                                        *cluster_, *this,  scenario_, seed_};
  for (std::size_t b = 0; b < scenario_.brokers.size(); ++b) {
    brokers_.push_back(std::make_unique<Broker>(surroundings, BrokerId{static_cast<std::int32_t>(b + 1)}, *policies_[b],
                                                scenario_.scenario.elide));
  }
}

World::~World() = default;

std::vector<Cluster::PartitionSettings> World::lay_out_partitions() const {
  const auto brokers = static_cast<std::int32_t>(scenario_.brokers.size());
  std::vector<Cluster::PartitionSettings> partitions;
  for (std::uint32_t t = 0; t < scenario_.topics.size(); ++t) {
    const TopicScenario& topic = scenario_.topics[t];
    const std::int32_t factor = topic.replication_factor > 0 ? topic.replication_factor : std::min(brokers, 3);
    for (std::int32_t p = 0; p < topic.partitions; ++p) {
      Cluster::PartitionSettings settings{t, p, {}, 0};
      for (std::int32_t r = 0; r < factor; ++r) settings.replicas.push_back(BrokerId{1 + (p + r) % brokers});
      partitions.push_back(std::move(settings));
    }
  }
  // What a plan creates comes after all that is there from the beginning.
  const std::vector<Cluster::PartitionSettings> first = partitions;
  for (std::uint32_t t = 0; t < scenario_.topics.size(); ++t) {
    const std::uint32_t count = creation_count(scenario_, scenario_.topics[t].name);
    for (std::uint32_t incarnation = 1; incarnation <= count; ++incarnation) {
      for (Cluster::PartitionSettings settings : first) {
        settings.incarnation = incarnation;
        if (settings.topic == t) partitions.push_back(std::move(settings));
      }
    }
  }
  return partitions;
}

MetadataConsumers::Settings World::metadata_settings(const std::vector<Cluster::PartitionSettings>& partitions) const {
  MetadataConsumers::Settings settings{scenario_.metadata, seed_, TieOrder::event_order, {}, {}, {}};
  for (const auto& partition : partitions) {
    const Uuid id = topic_id_of(seed_, scenario_.topics[partition.topic].name, partition.incarnation);
    settings.partition_of.push_back(metadata_partition_for(id, partition.index, scenario_.metadata.partitions));
    settings.replicas.push_back(partition.replicas);
  }
  for (std::size_t b = 0; b < policies_.size(); ++b) {
    settings.readers.push_back(reader_of(*policies_[b], scenario_.brokers[b].manager));
  }
  return settings;
}

void World::begin() {
  // First all logs, then what the trace hears of: an observer may look at every partition from the first record on.
  for (std::uint32_t p = 0; p < partition_count(); ++p) place_log(PartitionNumber{p});
  for (auto& broker : brokers_) broker->start();
  for (std::uint32_t p = 0; p < partition_count(); ++p) place_copies(PartitionNumber{p});
  cluster_->begin();
  metadata_->begin();
  for (const auto& broker : brokers_) register_version(broker->id());
  faults_->begin(*this);
  if (bucket_rule_) bucket_rule_->begin();
  if (scrubber_) scrubber_->begin();
  for (std::uint32_t p = 0; p < partition_count(); ++p) {
    const PartitionNumber partition{p};
    if (cluster_->is_deleted(partition)) continue;
    for (BrokerId replica : replicas(partition)) {
      const BrokerOptions& options = scenario_.brokers[static_cast<std::size_t>(replica.value() - 1)];
      if (replica != cluster_->leader(partition)) {
        broker(replica).become_follower(partition, first_delay(partition, options, TaskKind::follower));
        continue;
      }
      broker(replica).become_leader(partition, cluster_->epoch(partition),
                                    first_delay(partition, options, TaskKind::copy),
                                    first_delay(partition, options, TaskKind::expiration));
    }
  }
}

Duration World::first_delay(PartitionNumber partition, const BrokerOptions& options, TaskKind kind) const {
  if (kind == TaskKind::copy && options.phase_copy) return *options.phase_copy;
  if (kind == TaskKind::expiration && options.phase_expiration) return *options.phase_expiration;
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(options.manager.task_interval).count();
  return std::chrono::milliseconds{
      uniform(keyed_draw(seed_, "phase", partition, kind), 0, std::max<std::int64_t>(milliseconds - 1, 0))};
}

std::uint32_t World::next_copy_attempt(PartitionNumber partition, Offset start_offset) {
  auto& attempts = copy_attempts_[partition.value()];
  // Nearly always the newest; an older range comes again when a new leader's cache lags behind.
  const auto place =
      std::lower_bound(attempts.begin(), attempts.end(), start_offset,
                       [](const CopyAttempts& entry, Offset wanted) { return entry.start_offset < wanted; });
  if (place != attempts.end() && place->start_offset == start_offset) return place->count++;
  attempts.insert(place, {start_offset, 1});
  return 0;
}

const RemoteLogSegment& World::new_segment(PartitionNumber partition, const LogSegment& segment, EpochEntries epochs) {
  return add_segment(partition, segment, std::move(epochs), std::nullopt);
}

const RemoteLogSegment& World::add_segment(PartitionNumber partition, const LogSegment& segment, EpochEntries epochs,
                                           std::optional<Uuid> id) {
  const std::uint32_t attempt = next_copy_attempt(partition, segment.base_offset);
  if (!id) {
    id = drawn_uuid(keyed_draw(seed_, "segment-id-first", partition, segment.base_offset, attempt),
                    keyed_draw(seed_, "segment-id-second", partition, segment.base_offset, attempt));
  }
  const auto number = static_cast<std::uint32_t>(segments_.size());
  segments_.push_back({*id, partition, number, segment.base_offset, previous(segment.next_offset),
                       segment.largest_timestamp, segment.size, std::move(epochs)});
  store_->add_copy(segments_.back(), attempt);
  return segments_.back();
}

SimTime World::judgement() const { return std::min(faults_->last_end() + scenario_.settle(), end()); }

DanglingGauges World::gauges(std::optional<std::uint32_t> topic) const {
  DanglingGauges sum;
  for (const auto& broker : brokers_) {
    const BrokerTopicMetrics* shown = broker->shown_metrics();
    if (shown == nullptr) continue;
    const auto value = [&](Metric metric) { return topic ? shown->topic(*topic, metric) : shown->all_topics(metric); };
    sum.count += value(Metric::dangling_remote_log_count);
    sum.bytes += Bytes{value(Metric::dangling_remote_log_bytes)};
  }
  return sum;
}

void World::install(BrokerId id, std::string_view policy) {
  if (standing(id).is_leaving) end_process(static_cast<std::uint64_t>(id.value()));
  if (broker(id).is_up()) return;
  const std::string_view name = policy == "chosen" ? std::string_view{choice_.name} : policy;
  auto next = make_policy(name, choice_.options, feature_level_);
  if (!feature_level_.admits(*next)) {
    // The new process cannot register and ends at once: its operator brings back the one before.
    trace_.emit(kernel_.now(), BranchTaken{"downgrade-refused"});
    return;
  }
  auto& installed = policies_[static_cast<std::size_t>(id.value() - 1)];
  installed = std::move(next);
  broker(id).install(*installed);
  metadata_->install(id, reader_of(*installed, scenario_.brokers[static_cast<std::size_t>(id.value() - 1)].manager));
}

void World::register_version(BrokerId id) {
  if (!feature_level_.registered(id, policy_of(id))) return;
  trace_.emit(kernel_.now(), BranchTaken{"dangling-finalized"});
  // Their copy tasks have work that they had not before.
  for (const auto& broker : brokers_) broker->changed();
}

const Policy& World::policy_of(BrokerId id) const { return *policies_[static_cast<std::size_t>(id.value() - 1)]; }
std::uint32_t World::topic_of(PartitionNumber partition) const { return cluster_->settings(partition).topic; }
std::int32_t World::index_in_topic(PartitionNumber partition) const { return cluster_->settings(partition).index; }
Uuid World::topic_id(std::uint32_t topic) const { return topic_id_of(seed_, scenario_.topics[topic].name, 0); }
std::vector<BrokerId> World::replicas(PartitionNumber partition) const {
  return cluster_->settings(partition).replicas;
}
bool World::is_up(BrokerId id) const { return brokers_.empty() || broker(id).is_up(); }

const RemoteLogMetadataCache& World::cache(BrokerId id, PartitionNumber partition) const {
  return metadata_->cache(id, partition);
}

Bytes World::stored(const RemoteLogSegment& segment, ObjectKind object, StoredAs stored_as) const {
  return store_->stored(segment, object, stored_as);
}

Bytes World::copy_lag(PartitionNumber partition) const {
  const TopicOptions& options = cluster_->topic(partition).options;
  const bool is_disabled = policy_of(leader(partition)).rules().local_log.copy_is_disabled(options);
  // Nobody is to copy it.
  if (!options.remote_storage_enable || is_disabled) return Bytes{0};
  const UnifiedLog& log = leader_log(partition);
  Offset copied{-1};
  for (const EpochEntry& entry : log.leader_epochs().entries()) {
    if (const auto highest = folded(partition).highest_offset_for_epoch(entry.epoch))
      copied = std::max(copied, *highest);
  }
  Bytes lag{0};
  const auto& segments = log.segments();
  for (std::size_t i = segments.size() - 1; i-- > 0;) {
    if (previous(segments[i].next_offset) <= copied) break;
    lag += segments[i].size;
  }
  return lag;
}

std::vector<std::string> World::runs_waiting_since(SimTime since) const {
  std::vector<std::string> waits;
  for (const auto& broker : brokers_) broker->list_waits(since, waits);
  return waits;
}

void World::interrupt_transfers(std::uint32_t operations, RequestEffect effect) {
  store_->interrupt_transfers(operations, effect);
}

void World::slow_transfers(Ratio factor) {
  const int slowed = store_->slow_transfers(factor, faults_->acting());
  // When the fault heals it only gives back what it took.
  if (factor.numerator <= factor.denominator) return;
  for (int i = 0; i < slowed; ++i) faults_->hit(faults_->acting());
}

std::vector<BrokerId> World::metadata_leaders(std::optional<MetadataPartition> only) const {
  std::vector<BrokerId> leaders;
  for (std::uint32_t m = 0; m < metadata_->partition_count(); ++m) {
    if (only && *only != MetadataPartition{m}) continue;
    const BrokerId leader = metadata_->leader(MetadataPartition{m});
    if (leader == BrokerId{0} || std::find(leaders.begin(), leaders.end(), leader) != leaders.end()) continue;
    leaders.push_back(leader);
  }
  std::sort(leaders.begin(), leaders.end());
  return leaders;
}

MetadataPartition World::metadata_partition_of(std::string_view topic, std::int32_t index) const {
  return metadata_->partition_of(partition(topic, index));
}

void World::leader_moved(PartitionNumber partition, BrokerId old_leader, BrokerId new_leader, LeaderEpoch epoch) {
  if (old_leader != BrokerId{0} && old_leader != new_leader && broker(old_leader).is_up()) {
    broker(old_leader).become_follower(partition);
  }
  broker(new_leader).become_leader(partition, epoch, Duration{0}, Duration{0});
}

void World::log_changed(BrokerId id, PartitionNumber partition) { broker(id).changed(partition); }

void World::partition_deleted(PartitionNumber partition, BrokerId leader) {
  for (BrokerId replica : replicas(partition)) {
    if (!broker(replica).is_up()) continue;
    const bool removes = replica == leader;
    broker(replica).let_go(partition, removes ? RemoteLogManager::Remote::remove : RemoteLogManager::Remote::keep);
  }
}

void World::cache_changed(BrokerId id, PartitionNumber partition) { broker(id).changed(partition); }

// Who stays up only finds out with its next call (facts 3.2).
void World::initialization_failed(BrokerId id) {
  if (policy_of(id).rules().exits_when_initialization_fails) crash(id);
}

}  // namespace sim
