#include "model/metrics.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "model/ports.h"

namespace model {
namespace {

BOOST_AUTO_TEST_SUITE(metrics)

BOOST_AUTO_TEST_CASE(mbeans_have_the_names_of_the_kip) {
  BOOST_TEST(broker_topic_metrics_mbean(dangling_remote_log_count, "T") ==
             "kafka.server:type=BrokerTopicMetrics,name=DanglingRemoteLogCount,topic=T");
  BOOST_TEST(broker_topic_metrics_mbean(dangling_remote_log_bytes, "a.b-c_d") ==
             "kafka.server:type=BrokerTopicMetrics,name=DanglingRemoteLogBytes,topic=a.b-c_d");
  BOOST_TEST(broker_topic_metrics_mbean(dangling_remote_log_count) ==
             "kafka.server:type=BrokerTopicMetrics,name=DanglingRemoteLogCount");
}

BOOST_AUTO_TEST_CASE(a_topic_sums_its_partitions_and_all_topics_sum_the_topics) {
  const std::vector<std::uint32_t> topic_of{0, 0, 1};
  DanglingMetrics metrics(topic_of, 2);
  BOOST_TEST(metrics.set(PartitionNumber{0}, {2, 20_MiB}));
  BOOST_TEST(metrics.set(PartitionNumber{1}, {1, 5_MiB}));
  BOOST_TEST(metrics.set(PartitionNumber{2}, {4, 1_MiB}));
  BOOST_TEST((metrics.partition(PartitionNumber{1}) == DanglingGauges{1, 5_MiB}));
  BOOST_TEST((metrics.topic(0) == DanglingGauges{3, 25_MiB}));
  BOOST_TEST((metrics.topic(1) == DanglingGauges{4, 1_MiB}));
  BOOST_TEST((metrics.all_topics() == DanglingGauges{7, 26_MiB}));
}

BOOST_AUTO_TEST_CASE(a_new_value_replaces_the_old_one_and_says_whether_it_differs) {
  const std::vector<std::uint32_t> topic_of{0, 0};
  DanglingMetrics metrics(topic_of, 1);
  BOOST_TEST(!metrics.set(PartitionNumber{0}, {}));
  BOOST_TEST(metrics.set(PartitionNumber{0}, {3, 30_MiB}));
  BOOST_TEST(!metrics.set(PartitionNumber{0}, {3, 30_MiB}));
  BOOST_TEST(metrics.set(PartitionNumber{0}, {1, 10_MiB}));
  BOOST_TEST((metrics.topic(0) == DanglingGauges{1, 10_MiB}));
  BOOST_TEST(metrics.remove(PartitionNumber{0}));
  BOOST_TEST(!metrics.remove(PartitionNumber{0}));
  BOOST_TEST((metrics.all_topics() == DanglingGauges{}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(ports)

BOOST_AUTO_TEST_CASE(each_task_step_has_a_name_of_its_own) {
  std::vector<std::string_view> names;
  for (int step = 0; step < task_step_count; ++step) names.push_back(to_string(static_cast<TaskStep>(step)));
  BOOST_TEST(names.front() == "none");
  BOOST_TEST(names[2] == "copy-upload");
  BOOST_TEST(names.back() == "retention-publish-dangling");
  std::sort(names.begin(), names.end());
  BOOST_TEST((std::adjacent_find(names.begin(), names.end()) == names.end()));
  BOOST_TEST(!names.front().empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace model
