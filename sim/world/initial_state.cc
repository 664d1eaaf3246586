#include <algorithm>
#include <charconv>

#include "sim/faults/row_values.h"
#include "sim/world/world.h"

namespace sim {

namespace {

/// `EPOCH=START` joined with blanks; the reader has checked it.
EpochEntries initial_epochs(const TopicScenario& topic) {
  EpochEntries entries;
  std::string_view rest = topic.initial_epochs;
  while (!rest.empty()) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, blank);
    rest.remove_prefix(std::min(blank + 1, rest.size()));
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    std::int32_t epoch = 0;
    std::int64_t start = 0;
    std::from_chars(word.data(), word.data() + equals, epoch);
    std::from_chars(word.data() + equals + 1, word.data() + word.size(), start);
    entries.push_back({LeaderEpoch{epoch}, Offset{start}});
  }
  if (entries.empty()) entries.push_back({LeaderEpoch{0}, Offset{0}});
  return entries;
}

/// The closed segments that every replica begins with, remote ones first.
std::vector<LogSegment> initial_segments(const TopicScenario& topic) {
  const std::int64_t records =
      std::max<std::int64_t>(1, topic.options.segment_bytes.value() / topic.record_bytes.value());
  std::vector<LogSegment> segments;
  for (std::int64_t i = 0; i < topic.initial_finished + topic.initial_closed; ++i) {
    const Offset base{i * records};
    segments.push_back({base, base + records, records * topic.record_bytes, time_start - topic.initial_age});
  }
  return segments;
}

}  // namespace

void World::place_log(PartitionNumber partition) {
  const TopicScenario& topic = cluster_->topic(partition);
  const EpochEntries epochs = initial_epochs(topic);
  const std::vector<LogSegment> segments = initial_segments(topic);
  UnifiedLog log{Offset{0}, epochs.front().epoch, kernel_.now()};
  for (const EpochEntry& entry : epochs) log.leader_epochs().assign(entry.epoch, entry.start_offset);
  for (const LogSegment& segment : segments) log.add_closed_segment(segment);
  const std::int64_t active = topic.initial_active.value() / topic.record_bytes.value();
  if (active > 0) log.append(active, active * topic.record_bytes, time_start - topic.initial_age);
  log.set_high_watermark(log.log_end_offset());
  if (topic.initial_seeded && topic.initial_finished > 0) {
    const LogSegment& last = segments[static_cast<std::size_t>(topic.initial_finished - 1)];
    log.update_highest_offset_in_remote_storage(previous(last.next_offset));
  }
  cluster_->place(partition, log, epochs.back().epoch);
}

void World::place_finished_copies(PartitionNumber partition) {
  const TopicScenario& topic = cluster_->topic(partition);
  const std::vector<LogSegment> segments = initial_segments(topic);
  LeaderEpochFileCache history;
  for (const EpochEntry& entry : initial_epochs(topic)) history.assign(entry.epoch, entry.start_offset);
  for (std::int64_t i = 0; i < topic.initial_finished; ++i) {
    const LogSegment& segment = segments[static_cast<std::size_t>(i)];
    place_finished_copy(partition, segment, history.entries_between(segment.base_offset, segment.next_offset));
  }
  // Only now may the local copies go: at every instant each offset is readable from somewhere.
  const std::int64_t gone = topic.initial_finished - topic.initial_local;
  if (gone <= 0) return;
  for (BrokerId replica : replicas(partition)) {
    cluster_->log(replica, partition).start_local_log_at(segments[static_cast<std::size_t>(gone - 1)].next_offset);
  }
}

void World::place_finished_copy(PartitionNumber partition, const LogSegment& segment, const EpochEntries& epochs) {
  const RemoteLogSegment& copy = new_segment(partition, segment, epochs);
  const BrokerId writer = cluster_->leader(partition);
  const PublishOrigin origin{writer, LeaderEpoch{-1}, TaskStep::none};
  RemoteLogSegmentMetadata record{&copy, segment.largest_timestamp, RemoteLogSegmentState::copy_segment_started, writer,
                                  0};
  metadata_->place(record, origin);
  for (int i = 0; i < object_kind_count; ++i) {
    const auto object = static_cast<ObjectKind>(i);
    store_->place(copy, object, object_size(copy, object, scenario_.client));
  }
  const auto finished = RemoteLogSegmentState::copy_segment_finished;
  metadata_->place(record.with_state(finished, writer, segment.largest_timestamp), origin);
}

}  // namespace sim
