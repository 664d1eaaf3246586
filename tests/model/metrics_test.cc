#include "model/metrics.h"

#include <algorithm>
#include <array>

#include <boost/test/unit_test.hpp>

#include "model/ports.h"

namespace model {
namespace {

BOOST_AUTO_TEST_SUITE(metrics)

BOOST_AUTO_TEST_CASE(mbeans_have_the_names_of_the_kip) {
  BOOST_TEST(broker_topic_metrics_mbean("DanglingRemoteLogCount", "T") ==
             "kafka.server:type=BrokerTopicMetrics,name=DanglingRemoteLogCount,topic=T");
  BOOST_TEST(broker_topic_metrics_mbean("DanglingRemoteLogBytes", "a.b-c_d") ==
             "kafka.server:type=BrokerTopicMetrics,name=DanglingRemoteLogBytes,topic=a.b-c_d");
  BOOST_TEST(broker_topic_metrics_mbean("DanglingRemoteLogCount") ==
             "kafka.server:type=BrokerTopicMetrics,name=DanglingRemoteLogCount");
}

// Facts 9: meters show Count, gauges Value; the list is in the enum's order.
BOOST_AUTO_TEST_CASE(the_list_has_every_metric_of_the_facts) {
  std::string names;
  for (std::size_t i = 0; i < model::metrics().size(); ++i) {
    const MetricInfo& info = model::metrics()[i];
    BOOST_TEST(static_cast<std::size_t>(info.metric) == i);
    names += std::string{info.name} + " " + std::string{info.attribute()} + (info.is_of_kip() ? " kip, " : ", ");
  }
  BOOST_TEST(names ==
             "RemoteCopyBytesPerSec Count, RemoteCopyRequestsPerSec Count, RemoteCopyErrorsPerSec Count, "
             "RemoteDeleteRequestsPerSec Count, RemoteDeleteErrorsPerSec Count, RemoteCopyLagBytes Value, "
             "RemoteCopyLagSegments Value, RemoteDeleteLagBytes Value, RemoteDeleteLagSegments Value, "
             "RemoteLogMetadataCount Value, RemoteLogSizeBytes Value, RemoteLogSizeComputationTime Value, "
             "DanglingRemoteLogCount Value kip, DanglingRemoteLogBytes Value kip, ");
}

BOOST_AUTO_TEST_CASE(a_topic_sums_its_partitions_and_all_topics_sum_the_topics) {
  const std::vector<std::uint32_t> topic_of{0, 0, 1};
  BrokerTopicMetrics metrics(topic_of, 2);
  std::array<PartitionGauges, 3> gauges;
  const auto gauge = Metric::remote_copy_lag_bytes;
  for (std::uint32_t p = 0; p < 3; ++p) BOOST_TEST(metrics.set(PartitionNumber{p}, gauges[p], gauge, 10 * p + 1));
  BOOST_TEST(gauges[1].get(gauge) == 11);
  BOOST_TEST(metrics.topic(0, gauge) == 12);
  BOOST_TEST(metrics.topic(1, gauge) == 21);
  BOOST_TEST(metrics.all_topics(gauge) == 33);
  BOOST_TEST(metrics.all_topics(Metric::remote_delete_lag_bytes) == 0);
}

BOOST_AUTO_TEST_CASE(a_new_value_replaces_the_old_one_and_says_whether_it_differs) {
  const std::vector<std::uint32_t> topic_of{0, 0};
  BrokerTopicMetrics metrics(topic_of, 1);
  PartitionGauges gauges;
  const auto count = Metric::dangling_remote_log_count;
  BOOST_TEST(!metrics.set(PartitionNumber{0}, gauges, count, 0));
  BOOST_TEST(metrics.set(PartitionNumber{0}, gauges, count, 3));
  BOOST_TEST(!metrics.set(PartitionNumber{0}, gauges, count, 3));
  BOOST_TEST(metrics.set(PartitionNumber{0}, gauges, count, 1));
  BOOST_TEST((gauges.dangling() == DanglingGauges{1, 0_B}));
  BOOST_TEST(metrics.topic(0, count) == 1);
}

// Facts 9: removed on becoming follower or stop; meters go on.
BOOST_AUTO_TEST_CASE(a_removed_partition_takes_its_gauges_and_no_meter_with_it) {
  const std::vector<std::uint32_t> topic_of{0, 0};
  BrokerTopicMetrics metrics(topic_of, 1);
  std::array<PartitionGauges, 2> gauges;
  for (std::uint32_t p = 0; p < 2; ++p) {
    metrics.set(PartitionNumber{p}, gauges[p], Metric::remote_log_metadata_count, 5);
    metrics.set(PartitionNumber{p}, gauges[p], Metric::dangling_remote_log_bytes, 7);
    metrics.mark(PartitionNumber{p}, Metric::remote_copy_bytes_per_sec, 100);
  }
  metrics.remove(PartitionNumber{0}, gauges[0]);
  BOOST_TEST(metrics.all_topics(Metric::remote_log_metadata_count) == 5);
  BOOST_TEST(metrics.all_topics(Metric::dangling_remote_log_bytes) == 7);
  BOOST_TEST(metrics.topic(0, Metric::remote_copy_bytes_per_sec) == 200);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(ports)

BOOST_AUTO_TEST_CASE(each_task_step_has_a_name_of_its_own) {
  std::vector<std::string_view> names;
  for (int step = 0; step < task_step_count; ++step) names.push_back(to_string(static_cast<TaskStep>(step)));
  BOOST_TEST(names.front() == "none");
  BOOST_TEST(names[2] == "copy-upload");
  BOOST_TEST(names.back() == "adopt-publish-dangling");
  std::sort(names.begin(), names.end());
  BOOST_TEST((std::adjacent_find(names.begin(), names.end()) == names.end()));
  BOOST_TEST(!names.front().empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace model
