// Case C30 (redpanda-data/redpanda PR 7191): no delete is allowed for an hour, in which a copy a minute becomes due.
// Kafka has no list of pending deletions that could be capped: what it has to delete it finds anew in each run.
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::time_start;

constexpr std::int64_t segment = (100_MiB).value();

/// A segment a minute, uploaded at once and due an hour later. The first hour fills the log; the second is the fault's.
CaseWorld c30() {
  CaseWorld world;
  world.topic = "retention.ms = 3600000\nlocal.retention.ms = 600000\nproduce = 1747627B/s\n";
  world.faults = "1h,1h,store-unavailable,store,operations=delete;error=permanent\n";
  world.duration = "2h30m";
  return world;
}

std::int64_t waste_at(const CaseRun& run, sim::SimTime time) {
  std::int64_t bytes = 0;
  for (const sim::CurvePoint& point : run.curve) {
    if (point.time <= time) bytes = point.rows.front().totals.waste().value();
  }
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c30)

// What waits grows by a segment a minute and is gone with the first run that may delete; knowledge of it is never lost.
BOOST_AUTO_TEST_CASE(what_is_due_piles_up_and_goes_in_one_run) {
  for (const std::string_view policy :
       {"kafka-3.6", "kafka-3.9", "kafka-4.0", "kafka-4.3", "kip-dangling", "kip-dangling-recovery"}) {
    BOOST_TEST_CONTEXT(policy) {
      const CaseRun run = run_case(c30(), policy);
      BOOST_TEST(waste_at(run, time_start + 90min) >= 28 * segment);
      BOOST_TEST(waste_at(run, time_start + 90min) <= 31 * segment);
      BOOST_TEST(waste_at(run, time_start + 2h - 1s) >= 57 * segment);
      BOOST_TEST(waste_at(run, time_start + 2h - 1s) <= 61 * segment);
      BOOST_TEST(waste_at(run, time_start + 2h + 1min) <= 2 * segment);
      BOOST_TEST(run.garbage_end().value() == 0);
      BOOST_TEST(run.result.summary.orphan_bytes_end.value() == 0);
      BOOST_TEST(run.result.summary.over_deleted_bytes.value() == 0);
    }
  }
}

// The cost of trying: Kafka's walk ends at the first refusal, so that each run of an hour makes one call; the KIP's two
// tasks make two.
BOOST_AUTO_TEST_CASE(each_run_tries_once) {
  for (const auto& [policy, calls] :
       {std::pair{"kafka-3.6", 120}, std::pair{"kafka-4.0", 120}, std::pair{"kip-dangling", 240}}) {
    const CaseRun run = run_case(c30(), policy);
    BOOST_TEST(run.result.summary.delete_failures <= calls, policy << " " << run.result.summary.delete_failures);
    BOOST_TEST(run.result.summary.delete_failures >= calls * 9 / 10,
               policy << " " << run.result.summary.delete_failures);
  }
}

BOOST_AUTO_TEST_SUITE_END()
