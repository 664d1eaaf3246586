#include "reports/run_folder.h"

#include <algorithm>
#include <string_view>

#include "reports/run_files/makers.h"
#include "reports/summary_row.h"

namespace reports {
namespace {

constexpr std::string_view runs_suffix = ",folder";

std::string runs_columns() { return std::string{summary_columns} + std::string{runs_suffix}; }

}  // namespace

RunFolderWriter::RunFolderWriter(RunFolderOptions options) : options_(std::move(options)) {}

RunFolderWriter::~RunFolderWriter() = default;

void RunFolderWriter::fail(Problem problem) {
  if (problem_) return;
  // Files name themselves by where they are written; the user knows where they would have stood.
  if (!aside_.path().empty() && problem.starts_with(aside_.path()))
    problem.replace(0, aside_.path().size(), aside_.place());
  problem_ = std::move(problem);
  record_files_.clear();
  files_.clear();
  aside_.discard();
}

void RunFolderWriter::begin(const sim::WorldView& world) {
  begun_ = std::chrono::steady_clock::now();
  context_ = std::make_unique<RunContext>(world, options_.metrics);
  auto made = AsideFolder::make(options_.folder, options_.existing);
  if (!made) return fail(made.error());
  aside_ = std::move(*made);
  for (const auto& entry : run_files()) {
    if (entry.least < options_.keep) continue;
    if (entry.is_wanted != nullptr && !entry.is_wanted(context_->scenario())) continue;
    auto file = File::create(aside_.path() + "/" + std::string{entry.name});
    if (file.has_problem()) {
      auto closed = file.close();
      return fail(closed.error());
    }
    files_.push_back(entry.make(CsvFile{std::move(file), entry.columns}, *context_));
    if (entry.wants_records) record_files_.push_back(files_.back().get());
  }
  if (!options_.dump_metadata) return;
  files_.push_back(make_metadata_dump(aside_.path(), *context_));
  record_files_.push_back(files_.back().get());
}

void RunFolderWriter::record(const sim::TraceRecord& record) {
  for (auto* file : record_files_) file->record(record);
}

void RunFolderWriter::curve(const sim::CurvePoint& point) {
  for (const auto& file : files_) file->curve(point);
}

void RunFolderWriter::end(const sim::RunResult& result) {
  ended_ = true;
  for (const auto& file : files_) file->end(result);
  for (const auto& file : files_) {
    if (auto closed = file->close(); !closed) return fail(closed.error());
  }
  if (!problem_) write_whole_files(result);
}

void RunFolderWriter::write_whole_files(const sim::RunResult& result) {
  const auto& scenario = context_->scenario();
  const auto& summary = result.summary;
  auto& manifest = options_.manifest;
  manifest.scenario = scenario.name;
  manifest.scenario_hash = scenario_hash(scenario);
  manifest.policies = {result.policy_label};
  manifest.seeds = std::to_string(summary.seed);
  manifest.start = scenario.scenario.start;
  manifest.trace_hash = hash_text(summary.trace_hash);
  manifest.events = summary.events;
  manifest.transitions = summary.transitions;
  manifest.world_ms = to_milliseconds(result.world_end);
  const auto wall = std::chrono::steady_clock::now() - begun_;
  manifest.wall_ms = std::chrono::duration_cast<std::chrono::milliseconds>(wall).count();
  manifest.outcome = to_string(summary.outcome);
  manifest.verdict = to_string(summary.verdict);
  manifest.changed = scenario.changed;

  if (auto written = write_file(aside_.path() + "/scenario.ini", scenario.text); !written) return fail(written.error());
  if (auto written = write_file(aside_.path() + "/faults.plan.csv", scenario.plan_text); !written)
    return fail(written.error());
  for (std::size_t i = 0; i < scenario.topics.size(); ++i) {
    const auto& file = scenario.topics[i].initial_file;
    if (!file) continue;
    if (auto written = write_file(aside_.path() + "/" + sim::initial_file_name(i), file->text); !written)
      return fail(written.error());
  }
  if (auto written = write_runs(aside_.path(), {{summary, "."}}); !written) return fail(written.error());
  if (auto written = write_manifest(aside_.path(), manifest); !written) return fail(written.error());
}

Result<void, Problem> RunFolderWriter::finish() {
  if (!problem_ && !ended_) fail(options_.folder + ": the run did not end");
  if (problem_) return Failed{*problem_};
  if (auto placed = aside_.put_in_place(); !placed) {
    problem_ = placed.error();
    return placed;
  }
  return {};
}

Result<void, Problem> write_runs(const std::string& folder, const std::vector<RunRow>& rows) {
  CsvFile out{File::create(folder + "/runs.csv"), runs_columns()};
  for (const auto& row : rows) {
    write_summary_fields(out, row.summary);
    out.text(row.folder).end_row();
  }
  return out.close();
}

std::string folder_name(std::string_view policy_label) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_' || c == '=' || c == ',' || c == '+';
  };
  std::string name{policy_label};
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !is_plain(c); }, '_');
  // A leading dot would hide it or climb out.
  if (name.empty() || name.front() == '.' || name.front() == '-') name.insert(0, "_");
  return name;
}

}  // namespace reports
