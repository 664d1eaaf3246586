// What the tests of the importer share: a dump in memory, folded, with its transitions as lines.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/import/dump_reader.h"

namespace reports::import_test {

/// Writes each transition as `time topic-partition id from->to`, dropped ones with `dropped ` before.
class Transitions final : public TransitionSink {
 public:
  explicit Transitions(std::vector<std::string>& lines) : lines_(lines) {}
  void applied(const ImportedTransition& transition) override { lines_.push_back(text(transition)); }
  void dropped(const ImportedTransition& transition) override { lines_.push_back("dropped " + text(transition)); }
  const StateNames* states = nullptr;

 private:
  std::string text(const ImportedTransition& transition) const {
    return fmt::format("{} {}-{} {} {}->{}", transition.time_ms, transition.topic->name, transition.partition->index,
                       transition.segment->id, transition.from ? states->name(*transition.from) : "",
                       states->name(transition.to));
  }
  std::vector<std::string>& lines_;
};

/// Dumps folded one after the other.
class Folded {
 public:
  explicit Folded(std::set<std::string, std::less<>> topics = {}, Anonymiser* anonymiser = nullptr)
      : sink_(lines), fold(sink_, std::move(topics), anonymiser), reader(fold) {
    sink_.states = &fold.states();
  }
  Folded& read(std::string text, const std::string& name = "dump.txt") {
    reader.read(name, blocks_of(std::move(text)));
    return *this;
  }

  std::vector<std::string> lines;

 private:
  Transitions sink_;

 public:
  DumpFold fold;
  DumpReader reader;
};

inline constexpr std::string_view topic_id = "ASNFZ4mrze-O3LqYdlQyEA";
inline constexpr std::string_view first_id = "EREiIjMzRESVVWZmd3eIiA";
inline constexpr std::string_view second_id = "Lz5NXGt6iZintsXU4_IBEA";

struct CopySpec {
  std::string_view id = first_id;
  std::string_view topic = "demo-topic.v1";
  int partition = 7;
  std::int64_t start = 0;
  std::int64_t end = 999;
  std::int64_t time_ms = 1735689600000;
  std::int64_t max_timestamp_ms = 1735689599999;
  std::int64_t size = 1048576;
  std::string_view epochs = "4=0";
  int broker = 2;
  std::string_view state = "COPY_SEGMENT_STARTED";
  std::string_view topic_id = import_test::topic_id;
};
/// RemoteLogSegmentMetadata as Kafka 3.6 to 4.0 print it.
inline std::string copy_text(const CopySpec& copy = {}) {
  return fmt::format(
      "RemoteLogSegmentMetadata{{remoteLogSegmentId=RemoteLogSegmentId{{topicIdPartition={}:{}-{}, id={}}}, "
      "startOffset={}, endOffset={}, brokerId={}, maxTimestampMs={}, eventTimestampMs={}, segmentLeaderEpochs={{{}}}, "
      "segmentSizeInBytes={}, customMetadata=Optional.empty, state={}}}",
      copy.topic_id, copy.topic, copy.partition, copy.id, copy.start, copy.end, copy.broker, copy.max_timestamp_ms,
      copy.time_ms, copy.epochs, copy.size, copy.state);
}

struct UpdateSpec {
  std::string_view id = first_id;
  std::string_view state = "COPY_SEGMENT_FINISHED";
  std::int64_t time_ms = 1735689604200;
  std::string_view topic = "demo-topic.v1";
  int partition = 7;
  int broker = 2;
  std::string_view topic_id = import_test::topic_id;
};
inline std::string update_text(const UpdateSpec& update = {}) {
  return fmt::format(
      "RemoteLogSegmentMetadataUpdate{{remoteLogSegmentId=RemoteLogSegmentId{{topicIdPartition={}:{}-{}, id={}}}, "
      "customMetadata=Optional[CustomMetadata{{27 bytes}}], state={}, eventTimestampMs={}, brokerId={}}}",
      update.topic_id, update.topic, update.partition, update.id, update.state, update.time_ms, update.broker);
}

/// A line of the console formatter.
inline std::string console(std::int64_t offset, std::string_view value, int partition = 29) {
  return fmt::format("partition: {}, offset: {}, value: {}\n", partition, offset, value);
}
/// A record line of the dump tool.
inline std::string dumped(std::int64_t offset, std::string_view value, std::int64_t create_ms) {
  return fmt::format("| offset: {} CreateTime: {} keySize: -1 valueSize: 112 sequence: 0 headerKeys: [] payload: {}\n",
                     offset, create_ms, value);
}

}  // namespace reports::import_test
