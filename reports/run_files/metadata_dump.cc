// The metadata topic as Kafka's own tools print it, for whoever reads such dumps: metadata.console.txt as
// kafka-console-consumer does with RemoteLogMetadataFormatter, and one metadata.dump-log.txt a metadata partition, in a
// folder of the partition's name, as kafka-dump-log does with --remote-log-metadata-decoder.
//
// Mirrors: RemoteLogMetadataFormatter, DumpLogSegments.printBatchLevel and its record lines, the toString of
// RemoteLogSegmentMetadata (with txnIdxEmpty where its writer's version has that) and RemoteLogSegmentMetadataUpdate.
// It is what a consumer would read when the run has ended: without records that the topic lost (their offsets are
// missing) or that its retention took (the log begins later).
// Leaves out: what the bytes of a record would say. valueSize is metadata.record.bytes, a batch is 71 bytes more, crc
// is 0, the partition's leader epoch is 0; each record is a batch of its own; a producer's id is its broker's.
#include <algorithm>
#include <deque>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "reports/run_files/makers.h"
#include "sim/scenario/values.h"

namespace reports {
namespace {

/// Time 0 where scenario.start is left at 1970: 2020-01-01. What is older than the world must not lie before 1970,
/// where no record of Kafka's can be.
constexpr std::int64_t start_ms_default = 1'577'836'800'000;

/// What a dump has of a metadata partition before it goes to its file.
constexpr std::size_t buffer_size = 1 << 16;

class MetadataDump final : public RunOutput {
 public:
  MetadataDump(const std::string& folder, const RunContext& context)
      : folder_(folder), console_(File::create(folder + "/metadata.console.txt")) {
    const auto& scenario = context.scenario();
    // The reader has checked it.
    if (const auto start = sim::parse_instant(scenario.scenario.start); start && *start != 0) start_ms_ = *start;
    value_size_ = scenario.metadata.record_bytes.value();
    const sim::WorldView& world = context.world();
    for (std::uint32_t i = 0; i < world.partition_count(); ++i) {
      const PartitionNumber partition{i};
      const std::uint32_t topic = world.topic_of(partition);
      topic_id_partitions_.push_back(
          fmt::format("{}:{}-{}", world.topic_id(topic), scenario.topics[topic].name, world.index_in_topic(partition)));
    }
    for (std::size_t b = 0; b < scenario.brokers.size(); ++b) {
      const BrokerId broker{static_cast<std::int32_t>(b + 1)};
      says_transaction_index_.push_back(world.policy_of(broker).rules().records_say_transaction_index);
    }
    for (const auto& fault : scenario.faults) loses_.push_back(fault.kind == "metadata-record-loss");
    holds_back_ = std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const auto& fault) {
      return fault.kind == "metadata-record-loss" || fault.kind == "metadata-retention";
    });
  }

  void record(const sim::TraceRecord& record) override {
    if (const auto* forgotten = std::get_if<sim::RecordsForgotten>(&record.event); forgotten != nullptr)
      return forget(*forgotten);
    const auto* transition = std::get_if<sim::Transition>(&record.event);
    if (transition == nullptr) return;
    entry_.partition = transition->metadata_partition.value();
    entry_.user = transition->segment->partition.value();
    entry_.offset = transition->offset.value();
    entry_.broker = transition->broker.value();
    entry_.sequence = logs_[entry_.partition].sequences[entry_.broker]++;
    entry_.create_time_ms = start_ms_ + to_milliseconds(record.time);
    entry_.value.clear();
    append_value(*transition, entry_.value);
    if (!holds_back_) return write(entry_);
    living_[entry_.user].push_back(held_.size());
    held_.push_back(entry_);
  }

  Result<void, Problem> close() override {
    for (const Entry& entry : held_)
      if (!entry.is_gone) write(entry);
    for (auto& [number, log] : logs_) flush(number, log);
    auto closed = console_.close();
    if (problem_) return Failed{*problem_};
    return closed;
  }

 private:
  /// One record of the topic.
  struct Entry {
    std::uint32_t partition = 0;
    /// The partition that it is about.
    std::uint32_t user = 0;
    std::int32_t broker = 0;
    bool is_gone = false;
    std::int64_t offset = 0;
    std::int64_t sequence = 0;
    std::int64_t create_time_ms = 0;
    std::string value = {};
  };

  /// One partition of the topic.
  struct Log {
    std::string text;
    /// Its first offset; what is before it retention took.
    std::int64_t start = 0;
    std::int64_t position = 0;
    /// By broker: how many records it has written here.
    std::map<std::int32_t, std::int64_t> sequences;
    bool is_begun = false;
  };

  /// Of one user partition the newest records were lost, or the oldest retained no longer.
  void forget(const sim::RecordsForgotten& forgotten) {
    auto& living = living_[forgotten.partition.value()];
    const bool is_loss = forgotten.fault && loses_[*forgotten.fault];
    for (std::uint64_t i = 0; i < forgotten.count && !living.empty(); ++i) {
      Entry& entry = held_[is_loss ? living.back() : living.front()];
      is_loss ? living.pop_back() : living.pop_front();
      entry.is_gone = true;
      entry.value.clear();
      auto& start = logs_[entry.partition].start;
      if (!is_loss) start = std::max(start, entry.offset + 1);
    }
  }

  void write(const Entry& entry) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "partition: {}, offset: {}, value: {}\n", entry.partition, entry.offset,
                   entry.value);
    console_.write(line_);
    append_batch(entry);
  }

  void append_value(const sim::Transition& transition, std::string& value) const {
    const RemoteLogSegment& segment = *transition.segment;
    auto out = std::back_inserter(value);
    const bool is_first = transition.to == RemoteLogSegmentState::copy_segment_started;
    fmt::format_to(out,
                   "RemoteLogSegmentMetadata{}{{remoteLogSegmentId=RemoteLogSegmentId{{topicIdPartition={}, id={}}}",
                   is_first ? "" : "Update", topic_id_partitions_[segment.partition.value()], segment.id);
    const std::int64_t event_ms = start_ms_ + to_milliseconds(transition.event_timestamp);
    if (!is_first) {
      append_custom_metadata(transition, value);
      fmt::format_to(out, ", state={}, eventTimestampMs={}, brokerId={}}}", to_string(transition.to), event_ms,
                     transition.broker);
      return;
    }
    fmt::format_to(out, ", startOffset={}, endOffset={}, brokerId={}, maxTimestampMs={}, eventTimestampMs={}",
                   segment.start_offset, segment.end_offset, transition.broker,
                   start_ms_ + to_milliseconds(segment.max_timestamp), event_ms);
    value += ", segmentLeaderEpochs={";
    bool is_first_epoch = true;
    for (const EpochEntry& entry : segment.segment_leader_epochs) {
      fmt::format_to(out, "{}{}={}", is_first_epoch ? "" : ", ", entry.epoch, entry.start_offset);
      is_first_epoch = false;
    }
    fmt::format_to(out, "}}, segmentSizeInBytes={}", segment.size);
    append_custom_metadata(transition, value);
    fmt::format_to(out, ", state={}", to_string(transition.to));
    // Nobody opens a transaction in a world.
    const auto broker = static_cast<std::size_t>(transition.broker.value() - 1);
    value += says_transaction_index_[broker] ? ", txnIdxEmpty=true}" : "}";
  }

  static void append_custom_metadata(const sim::Transition& transition, std::string& value) {
    if (transition.custom_metadata_size == 0) {
      value += ", customMetadata=Optional.empty";
    } else {
      fmt::format_to(std::back_inserter(value), ", customMetadata=Optional[CustomMetadata{{{} bytes}}]",
                     transition.custom_metadata_size);
    }
  }

  void append_batch(const Entry& entry) {
    Log& log = logs_[entry.partition];
    const std::int64_t size = value_size_ + 71;
    fmt::format_to(std::back_inserter(log.text),
                   "baseOffset: {0} lastOffset: {0} count: 1 baseSequence: {1} lastSequence: {1} producerId: {2} "
                   "producerEpoch: 0 partitionLeaderEpoch: 0 isTransactional: false isControl: false deleteHorizonMs: "
                   "OptionalLong.empty position: {3} CreateTime: {4} size: {5} magic: 2 compresscodec: none crc: 0 "
                   "isvalid: true\n| offset: {0} CreateTime: {4} keySize: -1 valueSize: {6} sequence: {1} headerKeys: "
                   "[] payload: {7}\n",
                   entry.offset, entry.sequence, entry.broker, log.position, entry.create_time_ms, size, value_size_,
                   entry.value);
    log.position += size;
    if (log.text.size() > buffer_size) flush(entry.partition, log);
  }

  void flush(std::uint32_t number, Log& log) {
    if (problem_) return log.text.clear();
    const std::string folder = fmt::format("{}/__remote_log_metadata-{}", folder_, number);
    if (!log.is_begun) {
      std::error_code error;
      std::filesystem::create_directory(folder, error);
      if (error) problem_ = problem_with(folder, error.value());
      log.text.insert(0, fmt::format("Dumping {0:020}.log\nLog starting offset: {0}\n", log.start));
      log.is_begun = true;
    }
    if (problem_) return;
    if (auto written = append_file(folder + "/metadata.dump-log.txt", log.text); !written) problem_ = written.error();
    log.text.clear();
  }

  std::string folder_;
  File console_;
  std::int64_t start_ms_ = start_ms_default;
  std::int64_t value_size_ = 0;
  /// By user partition: `topicId:topic-partition`.
  std::vector<std::string> topic_id_partitions_;
  /// By broker id - 1.
  std::vector<bool> says_transaction_index_;
  /// By metadata partition.
  std::map<std::uint32_t, Log> logs_;
  std::optional<Problem> problem_;
  /// By row of the plan: whether it loses the newest records, where others that forget take the oldest.
  std::vector<bool> loses_;
  /// Records may go until the run's end, so all are kept until then.
  bool holds_back_ = false;
  std::vector<Entry> held_;
  /// By user partition: places in `held_` of what is not gone.
  std::map<std::uint32_t, std::deque<std::size_t>> living_;
  // Scratch.
  Entry entry_;
  std::string line_;
};

}  // namespace

std::unique_ptr<RunOutput> make_metadata_dump(const std::string& folder, const RunContext& context) {
  return std::make_unique<MetadataDump>(folder, context);
}

}  // namespace reports
