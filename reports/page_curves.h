#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/file.h"
#include "reports/json_writer.h"

namespace reports {

using namespace std::string_view_literals;

/// The columns of curves.csv that a page draws or reads out.
inline constexpr std::array page_curve_columns{"time_ms"sv,
                                               "stored_bytes"sv,
                                               "live_bytes"sv,
                                               "in_flight_bytes"sv,
                                               "expired_bytes"sv,
                                               "unreferenced_bytes"sv,
                                               "dangling_bytes"sv,
                                               "deleting_bytes"sv,
                                               "stuck_bytes"sv,
                                               "orphan_bytes"sv,
                                               "upload_parts_bytes"sv,
                                               "waste_bytes"sv,
                                               "garbage_bytes"sv,
                                               "garbage_count"sv,
                                               "metric_dangling_count"sv,
                                               "metric_dangling_bytes"sv,
                                               "copy_lag_bytes"sv,
                                               "active_faults"sv,
                                               "deleting_failed_bytes"sv,
                                               "garbage_bytes_max"sv,
                                               "ghost_count"sv,
                                               "ghost_claimed_bytes"sv};

/// The rows of curves.csv for one topic, or for all, thinned where there are more than a picture can show.
struct PageCurves {
  using Row = std::array<std::int64_t, page_curve_columns.size()>;

  void write(JsonWriter& json) const;

  std::vector<Row> rows;
  /// Columns that the file leaves empty: not known, whatever number stands in `rows`.
  std::vector<std::string_view> unknown;
  /// Of the file; more than `rows` has where rows were left out.
  std::uint64_t row_count = 0;
};

struct TopicCurves {
  /// The most topics that a page has, and by how much fewer rows each may have than all together.
  static constexpr std::size_t topics_most = 16;
  static constexpr std::size_t fewer_rows = 4;

  /// A file that is not there has no rows. `origin_ms` is taken from every time.
  static Result<TopicCurves, Problem> read(const std::string& path, std::size_t row_limit, std::int64_t origin_ms = 0);

  /// All topics together.
  PageCurves all;
  /// By name, in the file's order; none where there is only one, which `all` has told of.
  std::vector<std::pair<std::string, PageCurves>> topics;
  std::uint64_t topics_left_out = 0;
};

}  // namespace reports
