#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/aside_folder.h"
#include "reports/manifest.h"
#include "reports/run_files.h"
#include "sim/run_result.h"

namespace reports {

struct RunFolderOptions {
  /// Where the run's folder will stand.
  std::string folder = {};
  AsideFolder::Existing existing = AsideFolder::Existing::refuse;
  Keep keep = Keep::all;
  MetricChoice metrics = MetricChoice::kip;
  /// Also the metadata topic as Kafka's tools print it (run_files/metadata_dump.cc).
  bool dump_metadata = false;
  /// kind, version, commit and compiler; the run fills in the rest.
  Manifest manifest = {};
};

/// Writes a run's folder while the run goes on: the files that `keep` asks for, scenario.ini, faults.plan.csv,
/// summary.csv, runs.csv (its one row with folder `.`) and manifest.json.
///
///   RunFolderWriter writer{{.folder = "out/kip-dangling", .keep = Keep::all, .manifest = manifest}};
///   const auto result = sim::run_world(scenario, policy, seed, &writer);
///   if (auto written = writer.finish(); !written) return fail(written.error());
class RunFolderWriter final : public sim::RunListener {
 public:
  explicit RunFolderWriter(RunFolderOptions options);
  ~RunFolderWriter() override;

  void begin(const sim::WorldView& world) override;
  void record(const sim::TraceRecord& record) override;
  void curve(const sim::CurvePoint& point) override;
  void end(const sim::RunResult& result) override;

  /// Puts the folder in place. The first problem since the start, if there was one; then nothing is left of the folder.
  /// Without an end of the run it is a problem too.
  Result<void, Problem> finish();

 private:
  void fail(Problem problem);
  void write_whole_files(const sim::RunResult& result);

  RunFolderOptions options_;
  AsideFolder aside_;
  std::unique_ptr<RunContext> context_;
  std::vector<std::unique_ptr<RunOutput>> files_;
  /// Those of files_ that want every record.
  std::vector<RunOutput*> record_files_;
  std::chrono::steady_clock::time_point begun_;
  std::optional<Problem> problem_;
  bool ended_ = false;
};

/// A row of runs.csv: a summary and where its folder is (relative; empty: not kept).
struct RunRow {
  sim::Summary summary;
  std::string folder = {};
};
/// runs.csv of a folder with several runs.
Result<void, Problem> write_runs(const std::string& folder, const std::vector<RunRow>& rows);

/// A policy's label as the name of its subfolder: what a file system or a shell would trip over becomes `_`.
std::string folder_name(std::string_view policy_label);

}  // namespace reports
