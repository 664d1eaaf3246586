#include "bench/campaign_bench.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "sim/faults/faults.h"
#include "sim/search/campaign.h"
#include "sim/search/in_order.h"

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::uint64_t seed_count = 300;
constexpr int turns = 5;

/// One world of a seed, drawn for it alone: what a campaign does with one policy.
std::uint64_t run_seed(const sim::WorldDrawer& drawer, std::uint64_t seed) {
  const auto drawn = drawer.draw(seed);
  if (!drawn) return 0;
  const auto all = sim::read_policy_choices({"all"}, *drawn);
  const sim::PolicyChoice& policy = (*all)[seed % all->size()];
  return sim::run_campaign_world(*drawn, policy, seed, drawer.options()).summary.events;
}

double seconds_with(const sim::WorldDrawer& drawer, int threads) {
  const auto begun = Clock::now();
  sim::run_in_order<std::uint64_t>(
      seed_count, threads, [&](std::size_t piece) { return run_seed(drawer, piece + 1); },
      [](std::size_t, std::uint64_t) { return true; }, [] { return true; });
  return Seconds{Clock::now() - begun}.count();
}

}  // namespace

void print_campaign_ratios(double step_seconds) {
  const sim::ScenarioSource source{.scenario = "chaos", .sets = {}, .configs = {}};
  const auto base = sim::read_scenario(source, sim::fault_kinds());
  if (!base) return;
  const auto drawer = sim::WorldDrawer::make(source, *base, sim::fault_kinds(), {});
  if (!drawer) return;
  std::vector<double> costs;
  std::vector<std::uint64_t> events;
  for (std::uint64_t seed = 1; seed <= seed_count; ++seed) {
    const auto begun = Clock::now();
    events.push_back(run_seed(*drawer, seed));
    costs.push_back(Seconds{Clock::now() - begun}.count() / step_seconds);
  }
  std::sort(costs.begin(), costs.end());
  std::sort(events.begin(), events.end());
  fmt::print("chaos, {} seeds: median {:.0f} steps a seed (wanted: at most 60000), median {} events, most {}\n",
             seed_count, costs[costs.size() / 2], events[events.size() / 2], events.back());
  // In turns and the best of each, so that a busy moment of the machine decides nothing.
  double one = seconds_with(*drawer, 1);
  double two = seconds_with(*drawer, 2);
  for (int turn = 1; turn < turns; ++turn) {
    one = std::min(one, seconds_with(*drawer, 1));
    two = std::min(two, seconds_with(*drawer, 2));
  }
  fmt::print("chaos, two threads / one: {:.2f} (wanted: 1.8)\n", one / two);
}

}  // namespace bench
