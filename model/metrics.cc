#include "model/metrics.h"

#include <fmt/format.h>

#include "model/check.h"

namespace model {
namespace {

void replace(DanglingGauges& total, const DanglingGauges& before, const DanglingGauges& after) {
  total.count += after.count - before.count;
  total.bytes += after.bytes - before.bytes;
}

}  // namespace

std::string broker_topic_metrics_mbean(std::string_view name, std::string_view topic) {
  if (topic.empty()) return fmt::format("kafka.server:type=BrokerTopicMetrics,name={}", name);
  return fmt::format("kafka.server:type=BrokerTopicMetrics,name={},topic={}", name, topic);
}

DanglingMetrics::DanglingMetrics(const std::vector<std::uint32_t>& topic_of, std::size_t topic_count)
    : topic_of_(topic_of), partitions_(topic_of.size()), topics_(topic_count) {}

bool DanglingMetrics::set(PartitionNumber partition, DanglingGauges value) {
  CHECK(partition.value() < partitions_.size(), "partition {} of {}", partition, partitions_.size());
  DanglingGauges& current = partitions_[partition.value()];
  if (current == value) return false;
  replace(topics_[topic_of_[partition.value()]], current, value);
  replace(all_topics_, current, value);
  current = value;
  return true;
}

}  // namespace model
