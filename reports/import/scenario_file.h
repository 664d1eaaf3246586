#pragma once

#include <string>

#include "reports/import/findings.h"

namespace reports {

/// What the scenario left out or had to choose, for people.
struct ImportedScenario {
  /// Copies without offsets and size, in a state that no policy knows, or of a topic that was made again.
  std::uint64_t left_out = 0;
  /// Copies of topics that were deleted: nothing in Kafka cleans them, so they are no part of a world that goes on.
  std::uint64_t of_deleted_topics = 0;
  std::uint64_t copies = 0;

  /// Whether a scenario was written: not when deleted topics are all that the dump holds.
  bool has_scenario() const { return copies > 0 || of_deleted_topics == 0; }
};

/// Writes scenario.ini and initial.csv, unless all copies are of deleted topics, and an empty faults.plan.csv: a world
/// that begins where the dump ends, so that `run` says what each policy would do from here. What no dump tells is
/// Kafka's default, and the file says so.
Result<ImportedScenario, Problem> write_scenario_files(const std::string& folder, const std::string& name,
                                                       DumpFold& fold, const FindingRules& rules);

}  // namespace reports
