#include "reports/page_findings.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>

#include "reports/csv_stream.h"
#include "reports/import/findings.h"

namespace reports {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t rows_most = 500;
constexpr std::array columns{"severity"sv, "finding"sv, "topic"sv,   "partition"sv,   "segment_id"sv,
                             "state"sv,    "broker"sv,  "bytes"sv,   "size_source"sv, "since_ms"sv,
                             "due_by"sv,   "due_ms"sv,  "objects"sv, "advice"sv,      "detail"sv};

struct Row {
  std::int64_t rank = 0;
  std::int64_t bytes = 0;
  std::array<std::string, columns.size()> fields = {};

  bool operator<(const Row& other) const { return std::tuple{rank, -bytes} < std::tuple{other.rank, -other.bytes}; }
};

void keep_foremost(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end());
  if (rows.size() > rows_most) rows.resize(rows_most);
}

}  // namespace

Result<std::uint64_t, Problem> write_findings(JsonWriter& json, const std::string& path) {
  std::vector<Row> rows;
  std::uint64_t count = 0;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    auto stream = CsvStream::open(path, columns);
    if (!stream) return Failed{stream.error()};
    while (stream->next()) {
      ++count;
      const auto severity = (*stream)[0];
      Row row{.rank = severity == "error" ? 0 : severity == "warning" ? 1 : 2, .bytes = stream->integer(7)};
      for (std::size_t i = 0; i < columns.size(); ++i) row.fields[i] = (*stream)[i];
      rows.push_back(std::move(row));
      if (rows.size() >= 4 * rows_most) keep_foremost(rows);
    }
    if (!stream->problem().empty()) return Failed{stream->problem()};
  }
  keep_foremost(rows);
  json.array();
  for (const auto& row : rows) {
    json.object();
    for (std::size_t i = 0; i < columns.size(); ++i) json.key(columns[i]).text(row.fields[i]);
    json.end_object();
  }
  json.end_array();
  return count - rows.size();
}

std::string import_headline(const PageData& data) {
  std::string text;
  for (const auto& run : data.runs) {
    const auto sentence = recorded_sentence(run.stored);
    if (!text.empty() && !sentence.empty()) text += ' ';
    text += sentence;
  }
  return text;
}

}  // namespace reports
