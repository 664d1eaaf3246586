// Cases C34 and C46 (apache/pulsar PR 17512; apache/iceberg PR 3717 and others): what can become of the record that
// says that a copy is finished, and what its writer makes of it. Refused outright:
// tests/conformance/copy-publish-finish-refused.
#include <boost/test/unit_test.hpp>

#include "model/policy.h"
#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;

constexpr std::int64_t segment = (100_MiB).value();

/// The records of the first ten seconds. Two hours are enough for whoever comes back to it, and local copies go after a
/// minute.
CaseWorld c46(std::string_view kind, std::string_view params) {
  CaseWorld world;
  world.topic = "initial.closed = 1\nlocal.retention.ms = 60000\n";
  world.broker += "log.retention.check.interval.ms = 10000\nlog.initial.task.delay.ms = 0\n";
  world.faults = "0s,10s," + std::string{kind} + ",metadata," + std::string{params} + "state=COPY_SEGMENT_FINISHED\n";
  world.duration = "2h";
  return world;
}

void check_safe(const CaseRun& run) {
  BOOST_TEST(run.result.summary.over_deleted_bytes.value() == 0);
  for (const sim::Violation& violation : run.result.violations) {
    BOOST_TEST(violation.invariant == "garbage-zero", violation.invariant);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c46)

// Stored, unheard or too late: in doubt is no failure. Nothing is deleted; the range is copied again, and the first
// copy is superseded: paid for until retention, and no garbage.
BOOST_AUTO_TEST_CASE(a_stored_record_that_its_writer_gave_up_costs_a_second_copy) {
  for (const auto& [kind, params] : {std::pair{"metadata-ack-lost", ""}, std::pair{"metadata-late", "delay=130s;"}}) {
    for (const model::PolicyEntry& policy : model::policies()) {
      const bool is_taken_over = policy.name == "kip-dangling-recovery" && kind == std::string_view{"metadata-late"};
      if (is_taken_over) continue;
      BOOST_TEST_CONTEXT(kind << " " << policy.name) {
        const CaseRun run = run_case(c46(kind, params), policy.name);
        check_safe(run);
        BOOST_TEST(run.states == "CS CF | CS CF");
        BOOST_TEST(run.result.summary.delete_attempts == 0);
        BOOST_TEST(run.garbage_end().value() == 0);
        BOOST_TEST(run.curve.back().rows.front().totals.stored().value() == 2 * segment);
      }
    }
  }
}

// Ten seconds before the record comes recovery has taken the copy for left: its DANGLING stands when the record does,
// which is dropped, and readers never knew of the copy.
BOOST_AUTO_TEST_CASE(recovery_takes_over_before_a_record_that_is_too_late) {
  const CaseRun run = run_case(c46("metadata-late", "delay=130s;"), "kip-dangling-recovery");
  check_safe(run);
  BOOST_TEST(run.states == "CS DANGLING DS DANGLING DS DF | CS CF");
  BOOST_TEST(run.garbage_end().value() == 0);
  BOOST_TEST(run.curve.back().rows.front().totals.stored().value() == segment);
}

BOOST_AUTO_TEST_CASE(a_record_that_comes_while_its_writer_waits_costs_nothing) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      const CaseRun run = run_case(c46("metadata-late", "delay=90s;"), policy.name);
      check_safe(run);
      BOOST_TEST(run.states == "CS CF");
      BOOST_TEST(run.garbage_end().value() == 0);
    }
  }
}

// Never stored: the price of not deleting is a whole copy, until retention or whoever checks later.
BOOST_AUTO_TEST_CASE(a_lost_record_leaves_a_copy_that_only_a_later_check_takes) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      const CaseRun run = run_case(c46("metadata-publish-lost", ""), policy.name);
      check_safe(run);
      const bool checks_later = policy.name == "kip-dangling-recovery";
      BOOST_TEST(run.result.summary.peak_garbage_bytes.value() == segment);
      BOOST_TEST(run.garbage_end().value() == (checks_later ? 0 : segment));
      BOOST_TEST(run.result.summary.garbage_bytes_never.value() == 0);
      BOOST_TEST(run.states.ends_with("| CS CF"));
      BOOST_REQUIRE(run.result.leftovers.size() == 1u);
      BOOST_TEST(run.result.leftovers[0].fault.value() == 0u);
      BOOST_TEST((run.result.leftovers[0].step == sim::TaskStep::copy_publish_finished));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
