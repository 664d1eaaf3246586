#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/options.h"
#include "sim/scenario/scenario.h"

namespace cli {

/// What a command works on: the scenario with every --set applied, and the policies.
struct Input {
  sim::Scenario scenario;
  std::vector<sim::PolicyChoice> policies;
};

/// Where the reader says what is wrong: `check` was asked for just that.
enum class Wrong : std::uint8_t { to_errors, to_results };

/// Reads both and says all that is wrong, each with file and line; nothing when something is. GitHub gets its marks as
/// well.
std::optional<Input> read_input(const Options& options, Console& console, Wrong wrong = Wrong::to_errors);

}  // namespace cli
