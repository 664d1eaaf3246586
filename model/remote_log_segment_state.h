// Mirrors: RemoteLogSegmentState, and the state that the KIP adds to it (facts 1.1).
// Leaves out: RemotePartitionDeleteState, which no version publishes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace model {

/// RemoteLogSegmentState, with the ids that the records carry; 4 is the KIP's.
enum class RemoteLogSegmentState : std::uint8_t {
  copy_segment_started = 0,
  copy_segment_finished = 1,
  delete_segment_started = 2,
  delete_segment_finished = 3,
  dangling = 4,
};
inline constexpr int remote_log_segment_state_count = 5;

/// Which table a broker's cache judges an event by. Every KIP transition is missing in Kafka's table and none of
/// Kafka's in the KIP's, so `kip` is also the union that the metadata topic is folded with.
enum class TransitionTable : std::uint8_t { kafka, kip };

/// Kafka's constant, as `COPY_SEGMENT_STARTED`.
std::string_view to_string(RemoteLogSegmentState state);

/// RemoteLogSegmentState.forId: nothing for an id that the table does not know.
std::optional<RemoteLogSegmentState> for_id(TransitionTable table, std::int8_t id);

/// RemoteLogSegmentState.isValidTransition. No source state means an id never seen: only COPY_SEGMENT_STARTED may
/// begin.
bool is_valid_transition(TransitionTable table, std::optional<RemoteLogSegmentState> from, RemoteLogSegmentState to);

}  // namespace model
