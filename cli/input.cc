#include "cli/input.h"

#include <fmt/format.h>

#include "reports/summary_markdown.h"
#include "sim/faults/faults.h"
#include "sim/observers/invariants.h"
#include "sim/observers/judge.h"

namespace cli {

namespace {

using Read = model::Result<sim::Scenario, std::vector<sim::InputError>>;

/// Read and checked against everything that an expectation may name.
Read read_checked(const sim::ScenarioSource& source) {
  std::vector<std::string> invariants;
  for (const sim::InvariantEntry& entry : sim::invariants()) invariants.emplace_back(entry.name);
  const auto columns_known = sim::assert_columns();
  const std::vector<std::string> columns{columns_known.begin(), columns_known.end()};
  Read scenario = sim::read_scenario(source, sim::fault_kinds(), {invariants, columns});
  if (!scenario) return scenario;
  std::vector<sim::InputError> errors;
  for (std::string& words : sim::check_expectations(*scenario))
    errors.push_back({source.scenario, 0, std::move(words)});
  if (!errors.empty()) return model::Failed{std::move(errors)};
  return scenario;
}

}  // namespace

std::optional<Input> read_input(const Options& options, Console& console, Wrong wrong) {
  auto scenario =
      read_checked({.scenario = options.arguments.front(), .sets = options.sets, .configs = options.configs});
  if (!scenario) {
    std::string text;
    for (const sim::InputError& error : scenario.error()) text += to_string(error) + "\n";
    if (console.github_actions()) text += reports::github_errors(scenario.error());
    if (wrong == Wrong::to_results) {
      console.print(text);
    } else {
      console.note(std::string_view{text}.substr(0, text.size() - 1));
    }
    return std::nullopt;
  }
  auto policies = sim::read_policy_choices(options.policies, *scenario);
  if (!policies) {
    console.error(policies.error());
    return std::nullopt;
  }
  return Input{std::move(*scenario), std::move(*policies)};
}

}  // namespace cli
