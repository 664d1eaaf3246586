#include "reports/row_difference.h"

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "reports/csv_stream.h"
#include "reports/run_files.h"

namespace reports {
namespace {

constexpr std::array<std::string_view, 3> file_names{"transitions.csv", "dropped.csv", "events.csv"};
constexpr std::uint64_t no_event = std::numeric_limits<std::uint64_t>::max();

/// The columns that a file of this version has.
std::vector<std::string_view> columns_of(std::string_view file) {
  std::vector<std::string_view> columns;
  for (const RunFileEntry& entry : run_files()) {
    if (entry.name != file) continue;
    for (std::size_t from = 0; from <= entry.columns.size();) {
      const std::size_t end = std::min(entry.columns.find(',', from), entry.columns.size());
      columns.push_back(entry.columns.substr(from, end - from));
      from = end + 1;
    }
  }
  return columns;
}

/// A row of one of the files, with its fields by the columns' names.
struct Row {
  std::uint64_t event = no_event;
  std::string_view file;
  std::vector<std::pair<std::string_view, std::string>> fields;

  friend bool operator==(const Row&, const Row&) = default;
  std::string describe() const {
    std::string text = fmt::format("#{} {}:", event, file);
    for (const auto& [name, value] : fields) {
      if (name != "event" && !value.empty()) text += fmt::format(" {}={}", name, value);
    }
    return text;
  }
};

/// The rows of a folder's files as one sequence.
class Rows {
 public:
  static Result<Rows, Problem> open(const std::string& folder) {
    Rows rows;
    for (const std::string_view name : file_names) {
      const auto columns = columns_of(name);
      auto stream = CsvStream::open(fmt::format("{}/{}", folder, name), columns);
      if (!stream) return Failed{stream.error()};
      rows.sources_.push_back({name, columns, std::move(*stream), no_event});
      rows.advance(rows.sources_.back());
    }
    return rows;
  }

  /// False at the end, and where a file cannot be read further.
  bool next(Row& row) {
    const auto source = std::min_element(sources_.begin(), sources_.end(),
                                         [](const Source& a, const Source& b) { return a.event < b.event; });
    if (source->event == no_event) return false;
    row.event = source->event;
    row.file = source->file;
    row.fields.resize(source->columns.size());
    for (std::size_t i = 0; i < source->columns.size(); ++i) {
      row.fields[i].first = source->columns[i];
      row.fields[i].second = source->rows[i];
    }
    advance(*source);
    return true;
  }
  Problem problem() const {
    for (const Source& source : sources_)
      if (!source.rows.problem().empty()) return source.rows.problem();
    return {};
  }

 private:
  struct Source {
    std::string_view file;
    std::vector<std::string_view> columns;
    CsvStream rows;
    std::uint64_t event;
  };

  static void advance(Source& source) {
    const auto column = std::find(source.columns.begin(), source.columns.end(), "event") - source.columns.begin();
    source.event = source.rows.next()
                       ? static_cast<std::uint64_t>(source.rows.integer(static_cast<std::size_t>(column)))
                       : no_event;
  }

  std::vector<Source> sources_;
};

std::string first_field(const Row& a, const Row& b) {
  if (a.event != b.event || a.file != b.file) return "event";
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    if (a.fields[i] != b.fields[i]) return std::string{a.fields[i].first};
  }
  return "event";
}

/// This row, if there is one, and the next ones.
std::vector<std::string> describe_from(Rows& rows, Row row, bool is_there) {
  std::vector<std::string> lines;
  while (is_there && lines.size() < sim::difference_context) {
    lines.push_back(row.describe());
    is_there = rows.next(row);
  }
  return lines;
}

}  // namespace

bool has_event_rows(const std::string& folder) {
  return std::all_of(file_names.begin(), file_names.end(), [&](std::string_view name) {
    std::error_code error;
    return std::filesystem::exists(fmt::format("{}/{}", folder, name), error);
  });
}

Result<RowComparison, Problem> compare_rows(const std::string& first, const std::string& second) {
  auto ours = Rows::open(first);
  if (!ours) return Failed{ours.error()};
  auto theirs = Rows::open(second);
  if (!theirs) return Failed{theirs.error()};
  RowComparison comparison;
  std::deque<Row> before;
  Row a;
  Row b;
  while (true) {
    const bool has_a = ours->next(a);
    const bool has_b = theirs->next(b);
    for (const Rows* const rows : {&*ours, &*theirs}) {
      if (Problem problem = rows->problem(); !problem.empty()) return Failed{std::move(problem)};
    }
    if (!has_a && !has_b) return comparison;
    if (has_a && has_b && a == b) {
      ++comparison.equal;
      before.push_back(a);
      if (before.size() > sim::difference_context) before.pop_front();
      continue;
    }
    sim::Difference& difference = comparison.difference.emplace();
    difference.event = std::min(has_a ? a.event : no_event, has_b ? b.event : no_event);
    difference.field = has_a && has_b ? first_field(a, b) : "end";
    for (const Row& row : before) difference.before.push_back(row.describe());
    difference.first = describe_from(*ours, std::move(a), has_a);
    difference.second = describe_from(*theirs, std::move(b), has_b);
    return comparison;
  }
}

}  // namespace reports
