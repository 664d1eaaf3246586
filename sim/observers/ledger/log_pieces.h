#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/time.h"
#include "model/types.h"

namespace sim {

using namespace model;

/// What the closed part of one partition's log weighs, offset by offset, whether its records are local, remote, both or
/// lost: each offset once. A piece is a segment as it was closed; within a piece all records weigh the same.
class LogPieces {
 public:
  struct Piece {
    /// Exclusive.
    Offset end;
    /// Bytes from the first known offset up to `end`.
    Bytes bytes_below_end;
    SimTime largest_timestamp;
  };

  bool empty() const { return first_ == pieces_.size(); }
  /// Where the known log begins and ends (exclusive).
  Offset begin() const { return begin_; }
  Offset end() const { return empty() ? begin_ : pieces_.back().end; }
  /// Bytes from the first offset ever known up to the end; only differences mean something.
  Bytes total() const { return empty() ? bytes_below_begin_ : pieces_.back().bytes_below_end; }

  /// Adds [begin, end) at the end; what is known already is skipped in proportion, a gap before it weighs nothing.
  void append(Offset begin, Offset end, Bytes size, SimTime largest_timestamp);
  /// Forgets what lies at and above `end`.
  void cut_at(Offset end);
  /// Forgets whole pieces below `start`; the one that holds it stays whole.
  void drop_below(Offset start);

  /// Bytes below `offset`, on the scale of total().
  Bytes bytes_below(Offset offset) const;
  /// The greatest offset with at most `bytes` below it.
  Offset offset_with(Bytes bytes) const;

  /// Calls `visit(from, to, largest_timestamp)` for each piece's part of [from, to), ascending.
  template <class Visit>
  void for_each(Offset from, Offset to, Visit visit) const {
    for (std::size_t i = index_of(from); i < pieces_.size() && begin_of(i) < to; ++i) {
      const Offset a = begin_of(i) < from ? from : begin_of(i);
      const Offset b = pieces_[i].end < to ? pieces_[i].end : to;
      if (a < b) visit(a, b, pieces_[i].largest_timestamp);
    }
  }

 private:
  /// The first piece that ends above `offset`.
  std::size_t index_of(Offset offset) const;
  Offset begin_of(std::size_t index) const { return index == first_ ? begin_ : pieces_[index - 1].end; }
  Bytes bytes_below_piece(std::size_t index) const {
    return index == first_ ? bytes_below_begin_ : pieces_[index - 1].bytes_below_end;
  }
  void compact();

  std::vector<Piece> pieces_;
  /// Unused places in front, left by dropped pieces.
  std::size_t first_ = 0;
  Offset begin_;
  Bytes bytes_below_begin_;
};

}  // namespace sim
