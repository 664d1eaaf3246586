// Many seeds, each a world of its own under every policy: what one of them found, and what all of them come to.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/run_result.h"
#include "sim/search/draw.h"

namespace sim {

/// `unexpected` fails a campaign; `expected` is what the scenario says of the policy; `known` is accepted for now.
enum class FailureStanding : std::uint8_t { unexpected, expected, known };
std::string_view to_string(FailureStanding standing);

/// One way in which a run broke an invariant.
struct Finding {
  Signature signature;
  FailureStanding standing = FailureStanding::unexpected;
  /// Whom and how, as the invariant said it.
  std::string message;
  /// Number of the trace record after which it was seen.
  std::uint64_t event = 0;
};

/// A run's part of a campaign. Its summary's verdict counts what is known as expected.
struct CampaignRun {
  Summary summary;
  SimTime world_end;
  std::vector<Finding> findings;
  /// Kinds of fault with an effect, sorted.
  std::vector<std::string> hit_kinds;
  /// How often each goal was reached, in the order of goals().
  std::vector<std::uint64_t> goals;
  /// Of the second run, for the share of the seeds that have one.
  std::optional<std::uint64_t> second_hash;
  /// Where two runs part, in a line, when the second one was another.
  std::string difference = {};
  int exit_code = 0;

  bool differs_from_itself() const { return second_hash && *second_hash != summary.trace_hash; }
};

/// Runs one world of a campaign. `listener` may be null.
CampaignRun run_campaign_world(const Scenario& drawn, const PolicyChoice& policy, std::uint64_t seed,
                               const ChaosOptions& options, RunListener* listener = nullptr);
/// Runs it once more: fills in second_hash and, where that is another, what first differs.
void run_again(const Scenario& drawn, const PolicyChoice& policy, CampaignRun& run);
/// Whether a seed's worlds run twice: a property of the seed, whatever shard it is in.
bool runs_twice(std::uint64_t seed, const ChaosOptions& options);

/// Failures with one signature.
struct FailureGroup {
  FailureStanding standing = FailureStanding::unexpected;
  std::uint64_t count = 0;
  /// The one with the fewest events, then the lowest seed, and what it said.
  std::uint64_t seed = 0;
  std::uint64_t events = 0;
  std::uint64_t event = 0;
  std::string message = {};
  /// Kinds of fault that had an effect in every one of them.
  std::vector<std::string> common_faults = {};
  /// Where the kept one is, relative to the campaign's folder; empty: not kept.
  std::string folder = {};
};

struct GoalCount {
  std::uint64_t times = 0;
  /// Runs that reached it.
  std::uint64_t runs = 0;
  std::uint64_t first_seed = 0;
};

/// What the seeds so far come to. Adding runs in any grouping gives the same, so that shards can be merged.
struct CampaignTally {
  std::map<Signature, FailureGroup> failures;
  std::vector<GoalCount> goals = std::vector<GoalCount>(sim::goals().size());
  std::int64_t world_ms = 0;

  void add(const CampaignRun& run);
  void add(const CampaignTally& other);
  /// The worst of all failures that nobody expects: 4, 1, 3 or 0.
  int exit_code() const;
};

/// An invariant's name in signatures of runs that were not the same twice.
inline constexpr std::string_view not_deterministic = "not-deterministic";
/// The exit code of a failure with this signature that nobody expects.
int exit_code_of(const Signature& signature);

/// Indices into goals() that no run has reached and one should have: kinds of fault that may be drawn, transitions that
/// a policy's table allows; steps and branches, which belong to single policies, only when every policy ran.
std::vector<std::size_t> goals_missed(const CampaignTally& tally, const ChaosOptions& options,
                                      const std::vector<PolicyChoice>& policies);

}  // namespace sim
