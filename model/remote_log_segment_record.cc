#include "model/remote_log_segment_record.h"

namespace model {

StateField write_state(RemoteLogSegmentState state, DanglingEncoding encoding) {
  const bool is_tagged = state == RemoteLogSegmentState::dangling && encoding == DanglingEncoding::tagged;
  const RemoteLogSegmentState written = is_tagged ? RemoteLogSegmentState::delete_segment_started : state;
  return {static_cast<std::int8_t>(written), is_tagged};
}

std::optional<RemoteLogSegmentState> read_state(TransitionTable reader, StateField field) {
  // A tag that a version does not know is skipped.
  if (field.has_dangling_tag && reader == TransitionTable::kip) return RemoteLogSegmentState::dangling;
  return for_id(reader, field.id);
}

}  // namespace model
