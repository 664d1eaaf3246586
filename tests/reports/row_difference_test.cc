// The rows of three files as one sequence, and the first that differs.
#include "reports/row_difference.h"

#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

BOOST_AUTO_TEST_SUITE(row_difference)

namespace {

constexpr std::string_view transitions = "time_ms,broker,to_state,event\n";
constexpr std::string_view events = "time_ms,event,broker,kind\n";

struct Folder {
  Folder(std::string_view transition_rows, std::string_view event_rows) {
    write("transitions.csv", transitions, transition_rows);
    write("dropped.csv", transitions, "");
    write("events.csv", events, event_rows);
  }
  void write(const std::string& name, std::string_view header, std::string_view rows) {
    BOOST_TEST_REQUIRE(write_file(scratch.path(name), std::string{header} + std::string{rows}).has_value());
  }
  ScratchFolder scratch;
};

RowComparison compare(const Folder& a, const Folder& b) {
  auto compared = compare_rows(a.scratch.path(), b.scratch.path());
  BOOST_TEST_REQUIRE(compared.has_value());
  return std::move(*compared);
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_rows_have_no_difference) {
  const Folder a{"1,1,A,1\n5,1,B,5\n", "2,2,1,put\n6,6,1,put\n"};
  const Folder b{"1,1,A,1\n5,1,B,5\n", "2,2,1,put\n6,6,1,put\n"};
  const RowComparison same = compare(a, b);
  BOOST_TEST(same.equal == 4U);
  BOOST_TEST(!same.difference.has_value());
  BOOST_TEST(has_event_rows(a.scratch.path()));
}

BOOST_AUTO_TEST_CASE(the_first_in_the_order_of_events_counts_whatever_its_file) {
  const Folder a{"1,1,A,1\n5,1,B,5\n", "2,2,1,put\n6,6,1,put\n"};
  const Folder b{"1,1,A,1\n5,2,B,5\n", "2,2,1,delete\n6,6,1,put\n"};
  const auto difference = compare(a, b).difference;
  BOOST_REQUIRE(difference.has_value());
  BOOST_TEST(difference->event == 2U);
  BOOST_TEST(difference->field == "kind");
  BOOST_TEST(difference->before == std::vector<std::string>{"#1 transitions.csv: time_ms=1 broker=1 to_state=A"},
             boost::test_tools::per_element());
  BOOST_TEST(difference->first.front() == "#2 events.csv: time_ms=2 broker=1 kind=put");
  BOOST_TEST(difference->second.front() == "#2 events.csv: time_ms=2 broker=1 kind=delete");
  BOOST_TEST(difference->first.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_missing_row_and_an_early_end_are_differences) {
  const Folder a{"1,1,A,1\n5,1,B,5\n", "2,2,1,put\n"};
  const Folder gap{"1,1,A,1\n5,1,B,5\n", ""};
  const auto missing = compare(a, gap).difference;
  BOOST_REQUIRE(missing.has_value());
  BOOST_TEST(missing->event == 2U);
  BOOST_TEST(missing->field == "event");
  const Folder shorter{"1,1,A,1\n", "2,2,1,put\n"};
  const auto end = compare(a, shorter).difference;
  BOOST_REQUIRE(end.has_value());
  BOOST_TEST(end->event == 5U);
  BOOST_TEST(end->field == "end");
  BOOST_TEST(end->second.empty());
}

BOOST_AUTO_TEST_CASE(a_folder_without_events_and_a_torn_file_are_told) {
  const Folder a{"1,1,A,1\n", "2,2,1,put\n"};
  const Folder torn{"1,1,A,1\n", "2,2\n"};
  const auto compared = compare_rows(a.scratch.path(), torn.scratch.path());
  BOOST_REQUIRE(!compared.has_value());
  BOOST_TEST(compared.error().find("events.csv:2: ") != std::string::npos, compared.error());
  std::filesystem::remove(a.scratch.path("dropped.csv"));
  BOOST_TEST(!has_event_rows(a.scratch.path()));
}

BOOST_AUTO_TEST_SUITE_END()
