#include <sstream>

#define BOOST_BIND_GLOBAL_PLACEHOLDERS
#include <boost/property_tree/xml_parser.hpp>

#include "reports/junit.h"
#include "reports/summary_markdown.h"
#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

namespace {

Failure sample_failure(const std::string& message = "garbage is left") {
  return {.message = message,
          .type = "garbage-settles",
          .seed = 7,
          .count = 3,
          .reproduce = "flotsam run x --seed 7",
          .last_events = "1s put\n2s <crash>\n"};
}

boost::property_tree::ptree parsed(const std::string& xml) {
  std::istringstream stream{xml};
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(stream, tree);
  return tree;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ci_reports)

BOOST_AUTO_TEST_CASE(junit_is_red_until_each_case_has_a_result) {
  const ScratchFolder scratch;
  auto report = JUnitReport::start(scratch.path("junit.xml"), "paper", {"kafka-4.0", "kip-dangling"});
  BOOST_TEST_REQUIRE(report.has_value());
  BOOST_TEST(parsed(text_of(scratch.path("junit.xml"))).get<int>("testsuites.<xmlattr>.errors") == 2);
  BOOST_TEST(report->complete("kafka-4.0", {sample_failure()}).has_value());
  BOOST_TEST(report->complete("kip-dangling", {}).has_value());
  BOOST_TEST(text_of(scratch.path("junit.xml")) ==
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<testsuites name=\"flotsam\" tests=\"2\" failures=\"1\" errors=\"0\">\n"
             "<testsuite name=\"paper\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">\n"
             "<testcase classname=\"paper\" name=\"kafka-4.0\">\n"
             "<failure message=\"garbage is left\" type=\"garbage-settles\">garbage is left\n"
             "seed 7, the first of 3\n"
             "reproduce: flotsam run x --seed 7\n"
             "last events:\n"
             "1s put\n"
             "2s &lt;crash&gt;\n"
             "</failure>\n"
             "</testcase>\n"
             "<testcase classname=\"paper\" name=\"kip-dangling\"/>\n"
             "</testsuite>\n"
             "</testsuites>\n");
}

BOOST_AUTO_TEST_CASE(junit_tells_a_full_disk) {
  const auto report = JUnitReport::start("/dev/full", "paper", {"a"});
  BOOST_TEST_REQUIRE(!report.has_value());
  BOOST_TEST(report.error() == "/dev/full: No space left on device");
}

BOOST_AUTO_TEST_CASE(xml_carries_no_character_that_it_may_not) {
  BOOST_TEST(xml_escape("a\x01<\">&\r") == "a?&lt;&quot;&gt;&amp;&#13;");
  BOOST_TEST(xml_escape("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") == "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  BOOST_TEST(xml_escape("\xC3 \xED\xA0\x80 \xEF\xBF\xBF") == "? ??? ???");
}

BOOST_AUTO_TEST_CASE(markdown_shows_the_table_and_each_failure) {
  PaperWorld world;
  const std::vector runs{overview(sample_result(), world.scenario())};
  const std::vector failures{sample_failure("a|b <c>")};
  const auto text = summary_markdown({.heading = "run paper, seed 7",
                                      .sentence = headline(runs),
                                      .runs = runs,
                                      .failures = failures,
                                      .verdict = "fail"});
  BOOST_TEST(text ==
             "## run paper, seed 7: fail\n\n"
             "kafka-4.0 held up to 3.0 GiB, gone 20h after puts-down ended.\n\n"
             "| policy | peak garbage | garbage byte-hours | time to reclaim | never reclaimed | store requests | "
             "metadata records | outcome | "
             "verdict |\n"
             "|---|--:|--:|---|--:|--:|--:|---|---|\n"
             "| kafka-4.0 | 3.0 GiB | 4.9 KiB | 20h | 0 | 1234 | 30 | leak | pass |\n\n"
             "### a\\|b &lt;c>\n\nseed 7, the first of 3, garbage-settles\n\n"
             "```\nflotsam run x --seed 7\n```\n\n"
             "<details><summary>last events</summary>\n\n```\n1s put\n2s <crash>\n```\n\n</details>\n\n");
}

BOOST_AUTO_TEST_CASE(markdown_stays_below_its_limit) {
  const std::vector<Failure> failures(1'000, sample_failure());
  const auto text = summary_markdown({.heading = "h", .failures = failures}, 2'000);
  BOOST_TEST(text.size() <= 2'000U);
  BOOST_TEST(text.ends_with("More did not fit here; the run's folder has it all.\n"));
}

BOOST_AUTO_TEST_CASE(a_step_summary_never_outgrows_what_github_takes) {
  const ScratchFolder scratch;
  const std::vector<Failure> failures(3'000, sample_failure());
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(append_step_summary(scratch.path("summary.md"), {.heading = "h", .failures = failures}).has_value());
  BOOST_TEST(std::filesystem::file_size(scratch.path("summary.md")) < step_summary_limit);
}

BOOST_AUTO_TEST_CASE(github_gets_at_most_ten_escaped_lines) {
  const std::vector<Failure> failures(12, sample_failure("100 %\nleft"));
  const auto text = github_errors(failures);
  BOOST_TEST(text.starts_with("::error title=garbage-settles::100 %25%0Aleft%0Areproduce: flotsam run x --seed 7\n"));
  BOOST_TEST(text.ends_with("::error::and 3 more\n"));
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 10);
  const std::vector<sim::InputError> errors{{"a,b.ini", 3, "unknown key: x"}};
  BOOST_TEST(github_errors(errors) == "::error file=a%2Cb.ini,line=3::unknown key: x\n");
}

BOOST_AUTO_TEST_SUITE_END()
