#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/leader_epochs.h"
#include "model/remote_log_segment_state.h"
#include "model/time.h"
#include "model/types.h"
#include "sim/scenario/input_error.h"

namespace sim {

using namespace model;

// A topic's remote segments at time 0, read from a csv: what transitions.csv says of them, and what their bytes are.
// `initial = FILE.csv` of [topic.NAME] names the file; `flotsam import` writes such files.
//
// Columns, in any order; those with * must be there, an empty field has the default:
//   segment_id*        22 characters as Kafka prints them
//   start_offset*, end_offset*, size_bytes*   of the copy, the end inclusive, the size of the log file alone
//   to_state*          COPY_SEGMENT_STARTED, COPY_SEGMENT_FINISHED, DELETE_SEGMENT_STARTED, DELETE_SEGMENT_FINISHED or
//                      DANGLING
//   from_state         what the segment was before; what a first row leaves out of its story is filled in
//   topic              rows of other topics are passed over (default: this topic)
//   partition          default 0
//   time_ms            when its writer made the record (default 0); at or before 0, what is later counts as 0
//   broker             who wrote it (default: the partition's leader)
//   leader_epoch       default -1: the epochs of the segments alone say who leads
//   stored_bytes       what lies in the store of it, filling its objects in the order in which a client writes them
//                      (default: all of them, nothing after DELETE_SEGMENT_FINISHED)
//   max_timestamp_ms   largest record timestamp (default 0); negative is before the world's start
//   segment_epochs     EPOCH=START joined with blanks (default: the leader epoch of its first row from start_offset)
//   local              yes or no: whether it is on local disk as well (default: only if no finished copy covers it)
//   cause, event       mean nothing here
// Several rows with one segment_id are its story, in order; they agree in what does not change, and of stored_bytes and
// local the last word counts.

/// One remote segment that the metadata topic knows at time 0, in whatever state.
struct InitialCopy {
  Uuid id;
  /// Of the topic.
  std::int32_t partition = 0;
  Offset start_offset;
  /// Inclusive.
  Offset end_offset;
  /// The log file alone.
  Bytes size;
  /// Nothing: all objects, or none when it is deleted.
  std::optional<Bytes> stored;
  SimTime max_timestamp;
  /// Never empty; begins at start_offset.
  EpochEntries epochs;
  /// Whether it is on local disk as well; nothing: if no finished copy covers it.
  std::optional<bool> local;
  RemoteLogSegmentState state = RemoteLogSegmentState::copy_segment_started;
};

/// One record of the metadata topic.
struct InitialEvent {
  /// Index of its copy.
  std::uint32_t copy = 0;
  RemoteLogSegmentState state = RemoteLogSegmentState::copy_segment_started;
  /// 0: the leader.
  BrokerId broker;
  LeaderEpoch leader_epoch{-1};
  SimTime time;
};

/// A topic's copies, and their records by partition, each partition's in the order of the file; every one is legal by
/// the union table.
struct InitialFile {
  /// Where it was read.
  std::string path;
  /// As it was read, for a run's folder.
  std::string text;
  std::vector<InitialCopy> copies;
  std::vector<InitialEvent> events;
  /// What a reader should know and no error is.
  std::vector<std::string> notes;
};

/// The records of one partition.
std::span<const InitialEvent> events_of(const InitialFile& file, std::int32_t partition);

/// The columns that `initial` files have, in the order in which they are written.
inline constexpr std::string_view initial_columns =
    "time_ms,broker,topic,partition,leader_epoch,segment_id,start_offset,end_offset,size_bytes,from_state,to_state,"
    "cause,event,stored_bytes,max_timestamp_ms,segment_epochs,local";

/// What an initial file is checked against.
struct InitialTopic {
  std::string name;
  std::int32_t partitions = 0;
  std::int32_t brokers = 0;
  /// All topics of the scenario, for messages.
  std::vector<std::string> topics;
};

/// Reads the file's text. Errors name `path` and the line; nothing is returned that has any.
std::optional<InitialFile> read_initial_file(const std::string& path, std::string_view text, const InitialTopic& topic,
                                             InputErrors& errors);

}  // namespace sim
