// Any bytes as a fault plan: an answer or errors, no crash; what is valid prints as valid input and prints the same
// again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/check.h"
#include "sim/faults/faults.h"
#include "sim/scenario/scenario.h"
#include "tests/sim/scenario/memory_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sim::scenario_test::MemoryFiles;
  const std::string plan{reinterpret_cast<const char*>(data), size};
  const std::string_view text =
      "[scenario]\nduration = 7d\nfaults = faults.plan.csv\n[cluster]\nbrokers = 3\n[topic.t]\npartitions = "
      "5\n[vars]\na = 5m\n";
  const auto scenario =
      sim::read_scenario_text("fuzz.ini", text, {}, sim::fault_kinds(), MemoryFiles{{{"faults.plan.csv", plan}}});
  if (!scenario) return 0;
  const MemoryFiles printed{{{"faults.plan.csv", scenario->plan_text}}};
  const auto again = sim::read_scenario_text("fuzz.ini", text, {}, sim::fault_kinds(), printed);
  CHECK(again.has_value(), "{}", to_string(again.error().front()));
  CHECK(again->plan_text == scenario->plan_text);
  return 0;
}
