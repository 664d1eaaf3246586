#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/kernel/heap.h"

namespace sim {

/// The key's top bit is the lane. Lane 0 holds everything but periodic ticks, ordered by sequence; lane 1 holds the
/// ticks, ordered by content, so that a tick's place does not depend on when it was pushed.
inline constexpr std::uint64_t lane_bit = std::uint64_t{1} << 63;

/// A priority queue in exact (time, key) order, made for times that mostly lie a little ahead of the last one popped.
///
/// A ring of buckets holds the near future unsorted; a bucket becomes a heap when its turn comes, and what is beyond
/// the ring waits in another heap. Width and number of the buckets follow the entries. None of this shows in the order:
/// two entries with the same time and key, which nobody should push, are the only ones whose order is not stated.
///
/// Memory is kept, so that a queue whose size stays within bounds it has seen allocates nothing.
class TwoLevelQueue {
 public:
  TwoLevelQueue();

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(const QueueEntry& entry) {
    if (size_ >= grow_at_) [[unlikely]]
      rebuild();
    ++size_;
    if (entry.time_us == popped_time_us_ && (entry.key & lane_bit) == 0 && is_behind_instant(entry)) {
      push_instant(entry);
    } else {
      push_by_time(entry);
    }
  }

  /// Takes the first entry out if its time is not after `end_us`.
  bool pop_until(std::int64_t end_us, QueueEntry& entry) {
    if (instant_count_ != 0) {
      if (!pop_beside_instant(end_us, entry)) return false;
    } else {
      if (near_.empty() && !open_next_bucket()) return false;
      if (near_.top().time_us > end_us) return false;
      entry = near_.pop();
    }
    popped_time_us_ = entry.time_us;
    --size_;
    if (size_ < shrink_at_) [[unlikely]]
      rebuild();
    return true;
  }

  /// The first entry, or null. It stays valid until the next call of anything else.
  const QueueEntry* peek();

  /// A hint for prefetching: the next entry as far as the opened bucket tells, or null.
  const QueueEntry* likely_next() const { return near_.empty() ? nullptr : &near_.top(); }

  /// Removes every entry whose `what` the predicate accepts.
  template <class Predicate>
  void remove_if(Predicate is_dead) {
    collect();
    std::erase_if(scratch_, [&](const QueueEntry& entry) { return is_dead(entry.what); });
    distribute(width_shift_);
  }

  /// Empties the queue and keeps its memory; popped times start over.
  void clear();

 private:
  // Five entries and a link fill two cache lines. Chunks of one pool rather than a vector a bucket: their number is
  // bounded by the entries and the buckets, so that a long run comes to rest, while each of many vectors would still
  // meet its record.
  static constexpr std::size_t chunk_entry_count = 5;
  struct alignas(64) Chunk {
    QueueEntry entries[chunk_entry_count];
    std::uint32_t next;
  };
  struct Bucket {
    std::uint32_t chunk;
    std::uint32_t chunk_fill;
  };
  static constexpr std::uint32_t no_chunk = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::int64_t never_popped = std::numeric_limits<std::int64_t>::min();

  void push_by_time(const QueueEntry& entry) {
    const std::int64_t bucket = entry.time_us >> width_shift_;
    if (bucket <= current_bucket_) {
      near_.push(entry);
      if (++near_push_count_ >= retune_at_) [[unlikely]]
        retune();
    } else if (distance_to(bucket) < buckets_.size()) {
      push_to_ring(bucket, entry);
    } else {
      far_.push(entry);
      ++far_push_count_;
    }
  }

  std::uint64_t distance_to(std::int64_t bucket) const {
    return static_cast<std::uint64_t>(bucket) - static_cast<std::uint64_t>(current_bucket_);
  }

  void push_to_ring(std::int64_t number, const QueueEntry& entry) {
    const std::size_t index = static_cast<std::size_t>(number) & (buckets_.size() - 1);
    Bucket& bucket = buckets_[index];
    if (bucket.chunk_fill == chunk_entry_count) add_chunk(index);
    chunks_[bucket.chunk].entries[bucket.chunk_fill++] = entry;
    ++ring_count_;
  }

  void add_chunk(std::size_t index) {
    std::uint32_t chunk = free_chunk_;
    if (chunk != no_chunk) {
      free_chunk_ = chunks_[chunk].next;
    } else {
      chunk = static_cast<std::uint32_t>(chunks_.size());
      chunks_.emplace_back();
    }
    chunks_[chunk].next = buckets_[index].chunk;
    buckets_[index] = {chunk, 0};
    filled_[index / 64] |= std::uint64_t{1} << (index % 64);
  }

  bool is_behind_instant(const QueueEntry& entry) const {
    return instant_count_ == 0 || instant_[(instant_first_ + instant_count_ - 1) & (instant_.size() - 1)] < entry;
  }
  void push_instant(const QueueEntry& entry) {
    if (instant_count_ == instant_.size()) [[unlikely]]
      grow_instant();
    instant_[(instant_first_ + instant_count_++) & (instant_.size() - 1)] = entry;
  }
  bool pop_beside_instant(std::int64_t end_us, QueueEntry& entry);
  void grow_instant();

  bool open_next_bucket();
  std::uint64_t distance_to_filled() const;
  void empty_bucket(std::size_t index, std::vector<QueueEntry>& to);
  void retune();
  void rebuild();
  void collect();
  void distribute(int width_shift);
  void reset_measures();
  int measured_shift() const;
  int estimated_shift();

  SmallHeap near_;  // Of the current bucket and all before it.
  SmallHeap far_;   // Beyond the ring.
  std::vector<Bucket> buckets_;
  std::vector<std::uint64_t> filled_;  // A bit a bucket, so that an idle stretch is skipped 64 buckets at a time.
  std::vector<Chunk> chunks_;
  std::vector<QueueEntry> instant_;  // Lane 0 at the instant last popped, in order: a ring buffer that spares the heap.
  std::vector<QueueEntry> scratch_;
  std::size_t instant_first_ = 0;
  std::size_t instant_count_ = 0;
  std::size_t ring_count_ = 0;
  std::size_t size_ = 0;
  std::size_t grow_at_ = 0;
  std::size_t shrink_at_ = 0;
  std::int64_t current_bucket_ = 0;
  std::int64_t popped_time_us_ = never_popped;
  int width_shift_ = 0;       // A bucket is 2^width_shift_ microseconds wide.
  int bucket_fill_log2_ = 0;  // What an opened bucket should hold.
  std::uint32_t free_chunk_ = no_chunk;
  std::uint64_t opened_count_ = 0;  // Since the last rebuild: buckets opened, entries found in them,
  std::uint64_t opened_entry_count_ = 0;
  std::uint64_t near_push_count_ = 0;  // entries pushed to what is open already, and entries pushed beyond the ring.
  std::uint64_t far_push_count_ = 0;
  std::uint64_t retune_at_ = 0;
};

}  // namespace sim
