#include "sim/world/metadata_topic.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace sim {

namespace {

/// The producer's request.timeout.ms: what is not answered by then is sent again.
constexpr Duration request_timeout = 30s;
/// log.retention.check.interval.ms of the brokers that hold the topic.
constexpr Duration retention_check = 300s;

}  // namespace

struct MetadataTopic::State final : MetadataConsumersHost {
  /// The JDK's common pool of one broker, whose threads block while publishes wait for the consumer (F28).
  struct CommonPool {
    std::int32_t busy_count = 0;
    std::deque<std::uint32_t> waiting;
  };

  /// `unheard`: nothing more comes back, and the producer's time-out ends it.
  enum class Phase : std::uint8_t { free, sending, appending, acking, queued, consuming, answering, unheard };
  struct Publish {
    RemoteLogSegmentMetadata metadata;
    PublishOrigin origin;
    Reply<PublishAnswer> reply;
    SimTime deadline;
    std::size_t offset = 0;
    SimTime acked;
    FaultIndex fault;
    Timer timer;
    Timer overdue;  ///< Of a late one: its sender's time-out, before it is stored.
    PublishEffect effect;
    Phase phase = Phase::free;
    bool parked = false;
    bool is_judged = false;  ///< The faults have been asked.
    bool is_stored = false;
    std::uint32_t number = 0;  ///< Among the publishes of this state for this copy, where somebody wants to know.
    std::uint32_t tries = 0;
    bool is_orphan = false;  ///< Its sender died or gave up while it was on the wire.
  };

  State(Kernel& k, Trace& t, Network& n, FaultBoard& f, MetadataTopicHost& h, const Scenario& world,
        const MetadataConsumers::Settings& s)
      : kernel(k),
        trace(t),
        network(n),
        faults(f),
        host(h),
        scenario(world),
        options(scenario.metadata),
        partition_of(s.partition_of),
        logs(static_cast<std::size_t>(options.partitions)),
        parked_of(logs.size()),
        pools(scenario.brokers.size()),
        consumers(k, t, *this, logs, s),
        tie_order(s.tie_order),
        seed(s.seed) {
    const auto brokers = static_cast<std::int32_t>(scenario.brokers.size());
    const std::int32_t replication = std::min(options.replication_factor, brokers);
    for (std::size_t m = 0; m < logs.size(); ++m) {
      for (std::int32_t r = 0; r < replication; ++r) {
        logs[m].replicas.push_back(BrokerId{1 + (static_cast<std::int32_t>(m) + r) % brokers});
      }
      logs[m].leader = logs[m].replicas.front();
    }
    for (std::size_t p = 0; p < partition_of.size(); ++p) fold.emplace_back(TransitionTable::kip, s.tie_order);
  }

  static std::size_t at(BrokerId broker) { return static_cast<std::size_t>(broker.value() - 1); }
  MetadataPartition partition_for(const Publish& publish) const {
    return partition_of[publish.metadata.segment->partition.value()];
  }
  MetadataLog& log_for(const Publish& publish) { return logs[partition_for(publish).value()]; }
  std::vector<std::uint32_t>& parked_with(const Publish& publish) { return parked_of[partition_for(publish).value()]; }

  // MetadataConsumersHost
  bool comes_through(MetadataPartition partition, BrokerId to) const override {
    const BrokerId leader = logs[partition.value()].reachable_leader();
    if (leader == BrokerId{0} || !host.is_running(to)) return false;
    return leader == to || network.is_open(Node::broker(leader), Node::broker(to));
  }
  void lagged(FaultIndex fault) override { faults.hit(fault); }
  void cache_changed(BrokerId broker, PartitionNumber partition) override { host.cache_changed(broker, partition); }
  void initialization_failed(BrokerId broker) override { host.initialization_failed(broker); }

  /// Stores a record, folds it and tells the trace.
  std::size_t append(MetadataPartition to, const RemoteLogSegmentMetadata& metadata, const PublishOrigin& origin) {
    auto& records = logs[to.value()].records;
    const std::size_t offset = records.size();
    RemoteLogMetadataCache& truth = fold[metadata.segment->partition.value()];
    const auto before = truth.find(*metadata.segment);
    const bool applied = truth.handle(metadata) == CacheAnswer::applied;
    records.push_back({metadata, kernel.now(), metadata.segment->partition, applied});
    ++record_count;
    trace.emit(kernel.now(), Transition{metadata.segment, origin.broker, origin.leader_epoch,
                                        before ? std::optional{before->state} : std::nullopt, metadata.state,
                                        origin.step, applied, to, Offset{static_cast<std::int64_t>(offset)},
                                        metadata.event_timestamp, metadata.custom_metadata_size});
    return offset;
  }

  // One publish, from phase to phase. Whatever stops it parks it until a link, a leader or a consumer changes, or its
  // deadline.

  void park(std::uint32_t index, FaultIndex fault) {
    Publish& publish = publishes[index];
    faults.hit(fault);
    publish.fault = fault;
    publish.parked = true;
    parked_with(publish).push_back(index);
    publish.timer = kernel.schedule_at<&State::give_up>(std::max(publish.deadline, kernel.now()), this, index);
  }

  void give_up(std::uint64_t argument) {
    const auto index = static_cast<std::uint32_t>(argument);
    Publish& publish = publishes[index];
    std::erase(parked_with(publish), index);
    publish.timer = {};
    finish(index, CallResult::timed_out);
  }

  void drop(std::uint32_t index) {
    kernel.cancel(publishes[index].timer);
    kernel.cancel(publishes[index].overdue);
    publishes[index] = {};
    free_publishes.push_back(index);
  }

  void finish(std::uint32_t index, CallResult result) {
    Publish& publish = publishes[index];
    publish.reply.answer(kernel, {result, publish.fault});
    const BrokerId broker = publish.origin.broker;
    const bool held_thread = publish.phase == Phase::consuming || publish.phase == Phase::answering;
    publish = {};
    free_publishes.push_back(index);
    if (held_thread) leave_common_pool(broker);
  }

  /// Waits for a thread of the broker's common pool, where that is limited.
  void enter_common_pool(std::uint32_t index) {
    Publish& publish = publishes[index];
    CommonPool& pool = pools[at(publish.origin.broker)];
    const std::int32_t limit = scenario.brokers[at(publish.origin.broker)].common_pool_threads;
    if (limit > 0 && pool.busy_count == limit) {
      publish.phase = Phase::queued;
      return pool.waiting.push_back(index);
    }
    ++pool.busy_count;
    begin_to_wait(index);
  }

  void leave_common_pool(BrokerId broker) {
    CommonPool& pool = pools[at(broker)];
    --pool.busy_count;
    if (pool.waiting.empty()) return;
    const std::uint32_t next = pool.waiting.front();
    pool.waiting.pop_front();
    ++pool.busy_count;
    begin_to_wait(next);
  }

  void send(std::uint32_t index) {
    Publish& publish = publishes[index];
    publish.phase = Phase::sending;
    const MetadataLog& partition = log_for(publish);
    const BrokerId from = publish.origin.broker;
    if (partition.reachable_leader() == BrokerId{0}) return park(index, partition.taken_by);
    const Node leader = Node::broker(partition.leader);
    if (partition.leader != from && !network.is_open(Node::broker(from), leader)) {
      return park(index, network.cutter(Node::broker(from), leader));
    }
    judge(publish);
    if (partition.leader != from && is_lost(publish, {Node::broker(from), leader})) {
      return try_again_after(index, request_timeout);
    }
    if (publish.effect.kind == PublishEffect::Kind::lost) return wait_in_vain(index);
    publish.phase = Phase::appending;
    const PartitionNumber user = publish.metadata.segment->partition;
    const Duration latency = options.latency.kind == DurationDistribution::Kind::fixed
                                 ? options.latency.first
                                 : options.latency.draw(keyed_draw(seed, "publish", user, host.publish_number(user)++));
    const Duration extra = partition.leader == from ? Duration{0} : network.extra_delay(Node::broker(from), leader);
    const SimTime arrival = kernel.now() + latency + extra + publish.effect.delay;
    publish.effect.delay = Duration{0};
    publish.timer = kernel.schedule_at<&State::arrive>(arrival, this, index);
    if (extra > Duration{0}) publish.fault = network.delayer(Node::broker(from), leader);
    if (arrival <= publish.deadline) return;
    publish.overdue = kernel.schedule_at<&State::give_up_late>(std::max(publish.deadline, kernel.now()), this, index);
  }

  /// Asks the faults once a publish, when it first leaves.
  void judge(Publish& publish) {
    if (publish.is_judged || (!faults.judges_publishes() && !faults.judges_messages())) return;
    publish.is_judged = true;
    const RemoteLogSegment& segment = *publish.metadata.segment;
    const RemoteLogSegmentState state = publish.metadata.state;
    publish.number = publish_counts[{segment.number, state}]++;
    publish.effect = faults.on_publish(
        {publish.origin.broker, partition_for(publish), &segment, state, host.copy_attempt(segment), publish.number});
    if (publish.effect.kind != PublishEffect::Kind::pass) publish.fault = publish.effect.fault;
  }

  bool is_lost(Publish& publish, Link link) {
    if (!faults.judges_messages()) return false;
    const RemoteLogSegment& segment = *publish.metadata.segment;
    const FaultIndex loser =
        faults.loses(link, keyed_draw(seed, "message", segment.partition, segment.start_offset, publish.metadata.state,
                                      host.copy_attempt(segment), publish.number, publish.tries++));
    if (loser) publish.fault = loser;
    return loser.has_value();
  }

  /// The producer sends a record again that was not answered, or an acknowledgement is on its way; at the latest when
  /// it gives up.
  void try_again_after(std::uint32_t index, Duration time) {
    Publish& publish = publishes[index];
    publish.phase = Phase::unheard;
    const SimTime at_latest = std::max(publish.deadline, kernel.now());
    publish.timer = kernel.schedule_at<&State::try_again>(std::min(kernel.now() + time, at_latest), this, index);
  }

  void try_again(std::uint64_t argument) {
    const auto index = static_cast<std::uint32_t>(argument);
    Publish& publish = publishes[index];
    publish.timer = {};
    if (kernel.now() >= publish.deadline) return finish(index, CallResult::timed_out);
    // What is stored already is known by its sequence number, and answered.
    publish.is_stored ? acknowledge(index) : send(index);
  }

  void wait_in_vain(std::uint32_t index) {
    Publish& publish = publishes[index];
    publish.phase = Phase::unheard;
    publish.fault = publish.effect.fault;
    publish.timer = kernel.schedule_at<&State::give_up>(std::max(publish.deadline, kernel.now()), this, index);
  }

  /// The sender gives up a record that is still to be stored.
  void give_up_late(std::uint64_t argument) {
    Publish& publish = publishes[static_cast<std::uint32_t>(argument)];
    publish.overdue = {};
    publish.reply.answer(kernel, {CallResult::timed_out, publish.fault});
    publish.is_orphan = true;
  }

  void arrive(std::uint64_t argument) {
    const auto index = static_cast<std::uint32_t>(argument);
    Publish& publish = publishes[index];
    publish.timer = {};
    if (log_for(publish).reachable_leader() == BrokerId{0}) return publish.is_orphan ? drop(index) : send(index);
    publish.offset = append(partition_for(publish), publish.metadata, publish.origin);
    consumers.stored(partition_for(publish));
    if (publish.is_orphan) return drop(index);
    kernel.cancel(publish.overdue);
    publish.is_stored = true;
    const BrokerId leader = log_for(publish).leader;
    const BrokerId to = publish.origin.broker;
    const Duration back = leader == to ? Duration{0} : network.extra_delay(Node::broker(leader), Node::broker(to));
    if (back > Duration{0}) {
      publish.fault = network.delayer(Node::broker(leader), Node::broker(to));
      return try_again_after(index, back);
    }
    acknowledge(index);
  }

  void acknowledge(std::uint32_t index) {
    Publish& publish = publishes[index];
    publish.phase = Phase::acking;
    if (publish.effect.kind == PublishEffect::Kind::ack_lost) return wait_in_vain(index);
    const MetadataLog& partition = log_for(publish);
    const BrokerId to = publish.origin.broker;
    if (partition.reachable_leader() == BrokerId{0}) return park(index, partition.taken_by);
    const Node leader = Node::broker(partition.leader);
    if (partition.leader != to && !network.is_open(leader, Node::broker(to))) {
      return park(index, network.cutter(leader, Node::broker(to)));
    }
    if (partition.leader != to && is_lost(publish, {leader, Node::broker(to)})) {
      return try_again_after(index, request_timeout);
    }
    publish.fault.reset();
    enter_common_pool(index);
  }

  /// waitTillConsumptionCatchesUp, on a thread of the common pool.
  void begin_to_wait(std::uint32_t index) {
    Publish& publish = publishes[index];
    publish.acked = kernel.now();
    publish.deadline = kernel.now() + scenario.brokers[at(publish.origin.broker)].manager.consume_wait;
    wait_for_consumer(index);
  }

  void wait_for_consumer(std::uint32_t index) {
    Publish& publish = publishes[index];
    publish.phase = Phase::consuming;
    const BrokerId broker = publish.origin.broker;
    if (consumers.is_frozen(broker, partition_for(publish))) {
      const MetadataLog& log = log_for(publish);
      const BrokerId leader = log.reachable_leader();
      const bool has_link = leader != BrokerId{0} && leader != broker;
      return park(index, has_link ? network.cutter(Node::broker(leader), Node::broker(broker)) : log.taken_by);
    }
    // The wait looks every poll step, and not before the first has passed.
    const SimTime visible =
        std::max(consumers.visible_at(broker, partition_for(publish), publish.offset), kernel.now());
    const std::int64_t step = std::max<std::int64_t>(options.poll_step.count(), 1);
    const std::int64_t steps = std::max<std::int64_t>(1, ((visible - publish.acked).count() + step - 1) / step);
    const SimTime seen = publish.acked + steps * Duration{step};
    if (seen > publish.deadline) return park(index, consumers.lagged_by(broker, partition_for(publish)));
    publish.phase = Phase::answering;
    publish.timer = kernel.schedule_at<&State::look>(seen, this, index);
  }

  void look(std::uint64_t argument) {
    const auto index = static_cast<std::uint32_t>(argument);
    Publish& publish = publishes[index];
    publish.timer = {};
    if (consumers.has_read(publish.origin.broker, partition_for(publish), publish.offset)) {
      return finish(index, CallResult::ok);
    }
    wait_for_consumer(index);
  }

  /// A link, a leader or a broker changed: consumers freeze or thaw, parked publishes try again.
  void reconsider(MetadataPartition partition) {
    consumers.reconsider(partition);
    std::vector<std::uint32_t> parked;
    parked.swap(parked_of[partition.value()]);
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

  /// Loses the records [from, to) of one metadata partition, one user partition after the other.
  void lose(MetadataPartition from_partition, std::size_t from, std::size_t to, FaultIndex fault) {
    std::vector<MetadataLog::Record>& records = logs[from_partition.value()].records;
    std::map<PartitionNumber, std::size_t> first_lost;
    for (std::size_t offset = from; offset < to; ++offset) {
      if (!records[offset].is_lost) first_lost.emplace(records[offset].user, offset);
    }
    for (const auto& [user, first] : first_lost) {
      // Told before anything changes: observers compare their books with the world at any record.
      faults.hit(fault);
      consumers.about_to_lose(user, first);
      std::uint64_t count = 0;
      for (std::size_t offset = first; offset < to; ++offset) {
        if (records[offset].user != user || records[offset].is_lost) continue;
        records[offset].is_lost = true;
        ++count;
      }
      RemoteLogMetadataCache& truth = fold[user.value()];
      truth = RemoteLogMetadataCache{TransitionTable::kip, tie_order};
      for (const MetadataLog::Record& record : records) {
        if (!record.is_lost && record.user == user) (void)truth.handle(record.metadata);
      }
      trace.emit(kernel.now(), RecordsForgotten{user, from_partition, count, fault});
    }
  }

  void check_retention(std::uint64_t partition) {
    MetadataLog& log = logs[partition];
    const SimTime oldest = kernel.now() - *log.retention;
    std::size_t first = log.first_kept;
    while (first < log.records.size() && log.records[first].appended <= oldest) ++first;
    lose(MetadataPartition{static_cast<std::uint32_t>(partition)}, std::exchange(log.first_kept, first), first,
         log.retained_by);
    log.next_check = kernel.schedule_after<&State::check_retention>(retention_check, this, partition);
  }

  /// A broker's consumer reads earlier or later than it did: who waits for it looks anew.
  void lag_consumer(BrokerId broker, MetadataPartition partition, Duration lag, FaultIndex fault) {
    consumers.lag(broker, partition, lag, fault);
    for (std::uint32_t index = 0; index < publishes.size(); ++index) {
      Publish& publish = publishes[index];
      if (publish.phase != Phase::consuming && publish.phase != Phase::answering) continue;
      if (publish.origin.broker != broker || partition_for(publish) != partition) continue;
      if (publish.parked) std::erase(parked_with(publish), index);
      publish.parked = false;
      kernel.cancel(publish.timer);
      wait_for_consumer(index);
    }
  }

  Kernel& kernel;
  Trace& trace;
  Network& network;
  FaultBoard& faults;
  MetadataTopicHost& host;
  const Scenario& scenario;
  const MetadataOptions& options;
  std::vector<MetadataPartition> partition_of;
  std::vector<MetadataLog> logs;
  std::vector<std::vector<std::uint32_t>>
      parked_of;                  ///< By partition: publishes that wait for a link, a leader or a consumer.
  std::vector<CommonPool> pools;  // By broker id - 1.
  MetadataConsumers consumers;
  TieOrder tie_order;
  std::vector<RemoteLogMetadataCache> fold;
  std::vector<Publish> publishes;
  std::vector<std::uint32_t> free_publishes;
  /// By copy and state, where a fault of the plan wants to know: the publishes so far.
  std::map<std::pair<std::uint32_t, RemoteLogSegmentState>, std::uint32_t> publish_counts;
  Seed seed;
  std::int64_t record_count = 0;
};

MetadataTopic::MetadataTopic(Kernel& kernel, Trace& trace, Network& network, FaultBoard& faults,
                             MetadataTopicHost& host, const Scenario& scenario,
                             const MetadataConsumers::Settings& settings)
    : state_(std::make_unique<State>(kernel, trace, network, faults, host, scenario, settings)) {}
MetadataTopic::~MetadataTopic() = default;

void MetadataTopic::place(const RemoteLogSegmentMetadata& record, PublishOrigin origin) {
  const MetadataPartition to = partition_of(record.segment->partition);
  state_->append(to, record, origin);
  state_->consumers.place(to);
}

void MetadataTopic::begin() const { state_->consumers.begin(); }

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
  const auto* cache = state_->consumers.cache(broker, partition);
  CHECK(cache != nullptr, "broker {} does not replicate partition {}", broker, partition);
  return *cache;
}

const RemoteLogMetadataCache& MetadataTopic::folded(PartitionNumber partition) const {
  return state_->fold[partition.value()];
}

bool MetadataTopic::is_ready(BrokerId broker, PartitionNumber partition) {
  return state_->consumers.is_ready(broker, partition);
}

ManagerState MetadataTopic::manager_state(BrokerId broker) const { return state_->consumers.state(broker); }

std::vector<RemoteLogSegmentMetadata> MetadataTopic::records(PartitionNumber partition) const {
  std::vector<RemoteLogSegmentMetadata> records;
  for (const MetadataLog::Record& record : state_->logs[partition_of(partition).value()].records) {
    if (!record.is_lost && record.user == partition) records.push_back(record.metadata);
  }
  return records;
}

bool MetadataTopic::has_consumed_all(BrokerId broker, PartitionNumber partition) {
  return state_->consumers.has_read_all(broker, partition_of(partition)) &&
         !state_->consumers.remembers_lost(broker, partition);
}

bool MetadataTopic::consumer_has_ended(BrokerId broker) const { return state_->consumers.has_ended(broker); }

void MetadataTopic::take(MetadataPartition partition, FaultIndex fault) {
  MetadataLog& log = state_->logs[partition.value()];
  log.taken_by = fault;
  if (log.taken_count++ == 0) state_->reconsider(partition);
}

void MetadataTopic::give_back(MetadataPartition partition) {
  MetadataLog& log = state_->logs[partition.value()];
  if (--log.taken_count == 0) {
    log.taken_by.reset();
    state_->reconsider(partition);
  }
}

void MetadataTopic::lose_newest(MetadataPartition partition, Duration age, FaultIndex fault) {
  const std::vector<MetadataLog::Record>& records = state_->logs[partition.value()].records;
  std::size_t first = records.size();
  while (first > 0 && records[first - 1].appended > state_->kernel.now() - age) --first;
  state_->lose(partition, first, records.size(), fault);
}

void MetadataTopic::retain(MetadataPartition partition, std::optional<Duration> retention, FaultIndex fault) {
  MetadataLog& log = state_->logs[partition.value()];
  log.retention = retention;
  log.retained_by = fault;
  state_->kernel.cancel(log.next_check);
  if (retention) state_->check_retention(partition.value());
}

void MetadataTopic::lag_consumer(BrokerId broker, MetadataPartition partition, Duration lag, FaultIndex fault) {
  state_->lag_consumer(broker, partition, lag, fault);
}

void MetadataTopic::install(BrokerId broker, const MetadataReader& reader) {
  state_->consumers.install(broker, reader);
}

void MetadataTopic::link_changed(BrokerId a, BrokerId b) {
  for (std::uint32_t m = 0; m < partition_count(); ++m) {
    const BrokerId leader = state_->logs[m].leader;
    if (leader == a || leader == b) state_->reconsider(MetadataPartition{m});
  }
}

void MetadataTopic::lose_leads(BrokerId broker) {
  for (MetadataLog& log : state_->logs) {
    if (log.leader != broker) continue;
    log.leader = BrokerId{0};
    log.last_leader = broker;
    log.leaderless_since = state_->kernel.now();
  }
  for (std::uint32_t m = 0; m < partition_count(); ++m) state_->reconsider(MetadataPartition{m});
}

void MetadataTopic::hearing_changed(BrokerId broker) {
  if (!state_->host.is_heard(broker)) return lose_leads(broker);
  elect_leaders(broker);
  for (std::uint32_t m = 0; m < partition_count(); ++m) state_->reconsider(MetadataPartition{m});
}

void MetadataTopic::hand_over(BrokerId broker) {
  for (std::uint32_t m = 0; m < partition_count(); ++m) {
    MetadataLog& log = state_->logs[m];
    if (log.leader != broker) continue;
    const auto next = std::find_if(log.replicas.begin(), log.replicas.end(), [&](BrokerId replica) {
      return replica != broker && state_->host.is_heard(replica);
    });
    if (next == log.replicas.end()) continue;
    log.leader = *next;
    state_->reconsider(MetadataPartition{m});
  }
}

void MetadataTopic::broker_died(BrokerId broker) {
  lose_leads(broker);
  state_->consumers.broker_died(broker);
  state_->pools[State::at(broker)] = {};
  // A producer's unsent records and waits die with the process; what is on the wire goes on.
  for (std::uint32_t index = 0; index < state_->publishes.size(); ++index) {
    State::Publish& publish = state_->publishes[index];
    if (publish.phase == State::Phase::free || publish.origin.broker != broker) continue;
    if (publish.phase == State::Phase::appending) {
      // Nobody sends it again when it does not arrive, as it cannot when its leader is gone too.
      publish.is_orphan = true;
      state_->kernel.cancel(publish.overdue);
      continue;
    }
    if (publish.parked) std::erase(state_->parked_with(publish), index);
    state_->drop(index);
  }
}

void MetadataTopic::broker_started(BrokerId broker, Duration consumer_delay) {
  elect_leaders(broker);
  state_->consumers.broker_started(broker, consumer_delay);
  for (std::uint32_t m = 0; m < partition_count(); ++m) state_->reconsider(MetadataPartition{m});
}

void MetadataTopic::elect_leaders(BrokerId back) {
  for (std::uint32_t m = 0; m < partition_count(); ++m) {
    MetadataLog& log = state_->logs[m];
    if (log.leader != BrokerId{0}) continue;
    const bool is_due = state_->kernel.now() >= log.leaderless_since + state_->scenario.cluster.failover;
    if (!is_due && log.last_leader != back) continue;
    for (BrokerId replica : log.replicas) {
      if (!state_->host.is_heard(replica)) continue;
      log.leader = replica;
      break;
    }
    if (log.leader != BrokerId{0}) state_->reconsider(MetadataPartition{m});
  }
}
BrokerId MetadataTopic::leader(MetadataPartition partition) const { return state_->logs[partition.value()].leader; }
MetadataPartition MetadataTopic::partition_of(PartitionNumber partition) const {
  return state_->partition_of[partition.value()];
}
std::uint32_t MetadataTopic::partition_count() const { return static_cast<std::uint32_t>(state_->logs.size()); }
std::int64_t MetadataTopic::record_count() const { return state_->record_count; }

}  // namespace sim
