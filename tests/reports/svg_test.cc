#include "reports/svg.h"

#include <sstream>

#define BOOST_BIND_GLOBAL_PLACEHOLDERS
#include <boost/property_tree/xml_parser.hpp>

#include "reports/svg_layout.h"
#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

namespace {

/// Zero until 1 h, 2 GiB from there, with a peak of 4 GiB between 2 h and 3 h; the world ends at 4 h.
StoredRun sample_stored(const std::string& policy) {
  constexpr std::int64_t gib = 1 << 30;
  StoredRun run;
  run.overview.summary = sample_summary(policy);
  run.overview.summary.garbage_bytes_end = 2_GiB;
  run.overview.summary.garbage_bytes_never = 2_GiB;
  run.overview.world_end = SimTime{4h};
  run.overview.faults = {{"puts-down", SimTime{1h}, SimTime{2h}, 3}, {"puts-down", SimTime{2h}, SimTime{3h}, 3}};
  run.curve = {
      {0, 0, 0}, {3'600'000, 2 * gib, 2 * gib}, {10'800'000, 2 * gib, 4 * gib}, {14'400'000, 2 * gib, 2 * gib}};
  return run;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(svg)

BOOST_AUTO_TEST_CASE(draws_steps_peaks_windows_and_labels_where_they_belong) {
  const auto picture = garbage_svg(std::vector{sample_stored("kip-dangling")}, "A <title>");
  BOOST_TEST_REQUIRE(picture.has_value());
  // One line of title and one of fault names: the plot is from y = 24+34+22+26+27 = 133 down to 505. 104 to 728 are 4
  // h, 505 to 133 are 4 GiB.
  BOOST_TEST(contains(*picture, "d=\"M104.0 505.0H260.0V319.0H572.0V133.0V319.0H728.0\""), *picture);
  // The two windows touch: one band from 1 h to 3 h.
  BOOST_TEST(contains(*picture, "<rect class=\"bar\" x=\"260.0\" y=\"127.0\" width=\"312.0\" height=\"4\"/>"),
             *picture);
  BOOST_TEST(contains(*picture, ">puts-down</text>"));
  BOOST_TEST(contains(*picture, "<text x=\"792.0\" y=\"312.0\" font-size=\"20\" class=\"bold\">kip-dangling</text>"),
             *picture);
  BOOST_TEST(contains(*picture, ">2.0 GiB, never</text>"));
  BOOST_TEST(contains(*picture, ">A &lt;title&gt;</text>"));
}

BOOST_AUTO_TEST_CASE(is_well_formed_with_a_line_a_run) {
  const auto picture =
      garbage_svg(std::vector{sample_stored("kip-dangling"), sample_stored("kafka-4.0"), sample_stored("a<b>&\"c\"")});
  BOOST_TEST_REQUIRE(picture.has_value());
  std::istringstream stream{*picture};
  boost::property_tree::ptree tree;
  BOOST_REQUIRE_NO_THROW(boost::property_tree::read_xml(stream, tree));
  BOOST_TEST(tree.get_child("svg").count("path") == 3U);
  BOOST_TEST(tree.get<std::string>("svg.title") == "Each of the 3 runs keeps 2.0 GiB for ever.");
}

BOOST_AUTO_TEST_CASE(has_nothing_to_draw_without_curves) {
  auto run = sample_stored("kip-dangling");
  run.curve.clear();
  BOOST_TEST(!garbage_svg(std::vector{run}).has_value());
}

BOOST_AUTO_TEST_CASE(a_path_has_at_most_a_peak_and_a_last_value_a_column) {
  std::vector<StoredPoint> curve;
  for (int i = 0; i <= 10'000; ++i) curve.push_back({i, i % 2, i == 5'003 ? 50 : i % 2});
  const auto path = step_path(
      curve, [](std::int64_t ms) { return static_cast<double>(ms) / 1'000; },
      [](std::int64_t bytes) { return static_cast<double>(bytes); });
  // 21 columns of half a unit; the peak is in the eleventh.
  BOOST_TEST(std::count(path.begin(), path.end(), 'H') <= 21);
  BOOST_TEST(std::count(path.begin(), path.end(), 'V') <= 42);
  BOOST_TEST(contains(path, "H5.0V50.0"), path);
}

BOOST_AUTO_TEST_CASE(labels_never_overlap_and_stay_near) {
  const std::vector<LabelBlock> blocks{{10, 20}, {12, 20}, {100, 20}, {199, 20}, {200, 20}};
  const auto tops = push_apart(blocks, 0, 200);
  BOOST_TEST(tops == (std::vector<double>{0, 20, 90, 160, 180}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(axes_have_round_steps) {
  const auto labels = [](const std::vector<Tick>& ticks) {
    std::string text;
    for (const auto& tick : ticks) text += tick.label + " ";
    return text;
  };
  BOOST_TEST(labels(byte_axis(600 << 20).ticks) == "0 200 MiB 400 MiB 600 MiB ");
  BOOST_TEST(labels(byte_axis((3LL << 30) + (1 << 20)).ticks) == "0 1 GiB 2 GiB 3 GiB 4 GiB ");
  BOOST_TEST(labels(byte_axis(0).ticks) == "0 1 MiB ");
  BOOST_TEST(labels(byte_axis(3).ticks) == "0 1 B 2 B 3 B ");
  BOOST_TEST(labels(time_ticks(36 * 3'600'000)) == "0 6h 12h 18h 24h 30h 36h ");
  BOOST_TEST(labels(time_ticks(90'000)) == "0 20s 40s 60s 80s ");
  BOOST_TEST(labels(time_ticks(365 * 86'400'000LL)) == "0 60d 120d 180d 240d 300d 360d ");
}

BOOST_AUTO_TEST_CASE(fault_names_that_do_not_fit_are_counted) {
  std::vector<FaultSpan> faults;
  for (int i = 0; i < 6; ++i) faults.push_back({"kind-" + std::to_string(i), SimTime{1h}, SimTime{2h}, 1});
  const auto bands = fault_bands(
      faults, [](std::int64_t ms) { return static_cast<double>(ms) / 36'000; }, 0, 1'000);
  BOOST_TEST(bands.size() == 7U);
  BOOST_TEST(bands.back().text == "and 3 more kinds of fault");
  for (const auto& band : bands) BOOST_TEST(band.row < 4U);
}

BOOST_AUTO_TEST_CASE(titles_and_names_are_cut_at_their_joints) {
  BOOST_TEST(wrap_evenly("aa bb cc dd ee", 12) == (std::vector<std::string>{"aa bb cc", "dd ee"}),
             boost::test_tools::per_element());
  BOOST_TEST(wrap_words("held 605 MiB for 1h 23m", 11) == (std::vector<std::string>{"held", "605 MiB for", "1h 23m"}),
             boost::test_tools::per_element());
  BOOST_TEST(wrap_name("kip-dangling-recovery", 15) == (std::vector<std::string>{"kip-dangling-", "recovery"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
