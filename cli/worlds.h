#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/input.h"
#include "reports/overview.h"
#include "reports/run_folder.h"
#include "sim/run_result.h"

namespace cli {

/// One world to run.
struct WorldJob {
  /// Index into the input's policies.
  std::size_t policy = 0;
  std::uint64_t seed = 0;
  /// Where the run's folder goes; empty: nothing is kept.
  std::string folder;
  bool replace_folder = false;
};

/// One world that ran to its end.
struct WorldDone {
  sim::RunResult result;
  reports::RunOverview overview;
  /// The hash of the second run under --verify.
  std::optional<std::uint64_t> second_hash;
  /// Why the folder could not be written.
  std::optional<std::string> problem;
};

/// What all worlds of a command share.
struct WorldSettings {
  int threads = 1;
  reports::Keep keep = reports::Keep::all;
  reports::MetricChoice metrics = reports::MetricChoice::kip;
  bool dump_metadata = false;
  bool verify = false;
  /// kind, version, commit and compiler of every run's manifest.
  reports::Manifest manifest;
};

/// Runs the worlds side by side, one a thread, and hands each result to `take` on the calling thread in the order of
/// the jobs, whatever the number of threads; shows progress meanwhile. `take` returns false when the rest makes no
/// sense.
///
/// Returns 0, or the exit code of the interruption: then `take` has had every world that was finished, and the folders
/// of the others are gone. After that and after a false, threads may be left that hold nothing and never go on.
int run_worlds(std::shared_ptr<const Input> input, std::vector<WorldJob> jobs, const WorldSettings& settings,
               Console& console, const std::function<bool(std::size_t job, WorldDone done)>& take);

/// The last records before and with `event`, described, one a line: the world is run once more for them.
std::string last_events(const sim::Scenario& scenario, const sim::PolicyChoice& policy, std::uint64_t seed,
                        std::uint64_t event);
std::string last_events(const Input& input, const WorldJob& job, std::uint64_t event);

}  // namespace cli
