#include <algorithm>
#include <functional>

#include "model/check.h"
#include "sim/observers/ledger/state.h"

namespace sim {
namespace {

unsigned __int128 product(Bytes bytes, Duration duration) {
  return static_cast<unsigned __int128>(bytes.value()) * static_cast<unsigned __int128>(duration.count());
}

}  // namespace

/// Sizes the books; the world is built by the time of the first record.
void Ledger::State::prepare() {
  prepared = true;
  const Scenario& scenario = world.scenario();
  auxiliary_bytes = scenario.client.indexes_bytes + scenario.client.producer_snapshot_bytes +
                    scenario.client.leader_epoch_checkpoint_bytes;
  topics.resize(scenario.topics.size());
  topic_max.resize(scenario.topics.size());
  partitions.resize(world.partition_count());
  for (std::uint32_t i = 0; i < partitions.size(); ++i) {
    LedgerPartition& partition = partitions[i];
    partition.number = PartitionNumber{i};
    partition.topic = world.topic_of(partition.number);
    const TopicOptions& topic = scenario.topics[partition.topic].options;
    partition.retention_time = topic.retention_time_limit();
    partition.retention_bytes = topic.retention_size_limit();
  }
}

/// The initial state is complete: what the logs say is known from here on.
void Ledger::State::begin() {
  begun = true;
  for (LedgerPartition& partition : partitions) {
    partition.leader = world.leader(partition.number);
    partition.log_start = world.leader_log(partition.number).log_start_offset();
    weigh_log(partition);
    learn_log(partition);
  }
  for (std::uint32_t number = 0; number < copies.size(); ++number) track_leftover(copies[number]);
  for (std::uint32_t topic = 0; topic < topics.size(); ++topic) note_maximum(topic);
  note_garbage();
}

/// What each offset of the log weighs by the finished copies and the leader's disk. They may overlap or leave a gap,
/// and may have been finished in any order.
void Ledger::State::weigh_log(LedgerPartition& partition) {
  std::vector<LogSegment> parts;
  for (const std::uint32_t number : partition.finished.by_end()) {
    const RemoteLogSegment& segment = *copies[number].segment;
    parts.push_back({segment.start_offset, next(segment.end_offset), segment.size, segment.max_timestamp});
  }
  const auto& local = world.log(partition.leader, partition.number).segments();
  parts.insert(parts.end(), local.begin(), local.end() - 1);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const LogSegment& a, const LogSegment& b) { return a.base_offset < b.base_offset; });
  for (const LogSegment& part : parts) {
    partition.pieces.append(part.base_offset, part.next_offset, part.size, part.largest_timestamp);
  }
}

void Ledger::State::advance(SimTime time) {
  while (!dues.empty() && dues.front().time <= time) {
    const Due due = dues.front();
    std::pop_heap(dues.begin(), dues.end(), std::greater<>{});
    dues.pop_back();
    LedgerPartition& partition = partitions[due.partition];
    if (due.time != partition.queued_due) continue;
    settle_clock(due.time);
    fall_due(partition);
  }
  settle_clock(time);
}

void Ledger::State::settle_clock(SimTime time) {
  if (time <= now) return;
  const Duration passed = time - now;
  const Bytes stored = all.stored();
  if (stored != Bytes{0}) {
    garbage_integral += product(all.garbage(), passed);
    waste_integral += product(stored - all.of(ByteClass::live) - all.of(ByteClass::in_flight), passed);
    stored_integral += product(stored, passed);
  }
  now = time;
}

void Ledger::State::queue_due(LedgerPartition& partition, SimTime due) {
  if (due <= now || due >= partition.queued_due) return;
  partition.queued_due = due;
  dues.push_back({due, partition.number.value()});
  std::push_heap(dues.begin(), dues.end(), std::greater<>{});
}

/// Refreshes what has fallen due by time since the last time, and queues what comes next.
void Ledger::State::fall_due(LedgerPartition& partition) {
  partition.queued_due = time_never;
  const Duration retention = *partition.retention_time;
  const auto due_of = [&](std::uint32_t number) { return copies[number].segment->max_timestamp + retention; };
  const auto& finished = partition.finished.by_end();
  const bool ordered = partition.finished.in_time_order();
  const std::uint32_t* number = finished.begin();
  if (ordered) {
    const auto is_known = [&](std::uint32_t candidate) { return due_of(candidate) <= partition.due_until; };
    number = std::partition_point(finished.begin(), finished.end(), is_known);
  }
  SimTime earliest = time_never;
  for (; number != finished.end(); ++number) {
    const SimTime due = due_of(*number);
    if (due <= now) {
      refresh(copies[*number]);
      continue;
    }
    earliest = std::min(earliest, due);
    if (ordered) break;
  }
  partition.due_until = now;
  if (earliest != time_never) queue_due(partition, earliest);
}

void Ledger::State::note_garbage() {
  if (!begun) return;
  if (all.garbage_count > 0) {
    garbage_free_since.reset();
  } else if (!garbage_free_since) {
    garbage_free_since = now;
  }
}

}  // namespace sim
