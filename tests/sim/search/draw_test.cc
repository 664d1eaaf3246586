// The world of a seed: the same for who asks twice, inside its bounds, and as good as one that somebody wrote.
#include "sim/search/draw.h"

#include <algorithm>
#include <set>

#include <boost/test/unit_test.hpp>

#include "sim/faults/faults.h"
#include "sim/scenario/catalogue.h"

namespace sim {
namespace {

ScenarioSource chaos(std::vector<std::string> sets = {}) {
  return {.scenario = std::string{FLOTSAM_SOURCE_DIR} + "/scenarios/chaos.ini", .sets = std::move(sets), .configs = {}};
}

WorldDrawer drawer(const ScenarioSource& source = chaos()) {
  const auto base = read_scenario(source, fault_kinds());
  BOOST_REQUIRE_MESSAGE(base.has_value(), (base ? std::string{} : to_string(base.error().front())));
  auto made = WorldDrawer::make(source, *base, fault_kinds(), {});
  BOOST_REQUIRE(made.has_value());
  return std::move(*made);
}

Scenario drawn(const WorldDrawer& from, std::uint64_t seed) {
  auto world = from.draw(seed);
  BOOST_REQUIRE_MESSAGE(world.has_value(), (world ? std::string{} : to_string(world.error().front())));
  return std::move(*world);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(draw)

BOOST_AUTO_TEST_CASE(a_seed_has_one_world) {
  const WorldDrawer first = drawer();
  const WorldDrawer second = drawer();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST(drawn(first, seed).text == drawn(second, seed).text);
    BOOST_TEST(drawn(first, seed).plan_text == drawn(second, seed).plan_text);
  }
  BOOST_TEST(drawn(first, 1).plan_text != drawn(first, 2).plan_text);
}

BOOST_AUTO_TEST_CASE(every_world_can_be_drawn_and_heals_in_time) {
  const WorldDrawer worlds = drawer();
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Scenario world = drawn(worlds, seed);
    BOOST_TEST(world.faults.size() >= 1U);
    BOOST_TEST(world.faults.size() <= 6U);
    for (const FaultRow& row : world.faults) {
      BOOST_TEST((row.start + row.duration.value_or(Duration{0}) <= world.faults_end()));
      // 15 task intervals.
      BOOST_TEST((row.duration.value_or(Duration{0}) <= 450s));
    }
    std::int32_t partitions = 0;
    for (const TopicScenario& topic : world.topics) partitions += topic.partitions;
    BOOST_TEST(partitions <= 6);
  }
}

BOOST_AUTO_TEST_CASE(every_kind_comes_and_no_world_has_all) {
  const WorldDrawer worlds = drawer();
  std::set<std::string> kinds;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    for (const FaultRow& row : drawn(worlds, seed).faults) kinds.insert(row.kind);
  }
  BOOST_TEST(kinds.size() == fault_kinds().size());
}

/// What a kept folder holds is read again as the same world.
BOOST_AUTO_TEST_CASE(what_is_printed_reads_back_as_the_same_world) {
  const WorldDrawer worlds = drawer();
  const CatalogueFiles files;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Scenario world = drawn(worlds, seed);
    const auto again =
        read_scenario_text("world.ini", print_scenario(world, PlanPlace::section), {}, fault_kinds(), files);
    BOOST_REQUIRE_MESSAGE(again.has_value(), (again ? std::string{} : to_string(again.error().front())));
    BOOST_TEST(again->plan_text == world.plan_text);
    BOOST_TEST(again->text == world.text);
    BOOST_TEST(again->chaos.empty());
  }
}

/// Draws are keyed by what they decide: shrinking a world, or fixing a key, must not change the rest of it.
BOOST_AUTO_TEST_CASE(one_draw_does_not_move_another) {
  const WorldDrawer all = drawer();
  const WorldDrawer fixed = drawer(chaos({"chaos.client.attempts=7", "chaos.faults=6"}));
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Scenario before = drawn(all, seed);
    const Scenario after = drawn(fixed, seed);
    BOOST_TEST(after.client.attempts == 7);
    BOOST_TEST((after.client.deadline == before.client.deadline));
    BOOST_TEST(after.topics[0].partitions == before.topics[0].partitions);
    // More kinds are more rows, and the first ones stay.
    for (std::size_t i = 0; i < before.faults.size(); ++i) {
      BOOST_TEST(after.faults[i].kind == before.faults[i].kind);
      BOOST_TEST((after.faults[i].start == before.faults[i].start));
      BOOST_TEST(after.faults[i].params_text == before.faults[i].params_text);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_drawn_world_is_not_held_to_what_the_base_must_break) {
  const ScenarioSource tiny{
      .scenario = std::string{FLOTSAM_SOURCE_DIR} + "/scenarios/tiny.ini", .sets = {}, .configs = {}};
  const Scenario world = drawn(drawer(tiny), 3);
  const Expectation& kafka = world.expectations.at("kafka-4.0");
  BOOST_TEST(kafka.must_break.empty());
  BOOST_TEST(std::count(kafka.may_break.begin(), kafka.may_break.end(), "garbage-zero") == 1);
  BOOST_TEST(world.expectations.at("kip-dangling").asserts.empty());
  // The base's own faults stay, and their kinds are not drawn as well.
  BOOST_TEST(world.faults.size() >= 2U);
}

BOOST_AUTO_TEST_CASE(a_range_that_no_world_can_have_is_told) {
  const ScenarioSource source = chaos({"chaos.topic.orders.replication.factor=9"});
  const auto base = read_scenario(source, fault_kinds());
  BOOST_REQUIRE(base.has_value());
  const auto made = WorldDrawer::make(source, *base, fault_kinds(), {});
  BOOST_REQUIRE(!made.has_value());
  BOOST_TEST(to_string(made.error().front()).find("[chaos] topic.orders.replication.factor = 9: [topic.orders]") !=
             std::string::npos);
}

// Eight seeds would not meet the last of many values; the parameters of kinds that are left out count as well.
BOOST_AUTO_TEST_CASE(each_value_is_tried_whether_a_seed_draws_it_or_not) {
  for (const auto& [set, told] :
       {std::pair{"chaos.client.attempts=1 1 1 1 1 1 1 1 1 1 1 1 two", "[chaos] client.attempts = two"},
        std::pair{"chaos.crash.duration=5x", "[chaos] crash.duration"},
        std::pair{"chaos.copy-hang.target=broker:77", "[chaos] copy-hang.target"},
        std::pair{"chaos.may-miss=nonsense", "unknown goal 'nonsense'"},
        std::pair{"chaos.known=kafka-9/*/*/*", "unknown policy 'kafka-9'"},
        std::pair{"chaos.known=*/*/COPY_STARTED/*", "unknown state 'COPY_STARTED'"},
        std::pair{"chaos.known=*/*/*/copy-fial", "unknown kind of fault 'copy-fial' (did you mean 'copy-fail'?)"}}) {
    const ScenarioSource source = chaos({set});
    const auto base = read_scenario(source, fault_kinds());
    std::string text;
    if (base) {
      const auto made = WorldDrawer::make(source, *base, fault_kinds(), {});
      BOOST_REQUIRE_MESSAGE(!made.has_value(), set);
      text = to_string(made.error().front());
    } else {
      text = to_string(base.error().front());
    }
    BOOST_TEST(text.find(told) != std::string::npos, text);
  }
}

// What a shard's folder holds is drawn from again by who merges it.
BOOST_AUTO_TEST_CASE(a_printed_section_draws_as_the_one_it_was_printed_of) {
  const auto base = read_scenario(chaos(), fault_kinds());
  BOOST_REQUIRE(base.has_value());
  const CatalogueFiles files;
  const auto again = read_scenario_text("chaos.ini", base->text, {}, fault_kinds(), files);
  BOOST_REQUIRE_MESSAGE(again.has_value(), (again ? std::string{} : to_string(again.error().front())));
  BOOST_TEST(again->text == base->text);
  const auto fewer = read_scenario_text("chaos.ini", base->text, {"cluster.brokers=2"}, fault_kinds(), files);
  BOOST_TEST(fewer.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sim
