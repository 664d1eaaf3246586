#include <boost/test/unit_test.hpp>

#include "sim/scenario/option_rows.h"
#include "tests/sim/scenario/memory_files.h"

namespace sim {
namespace {

using namespace scenario_test;

Result<Scenario, std::vector<InputError>> read_printed(const Scenario& scenario) {
  return read(scenario.text, {}, MemoryFiles{{{"faults.plan.csv", scenario.plan_text}}});
}

// Converts to any field's type: as many of them as an aggregate takes are its fields. Never evaluated.
struct AnyField {
  template <class Field>
  constexpr operator Field() const {
    return Field{};
  }
};
template <class Options, class... Fields>
consteval std::size_t field_count() {
  if constexpr (requires { Options{Fields{}..., AnyField{}}; }) {
    return field_count<Options, Fields..., AnyField>();
  } else {
    return sizeof...(Fields);
  }
}
template <class Options>
std::size_t row_count() {
  std::size_t count = 0;
  Options options;
  for_each_own_option(options, [&](std::string_view, auto&, Unit, Range, std::string_view) { ++count; });
  return count;
}

BOOST_AUTO_TEST_SUITE(print)

BOOST_AUTO_TEST_CASE(what_is_printed_reads_as_the_same_and_prints_as_the_same) {
  const auto scenario = read_with_plan(
      "start,duration,kind,target,params,name,every\n10m,1m,store-unavailable,store,operations=put+delete,o,30m\n"
      "50m,,partition,broker:1<>store,,,\n1m,1m,store-reject,*,\"probability=1/"
      "3;delay=uniform(1ms,2ms)\",,\n2m,,leader-move,topic:orders,,,\n",
      {"network.latency=lognormal(40ms,400ms)", "topic.orders.retention.ms=1500", "broker.2.phase.copy=5s",
       "client.multipart=yes"},
      "produce = 4MiB/s\n[broker.3]\npolicy = kafka-3.9\n[expect.kafka-4.0]\nmust-break = a b\nassert = x == 1 and y < "
      "2\n[study]\nseeds = 1..3\n"
      "[policy.kip-dangling]\nexpiration = delete\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  const auto again = read_printed(*scenario);
  BOOST_REQUIRE_MESSAGE(again, errors_of(again));
  BOOST_TEST(again->text == scenario->text);
  BOOST_TEST(again->plan_text == scenario->plan_text);
  BOOST_TEST((again->network.latency == scenario->network.latency));
  BOOST_TEST((again->brokers.at(1).phase_copy == scenario->brokers.at(1).phase_copy));
  BOOST_TEST(again->brokers.at(2).policy == "kafka-3.9");
  BOOST_TEST((again->policy_options.kip_dangling.expiration == KipDanglingOptions::Expiration::delete_it));
  BOOST_TEST(again->faults.size() == 4U);
  BOOST_TEST(!again->changed);
}

BOOST_AUTO_TEST_CASE(the_printed_plan_names_every_parameter) {
  const auto scenario = read_with_plan(header + "1m,1m,store-unavailable,store,\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->plan_text ==
             "start,duration,kind,target,params,name,every\n1m,1m,store-unavailable,store,operations=put+get+delete+"
             "list;mode=reject,,\n");
}

BOOST_AUTO_TEST_CASE(every_key_is_printed_below_a_comment) {
  const auto scenario = read(minimal);
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  const std::string& text = scenario->text;
  BOOST_TEST(text.find("# How long records are kept over both tiers; -1 for ever.\nretention.ms = 7d\n") !=
             std::string::npos);
  BOOST_TEST(text.find("remote.storage.enable = true\n") != std::string::npos);
  BOOST_TEST(text.find("multipart = no\n") != std::string::npos);
  for (const KeyInfo& key : all_keys()) BOOST_TEST(!key.help.empty(), key.name);
}

BOOST_AUTO_TEST_CASE(no_field_lacks_a_row) {
  BOOST_TEST(row_count<ScenarioOptions>() == field_count<ScenarioOptions>());
  BOOST_TEST(row_count<ClusterOptions>() == field_count<ClusterOptions>());
  BOOST_TEST(row_count<NetworkOptions>() == field_count<NetworkOptions>());
  BOOST_TEST(row_count<StoreOptions>() == field_count<StoreOptions>());
  BOOST_TEST(row_count<ClientOptions>() == field_count<ClientOptions>());
  BOOST_TEST(row_count<MetadataOptions>() == field_count<MetadataOptions>());
  BOOST_TEST(row_count<RemedyOptions>() == field_count<RemedyOptions>());
  BOOST_TEST(row_count<model::RemoteLogManagerOptions>() == field_count<model::RemoteLogManagerOptions>());
  BOOST_TEST(row_count<model::TopicOptions>() == field_count<model::TopicOptions>());
  BOOST_TEST(row_count<model::KipDanglingOptions>() == field_count<model::KipDanglingOptions>());
  // Beside these: a topic's name, Kafka's own options and what its initial file holds; a broker's Kafka options.
  BOOST_TEST(row_count<TopicScenario>() + 3 == field_count<TopicScenario>());
  BOOST_TEST(row_count<BrokerOptions>() + 1 == field_count<BrokerOptions>());
}

BOOST_AUTO_TEST_CASE(a_policy_choice_adds_its_options_to_the_scenarios) {
  const auto scenario = read(minimal + "[policy.kip-dangling]\nexpiration = skip\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  const auto choice = read_policy_choice("kip-dangling:sweep=after-success", *scenario);
  BOOST_REQUIRE(choice.has_value());
  BOOST_TEST(choice->label == "kip-dangling:sweep=after-success");
  BOOST_TEST(choice->name == "kip-dangling");
  BOOST_TEST((choice->options.kip_dangling.sweep == KipDanglingOptions::Sweep::after_success));
  BOOST_TEST((choice->options.kip_dangling.expiration == KipDanglingOptions::Expiration::skip));
}

BOOST_AUTO_TEST_CASE(a_wrong_policy_choice_names_the_nearest) {
  const auto scenario = read(minimal);
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  const auto error = [&](std::string_view text) {
    const auto choice = read_policy_choice(text, *scenario);
    return choice ? std::string{"no error"} : choice.error();
  };
  BOOST_TEST(error("kip-dangeling") == "unknown policy 'kip-dangeling' (did you mean 'kip-dangling'?)");
  BOOST_TEST(error("kip-dangling:swep=always") == "policy 'kip-dangling' has no option 'swep' (did you mean 'sweep'?)");
  BOOST_TEST(error("kip-dangling:sweep=alway") == "sweep: 'alway' is none of its values (did you mean 'always'?)");
  BOOST_TEST(error("kafka-4.0:sweep=always") == "policy 'kafka-4.0' has no options");
  BOOST_TEST(error("kip-dangling:sweep") == "'kip-dangling:sweep': write NAME:key=value");
}

BOOST_AUTO_TEST_CASE(policy_choices_default_to_the_scenarios_and_then_to_all) {
  const auto scenario = read(minimal);
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(read_policy_choices({}, *scenario)->size() == policies().size());
  BOOST_TEST(read_policy_choices({"all", "kafka-4.0"}, *scenario)->size() == policies().size());
  const auto chosen = read(minimal, {"scenario.policies=kafka-4.0 kip-dangling"});
  BOOST_REQUIRE_MESSAGE(chosen, errors_of(chosen));
  BOOST_TEST(read_policy_choices({}, *chosen)->at(1).name == "kip-dangling");
  BOOST_TEST(read_policy_choices({"kafka-3.9"}, *chosen)->size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sim
