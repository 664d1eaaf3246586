// What `check --print`, a run's folder and `list keys` show: the rows, written out.
#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "sim/scenario/chaos.h"
#include "sim/scenario/kafka_names.h"
#include "sim/scenario/names.h"
#include "sim/scenario/option_values.h"
#include "sim/scenario/scenario.h"

namespace sim {

namespace {

// Kafka's switches read as in Kafka's files.
template <class Value>
std::string value_text(std::string_view name, const Value& value, Unit unit) {
  std::string text = format_option(value, unit);
  if constexpr (std::is_same_v<Value, bool>) {
    if (name.ends_with(".enable")) text = value ? "true" : "false";
  }
  return text;
}

class Printer {
 public:
  void section(std::string_view name) {
    if (!text_.empty()) text_ += '\n';
    fmt::format_to(std::back_inserter(text_), "[{}]\n", name);
  }

  void key(std::string_view name, std::string_view value, std::string_view help) {
    if (!help.empty()) fmt::format_to(std::back_inserter(text_), "# {}\n", help);
    fmt::format_to(std::back_inserter(text_), "{} ={}{}\n", name, value.empty() ? "" : " ", value);
  }

  template <class Options>
  void rows(const Options& options) {
    for_each_option(options, [&](std::string_view name, const auto& value, Unit unit, Range, std::string_view help) {
      key(name, value_text(name, value, unit), help);
    });
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void print_scenario_section(const Scenario& scenario, PlanPlace place, Printer& printer) {
  ScenarioOptions options = scenario.scenario;
  options.faults = scenario.faults.empty() || place == PlanPlace::section ? "" : "faults.plan.csv";
  printer.section("scenario");
  printer.key("name", scenario.name, "The name that reports show; without it the file's.");
  printer.rows(options);
}

void print_brokers(const Scenario& scenario, Printer& printer) {
  printer.section("broker");
  for_each_option(scenario.broker_defaults,
                  [&](std::string_view name, const auto& value, Unit unit, Range, std::string_view help) {
                    if (name != "policy") printer.key(name, value_text(name, value, unit), help);
                  });
  std::vector<std::pair<std::string, std::string>> common;
  for_each_option(scenario.broker_defaults,
                  [&](std::string_view name, const auto& value, Unit unit, Range, std::string_view) {
                    common.emplace_back(name, format_option(value, unit));
                  });
  for (std::size_t i = 0; i < scenario.brokers.size(); ++i) {
    bool has_section = false;
    auto row = common.begin();
    for_each_option(scenario.brokers[i],
                    [&](std::string_view name, const auto& value, Unit unit, Range, std::string_view help) {
                      const bool differs = (row++)->second != format_option(value, unit);
                      if (!differs) return;
                      if (!has_section) printer.section(fmt::format("broker.{}", i + 1));
                      has_section = true;
                      printer.key(name, value_text(name, value, unit), help);
                    });
  }
}

void print_plan_section(const Scenario& scenario, Printer& printer) {
  printer.section("plan");
  const std::vector<std::string> lines = split_list(print_plan(scenario.faults), "\n");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string help = fmt::format("A fault: {}.", plan_header);
    printer.key(fmt::format("{}", i), lines[i], i == 1 ? std::string_view{help} : std::string_view{});
  }
}

void print_expectations(const Scenario& scenario, Printer& printer) {
  for (const auto& [policy, expectation] : scenario.expectations) {
    printer.section(fmt::format("expect.{}", policy));
    printer.key("must-break", fmt::format("{}", fmt::join(expectation.must_break, " ")),
                "Invariants that this policy breaks.");
    printer.key("may-break", fmt::format("{}", fmt::join(expectation.may_break, " ")),
                "Invariants that it is free to break.");
    printer.key("assert", fmt::format("{}", fmt::join(expectation.asserts, " and ")),
                "Conditions on summary.csv's columns.");
  }
}

class KeyCollector {
 public:
  template <class Options>
  void rows(std::string_view section, const Options& options) {
    for_each_option(options, [&](std::string_view name, const auto& value, Unit unit, Range, std::string_view help) {
      if (section == "broker" && name == "policy") return add("broker.ID", name, "", "policy", help);
      add(section, name, value_text(name, value, unit), unit_text(&value, unit), help);
    });
  }

  void add(std::string_view section, std::string_view name, std::string_view value, std::string_view unit,
           std::string_view help) {
    keys_.push_back(
        {std::string{section}, std::string{name}, std::string{value}, std::string{unit}, std::string{help}});
  }

  std::vector<KeyInfo> take() { return std::move(keys_); }

 private:
  std::vector<KeyInfo> keys_;
};

/// The path as it is good from everywhere.
std::string full_path(const std::string& path) {
  if (path.starts_with("embedded:")) return path;
  return std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace

std::string initial_file_name(std::size_t topic) { return fmt::format("initial.{}.csv", topic + 1); }

std::string print_scenario(const Scenario& scenario, PlanPlace place) {
  Printer printer;
  print_scenario_section(scenario, place, printer);
  printer.section("cluster");
  printer.rows(scenario.cluster);
  print_brokers(scenario, printer);
  for (std::size_t i = 0; i < scenario.topics.size(); ++i) {
    TopicScenario topic = scenario.topics[i];
    // Where the number of brokers is drawn, so is what follows from it.
    const bool is_default = topic.replication_factor == std::min(scenario.cluster.brokers, 3);
    if (!scenario.chaos.empty() && is_default) topic.replication_factor = 0;
    if (topic.initial_file) {
      topic.initial = place == PlanPlace::file ? initial_file_name(i) : full_path(topic.initial_file->path);
    }
    printer.section(fmt::format("topic.{}", topic.name));
    printer.rows(topic);
  }
  printer.section("network");
  printer.rows(scenario.network);
  printer.section("store");
  printer.rows(scenario.store);
  printer.section("client");
  printer.rows(scenario.client);
  printer.section("metadata");
  printer.rows(scenario.metadata);
  printer.section("remedies");
  printer.rows(scenario.remedies);
  for_each_policy_options(scenario.policy_options, [&](std::string_view name, const auto& options) {
    printer.section(fmt::format("policy.{}", name));
    printer.rows(options);
  });
  print_expectations(scenario, printer);
  if (place == PlanPlace::section && !scenario.faults.empty()) print_plan_section(scenario, printer);
  if (!scenario.study.empty()) {
    printer.section("study");
    for (const auto& [key, value] : scenario.study) printer.key(key, value, {});
  }
  if (!scenario.chaos.empty()) {
    printer.section("chaos");
    for (const WrittenKey& key : scenario.chaos) printer.key(key.key, key.value, {});
  }
  return printer.take();
}

std::vector<KeyInfo> all_keys() {
  KeyCollector keys;
  keys.add("scenario", "name", "", "text", "The name that reports show; without it the file's.");
  keys.add("scenario", "base", "", "text",
           "A scenario to inherit: a path relative to this file or a name of the catalogue.");
  keys.rows("scenario", ScenarioOptions{});
  keys.rows("cluster", ClusterOptions{});
  keys.rows("broker", BrokerOptions{});
  for (const TopicDefault& known : topic_defaults()) {
    keys.add("broker", known.broker_key, "", "as in Kafka", fmt::format("Default of the topics' {}.", known.topic_key));
  }
  keys.rows("topic.NAME", TopicScenario{});
  keys.rows("network", NetworkOptions{});
  keys.rows("store", StoreOptions{});
  keys.rows("client", ClientOptions{});
  keys.rows("metadata", MetadataOptions{});
  keys.rows("remedies", RemedyOptions{});
  const PolicyOptions policies;
  for_each_policy_options(policies, [&](std::string_view name, const auto& options) {
    keys.rows(fmt::format("policy.{}", name), options);
  });
  keys.add("vars", "NAME", "", "text", "Stands for ${NAME} in the scenario and its plan.");
  keys.add("fault.NAME", "start", "", "duration", "Replaces the start of the plan's row NAME.");
  keys.add("fault.NAME", "duration", "", "duration", "Replaces its duration; empty lasts to the end.");
  keys.add("fault.NAME", "every", "", "duration", "Replaces its period of repetition.");
  keys.add("fault.NAME", "PARAM", "", "as the kind has it", "Replaces a parameter.");
  keys.add("plan", "N", "", "row", fmt::format("A row of the plan, inside the scenario: {}.", plan_header));
  keys.add("expect.POLICY", "must-break", "", "names", "Invariants that this policy breaks.");
  keys.add("expect.POLICY", "may-break", "", "names", "Invariants that it is free to break.");
  keys.add("expect.POLICY", "assert", "", "text",
           "Conditions on summary.csv's columns: COLUMN == VALUE joined with 'and'.");
  keys.add("study", "seeds", "", "A..B", "Seeds of the study.");
  keys.add("study", "policies", "", "names", "Policies to compare.");
  keys.add("study", "baseline", "", "name", "The policy to which the others are compared.");
  keys.add("study", "KEY", "", "list", "Values of the grid for SECTION.KEY, joined with blanks.");
  for (const ChaosKeyInfo& key : chaos_keys()) keys.add("chaos", key.name, key.default_text, key.unit, key.help);
  return keys.take();
}

}  // namespace sim
