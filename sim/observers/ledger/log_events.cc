#include <algorithm>
#include <iterator>

#include "sim/observers/ledger/state.h"

namespace sim {

void Ledger::State::on(const LeaderChanged& event) {
  LedgerPartition& partition = partitions[event.partition.value()];
  // A leader that stays keeps its tasks (facts 4.2).
  if (event.leader != partition.leader) partition.ended = {};
  if (!begun || event.leader.value() == 0) return;
  partition.leader = event.leader;
  const UnifiedLog& log = world.log(partition.leader, partition.number);
  raise_log_start(partition, log.log_start_offset());
  learn_log(partition);
  look_for_losses(partition, partition.log_start, partition.local_start);
}

void Ledger::State::on(const RunEnded& event) {
  LedgerPartition& partition = partitions[event.partition.value()];
  const bool is_ended = event.end == model::RunEnd::fatal && event.broker == partition.leader;
  if (is_ended && event.task != TaskKind::partition_deletion) {
    partition.ended[static_cast<std::size_t>(event.task)] = true;
  }
}

/// Takes over where the leader's local log begins, how its segments lie and what its epochs say.
void Ledger::State::learn_log(LedgerPartition& partition) {
  const UnifiedLog& log = world.log(partition.leader, partition.number);
  partition.local_start = std::max(partition.log_start, log.local_log_start_offset());
  partition.pieces.cut_at(log.active_segment().base_offset);
  const auto& segments = log.segments();
  auto segment = segments.end() - 1;
  while (segment != segments.begin() && (segment - 1)->next_offset > partition.pieces.end()) --segment;
  for (; segment + 1 != segments.end(); ++segment) {
    partition.pieces.append(segment->base_offset, segment->next_offset, segment->size, segment->largest_timestamp);
  }
  partition.pieces.drop_below(partition.log_start);
  partition.finished.set_history(log.leader_epochs().entries(), copies);
  reset_due(partition);
  refresh_finished(partition);
}

void Ledger::State::reset_due(LedgerPartition& partition) {
  partition.due_below = partition.log_start;
  if (const auto bound = size_bound(partition)) {
    partition.due_below = std::max(partition.due_below, partition.pieces.offset_with(*bound));
  }
}

void Ledger::State::on(const TopicChanged& event) {
  const TopicOptions& options = world.topic_options(event.topic);
  for (LedgerPartition& partition : partitions) {
    if (partition.topic != event.topic) continue;
    partition.retention_time = options.retention_time_limit();
    partition.retention_bytes = options.retention_size_limit();
    if (!begun) continue;
    reset_due(partition);
    partition.queued_due = time_never;
    partition.due_until = SimTime{Duration::min()};
    if (partition.retention_time) fall_due(partition);
    refresh_finished(partition);
  }
}

void Ledger::State::on(const SegmentRolled& event) {
  LedgerPartition& partition = partitions[event.partition.value()];
  if (event.next_offset > partition.pieces.end()) {
    const auto& segments = world.log(partition.leader, partition.number).segments();
    const auto is_it = [&event](const LogSegment& segment) { return segment.base_offset == event.base_offset; };
    const auto rolled = std::find_if(segments.rbegin(), segments.rend(), is_it);
    const SimTime largest_timestamp = rolled == segments.rend() ? now : rolled->largest_timestamp;
    partition.pieces.append(event.base_offset, event.next_offset, event.size, largest_timestamp);
  }
  if (partition.retention_bytes) raise_due(partition);
}

void Ledger::State::on(const LogStartRaised& event) {
  LedgerPartition& partition = partitions[event.partition.value()];
  // A zombie's log start is its own; it counts once it leads again.
  if (partition.is_deleted) return;
  if (event.broker == partition.leader) raise_log_start(partition, event.offset);
}

void Ledger::State::on(const LocalSegmentsDeleted& event) {
  LedgerPartition& partition = partitions[event.partition.value()];
  if (event.broker != partition.leader || event.local_log_start_offset <= partition.local_start) return;
  const Offset before = partition.local_start;
  partition.local_start = event.local_log_start_offset;
  look_for_losses(partition, before, partition.local_start);
}

void Ledger::State::on(const PartitionDeleted& event) {
  LedgerPartition& partition = partitions[event.partition.value()];
  partition.is_deleted = true;
  partition.log_start = std::max(partition.log_start, event.log_end_offset);
  partition.local_start = partition.log_start;
  partition.given_up.clear();
  partition.pieces.drop_below(partition.log_start);
  refresh_finished(partition);
}

void Ledger::State::raise_log_start(LedgerPartition& partition, Offset offset) {
  if (offset <= partition.log_start) return;
  // Up to here readers could have had it, wherever it is stored.
  give_up(partition, partition.log_start, offset);
  move_log_start(partition, offset);
}

void Ledger::State::on(const RecordsDeleted& event) {
  LedgerPartition& partition = partitions[event.partition.value()];
  // That they are lost is what was asked for.
  if (event.offset > partition.log_start) move_log_start(partition, event.offset);
}

void Ledger::State::move_log_start(LedgerPartition& partition, Offset offset) {
  partition.log_start = offset;
  partition.local_start = std::max(partition.local_start, offset);
  std::erase_if(partition.given_up, [offset](const auto& range) { return range.second <= offset; });
  partition.pieces.drop_below(offset);
  raise_due(partition);
  if (partition.finished.some_are_overlapped()) refresh_finished(partition);
}

std::optional<Bytes> Ledger::State::size_bound(const LedgerPartition& partition) const {
  if (!partition.retention_bytes) return std::nullopt;
  const Bytes active = world.log(partition.leader, partition.number).active_segment().size;
  return partition.pieces.total() + active - *partition.retention_bytes;
}

void Ledger::State::raise_due(LedgerPartition& partition) {
  Offset below = partition.log_start;
  if (const auto bound = size_bound(partition)) below = std::max(below, partition.pieces.offset_with(*bound));
  if (below <= partition.due_below) return;
  const std::uint32_t* number = partition.finished.first_ending_from(partition.due_below, copies);
  partition.due_below = below;
  for (; number != partition.finished.by_end().end(); ++number) {
    Copy& copy = copies[*number];
    if (copy.segment->end_offset >= below) break;
    refresh(copy);
  }
}

void Ledger::State::refresh_finished(LedgerPartition& partition) {
  for (const std::uint32_t number : partition.finished.by_end()) refresh(copies[number]);
}

void Ledger::State::look_for_losses(LedgerPartition& partition, Offset from, Offset to) {
  Offset offset = std::max(from, partition.log_start);
  const Offset end = std::min(to, partition.local_start);
  while (offset < end) {
    const auto reader = partition.finished.reader_at(offset, copies);
    const Offset until = std::min(reader.until, end);
    if (reader.copy == nullptr || !is_whole(*reader.copy)) give_up(partition, offset, until);
    offset = until;
  }
}

/// From now on nobody reads [from, to); what of it was not given up before and not due is over-deleted.
void Ledger::State::give_up(LedgerPartition& partition, Offset from, Offset to) {
  auto& ranges = partition.given_up;
  const auto ends_below = [](const auto& range, Offset wanted) { return range.second < wanted; };
  const auto first = std::lower_bound(ranges.begin(), ranges.end(), from, ends_below);
  auto last = first;
  Offset begin = from;
  Offset end = to;
  for (Offset counted = from; counted < to; ++last) {
    const bool is_past = last == ranges.end() || last->first > to;
    const Offset gap_end = is_past ? to : std::max(last->first, counted);
    if (counted < gap_end) count_over_deleted(partition, counted, gap_end);
    if (is_past) break;
    begin = std::min(begin, last->first);
    end = std::max(end, last->second);
    counted = std::max(counted, last->second);
  }
  if (first == last) {
    ranges.insert(first, {begin, end});
    return;
  }
  *first = {begin, end};
  ranges.erase(first + 1, last);
}

void Ledger::State::count_over_deleted(LedgerPartition& partition, Offset from, Offset to) {
  const auto bound = size_bound(partition);
  Bytes lost;
  partition.pieces.for_each(from, to, [&](Offset begin, Offset end, SimTime largest_timestamp) {
    if (partition.retention_time && largest_timestamp <= now - *partition.retention_time) return;
    Bytes below = partition.pieces.bytes_below(begin);
    if (bound) below = std::max(below, *bound);
    lost += std::max(Bytes{0}, partition.pieces.bytes_below(end) - below);
  });
  if (lost == Bytes{0}) return;
  over_deleted += lost;
  last_over_deletion = OverDeletion{partition.number, from, to, lost};
}

}  // namespace sim
