#include "reports/stored_run.h"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "reports/csv.h"
#include "reports/csv_stream.h"
#include "reports/import/findings.h"
#include "reports/overview_parts.h"
#include "reports/summary_row.h"

namespace reports {
namespace {

std::optional<SimTime> maybe_time(const CsvRow& row, std::string_view column) {
  const auto ms = row.maybe_integer(column);
  return ms ? std::optional{from_milliseconds(*ms)} : std::nullopt;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

Result<void, Problem> read_faults(const std::string& path, RunOverview& run) {
  return read_csv(path, [&](const CsvRow& row) {
    const auto name = row["name"].empty() ? row["kind"] : row["name"];
    run.faults.push_back({std::string{name}, from_milliseconds(row.integer("start_ms")),
                          from_milliseconds(row.integer("end_ms")), static_cast<std::uint64_t>(row.integer("hits"))});
  });
}

Result<void, Problem> read_leftovers(const std::string& path, RunOverview& run) {
  std::vector<LeftoverEnd> ends;
  auto read = read_csv(path, [&](const CsvRow& row) {
    ends.push_back({.is_ghost = row.integer("bytes") == 0,
                    .reclaimed = maybe_time(row, "reclaimed_ms"),
                    .reclaimed_by = std::string{row["reclaimed_by"]},
                    .due_by = std::string{row["due_by"]},
                    .due = maybe_time(row, "due_ms")});
  });
  if (read) tell_leftovers(run, ends);
  return read;
}

Result<void, Problem> read_curve(const std::string& path, std::vector<StoredPoint>& curve) {
  return read_csv(path, [&](const CsvRow& row) {
    if (row["topic"] != "*") return;
    curve.push_back({row.integer("time_ms"), row.integer("garbage_bytes"), row.integer("garbage_bytes_max")});
  });
}

/// A large dump has many findings, and little of each is wanted.
Result<RecordedWaste, Problem> read_waste(const std::string& path) {
  using namespace std::string_view_literals;
  RecordedWaste waste;
  if (!is_there(path)) return waste;
  constexpr std::array columns{"finding"sv, "bytes"sv, "size_source"sv};
  auto rows = CsvStream::open(path, columns);
  if (!rows) return Failed{rows.error()};
  while (rows->next()) {
    if (!is_waste((*rows)[0])) continue;
    waste.bytes += rows->integer(1);
    ++waste.copies;
    waste.is_listed = waste.is_listed && (*rows)[2] == "listing";
  }
  if (!rows->problem().empty()) return Failed{rows->problem()};
  return waste;
}

Result<void, Problem> read_import(StoredRun& run) {
  auto waste = read_waste(run.folder + "/findings.csv");
  if (!waste) return Failed{waste.error()};
  run.recorded = *waste;
  if (run.curve.empty()) return {};
  const auto origin_ms = run.curve.front().time_ms;
  for (auto& point : run.curve) point.time_ms -= origin_ms;
  run.overview.world_end -= from_milliseconds(origin_ms) - time_start;
  return {};
}

}  // namespace

std::string recorded_sentence(const StoredRun& run) {
  if (!run.recorded) return "";
  const auto& [bytes, copies, is_listed] = *run.recorded;
  const auto& name = run.manifest.scenario;
  if (copies == 0)
    return fmt::format("{}: no copy is left that nobody will read, as far as its metadata topic tells.", name);
  return fmt::format("{}: {}{} in {} cop{} that nobody will read.", name, human_bytes(Bytes{bytes}),
                     is_listed ? "" : ", as the metadata has it,", copies, copies == 1 ? "y" : "ies");
}

Result<std::vector<RunRow>, Problem> read_run_rows(const std::string& folder) {
  std::vector<RunRow> rows;
  auto read = read_csv(folder + "/runs.csv", [&](const CsvRow& row) {
    rows.push_back({read_summary_fields(row), std::string{row["folder"]}});
  });
  if (!read) return Failed{read.error()};
  return rows;
}

Result<StoredRun, Problem> read_run(const std::string& folder) {
  StoredRun run{.folder = folder};
  auto manifest = read_manifest(folder);
  if (!manifest) return Failed{manifest.error()};
  run.manifest = std::move(*manifest);
  run.overview.world_end = from_milliseconds(run.manifest.world_ms);

  int rows = 0;
  const auto summary_path = folder + "/summary.csv";
  auto summary = read_csv(summary_path, [&](const CsvRow& row) {
    run.overview.summary = read_summary_fields(row);
    ++rows;
  });
  if (!summary) return Failed{summary.error()};
  if (rows != 1) return Failed{summary_path + ": one row expected, found " + std::to_string(rows)};

  // What a run kept is what is there; a file that is there and cannot be read is a problem.
  if (const auto path = folder + "/faults.csv"; is_there(path)) {
    if (auto read = read_faults(path, run.overview); !read) return Failed{read.error()};
  }
  find_last_fault(run.overview);
  if (const auto path = folder + "/leftovers.csv"; is_there(path)) {
    if (auto read = read_leftovers(path, run.overview); !read) return Failed{read.error()};
  }
  if (const auto path = folder + "/curves.csv"; is_there(path)) {
    if (auto read = read_curve(path, run.curve); !read) return Failed{read.error()};
  }
  if (run.manifest.kind == import_kind) {
    if (auto read = read_import(run); !read) return Failed{read.error()};
  }
  return run;
}

Result<std::vector<StoredRun>, Problem> read_runs(const std::string& folder, bool partial) {
  auto manifest = read_manifest(folder);
  if (!manifest) return Failed{manifest.error()};
  if (manifest->verdict == unfinished && !partial)
    return Failed{folder + ": unfinished; --resume finishes it, --partial takes what is there"};
  auto rows = read_run_rows(folder);
  if (!rows) return Failed{rows.error()};

  std::vector<StoredRun> runs;
  for (const auto& row : *rows) {
    if (row.folder.empty()) continue;
    auto run = read_run(row.folder == "." ? folder : folder + "/" + row.folder);
    if (!run) return Failed{run.error()};
    runs.push_back(std::move(*run));
  }
  return runs;
}

}  // namespace reports
