#include "reports/csv_stream.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

namespace reports {

Result<CsvStream, Problem> CsvStream::open(const std::string& path, std::span<const std::string_view> wanted) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return Failed{problem_with(path, errno)};
  CsvStream stream{path, file};
  std::setvbuf(file, nullptr, _IONBF, 0);
  std::string_view header;
  if (!stream.read_row(header)) {
    return Failed{stream.problem_.empty() ? path + ": empty, not even a header row" : stream.problem_};
  }
  std::vector<std::string_view> columns;
  if (!stream.split(header, columns)) return Failed{path + ":1: a quote is not closed"};
  stream.column_count_ = columns.size();
  for (const auto name : wanted) {
    const auto found = std::find(columns.begin(), columns.end(), name);
    stream.places_.push_back(found == columns.end() ? -1 : static_cast<int>(found - columns.begin()));
  }
  stream.fields_.resize(wanted.size());
  return stream;
}

bool CsvStream::next() {
  std::string_view row;
  if (!read_row(row)) return false;
  if (!split(row, all_fields_)) {
    problem_ = fmt::format("{}:{}: a quote is not closed", path_, line_);
    return false;
  }
  if (all_fields_.size() != column_count_) {
    problem_ = fmt::format("{}:{}: {} fields where the header has {}", path_, line_, all_fields_.size(), column_count_);
    return false;
  }
  for (std::size_t i = 0; i < places_.size(); ++i)
    fields_[i] = places_[i] < 0 ? std::string_view{} : all_fields_[static_cast<std::size_t>(places_[i])];
  return true;
}

std::int64_t CsvStream::integer(std::size_t wanted) const {
  const auto text = fields_[wanted];
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : 0;
}

bool CsvStream::read_row(std::string_view& row) {
  std::size_t from = begin_;
  bool is_quoted = false;
  while (true) {
    const char* const data = block_.data();
    const auto* const found = static_cast<const char*>(std::memchr(data + from, '\n', end_ - from));
    const auto stop = found == nullptr ? end_ : static_cast<std::size_t>(found - data);
    // A line break inside quotes ends no row.
    if (std::count(data + from, data + stop, '"') % 2 != 0) is_quoted = !is_quoted;
    if (found != nullptr && !is_quoted) {
      row = {data + begin_, stop - begin_};
      begin_ = stop + 1;
      break;
    }
    if (found != nullptr) {
      from = stop + 1;
      continue;
    }
    const auto looked_at = stop - begin_;
    if (!fill()) {
      if (begin_ == end_) return false;
      row = {block_.data() + begin_, end_ - begin_};
      begin_ = end_;
      break;
    }
    from = begin_ + looked_at;
  }
  ++line_;
  if (row.ends_with('\r')) row.remove_suffix(1);
  return true;
}

bool CsvStream::fill() {
  if (at_end_) return false;
  std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == block_.size()) block_.resize(block_.size() * 2);
  const auto count = std::fread(block_.data() + end_, 1, block_.size() - end_, file_.get());
  if (count == 0) {
    at_end_ = true;
    if (std::ferror(file_.get()) != 0) problem_ = problem_with(path_, errno);
  }
  end_ += count;
  return count > 0;
}

bool CsvStream::split(std::string_view row, std::vector<std::string_view>& fields) {
  if (std::memchr(row.data(), '"', row.size()) != nullptr) return split_quoted(row, fields);
  fields.clear();
  const char* begin = row.data();
  const char* const end = begin + row.size();
  for (const char* at = begin; at != end; ++at) {
    if (*at != ',') continue;
    fields.emplace_back(begin, static_cast<std::size_t>(at - begin));
    begin = at + 1;
  }
  fields.emplace_back(begin, static_cast<std::size_t>(end - begin));
  return true;
}

bool CsvStream::split_quoted(std::string_view row, std::vector<std::string_view>& fields) {
  fields.clear();
  unquoted_.clear();
  unquoted_.reserve(row.size());  // No field moves once a view of it was handed out.
  while (true) {
    if (!row.starts_with('"')) {
      const auto comma = std::min(row.find(','), row.size());
      fields.push_back(row.substr(0, comma));
      row.remove_prefix(comma);
    } else {
      auto& text = unquoted_.emplace_back();
      std::size_t at = 1;
      for (; at < row.size(); ++at) {
        if (row[at] == '"' && (at + 1 == row.size() || row[at + 1] != '"')) break;
        if (row[at] == '"') ++at;
        text += row[at];
      }
      if (at >= row.size()) return false;
      fields.push_back(text);
      row.remove_prefix(at + 1);
    }
    if (row.empty()) return true;
    if (row.front() != ',') return false;
    row.remove_prefix(1);
  }
}

}  // namespace reports
