// The metadata topic folded as every broker does it (facts 2.3), with the union of the transition tables.
#include "reports/import/dump_fold.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/csv.h"

namespace reports {
namespace {

/// A state that the table does not know cannot be judged: what leads to it and away from it is taken as it stands.
bool applies(StateNumber from, StateNumber to) {
  if (!is_known(from) || !is_known(to)) return true;
  return is_valid_transition(TransitionTable::kip, static_cast<RemoteLogSegmentState>(from),
                             static_cast<RemoteLogSegmentState>(to));
}

constexpr auto finished_state = number_of(RemoteLogSegmentState::delete_segment_finished);
constexpr auto started_state = number_of(RemoteLogSegmentState::copy_segment_started);

}  // namespace

MetadataStream& DumpFold::stream_of(std::int64_t number) {
  if (number != last_stream_number_) {
    last_stream_ = &streams_[number];
    last_stream_number_ = number;
  }
  return *last_stream_;
}

std::uint32_t DumpFold::partition_of(const DumpRecord& record, std::int64_t time_ms, std::int64_t stream) {
  if (last_partition_ != UINT32_MAX) {
    const auto& last = partitions_[last_partition_];
    auto& topic = topics_found_[last.topic];
    if (last.index == record.partition && topic.id == record.topic_id) {
      topic.last_ms = std::max(topic.last_ms, time_ms);
      return last_partition_;
    }
  }
  const auto [topic, is_new_topic] =
      topic_numbers_.try_emplace(record.topic_id, static_cast<std::uint32_t>(topics_found_.size()));
  if (is_new_topic)
    topics_found_.push_back(
        {.id = record.topic_id, .name = std::string{record.topic}, .first_ms = time_ms, .last_ms = time_ms});
  auto& found = topics_found_[topic->second];
  found.first_ms = std::min(found.first_ms, time_ms);
  found.last_ms = std::max(found.last_ms, time_ms);
  const auto [partition, is_new] = partition_numbers_.try_emplace({record.topic_id, record.partition},
                                                                  static_cast<std::uint32_t>(partitions_.size()));
  if (is_new) {
    partitions_.push_back({.topic = topic->second,
                           .index = record.partition,
                           .fields = fmt::format("{},{}", csv_field(found.name), record.partition),
                           .stream = stream});
  }
  return last_partition_ = partition->second;
}

DumpFold::Taken DumpFold::add(const DumpRecord& record, const DumpPlace& place, std::int64_t stream_number) {
  if (place.offset) {
    auto& stream = stream_of(stream_number);
    if (!stream.seen.add(*place.offset)) {
      ++stream.repeated;
      return Taken::repeated;
    }
  }
  if (record.kind == DumpRecord::Kind::snapshot) return Taken::snapshot;
  if (!topics_.empty() && topics_.find(record.topic) == topics_.end()) {
    constexpr std::size_t names_most = 1'000;
    if (passed_over_.size() < names_most && passed_over_.find(record.topic) == passed_over_.end())
      passed_over_.emplace(record.topic);
    return Taken::other_topic;
  }

  if (anonymiser_ == nullptr) {
    take(record, place, stream_number);
  } else {
    auto changed = record;
    anonymiser_->change(changed);
    take(changed, place, stream_number);
  }
  return Taken::taken;
}

void DumpFold::take(const DumpRecord& record, const DumpPlace& place, std::int64_t stream_number) {
  const auto time_ms = place.create_ms.value_or(record.event_ms);
  first_ms_ = std::min(first_ms_.value_or(time_ms), time_ms);
  last_ms_ = std::max(last_ms_.value_or(time_ms), time_ms);
  if (record.broker != last_broker_ && record.broker >= 0) {
    last_broker_ = record.broker;
    brokers_.insert(record.broker);
  }
  const auto number = partition_of(record, time_ms, stream_number);
  auto& partition = partitions_[number];
  ++partition.records;
  ++topics_found_[partition.topic].records;
  ++order_;
  if (record.kind == DumpRecord::Kind::partition_delete) {
    partition.delete_state = record.state;
    partition.delete_ms = time_ms;
    return;
  }
  ImportedTransition row{.time_ms = time_ms,
                         .broker = record.broker,
                         .topic = &topics_found_[partition.topic],
                         .partition = &partition,
                         .to = states_.number_of(record.state),
                         .offset = place.offset};
  if (stream_number >= 0) row.metadata_partition = static_cast<std::int32_t>(stream_number);
  fold(record, number, row);
}

void DumpFold::add_unreadable(const DumpPlace& place, std::int64_t stream_number, bool is_undecodable,
                              bool means_unknown_state) {
  auto& stream = stream_of(stream_number);
  if (place.offset && !stream.seen.add(*place.offset)) {
    ++stream.repeated;
    return;
  }
  if (!is_undecodable) ++stream.unreadable;
  if (!is_undecodable) return;
  ++stream.undecodable;
  if (stream.first_undecodable < 0) stream.first_undecodable = place.offset.value_or(-1);
  if (!means_unknown_state) return;
  ++stream.unknown_state;
  if (stream.first_unknown_state < 0) stream.first_unknown_state = place.offset.value_or(-1);
}

void DumpFold::fold(const DumpRecord& record, std::uint32_t partition, ImportedTransition& row) {
  if (auto* const segment = segments_.find(record.id); segment != nullptr) {
    const auto own = partitions_[segment->partition].topic;
    const auto told = partitions_[partition].topic;
    if (own != told) topics_found_[own].shares_copies = topics_found_[told].shares_copies = true;
    go_on(*segment, record, row);
  } else if (auto* const finished = finished_.find(record.id); finished != nullptr && row.to != started_state) {
    after_finished(*finished, row);
  } else {
    begin(record, partition, row);
  }
}

void DumpFold::take_over(ImportedSegment& segment, const DumpRecord& record, const ImportedTransition& row) {
  const bool is_new = segment.order == 0;
  // Another broker's clock may be behind.
  if (is_new || segment.state != row.to)
    segment.since_ms = is_new ? row.time_ms : std::max(segment.since_ms, row.time_ms);
  segment.state = row.to;
  if (row.to == number_of(RemoteLogSegmentState::copy_segment_finished)) segment.was_finished = true;
  segment.order = order_;
  segment.broker = record.broker;
  if (row.offset) segment.last_offset = *row.offset;
  if (record.kind != DumpRecord::Kind::segment) return;
  segment.start_offset = record.start_offset;
  segment.end_offset = record.end_offset;
  segment.max_timestamp_ms = record.max_timestamp_ms;
  segment.size_bytes = static_cast<std::int32_t>(record.size_bytes);
  segments_.set_epochs(segment, record.epochs);
}

void DumpFold::leave(ImportedSegment& segment) {
  finished_.remember(segment);
  segments_.erase(segment);
}

/// The first record of an id that the dump tells of.
void DumpFold::begin(const DumpRecord& record, std::uint32_t partition, ImportedTransition& row) {
  auto& segment = segments_.insert(record.id);
  segment.partition = partition;
  take_over(segment, record, row);
  row.segment = &segment;
  const bool is_whole = record.kind == DumpRecord::Kind::segment;
  if (is_whole && (row.to == started_state || !is_known(row.to))) {
    ++topics_found_[partitions_[partition].topic].begun;
    apply(row);
    return;
  }
  segment.is_unfounded = true;
  auto& known = partitions_[partition];
  (is_whole ? known.illegal : known.without_base).add(record.id, row.time_ms, row.to, row.broker);
  drop(row);
  if (row.to == finished_state) leave(segment);
}

/// A broker's cache forgets an id with DELETE_SEGMENT_FINISHED and drops what still comes of it (facts 2.3).
void DumpFold::after_finished(ImportedSegment& segment, ImportedTransition& row) {
  auto& known = partitions_[segment.partition];
  row.segment = &segment;
  row.from_since_ms = segment.since_ms;
  if (row.offset && *row.offset < segment.last_offset) {
    known.late.add(segment.id, row.time_ms, row.to, row.broker);
  } else if (row.to != finished_state) {
    known.after_finished.add(segment.id, row.time_ms, row.to, row.broker);
  } else if (row.offset) {
    segment.last_offset = *row.offset;
  }
  drop(row);
}

void DumpFold::go_on(ImportedSegment& segment, const DumpRecord& record, ImportedTransition& row) {
  auto& known = partitions_[segment.partition];
  row.segment = &segment;
  row.from_since_ms = segment.since_ms;
  if (!segment.is_unfounded) row.from = segment.state;
  if (row.offset && *row.offset < segment.last_offset) {
    known.late.add(segment.id, row.time_ms, row.to, row.broker);
    return drop(row);
  }
  if (!applies(segment.state, row.to)) {
    known.illegal.add(segment.id, row.time_ms, row.to, row.broker);
    return drop(row);
  }
  take_over(segment, record, row);
  if (segment.is_unfounded) {
    drop(row);
  } else {
    apply(row);
  }
  if (row.to == finished_state) leave(segment);
}

}  // namespace reports
