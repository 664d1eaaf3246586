#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/console.h"
#include "cli/input.h"
#include "cli/options.h"
#include "reports/manifest.h"
#include "reports/run_folder.h"

namespace cli {

/// The folder of one run, as its files tell it.
struct KeptFolder {
  std::string path;
  reports::Manifest manifest;
  /// Its row of runs.csv.
  sim::Summary summary;
};

/// A kept run with all that decides it.
struct KeptRun {
  KeptFolder folder;
  /// Its scenario, judged as it was then, and its one policy.
  Input input;
  /// Whether somebody edited scenario.ini, the plan or an initial state after the run: what runs now is something else.
  bool is_edited = false;
};

/// Reads a run's folder. The error names what is wrong; of a folder with several runs it lists theirs.
model::Result<KeptFolder, std::string> read_kept_folder(const std::string& path);
/// Reads its scenario and policy as well; nothing, said on the error stream, when they cannot be run today.
std::optional<KeptRun> read_kept_run(KeptFolder folder, Console& console);

/// Why a run of today may leave another trace than `kept`, in words; empty when nothing can be the reason, so that
/// another trace is a fault of ours.
std::string reason_to_differ(const KeptRun& kept);

}  // namespace cli
