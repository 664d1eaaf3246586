#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/input.h"

namespace cli {

int check_command(const Options& options, Console& console) {
  const auto input = read_input(options, console, options.print ? Wrong::to_errors : Wrong::to_results);
  if (!input) return exit_usage;
  const auto world = options.default_seeds ? model::Result<SeedWorld, std::string>{SeedWorld{}}
                                           : world_of(*input, 0, options.seeds.first);
  if (!world) {
    console.error(world.error());
    return exit_usage;
  }
  // With --seed what that seed draws of [chaos].
  const sim::Scenario& scenario = world->scenario ? *world->scenario : input->scenario;
  if (options.print) {
    console.print(sim::print_scenario(scenario, sim::PlanPlace::section));
    for (const std::string& note : scenario.notes) console.note(fmt::format("note: {}", note));
    return exit_ok;
  }
  for (const std::string& note : scenario.notes) console.print("note: {}\n", note);
  console.print("ok: {}, {} polic{}, {} row{} of faults\n", scenario.name, input->policies.size(),
                input->policies.size() == 1 ? "y" : "ies", scenario.faults.size(),
                scenario.faults.size() == 1 ? "" : "s");
  return exit_ok;
}

}  // namespace cli
