#include "reports/world_state.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reports/human.h"
#include "reports/run_files.h"

namespace reports {
namespace {

constexpr std::size_t last_count = 20;
constexpr std::size_t list_max = 20;

constexpr std::array states{
    RemoteLogSegmentState::copy_segment_started,
    RemoteLogSegmentState::copy_segment_finished,
    RemoteLogSegmentState::delete_segment_started,
    RemoteLogSegmentState::delete_segment_finished,
    RemoteLogSegmentState::dangling,
};

bool is_unsettled(RemoteLogSegmentState state) {
  return state == RemoteLogSegmentState::copy_segment_started ||
         state == RemoteLogSegmentState::delete_segment_started || state == RemoteLogSegmentState::dangling;
}

/// Lines of which the later ones are only counted.
class CutList {
 public:
  void add(std::string_view line) {
    if (++count_ <= list_max) text_ += fmt::format("  {}\n", line);
  }
  bool has_room() {
    if (count_ < list_max) return true;
    ++count_;
    return false;
  }
  std::size_t count() const { return count_; }
  std::string text() const {
    return count_ <= list_max ? text_ : fmt::format("{}  and {} more\n", text_, count_ - list_max);
  }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

}  // namespace

std::string partition_name(const sim::WorldView& world, PartitionNumber partition) {
  return fmt::format("{}-{}", world.scenario().topics[world.topic_of(partition)].name, world.index_in_topic(partition));
}

WorldState::WorldState(const sim::WorldView& world, const sim::Ledger& ledger)
    : world_(world), ledger_(ledger), fault_labels_(fault_labels(world.scenario().faults)) {}

void WorldState::note(std::string happened) {
  if (happened_.size() <= list_max) happened_.push_back(std::move(happened));
}

void WorldState::record(const sim::TraceRecord& record) {
  last_.push_back(record);
  if (last_.size() > last_count) last_.pop_front();
  if (const auto* transition = std::get_if<sim::Transition>(&record.event)) {
    if (!transition->applied) return;
    const std::uint32_t number = transition->segment->number;
    if (number >= written_.size()) written_.resize(number + 1);
    written_[number] = {record.time, record.number, transition->broker, transition->to};
  } else if (const auto* change = std::get_if<sim::LeaderChanged>(&record.event)) {
    const std::uint32_t partition = change->partition.value();
    if (partition >= leaders_.size()) leaders_.resize(partition + 1);
    leaders_[partition] = {change->leader, change->epoch};
    note(fmt::format(
        "{}: {}", partition_name(world_, change->partition),
        change->leader.value() == 0 ? std::string{"nobody leads"} : fmt::format("broker {} leads", change->leader)));
  } else if (const auto* started = std::get_if<sim::FaultStarted>(&record.event)) {
    faults_[started->fault] = {record.time, 0};
    note(fmt::format("{} began", fault_labels_[started->fault]));
  } else if (const auto* ended = std::get_if<sim::FaultEnded>(&record.event)) {
    faults_.erase(ended->fault);
    note(fmt::format("{} ended", fault_labels_[ended->fault]));
  } else if (const auto* hit = std::get_if<sim::FaultHit>(&record.event)) {
    if (const auto found = faults_.find(hit->fault); found != faults_.end()) ++found->second.hits;
  }
}

std::string WorldState::describe_leaders() const {
  CutList list;
  for (std::uint32_t i = 0; i < leaders_.size(); ++i) {
    if (!list.has_room()) continue;
    const auto& [leader, epoch] = leaders_[i];
    const std::string name = partition_name(world_, PartitionNumber{i});
    if (leader.value() == 0) {
      list.add(fmt::format("{}: nobody, since epoch {}", name, epoch));
    } else {
      list.add(fmt::format("{}: broker {}, epoch {}{}", name, leader, epoch, world_.is_up(leader) ? "" : " (down)"));
    }
  }
  return fmt::format("leaders\n{}", list.text());
}

WorldState::Values WorldState::copies_by_state() const {
  Values counts;
  for (const RemoteLogSegmentState state : states) counts.emplace_back(to_string(state), 0);
  // Known once and no longer: its records are lost, or retention of the metadata topic took them.
  counts.emplace_back("forgotten", 0);
  for (std::uint32_t number = 0; number < written_.size(); ++number) {
    if (written_[number].event == 0) continue;
    std::optional<RemoteLogSegmentState> state = ledger_.state_of(world_.segment(number));
    if (!state && written_[number].state == RemoteLogSegmentState::delete_segment_finished)
      state = written_[number].state;
    const auto at = state ? std::find(states.begin(), states.end(), *state) - states.begin()
                          : static_cast<std::ptrdiff_t>(states.size());
    ++counts[static_cast<std::size_t>(at)].second;
  }
  return counts;
}

WorldState::Values WorldState::bytes_by_class() const {
  const sim::LedgerTotals& totals = ledger_.totals();
  Values bytes;
  for (int i = 0; i < sim::byte_class_count; ++i) {
    const auto byte_class = static_cast<sim::ByteClass>(i);
    bytes.emplace_back(to_string(byte_class), totals.of(byte_class).value());
  }
  bytes.emplace_back("garbage", totals.garbage().value());
  return bytes;
}

std::string WorldState::describe_faults() const {
  if (faults_.empty()) return "faults: none acts\n";
  CutList list;
  for (const auto& [fault, active] : faults_) {
    const sim::FaultRow& row = world_.scenario().faults[fault];
    list.add(fmt::format("{}: {} on {}, since {}, {} hits", fault_labels_[fault], row.kind, row.target_text,
                         sim::format_time(active.since), active.hits));
  }
  return fmt::format("faults\n{}", list.text());
}

std::string WorldState::describe_unsettled() const {
  CutList list;
  for (std::uint32_t number = 0; number < written_.size(); ++number) {
    const RemoteLogSegment& segment = world_.segment(number);
    const auto state = ledger_.state_of(segment);
    if (!state || !is_unsettled(*state) || !list.has_room()) continue;
    const sim::CopyReport report = ledger_.report_of(segment);
    const Written& written = written_[number];
    std::string bytes = "no byte behind it";
    if (report.objects > Bytes{0})
      bytes = fmt::format("{} {}", human_bytes(report.objects), to_string(report.objects_class));
    if (report.parts > Bytes{0}) bytes += fmt::format(", {} in parts", human_bytes(report.parts));
    list.add(fmt::format("{} {} [{},{}] {} since {} (#{}, broker {}): {}", segment.id,
                         partition_name(world_, segment.partition), segment.start_offset, segment.end_offset,
                         to_string(*state), sim::format_time(written.time), written.event, written.broker, bytes));
  }
  if (list.count() == 0) return "entries that are not settled: none\n";
  return fmt::format("entries that are not settled: {}\n{}", list.count(), list.text());
}

std::string WorldState::describe() {
  const auto join = [](const Values& values, const auto& word) {
    std::vector<std::string> words;
    for (const auto& [name, value] : values)
      if (value != 0) words.push_back(word(name, value));
    return words.empty() ? std::string{"none"} : fmt::format("{}", fmt::join(words, ", "));
  };
  shown_copies_ = copies_by_state();
  shown_bytes_ = bytes_by_class();
  happened_.clear();
  std::string text = fmt::format("the world at {}, after event #{}\n", sim::format_time(world_.now()), last_number());
  text += describe_leaders();
  text += fmt::format("copies: {}\n", join(shown_copies_, [](std::string_view name, std::int64_t count) {
                        return fmt::format("{} {}", count, name);
                      }));
  text += fmt::format("bytes: {}\n", join(shown_bytes_, [](std::string_view name, std::int64_t bytes) {
                        return fmt::format("{} {}", name, human_bytes(Bytes{bytes}));
                      }));
  text += describe_faults() + describe_unsettled();
  text += "last events\n";
  for (const sim::TraceRecord& record : last_) text += fmt::format("  {}\n", sim::describe(record));
  return text;
}

std::string WorldState::describe_changes() {
  std::string text;
  const auto add = [&text](std::string_view what, const Values& before, const Values& after, const auto& word) {
    for (std::size_t i = 0; i < after.size(); ++i) {
      const std::int64_t was = i < before.size() ? before[i].second : 0;
      if (was == after[i].second) continue;
      text += fmt::format("  {} {}: {} -> {}\n", what, after[i].first, word(was), word(after[i].second));
    }
  };
  Values copies = copies_by_state();
  Values bytes = bytes_by_class();
  add("copies", shown_copies_, copies, [](std::int64_t count) { return std::to_string(count); });
  add("bytes", shown_bytes_, bytes, [](std::int64_t amount) { return human_bytes(Bytes{amount}); });
  shown_copies_ = std::move(copies);
  shown_bytes_ = std::move(bytes);
  CutList list;
  for (const std::string& happened : happened_) list.add(happened);
  happened_.clear();
  text += list.text();
  return text.empty() ? "  copies, bytes, leaders and faults are as they were\n" : text;
}

}  // namespace reports
