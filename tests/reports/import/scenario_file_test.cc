// The scenario of an import, read as `run` does (sim/scenario/initial_file.h has the columns).
#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "reports/import/import.h"
#include "sim/faults/faults.h"
#include "sim/scenario/scenario.h"
#include "tests/reports/import/import_support.h"
#include "tests/reports/sample_run.h"

namespace reports::import_test {
namespace {

constexpr std::int64_t start = 1735689600000;
constexpr std::string_view third_id = "MP_u3cy7qpmId2ZVRDMiEQ";

sim::Scenario scenario_of(const reports_test::ScratchFolder& place, const std::string& text,
                          ImportOptions options = {}) {
  options.dumps = {place.path("dump.txt")};
  options.folder = place.path("out");
  options.manifest.scenario = "dump";
  BOOST_REQUIRE(write_file(options.dumps[0], text).has_value());
  BOOST_REQUIRE(import_dumps(options).has_value());
  auto scenario = sim::read_scenario({.scenario = options.folder + "/scenario.ini", .sets = {}}, sim::fault_kinds());
  const auto problem = scenario ? std::string{} : to_string(scenario.error().front());
  BOOST_REQUIRE_MESSAGE(scenario.has_value(), problem);
  return std::move(*scenario);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(import_scenario)

BOOST_AUTO_TEST_CASE(begins_where_the_dump_ends) {
  using enum RemoteLogSegmentState;
  const reports_test::ScratchFolder place;
  ImportOptions options{.now_ms = start + 10'000};
  options.config.others = {.milliseconds = 86'400'000, .bytes = -1};
  const auto text = console(0, copy_text({.broker = 7})) + console(1, update_text({.broker = 0})) +
                    console(2, update_text({.state = "DELETE_SEGMENT_STARTED"})) +
                    console(3, copy_text({.id = second_id, .start = 1000, .end = 1999, .epochs = "4=1000, 6=1500"})) +
                    console(4, copy_text({.id = third_id, .partition = 0})) +
                    // What nobody knows the size of, and what no policy knows, is left out.
                    console(5, update_text({.id = "S01iIjMzRESVVWZmd3eIiA"})) +
                    console(6, update_text({.id = third_id, .state = "QUARANTINED", .partition = 0}));
  const auto scenario = scenario_of(place, text, options);
  BOOST_TEST(scenario.cluster.brokers == 3);  // 0, 2 and 7.
  BOOST_TEST(scenario.scenario.start == "2025-01-01T00:00:10Z");
  BOOST_REQUIRE(scenario.topics.size() == 1U);
  const auto& topic = scenario.topics[0];
  BOOST_TEST(topic.partitions == 8);
  BOOST_TEST((topic.options.retention_time == std::chrono::hours{24}));
  BOOST_REQUIRE(topic.initial_file != nullptr);
  BOOST_REQUIRE(topic.initial_file->copies.size() == 2U);
  const auto is_deleting = [](const sim::InitialCopy& copy) { return copy.state == delete_segment_started; };
  const auto& copies = topic.initial_file->copies;
  const auto deleting = std::find_if(copies.begin(), copies.end(), is_deleting);
  const auto copying = std::find_if_not(copies.begin(), copies.end(), is_deleting);
  BOOST_REQUIRE((deleting != copies.end() && copying != copies.end()));
  BOOST_TEST((copying->state == copy_segment_started));
  BOOST_TEST(copying->epochs.size() == 2U);
  BOOST_TEST(to_milliseconds(copying->max_timestamp) == -10'001);
  // It was finished before: COPY_SEGMENT_STARTED, COPY_SEGMENT_FINISHED, DELETE_SEGMENT_STARTED; the other is one
  // record.
  BOOST_TEST(topic.initial_file->events.size() == 4U);
}

BOOST_AUTO_TEST_CASE(says_what_it_does_not_know) {
  const reports_test::ScratchFolder place;
  scenario_of(place, console(0, copy_text()));
  const auto text = reports_test::text_of(place.path("out/scenario.ini"));
  BOOST_TEST(text.find("# retention.ms is not known") != std::string::npos);
  BOOST_TEST(text.find("\nretention.ms") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace reports::import_test
