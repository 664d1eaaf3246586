#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run_result.h"

namespace sim {

/// A safety invariant broken is a loss, else a liveness invariant broken a leak, else all is clean.
Outcome outcome_of(std::span<const Violation> violations);

/// What [expect.LABEL] says, or else [expect.NAME] without the variant's options; null: every invariant must hold.
const Expectation* expectation_of(const Scenario& scenario, const PolicyChoice& policy);

/// The columns of summary.csv that an assert may compare: those that are numbers.
std::span<const std::string_view> assert_columns();

/// All that is wrong with the scenario's expectations: unknown invariants and columns, asserts that cannot be read. In
/// words.
std::vector<std::string> check_expectations(const Scenario& scenario);

/// Holds `result` against what the scenario expects: fills outcome, verdict and first_violation of its summary, and
/// expected, failures and exit_code. An assert over a column that is empty fails.
void judge(const Scenario& scenario, const PolicyChoice& policy, RunResult& result);

}  // namespace sim
