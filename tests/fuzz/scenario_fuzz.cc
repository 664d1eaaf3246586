// Any bytes as a scenario: an answer or errors, no crash; what is valid prints as valid input and prints the same
// again.
#include "sim/scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/check.h"
#include "sim/faults/faults.h"
#include "tests/sim/scenario/memory_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sim::scenario_test::MemoryFiles;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const MemoryFiles files{{{"plan.csv", "start,duration,kind,target,params\n"}, {"self.ini", std::string{text}}}};
  const auto scenario = sim::read_scenario_text("fuzz.ini", text, {}, sim::fault_kinds(), files);
  if (!scenario) return 0;
  const MemoryFiles printed{{{"faults.plan.csv", scenario->plan_text}}};
  const auto again = sim::read_scenario_text("fuzz.ini", scenario->text, {}, sim::fault_kinds(), printed);
  CHECK(again.has_value(), "{}", to_string(again.error().front()));
  CHECK(again->text == scenario->text);
  return 0;
}
