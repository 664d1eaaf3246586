#include "sim/world/metadata_consumers.h"

#include <algorithm>
#include <utility>

#include "model/check.h"
#include "sim/kernel/random.h"

namespace sim {
namespace {

/// How long a consumer tries to list offsets (default.api.timeout.ms), and how long it then leaves it (facts 3.4, F21).
constexpr Duration offset_fetch_timeout = 60s;
constexpr Duration offset_fetch_retry = 300s;

std::uint64_t pack(std::uint32_t partition, BrokerId broker) {
  return std::uint64_t{partition} << 32 | static_cast<std::uint32_t>(broker.value());
}
BrokerId packed_broker(std::uint64_t argument) { return BrokerId{static_cast<std::int32_t>(argument & 0xffffffff)}; }
std::uint32_t packed_partition(std::uint64_t argument) { return static_cast<std::uint32_t>(argument >> 32); }

}  // namespace

MetadataConsumers::MetadataConsumers(Kernel& kernel, Trace& trace, MetadataConsumersHost& host,
                                     const std::vector<MetadataLog>& logs, Settings settings)
    : kernel_(kernel),
      trace_(trace),
      host_(host),
      logs_(logs),
      settings_(std::move(settings)),
      threads_(settings_.readers.size()),
      consumers_(logs.size() * threads_.size()),
      assignments_(settings_.partition_of.size()),
      replicated_(threads_.size() * settings_.partition_of.size()),
      announced_(settings_.partition_of.size(), SimTime::min()) {
  for (std::size_t p = 0; p < assignments_.size(); ++p) {
    for (const BrokerId broker : settings_.replicas[p]) {
      assignments_[p].emplace_back(empty_cache(broker));
      note_replica(broker, PartitionNumber{static_cast<std::uint32_t>(p)});
    }
  }
}

MetadataConsumers::Assignment* MetadataConsumers::assignment(BrokerId broker, PartitionNumber partition) {
  const auto& replicas = settings_.replicas[partition.value()];
  const auto found = std::find(replicas.begin(), replicas.end(), broker);
  if (found == replicas.end()) return nullptr;
  return &assignments_[partition.value()][static_cast<std::size_t>(found - replicas.begin())];
}

RemoteLogMetadataCache MetadataConsumers::empty_cache(BrokerId broker) const {
  return RemoteLogMetadataCache{settings_.readers[at(broker)].table, settings_.tie_order};
}

bool MetadataConsumers::hosts(BrokerId broker, MetadataPartition partition) const {
  for (std::size_t p = 0; p < settings_.partition_of.size(); ++p) {
    const auto& replicas = settings_.replicas[p];
    if (settings_.partition_of[p] != partition) continue;
    if (std::find(replicas.begin(), replicas.end(), broker) != replicas.end()) return true;
  }
  return false;
}

/// When a record reaches a consumer to whom everything comes through.
SimTime MetadataConsumers::arrives_at(BrokerId broker, MetadataPartition partition, std::size_t offset) const {
  const auto& latency = settings_.options.consumer_latency;
  const Duration takes =
      latency.kind == DurationDistribution::Kind::fixed
          ? latency.first
          : latency.draw(keyed_draw(settings_.seed, "consumer", broker, std::size_t{partition.value()}, offset));
  const Consumer& reading = consumer(broker, partition);
  SimTime earliest = reading.floor;
  if (const std::int64_t rate = settings_.options.consumer_rate; rate > 0 && offset >= reading.floor_position) {
    const auto behind = static_cast<std::int64_t>(offset - reading.floor_position) + 1;
    earliest += Duration{behind * Duration{1s}.count() / rate};
  }
  return std::max(log(partition).records[offset].appended + takes + reading.lag, earliest);
}

SimTime MetadataConsumers::visible_at(BrokerId broker, MetadataPartition partition, std::size_t offset) {
  if (settings_.options.consumer_latency.kind == DurationDistribution::Kind::fixed) {
    return arrives_at(broker, partition, offset);
  }
  // A consumer reads in order, so that a record waits for slower ones before it: a few records are under way.
  sync(broker, partition);
  SimTime visible = time_start;
  for (std::size_t i = consumer(broker, partition).position; i <= offset; ++i) {
    visible = std::max(visible, arrives_at(broker, partition, i));
  }
  return std::max(visible, kernel_.now());
}

bool MetadataConsumers::is_frozen(BrokerId broker, MetadataPartition partition) const {
  return consumer(broker, partition).is_frozen;
}

/// Reads what has become visible into the broker's caches.
void MetadataConsumers::sync(BrokerId broker, MetadataPartition partition) {
  Consumer& reading = consumer(broker, partition);
  if (reading.is_frozen) return;
  const auto& records = log(partition).records;
  while (reading.position < records.size() && arrives_at(broker, partition, reading.position) <= kernel_.now()) {
    if (!read(broker, partition, reading.position)) return end_thread(broker, partition, reading.position);
    ++reading.position;
  }
}

/// False when the record ends the thread.
bool MetadataConsumers::read(BrokerId broker, MetadataPartition partition, std::size_t offset) {
  const MetadataLog::Record& record = log(partition).records[offset];
  if (record.is_lost) return true;
  const MetadataReader& reader = settings_.readers[at(broker)];
  // Before anybody asks whose record it is (readings 7).
  const auto state =
      model::read_state(reader.table, model::write_state(record.metadata.state, record.metadata.encoding));
  if (!state) return false;
  if (!replicates(broker, record.user)) return true;
  Assignment* const assigned = assignment(broker, record.user);
  CHECK(assigned != nullptr);
  if (offset < assigned->processed) return true;
  RemoteLogSegmentMetadata event = record.metadata;
  event.state = *state;
  const auto answer = assigned->cache.handle(event);
  if (answer == model::CacheAnswer::dropped_transition && reader.illegal_event_ends_thread) return false;
  assigned->processed = offset + 1;
  return true;
}

// The thread reads all its partitions: what had arrived on the others by now is applied, and then nothing ever again
// until the process is another one. Nobody is told (F16).
void MetadataConsumers::end_thread(BrokerId broker, MetadataPartition partition, std::size_t offset) {
  threads_[at(broker)].has_ended = true;
  consumer(broker, partition).is_frozen = true;
  for (std::uint32_t m = 0; m < logs_.size(); ++m) {
    const MetadataPartition other{m};
    Consumer& reading = consumer(broker, other);
    if (reading.is_frozen) continue;
    const auto& records = log(other).records;
    while (reading.position < records.size() && arrives_at(broker, other, reading.position) <= kernel_.now()) {
      if (!read(broker, other, reading.position)) break;
      ++reading.position;
    }
    reading.is_frozen = true;
  }
  trace_.emit(kernel_.now(), ConsumerEnded{broker, partition, Offset{static_cast<std::int64_t>(offset)}});
}

/// Whether the thread may end where it reads this record, so that somebody has to look when it does.
bool MetadataConsumers::ends_thread(BrokerId broker, const MetadataLog::Record& record) const {
  const MetadataReader& reader = settings_.readers[at(broker)];
  const auto field = model::write_state(record.metadata.state, record.metadata.encoding);
  if (!model::read_state(reader.table, field)) return true;
  return reader.illegal_event_ends_thread && !record.applied;
}

void MetadataConsumers::place(MetadataPartition partition) {
  const std::size_t offset = log(partition).records.size() - 1;
  for (std::size_t b = 0; b < threads_.size(); ++b) {
    const BrokerId broker{static_cast<std::int32_t>(b + 1)};
    Consumer& reading = consumer(broker, partition);
    // It stands at a record that it cannot read.
    if (reading.position != offset) continue;
    if (read(broker, partition, offset) || !hosts(broker, partition)) reading.position = offset + 1;
  }
}

void MetadataConsumers::begin() {
  for (std::size_t b = 0; b < threads_.size(); ++b) {
    const BrokerId broker{static_cast<std::int32_t>(b + 1)};
    for (std::uint32_t m = 0; m < logs_.size() && !threads_[b].has_ended; ++m) {
      const MetadataPartition partition{m};
      const std::size_t position = consumer(broker, partition).position;
      if (position < log(partition).records.size()) end_thread(broker, partition, position);
    }
  }
}

void MetadataConsumers::stored(MetadataPartition partition) {
  const std::size_t offset = log(partition).records.size() - 1;
  const MetadataLog::Record& record = log(partition).records[offset];
  const PartitionNumber user = record.user;
  for (const BrokerId broker : settings_.replicas[user.value()]) {
    if (is_frozen(broker, partition)) continue;
    if (const Consumer& reading = consumer(broker, partition); reading.lag > Duration{0})
      host_.lagged(reading.lagged_by);
    kernel_.schedule_at<&MetadataConsumers::show>(visible_at(broker, partition, offset), this,
                                                  pack(user.value(), broker));
  }
  // Every version reads Kafka's own states.
  if (record.applied && record.metadata.state != RemoteLogSegmentState::dangling) return;
  for (std::size_t b = 0; b < threads_.size(); ++b) {
    const BrokerId broker{static_cast<std::int32_t>(b + 1)};
    if (!ends_thread(broker, record) || is_frozen(broker, partition) || !hosts(broker, partition)) continue;
    kernel_.schedule_at<&MetadataConsumers::look>(visible_at(broker, partition, offset), this,
                                                  pack(partition.value(), broker));
  }
}

/// Promises the looks at everything unread, one a user partition and instant.
void MetadataConsumers::announce(BrokerId broker, MetadataPartition partition) {
  const auto& records = log(partition).records;
  SimTime visible = kernel_.now();
  const std::size_t first = consumer(broker, partition).position;
  for (std::size_t offset = first; offset < records.size(); ++offset) {
    visible = std::max(visible, arrives_at(broker, partition, offset));
    const PartitionNumber user = records[offset].user;
    if (ends_thread(broker, records[offset]) && hosts(broker, partition)) {
      kernel_.schedule_at<&MetadataConsumers::look>(visible, this, pack(partition.value(), broker));
    }
    if (announced_[user.value()] == visible || !replicates(broker, user)) continue;
    announced_[user.value()] = visible;
    kernel_.schedule_at<&MetadataConsumers::show>(visible, this, pack(user.value(), broker));
  }
  for (std::size_t offset = first; offset < records.size(); ++offset) {
    announced_[records[offset].user.value()] = SimTime::min();
  }
  announce_readiness(broker, partition, visible);
}

/// A partition becomes ready with the last record that was there, whosever that is.
void MetadataConsumers::announce_readiness(BrokerId broker, MetadataPartition partition, SimTime visible) {
  if (threads_[at(broker)].uninitialized_count == 0) return;
  for (std::uint32_t p = 0; p < assignments_.size(); ++p) {
    if (settings_.partition_of[p] != partition) continue;
    const Assignment* const assigned = assignment(broker, PartitionNumber{p});
    if (assigned == nullptr || assigned->is_initialized) continue;
    kernel_.schedule_at<&MetadataConsumers::show>(visible, this, pack(p, broker));
  }
}

void MetadataConsumers::reconsider(MetadataPartition partition) {
  for (std::size_t b = 0; b < threads_.size(); ++b) {
    const BrokerId broker{static_cast<std::int32_t>(b + 1)};
    Consumer& reading = consumer(broker, partition);
    if (threads_[b].state == ManagerState::initializing) look_for_topic_again(broker);
    const bool reads =
        threads_[b].state == ManagerState::initialized && !threads_[b].has_ended && !threads_[b].begins_at;
    const bool through = reads && host_.comes_through(partition, broker);
    if (through != reading.is_frozen) continue;
    if (!through) {
      sync(broker, partition);
      reading.is_frozen = true;
      continue;
    }
    reading.is_frozen = false;
    reading.floor = std::max(reading.floor, kernel_.now());
    reading.floor_position = reading.position;
    finish_fetches(broker, partition);
    announce(broker, partition);
  }
}

void MetadataConsumers::lag(BrokerId broker, MetadataPartition partition, Duration lag, FaultIndex fault) {
  sync(broker, partition);
  Consumer& reading = consumer(broker, partition);
  reading.lag += lag;
  reading.lagged_by = fault;
  if (reading.is_frozen) return;
  // What was held back is read now, and not in the past.
  reading.floor = std::max(reading.floor, kernel_.now());
  reading.floor_position = reading.position;
  announce(broker, partition);
}

void MetadataConsumers::install(BrokerId broker, const MetadataReader& reader) {
  settings_.readers[at(broker)] = reader;
  broker_died(broker);
}

void MetadataConsumers::broker_died(BrokerId broker) {
  kernel_.cancel(threads_[at(broker)].gives_up);
  threads_[at(broker)] = {};
  for (std::uint32_t m = 0; m < logs_.size(); ++m) {
    Consumer& reading = consumer(broker, MetadataPartition{m});
    reading.position = reading.read_before = reading.floor_position = 0;
  }
  for (std::uint32_t p = 0; p < assignments_.size(); ++p) {
    Assignment* const assigned = assignment(broker, PartitionNumber{p});
    if (assigned != nullptr) *assigned = Assignment{empty_cache(broker)};
  }
}

void MetadataConsumers::broker_started(BrokerId broker, Duration delay) {
  if (delay > Duration{0}) {
    threads_[at(broker)].begins_at = kernel_.now() + delay;
    for (std::uint32_t m = 0; m < logs_.size(); ++m) consumer(broker, MetadataPartition{m}).is_frozen = true;
    for (std::uint32_t p = 0; p < assignments_.size(); ++p) {
      Assignment* const assigned = assignment(broker, PartitionNumber{p});
      if (assigned == nullptr) continue;
      assigned->is_initialized = false;
      assigned->ready_at.reset();
      ++threads_[at(broker)].uninitialized_count;
    }
    kernel_.schedule_after<&MetadataConsumers::start_late>(delay, this, static_cast<std::uint64_t>(broker.value()));
    return;
  }
  if (finds_topic(broker)) return begin_to_read(broker);
  Thread& thread = threads_[at(broker)];
  thread.state = ManagerState::initializing;
  thread.started = kernel_.now();
  for (std::uint32_t p = 0; p < assignments_.size(); ++p) {
    Assignment* const assigned = assignment(broker, PartitionNumber{p});
    if (assigned == nullptr) continue;
    assigned->is_initialized = false;
    assigned->ready_at.reset();
    ++thread.uninitialized_count;
  }
  // The look that finds more time passed than there is fails instead of looking.
  const MetadataReader& reader = settings_.readers[at(broker)];
  const auto looks = reader.initialization_retry_max_timeout / reader.initialization_retry_interval + 1;
  thread.gives_up = kernel_.schedule_after<&MetadataConsumers::give_up>(looks * reader.initialization_retry_interval,
                                                                        this, pack(0, broker));
}

bool MetadataConsumers::finds_topic(BrokerId broker) const {
  for (std::uint32_t m = 0; m < logs_.size(); ++m) {
    if (host_.comes_through(MetadataPartition{m}, broker)) return true;
  }
  return false;
}

/// Something changed: the next look may find the topic.
void MetadataConsumers::look_for_topic_again(BrokerId broker) {
  if (!finds_topic(broker)) return;
  const Duration interval = settings_.readers[at(broker)].initialization_retry_interval;
  const auto looks = (kernel_.now() - threads_[at(broker)].started + interval - Duration{1}) / interval;
  kernel_.schedule_at<&MetadataConsumers::find_topic>(threads_[at(broker)].started + looks * interval, this,
                                                      pack(0, broker));
}

void MetadataConsumers::find_topic(std::uint64_t argument) {
  const BrokerId broker = packed_broker(argument);
  Thread& thread = threads_[at(broker)];
  const Duration interval = settings_.readers[at(broker)].initialization_retry_interval;
  if (thread.state != ManagerState::initializing || !finds_topic(broker)) return;
  // Promised to an earlier process, whose looks were at other times.
  if ((kernel_.now() - thread.started) % interval != Duration{0}) return;
  kernel_.cancel(thread.gives_up);
  thread.state = ManagerState::initialized;
  thread.uninitialized_count = 0;
  begin_to_read(broker);
  for (std::uint32_t m = 0; m < logs_.size(); ++m) reconsider(MetadataPartition{m});
  // Where there is nothing to read, no record tells that the partition is ready.
  for (std::uint32_t p = 0; p < assignments_.size(); ++p) {
    if (assignment(broker, PartitionNumber{p}) != nullptr) host_.cache_changed(broker, PartitionNumber{p});
  }
}

void MetadataConsumers::begin_to_read(BrokerId broker) {
  for (std::uint32_t p = 0; p < assignments_.size(); ++p) {
    if (assignment(broker, PartitionNumber{p}) != nullptr) fetch_end_offset(broker, PartitionNumber{p});
  }
}

void MetadataConsumers::give_up(std::uint64_t argument) {
  const BrokerId broker = packed_broker(argument);
  threads_[at(broker)].gives_up = {};
  threads_[at(broker)].state = ManagerState::failed;
  trace_.emit(kernel_.now(), InitializationFailed{broker});
  host_.initialization_failed(broker);
}

void MetadataConsumers::start_late(std::uint64_t argument) {
  const BrokerId broker{static_cast<std::int32_t>(argument)};
  Thread& thread = threads_[at(broker)];
  // Another process began in the meantime, or will by an event of its own.
  if (thread.begins_at != kernel_.now()) return;
  thread.begins_at.reset();
  thread.uninitialized_count = 0;
  for (std::uint32_t p = 0; p < assignments_.size(); ++p) {
    if (Assignment* const assigned = assignment(broker, PartitionNumber{p})) assigned->is_initialized = true;
  }
  broker_started(broker);
  for (std::uint32_t m = 0; m < logs_.size(); ++m) reconsider(MetadataPartition{m});
}

void MetadataConsumers::assign(BrokerId broker, PartitionNumber partition) {
  CHECK(assignment(broker, partition) == nullptr, "broker {} replicates partition {} already", broker, partition);
  begin_again(broker, settings_.partition_of[partition.value()]);
  settings_.replicas[partition.value()].push_back(broker);
  assignments_[partition.value()].emplace_back(empty_cache(broker));
  note_replica(broker, partition);
  fetch_end_offset(broker, partition);
  const MetadataPartition read = settings_.partition_of[partition.value()];
  if (!is_frozen(broker, read)) announce(broker, read);
}

/// Seeks to the beginning; what has been processed is not processed again.
void MetadataConsumers::begin_again(BrokerId broker, MetadataPartition partition) {
  sync(broker, partition);
  for (std::uint32_t p = 0; p < assignments_.size(); ++p) {
    if (settings_.partition_of[p] == partition && assignment(broker, PartitionNumber{p}) != nullptr) {
      (void)is_ready(broker, PartitionNumber{p});  // What has been initialized stays so.
    }
  }
  Consumer& reading = consumer(broker, partition);
  if (!settings_.readers[at(broker)].forgets_read_offset) {
    reading.read_before = std::max(reading.read_before, reading.position);
  }
  reading.position = reading.floor_position = 0;
  reading.floor = std::max(reading.floor, kernel_.now());
}

void MetadataConsumers::fetch_end_offset(BrokerId broker, PartitionNumber partition) {
  const MetadataPartition read = settings_.partition_of[partition.value()];
  Assignment& assigned = *assignment(broker, partition);
  if (std::exchange(assigned.is_initialized, false)) ++threads_[at(broker)].uninitialized_count;
  if (host_.comes_through(read, broker)) {
    assigned.ready_at = log(read).records.size();
    return;
  }
  assigned.ready_at.reset();
  ++threads_[at(broker)].fetch_count;
  assigned.gives_up_at = kernel_.now() + offset_fetch_timeout;
  kernel_.schedule_at<&MetadataConsumers::fetch_again>(assigned.gives_up_at + offset_fetch_retry, this,
                                                       pack(partition.value(), broker));
}

/// What was still being tried when the partition came back.
void MetadataConsumers::finish_fetches(BrokerId broker, MetadataPartition partition) {
  if (threads_[at(broker)].fetch_count == 0) return;
  for (std::uint32_t p = 0; p < assignments_.size(); ++p) {
    if (settings_.partition_of[p] != partition) continue;
    Assignment* const assigned = assignment(broker, PartitionNumber{p});
    if (assigned == nullptr || assigned->ready_at || kernel_.now() > assigned->gives_up_at) continue;
    assigned->ready_at = log(partition).records.size();
    --threads_[at(broker)].fetch_count;
    if (assigned->ready_at == std::size_t{0}) host_.cache_changed(broker, PartitionNumber{p});
  }
}

void MetadataConsumers::fetch_again(std::uint64_t argument) {
  const BrokerId broker = packed_broker(argument);
  const PartitionNumber partition{packed_partition(argument)};
  Assignment* const assigned = assignment(broker, partition);
  // Another process asks for itself, and a thread that has ended asks no more.
  if (assigned->ready_at || assigned->gives_up_at + offset_fetch_retry != kernel_.now() || has_ended(broker)) return;
  --threads_[at(broker)].fetch_count;
  fetch_end_offset(broker, partition);
  if (is_ready(broker, partition)) host_.cache_changed(broker, partition);
}

const RemoteLogMetadataCache* MetadataConsumers::cache(BrokerId broker, PartitionNumber partition) {
  sync(broker, settings_.partition_of[partition.value()]);
  const Assignment* const assigned = assignment(broker, partition);
  return assigned == nullptr ? nullptr : &assigned->cache;
}

bool MetadataConsumers::is_ready(BrokerId broker, PartitionNumber partition) {
  const MetadataPartition read = settings_.partition_of[partition.value()];
  sync(broker, read);
  Assignment* const assigned = assignment(broker, partition);
  if (assigned == nullptr) return false;
  if (!assigned->is_initialized && assigned->ready_at && consumer(broker, read).position >= *assigned->ready_at) {
    assigned->is_initialized = true;
    --threads_[at(broker)].uninitialized_count;
  }
  return assigned->is_initialized;
}

bool MetadataConsumers::has_read(BrokerId broker, MetadataPartition partition, std::size_t offset) {
  sync(broker, partition);
  const Consumer& reading = consumer(broker, partition);
  return std::max(reading.position, reading.read_before) > offset;
}

bool MetadataConsumers::has_read_all(BrokerId broker, MetadataPartition partition) {
  sync(broker, partition);
  return consumer(broker, partition).position == log(partition).records.size();
}

void MetadataConsumers::about_to_lose(PartitionNumber partition, std::size_t offset) {
  for (const BrokerId broker : settings_.replicas[partition.value()]) {
    sync(broker, settings_.partition_of[partition.value()]);
    Assignment& assigned = *assignment(broker, partition);
    assigned.remembers_lost = assigned.remembers_lost || assigned.processed > offset;
  }
}

bool MetadataConsumers::remembers_lost(BrokerId broker, PartitionNumber partition) {
  const Assignment* const assigned = assignment(broker, partition);
  return assigned != nullptr && assigned->remembers_lost;
}

void MetadataConsumers::show(std::uint64_t argument) {
  host_.cache_changed(packed_broker(argument), PartitionNumber{packed_partition(argument)});
}

void MetadataConsumers::look(std::uint64_t argument) {
  sync(packed_broker(argument), MetadataPartition{packed_partition(argument)});
}

}  // namespace sim
