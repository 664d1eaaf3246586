#include "sim/scenario/scenario.h"

#include <fmt/format.h>

#include "sim/scenario/catalogue.h"
#include "sim/scenario/layers.h"
#include "sim/scenario/scenario_builder.h"

namespace sim {

namespace {

// `scenarios/tiny.ini` is tiny; what a name may not hold becomes `_`, so that what is printed reads back.
std::string stem(const std::string& file) {
  std::string name = file.substr(file.find_last_of("/:") + 1);  // From 0 when there is neither.
  if (name.ends_with(".ini")) name.resize(name.size() - 4);
  for (char& letter : name) {
    if (!is_plain_name(std::string_view{&letter, 1})) letter = '_';
  }
  return name;
}

}  // namespace

std::string to_string(const InputError& error) {
  if (error.line == 0) return fmt::format("{}: {}", error.file, error.message);
  return fmt::format("{}:{}: {}", error.file, error.line, error.message);
}

CopyBounds Scenario::copy_bounds() const {
  CopyBounds bounds;
  if (client.deadline > Duration{0}) bounds.copy_deadline = client.deadline;
  Duration longest_wait{0};
  for (const BrokerOptions& broker : brokers) {
    // Nothing bounds the time in which a publish waits for a thread that may wait.
    if (broker.common_pool_threads > 0) return bounds;
    longest_wait = std::max(longest_wait, broker.manager.consume_wait);
  }
  bounds.publish_deadline = metadata.delivery_timeout + longest_wait;
  return bounds;
}

Duration Scenario::settle() const {
  if (scenario.settle > Duration{0}) return scenario.settle;
  Duration longest = broker_defaults.manager.task_interval;
  for (const BrokerOptions& broker : brokers) longest = std::max(longest, broker.manager.task_interval);
  return 10 * std::min(longest, duration_max / 20);
}

SimTime Scenario::faults_end() const { return SimTime{scenario.duration - settle()}; }

Result<Scenario, std::vector<InputError>> read_scenario_text(const std::string& file, std::string_view text,
                                                             const std::vector<std::string>& sets,
                                                             std::span<const FaultKindInfo> fault_kinds,
                                                             const ScenarioFiles& files, const KnownNames& known,
                                                             const KafkaConfigFiles& configs) {
  InputErrors errors;
  const Layers layers = Layers::read(file, text, sets, configs, files, errors);
  ScenarioBuilder builder{layers, fault_kinds, files, known, errors};
  Scenario scenario = builder.build(stem(file));
  if (!errors.empty()) return Failed{errors.take()};
  scenario.changed = !sets.empty() || !configs.empty();
  scenario.text = print_scenario(scenario);
  scenario.plan_text = print_plan(scenario.faults);
  return scenario;
}

Result<Scenario, std::vector<InputError>> read_scenario(const ScenarioSource& source,
                                                        std::span<const FaultKindInfo> fault_kinds,
                                                        const KnownNames& known) {
  const CatalogueFiles files;
  std::string path = source.scenario;
  if (!is_path(path)) {
    const auto found = files.find(path);
    if (!found) {
      const std::string hint = suggestion(path, files.names());
      return Failed{std::vector{
          InputError{path, 0, fmt::format("no scenario of this name{}; a file's name ends in .ini", hint)}}};
    }
    path = *found;
  }
  const auto text = files.read(path);
  if (!text) return Failed{std::vector{InputError{path, 0, text.error()}}};
  return read_scenario_text(path, *text, source.sets, fault_kinds, files, known, source.configs);
}

}  // namespace sim
