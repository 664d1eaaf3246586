#include "reports/page_curves.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "reports/csv_stream.h"

namespace reports {
namespace {

constexpr std::size_t column_of(std::string_view name) {
  return static_cast<std::size_t>(std::find(page_curve_columns.begin(), page_curve_columns.end(), name) -
                                  page_curve_columns.begin());
}
constexpr auto active_faults = column_of("active_faults");
constexpr auto garbage_max = column_of("garbage_bytes_max");

/// Leaves out every second row, but for those at which a fault begins or ends; a peak goes on to the next row that
/// stays.
void thin(std::vector<PageCurves::Row>& rows) {
  std::vector<PageCurves::Row> kept;
  std::int64_t peak = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    peak = std::max(peak, rows[i][garbage_max]);
    const bool is_change = i > 0 && rows[i][active_faults] != rows[i - 1][active_faults];
    if (i % 2 == 1 && !is_change && i + 1 != rows.size()) continue;
    kept.push_back(rows[i]);
    kept.back()[garbage_max] = peak;
    peak = 0;
  }
  rows = std::move(kept);
}

void add(PageCurves& curves, const CsvStream& stream, std::size_t row_limit, std::int64_t origin_ms) {
  auto& row = curves.rows.emplace_back();
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = stream.integer(i);
  row[0] -= origin_ms;
  if (curves.row_count == 0) {
    for (std::size_t i = 0; i < row.size(); ++i)
      if (stream[i].empty()) curves.unknown.push_back(page_curve_columns[i]);
  }
  ++curves.row_count;
  if (curves.rows.size() > 2 * row_limit) thin(curves.rows);
}

}  // namespace

Result<TopicCurves, Problem> TopicCurves::read(const std::string& path, std::size_t row_limit, std::int64_t origin_ms) {
  TopicCurves curves;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return curves;
  std::array<std::string_view, page_curve_columns.size() + 1> columns;
  std::copy(page_curve_columns.begin(), page_curve_columns.end(), columns.begin());
  columns.back() = "topic";
  auto stream = CsvStream::open(path, columns);
  if (!stream) return Failed{stream.error()};
  const auto topic_limit = std::max<std::size_t>(1, row_limit / fewer_rows);
  std::set<std::string, std::less<>> left_out;
  while (stream->next()) {
    const auto topic = (*stream)[page_curve_columns.size()];
    if (topic == "*") {
      add(curves.all, *stream, row_limit, origin_ms);
      continue;
    }
    auto found = std::find_if(curves.topics.begin(), curves.topics.end(),
                              [&](const auto& named) { return named.first == topic; });
    if (found == curves.topics.end()) {
      if (curves.topics.size() == topics_most) {
        left_out.emplace(topic);
        continue;
      }
      found = curves.topics.emplace(found, std::string{topic}, PageCurves{});
    }
    add(found->second, *stream, topic_limit, origin_ms);
  }
  if (!stream->problem().empty()) return Failed{stream->problem()};
  curves.topics_left_out = left_out.size();
  if (curves.all.rows.size() > row_limit) thin(curves.all.rows);
  for (auto& [name, own] : curves.topics)
    if (own.rows.size() > topic_limit) thin(own.rows);
  if (curves.topics.size() == 1) curves.topics.clear();
  return curves;
}

void PageCurves::write(JsonWriter& json) const {
  json.object().key("row_count").integer(row_count);
  json.key("unknown").array();
  for (const auto column : unknown) json.text(column);
  json.end_array();
  for (std::size_t column = 0; column < page_curve_columns.size(); ++column) {
    json.key(page_curve_columns[column]).array();
    // Differences are short and alike, so they pack well.
    std::int64_t before = 0;
    for (const auto& row : rows) {
      json.integer(row[column] - before);
      before = row[column];
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace reports
