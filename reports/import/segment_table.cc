#include "reports/import/segment_table.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "model/check.h"

namespace reports {

StateNumber StateNames::number_of(std::string_view name) {
  for (StateNumber i = 0; i < remote_log_segment_state_count; ++i)
    if (to_string(static_cast<RemoteLogSegmentState>(i)) == name) return i;
  constexpr std::size_t most = 100;
  auto found = std::find(unknown_.begin(), unknown_.end(), name);
  if (found == unknown_.end() && unknown_.size() < most) found = unknown_.emplace(found, name);
  if (found == unknown_.end()) --found;
  return static_cast<StateNumber>(remote_log_segment_state_count + (found - unknown_.begin()));
}

std::string_view StateNames::name(StateNumber state) const {
  if (is_known(state)) return to_string(static_cast<RemoteLogSegmentState>(state));
  return unknown_[static_cast<std::size_t>(state - remote_log_segment_state_count)];
}

// Ids are random, so their bits are a hash already; a dump that is not Kafka's own may have others.
std::size_t SegmentTable::home(Uuid id) const {
  auto hash = (id.most ^ (id.least * 0x9e3779b97f4a7c15)) * 0x9e3779b97f4a7c15;
  hash ^= hash >> 32;
  return hash & (slots_.size() - 1);
}

std::size_t SegmentTable::slot_of(Uuid id) const {
  auto slot = home(id);
  while (slots_[slot] != nowhere && segments_[slots_[slot]].id != id) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

ImportedSegment* SegmentTable::find(Uuid id) {
  const auto place = slots_[slot_of(id)];
  return place == nowhere ? nullptr : &segments_[place];
}

ImportedSegment& SegmentTable::insert(Uuid id) {
  if ((size_ + 1) * 4 > slots_.size() * 3) grow();
  std::uint32_t place = 0;
  if (free_.empty()) {
    CHECK(segments_.size() < nowhere);
    place = static_cast<std::uint32_t>(segments_.size());
    segments_.emplace_back();
  } else {
    place = free_.back();
    free_.pop_back();
  }
  auto& segment = segments_[place];
  segment = ImportedSegment{.id = id};
  slots_[slot_of(id)] = place;
  size_most_ = std::max(size_most_, ++size_);
  return segment;
}

void SegmentTable::erase(const ImportedSegment& segment) {
  auto hole = slot_of(segment.id);
  const auto place = slots_[hole];
  CHECK(place != nowhere);
  const auto mask = slots_.size() - 1;
  // Whoever stands behind the hole and may stand in it moves up, so that no search ends too early.
  for (auto slot = (hole + 1) & mask; slots_[slot] != nowhere; slot = (slot + 1) & mask) {
    const auto wanted = home(segments_[slots_[slot]].id);
    if (((slot - wanted) & mask) < ((slot - hole) & mask)) continue;
    slots_[hole] = slots_[slot];
    hole = slot;
  }
  slots_[hole] = nowhere;
  many_epochs_.erase(place);
  segments_[place].id = Uuid{};
  free_.push_back(place);
  --size_;
}

void SegmentTable::grow() {
  slots_.assign(slots_.size() * 2, nowhere);
  for (std::uint32_t place = 0; place < segments_.size(); ++place) {
    if (segments_[place].id == Uuid{}) continue;
    slots_[slot_of(segments_[place].id)] = place;
  }
}

std::string SegmentTable::epochs(const ImportedSegment& segment) const {
  if (segment.epoch >= 0) return fmt::format("{}={}", segment.epoch, segment.start_offset);
  const auto found = many_epochs_.find(slots_[slot_of(segment.id)]);
  return found == many_epochs_.end() ? std::string{} : found->second;
}

void SegmentTable::set_epochs(ImportedSegment& segment, std::string_view epochs) {
  if (epochs.empty()) return;
  std::int32_t epoch = -1;
  const auto* const end = epochs.data() + epochs.size();
  const auto first = std::from_chars(epochs.data(), end, epoch);
  std::int64_t start = -1;
  if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '=') {
    const auto second = std::from_chars(first.ptr + 1, end, start);
    if (second.ec == std::errc{} && second.ptr == end && start == segment.start_offset && epoch >= 0) {
      segment.epoch = epoch;
      return;
    }
  }
  segment.epoch = -1;
  many_epochs_.insert_or_assign(slots_[slot_of(segment.id)], std::string{epochs});
}

void FinishedSegments::remember(const ImportedSegment& segment) {
  if (segments_.empty()) segments_.resize(count);
  segments_[place_of(segment.id)] = segment;
}

ImportedSegment* FinishedSegments::find(Uuid id) {
  if (segments_.empty()) return nullptr;
  auto& segment = segments_[place_of(id)];
  return segment.id == id ? &segment : nullptr;
}

}  // namespace reports
