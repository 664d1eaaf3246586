// The texts are those of Kafka's RemoteLogSegmentMetadata, ...Update, RemotePartitionDeleteMetadata and
// ...MetadataSnapshot (toString), in the wrappers of its console formatter and its dump tool, 3.6 to 4.x. The binary
// log itself is not read.
#include "reports/import/dump_line.h"

#include <array>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "sim/scenario/names.h"

namespace reports {
namespace {

constexpr std::string_view metadata_topic = "__remote_log_metadata-";
constexpr std::size_t id_size = 22;
constexpr std::string_view bad_id = "the segment's id is none";
constexpr std::string_view bad_order = "endOffset is before startOffset";
/// The years 1 to 9999; what lies beyond is no time.
bool is_time(std::int64_t milliseconds) {
  return milliseconds >= -62'135'596'800'000 && milliseconds <= 253'402'300'799'999;
}

std::size_t find(std::string_view text, std::string_view what) {
  const void* const found = ::memmem(text.data(), text.size(), what.data(), what.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

template <class Number>
bool parse_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// The number that begins `text`; nothing when none does.
template <class Number>
std::optional<Number> leading_number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} ? std::optional{value} : std::nullopt;
}

template <class Number>
std::optional<Number> number_after(std::string_view text, std::string_view label) {
  const auto at = text.rfind(label);
  return at == std::string_view::npos ? std::nullopt : leading_number<Number>(text.substr(at + label.size()));
}

struct KindName {
  std::string_view name;
  DumpRecord::Kind kind;
};
constexpr std::array kind_names{
    KindName{"RemoteLogSegmentMetadata{", DumpRecord::Kind::segment},
    KindName{"RemoteLogSegmentMetadataUpdate{", DumpRecord::Kind::update},
    KindName{"RemotePartitionDeleteMetadata{", DumpRecord::Kind::partition_delete},
    KindName{"RemoteLogSegmentMetadataSnapshot{", DumpRecord::Kind::snapshot},
};

/// Where the record's text begins, and which it is.
struct Beginning {
  std::size_t at = 0;
  const KindName* kind = nullptr;
};

Beginning find_record(std::string_view line) {
  constexpr std::string_view common = "Remote";
  std::size_t from = 0;
  while (true) {
    const auto found = find(line.substr(from), common);
    if (found == std::string_view::npos) return {};
    const auto at = from + found;
    for (const auto& kind : kind_names) {
      if (line.substr(at, kind.name.size()) == kind.name) return {at, &kind};
    }
    from = at + common.size();
  }
}

bool is_topic_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

bool is_topic_name(std::string_view text) {
  if (text.empty() || text.size() > 249) return false;
  for (const char c : text)
    if (!is_topic_character(c)) return false;
  return true;
}

bool is_state_name(std::string_view text) {
  if (text.empty() || text.size() > 64) return false;
  for (const char c : text)
    if (!(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_') return false;
  return true;
}

constexpr std::array<bool, 256> make_marks() {
  std::array<bool, 256> marks{};
  for (const char c : std::string_view{",{}[]"}) marks[static_cast<unsigned char>(c)] = true;
  return marks;
}
/// The characters that a value's end may have to do with.
constexpr auto is_mark = make_marks();

/// `name=value` pairs inside one pair of braces, brackets inside values matched.
class Fields {
 public:
  /// `text` begins behind the opening brace.
  explicit Fields(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  bool next(std::string_view& name, std::string_view& value) {
    if (at_ < text_.size() && text_[at_] == '}') {
      is_closed_ = true;
      return false;
    }
    const auto* const equals = static_cast<const char*>(std::memchr(text_.data() + at_, '=', text_.size() - at_));
    if (equals == nullptr) return false;
    const auto end_of_name = static_cast<std::size_t>(equals - text_.data());
    name = text_.substr(at_, end_of_name - at_);
    std::size_t end = end_of_name + 1;
    int depth = 0;
    for (; end < text_.size(); ++end) {
      const char c = text_[end];
      if (!is_mark[static_cast<unsigned char>(c)]) continue;
      if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (depth == 0) break;
        --depth;
      } else if (c == ',' && depth == 0) {
        break;
      }
    }
    if (end == text_.size()) return false;
    value = text_.substr(end_of_name + 1, end - end_of_name - 1);
    at_ = text_[end] == ',' ? end + 1 + (end + 1 < text_.size() && text_[end + 1] == ' ' ? 1 : 0) : end;
    return true;
  }
  bool is_closed() const { return is_closed_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool is_closed_ = false;
};

/// Cut at the first `:` and the last `-`.
bool parse_topic_partition(std::string_view text, DumpRecord& record) {
  const auto colon = text.find(':');
  const auto dash = text.rfind('-');
  if (colon == std::string_view::npos || dash == std::string_view::npos || dash < colon) return false;
  const auto topic_id = uuid_from_base64(text.substr(0, colon));
  record.topic = text.substr(colon + 1, dash - colon - 1);
  if (!topic_id || !is_topic_name(record.topic)) return false;
  record.topic_id = *topic_id;
  return parse_number(text.substr(dash + 1), record.partition) && record.partition >= 0;
}

/// `RemoteLogSegmentId{topicIdPartition=..., id=...}`; nothing is wrong when nothing is returned.
std::string_view parse_segment_id(std::string_view text, DumpRecord& record, std::string_view& found) {
  const auto brace = text.find('{');
  if (brace == std::string_view::npos) return "remoteLogSegmentId is no RemoteLogSegmentId{...}";
  Fields fields{text.substr(brace + 1)};
  std::string_view name;
  std::string_view value;
  bool has_partition = false;
  bool has_id = false;
  while (fields.next(name, value)) {
    found = value;
    if (name == "topicIdPartition") {
      has_partition = parse_topic_partition(value, record);
      if (!has_partition) return "topicIdPartition is no TOPIC_ID:TOPIC-PARTITION";
    } else if (name == "id") {
      const auto id = uuid_from_base64(value);
      if (!id || *id == Uuid{}) return bad_id;
      record.id = *id;
      has_id = true;
    }
  }
  found = text;
  return has_partition && has_id ? "" : "remoteLogSegmentId lacks its topicIdPartition or its id";
}

/// Reads the first field at once where it stands as every version so far prints it: most of a line. Returns how much of
/// `text` that was; 0 leaves it to be read field by field.
std::size_t read_usual_id(std::string_view text, DumpRecord& record) {
  constexpr std::string_view before = "remoteLogSegmentId=RemoteLogSegmentId{topicIdPartition=";
  constexpr std::string_view between = ", id=";
  constexpr std::string_view behind = "}, ";
  if (text.substr(0, before.size()) != before) return 0;
  const auto comma = text.find(',', before.size());
  if (comma == std::string_view::npos || text.substr(comma, between.size()) != between) return 0;
  const auto id_at = comma + between.size();
  if (id_at + id_size > text.size() || text.substr(id_at + id_size, behind.size()) != behind) return 0;
  const auto id = uuid_from_base64(text.substr(id_at, id_size));
  if (!id || *id == Uuid{} || !parse_topic_partition(text.substr(before.size(), comma - before.size()), record))
    return 0;
  record.id = *id;
  return id_at + id_size + behind.size();
}

std::string_view no_number(bool is_number, std::string_view what) { return is_number ? std::string_view{} : what; }

/// What is wrong with a field, and in `found` the value that is; nothing when all is well.
std::string_view read_field(std::string_view name, std::string_view value, DumpRecord& record,
                            std::string_view& found) {
  found = value;
  if (name == "remoteLogSegmentId") return parse_segment_id(value, record, found);
  if (name == "topicPartition")
    return parse_topic_partition(value, record) ? "" : "topicPartition is no TOPIC_ID:TOPIC-PARTITION";
  if (name == "state") {
    record.state = value;
    return is_state_name(value) ? "" : "the state is no name of one";
  }
  if (name == "eventTimestampMs")
    return no_number(parse_number(value, record.event_ms) && is_time(record.event_ms), "eventTimestampMs is no time");
  if (name == "brokerId") return no_number(parse_number(value, record.broker), "brokerId is no number");
  if (name == "startOffset") return no_number(parse_number(value, record.start_offset), "startOffset is no number");
  if (name == "endOffset") return no_number(parse_number(value, record.end_offset), "endOffset is no number");
  if (name == "maxTimestampMs")
    return no_number(parse_number(value, record.max_timestamp_ms), "maxTimestampMs is no number");
  if (name == "segmentSizeInBytes")
    return no_number(parse_number(value, record.size_bytes) && record.size_bytes >= 0 &&
                         record.size_bytes <= std::int64_t{INT32_MAX},
                     "segmentSizeInBytes is no size");
  if (name == "segmentLeaderEpochs") {
    const bool is_map = value.size() >= 2 && value.front() == '{' && value.back() == '}';
    record.epochs = is_map ? value.substr(1, value.size() - 2) : std::string_view{};
    if (!is_map || record.epochs.find_first_not_of("0123456789=, -") != std::string_view::npos)
      return "segmentLeaderEpochs is no map of epochs to offsets";
  }
  return {};
}

std::string_view what_is_missing(const DumpRecord& record) {
  using Kind = DumpRecord::Kind;
  if (record.kind == Kind::snapshot) return {};
  if (record.partition < 0)
    return record.kind == Kind::partition_delete ? "no topicPartition" : "no remoteLogSegmentId";
  if (record.state.empty()) return "no state";
  if (record.event_ms == DumpRecord::no_time) return "no eventTimestampMs";
  if (record.kind != Kind::segment) return {};
  if (record.start_offset < 0) return "startOffset is missing or negative";
  if (record.end_offset < 0) return "endOffset is missing or negative";
  if (record.end_offset < record.start_offset) return bad_order;
  return {};
}

/// What stands before the record: `partition: 29, offset: 4, value: ` or `| offset: 4 CreateTime: 17... payload: `.
DumpPlace read_place(std::string_view prefix) {
  DumpPlace place;
  if (prefix.ends_with("value: ")) {
    const auto at = prefix.rfind("partition: ");
    if (at == std::string_view::npos) return place;
    place.metadata_partition = leading_number<std::int32_t>(prefix.substr(at + 11));
    place.offset = number_after<std::int64_t>(prefix.substr(at), ", offset: ");
  } else if (prefix.ends_with("payload: ")) {
    const auto at = prefix.rfind("| offset: ");
    if (at == std::string_view::npos) return place;
    place.offset = leading_number<std::int64_t>(prefix.substr(at + 10));
    place.create_ms = number_after<std::int64_t>(prefix.substr(at), "CreateTime: ");
  }
  // Kafka's -1 stands for none.
  if (place.create_ms && (*place.create_ms == -1 || !is_time(*place.create_ms))) place.create_ms.reset();
  if (place.offset && *place.offset < 0) place.offset.reset();
  if (place.metadata_partition && *place.metadata_partition < 0) place.metadata_partition.reset();
  return place;
}

DumpLine read_other_line(std::string_view line) {
  // Behind `payload: ` or `key: `, or on a line of its own.
  constexpr std::string_view error = "Error at offset ";
  constexpr std::string_view dumping = "Dumping ";
  constexpr std::string_view skipping = ", skipping.";
  const auto at = find(line, error);
  const auto message = at == std::string_view::npos ? at : find(line.substr(at), skipping);
  if (message != std::string_view::npos) {
    const auto rest = line.substr(at + error.size());
    DumpLine result{.is = DumpLine::Is::undecodable, .place = read_place(line.substr(0, at))};
    if (!result.place.offset) result.place.offset = leading_number<std::int64_t>(rest);
    result.reason = line.substr(at + message + skipping.size());
    while (result.reason.starts_with(' ')) result.reason.remove_prefix(1);
    return result;
  }
  if (line.starts_with(dumping)) return {.is = DumpLine::Is::file_begins, .reason = line.substr(dumping.size())};
  return {};
}

}  // namespace

std::string reason_text(const DumpLine& line) {
  const auto& record = line.record;
  if (line.reason == bad_order)
    return fmt::format("endOffset {} before startOffset {}", record.end_offset, record.start_offset);
  if (line.reason == bad_id && line.found.size() != id_size)
    return fmt::format("id {} has {} characters, not {}", sim::quoted(line.found), line.found.size(), id_size);
  if (line.reason == bad_id) return fmt::format("id {} is none", sim::quoted(line.found));
  return line.found.empty() ? std::string{line.reason} : fmt::format("{}: {}", line.reason, sim::quoted(line.found));
}

std::optional<std::int32_t> metadata_partition_of_path(std::string_view path) {
  const auto at = path.rfind(metadata_topic);
  if (at == std::string_view::npos) return std::nullopt;
  const auto number = leading_number<std::int32_t>(path.substr(at + metadata_topic.size()));
  return number && *number >= 0 ? number : std::nullopt;
}

DumpLine read_dump_line(std::string_view line) {
  const auto beginning = find_record(line);
  if (beginning.kind == nullptr) return read_other_line(line);
  DumpLine result{.is = DumpLine::Is::unreadable, .place = read_place(line.substr(0, beginning.at))};
  auto& record = result.record;
  record.kind = beginning.kind->kind;
  const auto text = line.substr(beginning.at + beginning.kind->name.size());
  Fields fields{text, read_usual_id(text, record)};
  std::string_view name;
  std::string_view value;
  while (fields.next(name, value)) {
    result.reason = read_field(name, value, record, result.found);
    if (!result.reason.empty()) return result;
  }
  result.found = {};
  if (!fields.is_closed()) {
    result.is = DumpLine::Is::cut_off;
    result.reason = "the record's braces do not close";
    return result;
  }
  result.reason = what_is_missing(record);
  if (result.reason.empty()) result.is = DumpLine::Is::record;
  return result;
}

}  // namespace reports
