#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/anonymiser.h"
#include "reports/import/dump_line.h"
#include "reports/import/offset_set.h"
#include "reports/import/segment_table.h"

namespace reports {

/// A topic of the dump by its id; a name that was deleted and made again is two.
struct ImportedTopic {
  Uuid id = {};
  std::string name = {};
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;
  std::uint64_t records = 0;
  /// Copies whose first record was COPY_SEGMENT_STARTED under this id.
  std::uint64_t begun = 0;
  /// Whether a copy of it has records under another topic's id as well, which no broker writes.
  bool shares_copies = false;
};

/// What happened to one id, for a finding that tells of the first of many.
struct CountedOddity {
  std::uint64_t count = 0;
  Uuid first_id = {};
  std::int64_t first_ms = 0;
  StateNumber first_state = 0;
  std::int32_t first_broker = -1;

  void add(Uuid id, std::int64_t time_ms, StateNumber state, std::int32_t broker) {
    if (count++ == 0) *this = {1, id, time_ms, state, broker};
  }
};

/// A user partition.
struct ImportedPartition {
  std::uint32_t topic = 0;
  std::int32_t index = 0;
  /// `topic,index` as csv fields.
  std::string fields = {};
  /// The metadata partition that its records stand in, or a negative number of a file that does not say.
  std::int64_t stream = -1;
  /// Of a RemotePartitionDeleteMetadata.
  std::string delete_state = {};
  std::int64_t delete_ms = 0;
  std::uint64_t records = 0;
  CountedOddity illegal = {};
  CountedOddity without_base = {};
  CountedOddity after_finished = {};
  CountedOddity late = {};
};

/// A metadata partition, or a file that does not say of which it is.
struct MetadataStream {
  OffsetSet seen = {};
  std::uint64_t repeated = 0;
  std::uint64_t unreadable = 0;
  std::uint64_t undecodable = 0;
  /// Of them those that mean a state this version of the tool does not know.
  std::uint64_t unknown_state = 0;
  std::int64_t first_undecodable = -1;
  std::int64_t first_unknown_state = -1;

  /// Whether nothing of it can be missing before its last record: it begins at offset 0, has no gap, and every record
  /// could be read.
  bool is_complete() const {
    return !seen.empty() && seen.first() == 0 && seen.gaps() == 0 && unreadable == 0 && undecodable == 0;
  }
};

/// A record of the metadata topic that was folded.
struct ImportedTransition {
  std::int64_t time_ms = 0;
  std::int32_t broker = -1;
  const ImportedTopic* topic = nullptr;
  const ImportedPartition* partition = nullptr;
  /// As it is after the record.
  const ImportedSegment* segment = nullptr;
  /// When it came into `from`.
  std::int64_t from_since_ms = 0;
  std::optional<StateNumber> from = {};
  StateNumber to = 0;
  std::optional<std::int32_t> metadata_partition = {};
  std::optional<std::int64_t> offset = {};
};

class TransitionSink {
 public:
  virtual ~TransitionSink() = default;
  /// It applies under the transition table.
  virtual void applied(const ImportedTransition& transition) = 0;
  /// It does not, and every broker passed over it.
  virtual void dropped(const ImportedTransition& transition) = 0;
};

/// Folds records as they come: those of one metadata partition in the order of their offsets, whatever their clocks
/// say. A record that was seen at its offset is counted and no more; one that comes late is taken when no later one of
/// its segment was.
class DumpFold {
 public:
  /// `topics`: those whose records are taken; all when empty. `anonymiser` changes what is taken; may be null.
  DumpFold(TransitionSink& sink, std::set<std::string, std::less<>> topics, Anonymiser* anonymiser = nullptr)
      : sink_(sink), topics_(std::move(topics)), anonymiser_(anonymiser) {}

  enum class Taken : std::uint8_t { taken, repeated, other_topic, snapshot };
  /// `stream`: the metadata partition, or a negative number of the file's own.
  Taken add(const DumpRecord& record, const DumpPlace& place, std::int64_t stream);
  /// A record that kafka-dump-log could not decode, or one whose line breaks the format.
  void add_unreadable(const DumpPlace& place, std::int64_t stream, bool is_undecodable, bool means_unknown_state);

  SegmentTable& segments() { return segments_; }
  FinishedSegments& finished() { return finished_; }
  const StateNames& states() const { return states_; }
  const std::vector<ImportedTopic>& topics() const { return topics_found_; }
  const std::vector<ImportedPartition>& partitions() const { return partitions_; }
  /// Nothing when no record of it was taken.
  const ImportedPartition* find_partition(Uuid topic_id, std::int32_t index) const {
    const auto found = partition_numbers_.find({topic_id, index});
    return found == partition_numbers_.end() ? nullptr : &partitions_[found->second];
  }
  const std::map<std::int64_t, MetadataStream>& streams() const { return streams_; }
  const std::set<std::int32_t>& brokers() const { return brokers_; }
  /// Topics whose records were not taken as others were asked for; not all when they are very many.
  const std::set<std::string, std::less<>>& passed_over() const { return passed_over_; }
  std::uint64_t applied_count() const { return applied_count_; }
  std::uint64_t dropped_count() const { return dropped_count_; }
  /// Of all records taken, milliseconds since 1970; nothing before the first.
  std::optional<std::int64_t> first_ms() const { return first_ms_; }
  std::optional<std::int64_t> last_ms() const { return last_ms_; }

 private:
  void take(const DumpRecord& record, const DumpPlace& place, std::int64_t stream);
  MetadataStream& stream_of(std::int64_t number);
  std::uint32_t partition_of(const DumpRecord& record, std::int64_t time_ms, std::int64_t stream);
  void fold(const DumpRecord& record, std::uint32_t partition, ImportedTransition& row);
  void begin(const DumpRecord& record, std::uint32_t partition, ImportedTransition& row);
  void after_finished(ImportedSegment& segment, ImportedTransition& row);
  void go_on(ImportedSegment& segment, const DumpRecord& record, ImportedTransition& row);
  void take_over(ImportedSegment& segment, const DumpRecord& record, const ImportedTransition& row);
  void leave(ImportedSegment& segment);
  void apply(const ImportedTransition& row) { ++applied_count_, sink_.applied(row); }
  void drop(const ImportedTransition& row) { ++dropped_count_, sink_.dropped(row); }

  TransitionSink& sink_;
  std::set<std::string, std::less<>> topics_;
  Anonymiser* anonymiser_;
  SegmentTable segments_;
  FinishedSegments finished_;
  StateNames states_;
  std::vector<ImportedTopic> topics_found_;
  std::vector<ImportedPartition> partitions_;
  std::map<std::pair<Uuid, std::int32_t>, std::uint32_t> partition_numbers_;
  std::map<Uuid, std::uint32_t> topic_numbers_;
  std::map<std::int64_t, MetadataStream> streams_;
  // What the last record was of; records of one kind come in runs.
  std::int64_t last_stream_number_ = INT64_MIN;
  MetadataStream* last_stream_ = nullptr;
  std::uint32_t last_partition_ = UINT32_MAX;
  std::set<std::int32_t> brokers_;
  std::set<std::string, std::less<>> passed_over_;
  std::int32_t last_broker_ = -1;
  std::uint64_t order_ = 0;
  std::uint64_t applied_count_ = 0;
  std::uint64_t dropped_count_ = 0;
  std::optional<std::int64_t> first_ms_;
  std::optional<std::int64_t> last_ms_;
};

}  // namespace reports
