#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sim {

/// An event's place in time and what it names: (time, key) decides, `what` is carried along.
struct QueueEntry {
  std::int64_t time_us;
  std::uint64_t key;
  std::uint64_t what;

  /// Time and key as one number, which compares without a branch between the two.
  constexpr __int128 order() const { return (static_cast<__int128>(time_us) << 64) | key; }
  friend constexpr bool operator<(const QueueEntry& a, const QueueEntry& b) { return a.order() < b.order(); }
};
static_assert(sizeof(QueueEntry) == 24);

/// A min-heap in which each entry has four children: half the levels of a binary one, and siblings share cache lines.
/// For the buckets of TwoLevelQueue, which are small, so it does not prefetch.
class SmallHeap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const QueueEntry& top() const { return entries_.front(); }
  void clear() { entries_.clear(); }
  void reserve(std::size_t count) { entries_.reserve(count); }

  void push(const QueueEntry& entry) {
    entries_.push_back(entry);
    sift_up(entries_.size() - 1, entry);
  }

  QueueEntry pop() {
    const QueueEntry first = entries_.front();
    const QueueEntry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sift_down(0, last);
    return first;
  }

  /// For filling: entries may be appended in any order and stand as a heap after make_heap().
  std::vector<QueueEntry>& entries() { return entries_; }
  void make_heap() {
    if (entries_.size() < 2) return;
    for (std::size_t i = (entries_.size() - 2) / 4 + 1; i-- > 0;) {
      const QueueEntry entry = entries_[i];
      sift_down(i, entry);
    }
  }

 private:
  void sift_up(std::size_t hole, const QueueEntry entry) {
    QueueEntry* const entries = entries_.data();
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (!(entry < entries[parent])) break;
      entries[hole] = entries[parent];
      hole = parent;
    }
    entries[hole] = entry;
  }

  void sift_down(std::size_t hole, const QueueEntry entry) {
    QueueEntry* const entries = entries_.data();
    const std::size_t count = entries_.size();
    for (std::size_t child = 4 * hole + 1; child < count; child = 4 * hole + 1) {
      std::size_t least = child;
      if (child + 4 <= count) {
        const std::size_t left = child + static_cast<std::size_t>(entries[child + 1] < entries[child]);
        const std::size_t right = child + 2 + static_cast<std::size_t>(entries[child + 3] < entries[child + 2]);
        least = entries[right] < entries[left] ? right : left;
      } else {
        for (std::size_t other = child + 1; other < count; ++other) {
          if (entries[other] < entries[least]) least = other;
        }
      }
      if (!(entries[least] < entry)) break;
      entries[hole] = entries[least];
      hole = least;
    }
    entries[hole] = entry;
  }

  std::vector<QueueEntry> entries_;
};

}  // namespace sim
