// The files of a campaign's folder beside the runs' own: runs.csv of many seeds, failures.csv, goals.csv.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/file.h"
#include "reports/manifest.h"
#include "sim/search/campaign.h"

namespace reports {

/// failures.csv: one row a signature, those that nobody expects first.
Result<void, Problem> write_failures(const std::string& path, const sim::CampaignTally& tally);
/// goals.csv: one row a goal, reached or not.
Result<void, Problem> write_goals(const std::string& path, const sim::CampaignTally& tally);
/// Both, added to `tally`.
Result<void, Problem> read_tally(const std::string& failures, const std::string& goals, sim::CampaignTally& tally);

/// Appends rows to a runs.csv, which gets its header row when it is new.
Result<void, Problem> append_runs(const std::string& path, const std::vector<sim::Summary>& summaries,
                                  const std::vector<std::string>& folders);
/// The file's header row.
std::string runs_header();
/// Copies rows, the folders of some changed: by the row's number from 0.
Result<void, Problem> copy_runs(const std::string& from, const std::string& to,
                                const std::map<std::uint64_t, std::string>& folders);

/// What the rows of a runs.csv come to, whatever wrote it.
struct RunsTotals {
  std::uint64_t rows = 0;
  std::uint64_t events = 0;
  std::uint64_t transitions = 0;
  /// One hash over the runs' hashes in their order, as the manifest of any command with several runs has it.
  std::uint64_t trace_hash = 0xcbf29ce484222325;
  /// By policy label: clean, leak, loss, failed.
  struct Counts {
    std::uint64_t clean = 0;
    std::uint64_t leak = 0;
    std::uint64_t loss = 0;
    std::uint64_t failed = 0;
    std::uint64_t all() const { return clean + leak + loss; }
  };
  std::map<std::string, Counts> policies = {};
};
Result<RunsTotals, Problem> read_runs_totals(const std::string& path);

/// Where a signature's failure is kept in a campaign's folder: the same name in whichever shard it was found.
std::string failure_folder(const sim::Signature& signature);

}  // namespace reports
