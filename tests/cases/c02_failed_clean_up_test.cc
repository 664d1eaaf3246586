// Case C02 (apache/kafka PR 17335, KAFKA-17428) with the values worked by hand in readings 5: the copy at 0 s fails
// after its log object, copies run at 0, 30, 60 s, expiration at 15, 45, 75 s.
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::time_start;

CaseWorld c02(std::string_view deletes_fail_for) {
  CaseWorld world;
  world.topic = "initial.closed = 1\n";
  world.faults = "0s,5s,copy-fail,store,probability=1;stored=all\n0s," + std::string{deletes_fail_for} +
                 ",delete-fail,store,probability=1\n";
  return world;
}

constexpr std::string_view a = "10s";
constexpr std::string_view b = "20s";
constexpr std::int64_t left = (100_MiB).value();
/// retention.ms after the segment's timestamp, which is the world's start.
constexpr auto due = time_start + 24h * 7;

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c02)

BOOST_AUTO_TEST_CASE(kafka_3_6_and_3_9_keep_the_copy_until_retention_in_both_variants) {
  for (const std::string_view policy : {"kafka-3.6", "kafka-3.9"}) {
    for (const std::string_view variant : {a, b}) {
      BOOST_TEST_CONTEXT(policy << " " << variant) {
        const CaseRun run = run_case(c02(variant), policy);
        BOOST_TEST(run.garbage_at(time_start + 1s).value() == left);
        BOOST_TEST(run.garbage_end().value() == left);
        BOOST_TEST(run.states == "CS | CS CF");
        BOOST_TEST((run.result.summary.last_due == due));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(kafka_4_0_retries_at_15_s_when_nothing_stands_before_it) {
  const CaseRun run = run_case(c02(a), "kafka-4.0");
  BOOST_TEST(run.garbage_at(time_start + 14s).value() == left);
  BOOST_TEST(run.garbage_at(time_start + 16s).value() == 0);
  // The sequence that the change documents, self transition included.
  BOOST_TEST(run.states == "CS DS DS DF | CS CF");
}

BOOST_AUTO_TEST_CASE(kafka_4_0_does_not_reach_the_copy_behind_the_one_that_succeeded) {
  const CaseRun run = run_case(c02(b), "kafka-4.0");
  BOOST_TEST(run.garbage_at(time_start + 100s).value() == left);
  BOOST_TEST(run.garbage_end().value() == left);
  BOOST_TEST(run.states == "CS DS DS | CS CF");
  BOOST_TEST((run.result.summary.last_due == due));
}

BOOST_AUTO_TEST_CASE(kip_dangling_is_clean_at_30_s_in_both_variants) {
  for (const std::string_view variant : {a, b}) {
    const CaseRun run = run_case(c02(variant), always);
    BOOST_TEST_CONTEXT(variant) {
      BOOST_TEST(run.garbage_at(time_start + 29s).value() == left);
      BOOST_TEST(run.garbage_at(time_start + 32s).value() == 0);
      BOOST_TEST(run.states == "CS DANGLING DS DANGLING DS DF | CS CF");
    }
  }
}

BOOST_AUTO_TEST_CASE(kip_dangling_that_sweeps_after_success_is_clean_at_30_s_too) {
  for (const std::string_view variant : {a, b}) {
    const CaseRun run = run_case(c02(variant), after_success);
    BOOST_TEST_CONTEXT(variant) {
      BOOST_TEST(run.garbage_at(time_start + 29s).value() == left);
      BOOST_TEST(run.garbage_at(time_start + 32s).value() == 0);
      BOOST_TEST(run.states == "CS DANGLING DS DF | CS CF");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
