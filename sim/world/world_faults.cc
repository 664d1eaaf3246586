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

std::int32_t World::partition_count_of(std::string_view topic) const {
  return scenario_.topics[topic_number(topic)].partitions;
}

PartitionNumber World::partition(std::string_view topic, std::int32_t index) const {
  const std::uint32_t number = topic_number(topic);
  for (std::uint32_t p = 0; p < partition_count(); ++p) {
    if (topic_of(PartitionNumber{p}) == number && index_in_topic(PartitionNumber{p}) == index) {
      return PartitionNumber{p};
    }
  }
  CHECK(false, "{}-{}", topic, index);
}

std::vector<PartitionNumber> World::all_partitions() const {
  std::vector<PartitionNumber> partitions;
  for (std::uint32_t p = 0; p < partition_count(); ++p) partitions.push_back(PartitionNumber{p});
  return partitions;
}

void World::hit_if(bool has_changed_something) const {
  if (has_changed_something) faults_->hit(faults_->acting());
}

void World::shift_clock(BrokerId id, Duration by) { broker(id).shift_clock(by); }

void World::limit_copies(BrokerId id, std::optional<Bytes> bytes_per_second) {
  broker(id).limit_copies(bytes_per_second);
}

void World::delete_topic(std::string_view topic) { cluster_->delete_topic(topic_number(topic)); }

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
