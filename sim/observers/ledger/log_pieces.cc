#include "sim/observers/ledger/log_pieces.h"

#include <algorithm>

namespace sim {
namespace {

/// What `part` of `whole` records weigh when all weigh the same.
Bytes share(Bytes size, std::int64_t part, std::int64_t whole) {
  if (part >= whole) return size;
  return Bytes{static_cast<std::int64_t>(static_cast<__int128>(size.value()) * part / whole)};
}

}  // namespace

void LogPieces::append(Offset begin, Offset end, Bytes size, SimTime largest_timestamp) {
  if (empty()) {
    begin_ = begin;
  } else if (begin < this->end()) {
    if (end <= this->end()) return;
    size = size - share(size, this->end() - begin, end - begin);
  } else if (begin > this->end()) {
    pieces_.push_back({begin, total(), pieces_.back().largest_timestamp});
  }
  pieces_.push_back({end, total() + size, largest_timestamp});
}

void LogPieces::cut_at(Offset end) {
  while (!empty() && begin_of(pieces_.size() - 1) >= end) pieces_.pop_back();
  if (empty() || this->end() <= end) return;
  const Bytes below_end = bytes_below(end);
  pieces_.back().end = end;
  pieces_.back().bytes_below_end = below_end;
}

void LogPieces::drop_below(Offset start) {
  while (!empty() && pieces_[first_].end <= start) {
    begin_ = pieces_[first_].end;
    bytes_below_begin_ = pieces_[first_].bytes_below_end;
    ++first_;
  }
  if (first_ >= 32 && first_ * 2 >= pieces_.size()) compact();
}

void LogPieces::compact() {
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

std::size_t LogPieces::index_of(Offset offset) const {
  const auto ends_above = [](Offset wanted, const Piece& piece) { return wanted < piece.end; };
  const auto first = pieces_.begin() + static_cast<std::ptrdiff_t>(first_);
  return static_cast<std::size_t>(std::upper_bound(first, pieces_.end(), offset, ends_above) - pieces_.begin());
}

Bytes LogPieces::bytes_below(Offset offset) const {
  const std::size_t index = index_of(offset);
  if (index == pieces_.size()) return total();
  const Offset begin = begin_of(index);
  if (offset <= begin) return bytes_below_piece(index);
  const Bytes size = pieces_[index].bytes_below_end - bytes_below_piece(index);
  return bytes_below_piece(index) + share(size, offset - begin, pieces_[index].end - begin);
}

Offset LogPieces::offset_with(Bytes bytes) const {
  const auto weighs_more = [](Bytes wanted, const Piece& piece) { return wanted < piece.bytes_below_end; };
  const auto first = pieces_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto index =
      static_cast<std::size_t>(std::upper_bound(first, pieces_.end(), bytes, weighs_more) - pieces_.begin());
  if (index == pieces_.size()) return end();
  const Offset begin = begin_of(index);
  const Bytes before = bytes_below_piece(index);
  if (bytes <= before) return begin;
  const auto size = static_cast<__int128>((pieces_[index].bytes_below_end - before).value());
  const auto count = static_cast<__int128>(pieces_[index].end - begin);
  return begin + static_cast<std::int64_t>((bytes - before).value() * count / size);
}

}  // namespace sim
