#include "sim/world/metadata_topic.h"

#include <algorithm>
#include <deque>

namespace sim {

namespace {

/// Kafka's murmur2 of four bytes (org.apache.kafka.common.utils.Utils.murmur2).
std::int32_t murmur2(std::uint32_t big_endian) {
  constexpr std::uint32_t m = 0x5bd1e995;
  std::uint32_t h = 0x9747b28c ^ 4;
  std::uint32_t k = __builtin_bswap32(big_endian);  // The bytes are read little endian.
  k *= m;
  k ^= k >> 24;
  k *= m;
  h = (h * m) ^ k;
  h ^= h >> 13;
  h *= m;
  h ^= h >> 15;
  return static_cast<std::int32_t>(h);
}

std::uint32_t java_hash(std::uint64_t value) { return static_cast<std::uint32_t>(value ^ (value >> 32)); }

}  // namespace

MetadataPartition metadata_partition_for(Uuid topic_id, std::int32_t partition, std::int32_t metadata_partition_count) {
  std::uint32_t hash = 31 + java_hash(topic_id.least);
  hash = 31 * hash + java_hash(topic_id.most);
  hash = 31 * hash + static_cast<std::uint32_t>(partition);
  const auto positive = static_cast<std::uint32_t>(murmur2(hash)) & 0x7fffffffu;
  return MetadataPartition{positive % static_cast<std::uint32_t>(metadata_partition_count)};
}

struct MetadataTopic::State final {
  /// One stored record.
  struct Record {
    RemoteLogSegmentMetadata metadata;
    SimTime appended;
  };

  /// One broker's reading of one metadata partition.
  struct Consumer {
    std::size_t position = 0;
    std::size_t ready_at = 0;    ///< Records that were there when the consumer started.
    SimTime floor = time_start;  ///< Nothing unread becomes visible before this.
    bool frozen = false;         ///< Nothing comes through: no leader, a cut link, or the broker is down.
    bool hosts = false;          ///< The broker replicates a user partition that is mapped here.
  };

  struct Partition {
    std::vector<Record> log;
    std::vector<BrokerId> replicas;
    BrokerId leader;
    BrokerId last_leader;
    SimTime leaderless_since;
    std::vector<Consumer> consumers;    ///< By broker id - 1.
    std::vector<std::uint32_t> parked;  ///< Publishes that wait for a link, a leader or a consumer.
  };

  enum class Phase : std::uint8_t { free, sending, appending, acking, consuming, answering };
  struct Publish {
    RemoteLogSegmentMetadata metadata;
    PublishOrigin origin;
    Reply<PublishAnswer> reply;
    SimTime deadline;
    std::size_t offset = 0;
    SimTime acked;
    FaultIndex fault;
    Timer timer;
    Phase phase = Phase::free;
    bool parked = false;
    bool is_orphan = false;  ///< Its broker died while it was on the wire.
  };

  State(Kernel& k, Trace& t, Network& n, FaultBoard& f, MetadataTopicHost& h, Settings s)
      : kernel(k),
        trace(t),
        network(n),
        faults(f),
        host(h),
        settings(std::move(s)),
        options(settings.scenario.metadata) {
    const auto brokers = static_cast<std::int32_t>(settings.scenario.brokers.size());
    const std::int32_t replication = std::min(options.replication_factor, brokers);
    partitions.resize(static_cast<std::size_t>(options.partitions));
    for (std::size_t m = 0; m < partitions.size(); ++m) {
      for (std::int32_t r = 0; r < replication; ++r) {
        partitions[m].replicas.push_back(BrokerId{1 + (static_cast<std::int32_t>(m) + r) % brokers});
      }
      partitions[m].leader = partitions[m].replicas.front();
      partitions[m].consumers.resize(static_cast<std::size_t>(brokers));
    }
    const std::size_t users = settings.partition_of.size();
    caches.resize(users);
    fold.reserve(users);
    for (std::size_t p = 0; p < users; ++p) {
      fold.emplace_back(TransitionTable::kip, settings.tie_order);
      for (BrokerId broker : settings.replicas[p]) {
        caches[p].emplace_back(settings.tables[at(broker)], settings.tie_order);
        partitions[settings.partition_of[p].value()].consumers[at(broker)].hosts = true;
      }
    }
  }

  static std::size_t at(BrokerId broker) { return static_cast<std::size_t>(broker.value() - 1); }
  Partition& partition_for(PartitionNumber partition) {
    return partitions[settings.partition_of[partition.value()].value()];
  }

  RemoteLogMetadataCache* cache_of(BrokerId broker, PartitionNumber partition) {
    const auto& replicas = settings.replicas[partition.value()];
    const auto found = std::find(replicas.begin(), replicas.end(), broker);
    if (found == replicas.end()) return nullptr;
    return &caches[partition.value()][static_cast<std::size_t>(found - replicas.begin())];
  }

  Duration consumer_latency(BrokerId broker, std::size_t partition_index, std::size_t offset) const {
    if (options.consumer_latency.kind == DurationDistribution::Kind::fixed) return options.consumer_latency.first;
    return options.consumer_latency.draw(keyed_draw(settings.seed, "consumer", broker, partition_index, offset));
  }

  /// When a record reaches a consumer to whom everything comes through.
  SimTime arrives_at(const Partition& partition, BrokerId broker, std::size_t offset) const {
    const auto index = static_cast<std::size_t>(&partition - partitions.data());
    const SimTime arrives = partition.log[offset].appended + consumer_latency(broker, index, offset);
    return std::max(arrives, partition.consumers[at(broker)].floor);
  }

  /// When it may be seen: a consumer reads in order, so that a record waits for slower ones before it.
  SimTime visible_at(Partition& partition, BrokerId broker, std::size_t offset) {
    if (options.consumer_latency.kind == DurationDistribution::Kind::fixed)
      return arrives_at(partition, broker, offset);
    sync(partition, broker);  // What is unread then is under way: a few records.
    SimTime visible = time_start;
    for (std::size_t i = partition.consumers[at(broker)].position; i <= offset; ++i) {
      visible = std::max(visible, arrives_at(partition, broker, i));
    }
    return std::max(visible, kernel.now());
  }

  bool comes_through(const Partition& partition, BrokerId to) const {
    if (partition.leader == BrokerId{0} || !host.is_up(to)) return false;
    return partition.leader == to || network.is_open(Node::broker(partition.leader), Node::broker(to));
  }

  /// Reads what has become visible into the broker's caches.
  void sync(Partition& partition, BrokerId broker) {
    Consumer& consumer = partition.consumers[at(broker)];
    if (consumer.frozen) return;
    while (consumer.position < partition.log.size() &&
           arrives_at(partition, broker, consumer.position) <= kernel.now()) {
      const RemoteLogSegmentMetadata& event = partition.log[consumer.position].metadata;
      if (auto* cache = cache_of(broker, event.segment->partition)) (void)cache->handle(event);
      ++consumer.position;
    }
  }

  /// Stores a record, folds it and tells the trace.
  std::size_t append(Partition& partition, const RemoteLogSegmentMetadata& metadata, const PublishOrigin& origin) {
    const std::size_t offset = partition.log.size();
    partition.log.push_back({metadata, kernel.now()});
    ++records;
    RemoteLogMetadataCache& truth = fold[metadata.segment->partition.value()];
    const auto before = truth.find(*metadata.segment);
    const bool applied = truth.handle(metadata) == CacheAnswer::applied;
    trace.emit(kernel.now(),
               Transition{metadata.segment, origin.broker, origin.leader_epoch,
                          before ? std::optional{before->state} : std::nullopt, metadata.state, origin.step, applied,
                          settings.partition_of[metadata.segment->partition.value()],
                          Offset{static_cast<std::int64_t>(offset)}});
    return offset;
  }

  void tell_consumers(Partition& partition, std::size_t offset) {
    const PartitionNumber user = partition.log[offset].metadata.segment->partition;
    for (BrokerId broker : settings.replicas[user.value()]) {
      if (partition.consumers[at(broker)].frozen) continue;
      const std::uint64_t argument = std::uint64_t{user.value()} << 32 | static_cast<std::uint32_t>(broker.value());
      kernel.schedule_at<&State::show>(visible_at(partition, broker, offset), this, argument);
    }
  }

  void show(std::uint64_t argument) {
    host.cache_changed(BrokerId{static_cast<std::int32_t>(argument & 0xffffffff)},
                       PartitionNumber{static_cast<std::uint32_t>(argument >> 32)});
  }

  // One publish, from phase to phase. Whatever stops it parks it until a link, a leader or a consumer changes, or its
  // deadline.

  void park(std::uint32_t index, FaultIndex fault) {
    Publish& publish = publishes[index];
    faults.hit(fault);
    publish.fault = fault;
    publish.parked = true;
    partition_for(publish.metadata.segment->partition).parked.push_back(index);
    publish.timer = kernel.schedule_at<&State::give_up>(std::max(publish.deadline, kernel.now()), this, index);
  }

  void give_up(std::uint64_t argument) {
    const auto index = static_cast<std::uint32_t>(argument);
    Publish& publish = publishes[index];
    std::erase(partition_for(publish.metadata.segment->partition).parked, index);
    publish.timer = {};
    finish(index, CallResult::timed_out);
  }

  void drop(std::uint32_t index) {
    kernel.cancel(publishes[index].timer);
    publishes[index] = {};
    free_publishes.push_back(index);
  }

  void finish(std::uint32_t index, CallResult result) {
    Publish& publish = publishes[index];
    publish.reply.answer(kernel, {result, publish.fault});
    publish = {};
    free_publishes.push_back(index);
  }

  void send(std::uint32_t index) {
    Publish& publish = publishes[index];
    publish.phase = Phase::sending;
    const Partition& partition = partition_for(publish.metadata.segment->partition);
    const BrokerId from = publish.origin.broker;
    if (partition.leader == BrokerId{0}) return park(index, std::nullopt);
    const Node leader = Node::broker(partition.leader);
    if (partition.leader != from && !network.is_open(Node::broker(from), leader)) {
      return park(index, network.cutter(Node::broker(from), leader));
    }
    publish.phase = Phase::appending;
    const PartitionNumber user = publish.metadata.segment->partition;
    const Duration latency =
        options.latency.kind == DurationDistribution::Kind::fixed
            ? options.latency.first
            : options.latency.draw(keyed_draw(settings.seed, "publish", user, host.publish_number(user)++));
    publish.timer = kernel.schedule_after<&State::arrive>(latency, this, index);
  }

  void arrive(std::uint64_t argument) {
    const auto index = static_cast<std::uint32_t>(argument);
    Publish& publish = publishes[index];
    publish.timer = {};
    Partition& partition = partition_for(publish.metadata.segment->partition);
    if (partition.leader == BrokerId{0}) return publish.is_orphan ? drop(index) : send(index);
    publish.offset = append(partition, publish.metadata, publish.origin);
    tell_consumers(partition, publish.offset);
    if (publish.is_orphan) return drop(index);
    acknowledge(index);
  }

  void acknowledge(std::uint32_t index) {
    Publish& publish = publishes[index];
    publish.phase = Phase::acking;
    const Partition& partition = partition_for(publish.metadata.segment->partition);
    const BrokerId to = publish.origin.broker;
    if (partition.leader == BrokerId{0}) return park(index, std::nullopt);
    const Node leader = Node::broker(partition.leader);
    if (partition.leader != to && !network.is_open(leader, Node::broker(to))) {
      return park(index, network.cutter(leader, Node::broker(to)));
    }
    publish.fault.reset();
    publish.acked = kernel.now();
    publish.deadline = kernel.now() + settings.scenario.brokers[at(to)].manager.consume_wait;
    wait_for_consumer(index);
  }

  void wait_for_consumer(std::uint32_t index) {
    Publish& publish = publishes[index];
    publish.phase = Phase::consuming;
    Partition& partition = partition_for(publish.metadata.segment->partition);
    const BrokerId broker = publish.origin.broker;
    if (partition.consumers[at(broker)].frozen) {
      const bool has_leader = partition.leader != BrokerId{0} && partition.leader != broker;
      return park(index,
                  has_leader ? network.cutter(Node::broker(partition.leader), Node::broker(broker)) : std::nullopt);
    }
    // The wait looks every poll step, and not before the first has passed.
    const SimTime visible = std::max(visible_at(partition, broker, publish.offset), kernel.now());
    const std::int64_t step = std::max<std::int64_t>(options.poll_step.count(), 1);
    const std::int64_t steps = std::max<std::int64_t>(1, ((visible - publish.acked).count() + step - 1) / step);
    const SimTime seen = publish.acked + steps * Duration{step};
    if (seen > publish.deadline) return park(index, std::nullopt);
    publish.phase = Phase::answering;
    publish.timer = kernel.schedule_at<&State::look>(seen, this, index);
  }

  void look(std::uint64_t argument) {
    const auto index = static_cast<std::uint32_t>(argument);
    Publish& publish = publishes[index];
    publish.timer = {};
    Partition& partition = partition_for(publish.metadata.segment->partition);
    sync(partition, publish.origin.broker);
    if (partition.consumers[at(publish.origin.broker)].position > publish.offset) return finish(index, CallResult::ok);
    wait_for_consumer(index);
  }

  /// A link, a leader or a broker changed: consumers freeze or thaw, parked publishes try again.
  void reconsider(Partition& partition) {
    for (std::size_t b = 0; b < partition.consumers.size(); ++b) {
      Consumer& consumer = partition.consumers[b];
      const BrokerId broker{static_cast<std::int32_t>(b + 1)};
      const bool through = comes_through(partition, broker);
      if (through != consumer.frozen) continue;
      if (!through) {
        sync(partition, broker);
        consumer.frozen = true;
        continue;
      }
      consumer.frozen = false;
      consumer.floor = std::max(consumer.floor, kernel.now());
      SimTime visible = kernel.now();
      for (std::size_t offset = consumer.position; offset < partition.log.size(); ++offset) {
        visible = std::max(visible, arrives_at(partition, broker, offset));
        const PartitionNumber user = partition.log[offset].metadata.segment->partition;
        if (cache_of(broker, user) == nullptr) continue;
        const std::uint64_t argument = std::uint64_t{user.value()} << 32 | static_cast<std::uint32_t>(broker.value());
        kernel.schedule_at<&State::show>(visible, this, argument);
      }
    }
    std::vector<std::uint32_t> parked;
    parked.swap(partition.parked);
    for (std::uint32_t index : parked) {
      Publish& publish = publishes[index];
      kernel.cancel(publish.timer);
      publish.parked = false;
      if (publish.phase == Phase::sending) {
        send(index);
      } else if (publish.phase == Phase::acking) {
        acknowledge(index);
      } else {
        wait_for_consumer(index);
      }
    }
  }

  Kernel& kernel;
  Trace& trace;
  Network& network;
  FaultBoard& faults;
  MetadataTopicHost& host;
  Settings settings;
  const MetadataOptions& options;
  std::vector<Partition> partitions;
  std::vector<RemoteLogMetadataCache> fold;
  std::vector<std::vector<RemoteLogMetadataCache>> caches;  // By user partition and place among its replicas.
  std::vector<Publish> publishes;
  std::vector<std::uint32_t> free_publishes;
  std::int64_t records = 0;
};

MetadataTopic::MetadataTopic(Kernel& kernel, Trace& trace, Network& network, FaultBoard& faults,
                             MetadataTopicHost& host, Settings settings)
    : state_(std::make_unique<State>(kernel, trace, network, faults, host, std::move(settings))) {}
MetadataTopic::~MetadataTopic() = default;

void MetadataTopic::place(const RemoteLogSegmentMetadata& record, PublishOrigin origin) {
  State::Partition& partition = state_->partition_for(record.segment->partition);
  const std::size_t offset = state_->append(partition, record, origin);
  // Everybody has read what was always there.
  for (std::size_t b = 0; b < partition.consumers.size(); ++b) {
    State::Consumer& consumer = partition.consumers[b];
    CHECK(consumer.position == offset);
    if (auto* cache = state_->cache_of(BrokerId{static_cast<std::int32_t>(b + 1)}, record.segment->partition)) {
      (void)cache->handle(record);
    }
    consumer.position = consumer.ready_at = offset + 1;
  }
}

void MetadataTopic::publish(const RemoteLogSegmentMetadata& record, PublishOrigin origin, Reply<PublishAnswer> reply) {
  if (state_->free_publishes.empty()) {
    state_->free_publishes.push_back(static_cast<std::uint32_t>(state_->publishes.size()));
    state_->publishes.emplace_back();
  }
  const std::uint32_t index = state_->free_publishes.back();
  state_->free_publishes.pop_back();
  State::Publish& publish = state_->publishes[index];
  publish.metadata = record;
  publish.origin = origin;
  publish.reply = reply;
  publish.deadline = state_->kernel.now() + state_->options.delivery_timeout;
  state_->send(index);
}

const RemoteLogMetadataCache& MetadataTopic::cache(BrokerId broker, PartitionNumber partition) {
  state_->sync(state_->partition_for(partition), broker);
  const auto* cache = state_->cache_of(broker, partition);
  CHECK(cache != nullptr, "broker {} does not replicate partition {}", broker, partition);
  return *cache;
}

const RemoteLogMetadataCache& MetadataTopic::folded(PartitionNumber partition) const {
  return state_->fold[partition.value()];
}

bool MetadataTopic::is_ready(BrokerId broker, PartitionNumber partition) {
  State::Partition& log = state_->partition_for(partition);
  state_->sync(log, broker);
  const State::Consumer& consumer = log.consumers[State::at(broker)];
  return consumer.position >= consumer.ready_at;
}

bool MetadataTopic::has_consumed_all(BrokerId broker, PartitionNumber partition) {
  State::Partition& log = state_->partition_for(partition);
  state_->sync(log, broker);
  return log.consumers[State::at(broker)].position == log.log.size();
}

void MetadataTopic::link_changed(BrokerId a, BrokerId b) {
  for (State::Partition& partition : state_->partitions) {
    if (partition.leader == a || partition.leader == b) state_->reconsider(partition);
  }
}

void MetadataTopic::broker_died(BrokerId broker) {
  for (State::Partition& partition : state_->partitions) {
    const bool led = partition.leader == broker;
    if (led) {
      partition.leader = BrokerId{0};
      partition.last_leader = broker;
      partition.leaderless_since = state_->kernel.now();
    }
    // The caches were in memory only.
    state_->reconsider(partition);
    partition.consumers[State::at(broker)].position = 0;
  }
  // A producer's unsent records and waits die with the process; what is on the wire goes on.
  for (std::uint32_t index = 0; index < state_->publishes.size(); ++index) {
    State::Publish& publish = state_->publishes[index];
    if (publish.phase == State::Phase::free || publish.origin.broker != broker) continue;
    if (publish.phase == State::Phase::appending) {
      // Nobody sends it again when it does not arrive, as it cannot when its leader is gone too.
      publish.is_orphan = true;
      continue;
    }
    if (publish.parked) std::erase(state_->partition_for(publish.metadata.segment->partition).parked, index);
    state_->drop(index);
  }
  for (std::size_t p = 0; p < state_->caches.size(); ++p) {
    auto* cache = state_->cache_of(broker, PartitionNumber{static_cast<std::uint32_t>(p)});
    if (cache != nullptr)
      *cache = RemoteLogMetadataCache{state_->settings.tables[State::at(broker)], state_->settings.tie_order};
  }
}

void MetadataTopic::broker_started(BrokerId broker) {
  elect_leaders(broker);
  for (State::Partition& partition : state_->partitions) {
    State::Consumer& consumer = partition.consumers[State::at(broker)];
    consumer.ready_at = partition.log.size();
    state_->reconsider(partition);
  }
}

void MetadataTopic::elect_leaders(BrokerId back) {
  for (State::Partition& partition : state_->partitions) {
    if (partition.leader != BrokerId{0}) continue;
    const Duration failover = state_->settings.scenario.cluster.failover;
    const bool is_due = state_->kernel.now() >= partition.leaderless_since + failover;
    if (!is_due && partition.last_leader != back) continue;
    for (BrokerId replica : partition.replicas) {
      if (!state_->host.is_up(replica)) continue;
      partition.leader = replica;
      break;
    }
    if (partition.leader != BrokerId{0}) state_->reconsider(partition);
  }
}

BrokerId MetadataTopic::leader(MetadataPartition partition) const {
  return state_->partitions[partition.value()].leader;
}
MetadataPartition MetadataTopic::partition_of(PartitionNumber partition) const {
  return state_->settings.partition_of[partition.value()];
}
std::uint32_t MetadataTopic::partition_count() const { return static_cast<std::uint32_t>(state_->partitions.size()); }
std::int64_t MetadataTopic::record_count() const { return state_->records; }

}  // namespace sim
