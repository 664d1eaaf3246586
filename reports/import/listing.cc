#include "reports/import/listing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#define BOOST_BIND_GLOBAL_PLACEHOLDERS
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <fmt/format.h>

#include "reports/csv_stream.h"
#include "reports/import/block_reader.h"
#include "reports/import/dump_line.h"
#include "sim/scenario/values.h"

namespace reports {
namespace {

using Each = std::function<void(const ListedObject&)>;

bool parse_size(std::string_view text, std::int64_t& size) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc{} && end == text.data() + text.size() && size >= 0;
}

std::optional<std::int64_t> parse_modified(std::string text) {
  if (const auto blank = text.find(' '); blank != std::string::npos) text[blank] = 'T';
  const auto time = text.find('T');
  const bool has_zone = time != std::string::npos && text.find_first_of("Z+-", time) != std::string::npos;
  if (time != std::string::npos && !has_zone) text += 'Z';
  const auto parsed = sim::parse_instant(text);
  return parsed ? std::optional{*parsed} : std::nullopt;
}

void note(ListingProblems& problems, std::string_view path, std::uint64_t line, std::string_view reason) {
  if (problems.unreadable++ == 0) problems.first = fmt::format("{}:{}: {}", path, line, reason);
}

/// `2025-01-01 00:00:04    1048576 tiered/topic/7/...log`
std::optional<ListedObject> parse_ls_line(std::string_view line) {
  const auto word = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const auto end = std::min(line.find(' '), line.size());
    const auto found = line.substr(0, end);
    line.remove_prefix(end);
    return found;
  };
  const auto date = word();
  const auto clock = word();
  const auto size = word();
  ListedObject object{.modified_ms = parse_modified(fmt::format("{}T{}", date, clock))};
  if (!object.modified_ms || !parse_size(size, object.bytes) || line.size() < 2) return std::nullopt;
  object.key = line.substr(1);  // A key may hold blanks.
  return object;
}

Result<ListingProblems, Problem> read_ls(const std::string& path, const Each& each) {
  auto source = open_blocks(path);
  if (!source) return Failed{source.error()};
  LineReader lines{std::move(*source)};
  ListingProblems problems;
  std::string_view line;
  while (lines.next(line)) {
    const auto words = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    // Blank lines, folders, and the sums that --summarize adds.
    if (words.empty() || words.starts_with("PRE ") || words.starts_with("Total ")) continue;
    if (const auto object = parse_ls_line(line)) {
      each(*object);
    } else {
      note(problems, path, lines.number(), "no date, time, size and key");
    }
  }
  if (!lines.problem().empty()) return Failed{lines.problem()};
  return problems;
}

using Tree = boost::property_tree::ptree;

void read_contents(const Tree& contents, const std::string& path, ListingProblems& problems, const Each& each) {
  std::uint64_t number = 0;
  for (const auto& [name, entry] : contents) {
    ++number;
    const auto key = entry.get_optional<std::string>("Key");
    ListedObject object;
    if (!key || !parse_size(entry.get("Size", ""), object.bytes)) {
      note(problems, path, number, "an entry of Contents without Key and Size");
      continue;
    }
    object.key = *key;
    object.modified_ms = parse_modified(entry.get("LastModified", ""));
    each(object);
  }
}

Result<ListingProblems, Problem> read_json(const std::string& path, const Each& each) {
  const auto text = read_file(path);
  if (!text) return Failed{text.error()};
  ListingProblems problems;
  std::istringstream stream{*text};
  try {
    Tree tree;
    boost::property_tree::read_json(stream, tree);
    const auto contents = tree.get_child_optional("Contents");
    read_contents(contents ? *contents : tree, path, problems, each);
  } catch (const boost::property_tree::json_parser_error& error) {
    return Failed{fmt::format("{}:{}: {}", path, error.line(), error.message())};
  }
  return problems;
}

Result<ListingProblems, Problem> read_table(const std::string& path, const Each& each) {
  using namespace std::string_view_literals;
  // Each field by any of the names that tools give it.
  constexpr std::array columns{"key"sv,
                               "Key"sv,
                               "size"sv,
                               "Size"sv,
                               "last_modified"sv,
                               "LastModified"sv,
                               "last-modified"sv,
                               "LastModifiedDate"sv,
                               "LastModifiedTime"sv};
  auto rows = CsvStream::open(path, columns);
  if (!rows) return Failed{rows.error()};
  ListingProblems problems;
  std::uint64_t line = 1;
  while (rows->next()) {
    ++line;
    const auto any = [&](std::size_t from, std::size_t to) {
      while (from + 1 < to && (*rows)[from].empty()) ++from;
      return (*rows)[from];
    };
    ListedObject object{.key = any(0, 2)};
    if (object.key.empty() || !parse_size(any(2, 4), object.bytes)) {
      note(problems, path, line, "no key and size");
      continue;
    }
    object.modified_ms = parse_modified(std::string{any(4, columns.size())});
    each(object);
  }
  if (!rows->problem().empty()) return Failed{rows->problem()};
  return problems;
}

/// The listing's first characters that are no blanks.
Result<std::string, Problem> head_of(const std::string& path) {
  auto source = open_blocks(path);
  if (!source) return Failed{source.error()};
  std::string head(512, '\0');
  std::size_t size = 0;
  while (size < head.size()) {  // A block may be shorter than asked for.
    const auto got = (*source)->read(head.data() + size, head.size() - size);
    if (got == 0) break;
    size += got;
  }
  head.resize(size);
  if (!(*source)->problem().empty()) return Failed{(*source)->problem()};
  return head.substr(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Cuts off what stands behind the last slash, and the slash.
std::string_view cut_last(std::string_view& path) {
  const auto slash = path.rfind('/');
  const auto last = slash == std::string_view::npos ? path : path.substr(slash + 1);
  path = slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
  return last;
}

/// `NAME-ID`: the id, and what stands before it.
std::optional<Uuid> cut_id(std::string_view& text) {
  constexpr std::size_t id_size = 22;
  if (text.size() < id_size) return std::nullopt;
  const auto id = uuid_from_base64(text.substr(text.size() - id_size));
  text.remove_suffix(id_size);
  if (text.ends_with('-')) text.remove_suffix(1);
  return id;
}

}  // namespace

Result<ListingProblems, Problem> read_listing(const std::string& path, const Each& each) {
  const auto head = head_of(path);
  if (!head) return Failed{head.error()};
  const auto first_line = std::string_view{*head}.substr(0, head->find('\n'));
  const bool is_json = head->starts_with('{') || head->starts_with('[');
  const bool has_header =
      first_line.find(',') != std::string_view::npos &&
      (first_line.find("key") != std::string_view::npos || first_line.find("Key") != std::string_view::npos);
  auto read = is_json ? read_json(path, each) : has_header ? read_table(path, each) : read_ls(path, each);
  if (read) read->head = first_line;
  return read;
}

std::optional<ObjectKey> parse_object_key(std::string_view key) {
  auto rest = key;
  auto name = cut_last(rest);
  const auto dot = name.rfind('.');
  const auto suffix = dot == std::string_view::npos ? std::string_view{} : name.substr(dot + 1);
  name = name.substr(0, dot);
  const auto id = cut_id(name);
  if (!id || *id == Uuid{}) return std::nullopt;
  ObjectKey parsed{.segment_id = *id, .is_log = suffix == "log"};
  auto folder = cut_last(rest);
  if (is_number(folder)) {  // PREFIX/TOPIC-ID/PARTITION/...
    std::from_chars(folder.data(), folder.data() + folder.size(), parsed.partition);
    folder = cut_last(rest);
    parsed.topic_id = cut_id(folder);
  } else {  // TOPIC-PARTITION-ID/...
    parsed.topic_id = cut_id(folder);
    const auto dash = folder.rfind('-');
    if (dash != std::string_view::npos && is_number(folder.substr(dash + 1))) {
      std::from_chars(folder.data() + dash + 1, folder.data() + folder.size(), parsed.partition);
    }
  }
  if (!parsed.topic_id) parsed.partition = -1;
  return parsed;
}

}  // namespace reports
