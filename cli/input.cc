#include "cli/input.h"

#include <fmt/format.h>

#include "reports/summary_markdown.h"
#include "sim/faults/faults.h"

namespace cli {

std::optional<Input> read_input(const Options& options, Console& console, Wrong wrong) {
  auto scenario = sim::read_scenario({.scenario = options.arguments.front(), .sets = options.sets}, sim::fault_kinds());
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
