#include "reports/campaign_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "reports/csv.h"
#include "reports/csv_stream.h"
#include "reports/run_folder.h"
#include "reports/summary_row.h"
#include "sim/scenario/names.h"

namespace reports {

namespace {

constexpr std::string_view failure_columns =
    "policy,invariant,states,fault,standing,count,seed,events,event,folder,message,common_faults";
constexpr std::string_view goal_columns = "kind,goal,times,runs,first_seed";

sim::FailureStanding standing_from(std::string_view text) {
  for (const auto standing : {sim::FailureStanding::expected, sim::FailureStanding::known}) {
    if (to_string(standing) == text) return standing;
  }
  return sim::FailureStanding::unexpected;
}

std::uint64_t number(const CsvRow& row, std::string_view column) {
  return static_cast<std::uint64_t>(row.integer(column));
}

std::uint64_t hash_from(std::string_view text) {
  std::uint64_t hash = 0;
  std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  return hash;
}

}  // namespace

Result<void, Problem> write_failures(const std::string& path, const sim::CampaignTally& tally) {
  CsvFile out{File::create(path), failure_columns};
  for (const auto standing :
       {sim::FailureStanding::unexpected, sim::FailureStanding::known, sim::FailureStanding::expected}) {
    for (const auto& [signature, group] : tally.failures) {
      if (group.standing != standing) continue;
      out.text(signature.policy)
          .raw(signature.invariant)
          .raw(signature.states)
          .raw(signature.fault)
          .raw(to_string(standing))
          .integer(group.count)
          .integer(group.seed)
          .integer(group.events)
          .integer(group.event)
          .text(group.folder)
          .text(group.message)
          .text(fmt::format("{}", fmt::join(group.common_faults, " ")))
          .end_row();
    }
  }
  return out.close();
}

Result<void, Problem> write_goals(const std::string& path, const sim::CampaignTally& tally) {
  CsvFile out{File::create(path), goal_columns};
  const auto goals = sim::goals();
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const sim::GoalCount& count = tally.goals[i];
    out.raw(to_string(goals[i].kind)).text(goals[i].name).integer(count.times).integer(count.runs);
    if (count.runs == 0) {
      out.empty().end_row();
    } else {
      out.integer(count.first_seed).end_row();
    }
  }
  return out.close();
}

Result<void, Problem> read_tally(const std::string& failures, const std::string& goals, sim::CampaignTally& tally) {
  sim::CampaignTally part;
  auto read = read_csv(failures, [&](const CsvRow& row) {
    const sim::Signature signature{std::string{row["policy"]}, std::string{row["invariant"]},
                                   std::string{row["states"]}, std::string{row["fault"]}};
    part.failures[signature] = {.standing = standing_from(row["standing"]),
                                .count = number(row, "count"),
                                .seed = number(row, "seed"),
                                .events = number(row, "events"),
                                .event = number(row, "event"),
                                .message = std::string{row["message"]},
                                .common_faults = sim::split_list(row["common_faults"], " "),
                                .folder = std::string{row["folder"]}};
  });
  if (!read) return read;
  const auto list = sim::goals();
  read = read_csv(goals, [&](const CsvRow& row) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (to_string(list[i].kind) != row["kind"] || list[i].name != row["goal"]) continue;
      part.goals[i] = {number(row, "times"), number(row, "runs"), number(row, "first_seed")};
    }
  });
  if (!read) return read;
  tally.add(part);
  return {};
}

std::string runs_header() { return std::string{summary_columns} + ",folder"; }

Result<void, Problem> append_runs(const std::string& path, const std::vector<sim::Summary>& summaries,
                                  const std::vector<std::string>& folders) {
  std::error_code error;
  const bool is_new = !std::filesystem::exists(path, error);
  CsvFile out = is_new ? CsvFile{File::create(path), runs_header()} : CsvFile{File::append(path)};
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    write_summary_fields(out, summaries[i]);
    out.text(folders[i]).end_row();
  }
  return out.close();
}

Result<void, Problem> copy_runs(const std::string& from, const std::string& to,
                                const std::map<std::uint64_t, std::string>& folders) {
  std::ifstream rows{from, std::ios::binary};
  File out = File::create(to);
  std::string line;
  std::getline(rows, line);
  out.write(line + "\n");
  for (std::uint64_t row = 0; std::getline(rows, line); ++row) {
    if (const auto folder = folders.find(row); folder != folders.end()) {
      line.resize(line.rfind(',') + 1);
      line += csv_field(folder->second);
    }
    out.write(line);
    out.put('\n');
  }
  if (rows.bad() || !rows.eof()) return Failed{from + ": cannot be read to its end"};
  return out.close();
}

Result<RunsTotals, Problem> read_runs_totals(const std::string& path) {
  using namespace std::string_view_literals;
  constexpr std::array columns{"policy"sv, "outcome"sv, "verdict"sv, "events"sv, "transitions"sv, "trace_hash"sv};
  auto rows = CsvStream::open(path, columns);
  if (!rows) return Failed{rows.error()};
  RunsTotals totals;
  while (rows->next()) {
    ++totals.rows;
    RunsTotals::Counts& counts = totals.policies[std::string{(*rows)[0]}];
    const std::string_view outcome = (*rows)[1];
    std::uint64_t& count = outcome == "loss" ? counts.loss : outcome == "leak" ? counts.leak : counts.clean;
    ++count;
    counts.failed += (*rows)[2] == "pass" ? 0 : 1;
    totals.events += static_cast<std::uint64_t>(rows->integer(3));
    totals.transitions += static_cast<std::uint64_t>(rows->integer(4));
    totals.trace_hash = (totals.trace_hash ^ hash_from((*rows)[5])) * 0x100000001b3;
  }
  if (!rows->problem().empty()) return Failed{rows->problem()};
  return totals;
}

std::string failure_folder(const sim::Signature& signature) {
  // What tells two of them apart, short: FNV-1a over the whole.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : to_string(signature)) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return fmt::format("failures/{}-{}-{}", folder_name(signature.policy), signature.invariant,
                     hash_text(hash).substr(0, 8));
}

}  // namespace reports
