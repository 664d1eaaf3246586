#include <span>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

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

// What -1 means is the version's: pool_sizes says it.
BOOST_AUTO_TEST_CASE(a_pool_of_minus_one_is_taken_as_it_is) {
  const auto scenario = read(
      minimal + "[broker]\nremote.log.manager.copier.thread.pool.size=-1\nremote.log.manager.thread.pool.size=7\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->brokers.at(0).manager.copier_thread_pool_size.value() == -1);
  BOOST_TEST(scenario->brokers.at(0).manager.thread_pool_size.value() == 7);
  BOOST_TEST(!scenario->brokers.at(0).manager.expiration_thread_pool_size.has_value());
}

/// A key of facts 10 with Kafka's default, and whether it does something here.
struct KafkaKey {
  std::string_view name;
  std::string_view value;
  bool has_effect = false;
};

/// Reads all keys in one section; those without effect give a note each, in order.
void check_keys(const std::string& before, std::span<const KafkaKey> keys) {
  std::string text = before;
  std::vector<std::string> without_effect;
  for (const KafkaKey& key : keys) {
    text += fmt::format("{}={}\n", key.name, key.value);
    if (!key.has_effect) without_effect.emplace_back(key.name);
  }
  const auto scenario = read(text);
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_REQUIRE(scenario->notes.size() == without_effect.size());
  for (std::size_t i = 0; i < without_effect.size(); ++i) {
    const std::string name = without_effect[i].substr(without_effect[i].starts_with("rlmm.config.") ? 12 : 0);
    BOOST_TEST(scenario->notes[i].ends_with(fmt::format("Kafka's '{}' has no effect here", name)));
  }
}

// Facts 10.1.
BOOST_AUTO_TEST_CASE(every_broker_key_of_tiered_storage_is_taken) {
  constexpr KafkaKey keys[] = {
      {"remote.log.storage.system.enable", "true", true},
      {"remote.log.storage.manager.class.name", "org.example.Rsm"},
      {"remote.log.storage.manager.class.path", "/opt/rsm/*"},
      {"remote.log.storage.manager.impl.prefix", "rsm.config."},
      {"remote.log.metadata.manager.class.name", "TopicBasedRemoteLogMetadataManager"},
      {"remote.log.metadata.manager.class.path", ""},
      {"remote.log.metadata.manager.impl.prefix", "rlmm.config."},
      {"remote.log.metadata.manager.listener.name", "PLAINTEXT"},
      {"remote.log.metadata.custom.metadata.max.bytes", "128", true},
      {"remote.log.index.file.cache.total.size.bytes", "1073741824"},
      {"remote.log.manager.thread.pool.size", "2", true},
      {"remote.log.manager.copier.thread.pool.size", "-1", true},
      {"remote.log.manager.expiration.thread.pool.size", "10", true},
      {"remote.log.manager.follower.thread.pool.size", "2", true},
      {"remote.log.manager.task.interval.ms", "30000", true},
      {"remote.log.manager.task.retry.backoff.ms", "500"},
      {"remote.log.manager.task.retry.backoff.max.ms", "30000"},
      {"remote.log.manager.task.retry.jitter", "0.2"},
      {"remote.log.reader.threads", "10"},
      {"remote.log.reader.max.pending.tasks", "100"},
      {"remote.log.manager.copy.max.bytes.per.second", "9223372036854775807", true},
      {"remote.log.manager.copy.quota.window.num", "11", true},
      {"remote.log.manager.copy.quota.window.size.seconds", "1", true},
      {"remote.log.manager.fetch.max.bytes.per.second", "9223372036854775807"},
      {"remote.log.manager.fetch.quota.window.num", "11"},
      {"remote.log.manager.fetch.quota.window.size.seconds", "1"},
      {"remote.fetch.max.wait.ms", "500"},
      {"remote.list.offsets.request.timeout.ms", "30000"},
      {"log.local.retention.ms", "-2", true},
      {"log.local.retention.bytes", "-2", true},
      {"follower.fetch.last.tiered.offset.enable", "false"},
      {"log.retention.check.interval.ms", "300000", true},
      {"log.initial.task.delay.ms", "30000", true},
      {"log.roll.jitter.ms", "0", true},
  };
  check_keys(minimal + "[broker]\n", keys);
}

// Facts 10.2: under the prefix in [broker], where a server.properties has them, and without it in [metadata].
BOOST_AUTO_TEST_CASE(every_key_of_the_metadata_manager_is_taken_in_both_sections) {
  constexpr KafkaKey keys[] = {
      {"remote.log.metadata.topic.num.partitions", "50", true},
      {"remote.log.metadata.topic.replication.factor", "3", true},
      {"remote.log.metadata.topic.retention.ms", "-1"},
      {"remote.log.metadata.consume.wait.ms", "120000", true},
      {"remote.log.metadata.initialization.retry.interval.ms", "100", true},
      {"remote.log.metadata.initialization.retry.max.timeout.ms", "120000", true},
      {"remote.log.metadata.common.client.security.protocol", "SSL"},
      {"remote.log.metadata.producer.linger.ms", "5"},
      {"remote.log.metadata.consumer.fetch.min.bytes", "1"},
  };
  check_keys(minimal + "[metadata]\n", keys);
  std::vector<std::string> names;
  for (const KafkaKey& key : keys) names.push_back(fmt::format("rlmm.config.{}", key.name));
  std::vector<KafkaKey> prefixed;
  for (std::size_t i = 0; i < names.size(); ++i) prefixed.push_back({names[i], keys[i].value, keys[i].has_effect});
  check_keys(minimal + "[broker]\n", prefixed);
  check_keys(minimal + "[metadata]\n", prefixed);
  const auto scenario = read(minimal + "[metadata]\nremote.log.metadata.consume.wait.ms=5000\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->brokers.at(2).manager.consume_wait == 5s));
}

// Facts 10.3.
BOOST_AUTO_TEST_CASE(every_topic_key_of_tiered_storage_is_taken) {
  constexpr KafkaKey keys[] = {
      {"remote.storage.enable", "true", true},
      {"remote.log.copy.disable", "false", true},
      {"remote.log.delete.on.disable", "false"},
      {"local.retention.ms", "-2", true},
      {"local.retention.bytes", "-2", true},
      {"retention.ms", "604800000", true},
      {"retention.bytes", "-1", true},
      {"segment.bytes", "1073741824", true},
      {"segment.ms", "604800000", true},
      {"segment.jitter.ms", "0", true},
      {"segment.index.bytes", "10485760"},
      {"file.delete.delay.ms", "60000"},
      {"remote.copy.lag.ms", "0"},
      {"remote.copy.lag.bytes", "0"},
      {"cleanup.policy", "delete"},
  };
  check_keys(minimal, keys);
}

BOOST_AUTO_TEST_CASE(the_copy_quota_is_bytes_a_second) {
  const auto scenario = read(minimal +
                             "[broker]\nremote.log.manager.copy.max.bytes.per.second=10485760\n"
                             "remote.log.manager.copy.quota.window.size.seconds=2\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->brokers.at(0).manager.copy_max_bytes_per_second == 10_MiB));
  BOOST_TEST((scenario->brokers.at(0).manager.copy_quota_window_size == 2s));
}

// Facts 10.3: without copies the local limits can only be the total ones.
BOOST_AUTO_TEST_CASE(disabled_copies_forbid_local_limits_of_their_own) {
  const std::string disabled = minimal + "remote.log.copy.disable=true\n";
  BOOST_TEST(read(disabled).has_value());
  BOOST_TEST(read(disabled + "retention.ms=7200000\nlocal.retention.ms=7200000\n").has_value());
  CHECK_COMPLAINT(read(disabled + "local.retention.ms=3600000\n"), "world.ini:8: [topic.orders] local.retention.ms",
                  "-2 or the same as the total limit");
  CHECK_COMPLAINT(read(disabled + "retention.bytes=2048\nlocal.retention.bytes=1024\n"),
                  "world.ini:9: [topic.orders] local.retention.bytes", "-2 or the same as the total limit");
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
