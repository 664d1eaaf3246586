#include "reports/segment_story.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reports/causes.h"
#include "reports/human.h"
#include "reports/run_files.h"
#include "reports/world_state.h"

namespace reports {
namespace {

constexpr std::size_t named_max = 8;
constexpr std::size_t path_end_max = 20;

std::string brief(const sim::WorldView& world, const RemoteLogSegment& segment) {
  return fmt::format("{} ({} [{},{}])", segment.id, partition_name(world, segment.partition), segment.start_offset,
                     segment.end_offset);
}

std::string cut(const std::vector<std::string>& names) {
  const auto shown = std::min(names.size(), named_max);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "");
}

Failed<std::string> no_such_id(const sim::WorldView& world, std::string_view text) {
  std::vector<std::string> ids;
  for (std::uint32_t i = 0; i < world.segment_count(); ++i) ids.push_back(fmt::format("{}", world.segment(i).id));
  if (ids.empty()) return Failed{fmt::format("no copy is called {}: there is none yet", sim::quoted(text))};
  const std::string nearest = sim::nearest_name(text, ids);
  const std::string near =
      nearest.empty() ? fmt::format("there are {}", cut(ids)) : fmt::format("nearest: {}", nearest);
  return Failed{
      fmt::format("no copy's id begins with {}; {}; TOPIC-PARTITION@OFFSET names copies too", sim::quoted(text), near)};
}

Result<std::vector<std::uint32_t>, std::string> find_by_id(const sim::WorldView& world, std::string_view text) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < world.segment_count(); ++i) {
    if (fmt::format("{}", world.segment(i).id).starts_with(text)) found.push_back(i);
  }
  if (found.empty()) return no_such_id(world, text);
  if (found.size() == 1) return found;
  std::vector<std::string> names;
  for (const std::uint32_t number : found) names.push_back(brief(world, world.segment(number)));
  return Failed{fmt::format("{} copies' ids begin with {}: {}", found.size(), sim::quoted(text), cut(names))};
}

Result<PartitionNumber, std::string> find_partition(const sim::WorldView& world, std::string_view name) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < world.partition_count(); ++i) {
    names.push_back(partition_name(world, PartitionNumber{i}));
    if (names.back() == name) return PartitionNumber{i};
  }
  return Failed{fmt::format("no partition is called {}{}", sim::quoted(name), sim::suggestion(name, names))};
}

Result<std::vector<std::uint32_t>, std::string> find_by_offset(const sim::WorldView& world, std::string_view name,
                                                               std::string_view offset_text) {
  const auto partition = find_partition(world, name);
  if (!partition) return Failed{partition.error()};
  const auto offset = sim::parse_integer(offset_text);
  if (!offset) return Failed{fmt::format("{}@{}: {}", name, offset_text, offset.error())};
  std::vector<std::uint32_t> found;
  std::vector<std::string> others;
  for (std::uint32_t i = 0; i < world.segment_count(); ++i) {
    const RemoteLogSegment& segment = world.segment(i);
    if (segment.partition != *partition) continue;
    if (segment.start_offset.value() <= *offset && *offset <= segment.end_offset.value()) found.push_back(i);
    others.push_back(fmt::format("[{},{}]", segment.start_offset, segment.end_offset));
  }
  if (!found.empty()) return found;
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return Failed{fmt::format("no copy of {} holds offset {}; its copies hold {}", name, *offset,
                            others.empty() ? "nothing yet" : cut(others))};
}

std::string describe_bytes(const sim::WorldView& world, const RemoteLogSegment& segment, sim::StoredAs stored_as) {
  std::vector<std::string> words;
  for (int i = 0; i < sim::object_kind_count; ++i) {
    const auto object = static_cast<sim::ObjectKind>(i);
    const Bytes bytes = world.stored(segment, object, stored_as);
    if (bytes > Bytes{0}) words.push_back(fmt::format("{} {}", to_string(object), human_bytes(bytes)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string describe_cause(const sim::WorldView& world, const sim::CopyReport& report) {
  const auto labels = fault_labels(world.scenario().faults);
  const auto describe_fault = [&](sim::FaultIndex fault) {
    return fault ? fmt::format("{} ({})", labels[*fault], world.scenario().faults[*fault].kind)
                 : std::string{"no fault of the plan had a hand in it"};
  };
  if (!report.leftover) {
    if (!report.fault) return "nothing failed, and it was never garbage";
    return fmt::format("it was never garbage; a call of it failed by {}", describe_fault(report.fault));
  }
  const sim::Leftover& row = *report.leftover;
  const std::string size = row.bytes == Bytes{0} ? "an entry without a byte behind it"
                                                 : fmt::format("{} of garbage at most", human_bytes(row.bytes));
  return fmt::format("{}, since {}: {}, at step {}", size, sim::format_time(row.became_garbage),
                     describe_fault(row.fault), to_string(row.step));
}

std::string describe_end(const sim::CopyReport& report) {
  if (report.leftover && report.leftover->reclaimed) {
    const sim::Leftover& row = *report.leftover;
    const std::string at = sim::format_time(*row.reclaimed);
    if (row.reclaimed_by == sim::Remover::none) return fmt::format("no garbage any more since {}", at);
    return fmt::format("gone since {}, by {}", at, to_string(row.reclaimed_by));
  }
  const bool has_entry = report.state && *report.state != RemoteLogSegmentState::delete_segment_finished;
  if (report.objects == Bytes{0} && report.parts == Bytes{0} && !has_entry)
    return fmt::format("gone, by {}", to_cause(report.last_step));
  if (report.due)
    return fmt::format("{} will remove it at {}", to_string(report.due_by), sim::format_time(*report.due));
  if (report.objects_class == sim::ByteClass::live || report.objects_class == sim::ByteClass::in_flight)
    return "it is in use, and nothing asks for its removal yet";
  return "as it stands nothing will remove it";
}

}  // namespace

Result<std::vector<std::uint32_t>, std::string> find_segments(const sim::WorldView& world, std::string_view text) {
  // An id's letters have no @.
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return find_by_id(world, text);
  return find_by_offset(world, text.substr(0, at), text.substr(at + 1));
}

SegmentPaths::SegmentPaths(std::vector<std::uint32_t> segments, std::uint64_t last)
    : segments_(std::move(segments)), last_(last), paths_(segments_.size()) {}

void SegmentPaths::begin(const sim::WorldView& world) { fault_labels_ = fault_labels(world.scenario().faults); }

void SegmentPaths::add(const RemoteLogSegment* segment, const sim::TraceRecord& record, const std::string& what) {
  if (segment == nullptr) return;
  const auto found = std::find(segments_.begin(), segments_.end(), segment->number);
  if (found == segments_.end()) return;
  Path& path = paths_[static_cast<std::size_t>(found - segments_.begin())];
  std::string line = fmt::format("    {}  #{}  {}\n", sim::format_time(record.time), record.number, what);
  ++path.count;
  if (path.first.size() < path_end_max) {
    path.first.push_back(std::move(line));
    return;
  }
  path.last.push_back(std::move(line));
  if (path.last.size() > path_end_max) path.last.pop_front();
}

void SegmentPaths::record(const sim::TraceRecord& record) {
  is_complete_ = record.number >= last_;
  if (record.number > last_) return;
  const auto by_fault = [&](sim::FaultIndex fault) { return fault ? ", " + fault_labels_[*fault] : std::string{}; };
  if (const auto* transition = std::get_if<sim::Transition>(&record.event)) {
    const std::string from = transition->from ? fmt::format("{} > ", to_string(*transition->from)) : "";
    add(transition->segment, record,
        fmt::format("{}{}{}, broker {}, {}", from, to_string(transition->to),
                    transition->applied ? "" : " (dropped as illegal)", transition->broker,
                    to_cause(transition->step)));
  } else if (const auto* call = std::get_if<sim::StorageCallEnded>(&record.event)) {
    add(call->segment, record,
        fmt::format("{} of broker {}'s {} task: {}{}", call->operation == sim::StoreOperation::put ? "copy" : "delete",
                    call->broker, to_string(call->task), to_string(call->result), by_fault(call->fault)));
  } else if (const auto* publish = std::get_if<sim::PublishEnded>(&record.event)) {
    if (publish->result == sim::CallResult::ok) return;
    add(publish->segment, record,
        fmt::format("publishing {} from broker {}: {}{}", to_string(publish->state), publish->broker,
                    to_string(publish->result), by_fault(publish->fault)));
  } else if (const auto* acted = std::get_if<sim::RemedyActed>(&record.event)) {
    add(acted->segment, record,
        fmt::format("{}: {} {}, {}", to_string(acted->remedy), to_string(acted->object), to_string(acted->finding),
                    to_string(acted->action)));
  }
}

std::string SegmentPaths::text(std::size_t place) const {
  const Path& path = paths_[place];
  std::string text = fmt::format("{}", fmt::join(path.first, ""));
  const std::size_t left_out = path.count - path.first.size() - path.last.size();
  if (left_out > 0) text += fmt::format("    ... {} more ...\n", left_out);
  return text + fmt::format("{}", fmt::join(path.last, ""));
}

std::string tell_segment(const sim::WorldView& world, const sim::Ledger& ledger, const RemoteLogSegment& segment,
                         std::string_view path) {
  const sim::CopyReport report = ledger.report_of(segment);
  std::string text =
      fmt::format("{} of {}, offsets {} to {}, {}\n", segment.id, partition_name(world, segment.partition),
                  segment.start_offset, segment.end_offset, human_bytes(segment.size));
  text += fmt::format("  state: {}\n", report.state ? to_string(*report.state) : "no entry");
  if (report.objects > Bytes{0}) {
    text += fmt::format("  stored: {} {}: {}\n", human_bytes(report.objects), to_string(report.objects_class),
                        describe_bytes(world, segment, sim::StoredAs::object));
  }
  if (report.parts > Bytes{0}) {
    text += fmt::format("  parts: {} {}: {}\n", human_bytes(report.parts), to_string(report.parts_class),
                        describe_bytes(world, segment, sim::StoredAs::parts));
  }
  if (report.objects == Bytes{0} && report.parts == Bytes{0}) text += "  stored: nothing\n";
  text += fmt::format("  path:\n{}", path);
  text += fmt::format("  cause: {}\n", describe_cause(world, report));
  text += fmt::format("  removal: {}\n", describe_end(report));
  return text;
}

}  // namespace reports
