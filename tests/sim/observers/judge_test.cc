// Outcome, verdict and exit code: what happened, held against what the scenario expects.
#include "sim/observers/judge.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "tests/support/printing.h"

namespace tests {
namespace {

using namespace model::literals;
using namespace std::chrono_literals;
using sim::Expectation;
using sim::Outcome;
using sim::RunResult;
using sim::Verdict;

constexpr std::string_view loss = "nothing-live-deleted";
constexpr std::string_view leak = "garbage-zero";

struct Judged {
  explicit Judged(Expectation expectation = {}) {
    scenario.expectations["kip-dangling"] = std::move(expectation);
    policy.label = policy.name = "kip-dangling";
  }
  Judged& broke(std::string_view invariant) {
    result.violations.push_back({model::time_start, invariant, "orders", "detail", 1});
    return *this;
  }
  RunResult& judge() {
    sim::judge(scenario, policy, result);
    return result;
  }
  sim::Scenario scenario;
  sim::PolicyChoice policy;
  RunResult result;
};

Expectation must(std::vector<std::string> names) {
  return {.must_break = std::move(names), .may_break = {}, .asserts = {}};
}
Expectation may(std::vector<std::string> names) {
  return {.must_break = {}, .may_break = std::move(names), .asserts = {}};
}
Expectation asserts(std::vector<std::string> texts) {
  return {.must_break = {}, .may_break = {}, .asserts = std::move(texts)};
}

bool holds(const std::string& text, const sim::Summary& summary) {
  Judged judged{asserts({text})};
  judged.result.summary = summary;
  return judged.judge().exit_code == 0;
}

BOOST_AUTO_TEST_SUITE(judge)

BOOST_AUTO_TEST_CASE(nothing_broken_and_nothing_expected_passes) {
  Judged judged;
  const RunResult& result = judged.judge();
  BOOST_TEST(result.summary.outcome == Outcome::clean);
  BOOST_TEST(result.summary.verdict == Verdict::pass);
  BOOST_TEST(result.exit_code == 0);
  BOOST_TEST(result.summary.first_violation.empty());
  BOOST_TEST(result.failures.empty());
}

BOOST_AUTO_TEST_CASE(an_unexpected_loss_fails_with_1) {
  Judged judged;
  const RunResult& result = judged.broke(loss).judge();
  BOOST_TEST(result.summary.outcome == Outcome::loss);
  BOOST_TEST(result.summary.verdict == Verdict::fail);
  BOOST_TEST(result.exit_code == 1);
  BOOST_TEST(result.summary.first_violation == loss);
  BOOST_TEST(result.failures.size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_unexpected_leak_fails_with_3) {
  Judged judged;
  const RunResult& result = judged.broke(leak).judge();
  BOOST_TEST(result.summary.outcome == Outcome::leak);
  BOOST_TEST(result.summary.verdict == Verdict::fail);
  BOOST_TEST(result.exit_code == 3);
}

BOOST_AUTO_TEST_CASE(what_must_or_may_break_passes_when_it_breaks_and_keeps_its_outcome) {
  for (const Expectation& expectation : {must({"garbage-zero"}), may({"garbage-zero"})}) {
    Judged judged{expectation};
    const RunResult& result = judged.broke(leak).judge();
    BOOST_TEST(result.summary.outcome == Outcome::leak);
    BOOST_TEST(result.summary.verdict == Verdict::pass);
    BOOST_TEST(result.exit_code == 0);
    BOOST_TEST(result.expected == std::vector<bool>{true});
  }
}

BOOST_AUTO_TEST_CASE(an_expected_loss_passes) {
  Judged judged{must({"nothing-live-deleted"})};
  BOOST_TEST(judged.broke(loss).judge().exit_code == 0);
  BOOST_TEST(judged.result.summary.outcome == Outcome::loss);
}

BOOST_AUTO_TEST_CASE(what_must_break_and_holds_fails_with_3) {
  Judged judged{must({"garbage-zero"})};
  BOOST_TEST(judged.judge().exit_code == 3);
  BOOST_TEST(judged.result.summary.outcome == Outcome::clean);
  BOOST_TEST(judged.result.summary.verdict == Verdict::fail);
}

BOOST_AUTO_TEST_CASE(what_may_break_may_hold) {
  Judged judged{may({"garbage-zero"})};
  BOOST_TEST(judged.judge().exit_code == 0);
}

BOOST_AUTO_TEST_CASE(the_worst_decides_in_any_order) {
  for (const auto& order : {std::pair{loss, leak}, std::pair{leak, loss}}) {
    Judged judged;
    const RunResult& result = judged.broke(order.first).broke(order.second).judge();
    BOOST_TEST(result.exit_code == 1);
    BOOST_TEST(result.summary.outcome == Outcome::loss);
    BOOST_TEST(result.summary.first_violation == order.first);
  }
}

BOOST_AUTO_TEST_CASE(a_missing_break_does_not_hide_an_unexpected_loss) {
  Judged judged{must({"garbage-zero"})};
  BOOST_TEST(judged.broke(loss).judge().exit_code == 1);
  BOOST_TEST(judged.result.failures.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_failed_assert_fails_with_1_whatever_else_is_wrong) {
  Judged clean{asserts({"garbage_bytes_end == 1"})};
  BOOST_TEST(clean.judge().exit_code == 1);
  BOOST_TEST(clean.result.summary.outcome == Outcome::clean);
  Judged leaking{asserts({"garbage_bytes_end == 1"})};
  BOOST_TEST(leaking.broke(leak).judge().exit_code == 1);
}

BOOST_AUTO_TEST_CASE(an_assert_that_holds_does_not_excuse_a_leak) {
  Judged judged{asserts({"garbage_bytes_end == 0"})};
  BOOST_TEST(judged.broke(leak).judge().exit_code == 3);
}

BOOST_AUTO_TEST_CASE(in_a_changed_scenario_must_break_is_may_break_and_asserts_are_not_judged) {
  Expectation expectation = must({"garbage-zero"});
  expectation.asserts = {"garbage_bytes_end == 1"};
  Judged judged{expectation};
  judged.scenario.changed = true;
  BOOST_TEST(judged.judge().exit_code == 0);
  BOOST_TEST(judged.broke(leak).judge().exit_code == 0);
  BOOST_TEST(judged.broke(loss).judge().exit_code == 1);
}

BOOST_AUTO_TEST_CASE(a_variant_has_its_own_section_or_else_its_policys) {
  Judged judged{may({"garbage-zero"})};
  judged.policy.label = "kip-dangling:sweep=after-success";
  BOOST_TEST(judged.broke(leak).judge().exit_code == 0);
  judged.scenario.expectations["kip-dangling:sweep=after-success"] = {};
  BOOST_TEST(judged.judge().exit_code == 3);
}

BOOST_AUTO_TEST_CASE(another_policys_section_does_not_count) {
  Judged judged{may({"garbage-zero"})};
  judged.policy.label = judged.policy.name = "kafka-4.0";
  BOOST_TEST(judged.broke(leak).judge().exit_code == 3);
}

BOOST_AUTO_TEST_CASE(judging_twice_gives_the_same) {
  Judged judged;
  judged.broke(leak).judge();
  judged.judge();
  BOOST_TEST(judged.result.failures.size() == 1U);
  BOOST_TEST(judged.result.expected.size() == 1U);
}

BOOST_AUTO_TEST_CASE(each_comparison_compares) {
  sim::Summary summary;
  summary.copy_attempts = 5;
  for (const char* text : {"copy_attempts == 5", "copy_attempts != 4", "copy_attempts < 6", "copy_attempts <= 5",
                           "copy_attempts > 4", "copy_attempts >= 5", "copy_attempts==5"}) {
    BOOST_TEST(holds(text, summary), text);
  }
  for (const char* text : {"copy_attempts == 4", "copy_attempts != 5", "copy_attempts < 5", "copy_attempts <= 4",
                           "copy_attempts > 5", "copy_attempts >= 6"}) {
    BOOST_TEST(!holds(text, summary), text);
  }
}

BOOST_AUTO_TEST_CASE(values_carry_the_units_of_their_column) {
  sim::Summary summary;
  summary.peak_garbage_bytes = 100_MiB;
  summary.reclaim = 90s;
  summary.last_due = model::SimTime{24h};
  summary.garbage_byte_time = static_cast<unsigned __int128>((2_GiB).value()) * 3'600'000'000U;
  summary.cost_micro_usd = 2'000'000;
  summary.over_deleted_bytes = 500_MiB;
  for (const char* text :
       {"peak_garbage_bytes == 100MiB", "peak_garbage_bytes == 104857600", "reclaim_ms == 90s", "reclaim_ms == 90000",
        "last_due_ms == 24h", "garbage_byte_hours == 2GiB", "cost_usd == 2", "over_deleted_bytes == 500MiB"}) {
    BOOST_TEST(holds(text, summary), text);
  }
}

BOOST_AUTO_TEST_CASE(an_empty_column_fails_every_assert) {
  for (const char* text : {"reclaim_ms == 0", "reclaim_ms != 0", "reclaim_ms < 1h", "last_due_ms >= 0"}) {
    BOOST_TEST(!holds(text, {}), text);
  }
}

BOOST_AUTO_TEST_CASE(a_failed_assert_says_what_the_column_holds) {
  Judged judged{asserts({"reclaim_ms < 1h"})};
  judged.result.summary.reclaim = 2h;
  BOOST_TEST(judged.judge().failures.front() == "assert `reclaim_ms < 1h` failed: it is 7200000");
}

BOOST_AUTO_TEST_CASE(expectations_are_checked_before_a_run) {
  sim::Scenario scenario;
  Expectation& expectation = scenario.expectations["kafka-4.0"];
  expectation.must_break = {"garbage-zero", "garbage-zer"};
  expectation.asserts = {"garbage_bytes_end == 0", "garbage_byte_end == 0", "reclaim_ms",
                         "reclaim_ms = 3",         "ghosts_end == 3MiB",    "outcome == leak"};
  const auto errors = sim::check_expectations(scenario);
  BOOST_TEST(errors.size() == 6U);
  BOOST_TEST(errors[0].find("garbage-zero") != std::string::npos);
  BOOST_TEST(errors[1].find("garbage_bytes_end") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_columns_that_can_be_compared_are_listed) {
  const auto columns = sim::assert_columns();
  BOOST_TEST(columns.size() == 24U);
  BOOST_TEST((std::find(columns.begin(), columns.end(), "over_deleted_bytes") != columns.end()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
