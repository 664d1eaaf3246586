#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/manifest.h"
#include "reports/overview.h"
#include "reports/run_folder.h"

namespace reports {

/// One row of curves.csv for all topics, as far as a picture needs it.
struct StoredPoint {
  std::int64_t time_ms = 0;
  std::int64_t garbage_bytes = 0;
  /// The greatest since the row before.
  std::int64_t garbage_bytes_max = 0;
};

/// What an import found that nobody will read.
struct RecordedWaste {
  std::int64_t bytes = 0;
  std::uint64_t copies = 0;
  /// Whether all sizes are a listing's, and none what the metadata claims.
  bool is_listed = true;
};

/// One run as its folder tells it.
struct StoredRun {
  std::string folder = {};
  Manifest manifest = {};
  RunOverview overview = {};
  /// Empty when the run kept no curves. An import's begins at 0 with its first record, as its overview does.
  std::vector<StoredPoint> curve = {};
  /// Of an import, of which the overview knows next to nothing.
  std::optional<RecordedWaste> recorded = {};
};

/// What an import shows, in a sentence; empty for a run.
std::string recorded_sentence(const StoredRun& run);

/// Reads one run's folder.
Result<StoredRun, Problem> read_run(const std::string& folder);
/// The runs below a folder of any kind that were kept: the folder itself, or the `folder`s of its runs.csv. An
/// unfinished folder is a problem unless `partial`.
Result<std::vector<StoredRun>, Problem> read_runs(const std::string& folder, bool partial = false);
/// The rows of a folder's runs.csv, kept or not.
Result<std::vector<RunRow>, Problem> read_run_rows(const std::string& folder);

}  // namespace reports
