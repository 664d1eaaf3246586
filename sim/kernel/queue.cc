#include "sim/kernel/queue.h"

#include <algorithm>
#include <bit>

#include "model/check.h"

namespace sim {

namespace {

constexpr std::size_t size_min = 128;  // With less room the geometry is not worth a change.
constexpr std::size_t instant_size_min = 64;
constexpr int initial_width_shift = 10;  // About a millisecond.
constexpr int width_shift_max = 56;

int log2_of(std::uint64_t value) { return static_cast<int>(std::bit_width(value)) - 1; }

// Measured: 16 entries a bucket are best at 1,000 pending, some 256 at 100,000 and 1,024 at a million. Larger buckets
// make the pushes touch fewer places, and the more entries there are, the more that matters.
int bucket_fill_log2(std::size_t size) { return std::max(2, (log2_of(size) + 1) * 3 / 5 - 2); }

}  // namespace

TwoLevelQueue::TwoLevelQueue() {
  instant_.resize(instant_size_min);
  distribute(initial_width_shift);
}

const QueueEntry* TwoLevelQueue::peek() {
  if (instant_count_ != 0) {
    const QueueEntry& instant = instant_[instant_first_];
    return near_.empty() || instant < near_.top() ? &instant : &near_.top();
  }
  if (near_.empty() && !open_next_bucket()) return nullptr;
  return &near_.top();
}

void TwoLevelQueue::clear() {
  collect();
  scratch_.clear();
  popped_time_us_ = never_popped;
  distribute(initial_width_shift);
}

// What is in the ring or beyond is later than the current bucket, which holds the instant: only the near heap competes.
bool TwoLevelQueue::pop_beside_instant(std::int64_t end_us, QueueEntry& entry) {
  const QueueEntry& instant = instant_[instant_first_];
  if (!near_.empty() && near_.top() < instant) {
    if (near_.top().time_us > end_us) return false;
    entry = near_.pop();
    return true;
  }
  if (instant.time_us > end_us) return false;
  entry = instant;
  instant_first_ = (instant_first_ + 1) & (instant_.size() - 1);
  --instant_count_;
  return true;
}

void TwoLevelQueue::grow_instant() {
  std::rotate(instant_.begin(), instant_.begin() + static_cast<std::ptrdiff_t>(instant_first_), instant_.end());
  instant_first_ = 0;
  instant_.resize(2 * instant_.size());
}

bool TwoLevelQueue::open_next_bucket() {
  if (ring_count_ == 0 && far_.empty()) return false;
  if (opened_entry_count_ + near_push_count_ >= retune_at_) [[unlikely]] {
    retune();
    if (!near_.empty()) return true;
  }
  if (ring_count_ != 0) {
    current_bucket_ += static_cast<std::int64_t>(distance_to_filled());
  } else {
    current_bucket_ = far_.top().time_us >> width_shift_;
  }
  std::vector<QueueEntry>& opened = near_.entries();
  while (!far_.empty() && distance_to(far_.top().time_us >> width_shift_) < buckets_.size()) {
    const QueueEntry entry = far_.pop();
    const std::int64_t bucket = entry.time_us >> width_shift_;
    if (bucket == current_bucket_) {
      opened.push_back(entry);
    } else {
      push_to_ring(bucket, entry);
    }
  }
  empty_bucket(static_cast<std::size_t>(current_bucket_) & (buckets_.size() - 1), opened);
  near_.make_heap();
  ++opened_count_;
  opened_entry_count_ += near_.size();
  return true;
}

// From the current bucket, which is empty, to the next that is not; the ring must not be empty.
std::uint64_t TwoLevelQueue::distance_to_filled() const {
  const std::size_t current = static_cast<std::size_t>(current_bucket_) & (buckets_.size() - 1);
  const std::size_t word_mask = filled_.size() - 1;
  std::size_t word = current / 64;
  std::uint64_t bits = filled_[word] >> (current % 64);
  if (bits != 0) return static_cast<std::uint64_t>(std::countr_zero(bits));
  std::uint64_t distance = 64 - current % 64;
  for (;;) {
    word = (word + 1) & word_mask;
    bits = filled_[word];
    if (bits != 0) return distance + static_cast<std::uint64_t>(std::countr_zero(bits));
    distance += 64;
  }
}

void TwoLevelQueue::empty_bucket(std::size_t index, std::vector<QueueEntry>& to) {
  Bucket& bucket = buckets_[index];
  std::uint32_t fill = bucket.chunk_fill;
  for (std::uint32_t number = bucket.chunk; number != no_chunk;) {
    Chunk& chunk = chunks_[number];
    for (std::uint32_t i = 0; i < fill; ++i) to.push_back(chunk.entries[i]);
    ring_count_ -= fill;
    const std::uint32_t next = chunk.next;
    chunk.next = free_chunk_;
    free_chunk_ = number;
    number = next;
    fill = chunk_entry_count;
  }
  bucket = {no_chunk, chunk_entry_count};
  filled_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
}

void TwoLevelQueue::retune() {
  const int shift = measured_shift();
  if (shift == width_shift_) {
    reset_measures();
    return;
  }
  collect();
  distribute(std::max(shift, 0));
}

void TwoLevelQueue::rebuild() {
  const bool has_measured = opened_count_ >= 8 && opened_entry_count_ + near_push_count_ >= size_ / 2;
  const int measured = measured_shift();
  collect();
  distribute(has_measured ? measured : estimated_shift());
}

// The width that would have put the intended number of entries into each bucket opened since the last rebuild. Within a
// factor of four it stays: a rebuild costs more than such a width. It is not narrowed when nearly all is pushed beyond
// the ring already: a burst at one instant cannot be split, and only the far heap would grow.
int TwoLevelQueue::measured_shift() const {
  const std::uint64_t entry_count = opened_entry_count_ + near_push_count_;
  const std::uint64_t fill = entry_count / std::max<std::uint64_t>(opened_count_, 1);
  const int excess = log2_of(std::max<std::uint64_t>(fill, 1)) - bucket_fill_log2_;
  if (-2 <= excess && excess <= 2) return width_shift_;
  if (excess > 0 && far_push_count_ > entry_count / 4 * 3) return width_shift_;
  return std::clamp(width_shift_ - excess, 0, width_shift_max);
}

// From the density of the first quarter of what is pending, in scratch_.
int TwoLevelQueue::estimated_shift() {
  if (scratch_.size() < size_min / 4) return width_shift_;
  const auto quarter = scratch_.begin() + static_cast<std::ptrdiff_t>(scratch_.size() / 4);
  std::nth_element(scratch_.begin(), quarter, scratch_.end());
  const std::int64_t first = std::min_element(scratch_.begin(), quarter)->time_us;
  const auto span = static_cast<std::uint64_t>(quarter->time_us) - static_cast<std::uint64_t>(first);
  const std::uint64_t entries_a_bucket = std::uint64_t{1} << bucket_fill_log2(scratch_.size());
  const std::uint64_t width = span / (scratch_.size() / 4) * entries_a_bucket;
  return std::clamp(log2_of(std::max<std::uint64_t>(width, 1)), 0, width_shift_max);
}

// Moves everything to scratch_. The instant's entries may wait in the near heap as well: the order is the same.
void TwoLevelQueue::collect() {
  scratch_.clear();
  for (; instant_count_ != 0; --instant_count_) {
    scratch_.push_back(instant_[instant_first_]);
    instant_first_ = (instant_first_ + 1) & (instant_.size() - 1);
  }
  if (ring_count_ != 0) {
    for (std::size_t word = 0; word < filled_.size(); ++word) {
      while (filled_[word] != 0) {
        empty_bucket(64 * word + static_cast<std::size_t>(std::countr_zero(filled_[word])), scratch_);
      }
    }
  }
  scratch_.insert(scratch_.end(), near_.entries().begin(), near_.entries().end());
  scratch_.insert(scratch_.end(), far_.entries().begin(), far_.entries().end());
  near_.clear();
  far_.clear();
}

// Lays scratch_ out anew, with room for all that comes before the next rebuild.
void TwoLevelQueue::distribute(int width_shift) {
  size_ = scratch_.size();
  // The room is a power of two, a third to two thirds full, so that a size that goes up and down meets the same few
  // rooms and their memory again.
  grow_at_ = std::bit_ceil(std::max(size_ + size_ / 2 + 1, size_min));
  shrink_at_ = grow_at_ == size_min ? 0 : grow_at_ / 4;
  bucket_fill_log2_ = bucket_fill_log2(grow_at_ / 2);
  width_shift_ = width_shift;

  // Eight times the span that the entries would fill if they were spread evenly.
  const std::size_t bucket_count = std::size_t{1} << std::max(6, log2_of(grow_at_) - bucket_fill_log2_ + 3);
  buckets_.assign(bucket_count, {no_chunk, chunk_entry_count});
  filled_.assign(bucket_count / 64, 0);
  chunks_.reserve(grow_at_ / chunk_entry_count + bucket_count + 1);
  near_.reserve(grow_at_);
  far_.reserve(grow_at_);
  scratch_.reserve(grow_at_);

  std::int64_t floor_us = popped_time_us_;
  if (floor_us == never_popped) {
    floor_us = 0;
    for (const QueueEntry& entry : scratch_) floor_us = std::min(floor_us, entry.time_us);
  }
  current_bucket_ = floor_us >> width_shift_;
  reset_measures();
  for (const QueueEntry& entry : scratch_) {
    const std::int64_t bucket = entry.time_us >> width_shift_;
    if (bucket <= current_bucket_) {
      near_.entries().push_back(entry);
    } else if (distance_to(bucket) < bucket_count) {
      push_to_ring(bucket, entry);
    } else {
      far_.entries().push_back(entry);
    }
  }
  near_.make_heap();
  far_.make_heap();
}

void TwoLevelQueue::reset_measures() {
  opened_count_ = 0;
  opened_entry_count_ = 0;
  near_push_count_ = 0;
  far_push_count_ = 0;
  retune_at_ = 4 * std::max<std::uint64_t>(size_, 256);
}

}  // namespace sim
