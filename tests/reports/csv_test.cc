#include "reports/csv.h"

#include "reports/causes.h"
#include "reports/reproduce.h"
#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

BOOST_AUTO_TEST_SUITE(csv)

BOOST_AUTO_TEST_CASE(quotes_only_fields_that_need_it) {
  BOOST_TEST(csv_field("plain text") == "plain text");
  BOOST_TEST(csv_field("a,b") == "\"a,b\"");
  BOOST_TEST(csv_field("say \"hi\"") == "\"say \"\"hi\"\"\"");
  BOOST_TEST(csv_field("two\nlines") == "\"two\nlines\"");
  BOOST_TEST(csv_field("") == "");
}

BOOST_AUTO_TEST_CASE(writes_fields_of_every_kind) {
  const ScratchFolder scratch;
  CsvFile out{File::create(scratch.path("a.csv")), "int,min,wide,time,none,uuid,text"};
  const auto wide = static_cast<unsigned __int128>(1'000'000'000'000'000'000) * 1'000'000'000'000'000'000 * 12 + 5;
  out.integer(42)
      .integer(std::numeric_limits<std::int64_t>::min())
      .integer(wide)
      .time(SimTime{-1us})
      .time(std::optional<SimTime>{})
      .uuid({0, 1})
      .text("a,b")
      .end_row();
  BOOST_TEST(out.close().has_value());
  BOOST_TEST(text_of(scratch.path("a.csv")) ==
             "int,min,wide,time,none,uuid,text\n"
             "42,-9223372036854775808,12000000000000000000000000000000000005,-1,,AAAAAAAAAAAAAAAAAAAAAQ,\"a,b\"\n");
}

BOOST_AUTO_TEST_CASE(reads_quotes_line_breaks_marks_and_missing_last_breaks) {
  const ScratchFolder scratch;
  const auto path = scratch.path("a.csv");
  BOOST_TEST(write_file(path, "\xEF\xBB\xBFname,value\r\n\"a,\"\"b\"\"\n\",7\r\nplain,\"\"\nlast,-3").has_value());
  std::vector<std::string> seen;
  const auto read = read_csv(path, [&](const CsvRow& row) {
    seen.push_back(std::string{row["name"]} + "=" + std::to_string(row.integer("value")) +
                   (row["other"].empty() ? "" : "?"));
  });
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(seen == (std::vector<std::string>{"a,\"b\"\n=7", "plain=0", "last=-3"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_the_line_of_a_row_that_does_not_fit) {
  const ScratchFolder scratch;
  const auto path = scratch.path("a.csv");
  const auto problem = [&](std::string_view text) {
    BOOST_TEST(write_file(path, text).has_value());
    const auto read = read_csv(path, [](const CsvRow&) {});
    return read ? std::string{} : read.error().substr(path.size());
  };
  BOOST_TEST(problem("a,b\n\"x\ny\",1\n1\n") == ":4: 1 fields where the header has 2");
  BOOST_TEST(problem("a,b\n1,2,3\n") == ":2: 3 fields where the header has 2");
  BOOST_TEST(problem("a,b\n1,\"2\n") == ":2: a quote is not closed");
  BOOST_TEST(problem("") == ": empty, not even a header row");
}

BOOST_AUTO_TEST_CASE(every_step_of_a_task_has_a_cause_that_is_listed) {
  for (int step = 0; step < task_step_count; ++step) {
    const auto cause = to_cause(static_cast<TaskStep>(step));
    const auto is_it = [&](const CauseEntry& entry) { return entry.name == cause; };
    BOOST_TEST(std::any_of(causes().begin(), causes().end(), is_it), step);
  }
}

BOOST_AUTO_TEST_CASE(the_reproducing_command_survives_a_shell) {
  const Reproduction reproduction{.scenario = "it's mine.ini",
                                  .policies = {"kip-dangling:sweep=always"},
                                  .seed = 7,
                                  .sets = {"store.latency=uniform(10ms,80ms)", "vars.a="}};
  BOOST_TEST(reproduce_command(reproduction) ==
             "flotsam run 'it'\\''s mine.ini' --policy kip-dangling:sweep=always --seed 7 "
             "--set 'store.latency=uniform(10ms,80ms)' --set vars.a=");
  BOOST_TEST(shell_quote("") == "''");
  BOOST_TEST(shell_quote("~") == "'~'");
}

BOOST_AUTO_TEST_SUITE_END()
