#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/option_values.h"
#include "sim/scenario/scenario.h"

namespace sim {

namespace {

using Error = Failed<std::string>;

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const PolicyEntry& policy : policies()) names.emplace_back(policy.name);
  return names;
}

// Nothing when the option was set.
std::optional<std::string> set_policy_option(PolicyChoice& choice, std::string_view key, std::string_view value) {
  std::optional<std::string> error = fmt::format("policy '{}' has no options", choice.name);
  for_each_policy_options(choice.options, [&](std::string_view name, auto& options) {
    if (name != choice.name) return;
    const SetOutcome outcome = set_option(options, key, value);
    error = outcome.error;
    if (outcome.error) error = fmt::format("{}: {}", key, *outcome.error);
    if (outcome.known) return;
    const auto names = option_names<std::remove_cvref_t<decltype(options)>>();
    error = fmt::format("policy '{}' has no option {}{}", name, quoted(key), suggestion(key, names));
  });
  return error;
}

}  // namespace

Result<PolicyChoice, std::string> read_policy_choice(std::string_view text, const Scenario& scenario) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  PolicyChoice choice{std::string{text}, std::string{text.substr(0, colon)}, scenario.policy_options};
  const auto names = policy_names();
  if (std::find(names.begin(), names.end(), choice.name) == names.end()) {
    return Error{fmt::format("unknown policy {}{}", quoted(choice.name), suggestion(choice.name, names))};
  }
  if (colon + 1 == text.size()) return Error{fmt::format("{}: write NAME:key=value", quoted(text))};
  for (const std::string& part : split_list(text.substr(std::min(colon + 1, text.size())), ":")) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return Error{fmt::format("{}: write NAME:key=value", quoted(text))};
    const std::string_view view = part;
    if (auto error = set_policy_option(choice, trimmed(view.substr(0, equals)), trimmed(view.substr(equals + 1))))
      return Error{*error};
  }
  return choice;
}

Result<std::vector<PolicyChoice>, std::string> read_policy_choices(const std::vector<std::string>& texts,
                                                                   const Scenario& scenario) {
  std::vector<std::string> wanted = texts.empty() ? split_list(scenario.scenario.policies, " \t,") : texts;
  if (wanted.empty()) wanted = {"all"};
  std::vector<PolicyChoice> choices;
  const auto add = [&](PolicyChoice choice) {
    const auto same = [&](const PolicyChoice& other) { return other.label == choice.label; };
    if (std::none_of(choices.begin(), choices.end(), same)) choices.push_back(std::move(choice));
  };
  for (const std::string& text : wanted) {
    const auto names = text == "all" ? policy_names() : std::vector{text};
    for (const std::string& name : names) {
      auto choice = read_policy_choice(name, scenario);
      if (!choice) return Error{choice.error()};
      add(std::move(*choice));
    }
  }
  return choices;
}

}  // namespace sim
