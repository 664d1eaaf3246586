// What is wrong with [chaos], said before anything runs and by the place where it stands: each value of each key is
// tried alone, since a campaign of a thousand seeds would meet the last of them in its middle.
#include <algorithm>

#include <fmt/format.h>

#include "sim/observers/goals.h"
#include "sim/scenario/names.h"
#include "sim/scenario/values.h"
#include "sim/search/draw.h"

namespace sim {

namespace {

PlanWorld world_of(const Scenario& base) {
  PlanWorld world{base.cluster.brokers, base.metadata.partitions, {}, base.faults_end()};
  for (const TopicScenario& topic : base.topics) world.topics.emplace_back(topic.name, topic.partitions);
  return world;
}

/// What is wrong with one value of a kind's parameter; `duration` and `target` are those of every kind.
std::optional<std::string> value_problem(const FaultKindInfo& kind, std::string_view param, const std::string& text,
                                         const Scenario& base) {
  if (param == "duration") {
    const auto duration = parse_duration(text);
    return duration ? std::nullopt : std::optional{duration.error()};
  }
  if (param == "target") {
    const auto target = parse_target(text, world_of(base));
    return target ? std::nullopt : std::optional{target.error()};
  }
  const auto found =
      std::find_if(kind.params.begin(), kind.params.end(), [&](const ParamInfo& info) { return info.name == param; });
  return found == kind.params.end() ? std::nullopt : param_error(*found, text);
}

}  // namespace

void WorldDrawer::check_key(const DrawnKey& key, InputErrors& errors) const {
  for (const DrawnValue& value : key.values) {
    for (const std::string& end : value.ends()) {
      std::vector<std::string> sets = source_.sets;
      sets.push_back(fmt::format("{}={}", key.name, end));
      const auto read = read_scenario_text(path_, text_, sets, kinds_, *files_, known_, source_.configs);
      if (read) continue;
      errors.add(key.origin, fmt::format("[chaos] {} = {}: {}", key.name, end, read.error().front().message));
      return;
    }
  }
}

void WorldDrawer::check_param(const DrawnKey& key, const Scenario& base, InputErrors& errors) const {
  const std::size_t dot = key.name.find('.');
  const std::string_view first = std::string_view{key.name}.substr(0, dot);
  const std::string_view param = std::string_view{key.name}.substr(dot + 1);
  for (const FaultKindInfo& kind : kinds_) {
    if (first != "*" && kind.name != first) continue;
    for (const DrawnValue& value : key.values) {
      for (const std::string& end : value.ends()) {
        const auto problem = value_problem(kind, param, end, base);
        if (problem) return errors.add(key.origin, fmt::format("[chaos] {}: {}", key.name, *problem));
      }
    }
  }
}

void WorldDrawer::check_names(InputErrors& errors) const {
  std::vector<std::string> names;
  for (const Goal& goal : goals()) names.push_back(goal.name);
  for (const std::string& name : options_.may_miss) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    errors.add({path_, 0}, fmt::format("[chaos] may-miss: unknown goal {}{}", quoted(name), suggestion(name, names)));
  }
  const std::vector<std::string> invariants(known_.invariants.begin(), known_.invariants.end());
  for (const Signature& pattern : options_.known) {
    const auto is_meant = [&](const std::string& name) { return matches_text(pattern.invariant, name); };
    if (invariants.empty() || std::any_of(invariants.begin(), invariants.end(), is_meant)) continue;
    errors.add({path_, 0}, fmt::format("[chaos] known: unknown invariant {}{}", quoted(pattern.invariant),
                                       suggestion(pattern.invariant, invariants)));
  }
}

std::vector<InputError> WorldDrawer::check_values(const Scenario& base) const {
  InputErrors errors;
  for (const DrawnKey& key : options_.keys) check_key(key, errors);
  for (const DrawnKey& key : options_.params) check_param(key, base, errors);
  check_names(errors);
  return errors.take();
}

}  // namespace sim
