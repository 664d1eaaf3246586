#pragma once

#include <string>

#include "reports/import/findings.h"

namespace reports {

/// What the scenario left out or had to choose, for people.
struct ImportedScenario {
  /// Copies without offsets and size, in a state that no policy knows, or of a topic that was made again.
  std::uint64_t left_out = 0;
  std::uint64_t copies = 0;
};

/// Writes scenario.ini, initial.csv and an empty faults.plan.csv: a world that begins where the dump ends, so that
/// `run` says what each policy would do from here. What no dump tells is Kafka's default, and the file says so.
Result<ImportedScenario, Problem> write_scenario_files(const std::string& folder, const std::string& name,
                                                       DumpFold& fold, const FindingRules& rules);

}  // namespace reports
