#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "sim/observers/ledger.h"

namespace sim {

inline constexpr std::uint32_t no_index = std::numeric_limits<std::uint32_t>::max();

/// A copy attempt's state when the metadata topic is folded, with two names for 'no such entry': never seen, and
/// finished deleting.
enum class FoldedState : std::uint8_t { absent, started, finished, deleting, deleted, dangling };
FoldedState to_folded(RemoteLogSegmentState state);
std::optional<RemoteLogSegmentState> to_state(FoldedState folded);
/// COPY_SEGMENT_STARTED, DELETE_SEGMENT_STARTED or DANGLING: an entry that somebody should bring to an end.
constexpr bool is_unsettled(FoldedState folded) {
  return folded == FoldedState::started || folded == FoldedState::deleting || folded == FoldedState::dangling;
}

/// Where one copy's bytes are counted.
struct Standing {
  ByteClass objects = ByteClass::orphan;
  /// The delete under way is of what was garbage before or follows a failure.
  bool failed = false;
  /// Its parts may still become objects.
  bool parts_are_live = false;
  bool ghost = false;
  friend constexpr bool operator==(Standing, Standing) = default;

  bool objects_are_garbage() const {
    switch (objects) {
      case ByteClass::dangling:
      case ByteClass::stuck:
      case ByteClass::orphan:
        return true;
      case ByteClass::deleting:
        return failed;
      case ByteClass::live:
      case ByteClass::in_flight:
      case ByteClass::expired:
      case ByteClass::unreferenced:
      case ByteClass::upload_parts:
        return false;
    }
    return false;
  }
};

/// What the ledger keeps of one copy attempt for the whole run. Worlds have tens of millions of them.
struct Copy {
  const RemoteLogSegment* segment = nullptr;
  Bytes objects;
  Bytes parts;
  /// While finished: reads below this offset, down to where the copy begins or another one takes over, are served from
  /// it. Not above the log start means that no retained offset is.
  Offset served_end;
  /// While it is garbage.
  SimTime garbage_since;
  std::uint32_t leftover = no_index;
  /// The last fault that had a hand in a failure of this copy.
  std::uint32_t fault = no_index;
  std::uint32_t first_hold = no_index;
  FoldedState state = FoldedState::absent;
  Standing standing;
  TaskStep last_step = TaskStep::none;
  /// Who deletes, should the bytes vanish now.
  Remover remover = Remover::none;
  // One bit each, so that the record stays within a cache line.
  bool copy_failed : 1 = false;   ///< Some task saw its upload fail.
  bool delete_tried : 1 = false;  ///< Some task called the store's delete.
  bool delete_again : 1 = false;  ///< A second attempt to delete began.
  bool was_garbage : 1 = false;
  bool is_garbage : 1 = false;
  bool leftover_open : 1 = false;

  Bytes garbage() const {
    Bytes sum = standing.objects_are_garbage() ? objects : Bytes{0};
    if (!standing.parts_are_live) sum += parts;
    return sum;
  }
  Bytes stored() const { return objects + parts; }
};
static_assert(sizeof(Copy) <= 64);

/// Copies by number; grows by chunks, so nothing moves.
class CopyTable {
 public:
  std::uint32_t size() const { return size_; }
  Copy& operator[](std::uint32_t number) { return chunks_[number / chunk_size][number % chunk_size]; }
  const Copy& operator[](std::uint32_t number) const { return chunks_[number / chunk_size][number % chunk_size]; }
  /// The copy's record, made when it is first named.
  Copy& of(const RemoteLogSegment& segment) {
    while (segment.number >= size_) {
      if (size_ % chunk_size == 0) chunks_.push_back(std::make_unique<Copy[]>(chunk_size));
      ++size_;
    }
    Copy& copy = (*this)[segment.number];
    copy.segment = &segment;
    return copy;
  }

 private:
  static constexpr std::uint32_t chunk_size = 1024;
  std::vector<std::unique_ptr<Copy[]>> chunks_;
  std::uint32_t size_ = 0;
};

/// That a task run works on a copy.
struct Hold {
  std::uint32_t copy = no_index;
  std::uint32_t next_of_copy = no_index;
  std::uint32_t previous_of_broker = no_index;
  std::uint32_t next_of_broker = no_index;
  BrokerId broker;
  /// Runs of this task that hold it: an old run may outlive a change of leaders and meet its successor.
  std::uint16_t runs = 1;
  TaskKind task = TaskKind::copy;
  TaskStep step = TaskStep::none;
  /// Its call of the plug-in's copy failed.
  bool upload_failed = false;
};

/// All holds, in lists by copy and by broker, out of one pool.
class HoldTable {
 public:
  Hold& operator[](std::uint32_t index) { return holds_[index]; }
  const Hold& operator[](std::uint32_t index) const { return holds_[index]; }
  Hold* find(const Copy& copy, BrokerId broker, TaskKind task);
  Hold& add(Copy& copy, BrokerId broker, TaskKind task);
  void remove(Copy& copy, Hold& hold);
  std::uint32_t first_of(BrokerId broker) const;

 private:
  std::vector<Hold> holds_;
  std::vector<std::uint32_t> free_;
  /// By broker id.
  std::vector<std::uint32_t> first_of_broker_;
};

}  // namespace sim
