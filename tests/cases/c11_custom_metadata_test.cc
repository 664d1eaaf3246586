// Case C11 (apache/kafka PR 13984, KIP-917) with the values worked by hand in readings 5: from the third segment on the
// plug-in returns too much custom metadata, while deletes fail for five minutes (F23).
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::time_start;

/// Uploads begin at 50 ms, 150 ms, 250 ms.
CaseWorld c11(std::string_view from) {
  CaseWorld world;
  world.topic = "initial.closed = 5\n";
  world.duration = "20m";
  world.faults = std::string{from} + ",10m,oversized-custom-metadata,store,\n0s,5m,delete-fail,store,\n";
  return world;
}
constexpr std::string_view third = "200ms";
constexpr std::string_view first = "0s";

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c11)

BOOST_AUTO_TEST_CASE(exactly_one_upload_is_rolled_back_and_the_task_stops) {
  for (const auto& [policy, states] :
       {std::pair{"kafka-3.6", "CS CF | CS CF | CS"}, std::pair{"kafka-3.9", "CS CF | CS CF | CS"},
        std::pair{"kafka-4.0", "CS CF | CS CF | CS DS"}, std::pair{"kip-dangling", "CS CF | CS CF | CS DANGLING"}}) {
    BOOST_TEST_CONTEXT(policy) {
      const CaseRun run = run_case(c11(third), policy);
      BOOST_TEST(run.states == states);
      BOOST_TEST(run.result.summary.copy_attempts == 3);
      BOOST_TEST(run.garbage_end().value() == (100_MiB).value());
    }
  }
}

// The case's "P2 retries" holds only where nothing retained comes before.
BOOST_AUTO_TEST_CASE(kafka_4_0_retries_the_delete_when_it_is_the_first_segment) {
  const CaseRun run = run_case(c11(first), "kafka-4.0");
  BOOST_TEST(run.states.starts_with("CS DS DS"));
  BOOST_TEST(run.states.ends_with("DS DF"));
  BOOST_TEST(run.garbage_at(time_start + 5min).value() == (100_MiB).value());
  BOOST_TEST(run.garbage_at(time_start + 5min + 16s).value() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
