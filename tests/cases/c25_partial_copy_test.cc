// Case C25 (Aiven-Open/tiered-storage-for-apache-kafka issue 590) with the values worked by hand in readings 5: the
// first copy fails at its first, second or third object; then the plug-in cleans up, and then the broker does.
#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::Bytes;
using sim::time_start;

struct Step {
  std::string_view object;
  /// What the failure leaves before anybody cleans up.
  Bytes left;
};
constexpr Step steps[] = {{"log", 0_MiB}, {"indexes", 100_MiB}, {"producer-snapshot", 101_MiB}};

/// Deletes take a second to be answered and are refused when sent before `deletes_refused_until`: the plug-in's own is
/// sent at 50 ms, the broker's when that has been answered.
CaseWorld c25(const Step& step, std::string_view deletes_refused_until, std::string_view topic = "") {
  CaseWorld world;
  world.topic = std::string{topic} + "initial.closed = 1\n";
  world.store = "latency = 0\ndelete.latency = 1s\nbandwidth = 0\n";
  world.client =
      "attempts = 1\ncleanup = yes\nindexes.bytes = 1MiB\nproducer.snapshot.bytes = 2KiB\n"
      "leader.epoch.checkpoint.bytes = 0\n";
  world.faults = "0s,5s,copy-fail,store,probability=1;stored=" + std::string{step.object} + "\n";
  if (!deletes_refused_until.empty()) {
    world.faults += "0s," + std::string{deletes_refused_until} + ",store-unavailable,store,operations=delete\n";
  }
  return world;
}

constexpr std::string_view plug_in_works = "";
constexpr std::string_view broker_works = "500ms";
constexpr std::string_view both_fail_once = "2s";
constexpr std::string_view behind_one = "initial.finished = 1\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c25)

BOOST_AUTO_TEST_CASE(nothing_is_left_when_the_plug_in_cleans_up) {
  for (const Step& step : steps) {
    BOOST_TEST_CONTEXT(step.object) {
      BOOST_TEST(run_case(c25(step, plug_in_works), "kafka-3.6").states == "CS | CS CF");
      BOOST_TEST(run_case(c25(step, plug_in_works), "kafka-3.9").states == "CS | CS CF");
      BOOST_TEST(run_case(c25(step, plug_in_works), "kafka-4.0").states == "CS DS DF | CS CF");
      BOOST_TEST(run_case(c25(step, plug_in_works), always).states == "CS DANGLING DS DF | CS CF");
      BOOST_TEST(run_case(c25(step, plug_in_works), after_success).states == "CS DANGLING DS DF | CS CF");
      for (const std::string_view policy : {std::string_view{"kafka-3.6"}, std::string_view{"kafka-3.9"},
                                            std::string_view{"kafka-4.0"}, always, after_success}) {
        const CaseRun run = run_case(c25(step, plug_in_works), policy);
        BOOST_TEST(run.garbage_at(time_start + 10s).value() == 0);
        const bool is_a_ghost = policy == "kafka-3.6" || policy == "kafka-3.9";
        BOOST_TEST(run.result.summary.ghosts_end == (is_a_ghost ? 1 : 0));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_broker_cleans_up_what_the_plug_in_could_not_except_in_3_6) {
  for (const Step& step : steps) {
    BOOST_TEST_CONTEXT(step.object) {
      BOOST_TEST(run_case(c25(step, broker_works), "kafka-3.6").garbage_end().value() == step.left.value());
      for (const std::string_view policy : {std::string_view{"kafka-3.9"}, std::string_view{"kafka-4.0"}, always}) {
        const CaseRun run = run_case(c25(step, broker_works), policy);
        BOOST_TEST(run.result.summary.peak_garbage_bytes.value() == step.left.value());
        BOOST_TEST(run.garbage_at(time_start + 8s).value() == 0);
      }
      const CaseRun waits = run_case(c25(step, broker_works), after_success);
      BOOST_TEST(waits.garbage_at(time_start + 29s).value() == step.left.value());
      BOOST_TEST(waits.garbage_end().value() == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(when_both_fail_once_3_6_and_3_9_keep_the_bytes_until_retention) {
  for (const Step& step : steps) {
    for (const std::string_view policy : {"kafka-3.6", "kafka-3.9"}) {
      BOOST_TEST(run_case(c25(step, both_fail_once), policy).garbage_end().value() == step.left.value());
    }
  }
}

BOOST_AUTO_TEST_CASE(when_both_fail_once_kafka_4_0_depends_on_what_stands_before) {
  for (const Step& step : steps) {
    const CaseRun first = run_case(c25(step, both_fail_once), "kafka-4.0");
    BOOST_TEST(first.garbage_at(time_start + 14s).value() == step.left.value());
    BOOST_TEST(first.garbage_at(time_start + 25s).value() == 0);
    const CaseRun behind = run_case(c25(step, both_fail_once, behind_one), "kafka-4.0");
    BOOST_TEST(behind.garbage_end().value() == step.left.value());
  }
}

BOOST_AUTO_TEST_CASE(when_both_fail_once_kip_dangling_is_clean_after_the_next_copy_run) {
  for (const Step& step : steps) {
    for (const std::string_view policy : {always, after_success}) {
      for (const std::string_view topic : {std::string_view{}, behind_one}) {
        const CaseRun run = run_case(c25(step, both_fail_once, topic), policy);
        BOOST_TEST(run.garbage_at(time_start + 29s).value() == step.left.value());
        BOOST_TEST(run.garbage_at(time_start + 40s).value() == 0);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
