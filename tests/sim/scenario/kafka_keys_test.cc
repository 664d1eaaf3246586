#include <boost/test/unit_test.hpp>

#include "sim/scenario/kafka_names.h"
#include "tests/sim/scenario/memory_files.h"

namespace sim {
namespace {

using namespace scenario_test;

BOOST_AUTO_TEST_SUITE(kafka_keys)

BOOST_AUTO_TEST_CASE(bare_numbers_mean_what_they_mean_in_kafka) {
  const auto scenario =
      read(minimal + "retention.ms=3600000\nsegment.bytes=1048576\nretention.bytes=-1\nlocal.retention.ms=-2\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  const TopicOptions& options = scenario->topics.at(0).options;
  BOOST_TEST((options.retention_time == 1h));
  BOOST_TEST((options.segment_bytes == 1_MiB));
  BOOST_TEST((options.retention_bytes == Bytes{-1}));
  BOOST_TEST((options.local_retention_time == -2ms));
}

BOOST_AUTO_TEST_CASE(our_units_are_taken_too) {
  const auto scenario = read(minimal + "retention.ms=7d\nsegment.bytes=128MiB\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->topics.at(0).options.retention_time == 168h));
}

BOOST_AUTO_TEST_CASE(a_pasted_describe_line_loses_its_tail) {
  const auto scenario =
      read(minimal +
           "  retention.ms=604800000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=604800000}\n"
           "  cleanup.policy=delete sensitive=false synonyms={DEFAULT_CONFIG:log.cleanup.policy=delete}\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->topics.at(0).options.retention_time == 168h));
  BOOST_REQUIRE(scenario->notes.size() == 1U);
  BOOST_TEST(scenario->notes[0] == "world.ini:8: Kafka's 'cleanup.policy' has no effect here");
}

BOOST_AUTO_TEST_CASE(a_pasted_server_properties_is_read_with_notes) {
  const auto scenario =
      read(minimal +
           "[broker]\nprocess.roles=broker,controller\nlisteners=PLAINTEXT://:9092\nlog.dirs=/var/lib/kafka\n"
           "log.retention.hours=24\nlog.segment.bytes=134217728\nauto.leader.rebalance.enable=false\n"
           "remote.log.storage.system.enable=true\nrsm.config.storage.bucket.name=b\n"
           "rlmm.config.remote.log.metadata.topic.num.partitions=5\nremote.log.manager.task.interval.ms=5000\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->notes.size() == 4U);
  BOOST_TEST((scenario->topics.at(0).options.retention_time == 24h));
  BOOST_TEST((scenario->topics.at(0).options.segment_bytes == 128_MiB));
  BOOST_TEST(!scenario->cluster.auto_leader_rebalance_enable);
  BOOST_TEST(scenario->metadata.partitions == 5);
  BOOST_TEST((scenario->brokers.at(2).manager.task_interval == 5s));
}

BOOST_AUTO_TEST_CASE(a_brokers_default_gives_way_to_milliseconds_and_to_the_topic) {
  const std::string hours_and_ms = "[broker]\nlog.retention.hours=24\nlog.retention.ms=3600000\n";
  BOOST_TEST((read(minimal + hours_and_ms)->topics.at(0).options.retention_time == 1h));
  BOOST_TEST((read(minimal + "retention.ms = 3h\n" + hours_and_ms)->topics.at(0).options.retention_time == 3h));
  BOOST_TEST((read(minimal + "[broker]\nlog.retention.hours=-1\n")->topics.at(0).options.retention_time == -1ms));
  CHECK_COMPLAINT(read(minimal + "[broker.1]\nlog.retention.hours=24\n"), "world.ini:8: [broker.1] log.retention.hours",
                  "[broker] only");
}

BOOST_AUTO_TEST_CASE(a_pool_of_minus_one_is_as_large_as_the_common_one) {
  const auto scenario = read(
      minimal + "[broker]\nremote.log.manager.copier.thread.pool.size=-1\nremote.log.manager.thread.pool.size=7\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->brokers.at(0).manager.copier_thread_pool_size == 7);
}

BOOST_AUTO_TEST_CASE(kafkas_longest_retention_is_taken) {
  const auto scenario = read(minimal + "retention.ms=9223372036854775807\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->topics.at(0).options.retention_time == duration_max));
}

BOOST_AUTO_TEST_CASE(the_same_kafka_key_with_and_without_its_prefix_stands_twice) {
  CHECK_COMPLAINT(
      read(minimal +
           "[broker]\nrlmm.config.remote.log.metadata.consume.wait.ms=1\nremote.log.metadata.consume.wait.ms=2\n"),
      "world.ini:9: key 'remote.log.metadata.consume.wait.ms' of [broker] stands in line 8 too");
}

BOOST_AUTO_TEST_CASE(no_key_that_can_be_set_is_said_to_be_without_effect) {
  for (const KeyInfo& key : all_keys()) BOOST_TEST(!is_kafka_key_without_effect(key.name), key.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sim
