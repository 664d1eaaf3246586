// --broker-config and --topic-config: the texts that Kafka's owner has, in every form in which the tools print them
// (interfaces, scenario file: what can be pasted in).
#include "sim/scenario/kafka_config.h"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "tests/sim/scenario/memory_files.h"

namespace sim {
namespace {

using namespace scenario_test;

std::string lines_of(const std::vector<IniEntry>& entries) {
  std::string text;
  for (const IniEntry& entry : entries) {
    text += fmt::format("{} [{}] {} = {}\n", entry.origin.line, entry.section, entry.key, entry.value);
  }
  return text;
}

std::string joined(InputErrors& errors) {
  std::string text;
  for (const InputError& error : errors.take()) text += to_string(error) + "\n";
  return text;
}

std::string topics_of(const std::string& text) {
  InputErrors errors;
  const TopicConfigs configs = read_topic_config("topics.txt", text, errors);
  std::string all = joined(errors);
  for (const TopicConfig& topic : configs.topics) {
    all += fmt::format("{}: {}/{}\n", topic.name, topic.partitions.value_or(0), topic.replication_factor.value_or(0));
    all += lines_of(topic.entries);
  }
  for (const std::string& note : configs.notes) all += note + "\n";
  return all;
}

std::string brokers_of(const std::string& text) {
  InputErrors errors;
  const BrokerConfig config = read_broker_config("server.properties", text, errors);
  std::string all = joined(errors) + lines_of(config.entries);
  for (const std::string& note : config.notes) all += note + "\n";
  return all;
}

BOOST_AUTO_TEST_SUITE(kafka_config)

BOOST_AUTO_TEST_CASE(dynamic_configs_of_kafka_configs_are_read) {
  BOOST_TEST(
      topics_of("Dynamic configs for topic foo are:\n"
                "  retention.ms=604800000 sensitive=false "
                "synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=604800000, DEFAULT_CONFIG:log.retention.hours=168}\n"
                "  cleanup.policy=delete sensitive=false synonyms={}\n"
                "Dynamic configs for topic my.topic-2 are:\n"
                "All configs for topic bar are:\n"
                "  segment.bytes=1048576 sensitive=false synonyms={}\n") ==
      "foo: 0/0\n2 [topic.foo] retention.ms = 604800000\nmy.topic-2: 0/0\nbar: 0/0\n"
      "6 [topic.bar] segment.bytes = 1048576\ntopics.txt:3: Kafka's 'cleanup.policy' has no effect here\n");
}

BOOST_AUTO_TEST_CASE(the_one_line_form_of_old_versions_is_read) {
  BOOST_TEST(topics_of("Configs for topic 'foo' are retention.ms=1000,cleanup.policy=compact,delete,segment.ms=5\n") ==
             "foo: 0/0\n1 [topic.foo] retention.ms = 1000\n1 [topic.foo] segment.ms = 5\n"
             "topics.txt:1: Kafka's 'cleanup.policy' has no effect here\n");
}

BOOST_AUTO_TEST_CASE(kafka_topics_is_read_with_tabs_or_blanks) {
  for (const std::string between : {"\t", "  "}) {
    const std::string text = fmt::format(
        "Topic: foo{0}TopicId: ASNFZ4mrze-O3LqYdlQyEA{0}PartitionCount: 3{0}ReplicationFactor: 2{0}Configs: "
        "retention.ms=1000,local.retention.ms=10\n"
        "{0}Topic: foo{0}Partition: 0{0}Leader: 1{0}Replicas: 1,2{0}Isr: 1,2{0}Elr: N/A{0}LastKnownElr: N/A\n"
        "Topic:bar{0}PartitionCount:1{0}ReplicationFactor:1{0}Configs:\n",
        between);
    BOOST_TEST(topics_of(text) ==
               "foo: 3/2\n1 [topic.foo] retention.ms = 1000\n1 [topic.foo] local.retention.ms = 10\nbar: 1/1\n");
  }
}

BOOST_AUTO_TEST_CASE(both_outputs_of_one_topic_are_one) {
  BOOST_TEST(topics_of("Topic: foo\tPartitionCount: 3\tReplicationFactor: 2\tConfigs: segment.ms=7\n"
                       "Dynamic configs for topic foo are:\n  retention.ms=5 sensitive=false synonyms={}\n") ==
             "foo: 3/2\n1 [topic.foo] segment.ms = 7\n3 [topic.foo] retention.ms = 5\n");
}

BOOST_AUTO_TEST_CASE(lines_without_a_heading_are_of_a_topic_without_a_name) {
  BOOST_TEST(topics_of("retention.ms=5\n[2024-01-01 00:00:00,000] WARN something\n") ==
             ": 0/0\n1 [topic.] retention.ms = 5\n");
}

BOOST_AUTO_TEST_CASE(what_is_unknown_is_named_with_file_line_and_the_nearest) {
  BOOST_TEST(topics_of("Dynamic configs for topic foo are:\n  retention.mz=5 sensitive=false synonyms={}\n") ==
             "topics.txt:2: unknown key 'retention.mz' (did you mean 'retention.ms'?)\nfoo: 0/0\n");
  // The nearest may be one without effect here.
  BOOST_TEST(topics_of("cleanup.polcy=delete\n") ==
             "topics.txt:1: unknown key 'cleanup.polcy' (did you mean 'cleanup.policy'?)\n: 0/0\n");
  BOOST_TEST(topics_of("retention.ms=soon\n").starts_with("topics.txt:1: retention.ms: 'soon'"));
  BOOST_TEST(topics_of("hello\n").starts_with("topics.txt:1: neither a heading, a topic nor key=value: 'hello'"));
  // Harness keys are not Kafka's.
  BOOST_TEST(topics_of("produce=1MiB/s\n").starts_with("topics.txt:1: unknown key 'produce'"));
  BOOST_TEST(brokers_of("log.retention.hour=5\n") ==
             "server.properties:1: unknown key 'log.retention.hour' (did you mean 'log.retention.hours'?)\n");
}

BOOST_AUTO_TEST_CASE(a_server_properties_is_read_as_java_does) {
  BOOST_TEST(
      brokers_of("# comment\n! another\nbroker.id=1\n\nlog.retention.hours : 24\nlog.segment.bytes 1048576\n"
                 "remote.log.manager.task.interval.ms = \\\n    5000\nlog.dirs=C\\:\\\\kafka\n"
                 "auto.leader.rebalance.enable=false\nrlmm.config.remote.log.metadata.topic.num.partitions=5\n"
                 "rsm.config.key\\=x=#not a comment\ndefault.replication.factor=3\n") ==
      "5 [broker] log.retention.hours = 24\n6 [broker] log.segment.bytes = 1048576\n"
      "7 [broker] remote.log.manager.task.interval.ms = 5000\n10 [cluster] auto.leader.rebalance.enable = false\n"
      "11 [metadata] remote.log.metadata.topic.num.partitions = 5\n"
      "server.properties:3: Kafka's 'broker.id' has no effect here\n"
      "server.properties:9: Kafka's 'log.dirs' has no effect here\n"
      "server.properties:12: Kafka's 'rsm.config.key=x' has no effect here\n"
      "server.properties:13: default.replication.factor: the scenario says how many replicas there are\n");
}

BOOST_AUTO_TEST_CASE(a_described_broker_is_read_too_and_the_first_counts) {
  BOOST_TEST(
      brokers_of("All configs for broker 1 are:\n"
                 "  log.retention.minutes=null sensitive=false synonyms={}\n"
                 "  log.retention.hours=24 sensitive=false synonyms={STATIC_BROKER_CONFIG:log.retention.hours=24}\n"
                 "Dynamic configs for broker 2 are:\n  log.retention.hours=25 sensitive=false synonyms={}\n") ==
      "3 [broker] log.retention.hours = 24\n"
      "server.properties:5: broker 2 has log.retention.hours = 25, and broker 1 counts\n");
}

const std::string two_topics = minimal + "retention.ms = 1h\n[topic.clicks]\npartitions = 1\n";

/// A scenario with these files on top of it.
Result<Scenario, std::vector<InputError>> read_with(const std::string& ini, const std::string& brokers,
                                                    const std::string& topics,
                                                    const std::vector<std::string>& sets = {}) {
  const MemoryFiles files{{{"server.properties", brokers}, {"topics.txt", topics}}};
  KafkaConfigFiles configs;
  if (!brokers.empty()) configs.broker = {"server.properties"};
  if (!topics.empty()) configs.topic = {"topics.txt"};
  return read_scenario_text("world.ini", ini, sets, test_kinds(), files, {}, configs);
}

BOOST_AUTO_TEST_CASE(a_clusters_configuration_stands_above_the_scenario_and_below_set) {
  const std::string topics = "Dynamic configs for topic orders are:\n  retention.ms=7200000\n  segment.bytes=2097152\n";
  const auto scenario = read_with(two_topics + "[broker]\nlog.segment.bytes = 1MiB\n", "log.segment.bytes=4194304\n",
                                  topics, {"topic.orders.retention.ms=3h"});
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->topics.at(0).options.retention_time == 3h));
  BOOST_TEST((scenario->topics.at(0).options.segment_bytes == 2_MiB));
  BOOST_TEST((scenario->topics.at(1).options.segment_bytes == 4_MiB));
  BOOST_TEST(scenario->changed);
  BOOST_TEST((read_with(two_topics, "", topics)->topics.at(0).options.retention_time == 2h));
}

BOOST_AUTO_TEST_CASE(one_topic_stands_for_the_only_one_of_the_scenario) {
  const auto scenario = read_with(minimal, "", "Dynamic configs for topic theirs are:\n  retention.ms=7200000\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->topics.at(0).options.retention_time == 2h));
  BOOST_TEST(scenario->notes.at(0) == "topics.txt:1: 'theirs' stands for the scenario's only topic, orders");
}

BOOST_AUTO_TEST_CASE(topics_that_the_scenario_lacks_are_noted_unless_none_is_there) {
  const std::string order = "Dynamic configs for topic order are:\n  retention.ms=7200000\n";
  CHECK_COMPLAINT(read_with(two_topics, "", order),
                  "topics.txt:1: the scenario has no topic 'order' (did you mean 'orders'?)");
  const auto scenario = read_with(two_topics, "", order + "Dynamic configs for topic clicks are:\n  segment.ms=9\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->notes.at(0) == "topics.txt:1: topic 'order' is not in the scenario");
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_together_is_told_by_the_files_line) {
  CHECK_COMPLAINT(read_with(two_topics, "", "Dynamic configs for topic orders are:\n  local.retention.ms=7200000\n"),
                  "topics.txt:2: [topic.orders] local.retention.ms must not be above");
  CHECK_COMPLAINT(read_scenario_text("world.ini", minimal, {}, test_kinds(), MemoryFiles{}, {}, {{"gone"}, {}}),
                  "--broker-config: 'gone': no such file");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sim
