// The option feature-gate: DANGLING waits for a finalized feature level (readings 7, its remedies).
#include <boost/test/unit_test.hpp>

#include "model/policies/policies.h"
#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::BrokerId;
using model::KipDanglingOptions;
using model::Offset;
using enum model::RemoteLogSegmentState;

constexpr auto finalized = KipDanglingOptions::FeatureGate::finalized;

/// A cluster whose level a test finalizes.
struct Cluster final : model::FinalizedFeatures {
  bool has_dangling() const override { return is_finalized; }
  bool is_finalized = false;
};

/// One of the KIP's policies behind its gate.
TaskWorldSettings gated(std::string_view policy, const Cluster& cluster, KipDanglingOptions options = {}) {
  options.feature_gate = finalized;
  TaskWorldSettings settings{.policy = policy, .kip = options, .recovery = {options}};
  settings.make_policy = [policy, &cluster](const model::PolicyOptions& all) {
    return policy == "kip-dangling" ? model::make_kip_dangling(all, cluster)
                                    : model::make_kip_dangling_recovery(all, cluster);
  };
  return settings;
}

/// Copies that fail in every way and retention deletes that fail, one after the other.
std::string run_failures(TaskWorldSettings settings) {
  TaskWorld world{std::move(settings)};
  world.start_log_at(20);
  world.topic_options().retention_time = 1s;
  world.add_copy(0, 9, copy_segment_finished);
  world.add_copy(10, 19, copy_segment_finished, {}, model::time_never - 10s);
  world.append_segments(1);
  for (const auto& answer : {permanent, retriable, unchecked, permanent, oversized}) world.answer(Call::copy, answer);
  for (const auto& answer : {permanent, permanent, ok, permanent}) world.answer(Call::remove, answer);
  world.lead();
  world.run_for(200s);
  return world.events() + "; " + world.runs();
}

BOOST_AUTO_TEST_SUITE(feature_gate)

BOOST_AUTO_TEST_CASE(until_the_level_is_finalized_all_is_as_in_the_base) {
  using enum KipDanglingOptions::Base;
  const std::map<KipDanglingOptions::Base, std::string_view> bases{
      {kafka_4_0, "kafka-4.0"}, {kafka_3_9, "kafka-3.9"}, {kafka_4_3, "kafka-4.3"}};
  for (const auto& [base, name] : bases) {
    const std::string expected = run_failures({.policy = name});
    BOOST_TEST(expected.find("DANGLING") == std::string::npos);
    for (const std::string_view policy : {"kip-dangling", "kip-dangling-recovery"}) {
      const Cluster cluster;
      const std::string found = run_failures(gated(policy, cluster, {.base = base}));
      BOOST_TEST(found == expected, policy << " on " << name << ": " << found << "; not " << expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(from_then_on_all_is_as_without_a_gate) {
  for (const std::string_view policy : {"kip-dangling", "kip-dangling-recovery"}) {
    Cluster cluster;
    cluster.is_finalized = true;
    const std::string expected = run_failures({.policy = policy});
    BOOST_TEST(expected.find("DANGLING") != std::string::npos);
    BOOST_TEST(run_failures(gated(policy, cluster)) == expected);
  }
}

BOOST_AUTO_TEST_CASE(a_task_changes_its_ways_when_the_level_is_finalized) {
  Cluster cluster;
  TaskWorld world{gated("kip-dangling", cluster)};
  world.append_segments(1);
  world.answer(Call::copy, permanent);
  world.lead(600s);
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, DS 0, delete 0, DF 0");
  BOOST_TEST(world.branches() == "dangling-not-finalized");
  cluster.is_finalized = true;
  world.answer(Call::copy, permanent);
  world.run_for(30s);
  BOOST_TEST(world.events() == "CS 1, copy 1, DANGLING 1, DS 1, delete 1, DF 1");
  BOOST_TEST(world.branches() == "");
}

// Only what the cluster knows decides, not that there is something to sweep.
BOOST_AUTO_TEST_CASE(a_sweep_waits_for_the_level_and_needs_only_to_hear_of_it) {
  for (const std::string_view policy : {"kip-dangling", "kip-dangling-recovery"}) {
    Cluster cluster;
    TaskWorld world{gated(policy, cluster)};
    world.add_copy(0, 9, dangling);
    world.lead(600s);
    world.run_for(300s);
    BOOST_TEST(world.events() == "");
    cluster.is_finalized = true;
    world.manager().changed(model::PartitionNumber{0});
    world.run_for(30s);
    BOOST_TEST(world.events() == "DS 0, delete 0, DF 0");
  }
}

BOOST_AUTO_TEST_CASE(nobody_promises_a_sweep_before_the_level_is_finalized) {
  Cluster cluster;
  model::PolicyOptions options;
  options.kip_dangling.feature_gate = options.kip_dangling_recovery.feature_gate = finalized;
  const auto kip = model::make_kip_dangling(options, cluster);
  const auto recovery = model::make_kip_dangling_recovery(options, cluster);
  const auto segment = make_segment(0, Offset{0}, Offset{9}, {}, 100_MiB, model::time_start);
  const auto entry = make_event(segment, dangling, BrokerId{1}, model::time_start);
  BOOST_TEST(kip->has_feature_gate());
  BOOST_TEST(!kip->sweeps_from(entry, BrokerId{1}, {}));
  BOOST_TEST(!recovery->sweeps_from(entry, BrokerId{1}, {}));
  BOOST_TEST(!recovery->walk_knows_sweep());
  cluster.is_finalized = true;
  BOOST_TEST(kip->sweeps_from(entry, BrokerId{1}, {}).has_value());
  BOOST_TEST(recovery->sweeps_from(entry, BrokerId{1}, {}).has_value());
  BOOST_TEST(recovery->walk_knows_sweep());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
