#include "model/remote_log_metadata_cache.h"

#include <algorithm>

#include "model/check.h"

namespace model {
namespace {

/// Below this many holes a compaction is not worth its pass.
constexpr std::uint32_t hole_count_min = 32;

/// SplitMix64's finaliser: a single multiply would leave sums of neighbouring values correlated.
constexpr std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

constexpr std::uint64_t hash_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix(mix(mix(a + 0x9e3779b97f4a7c15ULL) + b) + c);
}

enum class Fact : std::uint64_t { entry, referenced, unreferenced, highest };

/// One fact about an epoch; the kinds are far apart so that sums of them do not meet.
std::uint64_t hash_of(Fact fact, LeaderEpoch epoch, std::uint64_t number, Offset offset) {
  const auto kind = static_cast<std::uint64_t>(fact) << 32 | static_cast<std::uint32_t>(epoch.value());
  return hash_of(kind, number, static_cast<std::uint64_t>(offset.value()));
}

std::size_t index_of(RemoteLogSegmentState state) { return static_cast<std::size_t>(state); }

/// Inclusive end of entry `index`'s epoch inside the segment.
Offset end_for_epoch(const RemoteLogSegment& segment, std::size_t index) {
  const EpochEntries& epochs = segment.segment_leader_epochs;
  return index + 1 < epochs.size() ? previous(epochs[index + 1].start_offset) : segment.end_offset;
}

}  // namespace

std::uint64_t RemoteLogMetadataCache::Entry::hash() const {
  const auto who = static_cast<std::uint64_t>(static_cast<std::uint32_t>(broker_id.value())) << 32 | number;
  const auto what = static_cast<std::uint64_t>(state) << 32 | static_cast<std::uint32_t>(custom_metadata_size);
  return hash_of(who, what, static_cast<std::uint64_t>(event_timestamp.time_since_epoch().count()));
}

const RemoteLogMetadataCache::SlotIndex::Item* RemoteLogMetadataCache::SlotIndex::floor(Offset offset) const {
  const auto above = [](Offset wanted, const Item& item) { return wanted < item.offset; };
  const Item* found = std::upper_bound(begin(), end(), offset, above);
  return found == begin() ? nullptr : found - 1;
}

bool RemoteLogMetadataCache::SlotIndex::insert(Item item) {
  if (items_.size() == items_.capacity() && first_ > items_.size() / 4) {
    // Takes the gap back instead of growing: a queue of constant length must not allocate for ever.
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  if (empty() || *(end() - 1) < item) {
    items_.push_back(item);
    return true;
  }
  const Item* found = std::lower_bound(begin(), end(), item);
  if (*found == item) return false;
  items_.insert(items_.begin() + (found - items_.data()), item);
  return true;
}

bool RemoteLogMetadataCache::SlotIndex::erase(Item item) {
  Item* found = std::lower_bound(begin(), end(), item);
  if (found == end() || *found != item) return false;
  if (found - begin() < end() - found) {
    std::move_backward(begin(), found, found + 1);
    ++first_;
  } else {
    items_.erase(items_.begin() + (found - items_.data()));
  }
  if (empty()) {
    items_.clear();
    first_ = 0;
  }
  return true;
}

RemoteLogMetadataCache::RemoteLogMetadataCache(TransitionTable table, TieOrder tie_order)
    : table_(table), tie_order_(tie_order) {}

CacheAnswer RemoteLogMetadataCache::handle(const RemoteLogSegmentMetadata& event) {
  CHECK(event.segment != nullptr);
  CHECK(!event.segment->segment_leader_epochs.empty());
  std::optional<Slot> slot = find_slot(*event.segment);
  if (!slot && event.state != RemoteLogSegmentState::copy_segment_started) return CacheAnswer::dropped_unknown;
  const auto from = slot ? std::optional{entries_[*slot].state} : std::nullopt;
  if (!is_valid_transition(table_, from, event.state)) return CacheAnswer::dropped_transition;

  if (!slot) slot = append(event);
  apply_to_epochs(*slot, *event.segment, event.state);
  if (event.state == RemoteLogSegmentState::delete_segment_finished) {
    remove(*slot);
  } else if (from) {
    put(*slot, event);
  }
  ++version_;
  return CacheAnswer::applied;
}

void RemoteLogMetadataCache::apply_to_epochs(Slot slot, const RemoteLogSegment& segment, RemoteLogSegmentState state) {
  const EpochEntries& epochs = segment.segment_leader_epochs;
  for (std::size_t index = 0; index < epochs.size(); ++index) {
    EpochState& epoch = epoch_state(epochs[index].epoch);
    const Offset start = epochs[index].start_offset;
    switch (state) {
      case RemoteLogSegmentState::copy_segment_started:
        add_unreferenced(epoch, slot);
        break;
      case RemoteLogSegmentState::copy_segment_finished:
        reference(epoch, start, end_for_epoch(segment, index), slot);
        break;
      case RemoteLogSegmentState::delete_segment_started:
      case RemoteLogSegmentState::dangling:
        erase_reference(epoch, {start, slot});
        add_unreferenced(epoch, slot);
        break;
      case RemoteLogSegmentState::delete_segment_finished:
        erase_unreferenced(epoch, slot);
        break;
    }
  }
}

void RemoteLogMetadataCache::reference(EpochState& state, Offset start, Offset end, Slot slot) {
  while (!state.referenced.empty() && state.highest_log_offset <= end) {
    const SlotIndex::Item last = *(state.referenced.end() - 1);
    if (last.offset < start) break;
    add_unreferenced(state, last.slot);
    erase_reference(state, last);
  }
  // Overwrites without a trace: the id that was here vanishes from this epoch though it is still known (F3).
  if (const SlotIndex::Item* same = state.referenced.floor(start); same && same->offset == start) {
    erase_reference(state, SlotIndex::Item{*same});
  }
  insert_reference(state, {start, slot});
  erase_unreferenced(state, slot);
  raise_highest(state, end);
}

void RemoteLogMetadataCache::insert_reference(EpochState& state, SlotIndex::Item item) {
  if (!state.referenced.insert(item)) return;
  state.descents += descents_around(state, item);
  content_hash_ += hash_of(Fact::referenced, state.epoch, entries_[item.slot].number, item.offset);
}

void RemoteLogMetadataCache::erase_reference(EpochState& state, SlotIndex::Item item) {
  const std::int32_t descents = descents_around(state, item);
  if (!state.referenced.erase(item)) return;
  state.descents -= descents;
  content_hash_ -= hash_of(Fact::referenced, state.epoch, entries_[item.slot].number, item.offset);
}

/// How many descents there are more with `item`, which is referenced, than without it.
std::int32_t RemoteLogMetadataCache::descents_around(const EpochState& state, SlotIndex::Item item) const {
  const SlotIndex& referenced = state.referenced;
  if (referenced.empty()) return 0;
  // Nearly always the newest or the oldest.
  const SlotIndex::Item* found = referenced.end() - 1;
  if (*found != item) found = referenced.begin();
  if (*found != item) found = std::lower_bound(referenced.begin(), referenced.end(), item);
  if (found == referenced.end() || *found != item) return 0;
  const auto descends = [this](const SlotIndex::Item& a, const SlotIndex::Item& b) {
    return start_of(b) < start_of(a) ? 1 : 0;
  };
  const bool has_before = found != referenced.begin();
  const bool has_after = found + 1 != referenced.end();
  const std::int32_t before = has_before ? descends(found[-1], *found) : 0;
  const std::int32_t after = has_after ? descends(*found, found[1]) : 0;
  const std::int32_t without = has_before && has_after ? descends(found[-1], found[1]) : 0;
  return before + after - without;
}

void RemoteLogMetadataCache::add_unreferenced(EpochState& state, Slot slot) {
  const Offset start = entries_[slot].segment->start_offset;
  if (!state.unreferenced.insert({start, slot})) return;
  content_hash_ += hash_of(Fact::unreferenced, state.epoch, entries_[slot].number, start);
}

void RemoteLogMetadataCache::erase_unreferenced(EpochState& state, Slot slot) {
  const Offset start = entries_[slot].segment->start_offset;
  if (!state.unreferenced.erase({start, slot})) return;
  content_hash_ -= hash_of(Fact::unreferenced, state.epoch, entries_[slot].number, start);
}

void RemoteLogMetadataCache::raise_highest(EpochState& state, Offset offset) {
  if (state.highest_log_offset >= offset) return;
  if (state.highest_log_offset) content_hash_ -= hash_of(Fact::highest, state.epoch, 0, *state.highest_log_offset);
  state.highest_log_offset = offset;
  content_hash_ += hash_of(Fact::highest, state.epoch, 0, offset);
}

std::optional<RemoteLogMetadataCache::Slot> RemoteLogMetadataCache::find_slot(const RemoteLogSegment& segment) const {
  if (entries_.empty()) return std::nullopt;
  Slot slot = static_cast<Slot>(entries_.size() - 1);
  // Most events are about the newest copy.
  if (entries_.back().number != segment.number) {
    const auto below = [](const auto& item, std::uint32_t number) { return item.number < number; };
    if (in_number_order_) {
      const auto found = std::lower_bound(entries_.begin(), entries_.end(), segment.number, below);
      if (found == entries_.end() || found->number != segment.number) return std::nullopt;
      slot = static_cast<Slot>(found - entries_.begin());
    } else {
      const auto found = std::lower_bound(by_number_.begin(), by_number_.end(), segment.number, below);
      if (found == by_number_.end() || found->number != segment.number) return std::nullopt;
      slot = found->slot;
    }
  }
  if (entries_[slot].segment == nullptr) return std::nullopt;
  CHECK(entries_[slot].segment == &segment, "two segments of number {}", segment.number);
  return slot;
}

const RemoteLogMetadataCache::EpochState* RemoteLogMetadataCache::find_epoch(LeaderEpoch epoch) const {
  const auto below = [](const EpochState& state, LeaderEpoch wanted) { return state.epoch < wanted; };
  const auto found = std::lower_bound(epochs_.begin(), epochs_.end(), epoch, below);
  return found != epochs_.end() && found->epoch == epoch ? &*found : nullptr;
}

RemoteLogMetadataCache::EpochState& RemoteLogMetadataCache::epoch_state(LeaderEpoch epoch) {
  if (!epochs_.empty() && epochs_.back().epoch == epoch) return epochs_.back();
  const auto below = [](const EpochState& state, LeaderEpoch wanted) { return state.epoch < wanted; };
  const auto found = std::lower_bound(epochs_.begin(), epochs_.end(), epoch, below);
  if (found != epochs_.end() && found->epoch == epoch) return *found;
  return *epochs_.insert(found, EpochState{epoch, std::nullopt, {}, {}});
}

RemoteLogMetadataCache::Slot RemoteLogMetadataCache::append(const RemoteLogSegmentMetadata& event) {
  const std::uint32_t number = event.segment->number;
  if (in_number_order_ && !entries_.empty() && number <= entries_.back().number) index_by_number();
  const Slot slot = static_cast<Slot>(entries_.size());
  entries_.push_back(
      {event.segment, event.event_timestamp, number, event.broker_id, event.custom_metadata_size, event.state});
  if (!in_number_order_) {
    const NumberedSlot numbered{number, slot};
    by_number_.insert(std::lower_bound(by_number_.begin(), by_number_.end(), numbered), numbered);
  }
  account(entries_.back(), 1);
  return slot;
}

void RemoteLogMetadataCache::put(Slot slot, const RemoteLogSegmentMetadata& event) {
  Entry& entry = entries_[slot];
  account(entry, -1);
  entry.event_timestamp = event.event_timestamp;
  entry.broker_id = event.broker_id;
  entry.custom_metadata_size = event.custom_metadata_size;
  entry.state = event.state;
  account(entry, 1);
}

void RemoteLogMetadataCache::remove(Slot slot) {
  account(entries_[slot], -1);
  entries_[slot].segment = nullptr;
  ++hole_count_;
  if (!in_number_order_) {
    const auto numbered =
        std::lower_bound(by_number_.begin(), by_number_.end(), NumberedSlot{entries_[slot].number, slot});
    CHECK(numbered != by_number_.end());
    by_number_.erase(numbered);
  }
  while (!entries_.empty() && entries_.back().segment == nullptr) {
    entries_.pop_back();
    --hole_count_;
  }
  if (entries_.empty()) in_number_order_ = true;
  if (hole_count_ >= hole_count_min && hole_count_ > entries_.size() / 2) compact();
}

void RemoteLogMetadataCache::account(const Entry& entry, int sign) {
  Total& total = totals_[index_of(entry.state)];
  total.count += sign;
  total.size += sign * entry.segment->size;
  content_hash_ += sign > 0 ? entry.hash() : -entry.hash();
}

void RemoteLogMetadataCache::index_by_number() {
  by_number_.clear();
  for (std::size_t slot = 0; slot < entries_.size(); ++slot) {
    if (entries_[slot].segment) by_number_.push_back({entries_[slot].number, static_cast<Slot>(slot)});
  }
  std::sort(by_number_.begin(), by_number_.end());
  in_number_order_ = false;
}

void RemoteLogMetadataCache::compact() {
  // The new slot waits in `number` until every list has read it: no memory is needed besides.
  Slot next_slot = 0;
  for (Entry& entry : entries_) {
    if (entry.segment) entry.number = next_slot++;
  }
  for (EpochState& state : epochs_) {
    // New slots ascend as the old ones did, so the lists stay sorted.
    for (SlotIndex::Item& item : state.referenced) item.slot = entries_[item.slot].number;
    for (SlotIndex::Item& item : state.unreferenced) item.slot = entries_[item.slot].number;
  }
  std::erase_if(entries_, [](const Entry& entry) { return entry.segment == nullptr; });
  for (Entry& entry : entries_) entry.number = entry.segment->number;
  hole_count_ = 0;

  const auto not_ascending = [](const Entry& a, const Entry& b) { return a.number >= b.number; };
  in_number_order_ = std::adjacent_find(entries_.begin(), entries_.end(), not_ascending) == entries_.end();
  if (in_number_order_) {
    by_number_.clear();
  } else {
    index_by_number();
  }
}

std::optional<RemoteLogSegmentMetadata> RemoteLogMetadataCache::find(const RemoteLogSegment& segment) const {
  const auto slot = find_slot(segment);
  return slot ? std::optional{entries_[*slot].metadata()} : std::nullopt;
}

std::optional<RemoteLogSegmentMetadata> RemoteLogMetadataCache::remote_log_segment_metadata(LeaderEpoch epoch,
                                                                                            Offset offset) const {
  const EpochState* state = find_epoch(epoch);
  if (!state) return std::nullopt;
  const SlotIndex::Item* floor = state->referenced.floor(offset);
  if (!floor) return std::nullopt;
  const RemoteLogSegment& segment = *entries_[floor->slot].segment;
  const EpochEntries& epochs = segment.segment_leader_epochs;
  std::size_t index = 0;
  while (epochs[index].epoch != epoch) ++index;
  // No lower entry is tried: a hole behind a narrower segment reads as not found.
  if (offset > end_for_epoch(segment, index)) return std::nullopt;
  return entries_[floor->slot].metadata();
}

void RemoteLogMetadataCache::list_remote_log_segments(LeaderEpoch epoch,
                                                      std::vector<RemoteLogSegmentMetadata>& out) const {
  visit_remote_log_segments(epoch, [&out](const RemoteLogSegmentMetadata& metadata) {
    out.push_back(metadata);
    return true;
  });
}

/// Kafka's own sort, by start offset alone.
void RemoteLogMetadataCache::list_sorted(const EpochState& state, std::vector<RemoteLogSegmentMetadata>& out) const {
  for (const SlotIndex::Item& item : state.referenced) out.push_back(entries_[item.slot].metadata());
  const auto add = [&out](const RemoteLogSegmentMetadata& metadata) {
    out.push_back(metadata);
    return true;
  };
  visit_unreferenced(state.unreferenced.begin(), state.unreferenced.end(), add);
  const auto starts_lower = [](const RemoteLogSegmentMetadata& a, const RemoteLogSegmentMetadata& b) {
    return a.segment->start_offset < b.segment->start_offset;
  };
  std::stable_sort(out.begin(), out.end(), starts_lower);
}

void RemoteLogMetadataCache::list_all_remote_log_segments(std::vector<RemoteLogSegmentMetadata>& out) const {
  for (const Entry& entry : entries_) {
    if (entry.segment) out.push_back(entry.metadata());
  }
}

void RemoteLogMetadataCache::list_in_state(RemoteLogSegmentState state,
                                           std::vector<RemoteLogSegmentMetadata>& out) const {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  // From the newest back: what failed is mostly younger than all that is kept.
  std::int64_t left = count(state);
  for (auto entry = entries_.rbegin(); left > 0; ++entry) {
    if (!entry->segment || entry->state != state) continue;
    out.push_back(entry->metadata());
    --left;
  }
  std::reverse(out.begin() + first, out.end());
}

std::optional<Offset> RemoteLogMetadataCache::highest_offset_for_epoch(LeaderEpoch epoch) const {
  const EpochState* state = find_epoch(epoch);
  return state ? state->highest_log_offset : std::nullopt;
}

void RemoteLogMetadataCache::list_epochs(std::vector<LeaderEpoch>& out) const {
  for (const EpochState& state : epochs_) out.push_back(state.epoch);
}

std::int64_t RemoteLogMetadataCache::count(RemoteLogSegmentState state) const { return totals_[index_of(state)].count; }

Bytes RemoteLogMetadataCache::size(RemoteLogSegmentState state) const { return totals_[index_of(state)].size; }

}  // namespace model
