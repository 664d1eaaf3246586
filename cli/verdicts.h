#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/input.h"
#include "cli/options.h"
#include "cli/worlds.h"
#include "reports/junit.h"
#include "reports/summary_markdown.h"

namespace cli {

/// The verdicts of several runs as one: the worst of each, sums, and one hash over the runs' hashes in their order.
class Tally {
 public:
  void add(const WorldDone& done);
  int exit_code() const { return exit_code_; }
  std::string_view verdict() const { return to_string(verdict_); }
  std::uint64_t trace_hash() const { return trace_hash_; }
  std::int64_t count() const { return count_; }
  /// Fills in what the runs decide; the verdict only when all of them are there.
  void fill(reports::Manifest& manifest, bool complete) const;

 private:
  std::int64_t count_ = 0;
  int exit_code_ = 0;
  sim::Outcome outcome_ = sim::Outcome::clean;
  sim::Verdict verdict_ = sim::Verdict::pass;
  std::uint64_t trace_hash_ = 0xcbf29ce484222325;
  std::uint64_t events_ = 0;
  std::uint64_t transitions_ = 0;
  std::int64_t world_ms_ = 0;
};

/// Whether the second run under --verify left another trace.
bool differs_from_itself(const WorldDone& done);
/// This run's part of the exit code.
int exit_code_of(const WorldDone& done);

/// What a failed run has in common with others that failed the same way: the invariants that it should not have broken.
std::string signature(const WorldDone& done);
/// Nothing when the run is as the scenario expects it. Without the last events, which cost another run.
std::optional<reports::Failure> failure_of(const Options& options, const WorldDone& done);
/// The record up to which the last events tell most: the first violation that nobody expects, else the end of the
/// world.
std::uint64_t telling_event(const WorldDone& done);

/// What broke, when and whose, in one line.
std::string describe(const sim::Violation& violation);
/// One run in words: verdict, outcome and trace hash; then what it broke, and how to see it again.
std::string describe_run(const Options& options, const WorldDone& done);

/// The files for CI, from the start of a command to its end.
class Publication {
 public:
  /// JUnit with every policy unfinished, unless no file is asked for.
  static model::Result<Publication, std::string> start(const Options& options, const Input& input);

  /// One policy's verdict; `error`: the harness could not tell.
  void complete(const std::string& policy, std::vector<reports::Failure> failures, const std::string& error = {});
  /// Markdown to --summary and GITHUB_STEP_SUMMARY, and GitHub's marks. The first problem of all files, if there is
  /// one.
  std::optional<std::string> finish(Console& console, std::string_view heading, std::string_view sentence,
                                    std::span<const reports::RunOverview> runs, std::string_view verdict,
                                    std::string text = {});

 private:
  Publication() = default;
  std::optional<reports::JUnitReport> junit_;
  std::string summary_path_;
  std::vector<reports::Failure> failures_;
  std::optional<std::string> problem_;
};

}  // namespace cli
