#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/options.h"
#include "sim/scenario/scenario.h"
#include "sim/search/draw.h"

namespace cli {

/// What a command works on: the scenario with every --set applied, and the policies.
struct Input {
  sim::Scenario scenario;
  std::vector<sim::PolicyChoice> policies;
  /// With a section [chaos]: what draws a seed's world.
  std::shared_ptr<const sim::WorldDrawer> drawer = {};
};

/// The world of one seed: the scenario, or what is drawn of it.
struct SeedWorld {
  std::shared_ptr<const sim::Scenario> scenario;
  sim::PolicyChoice policy;
};
/// `input` outlives it. The error is one of the ranges in [chaos] that no check has met.
model::Result<SeedWorld, std::string> world_of(const Input& input, std::size_t policy, std::uint64_t seed);

/// What a reader should know before a run: notes on the scenario, and that [chaos] draws its worlds.
void tell_notes(const Input& input, Console& console);

/// Gives `input` something to draw with, whether its scenario has a section [chaos] or not: then kinds of fault and
/// their parameters are drawn as the catalogue's scenario chaos has them. Says what is wrong.
bool make_drawer(const Options& options, Input& input, Console& console);

/// Where the reader says what is wrong: `check` was asked for just that.
enum class Wrong : std::uint8_t { to_errors, to_results };

/// Reads both and says all that is wrong, each with file and line; nothing when something is. GitHub gets its marks as
/// well.
std::optional<Input> read_input(const Options& options, Console& console, Wrong wrong = Wrong::to_errors);

}  // namespace cli
