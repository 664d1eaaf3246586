#include "sim/observers/ledger/finished_copies.h"

#include <algorithm>

#include "model/check.h"

namespace sim {
namespace {

constexpr Offset offset_max{std::numeric_limits<std::int64_t>::max()};
/// served_end of a copy without readers: no log start is below it.
constexpr Offset nobody_reads{0};

/// Exclusive end of entry `i`'s epoch inside the segment.
Offset end_of_epoch(const RemoteLogSegment& segment, std::size_t i) {
  const EpochEntries& epochs = segment.segment_leader_epochs;
  return i + 1 < epochs.size() ? epochs[i + 1].start_offset : next(segment.end_offset);
}

/// Exclusive end of the part of the segment that `epoch` wrote; it did write some.
Offset end_of_epoch(const RemoteLogSegment& segment, LeaderEpoch epoch) {
  std::size_t i = 0;
  while (segment.segment_leader_epochs[i].epoch != epoch) ++i;
  return end_of_epoch(segment, i);
}

bool is_overlapped(const Copy& copy) {
  return copy.served_end != nobody_reads && copy.served_end <= copy.segment->end_offset;
}

}  // namespace

void FinishedCopies::add(Copy& copy, CopyTable& copies, std::vector<std::uint32_t>& changed) {
  const RemoteLogSegment& segment = *copy.segment;
  const auto is_before = [&copies](std::uint32_t a, std::uint32_t b) {
    const Offset end_a = copies[a].segment->end_offset;
    const Offset end_b = copies[b].segment->end_offset;
    return end_a != end_b ? end_a < end_b : a < b;
  };
  const std::uint32_t* place = by_end_.end();
  if (!by_end_.empty() && !is_before(by_end_.back(), segment.number)) {
    place = std::lower_bound(by_end_.begin(), by_end_.end(), segment.number, is_before);
  }
  if (place == by_end_.end() || *place != segment.number) {
    copy.served_end = nobody_reads;
    if (by_end_.empty()) in_time_order_ = true;
    if (place != by_end_.begin() && segment.max_timestamp < copies[place[-1]].segment->max_timestamp)
      in_time_order_ = false;
    if (place != by_end_.end() && copies[*place].segment->max_timestamp < segment.max_timestamp) in_time_order_ = false;
    by_end_.insert(place, segment.number);
  }

  const std::size_t first_touched = changed.size();
  for (std::size_t i = 0; i < segment.segment_leader_epochs.size(); ++i) {
    const EpochEntry& entry = segment.segment_leader_epochs[i];
    reference(index_of(entry.epoch), entry.start_offset, previous(end_of_epoch(segment, i)), copy, changed);
  }
  remeasure(changed, first_touched, copies);
}

void FinishedCopies::remove(Copy& copy, CopyTable& copies, std::vector<std::uint32_t>& changed) {
  const RemoteLogSegment& segment = *copy.segment;
  const std::uint32_t* place = first_ending_from(segment.end_offset, copies);
  while (place != by_end_.end() && *place != segment.number) ++place;
  CHECK(place != by_end_.end(), "copy {} is not among the finished ones", segment.number);
  by_end_.erase(place);
  if (is_overlapped(copy)) --overlapped_count_;
  copy.served_end = nobody_reads;

  const std::size_t first_touched = changed.size();
  for (const EpochEntry& entry : segment.segment_leader_epochs) {
    unreference(index_of(entry.epoch), entry.start_offset, copy, changed);
  }
  remeasure(changed, first_touched, copies);
}

void FinishedCopies::set_history(const EpochEntries& history, CopyTable& copies) {
  history_ = history;
  for (const std::uint32_t number : by_end_) measure(copies[number]);
}

FinishedCopies::Reader FinishedCopies::reader_at(Offset offset, const CopyTable& copies) const {
  const auto starts_above = [](Offset wanted, const auto& item) {
    if constexpr (requires { item.start_offset; }) {
      return wanted < item.start_offset;
    } else {
      return wanted < item.start;
    }
  };
  const auto following_epoch = std::upper_bound(history_.begin(), history_.end(), offset, starts_above);
  const Offset epoch_end = following_epoch == history_.end() ? offset_max : following_epoch->start_offset;
  if (following_epoch == history_.begin()) return {nullptr, epoch_end};
  const LeaderEpoch epoch = (following_epoch - 1)->epoch;
  const EpochIndex* index = find_index(epoch);
  if (index == nullptr) return {nullptr, epoch_end};

  const Reference* following =
      std::upper_bound(index->references.begin(), index->references.end(), offset, starts_above);
  const Offset until = following == index->references.end() ? epoch_end : std::min(epoch_end, following->start);
  if (following == index->references.begin()) return {nullptr, until};
  const Copy& copy = copies[following[-1].number];
  const Offset copy_end = end_of_epoch(*copy.segment, epoch);
  if (offset >= copy_end) return {nullptr, until};
  return {&copy, std::min(until, copy_end)};
}

const std::uint32_t* FinishedCopies::first_ending_from(Offset offset, const CopyTable& copies) const {
  const auto ends_below = [&copies](std::uint32_t number, Offset wanted) {
    return copies[number].segment->end_offset < wanted;
  };
  return std::lower_bound(by_end_.begin(), by_end_.end(), offset, ends_below);
}

FinishedCopies::EpochIndex& FinishedCopies::index_of(LeaderEpoch epoch) {
  const auto below = [](const EpochIndex& index, LeaderEpoch wanted) { return index.epoch < wanted; };
  const auto found = std::lower_bound(indexes_.begin(), indexes_.end(), epoch, below);
  if (found != indexes_.end() && found->epoch == epoch) return *found;
  return *indexes_.insert(found, {epoch, std::nullopt, {}});
}

const FinishedCopies::EpochIndex* FinishedCopies::find_index(LeaderEpoch epoch) const {
  const auto below = [](const EpochIndex& index, LeaderEpoch wanted) { return index.epoch < wanted; };
  const auto found = std::lower_bound(indexes_.begin(), indexes_.end(), epoch, below);
  return found != indexes_.end() && found->epoch == epoch ? &*found : nullptr;
}

void FinishedCopies::reference(EpochIndex& index, Offset start, Offset end, Copy& copy,
                               std::vector<std::uint32_t>& touched) {
  auto& references = index.references;
  while (!references.empty() && references.back().start >= start && index.highest <= end) {
    touched.push_back(references.back().number);
    references.erase(references.end() - 1);
  }
  const auto starts_below = [](const Reference& item, Offset wanted) { return item.start < wanted; };
  Reference* place = std::lower_bound(references.begin(), references.end(), start, starts_below);
  if (place != references.begin()) touched.push_back(place[-1].number);
  touched.push_back(copy.segment->number);
  if (place != references.end() && place->start == start) {
    touched.push_back(place->number);
    place->number = copy.segment->number;
  } else {
    references.insert(place, {start, copy.segment->number});
  }
  if (!index.highest || *index.highest < end) index.highest = end;
}

void FinishedCopies::unreference(EpochIndex& index, Offset start, const Copy& copy,
                                 std::vector<std::uint32_t>& touched) {
  auto& references = index.references;
  const auto starts_below = [](const Reference& item, Offset wanted) { return item.start < wanted; };
  const Reference* place = std::lower_bound(references.begin(), references.end(), start, starts_below);
  if (place == references.end() || place->start != start || place->number != copy.segment->number) return;
  if (place != references.begin()) touched.push_back(place[-1].number);
  references.erase(place);
}

Offset FinishedCopies::served_end(const Copy& copy) const {
  const RemoteLogSegment& segment = *copy.segment;
  Offset served = nobody_reads;
  for (std::size_t i = 0; i < segment.segment_leader_epochs.size(); ++i) {
    const auto& [epoch, start] = segment.segment_leader_epochs[i];
    const auto is_epoch = [wanted = epoch](const EpochEntry& entry) { return entry.epoch == wanted; };
    const auto history = std::find_if(history_.rbegin(), history_.rend(), is_epoch);
    const EpochIndex* index = find_index(epoch);
    if (history == history_.rend() || index == nullptr) continue;

    const auto starts_below = [](const Reference& item, Offset wanted) { return item.start < wanted; };
    const Reference* place = std::lower_bound(index->references.begin(), index->references.end(), start, starts_below);
    if (place == index->references.end() || place->start != start || place->number != segment.number) continue;
    Offset end = end_of_epoch(segment, i);
    if (place + 1 != index->references.end()) end = std::min(end, place[1].start);
    if (history != history_.rbegin()) end = std::min(end, std::prev(history)->start_offset);
    if (std::max(start, history->start_offset) < end) served = std::max(served, end);
  }
  return served;
}

bool FinishedCopies::measure(Copy& copy) {
  const Offset before = copy.served_end;
  if (is_overlapped(copy)) --overlapped_count_;
  copy.served_end = served_end(copy);
  if (is_overlapped(copy)) ++overlapped_count_;
  return copy.served_end != before;
}

void FinishedCopies::remeasure(std::vector<std::uint32_t>& touched, std::size_t first, CopyTable& copies) {
  auto kept = touched.begin() + static_cast<std::ptrdiff_t>(first);
  for (auto number = kept; number != touched.end(); ++number) {
    Copy& copy = copies[*number];
    // A copy that another epoch still names may be on its way out of the partition.
    if (copy.state != FoldedState::finished || !measure(copy)) continue;
    *kept++ = *number;
  }
  touched.erase(kept, touched.end());
}

}  // namespace sim
