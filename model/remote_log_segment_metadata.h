// Mirrors: RemoteLogSegmentId, RemoteLogSegmentMetadata, RemoteLogSegmentMetadataUpdate (facts 2.1).
// Leaves out: the bytes of the record and of custom metadata (their sizes are kept), topic names (a partition is a
// number), txnIdxEmpty (4.0).
#pragma once

#include "model/leader_epochs.h"
#include "model/remote_log_segment_record.h"
#include "model/time.h"
#include "model/types.h"

namespace model {

/// What never changes about one copy attempt. Made once, when the copy task draws a new RemoteLogSegmentId, and kept by
/// the world for its whole life; tasks, caches and events name it by pointer. Pointers are compared for equality only.
struct RemoteLogSegment {
  Uuid id;
  PartitionNumber partition;
  /// Dense over the world, in the order of creation: an index for whoever keeps something a copy.
  std::uint32_t number = 0;
  Offset start_offset;
  /// Inclusive.
  Offset end_offset;
  /// Largest record timestamp.
  SimTime max_timestamp;
  /// The log file alone, as Kafka's segmentSizeInBytes.
  Bytes size;
  /// Never empty; the first entry starts at start_offset or, for an overlapping upload, below it is clamped to it.
  EpochEntries segment_leader_epochs;
};

/// One event of a copy attempt's life, as the metadata topic stores it and the caches keep the latest of it. Trivially
/// copyable.
struct RemoteLogSegmentMetadata {
  const RemoteLogSegment* segment = nullptr;
  SimTime event_timestamp;
  RemoteLogSegmentState state = RemoteLogSegmentState::copy_segment_started;
  BrokerId broker_id;
  /// Size of the custom metadata that the storage plug-in returned; 0 when it returned none.
  std::int32_t custom_metadata_size = 0;
  /// How the record says DANGLING; caches do not keep it.
  DanglingEncoding encoding = DanglingEncoding::state_4;

  /// createWithUpdates: the same attempt in another state, written by `broker` at `now`; custom metadata is carried
  /// along.
  RemoteLogSegmentMetadata with_state(RemoteLogSegmentState new_state, BrokerId broker, SimTime now) const {
    RemoteLogSegmentMetadata updated = *this;
    updated.state = new_state;
    updated.broker_id = broker;
    updated.event_timestamp = now;
    return updated;
  }
};

}  // namespace model
