#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/observers/ledger/copies.h"

namespace sim {

/// A vector whose front is cheap to remove: copies come at the back and go at the front.
template <class T>
class FrontVector {
 public:
  std::size_t size() const { return items_.size() - first_; }
  bool empty() const { return size() == 0; }
  T* begin() { return items_.data() + first_; }
  T* end() { return items_.data() + items_.size(); }
  const T* begin() const { return items_.data() + first_; }
  const T* end() const { return items_.data() + items_.size(); }
  const T& operator[](std::size_t index) const { return items_[first_ + index]; }
  const T& back() const { return items_.back(); }

  void insert(const T* before, T item) { items_.insert(place_of(before), item); }
  void erase(const T* item) {
    if (item != begin()) {
      items_.erase(place_of(item));
      return;
    }
    ++first_;
    if (first_ < 32 || first_ * 2 < items_.size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

 private:
  auto place_of(const T* item) { return items_.begin() + (item - items_.data()); }
  std::vector<T> items_;
  std::size_t first_ = 0;
};

/// The finished copies of one partition: which of them a reader finds at an offset, by the rules of the leader's cache
/// (facts 2.4, 2.5) under the leader's history. An implementation of its own, so that the recount with the model's
/// cache checks both.
class FinishedCopies {
 public:
  /// Numbers, ascending by end offset, then number.
  const FrontVector<std::uint32_t>& by_end() const { return by_end_; }
  /// Whether some copy serves less than up to its own end, so that a log start may leave it without a reader before its
  /// end does.
  bool some_are_overlapped() const { return overlapped_count_ > 0; }
  /// Whether largest timestamps ascend in the order of by_end.
  bool in_time_order() const { return in_time_order_; }

  /// COPY_SEGMENT_FINISHED, for the first time or again. Appends to `changed` each copy whose served_end it changed.
  void add(Copy& copy, CopyTable& copies, std::vector<std::uint32_t>& changed);
  /// It is finished no longer.
  void remove(Copy& copy, CopyTable& copies, std::vector<std::uint32_t>& changed);
  /// The leader or its history changed: all served_end anew.
  void set_history(const EpochEntries& history, CopyTable& copies);
  const EpochEntries& history() const { return history_; }

  /// Who serves `offset`: the copy, and up to where (exclusive); or nobody, up to where at the earliest somebody may.
  struct Reader {
    const Copy* copy = nullptr;
    Offset until;
  };
  Reader reader_at(Offset offset, const CopyTable& copies) const;

  /// The first in by_end that ends at or above `offset`.
  const std::uint32_t* first_ending_from(Offset offset, const CopyTable& copies) const;

 private:
  struct Reference {
    Offset start;
    std::uint32_t number = 0;
  };
  /// One leader epoch's view: offsetToId and highestLogOffset.
  struct EpochIndex {
    LeaderEpoch epoch;
    std::optional<Offset> highest;
    FrontVector<Reference> references;
  };

  EpochIndex& index_of(LeaderEpoch epoch);
  const EpochIndex* find_index(LeaderEpoch epoch) const;
  static void reference(EpochIndex& index, Offset start, Offset end, Copy& copy, std::vector<std::uint32_t>& touched);
  static void unreference(EpochIndex& index, Offset start, const Copy& copy, std::vector<std::uint32_t>& touched);
  /// Computes served_end; true when it changed.
  bool measure(Copy& copy);
  Offset served_end(const Copy& copy) const;
  /// Keeps in `touched`, from index `first` on, those whose served_end changed.
  void remeasure(std::vector<std::uint32_t>& touched, std::size_t first, CopyTable& copies);

  FrontVector<std::uint32_t> by_end_;
  std::vector<EpochIndex> indexes_;  ///< Ascending by epoch; few.
  EpochEntries history_;             ///< The leader's epochs; the last one is open.
  std::uint32_t overlapped_count_ = 0;
  bool in_time_order_ = true;
};

}  // namespace sim
