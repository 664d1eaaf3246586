#include "model/check.h"
#include "model/policy.h"
#include "sim/observers/ledger/state.h"

namespace sim {
namespace {

/// Whether a run takes the copy in hand with this step.
bool begins_hold(TaskStep step) {
  return step == TaskStep::copy_publish_started || step == TaskStep::sweep_publish_started ||
         step == TaskStep::retention_publish_started || step == TaskStep::topic_deletion_publish_started;
}

bool begins_delete(TaskStep step) {
  return step == TaskStep::clean_up_decided || step == TaskStep::sweep_publish_started ||
         step == TaskStep::retention_publish_started || step == TaskStep::topic_deletion_publish_started;
}

bool calls_delete(TaskStep step) {
  return step == TaskStep::clean_up_delete || step == TaskStep::sweep_delete || step == TaskStep::retention_delete ||
         step == TaskStep::topic_deletion_delete;
}

}  // namespace

void Ledger::State::on(const Transition& event) {
  Copy& copy = copies.of(*event.segment);
  if (!event.applied) return;
  LedgerPartition& partition = partition_of(copy);
  const FoldedState before = copy.state;
  copy.state = to_folded(event.to);
  changed.clear();
  if (copy.state == FoldedState::finished) {
    const RemoteLogSegment& segment = *copy.segment;
    partition.finished.add(copy, copies, changed);
    if (partition.retention_time) queue_due(partition, segment.max_timestamp + *partition.retention_time);
  } else if (before == FoldedState::finished) {
    partition.finished.remove(copy, copies, changed);
  }
  refresh(copy);
  for (const std::uint32_t number : changed) refresh(copies[number]);
  if (!begun) return;
  if (copy.state == FoldedState::deleted && copy.leftover_open && copy.fault != no_index) {
    // Whatever left it at first: from here on it is there because of what went wrong with its delete.
    leftovers[copy.leftover].fault = copy.fault;
  }
  if (before == FoldedState::finished && copy.state != before) {
    look_for_losses(partition, copy.segment->start_offset, next(copy.segment->end_offset));
  }
  if (partition.retention_bytes) raise_due(partition);
}

void Ledger::State::on(const StepEntered& event) {
  Copy& copy = copies.of(*event.segment);
  Hold* hold = holds.find(copy, event.broker, event.task);
  if (hold == nullptr) {
    hold = &holds.add(copy, event.broker, event.task);
  } else if (begins_hold(event.step)) {
    ++hold->runs;
  }
  LedgerPartition& partition = partition_of(copy);
  // A clean-up without a failure follows too much custom metadata, and ends the task.
  const bool cleans_up = event.step == TaskStep::clean_up_decided || event.step == TaskStep::publish_dangling;
  if (cleans_up && hold->step == TaskStep::copy_upload && !hold->upload_failed && event.broker == partition.leader) {
    partition.ended[static_cast<std::size_t>(TaskKind::copy)] = true;
  }
  hold->step = event.step;
  if (begins_delete(event.step) && copy.delete_tried) copy.delete_again = true;
  if (calls_delete(event.step)) copy.delete_tried = true;
  copy.last_step = event.step;
  // Kafka's sum contains the active segment as it is now.
  if (begins_delete(event.step) && begun && partition.retention_bytes) raise_due(partition);
  copy.remover = remover_of(event.step, copy, event.broker);
  refresh(copy);
}

Remover Ledger::State::remover_of(TaskStep step, const Copy& copy, BrokerId broker) const {
  using enum TaskStep;
  switch (step) {
    case none:
    case copy_publish_started:
    case copy_publish_finished:
    case publish_dangling:
    case adopt_publish_dangling:
      return copy.remover;
    case copy_upload:  // The plug-in's own clean-up.
    case clean_up_decided:
    case clean_up_publish_started:
    case clean_up_delete:
    case clean_up_publish_finished:
      return Remover::clean_up;
    case sweep_publish_started:
    case sweep_delete:
    case sweep_publish_finished:
    case sweep_publish_dangling:
      return Remover::sweep;
    case retention_publish_started: {
      const Policy& policy = world.policy_of(broker);
      const bool takes_any_deleting = copy.state == FoldedState::deleting && policy.rules().retry_delete_started;
      const bool takes_any_dangling =
          copy.state == FoldedState::dangling && policy.dangling_in_walk() == KipDanglingOptions::Expiration::delete_it;
      return takes_any_deleting || takes_any_dangling ? Remover::expiration : Remover::retention;
    }
    case retention_delete:
    case retention_publish_finished:
    case retention_publish_dangling:
      return copy.remover == Remover::expiration ? Remover::expiration : Remover::retention;
    case topic_deletion_publish_started:
    case topic_deletion_delete:
    case topic_deletion_publish_finished:
      return Remover::topic_deletion;
  }
  return Remover::none;
}

void Ledger::State::on(const SegmentLeft& event) {
  Copy& copy = copies.of(*event.segment);
  Hold* const hold = holds.find(copy, event.broker, event.task);
  if (hold == nullptr || --hold->runs > 0) return;
  holds.remove(copy, *hold);
  refresh(copy);
}

void Ledger::State::on(const BrokerCrashed& event) {
  for (std::uint32_t i = holds.first_of(event.broker); i != no_index; i = holds.first_of(event.broker)) {
    Copy& copy = copies[holds[i].copy];
    note_fault(copy, event.fault);
    holds.remove(copy, holds[i]);
    refresh(copy);
  }
}

void Ledger::State::on(const StorageCallEnded& event) {
  if (event.segment == nullptr) return;
  Copy& copy = copies.of(*event.segment);
  // A call may succeed and return what Kafka does not take.
  if (event.result == CallResult::ok) {
    note_fault(copy, event.fault);
  } else {
    note_failure(copy, event.broker, event.task, event.fault);
    if (event.operation == StoreOperation::put) {
      copy.copy_failed = true;
      if (Hold* const hold = holds.find(copy, event.broker, event.task)) hold->upload_failed = true;
    }
  }
  refresh(copy);
}

/// What its caller believes was done: only the fault knows better.
void Ledger::State::on(const StoreRequestEnded& event) {
  if (event.result == CallResult::ok && event.fault) note_fault(copies.of(*event.segment), event.fault);
}

void Ledger::State::on(const RemedyActed& event) {
  Copy& copy = copies.of(*event.segment);
  const bool is_seen = event.remedy == Remedy::scrubber && event.finding == RemedyFinding::unnamed;
  if (is_seen && copy.leftover_open && !leftovers[copy.leftover].seen) leftovers[copy.leftover].seen = now;
  if (event.action != RemedyAction::removed) return;
  copy.remover = event.remedy == Remedy::bucket_rule ? Remover::bucket_rule : Remover::scrubber;
}

void Ledger::State::on(const PublishEnded& event) {
  if (event.result != CallResult::ok) {
    note_failure(copies.of(*event.segment), event.broker, event.task, event.fault);
  }
}

void Ledger::State::on(const BytesChanged& event) {
  Copy& copy = copies.of(*event.segment);
  note_fault(copy, event.fault);
  const bool was_whole = is_whole(copy);
  change_bytes(copy, event.stored_as, event.delta);
  CHECK(copy.objects >= Bytes{0}, "copy {} has {} bytes", copy.segment->number, copy.objects);
  CHECK(copy.parts >= Bytes{0}, "copy {} has {} bytes of parts", copy.segment->number, copy.parts);
  if (copy.state != FoldedState::finished || !begun || !was_whole || is_whole(copy)) return;
  look_for_losses(partition_of(copy), copy.segment->start_offset, next(copy.segment->end_offset));
}

/// The topic says something else of the partition's copies now: what it still holds is folded anew.
void Ledger::State::on(const RecordsForgotten& event) {
  LedgerPartition& partition = partitions[event.partition.value()];
  std::vector<std::pair<std::uint32_t, FoldedState>> before;
  for (std::uint32_t number = 0; number < copies.size(); ++number) {
    Copy& copy = copies[number];
    if (copy.segment == nullptr || copy.segment->partition != event.partition) continue;
    before.emplace_back(number, copy.state);
    copy.state = FoldedState::absent;
    copy.served_end = Offset{0};
  }
  const EpochEntries history = partition.finished.history();
  partition.finished = {};
  partition.finished.set_history(history, copies);
  for (const RemoteLogSegmentMetadata& record : world.records(event.partition)) {
    Copy& copy = copies.of(*record.segment);
    if (!is_valid_transition(TransitionTable::kip, to_state(copy.state), record.state)) continue;
    const bool was_finished = copy.state == FoldedState::finished;
    copy.state = to_folded(record.state);
    changed.clear();
    if (copy.state == FoldedState::finished) {
      partition.finished.add(copy, copies, changed);
    } else if (was_finished) {
      partition.finished.remove(copy, copies, changed);
    }
  }
  for (const auto& [number, state] : before) {
    if (copies[number].state != state) note_fault(copies[number], event.fault);
    refresh(copies[number]);
  }
  if (begun) look_for_losses(partition, partition.log_start, partition.local_start);
}

/// The first failure ends a partition's deletion (F18), so that it leaves every other copy as well.
void Ledger::State::note_failure(Copy& copy, BrokerId broker, TaskKind task, FaultIndex fault) {
  if (!fault) return;
  const bool is_known = copy.fault == *fault;
  copy.fault = *fault;
  if (task != TaskKind::partition_deletion || is_known) return;
  for (std::uint32_t i = holds.first_of(broker); i != no_index; i = holds[i].next_of_broker) {
    Copy& other = copies[holds[i].copy];
    const bool is_left = holds[i].task == TaskKind::partition_deletion && !other.is_garbage &&
                         other.segment->partition == copy.segment->partition;
    if (is_left) other.fault = *fault;
  }
}

void Ledger::State::note_fault(Copy& copy, FaultIndex fault) {
  if (fault) copy.fault = *fault;
}

}  // namespace sim
