#include "reports/csv.h"

#include <algorithm>

#include <fmt/format.h>

namespace reports {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string{text};
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  return quoted + '"';
}

CsvFile::CsvFile(File file, std::string_view columns) : file_(std::move(file)) {
  file_.write(columns);
  file_.put('\n');
}

CsvFile& CsvFile::integer(unsigned __int128 value) {
  constexpr std::uint64_t ten_to_18 = 1'000'000'000'000'000'000;
  if (value < ten_to_18) return integer(static_cast<std::uint64_t>(value));
  const auto high = fmt::format_int(static_cast<std::uint64_t>(value / ten_to_18 % ten_to_18));
  const auto top = static_cast<std::uint64_t>(value / ten_to_18 / ten_to_18);
  const auto low = static_cast<std::uint64_t>(value % ten_to_18);
  next_field();
  file_.write(top == 0 ? fmt::format("{}{:018}", high.c_str(), low)
                       : fmt::format("{}{:0>18}{:018}", top, high.c_str(), low));
  return *this;
}

CsvFile& CsvFile::uuid(Uuid value) {
  const auto text = to_base64(value);
  return raw({text.data(), text.size()});
}

CsvFile& CsvFile::text(std::string_view value) {
  if (value.find_first_of(",\"\r\n") == std::string_view::npos) return raw(value);
  return raw(csv_field(value));
}

std::string_view CsvRow::operator[](std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  return found == columns_.end() ? std::string_view{} : fields_[static_cast<std::size_t>(found - columns_.begin())];
}

std::optional<std::int64_t> CsvRow::maybe_integer(std::string_view column) const {
  const auto text = (*this)[column];
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::int64_t CsvRow::integer(std::string_view column) const { return maybe_integer(column).value_or(0); }

namespace {

/// Cuts a text into rows of fields. The Fast C++ CSV Parser knows no line breaks inside quotes, which a violation's
/// detail may have.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : rest_(text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (rest_.starts_with(mark)) rest_.remove_prefix(mark.size());
  }

  bool at_end() const { return rest_.empty(); }
  std::int64_t line() const { return line_; }

  /// False for an unclosed quote.
  bool read_row(std::vector<std::string>& fields) {
    std::size_t count = 0;
    while (true) {
      if (fields.size() == count) fields.emplace_back();
      auto& field = fields[count++];
      field.clear();
      if (!read_field(field)) return false;
      if (rest_.empty() || rest_.front() != ',') break;
      rest_.remove_prefix(1);
    }
    if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    if (!rest_.empty()) rest_.remove_prefix(1);
    ++line_;
    fields.resize(count);
    return true;
  }

 private:
  bool read_field(std::string& field) {
    if (!rest_.starts_with('"')) {
      auto end = std::min(rest_.find_first_of(",\n"), rest_.size());
      const bool has_return = end > 0 && (end == rest_.size() || rest_[end] == '\n') && rest_[end - 1] == '\r';
      if (has_return) --end;
      field = rest_.substr(0, end);
      rest_.remove_prefix(end);
      return true;
    }
    rest_.remove_prefix(1);
    while (true) {
      const auto quote = rest_.find('"');
      if (quote == std::string_view::npos) return false;
      field += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (!rest_.starts_with('"')) break;
      field += '"';
      rest_.remove_prefix(1);
    }
    line_ += std::count(field.begin(), field.end(), '\n');
    // What follows a closing quote is a comma or the line's end.
    return rest_.empty() || rest_.front() == ',' || rest_.front() == '\n' || rest_.starts_with("\r\n");
  }

  std::string_view rest_;
  std::int64_t line_ = 1;
};

}  // namespace

Result<void, Problem> read_csv(const std::string& path, const std::function<void(const CsvRow&)>& each_row) {
  auto text = read_file(path);
  if (!text) return Failed{text.error()};
  CsvReader reader{*text};
  std::vector<std::string> columns;
  std::vector<std::string> fields;
  if (reader.at_end()) return Failed{path + ": empty, not even a header row"};
  if (!reader.read_row(columns)) return Failed{path + ":1: a quote is not closed"};
  while (!reader.at_end()) {
    const auto line = reader.line();
    if (!reader.read_row(fields)) return Failed{fmt::format("{}:{}: a quote is not closed", path, line)};
    if (fields.size() != columns.size())
      return Failed{fmt::format("{}:{}: {} fields where the header has {}", path, line, fields.size(), columns.size())};
    each_row(CsvRow{columns, fields});
  }
  return {};
}

}  // namespace reports
