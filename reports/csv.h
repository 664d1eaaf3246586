#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/time.h"
#include "model/types.h"
#include "reports/file.h"

namespace reports {

/// `text` as one field: quoted when it holds a comma, a quote or a line break (RFC 4180).
std::string csv_field(std::string_view text);

/// Writes rows: one call a field, then end_row(). Integers go straight into the file's buffer.
class CsvFile {
 public:
  /// Writes the header row.
  CsvFile(File file, std::string_view columns);
  /// Goes on below rows that are there.
  explicit CsvFile(File file) : file_(std::move(file)) {}

  CsvFile& integer(std::integral auto value) {
    char* begin = next_field();
    const auto end = std::to_chars(begin, begin + 24, value).ptr;
    file_.took(static_cast<std::size_t>(end - begin));
    return *this;
  }
  CsvFile& integer(unsigned __int128 value);
  CsvFile& bytes(Bytes value) { return integer(value.value()); }
  /// Milliseconds, rounded down.
  CsvFile& time(SimTime value) { return integer(to_milliseconds(value)); }
  CsvFile& time(std::optional<SimTime> value) { return value ? time(*value) : empty(); }
  CsvFile& uuid(Uuid value);
  /// Any text; quoted when it needs to be.
  CsvFile& text(std::string_view value);
  /// One field, or several joined with commas, known to need no more quoting.
  CsvFile& raw(std::string_view value) {
    next_field();
    file_.write(value);
    return *this;
  }
  CsvFile& empty() {
    next_field();
    return *this;
  }
  void end_row() {
    file_.put('\n');
    first_ = true;
  }

  Result<void, Problem> close() { return file_.close(); }

 private:
  /// Begins a field; room for a number of any size.
  char* next_field() {
    char* room = file_.room(64);
    if (first_) {
      first_ = false;
      return room;
    }
    *room = ',';
    file_.took(1);
    return room + 1;
  }

  File file_;
  bool first_ = true;
};

/// One row as a reader sees it: fields by the header's names.
class CsvRow {
 public:
  CsvRow(const std::vector<std::string>& columns, const std::vector<std::string>& fields)
      : columns_(columns), fields_(fields) {}
  /// Empty when there is no such column.
  std::string_view operator[](std::string_view column) const;
  /// 0 when the field is empty or no number.
  std::int64_t integer(std::string_view column) const;
  std::optional<std::int64_t> maybe_integer(std::string_view column) const;

 private:
  const std::vector<std::string>& columns_;
  const std::vector<std::string>& fields_;
};

/// Reads a csv with a header row, RFC 4180 with line breaks inside quotes, `\n` or `\r\n`. Rows shorter or longer than
/// the header and unclosed quotes are problems; unknown columns are not, and columns may stand in any order.
Result<void, Problem> read_csv(const std::string& path, const std::function<void(const CsvRow&)>& each_row);

}  // namespace reports
