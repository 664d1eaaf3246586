// The questions of a script: each asks the model and prints its answer.
#include <array>
#include <limits>

#include <fmt/format.h>

#include "sim/scenario/names.h"
#include "tests/conformance/runner/script_world.h"

namespace tests::conformance {
namespace {

using model::LeaderEpoch;
using model::Offset;
using model::RemoteLogSegmentState;

std::string to_text(std::optional<Offset> offset) { return offset ? fmt::format("{}", *offset) : "none"; }

LeaderEpoch epoch_of(Words& words) { return LeaderEpoch{static_cast<std::int32_t>(words.integer("an epoch"))}; }

}  // namespace

std::span<const ScriptWorld::NamedAction> ScriptWorld::questions() {
  using Self = ScriptWorld;
  static constexpr std::array<NamedAction, 7> list{{
      {"epoch", &Self::show_epoch},
      {"all", &Self::show_all},
      {"highest", &Self::show_highest},
      {"read", &Self::show_read},
      {"log", &Self::show_log},
      {"metrics", &Self::show_metrics},
      {"throttle", &Self::show_throttle},
  }};
  return list;
}

void ScriptWorld::show(Words& words) { act(words, questions(), "question"); }

void ScriptWorld::show_epoch(Words& words) {
  std::vector<model::RemoteLogSegmentMetadata> copies;
  world_.cache().list_remote_log_segments(epoch_of(words), copies);
  print_copies(copies);
}

void ScriptWorld::show_all(Words& words) {
  words.end();
  std::vector<model::RemoteLogSegmentMetadata> copies;
  world_.cache().list_all_remote_log_segments(copies);
  print_copies(copies);
}

void ScriptWorld::show_highest(Words& words) {
  print(to_text(world_.cache().highest_offset_for_epoch(epoch_of(words))));
}

void ScriptWorld::show_read(Words& words) {
  const LeaderEpoch epoch = epoch_of(words);
  const auto copy = world_.cache().remote_log_segment_metadata(epoch, Offset{words.integer("an offset")});
  print(copy ? name_of(*copy->segment) : "none");
}

void ScriptWorld::show_log(Words& words) {
  words.end();
  const model::UnifiedLog& log = world_.log();
  print(fmt::format("log: start={} local-start={} end={} high-watermark={} highest-remote={}", log.log_start_offset(),
                    log.local_log_start_offset(), log.log_end_offset(), log.high_watermark(),
                    log.highest_offset_in_remote_storage()));
}

void ScriptWorld::show_metrics(Words& words) {
  words.end();
  bool is_any = false;
  for (const model::MetricInfo& info : model::metrics()) {
    const std::int64_t value = world_.metrics().topic(0, info.metric);
    if (value == 0) continue;
    print(fmt::format("metric {} {}", info.name, value));
    is_any = true;
  }
  if (!is_any) print("none");
}

void ScriptWorld::show_throttle(Words& words) {
  words.end();
  const auto average = world_.manager().metric(model::ManagerMetric::remote_copy_throttle_time_avg);
  const auto greatest = world_.manager().metric(model::ManagerMetric::remote_copy_throttle_time_max);
  if (!average || !greatest) return print("none");
  print(fmt::format("throttle avg={:.3f} max={:.3f}", *average, *greatest));
}

void ScriptWorld::transition(Words& words) {
  std::vector<std::string_view> from_names{state_names().begin(), state_names().end()};
  from_names.push_back("none");
  const std::size_t chosen = words.choice("state", from_names);
  const bool is_known = chosen < state_names().size();
  const auto from = is_known ? std::optional{static_cast<RemoteLogSegmentState>(chosen)} : std::nullopt;
  const auto to = static_cast<RemoteLogSegmentState>(words.choice("state", state_names()));
  print(fmt::format("{}", model::is_valid_transition(model::TransitionTable::kafka, from, to)));
}

void ScriptWorld::state_id(Words& words) {
  const std::int64_t id = words.integer("an id");
  using Limits = std::numeric_limits<std::int8_t>;
  if (id < Limits::min() || id > Limits::max()) words.fail("an id is one byte");
  const auto state = model::for_id(model::TransitionTable::kafka, static_cast<std::int8_t>(id));
  print(fmt::format("forId {}", state ? short_name(*state) : "null"));
  // The model has no records; an update without a state cannot be made (readings 7).
  print(fmt::format("decode {}", state ? short_name(*state) : "NullPointerException"));
}

void ScriptWorld::filtered(Words& words) {
  model::EpochEntries entries;
  do {
    const model::EpochEntries more = words.epochs("EPOCH:OFFSET");
    entries.insert(entries.end(), more.begin(), more.end());
  } while (!words.empty());
  std::vector<std::string> parts;
  for (const model::EpochEntry& entry : model::build_filtered_leader_epochs(entries)) {
    parts.push_back(fmt::format("{}:{}", entry.epoch, entry.start_offset));
  }
  print(fmt::format("{}", fmt::join(parts, ",")));
}

void ScriptWorld::within(Words& words) {
  model::RemoteLogSegment segment;
  segment.segment_leader_epochs = words.epochs("the segment's epochs");
  segment.start_offset = segment.segment_leader_epochs.front().start_offset;
  segment.end_offset = Offset{words.integer("END")};
  const Offset log_end{words.integer("LOG-END")};
  const auto lineage = model::build_filtered_leader_epochs(words.epochs("LINEAGE"));
  const auto policy = version_.make_policy({});
  print(fmt::format(
      "{}", model::is_remote_segment_within_leader_epochs(segment, log_end, lineage, policy->rules().lineage_rule)));
}

}  // namespace tests::conformance
