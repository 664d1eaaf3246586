#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// What the two-level queue has to beat: one 4-ary heap of the same 24-byte entries in the same order.
///
/// As good as a heap gets without knowing the load: compares without branches, takes the least of four children without
/// one, and fetches the grandchildren ahead, which is what helps when the heap is larger than a cache.
class PlainHeap {
 public:
  struct Entry {
    std::int64_t time_us;
    std::uint64_t key;
    std::uint64_t what;
  };

  bool empty() const { return entries_.empty(); }

  void push(const Entry& entry) {
    std::size_t hole = entries_.size();
    entries_.push_back(entry);
    Entry* const entries = entries_.data();
    for (; hole > 0; hole = (hole - 1) / 4) {
      const Entry& parent = entries[(hole - 1) / 4];
      if (order(parent) <= order(entry)) break;
      entries[hole] = parent;
    }
    entries[hole] = entry;
  }

  Entry pop() {
    const Entry first = entries_.front();
    const Entry last = entries_.back();
    entries_.pop_back();
    const std::size_t count = entries_.size();
    if (count == 0) return first;
    Entry* const entries = entries_.data();
    std::size_t hole = 0;
    for (std::size_t child = 1; child < count; child = 4 * hole + 1) {
      const std::size_t grandchild = 4 * child + 1;
      if (grandchild < count) prefetch(entries + grandchild);
      const std::size_t least = least_child(entries, child, count);
      if (order(last) <= order(entries[least])) break;
      entries[hole] = entries[least];
      hole = least;
    }
    entries[hole] = last;
    return first;
  }

 private:
  static __int128 order(const Entry& entry) { return (static_cast<__int128>(entry.time_us) << 64) | entry.key; }

  static std::size_t least_child(const Entry* entries, std::size_t child, std::size_t count) {
    if (child + 4 <= count) {
      const std::size_t left = child + static_cast<std::size_t>(order(entries[child + 1]) < order(entries[child]));
      const std::size_t right =
          child + 2 + static_cast<std::size_t>(order(entries[child + 3]) < order(entries[child + 2]));
      const auto is_right = static_cast<std::size_t>(order(entries[right]) < order(entries[left]));
      return left + (right - left) * is_right;
    }
    std::size_t least = child;
    for (std::size_t other = child + 1; other < count; ++other) {
      if (order(entries[other]) < order(entries[least])) least = other;
    }
    return least;
  }

  static void prefetch(const Entry* entries) {
    constexpr std::size_t line = 64;
    for (std::size_t offset = 0; offset < 16 * sizeof(Entry); offset += line) {
      __builtin_prefetch(reinterpret_cast<const char*>(entries) + offset);
    }
  }

  std::vector<Entry> entries_;
};

}  // namespace bench
