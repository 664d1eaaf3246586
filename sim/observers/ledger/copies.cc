#include "sim/observers/ledger/copies.h"

#include "model/check.h"

namespace sim {

FoldedState to_folded(RemoteLogSegmentState state) {
  switch (state) {
    case RemoteLogSegmentState::copy_segment_started:
      return FoldedState::started;
    case RemoteLogSegmentState::copy_segment_finished:
      return FoldedState::finished;
    case RemoteLogSegmentState::delete_segment_started:
      return FoldedState::deleting;
    case RemoteLogSegmentState::delete_segment_finished:
      return FoldedState::deleted;
    case RemoteLogSegmentState::dangling:
      return FoldedState::dangling;
  }
  return FoldedState::absent;
}

std::optional<RemoteLogSegmentState> to_state(FoldedState folded) {
  switch (folded) {
    case FoldedState::absent:
      return std::nullopt;
    case FoldedState::started:
      return RemoteLogSegmentState::copy_segment_started;
    case FoldedState::finished:
      return RemoteLogSegmentState::copy_segment_finished;
    case FoldedState::deleting:
      return RemoteLogSegmentState::delete_segment_started;
    case FoldedState::deleted:
      return RemoteLogSegmentState::delete_segment_finished;
    case FoldedState::dangling:
      return RemoteLogSegmentState::dangling;
  }
  return std::nullopt;
}

Hold* HoldTable::find(const Copy& copy, BrokerId broker, TaskKind task) {
  for (std::uint32_t i = copy.first_hold; i != no_index; i = holds_[i].next_of_copy) {
    Hold& hold = holds_[i];
    if (hold.broker == broker && hold.task == task) return &hold;
  }
  return nullptr;
}

Hold& HoldTable::add(Copy& copy, BrokerId broker, TaskKind task) {
  std::uint32_t index = static_cast<std::uint32_t>(holds_.size());
  if (free_.empty()) {
    holds_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  const auto id = static_cast<std::size_t>(broker.value());
  if (id >= first_of_broker_.size()) first_of_broker_.resize(id + 1, no_index);

  Hold& hold = holds_[index];
  hold = Hold{};
  hold.copy = copy.segment->number;
  hold.broker = broker;
  hold.task = task;
  hold.next_of_copy = copy.first_hold;
  copy.first_hold = index;
  hold.next_of_broker = first_of_broker_[id];
  if (hold.next_of_broker != no_index) holds_[hold.next_of_broker].previous_of_broker = index;
  first_of_broker_[id] = index;
  return hold;
}

void HoldTable::remove(Copy& copy, Hold& hold) {
  const auto index = static_cast<std::uint32_t>(&hold - holds_.data());
  std::uint32_t* link = &copy.first_hold;
  while (*link != index) link = &holds_[*link].next_of_copy;
  *link = hold.next_of_copy;

  if (hold.previous_of_broker != no_index) {
    holds_[hold.previous_of_broker].next_of_broker = hold.next_of_broker;
  } else {
    first_of_broker_[static_cast<std::size_t>(hold.broker.value())] = hold.next_of_broker;
  }
  if (hold.next_of_broker != no_index) holds_[hold.next_of_broker].previous_of_broker = hold.previous_of_broker;
  free_.push_back(index);
}

std::uint32_t HoldTable::first_of(BrokerId broker) const {
  const auto id = static_cast<std::size_t>(broker.value());
  return id < first_of_broker_.size() ? first_of_broker_[id] : no_index;
}

}  // namespace sim
