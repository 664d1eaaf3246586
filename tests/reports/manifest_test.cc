#include "reports/manifest.h"

#include "reports/stored_run.h"
#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

BOOST_AUTO_TEST_SUITE(manifest)

BOOST_AUTO_TEST_CASE(reads_back_what_it_wrote) {
  const ScratchFolder scratch;
  Manifest written{.kind = "run",
                   .version = "0.1.0",
                   .commit = "abc",
                   .compiler = "g++ \"12\"\n",
                   .policies = {"a", "b,\t\\"},
                   .seeds = "1..30",
                   .verdict = "pass",
                   .changed = true};
  written.world_ms = -5;
  BOOST_TEST_REQUIRE(write_manifest(scratch.path(), written).has_value());
  const auto read = read_manifest(scratch.path());
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(to_json(*read) == to_json(written));
  BOOST_TEST(read->policies == written.policies, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(escapes_what_json_and_pages_cannot_carry) {
  BOOST_TEST(json_string("a\"b\\c\n\x01</script>") == "\"a\\\"b\\\\c\\n\\u0001\\u003c/script>\"");
}

BOOST_AUTO_TEST_CASE(refuses_other_peoples_and_newer_manifests) {
  const ScratchFolder scratch;
  const auto problem = [&](std::string_view text) {
    BOOST_TEST_REQUIRE(write_file(scratch.path("manifest.json"), text).has_value());
    const auto read = read_manifest(scratch.path());
    return read ? std::string{} : read.error().substr(scratch.path().size());
  };
  BOOST_TEST(problem("{\"name\": \"page\"}") == "/manifest.json: no manifest of flotsam (no format_version)");
  BOOST_TEST(problem("{\"format_version\": 99}") == "/manifest.json: format_version 99 is newer than this flotsam's 1");
  BOOST_TEST(!problem("{").empty());
}

BOOST_AUTO_TEST_CASE(an_unfinished_folder_is_read_only_on_request) {
  const ScratchFolder scratch;
  BOOST_TEST_REQUIRE(
      write_manifest(scratch.path(), {.kind = "campaign", .verdict = std::string{unfinished}}).has_value());
  BOOST_TEST_REQUIRE(write_runs(scratch.path(), {{sample_summary(), ""}}).has_value());
  BOOST_TEST(!read_runs(scratch.path()).has_value());
  const auto partial = read_runs(scratch.path(), true);
  BOOST_TEST_REQUIRE(partial.has_value());
  BOOST_TEST(partial->empty());
  BOOST_TEST(read_run_rows(scratch.path())->size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_hash_tells_scenarios_and_plans_apart) {
  sim::Scenario a;
  sim::Scenario b;
  a.text = "xy";
  b.text = "x";
  b.plan_text = "y";
  BOOST_TEST(scenario_hash(a) != scenario_hash(b));
  BOOST_TEST(scenario_hash({}) == "af63bd4c8601b7df");
}

BOOST_AUTO_TEST_SUITE_END()
