#include <algorithm>

#include "sim/observers/ledger/state.h"

namespace sim {
namespace {

/// What the tasks that hold a copy are at, taken together.
struct Work {
  bool uploading = false;
  /// Publishing DELETE_SEGMENT_STARTED for a sweep, a retention delete or a deleted topic.
  bool taking = false;
  /// Decided to delete, or saw the copy fail.
  bool deleting = false;
  bool publishing_dangling = false;
  /// One of them cleans up or sweeps: what it deletes is a failure's.
  bool after_failure = false;

  void add(const Hold& hold);
};

void Work::add(const Hold& hold) {
  using enum TaskStep;
  switch (hold.step) {
    case copy_publish_started:
    case copy_upload:
    case copy_publish_finished:
      (hold.upload_failed ? deleting : uploading) = true;
      after_failure |= hold.upload_failed;
      break;
    case clean_up_decided:
    case clean_up_publish_started:
    case clean_up_delete:
    case clean_up_publish_finished:
    case sweep_delete:
    case sweep_publish_finished:
      deleting = true;
      after_failure = true;
      break;
    case sweep_publish_started:
      taking = true;
      after_failure = true;
      break;
    case retention_publish_started:
    case topic_deletion_publish_started:
      taking = true;
      break;
    case retention_delete:
    case retention_publish_finished:
    case topic_deletion_delete:
    case topic_deletion_publish_finished:
      deleting = true;
      break;
    case publish_dangling:
    case sweep_publish_dangling:
    case retention_publish_dangling:
    case adopt_publish_dangling:
      publishing_dangling = true;
      break;
    case none:
      break;
  }
}

}  // namespace

bool Ledger::State::is_due(const Copy& copy) const {
  const LedgerPartition& partition = partition_of(copy);
  if (partition.is_deleted) return true;
  if (next(copy.segment->end_offset) <= partition.due_below) return true;
  return partition.retention_time && copy.segment->max_timestamp <= now - *partition.retention_time;
}

ByteClass Ledger::State::class_of(const Copy& copy, bool& failed) const {
  Work work;
  for (std::uint32_t i = copy.first_hold; i != no_index; i = holds[i].next_of_copy) work.add(holds[i]);
  failed = copy.was_garbage || copy.copy_failed || copy.delete_again || work.after_failure;

  switch (copy.state) {
    case FoldedState::absent:
    case FoldedState::deleted:
      return ByteClass::orphan;
    case FoldedState::started:
      if (work.uploading) return ByteClass::in_flight;
      if (work.deleting || work.taking) return ByteClass::deleting;
      return work.publishing_dangling ? ByteClass::dangling : ByteClass::stuck;
    case FoldedState::deleting:
      if (work.deleting || work.taking) return ByteClass::deleting;
      return work.publishing_dangling ? ByteClass::dangling : ByteClass::stuck;
    case FoldedState::dangling:
      return work.deleting ? ByteClass::deleting : ByteClass::dangling;
    case FoldedState::finished:
      if (work.deleting || work.taking) return ByteClass::deleting;
      if (is_due(copy)) return ByteClass::expired;
      return copy.served_end > partition_of(copy).log_start ? ByteClass::live : ByteClass::unreferenced;
  }
  return ByteClass::orphan;
}

Standing Ledger::State::standing_of(const Copy& copy) const {
  Standing standing;
  bool failed = false;
  standing.objects = class_of(copy, failed);
  standing.failed = failed && standing.objects == ByteClass::deleting;
  standing.parts_are_live = copy.parts == Bytes{0} || world.upload_is_live(*copy.segment);
  standing.ghost = is_unsettled(copy.state) && copy.first_hold == no_index && copy.stored() == Bytes{0};
  return standing;
}

void Ledger::State::refresh(Copy& copy) {
  const Standing standing = standing_of(copy);
  if (standing == copy.standing) {
    if (copy.leftover_open) track_leftover(copy);
    return;
  }
  account(copy, -1);
  copy.standing = standing;
  account(copy, +1);
  track_leftover(copy);
}

void Ledger::State::change_bytes(Copy& copy, StoredAs stored_as, Bytes delta) {
  account(copy, -1);
  (stored_as == StoredAs::object ? copy.objects : copy.parts) += delta;
  copy.standing = standing_of(copy);
  account(copy, +1);
  track_leftover(copy);
}

void Ledger::State::account(const Copy& copy, int sign) {
  if (copy.stored() == Bytes{0} && !copy.standing.ghost) return;
  const std::uint32_t topic = partition_of(copy).topic;
  const Bytes objects = sign * copy.objects;
  const Bytes parts = sign * copy.parts;
  const auto parts_class = copy.standing.parts_are_live ? ByteClass::in_flight : ByteClass::upload_parts;
  const bool is_garbage = copy.garbage() != Bytes{0};
  for (LedgerTotals* const totals : {&topics[topic], &all}) {
    totals->bytes[static_cast<std::size_t>(copy.standing.objects)] += objects;
    totals->bytes[static_cast<std::size_t>(parts_class)] += parts;
    if (copy.standing.failed) totals->deleting_failed += objects;
    if (is_garbage) totals->garbage_count += sign;
    if (copy.standing.ghost) {
      totals->ghost_count += sign;
      totals->ghost_claimed += sign * copy.segment->size;
    }
  }
  // While the initial state is being told, bytes may come before the entries that name them.
  if (sign > 0 && begun) note_maximum(topic);
}

void Ledger::State::note_maximum(std::uint32_t topic) {
  topic_max[topic] = std::max(topic_max[topic], topics[topic].garbage());
  all_max = std::max(all_max, all.garbage());
  peak = std::max(peak, all_max);
}

void Ledger::State::track_leftover(Copy& copy) {
  if (!begun) return;
  const Bytes garbage = copy.garbage();
  const bool is_garbage = garbage > Bytes{0};
  const bool for_the_first_time = is_garbage && !copy.was_garbage;
  if (is_garbage != copy.is_garbage) {
    copy.is_garbage = is_garbage;
    if (is_garbage) {
      copy.garbage_since = now;
      copy.was_garbage = true;
    } else {
      age_max = std::max(age_max, now - copy.garbage_since);
    }
  }

  if (is_garbage) {
    if (!copy.leftover_open) open_leftover(copy);
    Leftover& row = leftovers[copy.leftover];
    // A ghost that gets bytes after all, by a late write, is garbage from here on.
    if (row.bytes == Bytes{0}) tell_cause(row, copy);
    row.bytes = std::max(row.bytes, garbage);
  } else if (copy.leftover_open) {
    // A ghost's row waits for its entry to end; a task that tries in between does not close it.
    const bool was_bytes = leftovers[copy.leftover].bytes > Bytes{0};
    if (was_bytes || !is_unsettled(copy.state)) close_leftover(copy);
  } else if (copy.standing.ghost && copy.leftover == no_index) {
    open_leftover(copy);
  }
  // A delete that was only waste is from now on one of garbage.
  if (for_the_first_time) refresh(copy);
}

void Ledger::State::open_leftover(Copy& copy) {
  copy.leftover_open = true;
  if (copy.leftover != no_index) {
    // Gone, and there again: what counts is what brought it back.
    leftovers[copy.leftover].reclaimed.reset();
    leftovers[copy.leftover].reclaimed_by = Remover::none;
    tell_cause(leftovers[copy.leftover], copy);
    return;
  }
  copy.leftover = static_cast<std::uint32_t>(leftovers.size());
  Leftover row;
  row.segment = copy.segment;
  tell_cause(row, copy);
  leftovers.push_back(row);
}

void Ledger::State::tell_cause(Leftover& row, const Copy& copy) const {
  row.became_garbage = now;
  row.state = to_state(copy.state);
  if (copy.fault != no_index) row.fault = copy.fault;
  row.step = copy.last_step;
}

void Ledger::State::close_leftover(Copy& copy) {
  copy.leftover_open = false;
  Leftover& row = leftovers[copy.leftover];
  row.reclaimed = now;
  // What became a finished copy after all was removed by nobody.
  if (copy.stored() == Bytes{0}) row.reclaimed_by = copy.remover;
}

}  // namespace sim
