// Case C21 (the delete loops at commit 1eb7644; F8): a hundred segments are due, and the third can never be deleted.
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::ByteClass;
using sim::time_start;

constexpr std::int64_t segment = (100_MiB).value();
constexpr std::int64_t records_of_segment = 100 * 1024;

/// An hour, of which the key is locked until the last five minutes begin.
CaseWorld c21() {
  CaseWorld world;
  world.topic = "initial.finished = 100\ninitial.age = 8d\n";
  world.faults = "0s,55m,key-denied,partition:orders-0,offset=250000\n";
  world.duration = "1h";
  return world;
}

std::int64_t bytes_at(const CaseRun& run, ByteClass byte_class, sim::SimTime time) {
  std::int64_t bytes = 0;
  for (const sim::CurvePoint& point : run.curve) {
    if (point.time <= time) bytes = point.rows.front().totals.of(byte_class).value();
  }
  return bytes;
}

/// Runs of the expiration task in 55 minutes, each with one call for the locked copy.
constexpr std::int64_t fewest_calls = 100;
constexpr std::int64_t most_calls = 111;

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c21)

// The log start is past all of them: 98 segments that nobody can read and everybody pays for.
BOOST_AUTO_TEST_CASE(two_are_deleted_and_then_nothing_while_it_lasts) {
  for (const std::string_view policy : {"kafka-3.6", "kafka-3.9", "kafka-4.0", "kafka-4.3"}) {
    BOOST_TEST_CONTEXT(policy) {
      const CaseRun run = run_case(c21(), policy);
      for (const auto time : {time_start + 1min, time_start + 54min}) {
        BOOST_TEST(run.garbage_at(time).value() == segment);
        BOOST_TEST(bytes_at(run, ByteClass::expired, time) == 97 * segment);
        BOOST_TEST(bytes_at(run, ByteClass::live, time) == 0);
      }
      BOOST_TEST(run.log_start.value() == 100 * records_of_segment);
      BOOST_TEST(run.result.summary.delete_failures >= fewest_calls);
      BOOST_TEST(run.result.summary.delete_failures <= most_calls);
      BOOST_TEST(run.garbage_end().value() == 0);
    }
  }
}

// Readings 5: the walk chooses the DANGLING copy again and ends there.
BOOST_AUTO_TEST_CASE(the_kip_stalls_as_well_unless_its_walk_skips_dangling_copies) {
  const auto hour = time_start + 54min;
  const CaseRun as_any = run_case(c21(), "kip-dangling");
  BOOST_TEST(as_any.garbage_at(hour).value() == segment);
  BOOST_TEST(bytes_at(as_any, ByteClass::expired, hour) == 97 * segment);
  // The right outcome: 99 are gone, and the one that is left is told by the KIP's metric.
  const CaseRun skip = run_case(c21(), "kip-dangling:expiration=skip");
  BOOST_TEST(skip.garbage_at(hour).value() == segment);
  BOOST_TEST(bytes_at(skip, ByteClass::expired, hour) == 0);
  BOOST_TEST(bytes_at(skip, ByteClass::dangling, hour) == segment);
}

BOOST_AUTO_TEST_SUITE_END()
