// Every scenario of the catalogue gives the verdict that it promises, under every policy.

#include <filesystem>
#include <fstream>

#include <boost/test/unit_test.hpp>

#include "model/frame_pool.h"
#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(conformance)

using namespace tests;

/// Those that take long; they are cases of their own.
bool is_slow(const std::string& name) { return name.starts_with("s3-outage"); }
/// Those that take minutes and gigabytes are run by hand: scenarios/matrix.py --big.
bool is_big(const std::string& name) { return name == "fleet-100k" || name == "year-long"; }

std::vector<std::string> scenario_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator{std::string{FLOTSAM_SOURCE_DIR} + "/scenarios"}) {
    if (entry.path().extension() == ".ini") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void check_verdicts(const std::string& name, sim::Verdict expected) {
  const Scenario scenario = read_catalogue(name);
  const auto choices = read_policy_choices({}, scenario);
  BOOST_REQUIRE(choices.has_value());
  for (const sim::PolicyChoice& choice : *choices) {
    const sim::RunResult result = run_world(scenario, choice, 1);
    std::string why;
    for (const std::string& failure : result.failures) why += "\n  " + failure;
    BOOST_TEST((result.summary.verdict == expected),
               name << ", " << choice.label << ": " << to_string(result.summary.verdict) << why);
    BOOST_TEST(model::live_frame_count() == 0);
  }
}

BOOST_AUTO_TEST_CASE(every_scenario_passes) {
  int count = 0;
  for (const std::string& name : scenario_files()) {
    if (is_slow(name) || is_big(name) || name == "canary") continue;
    check_verdicts(name, sim::Verdict::pass);
    ++count;
  }
  BOOST_TEST(count >= 8);
}

BOOST_AUTO_TEST_CASE(the_canary_fails) { check_verdicts("canary", sim::Verdict::fail); }

BOOST_AUTO_TEST_CASE(the_long_scenarios_pass, *boost::unit_test::label("slow")) {
  for (const std::string& name : scenario_files()) {
    if (is_slow(name)) check_verdicts(name, sim::Verdict::pass);
  }
}

BOOST_AUTO_TEST_SUITE_END()
