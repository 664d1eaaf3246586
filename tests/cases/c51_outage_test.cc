// Case C51 (AWS, 2017-02-28) as the catalogue has it, with what readings 5 argues for each policy.
#include <vector>

#include <boost/test/unit_test.hpp>

#include "sim/faults/faults.h"
#include "sim/run_result.h"

namespace {

using namespace sim;
using namespace std::chrono_literals;

/// The whole garbage at each point of the curve.
class Garbage final : public RunListener {
 public:
  void curve(const CurvePoint& point) override { points_.push_back({point.time, point.rows.front().totals.garbage()}); }
  Bytes at(SimTime time) const {
    Bytes last;
    for (const auto& [when, bytes] : points_) {
      if (when <= time) last = bytes;
    }
    return last;
  }

 private:
  std::vector<std::pair<SimTime, Bytes>> points_;
};

struct Outage {
  RunResult result;
  Garbage garbage;
};

Outage run_outage(std::string_view name, std::string_view policy) {
  const auto scenario =
      read_scenario({std::string{FLOTSAM_SOURCE_DIR "/scenarios/"} + std::string{name} + ".ini", {}}, fault_kinds());
  BOOST_REQUIRE(scenario.has_value());
  const auto choice = read_policy_choice(policy, *scenario);
  BOOST_REQUIRE(choice.has_value());
  Outage outage;
  outage.result = run_world(*scenario, *choice, 1, &outage.garbage);
  return outage;
}

// The plan's instants.
constexpr SimTime outage_begun = time_start + 2h + 50s;
constexpr SimTime deletes_half_work = time_start + 4h + 49min + 50s;
constexpr SimTime deletes_work = time_start + 5h + 41min + 50s;
constexpr SimTime puts_work = time_start + 6h + 17min + 50s;
constexpr SimTime retention_comes = time_start + 27h;

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c51, *boost::unit_test::label("slow"))

BOOST_AUTO_TEST_CASE(kafka_keeps_what_was_left_until_retention_whether_deletes_work_or_not) {
  for (const std::string_view policy : {"kafka-3.6", "kafka-3.9", "kafka-4.0"}) {
    BOOST_TEST_CONTEXT(policy) {
      const Outage outage = run_outage("s3-outage-4h", policy);
      const Bytes left = outage.garbage.at(outage_begun + 10min);
      BOOST_TEST(left.value() > 0);
      BOOST_TEST(outage.garbage.at(deletes_work).value() == left.value());
      BOOST_TEST(outage.garbage.at(puts_work + 2h).value() == left.value());
      BOOST_TEST(outage.garbage.at(retention_comes).value() == 0);
      BOOST_TEST((outage.result.summary.verdict == Verdict::pass));
    }
  }
}

BOOST_AUTO_TEST_CASE(kip_dangling_falls_when_deletes_return_and_is_clean_before_puts_do) {
  const Outage outage = run_outage("s3-outage-4h", "kip-dangling");
  const Bytes left = outage.garbage.at(deletes_half_work);
  BOOST_TEST(left.value() > 0);
  BOOST_TEST(outage.garbage.at(deletes_half_work + 5min).value() < left.value());
  BOOST_TEST(outage.garbage.at(deletes_work + 1min).value() == 0);
  BOOST_TEST((outage.result.summary.reclaim == Duration{0}));
  BOOST_TEST((outage.result.summary.verdict == Verdict::pass));
}

BOOST_AUTO_TEST_CASE(a_sweep_after_success_alone_keeps_it_until_puts_return) {
  const Outage outage = run_outage("s3-outage-4h", "kip-dangling:sweep=after-success");
  BOOST_TEST(outage.garbage.at(puts_work).value() > 0);
  BOOST_TEST(outage.garbage.at(puts_work + 2h).value() == 0);
}

BOOST_AUTO_TEST_CASE(the_sweep_is_quadratic_and_kafka_4_0_linear) {
  const Outage kip = run_outage("s3-outage-4h", "kip-dangling");
  const Outage kafka = run_outage("s3-outage-4h", "kafka-4.0");
  // Run k of a partition sweeps k copies: some 300 runs in the outage make tens of thousands of deletes a partition.
  BOOST_TEST(kip.result.summary.delete_failures > 12 * 20'000);
  // Kafka's clean-up is one delete and two records an attempt, and its retention one a segment.
  BOOST_TEST(kafka.result.summary.delete_failures <= kafka.result.summary.copy_failures + 12);
}

// No retry storm: six copies a run at most, whatever waits; and all of it gone when puts return.
BOOST_AUTO_TEST_CASE(recovery_is_bounded_in_each_run_and_still_clean_in_time) {
  const Outage outage = run_outage("s3-outage-4h", "kip-dangling-recovery");
  const std::int64_t runs = 12 * ((puts_work - outage_begun) / 30s + 20 + 10);
  BOOST_TEST(outage.result.summary.delete_failures > 12 * 1'000);
  BOOST_TEST(outage.result.summary.delete_failures <= 6 * runs);
  const Bytes left = outage.garbage.at(deletes_half_work);
  BOOST_TEST(left.value() > 0);
  BOOST_TEST(outage.garbage.at(deletes_work).value() < left.value());
  BOOST_TEST(outage.garbage.at(puts_work + 5min).value() == 0);
  BOOST_TEST((outage.result.summary.verdict == Verdict::pass));
}

BOOST_AUTO_TEST_CASE(under_unlimited_retention_kafka_never_reclaims) {
  for (const std::string_view policy : {"kafka-3.6", "kafka-3.9", "kafka-4.0"}) {
    BOOST_TEST_CONTEXT(policy) {
      const Outage outage = run_outage("s3-outage-unlimited", policy);
      BOOST_TEST(outage.result.summary.garbage_bytes_end.value() > 0);
      BOOST_TEST(outage.result.summary.garbage_bytes_never.value() == outage.result.summary.garbage_bytes_end.value());
      BOOST_TEST((outage.result.summary.verdict == Verdict::pass));
    }
  }
  BOOST_TEST(run_outage("s3-outage-unlimited", "kip-dangling").result.summary.garbage_bytes_end.value() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
