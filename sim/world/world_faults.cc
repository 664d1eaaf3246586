// What faults do to brokers, partitions and the metadata topic.
#include <algorithm>

#include "sim/world/world.h"

namespace sim {

std::uint32_t World::topic_number(std::string_view topic) const {
  const auto& topics = scenario_.topics;
  const auto found =
      std::find_if(topics.begin(), topics.end(), [topic](const TopicScenario& entry) { return entry.name == topic; });
  CHECK(found != topics.end(), "{}", topic);
  return static_cast<std::uint32_t>(found - topics.begin());
}

std::vector<std::string_view> World::topic_names() const {
  std::vector<std::string_view> names;
  for (const TopicScenario& topic : scenario_.topics) names.emplace_back(topic.name);
  return names;
}

std::int32_t World::partition_count_of(std::string_view topic) const {
  return scenario_.topics[topic_number(topic)].partitions;
}

/// Of several incarnations the one that lives, or lived last.
PartitionNumber World::partition(std::string_view topic, std::int32_t index) const {
  const std::uint32_t number = topic_number(topic);
  std::optional<PartitionNumber> found;
  for (std::uint32_t p = 0; p < partition_count(); ++p) {
    const PartitionNumber partition{p};
    if (topic_of(partition) != number || index_in_topic(partition) != index) continue;
    if (!found || cluster_->epoch(partition) >= LeaderEpoch{0}) found = partition;
  }
  CHECK(found.has_value(), "{}-{}", topic, index);
  return *found;
}

std::vector<PartitionNumber> World::all_partitions() const {
  std::vector<PartitionNumber> partitions;
  for (std::uint32_t p = 0; p < partition_count(); ++p) partitions.push_back(PartitionNumber{p});
  return partitions;
}

void World::hit_if(bool has_changed_something) const {
  if (has_changed_something) faults_->hit(faults_->acting());
}

void World::cut(std::span<const Link> links) {
  std::vector<Link> changed;
  for (const Link& link : links) {
    if (network_.cut(link.from, link.to, faults_->acting())) changed.push_back(link);
  }
  // Who has lost the controller cannot put others out of sync any more.
  hit_if(note_isolation());
  for (const Link& link : changed) link_changed(link.from, link.to);
}

void World::restore(std::span<const Link> links) {
  std::vector<Link> changed;
  for (const Link& link : links) {
    if (network_.restore(link.from, link.to)) changed.push_back(link);
  }
  note_isolation();
  for (const Link& link : changed) link_changed(link.from, link.to);
}

void World::delay(std::span<const Link> links, Duration by) {
  for (const Link& link : links) {
    network_.delay(link.from, link.to, by, faults_->acting());
    if (link.from == Node::store() || link.to == Node::store()) continue;
    const BrokerId reader{link.to.number};
    if (by < Duration{0}) {
      // Who leads may have changed: what was added is what goes.
      std::erase_if(link_lags_, [&](const LinkLag& lag) {
        if (lag.link.from != link.from || lag.link.to != link.to || lag.by != -by) return false;
        lag_consumer(reader, lag.partition, by);
        return true;
      });
      continue;
    }
    for (std::uint32_t m = 0; m < metadata_partition_count(); ++m) {
      const MetadataPartition partition{m};
      if (metadata_->leader(partition) != BrokerId{link.from.number}) continue;
      lag_consumer(reader, partition, by);
      link_lags_.push_back({link, partition, by});
    }
  }
}

void World::link_changed(Node from, Node to) {
  if (from == Node::store() || to == Node::store()) {
    store_->link_was_cut(BrokerId{std::max(from.number, to.number)});
    return;
  }
  const BrokerId a{from.number};
  const BrokerId b{to.number};
  metadata_->link_changed(a, b);
  cluster_->link_changed(a, b);
}

bool World::is_in_minority(BrokerId id) const {
  const std::int32_t brokers = broker_count();
  std::int32_t reached = 0;
  for (std::int32_t other = 1; other <= brokers; ++other) {
    const Node a = Node::broker(id);
    const Node b = Node::broker(BrokerId{other});
    reached += network_.is_open(a, b) && network_.is_open(b, a) ? 1 : 0;
  }
  return 2 * reached < brokers;
}

/// True when somebody has lost the controller.
bool World::note_isolation() {
  bool has_lost_one = false;
  for (std::int32_t id = 1; id <= broker_count(); ++id) {
    Standing& its = standing(BrokerId{id});
    const bool is_isolated = is_in_minority(BrokerId{id});
    has_lost_one = has_lost_one || (is_isolated && !its.is_isolated);
    its.is_isolated = is_isolated;
    note_silence(BrokerId{id});
  }
  return has_lost_one;
}

void World::note_silence(BrokerId id) {
  Standing& its = standing(id);
  const bool is_silent = its.is_isolated || its.is_paused;
  if (is_silent == its.is_silent) return;
  its.is_silent = is_silent;
  if (is_silent) {
    broker(id).stop_hearing();
    cluster_->fell_silent(id);
    if (is_up(id)) metadata_->hearing_changed(id);
    kernel_.schedule_after<&World::elect_metadata_leaders>(scenario_.cluster.failover, this);
  } else {
    cluster_->is_heard_again(id);
    if (is_up(id)) metadata_->hearing_changed(id);
    broker(id).hear_again();
  }
}

void World::pause(BrokerId id) {
  if (!is_running(id)) return;
  hit_if(true);
  standing(id).is_paused = true;
  broker(id).pause();
  store_->stall(id);
  note_silence(id);
  metadata_->hearing_changed(id);
}

void World::resume(BrokerId id) {
  if (!standing(id).is_paused) return;
  standing(id).is_paused = false;
  broker(id).go_on();
  store_->go_on(id);
  note_silence(id);
  metadata_->hearing_changed(id);
}

void World::crash(BrokerId id) { die(id, faults_->acting()); }

void World::die(BrokerId id, FaultIndex fault) {
  if (!broker(id).is_up()) return;
  store_->close_uploads(id);
  trace_.emit(kernel_.now(), BrokerCrashed{id, fault});
  broker(id).crash();
  store_->broker_died(id);
  standing(id).is_paused = standing(id).is_leaving = false;
  metadata_->broker_died(id);
  cluster_->broker_died(id);
  note_silence(id);
  kernel_.schedule_after<&World::elect_metadata_leaders>(scenario_.cluster.failover, this);
}

void World::restart(BrokerId id) {
  if (standing(id).is_leaving) end_process(static_cast<std::uint64_t>(id.value()));
  if (broker(id).is_up()) return;
  broker(id).start();
  trace_.emit(kernel_.now(), BrokerStarted{id});
  register_version(id);
  if (standing(id).consumer_delay > Duration{0}) faults_->hit(standing(id).slow_starter);
  metadata_->broker_started(id, standing(id).consumer_delay);
  cluster_->broker_started(id);
  for (std::uint32_t p = 0; p < partition_count(); ++p) {
    const PartitionNumber partition{p};
    const auto all = replicas(partition);
    if (std::find(all.begin(), all.end(), id) == all.end() || cluster_->leader(partition) == id) continue;
    if (cluster_->is_deleted(partition)) continue;
    broker(id).become_follower(partition);
  }
}

void World::shut_down(BrokerId id, Duration handover) {
  if (!broker(id).is_up() || standing(id).is_leaving) return;
  hit_if(true);
  standing(id).is_leaving = true;
  standing(id).leaving_by = faults_->acting();
  cluster_->hand_over(id);
  metadata_->hand_over(id);
  kernel_.schedule_after<&World::end_process>(handover, this, static_cast<std::uint64_t>(id.value()));
}

void World::end_process(std::uint64_t argument) {
  const BrokerId id{static_cast<std::int32_t>(argument)};
  if (standing(id).is_leaving) die(id, standing(id).leaving_by);
}

void World::change_topic(std::string_view topic, std::string_view key, std::string_view value) {
  const std::uint32_t number = topic_number(topic);
  const bool copied_before = !cluster_->topic_options(number).remote_log_copy_disable;
  cluster_->change_topic(number, key, value);
  const bool copies_now = !cluster_->topic_options(number).remote_log_copy_disable;
  if (copies_now == copied_before) return;
  for (std::uint32_t p = 0; p < partition_count(); ++p) {
    const PartitionNumber partition{p};
    const BrokerId leader = cluster_->leader(partition);
    if (topic_of(partition) != number || leader == BrokerId{0} || !is_up(leader)) continue;
    if (!policy_of(leader).rules().local_log.copy_can_be_disabled) continue;
    if (copies_now) {
      broker(leader).become_leader(partition, cluster_->epoch(partition), Duration{0}, Duration{0});
    } else {
      broker(leader).stop_copying(partition);
    }
  }
}

void World::lose_metadata_records(MetadataPartition partition, Duration age) {
  metadata_->lose_newest(partition, age, faults_->acting());
}

void World::retain_metadata(MetadataPartition partition, std::optional<Duration> retention) {
  metadata_->retain(partition, retention, faults_->acting());
}

void World::slow_consumer_start(BrokerId id, Duration delay) {
  standing(id).consumer_delay = delay;
  standing(id).slow_starter = faults_->acting();
}

void World::elect_uncleanly(PartitionNumber partition, BrokerId to, Bytes missing) {
  hit_if(cluster_->elect_uncleanly(partition, to, missing));
}

void World::shift_clock(BrokerId id, Duration by) { broker(id).shift_clock(by); }

void World::limit_copies(BrokerId id, std::optional<Bytes> bytes_per_second) {
  broker(id).limit_copies(bytes_per_second);
}

void World::delete_topic(std::string_view topic) { cluster_->delete_topic(topic_number(topic)); }

void World::create_topic(std::string_view topic) {
  const std::vector<PartitionNumber> created = cluster_->create_topic(topic_number(topic));
  hit_if(!created.empty());
  for (const PartitionNumber partition : created) {
    for (const BrokerId replica : replicas(partition)) {
      if (is_up(replica) && replica != cluster_->leader(partition)) broker(replica).become_follower(partition);
    }
  }
}

void World::move_leader(PartitionNumber partition, BrokerId to) { hit_if(cluster_->move_leader(partition, to)); }

void World::elect_preferred_leader(PartitionNumber partition) { hit_if(cluster_->elect_preferred_leader(partition)); }

void World::delete_records(PartitionNumber partition, std::optional<Offset> before) {
  hit_if(cluster_->delete_records(partition, before));
}

void World::take_metadata(MetadataPartition partition) { metadata_->take(partition, faults_->acting()); }

void World::give_metadata_back(MetadataPartition partition) { metadata_->give_back(partition); }

void World::lag_consumer(BrokerId id, MetadataPartition partition, Duration lag) {
  metadata_->lag_consumer(id, partition, lag, faults_->acting());
}

}  // namespace sim
