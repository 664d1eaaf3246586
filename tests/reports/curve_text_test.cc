#include "reports/curve_text.h"

#include <boost/test/unit_test.hpp>

#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

namespace {

constexpr std::int64_t gib = 1 << 30;

/// Nothing until 1 h, then 2 GiB, with a peak of 4 GiB just before 3 h; the world ends at 4 h.
StoredRun held(const std::string& policy) {
  StoredRun run;
  run.overview.summary = sample_summary(policy);
  run.overview.world_end = SimTime{4h};
  run.overview.faults = {{"puts-down", SimTime{1h}, SimTime{2h}, 3}};
  run.curve = {
      {0, 0, 0}, {3'600'000, 2 * gib, 2 * gib}, {10'800'000, 2 * gib, 4 * gib}, {14'400'000, 2 * gib, 2 * gib}};
  return run;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(curve_text_of_a_run)

BOOST_AUTO_TEST_CASE(draws_a_line_a_run_the_faults_and_the_scale_in_80_columns) {
  const auto text = curve_text(std::vector{held("kip-dangling")});
  // 80 less the name and three: 65 columns for 4 h, so 1 h begins in column 16, 3 h in column 48.
  BOOST_TEST(text ==
             "kip-dangling |                ++++++++++++++++++++++++++++++++@++++++++++++++++|\n"
             "faults       |                ^^^^^^^^^^^^^^^^^                                |\n"
             "              garbage from 0 to 4h; `@` is 4.0 GiB, `.` up to 512 MiB\n");
}

BOOST_AUTO_TEST_CASE(says_nothing_where_nothing_was_held) {
  auto run = held("kafka-4.0");
  run.curve = {{0, 0, 0}};
  BOOST_TEST(curve_text(std::vector{run}) == "");
  run.curve.clear();
  BOOST_TEST(curve_text(std::vector{run}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
