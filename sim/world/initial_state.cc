#include <algorithm>
#include <map>

#include "model/remote_offsets.h"
#include "sim/faults/row_values.h"
#include "sim/world/initial_log.h"
#include "sim/world/world.h"

namespace sim {

void World::place_log(PartitionNumber partition) {
  if (cluster_->settings(partition).incarnation > 0) {
    return cluster_->place(partition, UnifiedLog{Offset{0}, LeaderEpoch{0}, kernel_.now()}, LeaderEpoch{0});
  }
  const TopicScenario& topic = cluster_->topic(partition);
  const InitialLog initial = initial_log(topic, index_in_topic(partition));
  UnifiedLog log{initial.log_start, initial.epochs.front().epoch, kernel_.now()};
  for (const EpochEntry& entry : initial.epochs) log.leader_epochs().assign(entry.epoch, entry.start_offset);
  for (const LogSegment& segment : initial.segments) log.add_closed_segment(segment);
  if (initial.active_records > 0) {
    log.append(initial.active_records, initial.active_records * topic.record_bytes, time_start - topic.initial_age);
  }
  log.leader_epochs().assign(initial.leader_epoch, log.log_end_offset());
  log.set_high_watermark(log.log_end_offset());
  cluster_->place(partition, log, initial.leader_epoch);
}

void World::place_copies(PartitionNumber partition) {
  if (cluster_->settings(partition).incarnation > 0) return;
  const TopicScenario& topic = cluster_->topic(partition);
  const InitialLog initial = initial_log(topic, index_in_topic(partition));
  if (topic.initial_file) {
    place_file_copies(partition, *topic.initial_file);
  } else {
    LeaderEpochFileCache history;
    for (const EpochEntry& entry : initial.epochs) history.assign(entry.epoch, entry.start_offset);
    for (std::int64_t i = 0; i < topic.initial_finished; ++i) {
      const LogSegment& segment = initial.segments[static_cast<std::size_t>(i)];
      place_finished_copy(partition, segment, history.entries_between(segment.base_offset, segment.next_offset));
    }
  }
  const Rules& rules = policy_of(cluster_->leader(partition)).rules();
  const Offset highest = find_highest_remote_offset(leader_log(partition), folded(partition), rules);
  for (BrokerId replica : replicas(partition)) {
    UnifiedLog& log = cluster_->log(replica, partition);
    if (topic.initial_seeded) log.update_highest_offset_in_remote_storage(highest);
    // Only now may the local copies go: at every instant each offset is readable from somewhere.
    log.start_local_log_at(initial.local_start);
  }
}

void World::place_finished_copy(PartitionNumber partition, const LogSegment& segment, const EpochEntries& epochs) {
  const RemoteLogSegment& copy = new_segment(partition, segment, epochs);
  const BrokerId writer = cluster_->leader(partition);
  const PublishOrigin origin{writer, LeaderEpoch{-1}, TaskStep::none};
  RemoteLogSegmentMetadata record{&copy, segment.largest_timestamp, RemoteLogSegmentState::copy_segment_started, writer,
                                  0};
  metadata_->place(record, origin);
  place_objects(copy, std::nullopt);
  const auto finished = RemoteLogSegmentState::copy_segment_finished;
  metadata_->place(record.with_state(finished, writer, segment.largest_timestamp), origin);
}

/// What the file says of this partition, record by record.
void World::place_file_copies(PartitionNumber partition, const InitialFile& file) {
  std::map<std::uint32_t, const RemoteLogSegment*> placed;
  for (const InitialEvent& event : events_of(file, index_in_topic(partition))) {
    const InitialCopy& copy = file.copies[event.copy];
    const auto [entry, is_first] = placed.try_emplace(event.copy, nullptr);
    if (is_first) {
      const LogSegment segment{copy.start_offset, next(copy.end_offset), copy.size, copy.max_timestamp};
      entry->second = &add_segment(partition, segment, copy.epochs, copy.id);
    }
    const BrokerId writer = event.broker == BrokerId{0} ? cluster_->leader(partition) : event.broker;
    const RemoteLogSegmentMetadata record{entry->second, event.time, event.state,
                                          writer,        0,          policy_of(writer).dangling_encoding()};
    metadata_->place(record, {writer, event.leader_epoch, TaskStep::none});
    if (!is_first) continue;
    const bool is_deleted = copy.state == RemoteLogSegmentState::delete_segment_finished;
    place_objects(*entry->second, copy.stored || !is_deleted ? copy.stored : Bytes{0});
  }
}

/// `stored` bytes of the objects, in the order in which a client writes them; nothing: all of them.
void World::place_objects(const RemoteLogSegment& copy, std::optional<Bytes> stored) {
  for (int i = 0; i < object_kind_count; ++i) {
    const auto object = static_cast<ObjectKind>(i);
    const Bytes whole = object_size(copy, object, scenario_.client);
    const bool is_last = i + 1 == object_kind_count;
    const Bytes part = !stored || is_last ? stored.value_or(whole) : std::min(*stored, whole);
    if (stored) *stored -= part;
    if (part > Bytes{0}) store_->place(copy, object, part);
  }
}

}  // namespace sim
