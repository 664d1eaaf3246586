#include "cli/verdicts.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "cli/commands.h"
#include "reports/human.h"
#include "reports/reproduce.h"

namespace cli {

using model::Failed;
using model::Result;

namespace {

std::string reproduce(const Options& options, const WorldDone& done) {
  reports::Reproduction reproduction;
  reproduction.scenario = options.arguments.front();
  if (options.command == "replay") {
    reproduction.command = options.command;
    if (differs_from_itself(done)) reproduction.options = {"--verify"};
    return reports::reproduce_command(reproduction);
  }
  reproduction.policies = {done.result.policy_label};
  reproduction.seed = done.result.summary.seed;
  reproduction.sets = options.sets;
  for (const std::string& file : options.configs.broker)
    reproduction.options.insert(reproduction.options.end(), {"--broker-config", file});
  for (const std::string& file : options.configs.topic)
    reproduction.options.insert(reproduction.options.end(), {"--topic-config", file});
  if (differs_from_itself(done)) reproduction.options.emplace_back("--verify");
  return reports::reproduce_command(reproduction);
}

/// The invariants that broke, each once, in the order of their first break.
std::vector<std::string_view> broken(const sim::RunResult& result, bool expected) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < result.violations.size(); ++i) {
    const std::string_view name = result.violations[i].invariant;
    if (result.expected[i] == expected && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

std::string describe_violations(const sim::RunResult& result) {
  std::string text;
  for (const std::string_view name : broken(result, false)) {
    const sim::Violation* first = nullptr;
    std::size_t count = 0;
    for (std::size_t i = 0; i < result.violations.size(); ++i) {
      if (result.expected[i] || result.violations[i].invariant != name) continue;
      if (first == nullptr) first = &result.violations[i];
      ++count;
    }
    text += fmt::format("  unexpected: {}{}\n", describe(*first),
                        count == 1 ? "" : fmt::format(" (and {} more)", count - 1));
  }
  const auto expected = std::count(result.expected.begin(), result.expected.end(), true);
  if (expected > 0) {
    text += fmt::format("  expected: {} violation{} of {}\n", expected, expected == 1 ? "" : "s",
                        fmt::join(broken(result, true), ", "));
  }
  return text;
}

/// From the best to the worst.
int severity(sim::Verdict verdict) {
  switch (verdict) {
    case sim::Verdict::pass:
      return 0;
    case sim::Verdict::unknown:
      return 1;
    case sim::Verdict::fail:
      return 2;
    case sim::Verdict::error:
      return 3;
  }
  return 3;
}
int severity(sim::Outcome outcome) {
  switch (outcome) {
    case sim::Outcome::clean:
      return 0;
    case sim::Outcome::unknown:
      return 1;
    case sim::Outcome::leak:
      return 2;
    case sim::Outcome::loss:
      return 3;
  }
  return 3;
}

sim::Verdict verdict_of(const WorldDone& done) {
  return differs_from_itself(done) ? sim::Verdict::error : done.result.summary.verdict;
}

}  // namespace

bool differs_from_itself(const WorldDone& done) {
  return done.second_hash && *done.second_hash != done.result.summary.trace_hash;
}

int exit_code_of(const WorldDone& done) {
  return worst_exit_code(done.result.exit_code, differs_from_itself(done) ? exit_not_deterministic : exit_ok);
}

void Tally::add(const WorldDone& done) {
  const sim::Summary& summary = done.result.summary;
  ++count_;
  exit_code_ = worst_exit_code(exit_code_, exit_code_of(done));
  if (severity(summary.outcome) > severity(outcome_)) outcome_ = summary.outcome;
  if (severity(verdict_of(done)) > severity(verdict_)) verdict_ = verdict_of(done);
  trace_hash_ = (trace_hash_ ^ summary.trace_hash) * 0x100000001b3;
  events_ += summary.events;
  transitions_ += summary.transitions;
  world_ms_ += model::to_milliseconds(done.result.world_end);
}

void Tally::fill(reports::Manifest& manifest, bool complete) const {
  manifest.trace_hash = reports::hash_text(trace_hash_);
  manifest.events = events_;
  manifest.transitions = transitions_;
  manifest.world_ms = world_ms_;
  manifest.outcome = to_string(outcome_);
  manifest.verdict = complete ? verdict() : reports::unfinished;
}

std::string signature(const WorldDone& done) {
  std::vector<std::string_view> names = broken(done.result, false);
  std::sort(names.begin(), names.end());
  if (differs_from_itself(done)) names.insert(names.begin(), "not-deterministic");
  return names.empty() ? "expectation" : fmt::format("{}", fmt::join(names, "+"));
}

std::optional<reports::Failure> failure_of(const Options& options, const WorldDone& done) {
  const sim::RunResult& result = done.result;
  if (verdict_of(done) == sim::Verdict::pass) return std::nullopt;
  std::vector<std::string> reasons = result.failures;
  if (differs_from_itself(done)) {
    reasons.insert(reasons.begin(),
                   fmt::format("the same seed gave two traces, {} and {}",
                               reports::hash_text(result.summary.trace_hash), reports::hash_text(*done.second_hash)));
  }
  reports::Failure failure;
  failure.message =
      fmt::format("{}: {}", result.policy_label,
                  reasons.empty() ? to_string(result.summary.verdict) : fmt::format("{}", fmt::join(reasons, "; ")));
  failure.type = signature(done);
  failure.seed = result.summary.seed;
  failure.reproduce = reproduce(options, done);
  return failure;
}

std::string describe(const sim::Violation& violation) {
  std::string text =
      fmt::format("{} at {}", violation.invariant, reports::human_duration(violation.time.time_since_epoch()));
  if (!violation.subject.empty()) text += fmt::format(": {}", violation.subject);
  if (!violation.detail.empty()) text += fmt::format(": {}", violation.detail);
  return text;
}

std::uint64_t telling_event(const WorldDone& done) {
  const sim::RunResult& result = done.result;
  for (std::size_t i = 0; i < result.violations.size(); ++i) {
    if (!result.expected[i]) return result.violations[i].event;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

std::string describe_run(const Options& options, const WorldDone& done) {
  const sim::RunResult& result = done.result;
  const std::string hash = reports::hash_text(result.summary.trace_hash);
  std::string verified;
  if (differs_from_itself(done)) {
    verified =
        fmt::format(", but {} when run again: the same seed gave two traces", reports::hash_text(*done.second_hash));
  } else if (done.second_hash) {
    verified = ", the same twice";
  }
  std::string text = fmt::format("{}: {} ({}), trace_hash {}{}\n", result.policy_label, to_string(verdict_of(done)),
                                 to_string(result.summary.outcome), hash, verified);
  text += describe_violations(result);
  if (const auto failure = failure_of(options, done)) {
    for (const std::string& reason : result.failures) {
      // What broke unexpectedly stands above, with its time.
      if (reason.rfind("unexpected ", 0) != 0) text += fmt::format("  why: {}\n", reason);
    }
    text += fmt::format("  again: {}\n", failure->reproduce);
  }
  return text;
}

Result<Publication, std::string> Publication::start(const Options& options, const Input& input) {
  Publication publication;
  publication.summary_path_ = options.summary;
  if (options.junit.empty()) return publication;
  std::vector<std::string> cases;
  for (const sim::PolicyChoice& policy : input.policies) cases.push_back(policy.label);
  auto junit = reports::JUnitReport::start(options.junit, input.scenario.name, std::move(cases));
  if (!junit) return Failed{junit.error()};
  publication.junit_ = std::move(*junit);
  return publication;
}

void Publication::complete(const std::string& policy, std::vector<reports::Failure> failures,
                           const std::string& error) {
  failures_.insert(failures_.end(), failures.begin(), failures.end());
  if (!junit_) return;
  const auto written =
      error.empty() ? junit_->complete(policy, std::move(failures)) : junit_->complete_with_error(policy, error);
  if (!written && !problem_) problem_ = written.error();
}

std::optional<std::string> Publication::finish(Console& console, std::string_view heading, std::string_view sentence,
                                               std::span<const reports::RunOverview> runs, std::string_view verdict,
                                               std::string text) {
  reports::MarkdownSection section;
  section.heading = heading;
  section.sentence = sentence;
  section.runs = runs;
  section.failures = failures_;
  section.verdict = verdict;
  section.text = std::move(text);
  if (!summary_path_.empty()) {
    const auto written = reports::replace_file(summary_path_, reports::summary_markdown(section));
    if (!written && !problem_) problem_ = written.error();
  }
  if (const std::string path{console.variable("GITHUB_STEP_SUMMARY")}; !path.empty()) {
    // The job's page is a courtesy: without it the result is still whole.
    if (const auto added = reports::append_step_summary(path, section); !added) console.note(added.error());
  }
  if (console.github_actions()) console.print(reports::github_errors(failures_));
  return problem_;
}

}  // namespace cli
