#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/types.h"

namespace reports {

using namespace model;

/// One record of `__remote_log_metadata` as a tool printed it. Texts point into the line.
struct DumpRecord {
  enum class Kind : std::uint8_t {
    segment,           ///< RemoteLogSegmentMetadata: a copy as a whole, normally its start.
    update,            ///< RemoteLogSegmentMetadataUpdate: a later state.
    partition_delete,  ///< RemotePartitionDeleteMetadata.
    snapshot,          ///< RemoteLogSegmentMetadataSnapshot: of a broker's file, not of the topic.
  };
  Kind kind = Kind::segment;
  Uuid topic_id = {};
  std::string_view topic = {};
  std::int32_t partition = -1;
  /// The segment's id; zero in a partition's deletion.
  Uuid id = {};
  std::string_view state = {};
  static constexpr std::int64_t no_time = INT64_MIN;
  /// Milliseconds since 1970, on the writer's clock; before 1970 in worlds that begin there.
  std::int64_t event_ms = no_time;
  /// -1 when the line does not say.
  std::int32_t broker = -1;
  // Of `segment` only, -1 elsewhere. The end is included; the size is the log file's alone.
  std::int64_t start_offset = -1;
  std::int64_t end_offset = -1;
  std::int64_t max_timestamp_ms = -1;
  std::int64_t size_bytes = -1;
  /// `4=1000, 6=1500`: epochs with their first offsets.
  std::string_view epochs = {};
};

/// What stands around the record's text: where in the metadata topic it is, as far as the tool told.
struct DumpPlace {
  std::optional<std::int32_t> metadata_partition = {};
  std::optional<std::int64_t> offset = {};
  /// When the record was appended, milliseconds since 1970.
  std::optional<std::int64_t> create_ms = {};
};

/// What one line of a dump is.
struct DumpLine {
  enum class Is : std::uint8_t {
    nothing,      ///< No record in it.
    record,       ///< `record` and `place` hold.
    unreadable,   ///< A record that breaks the format; `reason` says where, `place` as far as it could be read.
    cut_off,      ///< As unreadable; its brackets are open, so the next line may hold the rest.
    undecodable,  ///< kafka-dump-log's `Error at offset N`: `place.offset`, and its message in `reason`.
    file_begins,  ///< kafka-dump-log's `Dumping FILE`: the name in `reason`.
  };
  Is is = Is::nothing;
  DumpPlace place = {};
  DumpRecord record = {};
  /// In words; points into the line or into constants.
  std::string_view reason = {};
  /// Of the unreadable: the value that `reason` is about, from the line; empty where it is about none.
  std::string_view found = {};
};
/// The reason of a line that could not be read, with what was found.
std::string reason_text(const DumpLine& line);

/// Reads one line of kafka-console-consumer or kafka-dump-log, with whatever a log put before or behind it. Fields are
/// taken by name, in any order; unknown ones are passed over. Nothing is allocated.
DumpLine read_dump_line(std::string_view line);

/// Metadata partition of a path that holds `__remote_log_metadata-N`.
std::optional<std::int32_t> metadata_partition_of_path(std::string_view path);

}  // namespace reports
