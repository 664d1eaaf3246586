#include "reports/table.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

namespace reports {
namespace {

constexpr std::size_t table_width = 80;
constexpr std::size_t column_count = 8;
using Cells = std::array<std::string, column_count>;
constexpr std::size_t policy_column = 0;
constexpr std::size_t reclaim_column = 3;
constexpr std::size_t outcome_column = 7;

const Cells header_top{"policy", "peak", "byte-", "time to", "never", "store", "meta", "outcome"};
const Cells header_bottom{"", "garbage", "hours", "reclaim", "freed", "calls", "data", ""};

std::string outcome_cell(const sim::Summary& summary) {
  std::string outcome{to_string(summary.outcome)};
  switch (summary.verdict) {
    case sim::Verdict::pass:
      return summary.outcome == sim::Outcome::clean ? outcome : outcome + " *";
    case sim::Verdict::fail:
      return outcome + " !";
    case sim::Verdict::unknown:
    case sim::Verdict::error:
      return outcome + " ?";
  }
  return outcome;
}

Cells cells_of(const RunOverview& run) {
  const auto& summary = run.summary;
  return {summary.policy,
          human_bytes(summary.peak_garbage_bytes),
          human_bytes(byte_hours(summary.garbage_byte_time)),
          time_to_reclaim(run),
          human_bytes(summary.garbage_bytes_never),
          human_count(summary.store_requests),
          human_count(summary.metadata_records),
          outcome_cell(summary)};
}

struct Layout {
  std::array<std::size_t, column_count> widths{};
  std::size_t gap = 2;

  std::size_t total() const {
    std::size_t sum = gap * (column_count - 1);
    for (const auto width : widths) sum += width;
    return sum;
  }
};

Layout layout_of(const std::vector<Cells>& rows, std::size_t gap) {
  Layout layout{.gap = gap};
  for (std::size_t i = 0; i < column_count; ++i) {
    layout.widths[i] = std::max(header_top[i].size(), header_bottom[i].size());
    for (const auto& row : rows) layout.widths[i] = std::max(layout.widths[i], row[i].size());
  }
  return layout;
}

/// Cuts the labels down to `width`; labels that would look alike get a number.
void shorten_labels(std::vector<Cells>& rows, std::size_t width) {
  std::vector<std::string> seen;
  for (auto& row : rows) {
    auto label = shorten(row[policy_column], width);
    for (int number = 2; std::find(seen.begin(), seen.end(), label) != seen.end(); ++number) {
      const auto mark = fmt::format("~{}", number);
      label = shorten(row[policy_column], width - mark.size()) + mark;
    }
    seen.push_back(label);
    row[policy_column] = label;
  }
}

/// Moves `(retention)` behind the table: `[1]` in the row, the words in the notes.
std::string move_removers_to_notes(std::vector<Cells>& rows) {
  std::vector<std::string> removers;
  for (auto& row : rows) {
    auto& cell = row[reclaim_column];
    const auto open = cell.find(" (");
    if (open == std::string::npos) continue;
    const auto remover = cell.substr(open + 2, cell.size() - open - 3);
    auto found = std::find(removers.begin(), removers.end(), remover);
    if (found == removers.end()) found = removers.insert(removers.end(), remover);
    cell = fmt::format("{} [{}]", cell.substr(0, open), found - removers.begin() + 1);
  }
  std::string notes;
  for (std::size_t i = 0; i < removers.size(); ++i) notes += fmt::format("[{}] by {}\n", i + 1, removers[i]);
  return notes;
}

/// Chooses the roomiest form that fits: wide gaps, narrow gaps, shorter labels, the remover's name behind the table.
Layout fit(std::vector<Cells>& rows, std::string& notes) {
  constexpr std::size_t label_least = 16;
  for (const bool has_notes : {false, true}) {
    if (has_notes) notes = move_removers_to_notes(rows);
    for (const auto gap : {std::size_t{2}, std::size_t{1}}) {
      if (const auto layout = layout_of(rows, gap); layout.total() <= table_width) return layout;
    }
    auto layout = layout_of(rows, 1);
    const auto rest = layout.total() - layout.widths[policy_column];
    if (rest + label_least <= table_width) {
      shorten_labels(rows, table_width - rest);
      return layout_of(rows, 1);
    }
  }
  const auto layout = layout_of(rows, 1);
  const auto rest = layout.total() - layout.widths[policy_column];
  shorten_labels(rows, rest + 8 < table_width ? table_width - rest : 8);
  return layout_of(rows, 1);
}

std::string line(const Cells& cells, const Layout& layout) {
  std::string text;
  for (std::size_t i = 0; i < column_count; ++i) {
    const bool is_text = i == policy_column || i == reclaim_column || i == outcome_column;
    text +=
        is_text ? fmt::format("{:<{}}", cells[i], layout.widths[i]) : fmt::format("{:>{}}", cells[i], layout.widths[i]);
    text.append(layout.gap, ' ');
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

bool any_ends_with(const std::vector<Cells>& rows, char mark) {
  return std::any_of(rows.begin(), rows.end(), [&](const Cells& row) { return row[outcome_column].back() == mark; });
}

}  // namespace

std::string run_table(std::span<const RunOverview> runs) {
  std::vector<Cells> rows;
  for (const auto& run : runs) rows.push_back(cells_of(run));
  std::string notes;
  const auto layout = fit(rows, notes);
  auto text = line(header_top, layout) + line(header_bottom, layout);
  for (const auto& row : rows) text += line(row, layout);
  text += notes;
  if (any_ends_with(rows, '*')) text += "* as the scenario expects\n";
  if (any_ends_with(rows, '!')) text += "! not as the scenario expects\n";
  if (any_ends_with(rows, '?')) text += "? cannot be judged\n";
  return text;
}

}  // namespace reports
