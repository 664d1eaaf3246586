// Case C03 (apache/kafka PR 21150, KAFKA-19981): for ten minutes each upload fails with a retriable error after its log
// object, and the store takes deletes all the while (facts 5.6, last column).
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::time_start;

CaseWorld c03() {
  CaseWorld world;
  world.topic = "initial.closed = 1\nretention.ms = 86400000\n";
  world.client = "attempts = 1\nindexes.bytes = 1MiB\nproducer.snapshot.bytes = 0\nleader.epoch.checkpoint.bytes = 0\n";
  world.faults = "0s,10m,copy-fail,store,stored=indexes;error=retriable\n";
  world.duration = "20m";
  return world;
}

/// Readings 2.12: one each thirty seconds, as uploads take no time.
constexpr std::int64_t attempts = 20;
constexpr std::int64_t log_bytes = (100_MiB).value();

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c03)

BOOST_AUTO_TEST_CASE(kafka_4_3_keeps_each_attempt_until_retention) {
  const CaseRun run = run_case(c03(), "kafka-4.3");
  BOOST_TEST(run.result.summary.copy_failures == attempts);
  BOOST_TEST(run.result.summary.delete_attempts == 0);
  for (int attempt = 1; attempt <= attempts; ++attempt) {
    BOOST_TEST(run.garbage_at(time_start + 30s * attempt - 5s).value() == attempt * log_bytes);
  }
  BOOST_TEST(run.garbage_end().value() == attempts * log_bytes);
  BOOST_TEST(run.result.summary.garbage_bytes_never.value() == 0);
  BOOST_TEST((run.result.summary.last_due == time_start + 24h));
}

BOOST_AUTO_TEST_CASE(kafka_4_0_and_the_kip_treat_it_as_any_failure_and_clean_up_each_time) {
  for (const std::string_view policy :
       {std::string_view{"kafka-4.0"}, always, std::string_view{"kip-dangling-recovery"}}) {
    BOOST_TEST_CONTEXT(policy) {
      const CaseRun run = run_case(c03(), policy);
      BOOST_TEST(run.result.summary.copy_failures == attempts);
      BOOST_TEST(run.result.summary.peak_garbage_bytes.value() == log_bytes);
      BOOST_TEST(run.garbage_end().value() == 0);
      BOOST_TEST(run.result.summary.ghosts_end == 0);
    }
  }
}

// The KIP does not say whether such a failure makes a copy DANGLING (readings 3.2): on the base of 4.3 it does not.
BOOST_AUTO_TEST_CASE(the_kip_on_the_base_of_4_3_keeps_them_as_well) {
  const CaseRun run = run_case(c03(), "kip-dangling:base=kafka-4.3");
  BOOST_TEST(run.garbage_end().value() == attempts * log_bytes);
  BOOST_TEST(run.states.find("DANGLING") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(kafka_3_6_keeps_the_bytes_and_3_9_the_entries) {
  BOOST_TEST(run_case(c03(), "kafka-3.6").garbage_end().value() == attempts * log_bytes);
  const CaseRun run = run_case(c03(), "kafka-3.9");
  BOOST_TEST(run.garbage_end().value() == 0);
  BOOST_TEST(run.result.summary.ghosts_end == attempts);
}

BOOST_AUTO_TEST_SUITE_END()
