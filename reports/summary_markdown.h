#pragma once

#include <span>
#include <string>

#include "reports/junit.h"
#include "reports/overview.h"

namespace reports {

inline constexpr std::size_t step_summary_limit = 1 << 20;

struct MarkdownSection {
  /// As `run s3-outage-4h, seed 7`.
  std::string heading = {};
  /// A sentence; the headline for runs.
  std::string sentence = {};
  /// Lines of text as a terminal shows them, if any: a comparison.
  std::string text = {};
  /// A table of them, if any.
  std::span<const RunOverview> runs = {};
  std::span<const Failure> failures = {};
  /// Verdict of it all.
  std::string verdict = {};
};
/// GitHub's Markdown; under `limit` bytes, cut between blocks with a note where it would be longer.
std::string summary_markdown(const MarkdownSection& section, std::size_t limit = step_summary_limit - 1);
/// Adds to $GITHUB_STEP_SUMMARY's file unless the whole would reach its limit of 1 MiB; then it adds what fits.
Result<void, Problem> append_step_summary(const std::string& path, const MarkdownSection& section);

/// `::error title=...::...` lines for GitHub's log: at most ten, one a failure, escaped; the tenth says how many more
/// there are.
std::string github_errors(std::span<const Failure> failures);
/// The same for what is wrong with a scenario file.
std::string github_errors(std::span<const sim::InputError> errors);

}  // namespace reports
