#include "reports/import/dump_reader.h"

#include <algorithm>
#include <array>
#include <sys/stat.h>

#include <fmt/format.h>

#include "sim/world/metadata_topic.h"

namespace reports {
namespace {

/// Kafka's default for remote.log.metadata.topic.num.partitions, for files whose folder does not name the partition.
constexpr std::int32_t metadata_partitions = 50;
/// Into how many lines a terminal may have broken one record.
constexpr int pieces_most = 16;

bool can_be_opened_again(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// The offset of the first record, as far as it stands near the front; -1 when there is none.
std::int64_t first_offset(std::unique_ptr<BlockSource> source) {
  constexpr int lines_most = 1'000;
  LineReader lines{std::move(source)};
  std::string_view text;
  for (int i = 0; i < lines_most && lines.next(text); ++i) {
    if (const auto line = read_dump_line(text); line.place.offset) return *line.place.offset;
  }
  return -1;
}

bool is_utf16(std::string_view line) { return line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff"); }

/// Whether the last line of an input that was cut off begins a record of which nothing stands there yet.
bool begins_record(std::string_view text) {
  constexpr std::string_view console = "partition: ";
  constexpr std::string_view dump_tool = "| offset: ";
  const auto begins = [&](std::string_view head) {
    return !text.empty() && (text.starts_with(head) || head.starts_with(text));
  };
  if (begins(console) || begins(dump_tool)) return true;
  const auto last = text.rfind("Remote");
  if (last == std::string_view::npos) return false;
  constexpr std::array kinds{"RemoteLogSegmentMetadataSnapshot{", "RemoteLogSegmentMetadataUpdate{",
                             "RemotePartitionDeleteMetadata{"};
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](std::string_view kind) { return kind.starts_with(text.substr(last)); });
}

}  // namespace

struct DumpReader::Input {
  std::string name;
  /// Of a stream that is no metadata partition.
  std::int64_t own_stream = -1;
  std::uint64_t line = 0;
  /// Whether the line at hand has no end: it is the input's last.
  bool is_cut_off = false;
  /// Metadata partition by the folder's name, or as computed.
  std::optional<std::int64_t> stream = {};
  bool is_computed = false;
  /// A record whose end may stand in the lines to come.
  std::string open = {};
  std::uint64_t open_line = 0;
  int open_pieces = 0;
};

Result<void, Problem> DumpReader::read(const std::vector<std::string>& paths) {
  struct Place {
    std::int64_t offset;
    const std::string* path;
    std::unique_ptr<BlockSource> source;
  };
  std::vector<Place> places;
  for (const auto& path : paths) {
    auto source = open_blocks(path, stop_);
    if (!source) return Failed{source.error()};
    // What can be opened again is, when its turn comes: there may be more files than descriptors.
    const bool is_file = path != "-" && can_be_opened_again(path);
    if (is_file) {
      const auto offset = paths.size() > 1 ? first_offset(std::move(*source)) : -1;
      places.push_back({offset, &path, nullptr});
    } else {
      places.push_back({-1, &path, std::move(*source)});
    }
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.offset < b.offset; });
  for (auto& place : places) {
    if (place.source == nullptr) {
      auto source = open_blocks(*place.path, stop_);
      if (!source) return Failed{source.error()};
      place.source = std::move(*source);
    }
    read(*place.path == "-" ? "standard input" : *place.path, std::move(place.source));
    if (stop_ != nullptr && stop_()) return Failed{Problem{"interrupted"}};
  }
  return {};
}

void DumpReader::read(const std::string& name, std::unique_ptr<BlockSource> source) {
  Input input{.name = name, .own_stream = -1 - static_cast<std::int64_t>(counts_.files)};
  ++counts_.files;
  if (const auto partition = metadata_partition_of_path(name)) input.stream = *partition;
  LineReader lines{std::move(source)};
  std::string_view line;
  while (lines.next(line)) {
    ++counts_.lines;
    input.line = lines.number();
    input.is_cut_off = lines.is_cut_off();
    if (input.line == 1 && is_utf16(line))
      counts_.notes.push_back(
          fmt::format("{} is UTF-16, as PowerShell writes what it redirects: convert it to UTF-8", input.name));
    read_line(input, line);
    constexpr std::uint64_t lines_between = 100'000;
    if (tell_progress_ && counts_.lines % lines_between == 0) tell_progress_(counts_.lines);
  }
  give_up(input);
  if (!lines.problem().empty()) counts_.notes.push_back(fmt::format("{}; what came before is taken", lines.problem()));
}

void DumpReader::read_line(Input& input, std::string_view text) {
  auto line = read_dump_line(text);
  using Is = DumpLine::Is;
  if (!input.open.empty()) {
    if (line.is == Is::nothing && complete(input, text)) return;
    if (line.is != Is::nothing) give_up(input);
  }
  switch (line.is) {
    case Is::nothing:
      if (!input.is_cut_off || !begins_record(text)) {
        ++counts_.ignored;
        return;
      }
      counts_.notes.push_back(
          fmt::format("{} ends in the middle of a record: it was cut off, or is still being written", input.name));
      return tell_unreadable(input, input.line, "the input ends in a record's head");
    case Is::record:
      return take(input, line);
    case Is::cut_off:
      input.open = text;
      input.open_line = input.line;
      input.open_pieces = 1;
      return;
    case Is::unreadable:
      fold_.add_unreadable(line.place, stream_of(input, line.place, nullptr), false, false);
      return tell_unreadable(input, input.line, reason_text(line));
    case Is::undecodable: {
      ++counts_.undecodable;
      const bool means_unknown_state = line.reason.find("state can not be null") != std::string_view::npos;
      return fold_.add_unreadable(line.place, stream_of(input, line.place, nullptr), true, means_unknown_state);
    }
    case Is::file_begins:
      ++counts_.ignored;
      if (const auto partition = metadata_partition_of_path(line.reason)) {
        input.stream = *partition;
      } else if (!metadata_partition_of_path(input.name)) {
        input.stream.reset();
      }
      input.is_computed = false;
      return;
  }
}

/// Adds a line to the open record: true when it belongs to it.
bool DumpReader::complete(Input& input, std::string_view text) {
  input.open += text;
  auto line = read_dump_line(input.open);
  if (line.is == DumpLine::Is::record) {
    take(input, line);
    counts_.joined += static_cast<std::uint64_t>(input.open_pieces);
    input.open.clear();
    return true;
  }
  if (line.is == DumpLine::Is::cut_off && input.open_pieces + 1 < pieces_most) {
    ++input.open_pieces;
    return true;
  }
  give_up(input);
  return false;
}

void DumpReader::give_up(Input& input) {
  if (input.open.empty()) return;
  const auto line = read_dump_line(input.open);
  fold_.add_unreadable(line.place, stream_of(input, line.place, nullptr), false, false);
  tell_unreadable(input, input.open_line, reason_text(line));
  counts_.joined += static_cast<std::uint64_t>(input.open_pieces - 1);
  input.open.clear();
}

void DumpReader::tell_unreadable(const Input& input, std::uint64_t line, std::string reason) {
  ++counts_.unreadable;
  if (counts_.told.size() < DumpCounts::told_most) counts_.told.push_back({input.name, line, std::move(reason)});
}

std::int64_t DumpReader::stream_of(Input& input, const DumpPlace& place, const DumpRecord* record) {
  if (place.metadata_partition) return *place.metadata_partition;
  if (!place.offset) return input.own_stream;
  const bool needs_check = input.is_computed || !input.stream;
  if (!needs_check || record == nullptr) return input.stream.value_or(input.own_stream);
  const auto computed = static_cast<std::int64_t>(
      sim::metadata_partition_for(record->topic_id, record->partition, metadata_partitions).value());
  if (!input.stream) {
    input.stream = computed;
    input.is_computed = true;
    counts_.notes.push_back(
        fmt::format("{}: no folder __remote_log_metadata-N names its partition; taken for {}, where {} metadata "
                    "partitions put {}-{}",
                    input.name, computed, metadata_partitions, record->topic, record->partition));
  } else if (*input.stream != computed) {
    counts_.notes.push_back(fmt::format(
        "{}: line {} belongs to another metadata partition unless there are not {}; the file counts as one of its own, "
        "and its records are not compared with other files'",
        input.name, input.line, metadata_partitions));
    input.stream = input.own_stream;
    input.is_computed = false;
  }
  return *input.stream;
}

void DumpReader::take(Input& input, const DumpLine& line) {
  const auto stream = stream_of(input, line.place, &line.record);
  if (!line.place.offset) ++counts_.without_offset;
  using Taken = DumpFold::Taken;
  switch (fold_.add(line.record, line.place, stream)) {
    case Taken::taken:
      ++counts_.taken;
      return;
    case Taken::repeated:
      ++counts_.repeated;
      return;
    case Taken::other_topic:
      ++counts_.other_topics;
      return;
    case Taken::snapshot:
      ++counts_.ignored;
      return;
  }
}

}  // namespace reports
