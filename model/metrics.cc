#include "model/metrics.h"

#include <fmt/format.h>

#include "model/check.h"

namespace model {

std::span<const MetricInfo> metrics() {
  static constexpr std::array<MetricInfo, metric_count> list{{
      {Metric::remote_copy_bytes_per_sec, "RemoteCopyBytesPerSec", "Log bytes of the copies that were finished."},
      {Metric::remote_copy_requests_per_sec, "RemoteCopyRequestsPerSec", "Uploads begun."},
      {Metric::remote_copy_errors_per_sec, "RemoteCopyErrorsPerSec",
       "Runs of the copy task that ended with an error; not those cancelled or interrupted."},
      {Metric::remote_delete_requests_per_sec, "RemoteDeleteRequestsPerSec",
       "Deletions of copies begun, after their announcement (not in kafka-3.6)."},
      {Metric::remote_delete_errors_per_sec, "RemoteDeleteErrorsPerSec",
       "Deletions of copies that the storage plug-in failed (not in kafka-3.6)."},
      {Metric::remote_copy_lag_bytes, "RemoteCopyLagBytes",
       "Bytes of closed segments on local disk alone, as last set (not in kafka-3.6)."},
      {Metric::remote_copy_lag_segments, "RemoteCopyLagSegments",
       "Closed segments on local disk alone, as last set (not in kafka-3.6)."},
      {Metric::remote_delete_lag_bytes, "RemoteDeleteLagBytes",
       "Bytes chosen for deletion and not deleted, in the present or last run (not in kafka-3.6)."},
      {Metric::remote_delete_lag_segments, "RemoteDeleteLagSegments",
       "Copies chosen for deletion and not deleted, in the present or last run (not in kafka-3.6)."},
      {Metric::remote_log_metadata_count, "RemoteLogMetadataCount",
       "Copies that the broker knows, in whatever state (not in kafka-3.6)."},
      {Metric::remote_log_size_bytes, "RemoteLogSizeBytes",
       "Log bytes of the copies that the broker knows; in kafka-4.3 of finished and deleting ones (not in kafka-3.6)."},
      {Metric::remote_log_size_computation_time, "RemoteLogSizeComputationTime",
       "Time spent adding up sizes: always 0, since thinking takes no simulated time."},
      {Metric::dangling_remote_log_count, "DanglingRemoteLogCount",
       "Segment copies in state DANGLING, as the KIP's gauge on one broker counts them."},
      {Metric::dangling_remote_log_bytes, "DanglingRemoteLogBytes",
       "Log bytes of the segment copies in state DANGLING, as the KIP's gauge sums them."},
  }};
  return list;
}

std::span<const ManagerMetricInfo> manager_metrics() {
  static constexpr std::array<ManagerMetricInfo, 3> list{{
      {ManagerMetric::tasks_avg_idle_percent, "RemoteLogManagerTasksAvgIdlePercent",
       "kafka.log.remote:type=RemoteLogManager,name=RemoteLogManagerTasksAvgIdlePercent", "Value",
       "Share of the copy tasks' threads without a run, from 0 to 1; in kafka-3.6 of the one pool."},
      {ManagerMetric::remote_copy_throttle_time_avg, "remote-copy-throttle-time-avg",
       "kafka.server:type=RemoteLogManager", "remote-copy-throttle-time-avg",
       "How long in ms the copy quota let copies wait in the last minute, each look counted (not in kafka-3.6)."},
      {ManagerMetric::remote_copy_throttle_time_max, "remote-copy-throttle-time-max",
       "kafka.server:type=RemoteLogManager", "remote-copy-throttle-time-max",
       "The longest of them (not in kafka-3.6)."},
  }};
  return list;
}

std::string broker_topic_metrics_mbean(std::string_view name, std::string_view topic) {
  if (topic.empty()) return fmt::format("kafka.server:type=BrokerTopicMetrics,name={}", name);
  return fmt::format("kafka.server:type=BrokerTopicMetrics,name={},topic={}", name, topic);
}

BrokerTopicMetrics::BrokerTopicMetrics(const std::vector<std::uint32_t>& topic_of, std::size_t topic_count)
    : topic_of_(topic_of), topics_(topic_count) {}

void BrokerTopicMetrics::add(PartitionNumber partition, Metric metric, std::int64_t difference) {
  CHECK(partition.value() < topic_of_.size(), "partition {} of {}", partition, topic_of_.size());
  topics_[topic_of_[partition.value()]][index_of(metric)] += difference;
  all_topics_[index_of(metric)] += difference;
}

void BrokerTopicMetrics::mark(PartitionNumber partition, Metric meter, std::int64_t amount) {
  CHECK(static_cast<std::size_t>(meter) < meter_count);
  add(partition, meter, amount);
}

bool BrokerTopicMetrics::set(PartitionNumber partition, PartitionGauges& gauges, Metric gauge, std::int64_t value) {
  std::int64_t& current = gauges.values_[PartitionGauges::index_of(gauge)];
  if (current == value) return false;
  add(partition, gauge, value - current);
  current = value;
  return true;
}

void BrokerTopicMetrics::remove(PartitionNumber partition, PartitionGauges& gauges) {
  for (std::size_t i = meter_count; i < metric_count; ++i) set(partition, gauges, static_cast<Metric>(i), 0);
}

}  // namespace model
