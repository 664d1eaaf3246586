// Case C19 (RLMExpirationTask's walk, facts 6.8) with the values worked by hand in readings 5: copies fail at T, +30,
// +60, +90 s with all bytes stored and succeed at +120 s; deletes fail until T+60 s; T is the world's start.
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::time_start;

CaseWorld c19(std::string_view topic) {
  CaseWorld world;
  world.topic = std::string{topic} + "initial.closed = 1\n";
  world.faults = "0s,100s,copy-fail,store,probability=1;stored=all\n0s,60s,delete-fail,store,probability=1\n";
  return world;
}

constexpr std::string_view first_ever = "";
constexpr std::string_view behind_1000 = "initial.finished = 1000\ninitial.local = 1\n";
constexpr std::string_view behind_1000_for_ever = "initial.finished = 1000\ninitial.local = 1\nretention.ms = -1\n";
constexpr std::int64_t segment = (100_MiB).value();
constexpr auto due = time_start + 24h * 7;

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c19)

BOOST_AUTO_TEST_CASE(kafka_3_6_keeps_four_copies_until_retention) {
  for (const std::string_view topic : {first_ever, behind_1000}) {
    const CaseRun run = run_case(c19(topic), "kafka-3.6");
    BOOST_TEST(run.garbage_end().value() == 4 * segment);
    BOOST_TEST(run.states == "CS | CS | CS | CS | CS CF");
    BOOST_TEST((run.result.summary.last_due == due));
  }
}

BOOST_AUTO_TEST_CASE(kafka_3_9_keeps_two_copies_and_two_ghosts) {
  for (const std::string_view topic : {first_ever, behind_1000}) {
    const CaseRun run = run_case(c19(topic), "kafka-3.9");
    BOOST_TEST(run.garbage_end().value() == 2 * segment);
    BOOST_TEST(run.result.summary.ghosts_end == 2);
    BOOST_TEST((run.result.summary.last_due == due));
  }
}

BOOST_AUTO_TEST_CASE(kafka_4_0_is_clean_at_the_next_expiration_when_nothing_stands_before) {
  const CaseRun run = run_case(c19(first_ever), "kafka-4.0");
  BOOST_TEST(run.garbage_at(time_start + 74s).value() == 2 * segment);
  BOOST_TEST(run.garbage_at(time_start + 76s).value() == 0);
  BOOST_TEST(run.garbage_end().value() == 0);
}

BOOST_AUTO_TEST_CASE(kafka_4_0_keeps_two_copies_behind_a_retained_segment) {
  const CaseRun run = run_case(c19(behind_1000), "kafka-4.0");
  BOOST_TEST(run.garbage_end().value() == 2 * segment);
  BOOST_TEST(run.states == "CS DS | CS DS | CS DS DF | CS DS DF | CS CF");
  BOOST_TEST((run.result.summary.last_due == due));
  BOOST_TEST(run.result.summary.garbage_bytes_never.value() == 0);
}

BOOST_AUTO_TEST_CASE(kafka_4_0_never_reclaims_under_unlimited_retention) {
  const CaseRun run = run_case(c19(behind_1000_for_ever), "kafka-4.0");
  BOOST_TEST(run.result.summary.garbage_bytes_never.value() == 2 * segment);
}

BOOST_AUTO_TEST_CASE(kip_dangling_is_clean_within_the_run_after_deletes_heal) {
  for (const std::string_view topic : {first_ever, behind_1000, behind_1000_for_ever}) {
    const CaseRun run = run_case(c19(topic), always);
    BOOST_TEST(run.result.summary.peak_garbage_bytes.value() == 3 * segment);
    BOOST_TEST(run.garbage_at(time_start + 60s).value() == 2 * segment);
    BOOST_TEST(run.garbage_at(time_start + 63s).value() == 0);
    BOOST_TEST(run.garbage_end().value() == 0);
  }
}

BOOST_AUTO_TEST_CASE(kip_dangling_that_sweeps_after_success_waits_for_the_copy_to_succeed) {
  for (const std::string_view topic : {first_ever, behind_1000}) {
    const CaseRun run = run_case(c19(topic), after_success);
    BOOST_TEST(run.garbage_at(time_start + 119s).value() == 4 * segment);
    BOOST_TEST(run.garbage_at(time_start + 123s).value() == 0);
    BOOST_TEST(run.garbage_end().value() == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
