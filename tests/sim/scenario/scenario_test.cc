#include "sim/scenario/scenario.h"

#include <boost/test/unit_test.hpp>

#include "tests/sim/scenario/memory_files.h"

namespace sim {
namespace {

using namespace scenario_test;

BOOST_AUTO_TEST_SUITE(scenario)

BOOST_AUTO_TEST_CASE(the_smallest_valid_file_has_three_keys) {
  const auto scenario = read(minimal);
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->name == "world");
  BOOST_TEST((scenario->scenario.duration == 2h));
  BOOST_TEST(scenario->brokers.size() == 3U);
  BOOST_TEST(scenario->topics.at(0).replication_factor == 3);
  BOOST_TEST((scenario->settle() == 5min));
  BOOST_TEST(scenario->topics.at(0).options.remote_storage_enable);
}

BOOST_AUTO_TEST_CASE(what_must_stand_is_named_when_it_is_missing) {
  CHECK_COMPLAINT(read(""), "world.ini: [scenario] duration is missing", "[cluster] brokers is missing", "no topic");
  CHECK_COMPLAINT(read("[scenario]\nduration=1h\n[cluster]\nbrokers=1\n[topic.a]\n"),
                  "world.ini:5: [topic.a] partitions is missing");
}

BOOST_AUTO_TEST_CASE(comments_blank_lines_windows_line_ends_and_a_mark_are_accepted) {
  const auto scenario = read(
      "\xef\xbb\xbf; one\r\n# two\r\n\r\n[scenario]\r\nduration = 2h\r\n[cluster]\r\nbrokers=1\r\n"
      "  ; three\r\n[topic.a]\r\npartitions=1");
  BOOST_TEST(scenario.has_value(), errors_of(scenario));
}

BOOST_AUTO_TEST_CASE(a_hash_inside_a_value_is_an_error) {
  CHECK_COMPLAINT(read(minimal + "[scenario]\ntitle = a # b\n"), "world.ini:8: '#' inside a line", "a line of its own");
  CHECK_COMPLAINT(read(minimal, {"scenario.title=a#b"}), "--set: ", "neither '#'");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_neither_section_nor_key_is_an_error) {
  CHECK_COMPLAINT(read("[scenario]\nduration\n"), "world.ini:2: neither [section] nor key = value: 'duration'");
  CHECK_COMPLAINT(read("[scenario\n"), "world.ini:1: no section header: '[scenario'");
  CHECK_COMPLAINT(read("[]\n"), "world.ini:1: no section header");
  CHECK_COMPLAINT(read("duration=1h\n"), "world.ini:1: key 'duration' stands before the first [section]");
}

BOOST_AUTO_TEST_CASE(a_nul_byte_and_a_line_over_one_mebibyte_are_errors) {
  CHECK_COMPLAINT(read(minimal + std::string{"x\0y=1\n", 6}), "world.ini:7: a NUL byte");
  CHECK_COMPLAINT(read(minimal + std::string((1 << 20) + 1, 'x') + "\n"), "world.ini:7: the line is longer than 1 MiB");
  CHECK_COMPLAINT(read(minimal + "a\x01=1\n"), "world.ini:7: a control character");
}

BOOST_AUTO_TEST_CASE(an_unknown_section_lists_the_valid_ones) {
  CHECK_COMPLAINT(read(minimal + "[topics.orders]\na=1\n"), "world.ini:7: unknown section [topics.orders]",
                  "did you mean 'topic'?", "broker.ID");
  CHECK_COMPLAINT(read(minimal + "[weather]\n"), "world.ini:7: unknown section [weather]", "sections are scenario");
  CHECK_COMPLAINT(read(minimal + "[topic]\npartitions=1\n"), "world.ini:7: section [topic] needs a name");
}

BOOST_AUTO_TEST_CASE(an_unknown_key_is_named_with_the_nearest_one) {
  CHECK_COMPLAINT(read(minimal + "retention.mss = 5\n"),
                  "world.ini:7: unknown key 'retention.mss' in [topic.orders] (did you mean 'retention.ms'?)");
  CHECK_COMPLAINT(read(minimal + "[broker]\nretention.ms = 5\n"), "world.ini:8: unknown key 'retention.ms' in [broker]",
                  "one of [topic.NAME]");
}

BOOST_AUTO_TEST_CASE(a_key_that_stands_twice_is_an_error_with_both_lines) {
  CHECK_COMPLAINT(read(minimal + "partitions = 5\n"),
                  "world.ini:7: key 'partitions' of [topic.orders] stands in line 6 too");
}

BOOST_AUTO_TEST_CASE(an_unknown_unit_and_a_missing_one_are_errors) {
  CHECK_COMPLAINT(read(minimal + "[client]\ntimeout = 5min\n"),
                  "world.ini:8: [client] timeout: '5min': unknown unit 'min'", "did you mean 'm'?");
  CHECK_COMPLAINT(read(minimal + "[client]\ntimeout = 5\n"),
                  "world.ini:8: [client] timeout: '5': a number without a unit");
}

BOOST_AUTO_TEST_CASE(a_negative_duration_is_an_error) {
  CHECK_COMPLAINT(read(minimal, {"scenario.duration=-1h"}), "--set: [scenario] duration: '-1h': negative");
  CHECK_COMPLAINT(read(minimal + "[network]\nlatency = -5ms\n"), "world.ini:8: [network] latency: '-5ms': negative");
}

BOOST_AUTO_TEST_CASE(a_value_out_of_range_names_the_limit) {
  CHECK_COMPLAINT(read(minimal, {"cluster.brokers=0"}), "--set: [cluster] brokers: '0' is out of range: at least 1");
  CHECK_COMPLAINT(read(minimal + "retention.ms = -2\n"),
                  "world.ini:7: [topic.orders] retention.ms: '-2' is out of range");
  CHECK_COMPLAINT(read(minimal + "[client]\nbackoff.jitter = 1.5\n"), "world.ini:8: [client] backoff.jitter",
                  "at most 1");
  CHECK_COMPLAINT(read(minimal, {"cluster.brokers=99999999999"}), "at most 10000");
}

BOOST_AUTO_TEST_CASE(an_enum_names_its_nearest_value) {
  CHECK_COMPLAINT(read(minimal + "[client]\ninterrupt = trow\n"), "world.ini:8: [client] interrupt: 'trow'",
                  "did you mean 'throw'?");
  CHECK_COMPLAINT(read(minimal + "[store]\nmissing = 403\n"), "world.ini:8: [store] missing: '403'");
}

BOOST_AUTO_TEST_CASE(an_unknown_policy_is_named_wherever_it_stands) {
  CHECK_COMPLAINT(read(minimal + "[policy.kip-dangle]\nsweep = always\n"), "world.ini:7: unknown policy 'kip-dangle'",
                  "'kip-dangling'");
  CHECK_COMPLAINT(read(minimal + "[expect.kafka4.0]\nmay-break = a\n"), "world.ini:7: unknown policy 'kafka4.0'",
                  "'kafka-4.0'");
  CHECK_COMPLAINT(read(minimal + "[broker.2]\npolicy = kafka-4\n"),
                  "world.ini:8: [broker.2] policy: unknown policy 'kafka-4'");
  CHECK_COMPLAINT(read(minimal, {"scenario.policies=kafka-4.0 kafka-39"}),
                  "--set: [scenario] policies: unknown policy 'kafka-39'", "'kafka-3.9'");
}

BOOST_AUTO_TEST_CASE(a_broker_that_is_not_there_is_an_error) {
  CHECK_COMPLAINT(read(minimal + "[broker.4]\nfirst = copy\n"),
                  "world.ini:7: unknown broker '4' in [broker.4] (valid: 1 to 3)");
  CHECK_COMPLAINT(read(minimal + "[broker.02]\nfirst = copy\n"), "world.ini:7: unknown broker '02'");
  CHECK_COMPLAINT(read(minimal + "[broker]\npolicy = kafka-4.0\n"), "world.ini:8: [broker] policy", "[broker.ID] only");
}

BOOST_AUTO_TEST_CASE(a_topic_cannot_have_more_replicas_than_brokers) {
  CHECK_COMPLAINT(read(minimal + "replication.factor = 4\n"),
                  "world.ini:7: [topic.orders] replication.factor: 4 is above", "brokers, 3");
}

BOOST_AUTO_TEST_CASE(the_metadata_topics_replicas_are_cut_with_a_note) {
  const auto scenario = read(minimal, {"cluster.brokers=2"});
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->metadata.replication_factor == 2);
  BOOST_REQUIRE(scenario->notes.size() == 1U);
  BOOST_TEST(scenario->notes[0].find("2 taken") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(local_retention_above_the_total_is_refused_as_in_kafka) {
  CHECK_COMPLAINT(read(minimal + "retention.ms = 1h\nlocal.retention.ms = 2h\n"),
                  "world.ini:8: [topic.orders] local.retention.ms", "1h");
  CHECK_COMPLAINT(read(minimal + "local.retention.ms = -1\n"), "world.ini:7: [topic.orders] local.retention.ms");
  BOOST_TEST(read(minimal + "retention.ms = -1\nlocal.retention.ms = -1\n").has_value());
}

BOOST_AUTO_TEST_CASE(the_worlds_start_is_checked) {
  CHECK_COMPLAINT(read(minimal, {"scenario.start=2024-13-01"}), "--set: [scenario] start: '2024-13-01': no such day");
}

BOOST_AUTO_TEST_CASE(initial_epochs_must_rise) {
  BOOST_TEST(read(minimal + "initial.epochs = 0=0 3=500\n").has_value());
  CHECK_COMPLAINT(read(minimal + "initial.epochs = 3=500 2=600\n"),
                  "world.ini:7: [topic.orders] initial.epochs: '2=600'", "must rise");
}

BOOST_AUTO_TEST_CASE(a_set_wins_over_the_file_and_the_longest_declared_topic_wins) {
  const auto scenario =
      read(minimal + "[topic.orders.eu]\npartitions = 1\n",
           {"topic.orders.eu.partitions=7", "topic.orders.retention.ms=5000", "scenario.duration=3h"});
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->topics.at(0).partitions == 4);
  BOOST_TEST((scenario->topics.at(0).options.retention_time == 5s));
  BOOST_TEST(scenario->topics.at(1).partitions == 7);
  BOOST_TEST((scenario->scenario.duration == 3h));
  BOOST_TEST(scenario->changed);
}

BOOST_AUTO_TEST_CASE(a_set_of_an_unknown_topic_names_the_nearest) {
  CHECK_COMPLAINT(read(minimal, {"topic.order.retention.ms=5"}),
                  "--set: 'topic.order.retention.ms': unknown topic 'order'", "'orders'");
  CHECK_COMPLAINT(read(minimal, {"duration"}), "--set: 'duration': write SECTION.KEY=VALUE");
}

BOOST_AUTO_TEST_CASE(a_set_reaches_brokers_and_policies_with_dotted_names) {
  const auto scenario =
      read(minimal, {"broker.2.policy=kafka-4.0", "broker.first=expiration", "policy.kip-dangling.sweep=after-success",
                     "expect.kafka-4.0.may-break=no-garbage"});
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->brokers.at(1).policy == "kafka-4.0");
  BOOST_TEST((scenario->brokers.at(0).first == BrokerOptions::First::expiration));
  BOOST_TEST((scenario->policy_options.kip_dangling.sweep == KipDanglingOptions::Sweep::after_success));
  BOOST_TEST(scenario->expectations.at("kafka-4.0").may_break.at(0) == "no-garbage");
}

BOOST_AUTO_TEST_CASE(variables_stand_for_their_text_and_unknown_ones_name_the_nearest) {
  const auto scenario = read(minimal + "retention.ms = ${keep}\n[vars]\nkeep = 5h\n", {"vars.keep=6h"});
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->topics.at(0).options.retention_time == 6h));
  CHECK_COMPLAINT(read(minimal + "retention.ms = ${kepe}\n[vars]\nkeep = 5h\n"),
                  "world.ini:7: retention.ms: unknown variable 'kepe'", "did you mean 'keep'?");
  CHECK_COMPLAINT(read(minimal, {"vars.keep=5h"}), "--set: 'vars.keep': unknown variable 'keep'");
  CHECK_COMPLAINT(read(minimal + "[vars]\na = ${b}\n"), "world.ini:8: variable 'a' names another variable");
}

BOOST_AUTO_TEST_CASE(variables_that_multiply_a_value_without_end_are_stopped) {
  std::string many;
  for (int i = 0; i < 1'000; ++i) many += "${big}";
  CHECK_COMPLAINT(read(minimal + "[scenario]\ntitle = " + many + "\n[vars]\nbig = " + std::string(10'000, 'x') + "\n"),
                  "world.ini:8: title: longer than 1 MiB");
}

BOOST_AUTO_TEST_CASE(a_base_is_inherited_and_its_files_stay_relative_to_it) {
  const MemoryFiles files{{{"lib/base.ini", minimal + "[scenario]\nfaults = outage.csv\nname = parent\n"},
                           {"lib/outage.csv", header + "10m,10m,store-unavailable,store,\n"}}};
  const auto scenario = read("[scenario]\nbase = lib/base.ini\n[topic.orders]\npartitions = 9\n", {}, files);
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->topics.at(0).partitions == 9);
  BOOST_TEST((scenario->scenario.duration == 2h));
  BOOST_TEST(scenario->faults.size() == 1U);
  BOOST_TEST(scenario->name == "world");
}

BOOST_AUTO_TEST_CASE(a_base_by_name_comes_from_the_catalogue) {
  const MemoryFiles files{{{"quiet.ini", minimal}}};
  BOOST_TEST(read("[scenario]\nbase = quiet\n", {}, files).has_value());
  CHECK_COMPLAINT(read("[scenario]\nbase = quite\n", {}, files),
                  "world.ini:2: base: unknown scenario 'quite' (did you mean 'quiet'?)");
}

BOOST_AUTO_TEST_CASE(a_base_that_inherits_itself_is_an_error) {
  const MemoryFiles files{{{"a.ini", "[scenario]\nbase = b.ini\n"}, {"b.ini", "[scenario]\nbase = a.ini\n"}}};
  CHECK_COMPLAINT(read("[scenario]\nbase = a.ini\n", {}, files), "b.ini:2: base: 'a.ini' inherits itself");
}

// The defaults of Aiven-Open/tiered-storage-for-apache-kafka on S3; what is set wins wherever it stands.
BOOST_AUTO_TEST_CASE(a_plug_in_decides_the_defaults_of_the_other_keys) {
  const auto plain = read(minimal + "[client]\nplugin = plain\n");
  BOOST_REQUIRE_MESSAGE(plain, errors_of(plain));
  BOOST_TEST(!plain->client.multipart);
  BOOST_TEST(plain->client.attempts == 3);
  const auto common = read(minimal + "[client]\nattempts = 7\nplugin = common\nabort = no\n");
  BOOST_REQUIRE_MESSAGE(common, errors_of(common));
  BOOST_TEST(common->client.multipart);
  BOOST_TEST((common->client.part_size == Bytes{25 << 20}));
  BOOST_TEST((common->client.timeout == Duration{0}));
  BOOST_TEST(common->client.cleanup);
  BOOST_TEST(common->client.delete_batch);
  BOOST_TEST(common->client.attempts == 7);
  BOOST_TEST(!common->client.abort);
  const auto set = read(minimal + "[client]\nattempts = 7\n", {"client.plugin=common"});
  BOOST_REQUIRE_MESSAGE(set, errors_of(set));
  BOOST_TEST(set->client.multipart);
  BOOST_TEST(set->client.attempts == 7);
  // What is printed has every key, and reads the same.
  const auto again = read(print_scenario(*common));
  BOOST_REQUIRE_MESSAGE(again, errors_of(again));
  BOOST_TEST(again->client.attempts == 7);
  BOOST_TEST(again->client.multipart);
}

BOOST_AUTO_TEST_CASE(remedies_are_off_until_a_key_turns_them_on) {
  const auto off = read(minimal);
  BOOST_REQUIRE_MESSAGE(off, errors_of(off));
  BOOST_TEST(off->remedies.bucket_rule_days == 0);
  BOOST_TEST((off->remedies.scrubber_every == Duration{0}));
  const auto on = read(minimal + "[remedies]\nbucket-rule.days = 7\nscrubber.every = 6h\nscrubber.requests = 500\n");
  BOOST_REQUIRE_MESSAGE(on, errors_of(on));
  BOOST_TEST(on->remedies.bucket_rule_days == 7);
  BOOST_TEST((on->remedies.scrubber_every == 6h));
  BOOST_TEST((on->remedies.scrubber_grace == 24h));
  CHECK_COMPLAINT(read(minimal + "[remedies]\nscrubber.evry = 6h\n"), "unknown key 'scrubber.evry' in [remedies]",
                  "did you mean 'scrubber.every'?");
  CHECK_COMPLAINT(read(minimal + "[remedies]\nscrubber.requests = 1\n"), "world.ini:8", "1 is too few");
}

BOOST_AUTO_TEST_CASE(expectations_are_lists_and_assertions_joined_with_and) {
  const auto scenario =
      read(minimal +
           "[expect.kafka-4.0]\nmust-break = no-garbage, settles\nassert = orphan_bytes_end == 0 and ghosts_end < 3\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  const Expectation& expectation = scenario->expectations.at("kafka-4.0");
  BOOST_TEST(expectation.must_break.size() == 2U);
  BOOST_TEST(expectation.asserts.at(1) == "ghosts_end < 3");
  CHECK_COMPLAINT(read(minimal + "[expect.kafka-4.0]\nassert = orphan_bytes_end = 0\n"),
                  "world.ini:8: [expect.kafka-4.0] assert", "no assertion");
}

BOOST_AUTO_TEST_CASE(names_of_higher_layers_are_checked_when_they_are_given) {
  const std::vector<std::string> invariants{"no-garbage"};
  const std::vector<std::string> columns{"ghosts_end"};
  const KnownNames known{invariants, columns};
  CHECK_COMPLAINT(read(minimal + "[expect.kafka-4.0]\nmay-break = no-garbege\n", {}, {}, known),
                  "world.ini:8:", "unknown invariant 'no-garbege' (did you mean 'no-garbage'?)");
  CHECK_COMPLAINT(read(minimal + "[expect.kafka-4.0]\nassert = ghost_end == 0\n", {}, {}, known),
                  "world.ini:8:", "unknown column 'ghost_end' (did you mean 'ghosts_end'?)");
}

BOOST_AUTO_TEST_CASE(the_study_is_kept_as_written) {
  const auto scenario = read(minimal + "[study]\nseeds = 1..30\ntopic.orders.retention.ms = 1h 2h\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->study.at(1).first == "topic.orders.retention.ms");
  BOOST_TEST(scenario->study.at(1).second == "1h 2h");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sim
