// Case C12 (apache/kafka PR 15820 and 16502, KAFKA-16853): forty partitions behind a copy quota that a fifth of their
// load fills, while other copies of them become due. Variant a, one pool for both, is no version's: 3.8 has the quota
// and the one pool, 3.6 no quota and 3.9 two pools. What the KIP puts on the copy task is quota-starvation's.
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::time_start;

/// Each partition has a copy that is due after a minute and ten segments that wait for the quota.
CaseWorld c12() {
  CaseWorld world;
  world.partitions = 40;
  world.broker += "remote.log.manager.copy.max.bytes.per.second = 10MB/s\n";
  world.topic = "retention.ms = 3600000\ninitial.finished = 1\ninitial.age = 59m\ninitial.closed = 10\n";
  return world;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c12)

BOOST_AUTO_TEST_CASE(deletions_do_not_wait_for_the_copies_quota) {
  for (const std::string_view policy :
       {std::string_view{"kafka-3.9"}, std::string_view{"kafka-4.0"}, std::string_view{"kafka-4.3"}, always,
        std::string_view{"kip-dangling-recovery"}}) {
    BOOST_TEST_CONTEXT(policy) {
      const CaseRun run = run_case(c12(), policy);
      const auto expired = [&](sim::SimTime time) {
        sim::Bytes bytes;
        for (const sim::CurvePoint& point : run.curve) {
          if (point.time <= time) bytes = point.rows.front().totals.of(sim::ByteClass::expired);
        }
        return bytes;
      };
      BOOST_TEST(expired(time_start + 61s).value() >= (40 * 100_MiB).value());
      // Within one interval of the expiration task, but for what the quota has let pass meanwhile.
      BOOST_TEST(expired(time_start + 91s).value() <= (6 * 100_MiB).value());
      // 600 s of 10 MB, and what the threads that look at one instant take beyond it.
      BOOST_TEST(run.result.summary.put_bytes.value() < 6'000'000'000 + (10 * 100_MiB).value());
      BOOST_TEST(run.result.summary.copy_attempts < 40 * 10);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
