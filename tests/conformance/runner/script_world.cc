#include "tests/conformance/runner/script_world.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/policies/policies.h"
#include "sim/scenario/names.h"

namespace tests::conformance {
namespace {

using model::Offset;
using model::RemoteLogSegment;
using model::RemoteLogSegmentMetadata;
using model::RemoteLogSegmentState;
using model::TaskKind;

TaskWorldSettings settings_of(const Script& script, const Version& version, const SetUp& set_up) {
  TaskWorldSettings settings;
  settings.make_policy = version.make_policy;
  settings.options = set_up.broker;
  settings.copy_quota = set_up.broker.copy_max_bytes_per_second;
  settings.start = model::from_milliseconds(script.clock);
  settings.start_since_1970 = model::Duration{0};
  settings.manual_ticks = true;
  return settings;
}

bool is_publish(Call call) { return call < Call::copy; }

std::string to_text(const model::EpochEntries& entries) {
  std::vector<std::string> parts;
  for (const model::EpochEntry& entry : entries) parts.push_back(fmt::format("{}:{}", entry.epoch, entry.start_offset));
  return fmt::format("{}", fmt::join(parts, ","));
}

std::string to_text(Call call) {
  return is_publish(call) ? fmt::format("publish {}", tests::to_string(call)) : std::string{tests::to_string(call)};
}

std::string_view outcome_of(const Answer& answer, std::optional<model::CacheAnswer> cache_answer) {
  if (answer.by_interrupt) return "interrupted";
  if (answer.storage_error) {
    switch (*answer.storage_error) {
      case model::RemoteStorageError::permanent:
        return "permanent";
      case model::RemoteStorageError::retriable:
        return "retriable";
      case model::RemoteStorageError::unchecked:
        return "unchecked";
      case model::RemoteStorageError::fatal:
        return "error";
    }
  }
  if (answer.is_late) return "late";
  if (answer.metadata_error) return answer.is_stored ? "unknown" : "refused";
  return cache_answer.value_or(model::CacheAnswer::applied) == model::CacheAnswer::applied ? "ok" : "dropped";
}

}  // namespace

std::span<const Version> versions() {
  static const std::array<Version, 4> list{{
      {"3.9", &model::make_kafka_3_9, false},
      {"4.0", &model::make_kafka_4_0, false},
      {"4.2", &model::make_kafka_4_2, true},
      {"4.3", &model::make_kafka_4_3, true},
  }};
  return list;
}

ScriptWorld::ScriptWorld(const Script& script, const Version& version)
    : script_(script),
      version_(version),
      set_up_(read_set_up(script)),
      world_(settings_of(script, version, set_up_)),
      log_start_(set_up_.log.log_start_offset()),
      highest_remote_(set_up_.log.highest_offset_in_remote_storage()) {
  world_.observe(*this);
  world_.log() = set_up_.log;
  world_.topic_options() = set_up_.topic;
  for (const NamedCopy& copy : set_up_.copies) add_copy(copy);
}

std::vector<std::string> ScriptWorld::run() {
  for (const Line& line : script_.actions) {
    lines_.push_back("> " + line.text);
    deliver_late();
    Words words{script_, line};
    act(words, actions(), "action");
    words.end();
    print_changes();
  }
  check_end();
  return std::move(lines_);
}

void ScriptWorld::check_end() const {
  const Words last{script_, script_.actions.back()};
  for (const TaskKind kind : {TaskKind::copy, TaskKind::expiration}) {
    if (world_.parked_call(kind)) last.fail(fmt::format("the {} run still stands at the end", model::to_string(kind)));
  }
  for (int i = 0; i < call_count; ++i) {
    const auto call = static_cast<Call>(i);
    if (world_.queued_count(call) == 0) continue;
    last.fail(fmt::format("no call took an outcome of {}", to_text(call)));
  }
}

void ScriptWorld::act(Words& words, std::span<const NamedAction> choices, std::string_view what) {
  std::vector<std::string_view> names;
  for (const NamedAction& choice : choices) names.push_back(choice.name);
  const std::size_t chosen = words.choice(what, names);
  (this->*choices[chosen].action)(words);
}

// ---- What the model does ----

void ScriptWorld::called(Call, const RemoteLogSegmentMetadata& metadata) {
  const std::uint32_t number = metadata.segment->number;
  if (names_.size() <= number) names_.resize(number + 1);
  if (names_[number].empty()) names_[number] = fmt::format("#{}", ++copy_count_);
  print_changes();
}

void ScriptWorld::answered(Call call, const RemoteLogSegmentMetadata& metadata, const Answer& answer,
                           std::optional<model::CacheAnswer> cache_answer) {
  if (is_publish(call)) return print_publish(metadata, answer, cache_answer);
  std::string line =
      fmt::format("store {} {} -> {}", to_text(call), name_of(*metadata.segment), outcome_of(answer, cache_answer));
  if (answer.custom_metadata_size > 0) line += fmt::format(" custom={}", answer.custom_metadata_size);
  print(std::move(line));
}

void ScriptWorld::print_publish(const RemoteLogSegmentMetadata& metadata, const Answer& answer,
                                std::optional<model::CacheAnswer> cache_answer) {
  const RemoteLogSegment& segment = *metadata.segment;
  std::string line = fmt::format("publish {} {}", short_name(metadata.state), name_of(segment));
  if (metadata.state == RemoteLogSegmentState::copy_segment_started) {
    line += fmt::format(" {}-{} size={} epochs={} broker={}", segment.start_offset, segment.end_offset, segment.size,
                        to_text(segment.segment_leader_epochs), metadata.broker_id);
  }
  print(fmt::format("{} -> {}", line, outcome_of(answer, cache_answer)));
  if (answer.is_late) late_.push_back(metadata);
}

void ScriptWorld::run_ended(TaskKind kind, model::RunEnd end) {
  print_changes();
  if (kind == TaskKind::partition_deletion && end != model::RunEnd::done) print("failed");
  print(end == model::RunEnd::fatal ? "end Error" : "end");
  run_has_ended_ = true;
}

void ScriptWorld::run_spins() {
  print_changes();
  print("spins");
  run_has_ended_ = true;
}

void ScriptWorld::print_changes() {
  const model::UnifiedLog& log = world_.log();
  const auto print_change = [this](std::string_view what, Offset& before, Offset now) {
    if (before != now) print(fmt::format("{} {} -> {}", what, before, now));
    before = now;
  };
  print_change("log-start", log_start_, log.log_start_offset());
  print_change("highest-remote", highest_remote_, log.highest_offset_in_remote_storage());
}

void ScriptWorld::print_copies(const std::vector<RemoteLogSegmentMetadata>& copies) {
  if (copies.empty()) print("none");
  for (const RemoteLogSegmentMetadata& copy : copies) {
    const RemoteLogSegment& segment = *copy.segment;
    print(fmt::format("{} {} {}-{} size={} broker={} custom={}", name_of(segment), short_name(copy.state),
                      segment.start_offset, segment.end_offset, segment.size, copy.broker_id,
                      copy.custom_metadata_size));
  }
}

const RemoteLogSegment& ScriptWorld::add_segment(const NamedCopy& copy) {
  const RemoteLogSegment& segment = world_.add_segment(copy.segment);
  if (names_.size() <= segment.number) names_.resize(segment.number + 1);
  names_[segment.number] = copy.name;
  return segment;
}

void ScriptWorld::add_copy(const NamedCopy& copy) {
  const RemoteLogSegment& segment = add_segment(copy);
  const auto deliver = [&](RemoteLogSegmentState next) { world_.deliver(next_event(segment, next, copy.broker)); };
  using enum RemoteLogSegmentState;
  deliver(copy_segment_started);
  if (copy.state == delete_segment_finished) deliver(delete_segment_started);
  if (copy.state != copy_segment_started) deliver(copy.state);
}

RemoteLogSegmentMetadata ScriptWorld::next_event(const RemoteLogSegment& segment, RemoteLogSegmentState state,
                                                 model::BrokerId broker) const {
  return {&segment, world_.now(), state, broker, 0};
}

void ScriptWorld::deliver_late() {
  for (const RemoteLogSegmentMetadata& metadata : std::exchange(late_, {})) world_.deliver(metadata);
}

}  // namespace tests::conformance
