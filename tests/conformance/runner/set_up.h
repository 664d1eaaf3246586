// What stands before the first action of a script, read into the model's own types.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/options.h"
#include "model/remote_log_segment_metadata.h"
#include "model/unified_log.h"
#include "tests/conformance/runner/script.h"

namespace tests::conformance {

/// `CS`, `CF`, `DS`, `DF`, in the order of their ids.
std::span<const std::string_view> state_names();
std::string_view short_name(model::RemoteLogSegmentState state);

/// A copy that the script names.
struct NamedCopy {
  std::string name;
  model::RemoteLogSegment segment;
  model::RemoteLogSegmentState state = model::RemoteLogSegmentState::copy_segment_started;
  model::BrokerId broker{2};
};

struct SetUp {
  model::TopicOptions topic;
  model::RemoteLogManagerOptions broker;
  /// The log before any run of a task.
  model::UnifiedLog log{model::Offset{0}, model::LeaderEpoch{0}, model::time_start};
  std::vector<NamedCopy> copies;
};

/// Throws ScriptError.
SetUp read_set_up(const Script& script);

/// `NAME START END size=N [state=STATE] [epochs=E:O,E:O] [ts=MS] [broker=B]`; without epochs those of `log_epochs`.
NamedCopy read_copy(Words& words, const model::LeaderEpochFileCache& log_epochs, model::SimTime now, bool with_state);

/// The rest of the line as Kafka's topic configurations.
void read_topic_options(Words& words, model::TopicOptions& topic);

}  // namespace tests::conformance
