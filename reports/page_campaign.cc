#include "reports/page_campaign.h"

#include <fmt/format.h>

#include "reports/campaign_files.h"

namespace reports {
namespace {

constexpr std::size_t failures_most = 500;

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return count == 0 ? fmt::format("no {}", one) : fmt::format("{} {}", count, count == 1 ? one : many);
}

void write_policies(JsonWriter& json, const RunsTotals& totals) {
  json.array();
  for (const auto& [policy, counts] : totals.policies) {
    json.object().key("policy").text(policy).key("clean").integer(counts.clean).key("leak").integer(counts.leak);
    json.key("loss").integer(counts.loss).key("failed").integer(counts.failed).end_object();
  }
  json.end_array();
}

void write_failure(JsonWriter& json, const sim::Signature& signature, const sim::FailureGroup& group) {
  json.object().key("policy").text(signature.policy).key("invariant").text(signature.invariant);
  json.key("states").text(signature.states).key("fault").text(signature.fault);
  json.key("standing").text(to_string(group.standing)).key("count").integer(group.count);
  json.key("seed").integer(group.seed).key("events").integer(group.events).key("folder").text(group.folder);
  json.key("message").text(group.message);
  json.key("common").text(fmt::format("{}", fmt::join(group.common_faults, " "))).end_object();
}

}  // namespace

Result<void, Problem> write_campaign(JsonWriter& json, const std::string& folder, const Manifest& manifest) {
  if (manifest.kind != campaign_kind) {
    json.null();
    return {};
  }
  auto totals = read_runs_totals(folder + "/runs.csv");
  if (!totals) return Failed{totals.error()};
  sim::CampaignTally tally;
  if (auto read = read_tally(folder + "/failures.csv", folder + "/goals.csv", tally); !read) return read;
  json.object().key("policies");
  write_policies(json, *totals);
  json.key("failures").array();
  std::size_t count = 0;
  for (const auto standing :
       {sim::FailureStanding::unexpected, sim::FailureStanding::known, sim::FailureStanding::expected}) {
    for (const auto& [signature, group] : tally.failures) {
      if (group.standing == standing && count++ < failures_most) write_failure(json, signature, group);
    }
  }
  json.end_array().key("failures_left_out").integer(count > failures_most ? count - failures_most : 0);
  json.key("goals").array();
  const auto goals = sim::goals();
  for (std::size_t i = 0; i < goals.size(); ++i) {
    json.array().text(to_string(goals[i].kind)).text(goals[i].name).integer(tally.goals[i].times);
    json.integer(tally.goals[i].runs).end_array();
  }
  json.end_array().end_object();
  return {};
}

std::string campaign_headline(const std::string& folder, const Manifest& manifest) {
  sim::CampaignTally tally;
  if (auto read = read_tally(folder + "/failures.csv", folder + "/goals.csv", tally); !read) return "";
  std::size_t unexpected = 0;
  for (const auto& [signature, group] : tally.failures)
    unexpected += group.standing == sim::FailureStanding::unexpected;
  std::size_t missed = 0;
  for (const sim::GoalCount& goal : tally.goals) missed += goal.runs == 0;
  return fmt::format("{}, seeds {}: {} that nobody expects, {} not reached.", manifest.scenario, manifest.seeds,
                     counted(unexpected, "signature", "signatures"), counted(missed, "goal", "goals"));
}

}  // namespace reports
