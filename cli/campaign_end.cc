#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "cli/campaign.h"
#include "cli/commands.h"
#include "reports/csv_stream.h"
#include "reports/reproduce.h"
#include "reports/run_folder.h"
#include "reports/summary_markdown.h"
#include "sim/observers/invariants.h"

namespace cli {

using model::Failed;
using model::Result;

namespace {

constexpr int exit_unknown = 2;
/// Failures told in words; failures.csv has all of them.
constexpr std::size_t told_max = 20;

std::string case_name(const sim::Signature& signature) {
  return fmt::format("{}/{}", signature.policy, signature.invariant);
}

std::string describe_policies(const reports::RunsTotals& totals) {
  std::size_t width = std::string_view{"policy"}.size();
  for (const auto& [policy, counts] : totals.policies) width = std::max(width, policy.size());
  std::string text = fmt::format("{:<{}}  {:>9} {:>9} {:>9} {:>9} {:>10}\n", "policy", width, "runs", "clean", "leak",
                                 "loss", "unexpected");
  for (const auto& [policy, counts] : totals.policies) {
    text += fmt::format("{:<{}}  {:>9} {:>9} {:>9} {:>9} {:>10}\n", policy, width, counts.all(), counts.clean,
                        counts.leak, counts.loss, counts.failed);
  }
  return text;
}

std::string describe_missed(const std::vector<std::size_t>& missed) {
  if (missed.empty()) return {};
  std::string text = fmt::format("not reached by any seed ({}):\n", missed.size());
  for (const std::size_t goal : missed)
    text += fmt::format("  {} {}\n", to_string(sim::goals()[goal].kind), sim::goals()[goal].name);
  return text;
}

std::string_view outcome_of(const reports::RunsTotals& totals) {
  sim::Outcome worst = sim::Outcome::clean;
  for (const auto& [policy, counts] : totals.policies) {
    if (counts.loss > 0) return to_string(sim::Outcome::loss);
    if (counts.leak > 0) worst = sim::Outcome::leak;
  }
  return to_string(worst);
}

}  // namespace

std::vector<std::pair<sim::Signature, sim::FailureGroup>> unexpected_failures(const sim::CampaignTally& tally) {
  std::vector<std::pair<sim::Signature, sim::FailureGroup>> list;
  for (const auto& [signature, group] : tally.failures) {
    if (group.standing == sim::FailureStanding::unexpected) list.emplace_back(signature, group);
  }
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    const int code_a = exit_code_of(a.first);
    const int code_b = exit_code_of(b.first);
    if (code_a != code_b) return worst_exit_code(code_a, code_b) == code_a;
    return a.second.count > b.second.count;
  });
  return list;
}

std::string run_folder(const std::string& policy, std::uint64_t seed) {
  return fmt::format("{}/seed-{}", reports::folder_name(policy), seed);
}

Result<StoredCampaign, std::string> read_campaign(const std::string& folder) {
  StoredCampaign stored;
  auto manifest = reports::read_manifest(folder);
  if (!manifest) return Failed{manifest.error()};
  if (manifest->kind != "campaign") return Failed{fmt::format("{}: holds a {}, no campaign", folder, manifest->kind)};
  auto totals = reports::read_runs_totals(folder + "/runs.csv");
  if (!totals) return Failed{totals.error()};
  if (auto read = reports::read_tally(folder + "/failures.csv", folder + "/goals.csv", stored.tally); !read)
    return Failed{read.error()};
  stored.tally.world_ms = manifest->world_ms;
  stored.manifest = std::move(*manifest);
  stored.totals = std::move(*totals);
  return stored;
}

std::vector<KeptFailure> assign_kept(sim::CampaignTally& tally, bool every_run_is_kept) {
  std::map<std::pair<std::string, std::uint64_t>, std::string> folders;
  std::vector<KeptFailure> kept;
  for (auto& [signature, group] : tally.failures) {
    group.folder.clear();
    if (group.standing != sim::FailureStanding::unexpected) continue;
    if (every_run_is_kept) {
      group.folder = run_folder(signature.policy, group.seed);
      continue;
    }
    const auto [run, is_new] = folders.try_emplace({signature.policy, group.seed}, reports::failure_folder(signature));
    group.folder = run->second;
    if (is_new) kept.push_back({signature.policy, group.seed, run->second});
  }
  return kept;
}

Result<std::map<std::uint64_t, std::string>, std::string> rows_of_kept(const std::string& runs,
                                                                       const std::vector<KeptFailure>& kept) {
  using namespace std::string_view_literals;
  std::map<std::uint64_t, std::string> rows;
  if (kept.empty()) return rows;
  std::map<std::pair<std::string, std::uint64_t>, std::string> folders;
  for (const KeptFailure& failure : kept) folders[{failure.policy, failure.seed}] = failure.folder;
  constexpr std::array columns{"policy"sv, "seed"sv};
  auto stream = reports::CsvStream::open(runs, columns);
  if (!stream) return Failed{stream.error()};
  for (std::uint64_t row = 0; stream->next(); ++row) {
    const auto found = folders.find({std::string{(*stream)[0]}, static_cast<std::uint64_t>(stream->integer(1))});
    if (found != folders.end()) rows[row] = found->second;
  }
  if (!stream->problem().empty()) return Failed{stream->problem()};
  return rows;
}

CampaignEnd end_of(reports::Manifest manifest, reports::RunsTotals totals, const sim::CampaignTally& tally,
                   std::vector<std::size_t> missed, std::string unfinished_why) {
  CampaignEnd end;
  end.exit_code = tally.exit_code();
  if (!missed.empty() || !unfinished_why.empty()) end.exit_code = worst_exit_code(end.exit_code, exit_unknown);
  manifest.trace_hash = reports::hash_text(totals.trace_hash);
  manifest.events = totals.events;
  manifest.transitions = totals.transitions;
  manifest.world_ms = tally.world_ms;
  manifest.outcome = outcome_of(totals);
  const sim::Verdict verdict = end.exit_code == exit_ok                  ? sim::Verdict::pass
                               : end.exit_code == exit_unknown           ? sim::Verdict::unknown
                               : end.exit_code == exit_not_deterministic ? sim::Verdict::error
                                                                         : sim::Verdict::fail;
  manifest.verdict = to_string(verdict);
  end.manifest = std::move(manifest);
  end.totals = std::move(totals);
  end.missed = std::move(missed);
  end.unfinished_why = std::move(unfinished_why);
  return end;
}

std::string describe_campaign(const CampaignEnd& end, const sim::CampaignTally& tally,
                              const std::vector<reports::Failure>& failures, const std::string& place) {
  std::string text = describe_policies(end.totals) + "\n";
  std::size_t expected = 0;
  std::size_t known = 0;
  for (const auto& [signature, group] : tally.failures) {
    expected += group.standing == sim::FailureStanding::expected ? 1 : 0;
    known += group.standing == sim::FailureStanding::known ? 1 : 0;
  }
  const auto list = unexpected_failures(tally);
  for (std::size_t i = 0; i < std::min(failures.size(), told_max); ++i) {
    const reports::Failure& failure = failures[i];
    const sim::FailureGroup& group = list[i].second;
    text += fmt::format("unexpected, {} run{}: {}\n", failure.count, failure.count == 1 ? "" : "s", failure.message);
    if (!group.common_faults.empty())
      text += fmt::format("  in each of them: {}\n", fmt::join(group.common_faults, ", "));
    text += fmt::format("  again: {}\n", failure.reproduce);
    if (!group.folder.empty())
      text += fmt::format("  look:  flotsam replay {}\n", reports::shell_quote(place + "/" + group.folder));
  }
  if (failures.size() > told_max)
    text += fmt::format("and {} more signatures in failures.csv\n", failures.size() - told_max);
  text += describe_missed(end.missed);
  if (!end.unfinished_why.empty()) text += end.unfinished_why + "\n";
  if (expected + known > 0) {
    text += fmt::format("as expected: {} signature{}, {} more known ([chaos] known); failures.csv has them\n", expected,
                        expected == 1 ? "" : "s", known);
  }
  text += fmt::format("{}: {} runs, trace_hash {}\n", end.manifest.verdict, end.totals.rows, end.manifest.trace_hash);
  return text;
}

Result<CampaignJUnit, std::string> CampaignJUnit::start(const std::string& path, const std::string& suite,
                                                        const std::vector<std::string>& policies) {
  CampaignJUnit junit;
  if (path.empty()) return junit;
  for (const std::string& policy : policies) {
    for (const sim::InvariantEntry& invariant : sim::invariants())
      junit.cases_.push_back(fmt::format("{}/{}", policy, invariant.name));
    junit.cases_.push_back(fmt::format("{}/{}", policy, sim::not_deterministic));
  }
  junit.cases_.emplace_back("goals");
  auto report = reports::JUnitReport::start(path, suite, junit.cases_);
  if (!report) return Failed{report.error()};
  junit.report_ = std::move(*report);
  return junit;
}

std::optional<std::string> CampaignJUnit::complete(const sim::CampaignTally& tally,
                                                   const std::vector<reports::Failure>& failures,
                                                   const CampaignEnd& end) {
  if (!report_) return std::nullopt;
  std::map<std::string, std::vector<reports::Failure>> by_case;
  const auto list = unexpected_failures(tally);
  for (std::size_t i = 0; i < list.size(); ++i) by_case[case_name(list[i].first)].push_back(failures[i]);
  for (const std::string& name : cases_) {
    const bool is_goals = name == "goals";
    std::string unknown = end.unfinished_why;
    if (is_goals && unknown.empty()) unknown = describe_missed(end.missed);
    const auto written = is_goals && !unknown.empty() ? report_->complete_with_error(name, unknown)
                                                      : report_->complete(name, std::move(by_case[name]));
    if (!written) return written.error();
  }
  return std::nullopt;
}

std::optional<std::string> publish_campaign(const Options& options, const CampaignEnd& end,
                                            const std::vector<reports::Failure>& failures, const std::string& text,
                                            Console& console) {
  reports::MarkdownSection section;
  section.heading = fmt::format("campaign {}, seeds {}", end.manifest.scenario, end.manifest.seeds);
  section.sentence = fmt::format("{} runs, {} signatures that nobody expects, {} goals not reached.", end.totals.rows,
                                 failures.size(), end.missed.size());
  section.failures = failures;
  section.verdict = end.manifest.verdict;
  section.text = text;
  std::optional<std::string> problem;
  if (!options.summary.empty()) {
    if (const auto written = reports::replace_file(options.summary, reports::summary_markdown(section)); !written)
      problem = written.error();
  }
  if (const std::string path{console.variable("GITHUB_STEP_SUMMARY")}; !path.empty()) {
    if (const auto added = reports::append_step_summary(path, section); !added) console.note(added.error());
  }
  if (console.github_actions()) console.print(reports::github_errors(failures));
  return problem;
}

}  // namespace cli
