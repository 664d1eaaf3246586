// What campaign and merge share: from the tally of all seeds to files, words and an exit code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/options.h"
#include "reports/campaign_folder.h"
#include "reports/junit.h"
#include "sim/search/campaign.h"

namespace cli {

/// A failure that is kept: the run of a policy under a seed, and its folder relative to the campaign's.
struct KeptFailure {
  std::string policy;
  std::uint64_t seed = 0;
  std::string folder;
};
/// Gives every signature that nobody expects its folder, whatever it had before; each run once, in the order of the
/// signatures. When every run keeps all, it is the run's own.
std::vector<KeptFailure> assign_kept(sim::CampaignTally& tally, bool every_run_is_kept);
/// `POLICY/seed-N`: a run's folder when all are kept.
std::string run_folder(const std::string& policy, std::uint64_t seed);
/// The numbers of their rows in a runs.csv.
model::Result<std::map<std::uint64_t, std::string>, std::string> rows_of_kept(const std::string& runs,
                                                                              const std::vector<KeptFailure>& kept);

/// A finished campaign, from its folder.
struct StoredCampaign {
  reports::Manifest manifest;
  reports::RunsTotals totals;
  sim::CampaignTally tally;
};
model::Result<StoredCampaign, std::string> read_campaign(const std::string& folder);

/// What a campaign or a merge came to.
struct CampaignEnd {
  reports::Manifest manifest;
  reports::RunsTotals totals;
  /// Indices into goals().
  std::vector<std::size_t> missed;
  /// Why a stated size was not finished, in words; empty: it was.
  std::string unfinished_why;
  int exit_code = 0;
};
/// Fills in what the seeds decide. `manifest` is the campaign's own.
CampaignEnd end_of(reports::Manifest manifest, reports::RunsTotals totals, const sim::CampaignTally& tally,
                   std::vector<std::size_t> missed, std::string unfinished_why);

/// One a signature that nobody expects, the worst and most frequent first; `reproduce` makes the command.
template <class Reproduce>
std::vector<reports::Failure> failures_of(const sim::CampaignTally& tally, Reproduce reproduce);

/// The table of policies, the failures, and what was not reached.
std::string describe_campaign(const CampaignEnd& end, const sim::CampaignTally& tally,
                              const std::vector<reports::Failure>& failures, const std::string& place);

/// JUnit with a testcase a policy and invariant, all of them unfinished until complete().
class CampaignJUnit {
 public:
  static model::Result<CampaignJUnit, std::string> start(const std::string& path, const std::string& suite,
                                                         const std::vector<std::string>& policies);
  /// Every case's result.
  std::optional<std::string> complete(const sim::CampaignTally& tally, const std::vector<reports::Failure>& failures,
                                      const CampaignEnd& end);

 private:
  std::vector<std::string> cases_;
  std::optional<reports::JUnitReport> report_;
};

/// --summary, GITHUB_STEP_SUMMARY and GitHub's marks; the first problem.
std::optional<std::string> publish_campaign(const Options& options, const CampaignEnd& end,
                                            const std::vector<reports::Failure>& failures, const std::string& text,
                                            Console& console);

/// In the order in which a reader wants them.
std::vector<std::pair<sim::Signature, sim::FailureGroup>> unexpected_failures(const sim::CampaignTally& tally);

template <class Reproduce>
std::vector<reports::Failure> failures_of(const sim::CampaignTally& tally, Reproduce reproduce) {
  std::vector<reports::Failure> failures;
  for (const auto& [signature, group] : unexpected_failures(tally)) {
    failures.push_back({.message = fmt::format("{}: {}", to_string(signature), group.message),
                        .type = to_string(signature),
                        .seed = group.seed,
                        .count = group.count,
                        .reproduce = reproduce(signature, group)});
  }
  return failures;
}

}  // namespace cli
