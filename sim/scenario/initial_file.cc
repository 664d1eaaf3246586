#include "sim/scenario/initial_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "sim/scenario/csv_reader.h"
#include "sim/scenario/ini.h"
#include "sim/scenario/option_rows.h"

namespace sim {

namespace {

using State = RemoteLogSegmentState;

constexpr std::size_t column_count = 17;
constexpr Range any_offset{0, std::numeric_limits<std::int64_t>::max() / 4};
constexpr Range any_instant{-any_time.greatest / 1'000, any_time.greatest / 1'000};

using Reader = io::CSVReader<column_count, io::trim_chars<' ', '\t'>, io::double_quote_escape<',', '"'>,
                             io::throw_on_overflow, io::single_and_empty_line_comment<'#'>>;

/// The fields of one row, as they stand there.
struct Row {
  std::string time, broker, topic, partition, leader_epoch, segment_id, start, end, size, from, to, cause, event;
  std::string stored, max_timestamp, epochs, local;
};

std::vector<std::string> state_names() {
  std::vector<std::string> names;
  for (int i = 0; i < remote_log_segment_state_count; ++i) names.emplace_back(to_string(static_cast<State>(i)));
  return names;
}

/// The shortest story that ends in `state`. A delete of which nobody says what it deletes follows a failed copy: what
/// was finished would let the next copy begin behind it.
std::vector<State> story_of(State state) {
  using enum RemoteLogSegmentState;
  if (state == copy_segment_started) return {state};
  if (state == delete_segment_finished) return {copy_segment_started, delete_segment_started, state};
  return {copy_segment_started, state};
}

class InitialReader {
 public:
  InitialReader(const std::string& path, const InitialTopic& topic, InputErrors& errors)
      : topic_(topic), errors_(errors) {
    file_.path = path;
  }

  std::optional<InitialFile> read(std::string_view text) {
    file_.text = text;
    std::string clean;
    for_each_line(file_.path, text, errors_, [&](std::string_view line, int) { (clean += line) += '\n'; });
    if (!errors_.empty()) return std::nullopt;
    read_rows(clean);
    if (errors_.empty()) finish();
    if (!errors_.empty()) return std::nullopt;
    return std::move(file_);
  }

 private:
  /// What the rows have said of a copy.
  struct Told {
    std::uint32_t copy = 0;
    bool max_timestamp = false;
    bool epochs = false;
  };

  void read_rows(const std::string& clean) {
    const std::vector<std::string> columns = split_list(initial_columns, ",");
    Reader reader{file_.path, clean.data(), clean.data() + clean.size()};
    const bool has_header = read_guarded(file_.path, reader, columns, errors_, [&] {
      reader.read_header(io::ignore_missing_column, "time_ms", "broker", "topic", "partition", "leader_epoch",
                         "segment_id", "start_offset", "end_offset", "size_bytes", "from_state", "to_state", "cause",
                         "event", "stored_bytes", "max_timestamp_ms", "segment_epochs", "local");
    });
    if (!has_header) return;
    origin_ = {file_.path, static_cast<int>(reader.get_file_line())};
    for (const char* const column : {"segment_id", "start_offset", "end_offset", "size_bytes", "to_state"}) {
      if (!reader.has_column(column)) error(fmt::format("the header lacks the column '{}'", column));
    }
    if (!errors_.empty()) return;
    for (bool more = true; more;) {
      Row row;
      const bool parsed = read_guarded(file_.path, reader, columns, errors_, [&] {
        more = reader.read_row(row.time, row.broker, row.topic, row.partition, row.leader_epoch, row.segment_id,
                               row.start, row.end, row.size, row.from, row.to, row.cause, row.event, row.stored,
                               row.max_timestamp, row.epochs, row.local);
      });
      if (!more || !parsed) continue;
      origin_.line = static_cast<int>(reader.get_file_line());
      if (row.topic.empty() || row.topic == topic_.name) {
        take(row);
      } else if (other_topic_.empty()) {
        other_topic_ = row.topic;
      }
    }
  }

  void error(std::string message) { errors_.add(origin_, std::move(message)); }

  /// The field's number; `fallback` when it is empty, or wrong, which is an error.
  std::int64_t integer(std::string_view column, const std::string& text, std::int64_t fallback, Range range) {
    if (text.empty()) return fallback;
    const auto value = parse_integer(text);
    if (!value) {
      error(fmt::format("{}: {}", column, value.error()));
    } else if (*value < range.least || *value > range.greatest) {
      error(fmt::format("{}: {} is not within {} and {}", column, *value, range.least, range.greatest));
    } else {
      return *value;
    }
    return fallback;
  }

  std::optional<State> state(std::string_view column, const std::string& text) {
    const std::vector<std::string> names = state_names();
    const auto found = std::find(names.begin(), names.end(), text);
    if (found != names.end()) return static_cast<State>(found - names.begin());
    error(fmt::format("{}: unknown state {}{}", column, quoted(text), suggestion(text, names)));
    return std::nullopt;
  }

  void take(const Row& row) {
    const auto id = uuid_from_base64(row.segment_id);
    if (!id) {
      return error(fmt::format("segment_id: {} is no id: 22 characters, as Kafka prints it", quoted(row.segment_id)));
    }
    const auto to = state("to_state", row.to);
    if (!to) return;
    auto known = told_.find(*id);
    if (known == told_.end()) {
      const auto copy = new_copy(*id, row);
      if (!copy) return;
      known = told_.emplace(*id, Told{static_cast<std::uint32_t>(file_.copies.size()), false, false}).first;
      file_.copies.push_back(*copy);
      begin_story(known->second.copy, row, *to);
    } else {
      check_same(file_.copies[known->second.copy], row);
      go_on(known->second.copy, row, *to);
    }
    take_extras(known->second, row);
  }

  std::optional<InitialCopy> new_copy(Uuid id, const Row& row) {
    bool is_whole = true;
    for (const auto& [column, text] :
         {std::pair{"start_offset", &row.start}, {"end_offset", &row.end}, {"size_bytes", &row.size}}) {
      if (!text->empty()) continue;
      error(fmt::format("{} is missing", column));
      is_whole = false;
    }
    if (!is_whole) return std::nullopt;
    InitialCopy copy;
    copy.id = id;
    copy.partition = static_cast<std::int32_t>(integer("partition", row.partition, 0, {0, topic_.partitions - 1}));
    copy.start_offset = Offset{integer("start_offset", row.start, 0, any_offset)};
    copy.end_offset = Offset{integer("end_offset", row.end, copy.start_offset.value(), any_offset)};
    copy.size = Bytes{integer("size_bytes", row.size, 0, any_size)};
    if (copy.end_offset < copy.start_offset) {
      error(fmt::format("end_offset: {} is below start_offset, {}", copy.end_offset, copy.start_offset));
      return std::nullopt;
    }
    return copy;
  }

  void check_same(const InitialCopy& copy, const Row& row) {
    const auto check = [&](std::string_view column, const std::string& text, std::int64_t before) {
      const std::int64_t value = integer(column, text, before, any_offset);
      if (value != before)
        error(fmt::format("{}: {}, but a row before says {} of this segment", column, value, before));
    };
    check("partition", row.partition, copy.partition);
    check("start_offset", row.start, copy.start_offset.value());
    check("end_offset", row.end, copy.end_offset.value());
    check("size_bytes", row.size, copy.size.value());
  }

  /// The first row of a segment: what it leaves out of the story before it is told first.
  void begin_story(std::uint32_t copy, const Row& row, State to) {
    if (!row.from.empty()) {
      const auto from = state("from_state", row.from);
      if (!from) return;
      for (const State before : story_of(*from)) add_event(copy, row, before);
      return go_on(copy, row, to);
    }
    for (const State step : story_of(to)) add_event(copy, row, step);
  }

  void go_on(std::uint32_t copy, const Row& row, State to) {
    const State before = file_.copies[copy].state;
    if (!row.from.empty() && row.from != to_string(before)) {
      return error(fmt::format("from_state: {}, but the segment is {} by then", quoted(row.from), to_string(before)));
    }
    if (!is_valid_transition(TransitionTable::kip, before, to)) {
      return error(fmt::format("to_state: {} cannot follow {}", to_string(to), to_string(before)));
    }
    add_event(copy, row, to);
  }

  void add_event(std::uint32_t copy, const Row& row, State to) {
    const std::int64_t time = integer("time_ms", row.time, 0, any_instant);
    if (time > 0) ++late_count_;
    const auto broker = static_cast<std::int32_t>(integer("broker", row.broker, 0, {0, topic_.brokers}));
    const auto epoch = static_cast<std::int32_t>(
        integer("leader_epoch", row.leader_epoch, -1, {-1, std::numeric_limits<std::int32_t>::max()}));
    file_.copies[copy].state = to;
    file_.events.push_back(
        {copy, to, BrokerId{broker}, LeaderEpoch{epoch}, from_milliseconds(std::min<std::int64_t>(time, 0))});
  }

  void take_extras(Told& told, const Row& row) {
    InitialCopy& copy = file_.copies[told.copy];
    if (!row.stored.empty()) copy.stored = Bytes{integer("stored_bytes", row.stored, 0, any_size)};
    if (!row.local.empty()) {
      const auto local = parse_bool(row.local);
      if (!local) return error(fmt::format("local: {}", local.error()));
      copy.local = *local;
    }
    if (!row.max_timestamp.empty()) {
      const SimTime time = from_milliseconds(integer("max_timestamp_ms", row.max_timestamp, 0, any_instant));
      if (told.max_timestamp && copy.max_timestamp != time)
        error(fmt::format("max_timestamp_ms: {}, but a row before says {} of this segment", to_milliseconds(time),
                          to_milliseconds(copy.max_timestamp)));
      copy.max_timestamp = time;
      told.max_timestamp = true;
    }
    take_epochs(told, copy, row);
  }

  void take_epochs(Told& told, InitialCopy& copy, const Row& row) {
    if (row.epochs.empty()) {
      if (!copy.epochs.empty()) return;
      const auto epoch = integer("leader_epoch", row.leader_epoch, 0, any_value);
      copy.epochs = {{LeaderEpoch{static_cast<std::int32_t>(std::max<std::int64_t>(epoch, 0))}, copy.start_offset}};
      return;
    }
    auto entries = parse_epochs(row.epochs);
    if (!entries) return error(fmt::format("segment_epochs: {}", entries.error()));
    if (entries->front().start_offset > copy.start_offset || entries->back().start_offset > copy.end_offset) {
      return error(
          fmt::format("segment_epochs: {}: the first begins at or before start_offset, {}, the last at or "
                      "before end_offset, {}",
                      quoted(row.epochs), copy.start_offset, copy.end_offset));
    }
    // As Kafka clamps an overlapping upload's.
    while (entries->size() > 1 && (*entries)[1].start_offset <= copy.start_offset &&
           (*entries)[0].start_offset < copy.start_offset) {
      entries->erase(entries->begin());
    }
    entries->front().start_offset = copy.start_offset;
    if (told.epochs && copy.epochs != *entries)
      error(fmt::format("segment_epochs: {}, but a row before says otherwise of this segment", quoted(row.epochs)));
    copy.epochs = std::move(*entries);
    told.epochs = true;
  }

  void finish() {
    if (file_.copies.empty() && !other_topic_.empty()) {
      return errors_.add({file_.path, 0}, fmt::format("no row is of topic {}; there is {}{}", quoted(topic_.name),
                                                      quoted(other_topic_), suggestion(other_topic_, topic_.topics)));
    }
    std::stable_sort(file_.events.begin(), file_.events.end(), [this](const InitialEvent& a, const InitialEvent& b) {
      return file_.copies[a.copy].partition < file_.copies[b.copy].partition;
    });
    if (late_count_ > 0) {
      file_.notes.push_back(
          fmt::format("{}: {} records are later than time 0 and count as of time 0", file_.path, late_count_));
    }
    note_gaps();
  }

  /// Kafka copies in order: what no finished segment has although later offsets are finished was lost, or is missing in
  /// the file.
  void note_gaps() {
    std::vector<const InitialCopy*> finished;
    for (const InitialCopy& copy : file_.copies) {
      if (copy.state == State::copy_segment_finished) finished.push_back(&copy);
    }
    std::sort(finished.begin(), finished.end(), [](const InitialCopy* a, const InitialCopy* b) {
      return std::tuple{a->partition, a->start_offset, a->id} < std::tuple{b->partition, b->start_offset, b->id};
    });
    constexpr std::size_t told_most = 3;
    std::size_t count = 0;
    const InitialCopy* before = nullptr;  // The one that reaches furthest.
    for (const InitialCopy* const copy : finished) {
      const bool is_same = before != nullptr && before->partition == copy->partition;
      if (is_same && copy->start_offset > next(before->end_offset) && ++count <= told_most) {
        file_.notes.push_back(fmt::format(
            "{}: {}-{}: no finished segment has offsets {} to {}, although later ones are finished: they are taken to "
            "be "
            "on disk",
            file_.path, topic_.name, copy->partition, next(before->end_offset), previous(copy->start_offset)));
      }
      if (!is_same || copy->end_offset > before->end_offset) before = copy;
    }
    if (count > told_most) {
      file_.notes.push_back(fmt::format("{}: {} more such gaps", file_.path, count - told_most));
    }
  }

  const InitialTopic& topic_;
  InputErrors& errors_;
  InitialFile file_;
  KeyOrigin origin_;
  std::map<Uuid, Told> told_;
  /// The first row's that is not of this topic.
  std::string other_topic_;
  std::size_t late_count_ = 0;
};

}  // namespace

std::span<const InitialEvent> events_of(const InitialFile& file, std::int32_t partition) {
  const auto below = [&](const InitialEvent& event, std::int32_t wanted) {
    return file.copies[event.copy].partition < wanted;
  };
  const auto first = std::lower_bound(file.events.begin(), file.events.end(), partition, below);
  return {first, std::lower_bound(first, file.events.end(), partition + 1, below)};
}

std::optional<InitialFile> read_initial_file(const std::string& path, std::string_view text, const InitialTopic& topic,
                                             InputErrors& errors) {
  InitialReader reader{path, topic, errors};
  return reader.read(text);
}

}  // namespace sim
