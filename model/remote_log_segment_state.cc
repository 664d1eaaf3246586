#include "model/remote_log_segment_state.h"

namespace model {

std::string_view to_string(RemoteLogSegmentState state) {
  switch (state) {
    case RemoteLogSegmentState::copy_segment_started:
      return "COPY_SEGMENT_STARTED";
    case RemoteLogSegmentState::copy_segment_finished:
      return "COPY_SEGMENT_FINISHED";
    case RemoteLogSegmentState::delete_segment_started:
      return "DELETE_SEGMENT_STARTED";
    case RemoteLogSegmentState::delete_segment_finished:
      return "DELETE_SEGMENT_FINISHED";
    case RemoteLogSegmentState::dangling:
      return "DANGLING";
  }
  return "";
}

std::optional<RemoteLogSegmentState> for_id(TransitionTable table, std::int8_t id) {
  const int state_count = table == TransitionTable::kip ? remote_log_segment_state_count : 4;
  if (id < 0 || id >= state_count) return std::nullopt;
  return static_cast<RemoteLogSegmentState>(id);
}

bool is_valid_transition(TransitionTable table, std::optional<RemoteLogSegmentState> from, RemoteLogSegmentState to) {
  using enum RemoteLogSegmentState;
  const bool kip = table == TransitionTable::kip;
  // Kafka's enum has no such constant: not even the self transition exists.
  if (to == dangling && !kip) return false;
  if (!from) return to == copy_segment_started;
  switch (*from) {
    case copy_segment_started:
      return to != delete_segment_finished;
    case copy_segment_finished:
      return to == copy_segment_finished || to == delete_segment_started;
    case delete_segment_started:
      return to == delete_segment_started || to == delete_segment_finished || to == dangling;
    case delete_segment_finished:
      return to == delete_segment_finished;
    case dangling:
      return kip && (to == dangling || to == delete_segment_started);
  }
  return false;
}

}  // namespace model
