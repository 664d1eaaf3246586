// Mirrors: BrokerTopicMetrics' two gauges that the KIP proposes: DanglingRemoteLogCount and DanglingRemoteLogBytes.
// Leaves out: Kafka's own meters and gauges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/types.h"

namespace model {

inline constexpr std::string_view dangling_remote_log_count = "DanglingRemoteLogCount";
inline constexpr std::string_view dangling_remote_log_bytes = "DanglingRemoteLogBytes";

/// `kafka.server:type=BrokerTopicMetrics,name=NAME,topic=TOPIC`; without a topic the all-topics MBean.
std::string broker_topic_metrics_mbean(std::string_view name, std::string_view topic = {});

struct DanglingGauges {
  std::int64_t count = 0;
  Bytes bytes;
  friend constexpr auto operator<=>(const DanglingGauges&, const DanglingGauges&) = default;
};

/// The KIP's gauges of one broker: a value a partition kept by the leader's tasks; a topic's value is the sum over its
/// partitions, the all-topics value the sum over topics.
class DanglingMetrics {
 public:
  /// `topic_of[p]` is the topic index of partition p.
  DanglingMetrics(const std::vector<std::uint32_t>& topic_of, std::size_t topic_count);

  /// Sets what the leader sees in its own cache; true when the value changed.
  bool set(PartitionNumber partition, DanglingGauges value);
  /// The broker became follower or stopped the partition; true when the value changed.
  bool remove(PartitionNumber partition) { return set(partition, {}); }

  DanglingGauges partition(PartitionNumber partition) const { return partitions_[partition.value()]; }
  DanglingGauges topic(std::uint32_t topic_index) const { return topics_[topic_index]; }
  DanglingGauges all_topics() const { return all_topics_; }

 private:
  const std::vector<std::uint32_t>& topic_of_;
  std::vector<DanglingGauges> partitions_;
  std::vector<DanglingGauges> topics_;
  DanglingGauges all_topics_;
};

}  // namespace model
