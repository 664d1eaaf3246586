#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/remote_log_segment_state.h"
#include "model/types.h"

namespace reports {

using namespace model;

/// A state's number: Kafka's and the KIP's by their ids, others from 5 on in the order in which they were met.
using StateNumber = std::uint8_t;

constexpr StateNumber number_of(RemoteLogSegmentState state) { return static_cast<StateNumber>(state); }
constexpr bool is_known(StateNumber state) { return state < remote_log_segment_state_count; }

/// The names of states, unknown ones too.
class StateNames {
 public:
  /// Of more unknown names than fit in a number all others are one.
  StateNumber number_of(std::string_view name);
  std::string_view name(StateNumber state) const;

 private:
  std::vector<std::string> unknown_;
};

/// What is kept of a segment id until it is DELETE_SEGMENT_FINISHED. There may be millions: every byte counts.
struct ImportedSegment {
  Uuid id = {};
  // -1: no line told.
  std::int64_t start_offset = -1;
  std::int64_t end_offset = -1;
  std::int64_t max_timestamp_ms = -1;
  /// When it came into its state.
  std::int64_t since_ms = 0;
  /// Of its last record in the metadata partition; -1 when the dump has no offsets.
  std::int64_t last_offset = -1;
  /// Its last record's place among all records taken.
  std::uint64_t order = 0;
  /// What a bucket's listing holds of it: all objects, how many they are, and the log file's own (-1: it is not there).
  std::int64_t listed_bytes = 0;
  /// Of the log file alone; -1: no line told.
  std::int32_t size_bytes = -1;
  std::uint32_t partition = 0;
  std::int32_t broker = -1;
  /// Its only epoch, which begins with it; -1: see SegmentTable::epochs.
  std::int32_t epoch = -1;
  std::int32_t listed_log_bytes = -1;
  std::uint16_t listed_objects = 0;
  StateNumber state = 0;
  /// Its first record was no COPY_SEGMENT_STARTED, so the transition table judges none of its records to apply.
  bool is_unfounded : 1 = false;
  /// Whether it was COPY_SEGMENT_FINISHED once.
  bool was_finished : 1 = false;
};

/// Segments by id. Places of segments that were erased are used again; addresses stay as they are.
class SegmentTable {
 public:
  ImportedSegment* find(Uuid id);
  /// The id must not be there.
  ImportedSegment& insert(Uuid id);
  void erase(const ImportedSegment& segment);
  std::size_t size() const { return size_; }
  std::size_t size_most() const { return size_most_; }

  /// `4=1000, 6=1500` as the dump has it; empty when no line told.
  std::string epochs(const ImportedSegment& segment) const;
  void set_epochs(ImportedSegment& segment, std::string_view epochs);

  template <class Visit>
  void for_each(Visit&& visit) {
    for (auto& segment : segments_)
      if (segment.id != Uuid{}) visit(segment);
  }

 private:
  static constexpr std::uint32_t nowhere = UINT32_MAX;

  std::size_t home(Uuid id) const;
  std::size_t slot_of(Uuid id) const;
  void grow();

  std::deque<ImportedSegment> segments_;
  std::vector<std::uint32_t> free_;
  /// Open addressing, linear: places in `segments_`.
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1024, nowhere);
  std::size_t size_ = 0;
  std::size_t size_most_ = 0;
  std::unordered_map<std::uint64_t, std::string> many_epochs_;
};

/// What was DELETE_SEGMENT_FINISHED lately: a fixed number of ids, so that a later record of one is still known for
/// what it is. Older ones give way.
class FinishedSegments {
 public:
  void remember(const ImportedSegment& segment);
  /// Nothing when it was never told or has given way.
  ImportedSegment* find(Uuid id);

 private:
  static constexpr std::size_t count = std::size_t{1} << 14;
  static std::size_t place_of(Uuid id) { return (id.most ^ id.least) % count; }
  std::vector<ImportedSegment> segments_;
};

}  // namespace reports
