#include "reports/summary_markdown.h"

#include <algorithm>
#include <sys/stat.h>

#include <fmt/format.h>

namespace reports {
namespace {

constexpr std::size_t error_lines_most = 10;

/// Text that Markdown shows as it stands, on one line.
std::string markdown_text(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    if (character == '\n' || character == '\r') {
      escaped += ' ';
      continue;
    }
    if (character == '<') {
      escaped += "&lt;";
      continue;
    }
    if (character == '&') {
      escaped += "&amp;";
      continue;
    }
    if (std::string_view{"\\`*_[]|~#"}.find(character) != std::string_view::npos) escaped += '\\';
    escaped += character;
  }
  return escaped;
}

/// A fence longer than any run of backticks inside.
std::string code_block(std::string_view text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char character : text) {
    run = character == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string block = fmt::format("{}\n{}", fence, text);
  if (!block.ends_with('\n')) block += '\n';
  return block + fence + "\n";
}

std::string runs_table(std::span<const RunOverview> runs) {
  std::string table =
      "| policy | peak garbage | garbage byte-hours | time to reclaim | never reclaimed | store requests | metadata "
      "records | outcome | verdict |\n"
      "|---|--:|--:|---|--:|--:|--:|---|---|\n";
  for (const auto& run : runs) {
    const auto& summary = run.summary;
    table += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", markdown_text(summary.policy),
                         human_bytes(summary.peak_garbage_bytes), human_bytes(byte_hours(summary.garbage_byte_time)),
                         time_to_reclaim(run), human_bytes(summary.garbage_bytes_never), summary.store_requests,
                         summary.metadata_records, to_string(summary.outcome), to_string(summary.verdict));
  }
  return table + "\n";
}

std::string failure_block(const Failure& failure) {
  auto block = fmt::format("### {}\n\nseed {}", markdown_text(failure.message), failure.seed);
  if (failure.count > 1) block += fmt::format(", the first of {}", failure.count);
  if (!failure.type.empty()) block += fmt::format(", {}", markdown_text(failure.type));
  block += "\n\n";
  if (!failure.reproduce.empty()) block += code_block(failure.reproduce) + "\n";
  if (!failure.last_events.empty())
    block += "<details><summary>last events</summary>\n\n" + code_block(failure.last_events) + "\n</details>\n\n";
  return block;
}

std::string percent_escape(std::string_view text, bool is_property) {
  std::string escaped;
  for (const char character : text) {
    const bool is_special = character == '%' || character == '\r' || character == '\n' ||
                            (is_property && (character == ':' || character == ','));
    if (is_special) {
      escaped += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(character)));
    } else {
      escaped += character;
    }
  }
  return escaped;
}

std::string join_error_lines(const std::vector<std::string>& lines) {
  std::string text;
  const bool is_cut = lines.size() > error_lines_most;
  const auto shown = is_cut ? error_lines_most - 1 : lines.size();
  for (std::size_t i = 0; i < shown; ++i) text += lines[i] + "\n";
  if (is_cut) text += fmt::format("::error::and {} more\n", lines.size() - shown);
  return text;
}

}  // namespace

std::string summary_markdown(const MarkdownSection& section, std::size_t limit) {
  std::vector<std::string> blocks;
  blocks.push_back(
      fmt::format("## {}{}\n\n", markdown_text(section.heading),
                  section.verdict.empty() ? std::string{} : fmt::format(": {}", markdown_text(section.verdict))));
  if (!section.sentence.empty()) blocks.push_back(markdown_text(section.sentence) + "\n\n");
  if (!section.text.empty()) blocks.push_back("```\n" + section.text + "```\n\n");
  if (!section.runs.empty()) blocks.push_back(runs_table(section.runs));
  for (const auto& failure : section.failures) blocks.push_back(failure_block(failure));

  constexpr std::string_view note = "More did not fit here; the run's folder has it all.\n";
  std::string text;
  std::size_t left = 0;
  for (const auto& block : blocks) left += block.size();
  for (const auto& block : blocks) {
    // A block may fill what is left only if nothing follows that would need the note.
    const bool fits = text.size() + left <= limit || text.size() + block.size() + note.size() <= limit;
    if (!fits) {
      if (text.size() + note.size() <= limit) text += note;
      return text;
    }
    text += block;
    left -= block.size();
  }
  return text;
}

Result<void, Problem> append_step_summary(const std::string& path, const MarkdownSection& section) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0 && status.st_size > 0;
  const auto used = exists ? static_cast<std::size_t>(status.st_size) : 0;
  if (used >= step_summary_limit - 1) return {};
  return append_file(path, summary_markdown(section, step_summary_limit - 1 - used));
}

std::string github_errors(std::span<const Failure> failures) {
  std::vector<std::string> lines;
  for (const auto& failure : failures) {
    auto message = failure.message;
    if (!failure.reproduce.empty()) message += "\nreproduce: " + failure.reproduce;
    lines.push_back(
        fmt::format("::error title={}::{}", percent_escape(failure.type, true), percent_escape(message, false)));
  }
  return join_error_lines(lines);
}

std::string github_errors(std::span<const sim::InputError> errors) {
  std::vector<std::string> lines;
  for (const auto& error : errors) {
    lines.push_back(fmt::format("::error file={},line={}::{}", percent_escape(error.file, true), error.line,
                                percent_escape(error.message, false)));
  }
  return join_error_lines(lines);
}

}  // namespace reports
