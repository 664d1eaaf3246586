#include "cli/input.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/summary_markdown.h"
#include "sim/faults/faults.h"
#include "sim/observers/invariants.h"
#include "sim/observers/judge.h"

namespace cli {

namespace {

using Read = model::Result<sim::Scenario, std::vector<sim::InputError>>;

/// Everything that an expectation may name.
sim::KnownNames known_names() {
  static const std::vector<std::string> invariants = [] {
    std::vector<std::string> names;
    for (const sim::InvariantEntry& entry : sim::invariants()) names.emplace_back(entry.name);
    return names;
  }();
  static const std::vector<std::string> columns{sim::assert_columns().begin(), sim::assert_columns().end()};
  return {invariants, columns};
}

sim::ScenarioSource source_of(const Options& options) {
  return {.scenario = options.arguments.front(), .sets = options.sets, .configs = options.configs};
}

/// Seeds of which the ranges in [chaos] are tried before anything runs.
constexpr std::uint64_t tried_seeds = 8;

/// Read and checked.
Read read_checked(const sim::ScenarioSource& source) {
  Read scenario = sim::read_scenario(source, sim::fault_kinds(), known_names());
  if (!scenario) return scenario;
  std::vector<sim::InputError> errors;
  for (std::string& words : sim::check_expectations(*scenario))
    errors.push_back({source.scenario, 0, std::move(words)});
  if (!errors.empty()) return model::Failed{std::move(errors)};
  return scenario;
}

}  // namespace

namespace {

void tell(const std::vector<sim::InputError>& errors, Console& console, Wrong wrong) {
  std::string text;
  for (const sim::InputError& error : errors) text += to_string(error) + "\n";
  if (console.github_actions()) text += reports::github_errors(errors);
  if (wrong == Wrong::to_results) {
    console.print(text);
  } else {
    console.note(std::string_view{text}.substr(0, text.size() - 1));
  }
}

/// The errors, if there are any.
std::vector<sim::InputError> add_drawer(const Options& options, const sim::Scenario& base, Input& input) {
  auto drawer = sim::WorldDrawer::make(source_of(options), base, sim::fault_kinds(), known_names());
  if (!drawer) return drawer.error();
  for (std::uint64_t seed = 1; seed <= tried_seeds; ++seed) {
    if (const auto drawn = drawer->draw(seed); !drawn) return drawn.error();
  }
  input.drawer = std::make_shared<const sim::WorldDrawer>(std::move(*drawer));
  return {};
}

/// What the catalogue's chaos says of faults, and nothing of its own cluster.
std::vector<sim::WrittenKey> default_chaos() {
  std::vector<sim::WrittenKey> keys;
  const auto chaos =
      sim::read_scenario({.scenario = "embedded:chaos.ini", .sets = {}, .configs = {}}, sim::fault_kinds());
  if (!chaos) return keys;
  const auto kinds = sim::fault_kinds();
  for (const sim::WrittenKey& key : chaos->chaos) {
    const std::string_view first = std::string_view{key.key}.substr(0, key.key.find('.'));
    const bool is_kind = std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.name == first; });
    if (first == "*" || is_kind || key.key == "kinds" || key.key == "faults") keys.push_back(key);
  }
  return keys;
}

}  // namespace

model::Result<SeedWorld, std::string> world_of(const Input& input, std::size_t policy, std::uint64_t seed) {
  const sim::PolicyChoice& choice = input.policies[policy];
  // Whoever asks holds the input for as long as the world.
  if (!input.drawer) return SeedWorld{{std::shared_ptr<void>{}, &input.scenario}, choice};
  auto drawn = input.drawer->draw(seed);
  if (!drawn) return model::Failed{to_string(drawn.error().front())};
  auto scenario = std::make_shared<const sim::Scenario>(std::move(*drawn));
  auto policy_drawn = sim::read_policy_choice(choice.label, *scenario);
  if (!policy_drawn) return model::Failed{policy_drawn.error()};
  return SeedWorld{std::move(scenario), std::move(*policy_drawn)};
}

void tell_notes(const Input& input, Console& console) {
  for (const std::string& note : input.scenario.notes) console.note(fmt::format("note: {}", note));
  if (!input.drawer) return;
  console.note(
      "note: [chaos] draws keys and faults for each seed, beside the plan; must-break counts as may-break there, "
      "asserts "
      "are not judged, and `known` is the campaign's alone");
}

bool make_drawer(const Options& options, Input& input, Console& console) {
  if (input.drawer) return true;
  sim::Scenario base = input.scenario;
  base.chaos = default_chaos();
  const auto errors = add_drawer(options, base, input);
  if (!errors.empty()) tell(errors, console, Wrong::to_errors);
  return errors.empty();
}

std::optional<Input> read_input(const Options& options, Console& console, Wrong wrong) {
  auto scenario = read_checked(source_of(options));
  if (!scenario) {
    tell(scenario.error(), console, wrong);
    return std::nullopt;
  }
  auto policies = sim::read_policy_choices(options.policies, *scenario);
  if (!policies) {
    console.error(policies.error());
    return std::nullopt;
  }
  Input input{std::move(*scenario), std::move(*policies)};
  if (input.scenario.chaos.empty()) return input;
  if (const auto errors = add_drawer(options, input.scenario, input); !errors.empty()) {
    tell(errors, console, wrong);
    return std::nullopt;
  }
  return input;
}

}  // namespace cli
