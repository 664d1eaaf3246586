// What a campaign must have seen: every goal is a name, and a world that does the thing reaches it.
#include "sim/observers/goals.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "sim/faults/faults.h"
#include "sim/run_result.h"
#include "tests/sim/scenario/memory_files.h"
#include "tests/support/world_support.h"

namespace tests {
namespace {

using sim::GoalKind;

std::size_t place_of(GoalKind kind, std::string_view name) {
  const auto goals = sim::goals();
  const auto found = std::find_if(goals.begin(), goals.end(),
                                  [&](const auto& goal) { return goal.kind == kind && goal.name == name; });
  BOOST_TEST_REQUIRE((found != goals.end()), "no goal " << name);
  return static_cast<std::size_t>(found - goals.begin());
}

std::uint64_t times(const sim::RunResult& result, GoalKind kind, std::string_view name) {
  return result.goals[place_of(kind, name)].times;
}

/// The copy of the only segment fails after its log object, and the sweep's first delete fails too.
sim::RunResult one_failed_copy(std::string_view policy) {
  const auto scenario = read_world(one_broker,
                                   "0s,1m,copy-fail,store,probability=1;stored=log;error=permanent\n"
                                   "0s,1m,delete-fail,store,probability=1;stored=all;error=permanent\n");
  return sim::run_world(scenario, policy_choice(policy, scenario), 1);
}

BOOST_AUTO_TEST_SUITE(goals)

BOOST_AUTO_TEST_CASE(each_goal_has_a_name_of_its_own) {
  std::set<std::pair<GoalKind, std::string>> names;
  for (const auto& goal : sim::goals()) BOOST_TEST(names.emplace(goal.kind, goal.name).second, goal.name);
}

BOOST_AUTO_TEST_CASE(the_moves_of_the_kip_are_goals_and_what_no_table_allows_is_none) {
  const auto goals = sim::goals();
  const auto holds = [&](std::string_view name) {
    return std::any_of(goals.begin(), goals.end(), [&](const auto& goal) { return goal.name == name; });
  };
  BOOST_TEST(holds("COPY_SEGMENT_STARTED > DANGLING"));
  BOOST_TEST(holds("none > COPY_SEGMENT_STARTED"));
  BOOST_TEST(!holds("DELETE_SEGMENT_FINISHED > COPY_SEGMENT_STARTED"));
  BOOST_TEST(!holds("none > COPY_SEGMENT_FINISHED"));
}

BOOST_AUTO_TEST_CASE(a_world_reaches_what_it_does_and_nothing_else) {
  const auto result = one_failed_copy("kip-dangling");
  BOOST_TEST(times(result, GoalKind::transition, "COPY_SEGMENT_STARTED > DANGLING") > 0U);
  BOOST_TEST(times(result, GoalKind::transition, "DELETE_SEGMENT_STARTED > DANGLING") > 0U);
  BOOST_TEST(times(result, GoalKind::fault, "copy-fail") == 1U);
  BOOST_TEST(times(result, GoalKind::fault, "delete-fail") == 1U);
  BOOST_TEST(times(result, GoalKind::fault, "crash") == 0U);
  BOOST_TEST(times(result, GoalKind::step, "sweep-delete") > 0U);
  BOOST_TEST(times(result, GoalKind::branch, "sweep-delete-failed") > 0U);
  BOOST_TEST(times(result, GoalKind::branch, "adopted") == 0U);
}

BOOST_AUTO_TEST_CASE(another_policy_reaches_its_own_branches) {
  const auto result = one_failed_copy("kafka-4.0");
  BOOST_TEST(times(result, GoalKind::branch, "clean-up-failed") > 0U);
  BOOST_TEST(times(result, GoalKind::transition, "COPY_SEGMENT_STARTED > DANGLING") == 0U);
}

BOOST_AUTO_TEST_CASE(a_goal_knows_the_first_record_that_reached_it) {
  const auto result = one_failed_copy("kip-dangling");
  const auto& started = result.goals[place_of(GoalKind::transition, "none > COPY_SEGMENT_STARTED")];
  const auto& dangling = result.goals[place_of(GoalKind::transition, "COPY_SEGMENT_STARTED > DANGLING")];
  BOOST_TEST(started.event > 0U);
  BOOST_TEST(started.event < dangling.event);
  BOOST_TEST((started.first < dangling.first));
}

// No task writes COPY_SEGMENT_STARTED or COPY_SEGMENT_FINISHED twice for one id; a dump may hold each as often as it
// likes.
BOOST_AUTO_TEST_CASE(a_state_that_follows_itself_comes_from_a_file) {
  const std::string row = "EREiIjMzRESVVWZmd3eIiA,0,1023,1048576,COPY_SEGMENT_";
  const sim::scenario_test::MemoryFiles files{
      {{"state.csv", "segment_id,start_offset,end_offset,size_bytes,to_state\n" + row + "STARTED\n" + row +
                         "STARTED\n" + row + "FINISHED\n" + row + "FINISHED\n"}}};
  const auto scenario = read_scenario_text(
      "world.ini", one_broker, {"topic.t.initial.closed=0", "topic.t.initial=state.csv"}, sim::fault_kinds(), files);
  BOOST_REQUIRE_MESSAGE(scenario, sim::scenario_test::errors_of(scenario));
  const auto result = sim::run_world(*scenario, policy_choice("kafka-4.0", *scenario), 1);
  BOOST_TEST(times(result, GoalKind::transition, "COPY_SEGMENT_STARTED > COPY_SEGMENT_STARTED") == 1U);
  BOOST_TEST(times(result, GoalKind::transition, "COPY_SEGMENT_FINISHED > COPY_SEGMENT_FINISHED") == 1U);
  BOOST_TEST(result.summary.copy_attempts == 0);
}

BOOST_AUTO_TEST_CASE(every_branch_that_the_model_names_is_a_goal) {
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{FLOTSAM_SOURCE_DIR "/model"}) {
    if (entry.path().extension() != ".cc") continue;
    std::stringstream text;
    text << std::ifstream{entry.path()}.rdbuf();
    const std::string source = text.str();
    for (auto at = source.find("took_branch("); at != std::string::npos; at = source.find("took_branch(", at + 1)) {
      const std::string call = source.substr(at, source.find(';', at) - at);
      for (auto quote = call.find('"'); quote != std::string::npos;) {
        const auto end = call.find('"', quote + 1);
        place_of(GoalKind::branch, std::string_view{call}.substr(quote + 1, end - quote - 1));
        ++seen;
        quote = call.find('"', end + 1);
      }
    }
  }
  BOOST_TEST(seen > 10U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
