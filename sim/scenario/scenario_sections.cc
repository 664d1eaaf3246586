#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "sim/scenario/kafka_names.h"
#include "sim/scenario/scenario_builder.h"

namespace sim {

namespace {

const std::array<std::string, 17> section_kinds{
    "scenario", "cluster",     "broker", "broker.ID",   "topic.NAME", "network", "store", "client", "metadata",
    "remedies", "policy.NAME", "vars",   "expect.NAME", "fault.NAME", "plan",    "study", "chaos"};
const std::array<std::string, 15> kind_words{"scenario", "cluster", "broker",   "topic",    "network",
                                             "store",    "client",  "metadata", "remedies", "policy",
                                             "expect",   "fault",   "plan",     "study",    "chaos"};

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const PolicyEntry& policy : policies()) names.emplace_back(policy.name);
  return names;
}

bool needs_name(std::string_view kind) { return kind == "topic" || kind == "policy" || kind == "expect"; }
bool may_have_name(std::string_view kind) { return needs_name(kind) || kind == "broker" || kind == "fault"; }

// What the plug-in called common is set to when nobody sets it (Aiven-Open/tiered-storage-for-apache-kafka on S3, with
// the AWS SDK's own retries): parts of 25 MiB, aborted and cleaned up when the copy fails, no time-out, a drawn
// back-off.
ClientOptions defaults_of(ClientOptions::Plugin plugin) {
  ClientOptions options;
  options.plugin = plugin;
  if (plugin == ClientOptions::Plugin::plain) return options;
  options.attempts = 4;
  options.backoff_jitter = Ratio{1, 1};
  options.timeout = Duration{0};
  options.multipart = true;
  options.part_size = Bytes{25 << 20};
  options.cleanup = true;
  options.delete_batch = true;
  return options;
}

bool is_valid_topic_name(std::string_view name) {
  return is_plain_name(name) && name.size() <= 249 && name != "." && name != "..";
}

}  // namespace

void ScenarioBuilder::add_error(const IniEntry& entry, std::string_view message) {
  errors_.add(entry.origin, fmt::format("[{}] {}: {}", entry.section, entry.key, message));
}

void ScenarioBuilder::unknown_key(const IniEntry& entry, std::vector<std::string> names) {
  for (const KeyInfo& key : all_keys()) {
    if (key.name == entry.key) {
      return errors_.add(entry.origin, fmt::format("unknown key {} in [{}]: it is one of [{}]", quoted(entry.key),
                                                   entry.section, key.section));
    }
  }
  errors_.add(entry.origin,
              fmt::format("unknown key {} in [{}]{}", quoted(entry.key), entry.section, suggestion(entry.key, names)));
}

void ScenarioBuilder::note(const IniEntry& entry) {
  scenario_.notes.push_back(
      to_string({entry.origin.file, entry.origin.line, fmt::format("Kafka's '{}' has no effect here", entry.key)}));
}

void ScenarioBuilder::check_sections() {
  std::set<std::string> seen;
  for (const IniEntry& entry : layers_.entries()) {
    if (!seen.insert(entry.section).second) continue;
    const auto [kind, name] = split_section(entry.section);
    const bool is_known = kind == "vars" || std::find(kind_words.begin(), kind_words.end(), kind) != kind_words.end();
    if (!is_known) {
      const std::string nearest = nearest_name(kind, kind_words);
      const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
      errors_.add(entry.origin, fmt::format("unknown section [{}]{}; sections are {}", entry.section, hint,
                                            fmt::join(section_kinds, ", ")));
    } else if (needs_name(kind) && name.empty()) {
      errors_.add(entry.origin, fmt::format("section [{}] needs a name: [{}.NAME]", kind, kind));
    } else if (!may_have_name(kind) && !name.empty()) {
      errors_.add(entry.origin, fmt::format("section [{}] has no name: write [{}]", entry.section, kind));
    } else if (kind == "policy" || kind == "expect") {
      const auto names = policy_names();
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      errors_.add(entry.origin,
                  fmt::format("unknown policy {} in [{}]{}", quoted(name), entry.section, suggestion(name, names)));
    }
  }
}

void ScenarioBuilder::read_plain_sections() {
  for (const IniEntry& entry : layers_.entries()) {
    if (entry.section == "study" && !entry.key.empty()) scenario_.study.emplace_back(entry.key, entry.value);
    if (entry.section == "chaos" && !entry.key.empty())
      scenario_.chaos.push_back({entry.key, entry.value, entry.origin});
    if (entry.section != "scenario" || entry.key.empty()) continue;
    if (entry.key == "name") {
      if (!is_plain_name(entry.value))
        add_error(entry, fmt::format("{}: letters, digits, '.', '_' and '-' only", quoted(entry.value)));
      scenario_.name = entry.value;
    } else {
      read_key(entry, scenario_.scenario);
    }
  }
  read_section("cluster", scenario_.cluster);
  read_section("network", scenario_.network);
  read_section("store", scenario_.store);
  // Whose defaults hold comes first, wherever it stands.
  if (const IniEntry* const plugin = layers_.find("client", "plugin")) {
    read_key(*plugin, scenario_.client);
    scenario_.client = defaults_of(scenario_.client.plugin);
  }
  read_section("client", scenario_.client);
  read_section("remedies", scenario_.remedies);
  for (const IniEntry& entry : layers_.entries()) {
    if (entry.section != "metadata" || entry.key.empty()) continue;
    if (is_kafka_key_without_effect(entry.key)) {
      note(entry);
    } else {
      read_key(entry, scenario_.metadata);
    }
  }
}

void ScenarioBuilder::read_broker_keys(const std::string& section, BrokerOptions& broker) {
  for (const IniEntry& entry : layers_.entries()) {
    if (entry.section != section || entry.key.empty()) continue;
    const auto defaults = topic_defaults();
    const bool is_default =
        std::any_of(defaults.begin(), defaults.end(), [&](const TopicDefault& d) { return d.broker_key == entry.key; });
    const bool is_common = section == "broker";
    if (is_default && is_common) continue;
    if (is_default) {
      add_error(entry, "it is a default for topics and stands in [broker] only");
    } else if (entry.key == "policy" && is_common) {
      add_error(entry, "it fixes one broker's policy and stands in [broker.ID] only");
    } else if (is_kafka_key_without_effect(entry.key)) {
      note(entry);
    } else if (const SetOutcome outcome = set_option(broker, entry.key, entry.value); !outcome.known) {
      auto names = option_names<BrokerOptions>();
      for (const TopicDefault& known : defaults) names.emplace_back(known.broker_key);
      unknown_key(entry, std::move(names));
    } else if (outcome.error) {
      add_error(entry, *outcome.error);
    }
    const auto names = policy_names();
    const bool is_policy = entry.key == "policy" && !entry.value.empty() && !is_common;
    if (is_policy && std::find(names.begin(), names.end(), entry.value) == names.end()) {
      add_error(entry, fmt::format("unknown policy {}{}", quoted(entry.value), suggestion(entry.value, names)));
    }
  }
}

void ScenarioBuilder::read_brokers() {
  read_broker_keys("broker", scenario_.broker_defaults);
  scenario_.brokers.assign(static_cast<std::size_t>(scenario_.cluster.brokers), scenario_.broker_defaults);
  for (const std::string& name : layers_.names_of("broker")) {
    const std::string section = "broker." + name;
    const auto id = parse_integer(name);
    if (!id || *id < 1 || *id > scenario_.cluster.brokers || name != fmt::format("{}", *id)) {
      errors_.add(layers_.origin_of(section, {}), fmt::format("unknown broker {} in [{}] (valid: 1 to {})",
                                                              quoted(name), section, scenario_.cluster.brokers));
      continue;
    }
    read_broker_keys(section, scenario_.brokers[static_cast<std::size_t>(*id - 1)]);
  }
}

TopicScenario ScenarioBuilder::read_topic_defaults() {
  TopicScenario defaults;
  for (const TopicDefault& known : topic_defaults()) {
    const IniEntry* entry = layers_.find("broker", known.broker_key);
    if (entry == nullptr) continue;
    const SetOutcome outcome = set_option(defaults, known.topic_key, in_topic_unit(entry->value, known));
    if (outcome.error) add_error(*entry, *outcome.error);
  }
  return defaults;
}

void ScenarioBuilder::read_topic(const std::string& name, const TopicScenario& defaults) {
  const std::string section = "topic." + name;
  if (!is_valid_topic_name(name)) {
    errors_.add(layers_.origin_of(section, {}),
                fmt::format("{} is no topic name: at most 249 letters, digits, '.', '_' and '-'", quoted(name)));
  }
  TopicScenario topic = defaults;
  topic.name = name;
  for (const IniEntry& entry : layers_.entries()) {
    if (entry.section != section || entry.key.empty()) continue;
    if (is_kafka_key_without_effect(entry.key)) {
      note(entry);
    } else {
      read_key(entry, topic);
    }
  }
  scenario_.topics.push_back(std::move(topic));
}

void ScenarioBuilder::read_topics() {
  const TopicScenario defaults = read_topic_defaults();
  for (const std::string& name : layers_.names_of("topic")) read_topic(name, defaults);
}

void ScenarioBuilder::read_policy_options() {
  std::vector<std::string> with_options;
  for_each_policy_options(scenario_.policy_options, [&](std::string_view name, auto& options) {
    with_options.emplace_back(name);
    read_section(fmt::format("policy.{}", name), options);
  });
  for (const IniEntry& entry : layers_.entries()) {
    const auto [kind, name] = split_section(entry.section);
    if (kind != "policy" || entry.key.empty()) continue;
    if (std::find(with_options.begin(), with_options.end(), name) != with_options.end()) continue;
    add_error(entry, fmt::format("this policy has no options; {} has", fmt::join(with_options, ", ")));
  }
}

void ScenarioBuilder::check_assert(const IniEntry& entry, const std::string& text) {
  constexpr std::array<std::string_view, 6> operators{"==", "!=", "<=", ">=", "<", ">"};
  const auto words = split_list(text, " \t");
  if (words.size() != 3 || std::find(operators.begin(), operators.end(), words[1]) == operators.end()) {
    return add_error(
        entry, fmt::format("{} is no assertion: write COLUMN == VALUE with blanks, joined with 'and'", quoted(text)));
  }
  const auto& columns = known_.summary_columns;
  if (columns.empty() || std::find(columns.begin(), columns.end(), words[0]) != columns.end()) return;
  add_error(entry, fmt::format("unknown column {}{}", quoted(words[0]), suggestion(words[0], columns)));
}

void ScenarioBuilder::read_expectation(const IniEntry& entry, Expectation& expectation) {
  if (entry.key == "must-break" || entry.key == "may-break") {
    auto& list = entry.key == "must-break" ? expectation.must_break : expectation.may_break;
    list = split_list(entry.value, " \t,");
    for (const std::string& name : list) {
      const auto& invariants = known_.invariants;
      if (invariants.empty() || std::find(invariants.begin(), invariants.end(), name) != invariants.end()) continue;
      add_error(entry, fmt::format("unknown invariant {}{}", quoted(name), suggestion(name, invariants)));
    }
  } else if (entry.key == "assert") {
    std::string_view rest = entry.value;
    constexpr std::string_view joint = " and ";
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(joint), rest.size());
      const std::string text = fmt::format("{}", fmt::join(split_list(rest.substr(0, end), " \t"), " "));
      check_assert(entry, text);
      expectation.asserts.push_back(text);
      rest.remove_prefix(std::min(end + joint.size(), rest.size()));
    }
  } else {
    unknown_key(entry, {"must-break", "may-break", "assert"});
  }
}

void ScenarioBuilder::read_expectations() {
  for (const IniEntry& entry : layers_.entries()) {
    const auto [kind, name] = split_section(entry.section);
    if (kind == "expect" && !entry.key.empty()) read_expectation(entry, scenario_.expectations[std::string{name}]);
  }
}

}  // namespace sim
