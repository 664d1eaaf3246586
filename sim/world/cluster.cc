#include "sim/world/cluster.h"

#include <algorithm>

#include "sim/scenario/option_values.h"

namespace sim {

Cluster::Cluster(Kernel& kernel, Trace& trace, Network& network, ClusterHost& host, const Scenario& scenario, Seed seed,
                 std::vector<PartitionSettings> partitions)
    : kernel_(kernel),
      trace_(trace),
      network_(network),
      host_(host),
      scenario_(scenario),
      seed_(seed),
      topics_(scenario.topics),
      is_up_(scenario.brokers.size(), true),
      is_silent_(scenario.brokers.size()),
      is_leaving_(scenario.brokers.size()) {
  for (PartitionSettings& settings : partitions) partitions_.emplace_back().settings = std::move(settings);
}

void Cluster::place(PartitionNumber number, const UnifiedLog& log, LeaderEpoch epoch) {
  Partition& partition = at(number);
  partition.replicas.assign(partition.settings.replicas.size(), Replica{log});
  partition.leader = partition.last_leader = partition.settings.replicas.front();
  partition.epoch = epoch;
  if (partition.settings.incarnation > 0) {
    partition.leader = BrokerId{0};
    partition.epoch = LeaderEpoch{-1};
    partition.is_deleted = true;
  }
  const LogSegment& active = log.active_segment();
  partition.in_active = active.next_offset - active.base_offset;
  partition.active_since = active.largest_timestamp;
}

void Cluster::begin() {
  for (Partition& partition : partitions_) {
    if (partition.is_deleted) continue;
    trace_.emit(kernel_.now(), LeaderChanged{number_of(partition), partition.leader, partition.epoch});
    start_producing(partition);
  }
  if (scenario_.cluster.auto_leader_rebalance_enable) {
    kernel_.schedule_after<&Cluster::rebalance>(scenario_.cluster.leader_imbalance_check_interval, this);
  }
}

bool Cluster::is_growing(PartitionNumber number) const {
  const Partition& partition = partitions_[number.value()];
  return partition.leader != BrokerId{0} && !partition.leader_is_silent && topic(number).produce > Bytes{0};
}

// Record k (from 1) arrives k * record.bytes / produce seconds after the producer began, rounded up to a microsecond.

SimTime Cluster::time_of_record(const Partition& partition, std::int64_t record) const {
  const TopicScenario& topic = topics_[partition.settings.topic];
  const auto bytes = static_cast<__int128>(record) * topic.record_bytes.value() * 1'000'000;
  const auto microseconds = (bytes + topic.produce.value() - 1) / topic.produce.value();
  return partition.produced_from + Duration{static_cast<std::int64_t>(microseconds)};
}

std::int64_t Cluster::records_by(const Partition& partition, SimTime time) const {
  const TopicScenario& topic = topics_[partition.settings.topic];
  const auto bytes = static_cast<__int128>((time - partition.produced_from).count()) * topic.produce.value();
  return static_cast<std::int64_t>(bytes / (static_cast<__int128>(topic.record_bytes.value()) * 1'000'000));
}

std::int64_t Cluster::records_of_segment(const Partition& partition) const {
  const TopicScenario& topic = topics_[partition.settings.topic];
  return std::max<std::int64_t>(1, topic.options.segment_bytes.value() / topic.record_bytes.value());
}

Duration Cluster::time_of_segment(const Partition& partition) const {
  const TopicOptions& options = topics_[partition.settings.topic].options;
  const Duration most = std::min(options.segment_jitter, options.segment_time);
  if (most <= Duration{0}) return options.segment_time;
  const auto leader =
      std::find(partition.settings.replicas.begin(), partition.settings.replicas.end(), partition.leader);
  const auto& log = partition.replicas[static_cast<std::size_t>(leader - partition.settings.replicas.begin())].log;
  const std::uint64_t draw =
      keyed_draw(seed_, "segment-jitter", number_of(partition), log.active_segment().base_offset);
  return options.segment_time - uniform(draw, Duration{0}, most - Duration{1});
}

void Cluster::append_until(Partition& partition, std::int64_t produced) {
  const std::int64_t count = produced - partition.produced;
  if (count <= 0) return;
  const TopicScenario& topic = topics_[partition.settings.topic];
  const SimTime timestamp = time_of_record(partition, produced);
  if (partition.in_active == 0) partition.active_since = time_of_record(partition, partition.produced + 1);
  partition.produced = produced;
  partition.in_active += count;
  for (Replica& replica : partition.replicas) {
    if (!replica.in_sync) continue;
    replica.log.append(count, count * topic.record_bytes, timestamp);
    replica.log.set_high_watermark(replica.log.log_end_offset());
  }
}

UnifiedLog& Cluster::log(BrokerId broker, PartitionNumber number) {
  Partition& partition = at(number);
  if (is_growing(number)) {
    // A full segment waits for the record that rolls it: that is an event of its own.
    const std::int64_t room = partition.produced + records_of_segment(partition) - partition.in_active;
    append_until(partition, std::min(room, records_by(partition, kernel_.now())));
  }
  Replica* found = replica(partition, broker);
  CHECK(found != nullptr, "broker {} does not replicate partition {}", broker, number);
  return found->log;
}

Cluster::Replica* Cluster::replica(Partition& partition, BrokerId broker) {
  const auto& replicas = partition.settings.replicas;
  const auto found = std::find(replicas.begin(), replicas.end(), broker);
  return found == replicas.end() ? nullptr : &partition.replicas[static_cast<std::size_t>(found - replicas.begin())];
}

void Cluster::start_producing(Partition& partition) {
  if (topics_[partition.settings.topic].produce <= Bytes{0}) return;
  partition.produced_from = kernel_.now();
  partition.produced = 0;
  schedule_roll(partition);
}

void Cluster::stop_producing(Partition& partition) {
  // Nobody writes to a leader that the controller has lost.
  if (partition.leader_is_silent || topics_[partition.settings.topic].produce <= Bytes{0}) return;
  const std::int64_t room = partition.produced + records_of_segment(partition) - partition.in_active;
  append_until(partition, std::min(room, records_by(partition, kernel_.now())));
  kernel_.cancel(partition.next_roll);
}

void Cluster::schedule_roll(Partition& partition) {
  // The first record that does not fit, or that comes too late, begins a new segment.
  const std::int64_t full = partition.produced + records_of_segment(partition) - partition.in_active;
  const SimTime since =
      partition.in_active > 0 ? partition.active_since : time_of_record(partition, partition.produced + 1);
  const std::int64_t old = records_by(partition, since + time_of_segment(partition));
  const std::int64_t last = std::max(std::min(full, old), partition.produced + (partition.in_active == 0 ? 1 : 0));
  partition.next_roll = kernel_.schedule_at<&Cluster::roll>(
      std::max(time_of_record(partition, last + 1), kernel_.now()), this, number_of(partition).value());
}

void Cluster::roll(std::uint64_t argument) {
  const PartitionNumber number{static_cast<std::uint32_t>(argument)};
  Partition& partition = at(number);
  partition.next_roll = {};
  // All but the record that has just arrived are in the segment that closes; of several in one microsecond those that
  // fit.
  const std::int64_t full = partition.produced + records_of_segment(partition) - partition.in_active;
  append_until(partition, std::min(full, records_by(partition, kernel_.now()) - 1));
  const auto held_by = [](const UnifiedLog& log) {
    return log.active_segment().next_offset - log.active_segment().base_offset;
  };
  const std::int64_t held = held_by(replica(partition, partition.leader)->log);
  const bool is_younger = held < partition.in_active;
  for (Replica& replica : partition.replicas) {
    if (replica.in_sync && (!is_younger || held_by(replica.log) >= partition.in_active))
      replica.log.roll(kernel_.now());
  }
  if (is_younger) {
    // Local retention has rolled the leader's log since (facts 8.3): its active segment is not full yet.
    partition.in_active = held;
    if (held < partition.produced) partition.active_since = time_of_record(partition, partition.produced - held + 1);
    return schedule_roll(partition);
  }
  partition.in_active = 0;
  append_until(partition, partition.produced + 1);
  const auto& segments = log(partition.leader, number).segments();
  const LogSegment& closed = segments[segments.size() - 2];
  trace_.emit(kernel_.now(), SegmentRolled{number, closed.base_offset, closed.next_offset, closed.size});
  for (std::size_t i = 0; i < partition.replicas.size(); ++i) {
    if (partition.replicas[i].in_sync) host_.log_changed(partition.settings.replicas[i], number);
  }
  schedule_roll(partition);
}

void Cluster::log_start_raised(BrokerId by, PartitionNumber number) {
  Partition& partition = at(number);
  if (by != partition.leader) return;
  const Offset start = log(by, number).log_start_offset();
  for (std::size_t i = 0; i < partition.replicas.size(); ++i) {
    const BrokerId broker = partition.settings.replicas[i];
    if (broker == by || !partition.replicas[i].in_sync) continue;
    (void)partition.replicas[i].log.maybe_increment_log_start_offset(start);
  }
}

bool Cluster::reaches_leader(const Partition& partition, BrokerId broker) const {
  if (partition.leader == BrokerId{0} || !is_up(broker) || is_silent_[at(broker)]) return false;
  if (partition.leader == broker) return true;
  const Node a = Node::broker(partition.leader);
  const Node b = Node::broker(broker);
  return network_.is_open(a, b) && network_.is_open(b, a);
}

void Cluster::lead(Partition& partition, BrokerId leader) {
  const PartitionNumber number = number_of(partition);
  const BrokerId old = partition.leader;
  if (old != BrokerId{0}) stop_producing(partition);
  partition.leader = partition.last_leader = leader;
  partition.leader_is_silent = false;
  partition.epoch = LeaderEpoch{partition.epoch.value() + 1};
  // Before anybody looks at the log: nothing arrived while nobody led.
  start_producing(partition);
  for (std::size_t i = 0; i < partition.replicas.size(); ++i) {
    Replica& replica = partition.replicas[i];
    const BrokerId broker = partition.settings.replicas[i];
    if (!reaches_leader(partition, broker)) {
      // The last one in sync stays so while it is down: nobody else may lead without it.
      if (broker != leader) replica.in_sync = false;
      continue;
    }
    if (!replica.in_sync) catch_up(partition, replica, broker);
    replica.log.leader_epochs().assign(partition.epoch, replica.log.log_end_offset());
    if (broker != leader) host_.log_changed(broker, number);
  }
  trace_.emit(kernel_.now(), LeaderChanged{number, leader, partition.epoch});
  host_.leader_moved(number, old, leader, partition.epoch);
}

void Cluster::catch_up(Partition& partition, Replica& replica, BrokerId broker) {
  const UnifiedLog& leader_log = log(partition.leader, number_of(partition));
  const Offset highest = replica.log.highest_offset_in_remote_storage();
  replica.log = leader_log;
  replica.log.forget_highest_offset_in_remote_storage();
  replica.log.update_highest_offset_in_remote_storage(highest);
  replica.in_sync = true;
  host_.log_changed(broker, number_of(partition));
}

std::vector<PartitionNumber> Cluster::create_topic(std::uint32_t topic) {
  std::vector<PartitionNumber> created;
  std::uint32_t incarnation = 0;
  for (const Partition& partition : partitions_) {
    if (partition.settings.topic != topic) continue;
    if (!partition.is_deleted) return {};
    // Those that were there have had a leader.
    if (partition.epoch < LeaderEpoch{0} && incarnation == 0) incarnation = partition.settings.incarnation;
  }
  if (incarnation == 0) return {};
  for (Partition& partition : partitions_) {
    if (partition.settings.topic != topic || partition.settings.incarnation != incarnation) continue;
    partition.is_deleted = false;
    partition.leaderless_since = kernel_.now();
    created.push_back(number_of(partition));
    const auto& replicas = partition.settings.replicas;
    const auto first = std::find_if(replicas.begin(), replicas.end(), [this](BrokerId id) { return may_lead(id); });
    if (first != replicas.end()) lead(partition, *first);
  }
  return created;
}

void Cluster::delete_topic(std::uint32_t topic) {
  for (Partition& partition : partitions_) {
    if (partition.settings.topic != topic || partition.is_deleted) continue;
    const PartitionNumber number = number_of(partition);
    const BrokerId leader = partition.leader;
    // Whatever has arrived by now counts.
    if (leader != BrokerId{0}) stop_producing(partition);
    partition.leader = BrokerId{0};
    partition.is_deleted = true;
    const Offset end = log(partition.last_leader, number).log_end_offset();
    for (Replica& replica : partition.replicas) {
      replica.log = UnifiedLog{replica.log.log_end_offset(), partition.epoch, kernel_.now()};
    }
    trace_.emit(kernel_.now(), PartitionDeleted{number, leader, end});
    host_.partition_deleted(number, leader);
  }
}

void Cluster::change_topic(std::uint32_t topic, std::string_view key, std::string_view value) {
  const SetOutcome outcome = set_option(topics_[topic].options, key, value);
  CHECK(outcome.known && !outcome.error, "{}={}", key, value);
  // Views that the trace keeps: the plan's, which lives as long as the world.
  trace_.emit(kernel_.now(), TopicChanged{topic, key, value});
  for (Partition& partition : partitions_) {
    if (partition.settings.topic != topic || partition.is_deleted) continue;
    if (is_growing(number_of(partition))) {
      (void)log(partition.leader, number_of(partition));
      kernel_.cancel(partition.next_roll);
      schedule_roll(partition);
    }
    for (const BrokerId broker : partition.settings.replicas) {
      if (is_up(broker)) host_.log_changed(broker, number_of(partition));
    }
  }
}

void Cluster::broker_died(BrokerId broker) {
  is_up_[at(broker)] = false;
  is_leaving_[at(broker)] = false;
  for (Partition& partition : partitions_) {
    Replica* dead = replica(partition, broker);
    if (dead == nullptr || partition.is_deleted) continue;
    if (partition.leader == broker) {
      stop_producing(partition);
      partition.leader = BrokerId{0};
      if (!partition.leader_is_silent) partition.leaderless_since = kernel_.now();
      partition.leader_is_silent = false;
      trace_.emit(kernel_.now(), LeaderChanged{number_of(partition), BrokerId{0}, partition.epoch});
    }
    if (partition.leader != BrokerId{0}) (void)log(partition.leader, number_of(partition));
    const auto others = std::count_if(partition.replicas.begin(), partition.replicas.end(),
                                      [&](const Replica& other) { return &other != dead && other.in_sync; });
    if (others > 0) dead->in_sync = false;
  }
  kernel_.schedule_after<&Cluster::elect_leaders>(scenario_.cluster.failover, this);
}

void Cluster::broker_started(BrokerId broker) {
  is_up_[at(broker)] = true;
  for (Partition& partition : partitions_) {
    Replica* back = replica(partition, broker);
    if (back == nullptr || partition.is_deleted) continue;
    // Not persisted (facts 8.2).
    back->log.forget_highest_offset_in_remote_storage();
    if (partition.leader == BrokerId{0}) continue;
    if (reaches_leader(partition, broker)) catch_up(partition, *back, broker);
  }
  elect_leaders(static_cast<std::uint64_t>(broker.value()));
}

void Cluster::elect_leaders(std::uint64_t back) {
  for (Partition& partition : partitions_) {
    const bool is_led = partition.leader != BrokerId{0} && !partition.leader_is_silent;
    if (is_led || partition.is_deleted) continue;
    const bool is_due = kernel_.now() >= partition.leaderless_since + scenario_.cluster.failover;
    if (!is_due && partition.last_leader != BrokerId{static_cast<std::int32_t>(back)}) continue;
    for (std::size_t i = 0; i < partition.replicas.size(); ++i) {
      const BrokerId candidate = partition.settings.replicas[i];
      if (!partition.replicas[i].in_sync || !may_lead(candidate)) continue;
      lead(partition, candidate);
      break;
    }
  }
}

void Cluster::link_changed(BrokerId a, BrokerId b) {
  for (Partition& partition : partitions_) {
    if (partition.leader_is_silent || (partition.leader != a && partition.leader != b)) continue;
    const BrokerId other = partition.leader == a ? b : a;
    Replica* follower = replica(partition, other);
    if (follower == nullptr) continue;
    const bool reaches = reaches_leader(partition, other);
    if (!reaches && follower->in_sync) {
      (void)log(partition.leader, number_of(partition));
      follower->in_sync = false;
    } else if (reaches && !follower->in_sync) {
      catch_up(partition, *follower, other);
    }
  }
}

bool Cluster::move_leader(PartitionNumber number, BrokerId to) {
  Partition& partition = at(number);
  if (partition.leader == BrokerId{0}) return false;
  const auto& replicas = partition.settings.replicas;
  const auto leader =
      static_cast<std::size_t>(std::find(replicas.begin(), replicas.end(), partition.leader) - replicas.begin());
  for (std::size_t step = 1; step < replicas.size(); ++step) {
    const std::size_t i = (leader + step) % replicas.size();
    if (to != BrokerId{0} && replicas[i] != to) continue;
    if (!partition.replicas[i].in_sync || !may_lead(replicas[i])) continue;
    lead(partition, replicas[i]);
    return true;
  }
  return false;
}

bool Cluster::elect_preferred_leader(PartitionNumber number) {
  const BrokerId preferred = at(number).settings.replicas.front();
  return at(number).leader != preferred && move_leader(number, preferred);
}

bool Cluster::elect_uncleanly(PartitionNumber number, BrokerId to, Bytes missing) {
  Partition& partition = at(number);
  if (partition.is_deleted) return false;
  const auto& replicas = partition.settings.replicas;
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    if (replicas[i] == partition.leader || !may_lead(replicas[i])) continue;
    if (to != BrokerId{0} && replicas[i] != to) continue;
    const bool is_better = chosen && partition.replicas[*chosen].in_sync && !partition.replicas[i].in_sync;
    if (!chosen || is_better) chosen = i;
  }
  if (!chosen) return false;
  // What had arrived by now is in every log in sync.
  if (partition.leader != BrokerId{0}) (void)log(partition.leader, number);
  Replica& replica = partition.replicas[*chosen];
  if (replica.in_sync) {
    const std::int64_t records = missing.value() / topic(number).record_bytes.value();
    const Offset end{std::max(replica.log.log_end_offset().value() - records, replica.log.log_start_offset().value())};
    replica.log.truncate_to(end);
  }
  replica.log.set_high_watermark(replica.log.log_end_offset());
  if (partition.leader != BrokerId{0}) stop_producing(partition);
  const LogSegment& active = replica.log.active_segment();
  partition.in_active = active.next_offset - active.base_offset;
  partition.active_since = std::min(partition.active_since, active.largest_timestamp);
  // Whoever follows takes this history over, be it shorter than its own.
  for (Replica& other : partition.replicas) other.in_sync = false;
  // Its records are counted already, and the new leader's log is another one.
  partition.leader_is_silent = true;
  lead(partition, replicas[*chosen]);
  return true;
}

void Cluster::hand_over(BrokerId broker) {
  is_leaving_[at(broker)] = true;
  for (const Partition& partition : partitions_) {
    if (partition.leader == broker) move_leader(number_of(partition), BrokerId{0});
  }
}

bool Cluster::may_lead(BrokerId broker) const {
  return is_up(broker) && !is_silent_[at(broker)] && !is_leaving_[at(broker)];
}

void Cluster::fell_silent(BrokerId broker) {
  is_silent_[at(broker)] = true;
  if (!is_up(broker)) return;
  for (Partition& partition : partitions_) {
    Replica* silent = replica(partition, broker);
    if (silent == nullptr || partition.leader == BrokerId{0}) continue;
    if (partition.leader == broker) {
      stop_producing(partition);
      partition.leader_is_silent = true;
      partition.leaderless_since = kernel_.now();
    } else if (!partition.leader_is_silent && silent->in_sync) {
      (void)log(partition.leader, number_of(partition));
      silent->in_sync = false;
    }
  }
  kernel_.schedule_after<&Cluster::elect_leaders>(scenario_.cluster.failover, this);
}

void Cluster::is_heard_again(BrokerId broker) {
  is_silent_[at(broker)] = false;
  if (!is_up(broker)) return;
  for (Partition& partition : partitions_) {
    if (replica(partition, broker) == nullptr || partition.leader == BrokerId{0}) continue;
    if (partition.leader != broker) {
      Replica& follower = *replica(partition, broker);
      if (!follower.in_sync && reaches_leader(partition, broker)) catch_up(partition, follower, broker);
      continue;
    }
    // Nobody else came to lead: it goes on.
    partition.leader_is_silent = false;
    start_producing(partition);
    for (std::size_t i = 0; i < partition.replicas.size(); ++i) {
      const BrokerId other = partition.settings.replicas[i];
      const bool reaches = reaches_leader(partition, other);
      if (reaches && !partition.replicas[i].in_sync) catch_up(partition, partition.replicas[i], other);
      if (!reaches) partition.replicas[i].in_sync = false;
    }
    host_.log_changed(broker, number_of(partition));
  }
  elect_leaders(static_cast<std::uint64_t>(broker.value()));
}

bool Cluster::delete_records(PartitionNumber number, std::optional<Offset> before) {
  const BrokerId leader = at(number).leader;
  if (leader == BrokerId{0}) return false;
  UnifiedLog& leader_log = log(leader, number);
  const Offset start_before = leader_log.log_start_offset();
  // Above the high watermark it is OffsetOutOfRangeException.
  if (!leader_log.maybe_increment_log_start_offset(before.value_or(leader_log.high_watermark()))) return false;
  if (leader_log.log_start_offset() == start_before) return false;
  trace_.emit(kernel_.now(), RecordsDeleted{number, leader, leader_log.log_start_offset()});
  log_start_raised(leader, number);
  host_.log_changed(leader, number);
  return true;
}

void Cluster::rebalance() {
  for (const Partition& partition : partitions_) elect_preferred_leader(number_of(partition));
  kernel_.schedule_after<&Cluster::rebalance>(scenario_.cluster.leader_imbalance_check_interval, this);
}

}  // namespace sim
