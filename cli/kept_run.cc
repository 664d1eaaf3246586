#include "cli/kept_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "build_info.h"
#include "reports/stored_run.h"

namespace cli {

using model::Failed;
using model::Result;

namespace {

constexpr std::size_t listed_max = 20;

/// What stands in a folder that is not one run's: the runs to choose from.
std::string describe_choice(const std::string& path, const std::vector<reports::RunRow>& rows) {
  std::vector<std::string> lines;
  std::size_t kept = 0;
  for (const reports::RunRow& row : rows) {
    if (row.folder.empty()) continue;
    if (++kept > listed_max) continue;
    lines.push_back(fmt::format("  {}/{}  {}, seed {}: {} ({})", path, row.folder, row.summary.policy, row.summary.seed,
                                to_string(row.summary.verdict), to_string(row.summary.outcome)));
  }
  if (kept == 0) return fmt::format("{}: of its {} runs none is kept; --keep all keeps them", path, rows.size());
  if (kept > listed_max) lines.push_back(fmt::format("  and {} more", kept - listed_max));
  return fmt::format("{}: holds {} runs; name one of them:\n{}", path, rows.size(), fmt::join(lines, "\n"));
}

/// Whether the files are other bytes than the run wrote.
bool was_edited(const KeptFolder& folder, const sim::Scenario& scenario) {
  sim::Scenario written = scenario;
  const auto text = reports::read_file(folder.path + "/scenario.ini");
  const auto plan = reports::read_file(folder.path + "/faults.plan.csv");
  if (!text || !plan) return true;
  written.text = *text;
  written.plan_text = *plan;
  return reports::scenario_hash(written) != folder.manifest.scenario_hash;
}

}  // namespace

Result<KeptFolder, std::string> read_kept_folder(const std::string& path) {
  std::string clean = path;
  while (clean.size() > 1 && clean.back() == '/') clean.pop_back();
  auto manifest = reports::read_manifest(clean);
  if (!manifest) return Failed{fmt::format("{} (a run's folder is wanted, as run writes it)", manifest.error())};
  if (manifest->kind == reports::import_kind) {
    return Failed{
        fmt::format("{}: an import ran no world; `flotsam run {}/scenario.ini` runs what it found", clean, clean)};
  }
  const auto rows = reports::read_run_rows(clean);
  if (!rows) return Failed{rows.error()};
  if (rows->size() != 1 || rows->front().folder != ".") return Failed{describe_choice(clean, *rows)};
  return KeptFolder{clean, std::move(*manifest), rows->front().summary};
}

std::optional<KeptRun> read_kept_run(KeptFolder folder, Console& console) {
  Options options;
  options.arguments = {folder.path + "/scenario.ini"};
  options.policies = {folder.summary.policy};
  auto input = read_input(options, console);
  if (!input) return std::nullopt;
  input->scenario.changed = folder.manifest.changed;
  const bool is_edited = was_edited(folder, input->scenario);
  return KeptRun{std::move(folder), std::move(*input), is_edited};
}

std::string reason_to_differ(const KeptRun& kept) {
  if (kept.is_edited) return "its scenario or plan was edited since";
  if (kept.folder.manifest.commit != commit) {
    return fmt::format("the code changed since (kept by commit {}, this is {})", kept.folder.manifest.commit, commit);
  }
  return {};
}

}  // namespace cli
