#include "tests/conformance/runner/set_up.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include <fmt/format.h>

#include "model/check.h"
#include "sim/scenario/names.h"

namespace tests::conformance {
namespace {

using namespace std::chrono_literals;
using model::Bytes;
using model::Offset;
using model::SimTime;

/// Finds one row of an options struct and sets its member.
template <class Options>
struct OptionSetter {
  Words& words;
  Options& options;
  const std::string& key;
  const std::string& value;
  bool is_found = false;
  std::vector<std::string> names = {};

  template <class Member>
  void operator()(std::string_view name, Member member, model::Unit unit, model::Range, std::string_view) {
    names.emplace_back(name);
    if (name != key) return;
    is_found = true;
    using Value = std::remove_reference_t<decltype(options.*member)>;
    if constexpr (std::is_same_v<Value, bool>) {
      if (value != "true" && value != "false") words.fail(fmt::format("{} is true or false", key));
      options.*member = value == "true";
    } else {
      const std::int64_t number = words.to_integer(key, value);
      if constexpr (std::is_same_v<Value, model::Duration>) {
        options.*member = unit == model::Unit::seconds ? model::Duration{std::chrono::seconds{number}}
                                                       : model::Duration{std::chrono::milliseconds{number}};
      } else {
        options.*member = static_cast<Value>(number);
      }
    }
  }
};

template <class Options>
void read_options(Words& words, Options& options) {
  for (const auto& [key, value] : words.pairs()) {
    OptionSetter<Options> setter{words, options, key, value};
    Options::describe(setter);
    if (setter.is_found) continue;
    words.fail(fmt::format("{} is no configuration here{}", sim::quoted(key), sim::suggestion(key, setter.names)));
  }
}

template <class Options>
SimTime timestamp(Words& words, const Options& options, SimTime now) {
  const auto found = options.find("ts");
  return found == options.end() ? now : model::from_milliseconds(words.to_integer("ts", found->second));
}

/// Reads the lines in their order; what needs all of them comes at the end.
class Reader {
 public:
  explicit Reader(const Script& script) : script_(script), now_(model::from_milliseconds(script.clock)) {
    result_.topic.retention_time = -1ms;
  }

  SetUp read();

 private:
  void read_line(Words& words, const std::string& word);
  void read_segment(Words& words, bool is_active);
  void make_log();
  [[noreturn]] void fail(std::string what) const {
    throw ScriptError{script_.file, script_.set_up.empty() ? 1 : script_.set_up.back().number, std::move(what)};
  }

  const Script& script_;
  SimTime now_;
  SetUp result_;
  model::EpochEntries epochs_{{model::LeaderEpoch{0}, Offset{0}}};
  std::vector<model::LogSegment> segments_;
  std::optional<model::LogSegment> active_;
  std::optional<Offset> high_watermark_;
  std::optional<Offset> log_start_;
  std::optional<Offset> seeded_;
  std::vector<const Line*> remotes_;
};

SetUp Reader::read() {
  for (const Line& line : script_.set_up) {
    Words words{script_, line};
    const std::string word = words.word("a word");
    if (word == "remote") {
      remotes_.push_back(&line);
      continue;
    }
    read_line(words, word);
    words.end();
  }
  if (!active_) fail("there is no active segment");
  make_log();
  // The log may have cut its epochs at its start; copies know of all that the script says.
  model::LeaderEpochFileCache all_epochs;
  for (const model::EpochEntry& entry : epochs_) all_epochs.assign(entry.epoch, entry.start_offset);
  for (const Line* line : remotes_) {
    Words words{script_, *line};
    words.word("a word");
    result_.copies.push_back(read_copy(words, all_epochs, now_, true));
  }
  return std::move(result_);
}

void Reader::read_line(Words& words, const std::string& word) {
  if (word == "topic") {
    read_topic_options(words, result_.topic);
  } else if (word == "broker") {
    read_options(words, result_.broker);
  } else if (word == "epochs") {
    epochs_.clear();
    do {
      const model::EpochEntries entries = words.epochs("EPOCH:OFFSET");
      epochs_.insert(epochs_.end(), entries.begin(), entries.end());
    } while (!words.empty());
  } else if (word == "segment" || word == "active") {
    read_segment(words, word == "active");
  } else if (word == "high-watermark") {
    high_watermark_ = Offset{words.integer("an offset")};
  } else if (word == "log-start") {
    log_start_ = Offset{words.integer("an offset")};
  } else {
    seeded_ = Offset{words.integer("an offset")};
  }
}

void Reader::read_segment(Words& words, bool is_active) {
  if (active_) words.fail("the active segment is the last one");
  model::LogSegment segment;
  segment.base_offset = Offset{words.integer("START")};
  segment.next_offset = segment.base_offset;
  if (!is_active || (!words.empty() && !words.at_option())) segment.next_offset = next(Offset{words.integer("END")});
  const auto options = words.options({"size", "ts"});
  if (const auto size = options.find("size"); size != options.end()) {
    segment.size = Bytes{words.to_integer("size", size->second)};
  } else if (!is_active) {
    words.fail("size=N is missing");
  }
  segment.largest_timestamp = timestamp(words, options, now_);
  if (!is_active && segment.next_offset <= segment.base_offset) words.fail("the segment ends before it starts");
  if (!segments_.empty() && segments_.back().next_offset != segment.base_offset) {
    words.fail(fmt::format("the segment before it ends at {}", previous(segments_.back().next_offset)));
  }
  if (is_active) {
    active_ = segment;
  } else {
    segments_.push_back(segment);
  }
}

void Reader::make_log() {
  const Offset first = segments_.empty() ? active_->base_offset : segments_.front().base_offset;
  const Offset log_start = log_start_.value_or(first);
  const Offset base = std::min(first, log_start);
  model::UnifiedLog log{base, epochs_.front().epoch, now_};
  log.leader_epochs() = {};
  for (const model::EpochEntry& entry : epochs_) log.leader_epochs().assign(entry.epoch, entry.start_offset);
  // What lies below the local log was there once: the log starts lower than its first segment.
  if (base < first) log.add_closed_segment({base, first, Bytes{0}, now_});
  for (const model::LogSegment& segment : segments_) log.add_closed_segment(segment);
  log.start_local_log_at(first);
  if (active_->next_offset > active_->base_offset) {
    log.append(active_->next_offset - active_->base_offset, active_->size, active_->largest_timestamp);
  }
  const Offset high_watermark = high_watermark_.value_or(log.log_end_offset());
  if (high_watermark > log.log_end_offset()) fail("the high watermark is above the log end");
  log.set_high_watermark(high_watermark);
  if (log_start > high_watermark) fail("the log start is above the high watermark");
  const bool raised = log.maybe_increment_log_start_offset(log_start);
  CHECK(raised);
  log.leader_epochs().truncate_from_start(log_start);
  if (seeded_) log.update_highest_offset_in_remote_storage(*seeded_);
  result_.log = log;
}

}  // namespace

std::span<const std::string_view> state_names() {
  static constexpr std::array<std::string_view, 4> names{"CS", "CF", "DS", "DF"};
  return names;
}

std::string_view short_name(model::RemoteLogSegmentState state) {
  const auto id = static_cast<std::size_t>(state);
  return id < state_names().size() ? state_names()[id] : model::to_string(state);
}

SetUp read_set_up(const Script& script) { return Reader{script}.read(); }

NamedCopy read_copy(Words& words, const model::LeaderEpochFileCache& log_epochs, SimTime now, bool with_state) {
  NamedCopy copy;
  copy.name = words.word("a name");
  copy.segment.start_offset = Offset{words.integer("START")};
  copy.segment.end_offset = Offset{words.integer("END")};
  if (copy.segment.end_offset < copy.segment.start_offset) words.fail("the copy ends before it starts");
  const auto options = with_state ? words.options({"size", "state", "epochs", "ts", "broker"})
                                  : words.options({"size", "epochs", "ts", "broker"});
  const auto value = [&](std::string_view key) {
    const auto found = options.find(key);
    return found == options.end() ? nullptr : &found->second;
  };
  if (!value("size")) words.fail("size=N is missing");
  copy.segment.size = Bytes{words.to_integer("size", *value("size"))};
  copy.segment.max_timestamp = timestamp(words, options, now);
  if (const std::string* epochs = value("epochs")) {
    copy.segment.segment_leader_epochs = words.to_epochs("epochs", *epochs);
  } else {
    copy.segment.segment_leader_epochs =
        log_epochs.entries_between(copy.segment.start_offset, next(copy.segment.end_offset));
  }
  if (copy.segment.segment_leader_epochs.empty()) words.fail("the log knows no epoch of these offsets: say epochs=");
  if (const std::string* broker = value("broker")) {
    copy.broker = model::BrokerId{static_cast<std::int32_t>(words.to_integer("broker", *broker))};
  }
  if (!with_state) return copy;
  const std::string* state = value("state");
  if (!state) words.fail("state=STATE is missing");
  const auto names = state_names();
  const auto found = std::find(names.begin(), names.end(), *state);
  if (found == names.end()) {
    words.fail(fmt::format("{} is no state{}", sim::quoted(*state), sim::suggestion(*state, to_strings(names))));
  }
  copy.state = static_cast<model::RemoteLogSegmentState>(found - names.begin());
  return copy;
}

void read_topic_options(Words& words, model::TopicOptions& topic) { read_options(words, topic); }

}  // namespace tests::conformance
