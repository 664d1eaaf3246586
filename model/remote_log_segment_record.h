// Mirrors: the field RemoteLogSegmentState of the metadata topic's records, and what
// RemoteLogSegmentMetadataUpdateTransform makes of it (facts 2.1; readings 4.12 and 7).
// Leaves out: every other field, whose bytes matter nowhere.
#pragma once

#include "model/remote_log_segment_state.h"

namespace model {

/// How a broker that knows DANGLING writes it (readings 4.12).
enum class DanglingEncoding : std::uint8_t {
  /// As the KIP says: the state's id 4, which no older version can read.
  state_4,
  /// DELETE_SEGMENT_STARTED and a tagged field, which older versions skip: to them somebody is deleting the segment.
  tagged,
};

/// What stands in a record about the state.
struct StateField {
  std::int8_t id = 0;
  bool has_dangling_tag = false;
  friend constexpr bool operator==(StateField, StateField) = default;
};

StateField write_state(RemoteLogSegmentState state, DanglingEncoding encoding);

/// The state as a broker with this table reads it. Nothing: the record cannot be read, and in Kafka the exception ends
/// the metadata consumer of that broker for good, whatever partition the record is about (readings 7).
std::optional<RemoteLogSegmentState> read_state(TransitionTable reader, StateField field);

}  // namespace model
