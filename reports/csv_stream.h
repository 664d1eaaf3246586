#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/file.h"

namespace reports {

/// Reads a csv of any size in the memory of one block, for files too large to hold: transitions.csv and events.csv of a
/// long run. Fields are looked up by their place in `wanted`; what the file lacks is empty.
///
///   auto rows = CsvStream::open(path, std::array{"time_ms"sv, "segment_id"sv});
///   while (rows->next()) use(rows->integer(0), (*rows)[1]);
///   if (!rows->problem().empty()) return Failed{rows->problem()};
class CsvStream {
 public:
  /// `wanted` names columns in any order.
  static Result<CsvStream, Problem> open(const std::string& path, std::span<const std::string_view> wanted);

  /// False at the end, and where the file cannot be read further.
  bool next();
  /// Valid until the next row.
  std::string_view operator[](std::size_t wanted) const { return fields_[wanted]; }
  /// 0 when the field is empty or no number.
  std::int64_t integer(std::size_t wanted) const;
  /// Empty as long as all went well.
  const Problem& problem() const { return problem_; }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  CsvStream(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}
  /// The next row without its end; false at the end of the file.
  bool read_row(std::string_view& row);
  bool fill();
  bool split(std::string_view row, std::vector<std::string_view>& fields);
  bool split_quoted(std::string_view row, std::vector<std::string_view>& fields);

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::vector<char> block_ = std::vector<char>(std::size_t{1} << 18);
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::int64_t line_ = 0;
  std::size_t column_count_ = 0;
  /// Where each wanted column stands in a row; -1: nowhere.
  std::vector<int> places_;
  std::vector<std::string_view> all_fields_;
  std::vector<std::string_view> fields_;
  /// Fields that were quoted, without their quotes.
  std::vector<std::string> unquoted_;
  Problem problem_;
};

}  // namespace reports
