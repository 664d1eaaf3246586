#include <algorithm>

#include "model/check.h"
#include "sim/observers/ledger/state.h"

namespace sim {
namespace {

/// Whether the topic's fold and the leader's history send a reader of some retained offset to `segment`.
bool is_served(const RemoteLogMetadataCache& folded, const EpochEntries& history, Offset log_start,
               const RemoteLogSegment& segment) {
  for (const EpochEntry& entry : segment.segment_leader_epochs) {
    for (std::size_t i = 0; i < history.size(); ++i) {
      if (history[i].epoch != entry.epoch) continue;
      // What a copy serves of an epoch has no holes: it serves the first offset that it could, or none.
      const Offset first = std::max({entry.start_offset, history[i].start_offset, log_start});
      if (i + 1 < history.size() && first >= history[i + 1].start_offset) continue;
      const auto found = folded.remote_log_segment_metadata(entry.epoch, first);
      if (found && found->segment == &segment) return true;
    }
  }
  return false;
}

/// Everything about one copy that the recount takes from the world.
Copy copy_from_world(const WorldView& world, const RemoteLogMetadataCache& folded, const Copy& known) {
  Copy copy = known;
  copy.objects = copy.parts = Bytes{0};
  for (int i = 0; i < object_kind_count; ++i) {
    const auto kind = static_cast<ObjectKind>(i);
    copy.objects += world.stored(*copy.segment, kind, StoredAs::object);
    copy.parts += world.stored(*copy.segment, kind, StoredAs::parts);
  }
  const auto metadata = folded.find(*copy.segment);
  copy.state = metadata ? to_folded(metadata->state) : FoldedState::absent;
  return copy;
}

void add(LedgerTotals& totals, const Copy& copy) {
  totals.bytes[static_cast<std::size_t>(copy.standing.objects)] += copy.objects;
  const auto parts = copy.standing.parts_are_live ? ByteClass::in_flight : ByteClass::upload_parts;
  totals.bytes[static_cast<std::size_t>(parts)] += copy.parts;
  if (copy.standing.failed) totals.deleting_failed += copy.objects;
  if (copy.garbage() > Bytes{0}) ++totals.garbage_count;
  if (!copy.standing.ghost) return;
  ++totals.ghost_count;
  totals.ghost_claimed += copy.segment->size;
}

}  // namespace

LedgerTotals Ledger::State::recount() const {
  // By partition, since a fold is only good until the next one is asked for.
  std::vector<std::vector<std::uint32_t>> numbers(partitions.size());
  for (std::uint32_t number = 0; number < world.segment_count(); ++number) {
    numbers[world.segment(number).partition.value()].push_back(number);
  }
  LedgerTotals sum;
  for (const LedgerPartition& partition : partitions) {
    if (numbers[partition.number.value()].empty()) continue;
    const RemoteLogMetadataCache& folded = world.folded(partition.number);
    const EpochEntries& history = world.log(partition.leader, partition.number).leader_epochs().entries();
    for (const std::uint32_t number : numbers[partition.number.value()]) {
      Copy known;
      if (number < copies.size()) known = copies[number];
      known.segment = &world.segment(number);
      Copy copy = copy_from_world(world, folded, known);
      const bool served =
          copy.state == FoldedState::finished && is_served(folded, history, partition.log_start, *copy.segment);
      copy.served_end = served ? next(partition.log_start) : Offset{0};
      copy.standing = standing_of(copy);
      add(sum, copy);
    }
  }
  return sum;
}

void Ledger::State::check_books() {
  // What changes without a record: sizes of active segments, and which uploads may still be completed.
  for (LedgerPartition& partition : partitions) {
    if (partition.retention_bytes) raise_due(partition);
  }
  for (std::uint32_t number = 0; number < copies.size(); ++number) {
    if (copies[number].parts > Bytes{0}) refresh(copies[number]);
  }
  LedgerTotals topic_sum;
  for (const LedgerTotals& topic : topics) {
    for (std::size_t i = 0; i < topic.bytes.size(); ++i) topic_sum.bytes[i] += topic.bytes[i];
  }
  const LedgerTotals counted = recount();
  for (int i = 0; i < byte_class_count; ++i) {
    const auto c = static_cast<ByteClass>(i);
    CHECK(all.of(c) == counted.of(c), "{}: {} in the books, {} counted", to_string(c), all.of(c), counted.of(c));
    CHECK(topic_sum.of(c) == all.of(c), "{}: {} over the topics, {} in all", to_string(c), topic_sum.of(c), all.of(c));
  }
  CHECK(all.deleting_failed == counted.deleting_failed, "{} in the books, {} counted", all.deleting_failed,
        counted.deleting_failed);
  CHECK(all.garbage_count == counted.garbage_count, "{} in the books, {} counted", all.garbage_count,
        counted.garbage_count);
  CHECK(all.ghost_count == counted.ghost_count, "{} in the books, {} counted", all.ghost_count, counted.ghost_count);
  CHECK(all.ghost_claimed == counted.ghost_claimed, "{} in the books, {} counted", all.ghost_claimed,
        counted.ghost_claimed);
}

}  // namespace sim
