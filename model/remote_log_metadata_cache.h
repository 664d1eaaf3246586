// Mirrors: RemoteLogMetadataCache and RemoteLogLeaderEpochState, Kafka 3.7 to 4.3 (facts 2.2 to 2.6).
// Leaves out: the latch for initialisation (the world knows when a consumer has caught up); 3.6's exception on an
// illegal event is the answer dropped_transition, on which its reader ends; the instant between Kafka's two maps, in
// which a listing fails its run (facts 2.6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/leader_epochs.h"
#include "model/remote_log_segment_metadata.h"

namespace model {

/// What became of an event that reached a cache.
enum class CacheAnswer : std::uint8_t {
  applied,
  /// An illegal transition: logged and dropped, while the publisher sees success (KAFKA-15632).
  dropped_transition,
  /// An update for an id that this cache does not hold.
  dropped_unknown,
};

/// How equal start offsets among unreferenced ids are ordered: Java's order is that of a hash set over random ids, so
/// both directions are possible in the field (readings 3.6).
enum class TieOrder : std::uint8_t { event_order, reverse };

/// One broker's view of the copies of one partition: a pure function of the events it was given.
class RemoteLogMetadataCache {
 public:
  explicit RemoteLogMetadataCache(TransitionTable table, TieOrder tie_order = TieOrder::event_order);

  /// Applies one event of the metadata topic, in the topic's order.
  CacheAnswer handle(const RemoteLogSegmentMetadata& event);

  /// The latest event of one id; nothing once it is DELETE_SEGMENT_FINISHED.
  std::optional<RemoteLogSegmentMetadata> find(const RemoteLogSegment& segment) const;
  /// remoteLogSegmentMetadata(epoch, offset): the finished copy that serves reads of `offset`.
  std::optional<RemoteLogSegmentMetadata> remote_log_segment_metadata(LeaderEpoch epoch, Offset offset) const;
  /// listRemoteLogSegments(epoch): appended to `out` in Kafka's order: referenced first among equal start offsets.
  void list_remote_log_segments(LeaderEpoch epoch, std::vector<RemoteLogSegmentMetadata>& out) const;
  /// The same one by one, as Kafka's iterator hands them out, until `visit(metadata)` returns false: who stops at the
  /// first does not pay for the rest. `visit` must leave the cache as it is.
  template <class Visit>
  void visit_remote_log_segments(LeaderEpoch epoch, Visit visit) const;
  /// listAllRemoteLogSegments: every id not yet finished deleting, in the order of their COPY_SEGMENT_STARTED events
  /// (Kafka's has no order).
  void list_all_remote_log_segments(std::vector<RemoteLogSegmentMetadata>& out) const;
  /// The ids in one state, in the order of their COPY_SEGMENT_STARTED events.
  void list_in_state(RemoteLogSegmentState state, std::vector<RemoteLogSegmentMetadata>& out) const;
  /// highestOffsetForEpoch: never decreases, not even by deletes.
  std::optional<Offset> highest_offset_for_epoch(LeaderEpoch epoch) const;
  /// The epochs that any event ever named, ascending.
  void list_epochs(std::vector<LeaderEpoch>& out) const;

  /// Count and sum of log sizes of the ids in one state, kept by deltas.
  std::int64_t count(RemoteLogSegmentState state) const;
  Bytes size(RemoteLogSegmentState state) const;
  /// Goes up with each applied event: whoever derives something from the cache compares it.
  std::uint64_t version() const { return version_; }
  /// A hash of the content that does not depend on the order of arrival: equal caches have equal hashes.
  std::uint64_t content_hash() const { return content_hash_; }

 private:
  /// The place of an id in entries_: ascending in the order of COPY_SEGMENT_STARTED events. Compaction moves it.
  using Slot = std::uint32_t;

  /// The latest event of one id in 32 bytes: a world may keep tens of millions of them.
  struct Entry {
    /// Null is a hole: an id that finished deleting.
    const RemoteLogSegment* segment;
    SimTime event_timestamp;
    /// The segment's number, so that a search stays within entries_.
    std::uint32_t number;
    BrokerId broker_id;
    std::int32_t custom_metadata_size;
    RemoteLogSegmentState state;

    RemoteLogSegmentMetadata metadata() const {
      return {segment, event_timestamp, state, broker_id, custom_metadata_size};
    }
    std::uint64_t hash() const;
  };

  /// Slots ascending by (offset, slot). Changes at either end are cheap: copies come at the back and expire at the
  /// front.
  class SlotIndex {
   public:
    struct Item {
      Offset offset;
      Slot slot;
      friend constexpr auto operator<=>(const Item&, const Item&) = default;
    };
    const Item* begin() const { return items_.data() + first_; }
    const Item* end() const { return items_.data() + items_.size(); }
    Item* begin() { return items_.data() + first_; }
    Item* end() { return items_.data() + items_.size(); }
    bool empty() const { return first_ == items_.size(); }
    /// The last item at or below `offset`, or null.
    const Item* floor(Offset offset) const;
    /// False when it is there already.
    bool insert(Item item);
    /// False when it is not there.
    bool erase(Item item);

   private:
    std::vector<Item> items_;
    /// Unused places in front, left by erased items.
    std::size_t first_ = 0;
  };

  /// RemoteLogLeaderEpochState.
  struct EpochState {
    LeaderEpoch epoch;
    std::optional<Offset> highest_log_offset;
    /// offsetToId: by the epoch's start offset inside the segment; offsets are unique.
    SlotIndex referenced;
    /// unreferencedSegmentIds: by the segment's own start offset, so that a listing merges instead of sorting.
    SlotIndex unreferenced;
    /// How many of `referenced` begin, by their own start offset, below the one before: a segment of several epochs may
    /// begin below the keys before it.
    std::int32_t descents = 0;
  };

  struct NumberedSlot {
    std::uint32_t number;
    Slot slot;
    friend constexpr auto operator<=>(const NumberedSlot&, const NumberedSlot&) = default;
  };

  struct Total {
    std::int64_t count = 0;
    Bytes size;
  };

  std::optional<Slot> find_slot(const RemoteLogSegment& segment) const;
  const EpochState* find_epoch(LeaderEpoch epoch) const;
  EpochState& epoch_state(LeaderEpoch epoch);

  Slot append(const RemoteLogSegmentMetadata& event);
  void put(Slot slot, const RemoteLogSegmentMetadata& event);
  void remove(Slot slot);
  void account(const Entry& entry, int sign);
  void index_by_number();
  void compact();

  void apply_to_epochs(Slot slot, const RemoteLogSegment& segment, RemoteLogSegmentState state);
  void reference(EpochState& state, Offset start, Offset end, Slot slot);
  void insert_reference(EpochState& state, SlotIndex::Item item);
  void erase_reference(EpochState& state, SlotIndex::Item item);
  void add_unreferenced(EpochState& state, Slot slot);
  void erase_unreferenced(EpochState& state, Slot slot);
  void raise_highest(EpochState& state, Offset offset);

  std::int32_t descents_around(const EpochState& state, SlotIndex::Item item) const;
  Offset start_of(const SlotIndex::Item& item) const { return entries_[item.slot].segment->start_offset; }
  /// What listRemoteLogSegments sorts: only where this is true, and it allocates.
  static bool needs_sort(const EpochState& state) { return state.descents > 0 && !state.unreferenced.empty(); }
  void list_sorted(const EpochState& state, std::vector<RemoteLogSegmentMetadata>& out) const;
  template <class Visit>
  bool visit_unreferenced(const SlotIndex::Item* first, const SlotIndex::Item* last, Visit& visit) const;

  TransitionTable table_;
  TieOrder tie_order_;
  /// Numbers ascend over all of entries_, holes included: a search needs no index.
  bool in_number_order_ = true;
  std::uint32_t hole_count_ = 0;
  std::vector<Entry> entries_;
  /// The ids by number, kept only while they are not in order: two brokers' events may cross on their way to the topic.
  std::vector<NumberedSlot> by_number_;
  /// Ascending by epoch; never shrinks, as in Kafka (KAFKA-12641).
  std::vector<EpochState> epochs_;
  std::array<Total, remote_log_segment_state_count> totals_{};
  std::uint64_t version_ = 0;
  std::uint64_t content_hash_ = 0;
};

template <class Visit>
void RemoteLogMetadataCache::visit_remote_log_segments(LeaderEpoch epoch, Visit visit) const {
  const EpochState* const state = find_epoch(epoch);
  if (state == nullptr) return;
  if (needs_sort(*state)) {
    std::vector<RemoteLogSegmentMetadata> sorted;
    list_sorted(*state, sorted);
    for (const RemoteLogSegmentMetadata& metadata : sorted) {
      if (!visit(metadata)) return;
    }
    return;
  }
  const SlotIndex::Item* waiting = state->unreferenced.begin();
  const SlotIndex::Item* const waiting_end = state->unreferenced.end();
  for (const SlotIndex::Item& item : state->referenced) {
    const SlotIndex::Item* const group = waiting;
    while (waiting != waiting_end && waiting->offset < start_of(item)) ++waiting;
    if (group != waiting && !visit_unreferenced(group, waiting, visit)) return;
    if (!visit(entries_[item.slot].metadata())) return;
  }
  visit_unreferenced(waiting, waiting_end, visit);
}

/// False when `visit` has had enough.
template <class Visit>
bool RemoteLogMetadataCache::visit_unreferenced(const SlotIndex::Item* first, const SlotIndex::Item* last,
                                                Visit& visit) const {
  while (first != last) {
    const SlotIndex::Item* tie_end = first + 1;
    if (tie_order_ == TieOrder::reverse) {
      while (tie_end != last && tie_end->offset == first->offset) ++tie_end;
    }
    for (const SlotIndex::Item* item = tie_end; item != first; --item) {
      if (!visit(entries_[(item - 1)->slot].metadata())) return false;
    }
    first = tie_end;
  }
  return true;
}

}  // namespace model
