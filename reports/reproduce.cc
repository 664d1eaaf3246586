#include "reports/reproduce.h"

#include <algorithm>

namespace reports {

std::string shell_quote(std::string_view word) {
  // `~` is missing: it is special where a word begins.
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string{word};
  std::string quoted = "'";
  for (const char character : word) {
    if (character == '\'') {
      quoted += "'\\''";
    } else {
      quoted += character;
    }
  }
  return quoted + "'";
}

std::string reproduce_command(const Reproduction& reproduction) {
  std::string command = "flotsam " + shell_quote(reproduction.command);
  const auto add = [&](std::string_view word) { command += " " + shell_quote(word); };
  if (!reproduction.scenario.empty()) add(reproduction.scenario);
  for (const auto& policy : reproduction.policies) {
    add("--policy");
    add(policy);
  }
  if (reproduction.seed) {
    add("--seed");
    add(std::to_string(*reproduction.seed));
  }
  for (const auto& set : reproduction.sets) {
    add("--set");
    add(set);
  }
  for (const auto& option : reproduction.options) add(option);
  return command;
}

}  // namespace reports
