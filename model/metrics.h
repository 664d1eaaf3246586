// Mirrors: BrokerTopicMetrics and BrokerTopicStats: the meters and gauges of copies and expiration (facts 9), by
// Kafka's names; a RemoteLogManager's own MBeans; and the two gauges that the KIP proposes.
// Leaves out: the rates that a meter derives from its count and those of the quotas (RLMCopy, RLMFetch); what belongs
// to reads and followers, which the model lacks; percentages of limits (4.3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/types.h"

namespace model {

/// Meters first, then gauges; the KIP's last.
enum class Metric : std::uint8_t {
  remote_copy_bytes_per_sec,
  remote_copy_requests_per_sec,
  remote_copy_errors_per_sec,
  remote_delete_requests_per_sec,
  remote_delete_errors_per_sec,
  remote_copy_lag_bytes,
  remote_copy_lag_segments,
  remote_delete_lag_bytes,
  remote_delete_lag_segments,
  remote_log_metadata_count,
  remote_log_size_bytes,
  remote_log_size_computation_time,
  dangling_remote_log_count,
  dangling_remote_log_bytes,
};
inline constexpr std::size_t metric_count = 14;
inline constexpr std::size_t meter_count = 5;
inline constexpr std::size_t gauge_count = metric_count - meter_count;

struct MetricInfo {
  Metric metric;
  /// As in the MBean's name.
  std::string_view name;
  /// One line for `list metrics`.
  std::string_view help;

  bool is_meter() const { return static_cast<std::size_t>(metric) < meter_count; }
  /// Proposed by the KIP; Kafka has none of it.
  bool is_of_kip() const { return metric >= Metric::dangling_remote_log_count; }
  /// What of the MBean is told: a meter's `Count`, a gauge's `Value`.
  std::string_view attribute() const { return is_meter() ? "Count" : "Value"; }
};
/// All metrics, in the enum's order.
std::span<const MetricInfo> metrics();

/// `kafka.server:type=BrokerTopicMetrics,name=NAME,topic=TOPIC`; without a topic the all-topics MBean.
std::string broker_topic_metrics_mbean(std::string_view name, std::string_view topic = {});

/// What a broker's RemoteLogManager shows of itself, for all its topics.
enum class ManagerMetric : std::uint8_t {
  tasks_avg_idle_percent,
  remote_copy_throttle_time_avg,
  remote_copy_throttle_time_max,
};
struct ManagerMetricInfo {
  ManagerMetric metric;
  std::string_view name;
  std::string_view mbean;
  std::string_view attribute;
  /// One line for `list metrics`.
  std::string_view help;
};
/// All of them, in the enum's order.
std::span<const ManagerMetricInfo> manager_metrics();

/// The KIP's two gauges of one partition or of a sum.
struct DanglingGauges {
  std::int64_t count = 0;
  Bytes bytes;
  friend constexpr auto operator<=>(const DanglingGauges&, const DanglingGauges&) = default;
};

/// The gauges of one partition on one broker. Kafka's maps hold no entry for a partition that was removed; here it
/// reads as 0, which is the same in every sum.
class PartitionGauges {
 public:
  std::int64_t get(Metric gauge) const { return values_[index_of(gauge)]; }
  DanglingGauges dangling() const {
    return {get(Metric::dangling_remote_log_count), Bytes{get(Metric::dangling_remote_log_bytes)}};
  }

 private:
  friend class BrokerTopicMetrics;
  static constexpr std::size_t index_of(Metric gauge) { return static_cast<std::size_t>(gauge) - meter_count; }
  std::array<std::int64_t, gauge_count> values_{};
};

/// One broker's meters and gauges, by topic and over all topics: from 0 when its process starts. A gauge of a topic is
/// the sum over the partitions that this broker's tasks have set; the partitions' own values are kept with the tasks.
class BrokerTopicMetrics {
 public:
  /// `topic_of[p]` is the topic index of partition p.
  BrokerTopicMetrics(const std::vector<std::uint32_t>& topic_of, std::size_t topic_count);

  void mark(PartitionNumber partition, Metric meter, std::int64_t amount = 1);
  /// Sets one gauge of the partition whose values are `gauges`; true when it changed.
  bool set(PartitionNumber partition, PartitionGauges& gauges, Metric gauge, std::int64_t value);
  /// The broker became follower or stopped the partition.
  void remove(PartitionNumber partition, PartitionGauges& gauges);

  std::int64_t topic(std::uint32_t topic_index, Metric metric) const { return topics_[topic_index][index_of(metric)]; }
  std::int64_t all_topics(Metric metric) const { return all_topics_[index_of(metric)]; }

 private:
  using Values = std::array<std::int64_t, metric_count>;
  static constexpr std::size_t index_of(Metric metric) { return static_cast<std::size_t>(metric); }
  void add(PartitionNumber partition, Metric metric, std::int64_t difference);

  const std::vector<std::uint32_t>& topic_of_;
  std::vector<Values> topics_;
  Values all_topics_{};
};

}  // namespace model
