// The page of an import: what no dump tells is unknown and not zero, and time begins with the first record.
#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "reports/import/import.h"
#include "reports/lane_reader.h"
#include "reports/page.h"
#include "reports/page_curves.h"
#include "reports/stored_run.h"
#include "tests/reports/import/import_support.h"
#include "tests/reports/sample_run.h"

namespace reports::import_test {
namespace {

constexpr std::int64_t start = 1735689600000;
constexpr std::int64_t hour = 3'600'000;

/// The folder of a finished copy and one that is stuck, of a topic whose retention nobody told.
std::string imported(const reports_test::ScratchFolder& place) {
  const auto dump = place.path("dump.txt");
  const auto text = console(0, copy_text()) + console(1, update_text()) +
                    console(2, copy_text({.id = second_id, .start = 1000, .end = 1999, .epochs = "4=1000"})) +
                    console(3, update_text({.time_ms = start + 3 * hour}));
  BOOST_REQUIRE(write_file(dump, text).has_value());
  ImportOptions options{.dumps = {dump}, .folder = place.path("out")};
  options.manifest.kind = import_kind;
  options.manifest.scenario = "dump";
  options.manifest.outcome = options.manifest.verdict = "unknown";
  BOOST_REQUIRE(import_dumps(options).has_value());
  return options.folder;
}

bool holds(std::span<const std::string_view> columns, std::string_view name) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(import_page)

BOOST_AUTO_TEST_CASE(reads_as_a_run_of_which_nearly_nothing_is_known) {
  const reports_test::ScratchFolder place;
  const auto runs = read_runs(imported(place));
  BOOST_REQUIRE(runs.has_value());
  BOOST_REQUIRE(runs->size() == 1U);
  BOOST_TEST(runs->front().overview.summary.policy == "recorded");
  BOOST_TEST(runs->front().overview.summary.transitions == 4U);
}

BOOST_AUTO_TEST_CASE(knows_which_columns_a_dump_cannot_tell) {
  const reports_test::ScratchFolder place;
  const auto curves = TopicCurves::read(imported(place) + "/curves.csv", 1000, start);
  BOOST_REQUIRE(curves.has_value());
  const auto& unknown = curves->all.unknown;
  for (const auto column : {"live_bytes", "expired_bytes", "orphan_bytes", "waste_bytes", "copy_lag_bytes",
                            "metric_dangling_bytes", "ghost_count", "active_faults", "garbage_bytes_max"})
    BOOST_TEST(holds(unknown, column), column);
  for (const auto column : {"time_ms", "stored_bytes", "stuck_bytes", "garbage_bytes", "dangling_bytes"})
    BOOST_TEST(!holds(unknown, column), column);
  BOOST_TEST(curves->all.rows.front()[0] == 0);
  BOOST_TEST(curves->all.rows.back()[0] == 3 * hour);
}

BOOST_AUTO_TEST_CASE(shows_findings_as_causes_and_never_says_never_unless_it_is_known) {
  const reports_test::ScratchFolder place;
  const auto book = read_lanes(imported(place), {.origin_ms = start});
  BOOST_REQUIRE(book.has_value());
  BOOST_TEST(book->cause_names.list() == std::vector<std::string>{"stuck-copy,,COPY_SEGMENT_STARTED"});
  BOOST_REQUIRE(book->causes.size() == 1U);
  BOOST_TEST(book->causes[0].bytes == 1048576);
  BOOST_TEST(book->causes[0].first_ms == 0);
  BOOST_TEST(book->causes[0].left_count == 1U);
  BOOST_TEST(book->causes[0].never_count == 0U);
  BOOST_TEST(book->copies.size() == 2U);
}

BOOST_AUTO_TEST_CASE(begins_with_what_nobody_will_read) {
  const reports_test::ScratchFolder place;
  const std::array folders{imported(place)};
  BOOST_REQUIRE(write_page(place.path("page.html"), {.folders = folders}).has_value());
  const auto page = reports_test::text_of(place.path("page.html"));
  BOOST_TEST(page.find("dump: 1.0 MiB, as the metadata has it, in 1 copy that nobody will read.") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace reports::import_test
