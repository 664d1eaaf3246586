#include "model/leader_epochs.h"

#include <algorithm>
#include <cstddef>

#include "model/check.h"
#include "model/remote_log_segment_metadata.h"

namespace model {
namespace {

EpochEntries::const_iterator find_epoch(const EpochEntries& entries, LeaderEpoch epoch) {
  const auto not_below = [](const EpochEntry& entry, LeaderEpoch wanted) { return entry.epoch < wanted; };
  const auto found = std::lower_bound(entries.begin(), entries.end(), epoch, not_below);
  return found != entries.end() && found->epoch == epoch ? found : entries.end();
}

bool has_empty_epoch(const EpochEntries& entries) {
  const auto same_start = [](const EpochEntry& a, const EpochEntry& b) { return a.start_offset == b.start_offset; };
  return std::adjacent_find(entries.begin(), entries.end(), same_start) != entries.end();
}

/// Rules B to F of facts 7.2 for segment epochs that are filtered already.
bool epochs_agree(const EpochEntries& epochs, Offset end_offset, const EpochEntries& lineage, LineageRule rule) {
  const LeaderEpoch lineage_first = lineage.front().epoch;
  if (epochs.back().epoch < lineage_first || epochs.back().epoch > lineage.back().epoch) return false;
  // The strict rule condemned each segment that straddles the truncated start of the log (KAFKA-16511).
  if (rule == LineageRule::strict && epochs.front().epoch < lineage_first) return false;

  auto entry = epochs.begin();
  while (entry->epoch < lineage_first) ++entry;
  auto own = find_epoch(lineage, entry->epoch);
  // The start of the first lineage epoch moves with the log start offset and says nothing about the segment.
  if (own != lineage.end() && own != lineage.begin() && entry->start_offset < own->start_offset) return false;

  while (true) {
    if (own == lineage.end() || own->epoch != entry->epoch) return false;
    const auto lineage_next = own + 1;
    const auto segment_next = entry + 1;
    if (segment_next == epochs.end()) return lineage_next == lineage.end() || end_offset < lineage_next->start_offset;
    if (lineage_next == lineage.end() || *lineage_next != *segment_next) return false;
    own = lineage_next;
    entry = segment_next;
  }
}

}  // namespace

std::optional<EpochEntry> LeaderEpochFileCache::earliest_entry() const {
  return entries_.empty() ? std::nullopt : std::optional{entries_.front()};
}

std::optional<EpochEntry> LeaderEpochFileCache::latest_entry() const {
  return entries_.empty() ? std::nullopt : std::optional{entries_.back()};
}

void LeaderEpochFileCache::assign(LeaderEpoch epoch, Offset start_offset) {
  if (!entries_.empty() && epoch <= entries_.back().epoch) return;
  // An epoch that wrote nothing gives way to the one that starts where it did, or entries would stop ascending.
  while (!entries_.empty() && entries_.back().start_offset >= start_offset) entries_.pop_back();
  entries_.push_back({epoch, start_offset});
  ++version_;
}

std::optional<Offset> LeaderEpochFileCache::end_offset_for(LeaderEpoch epoch, Offset log_end_offset) const {
  const auto entry = find_epoch(entries_, epoch);
  if (entry == entries_.end()) return std::nullopt;
  return entry + 1 == entries_.end() ? log_end_offset : (entry + 1)->start_offset;
}

void LeaderEpochFileCache::truncate_from_start(Offset log_start_offset) {
  auto kept = entries_.begin();
  while (kept != entries_.end() && kept->start_offset <= log_start_offset) ++kept;
  if (kept == entries_.begin()) return;
  --kept;
  if (kept == entries_.begin() && kept->start_offset == log_start_offset) return;
  kept->start_offset = log_start_offset;
  entries_.erase(entries_.begin(), kept);
  ++version_;
}

void LeaderEpochFileCache::truncate_from_end(Offset end_offset) {
  const std::size_t before = entries_.size();
  while (!entries_.empty() && entries_.back().start_offset >= end_offset) entries_.pop_back();
  if (entries_.size() != before) ++version_;
}

EpochEntries LeaderEpochFileCache::entries_between(Offset from, Offset to_exclusive) const {
  if (from >= to_exclusive) return {};
  auto first = entries_.begin();
  while (first != entries_.end() && first + 1 != entries_.end() && (first + 1)->start_offset <= from) ++first;
  auto last = first;
  while (last != entries_.end() && last->start_offset < to_exclusive) ++last;
  EpochEntries overlapping(first, last);
  if (!overlapping.empty()) overlapping.front().start_offset = std::max(overlapping.front().start_offset, from);
  return overlapping;
}

EpochEntries build_filtered_leader_epochs(const EpochEntries& entries) {
  EpochEntries filtered;
  filtered.reserve(entries.size());
  for (const EpochEntry& entry : entries) {
    if (!filtered.empty() && filtered.back().start_offset == entry.start_offset) {
      filtered.back() = entry;
    } else {
      filtered.push_back(entry);
    }
  }
  return filtered;
}

bool is_remote_segment_within_leader_epochs(const RemoteLogSegment& segment, Offset log_end_offset,
                                            const EpochEntries& lineage, LineageRule rule) {
  CHECK(!lineage.empty());
  CHECK(!segment.segment_leader_epochs.empty());
  if (segment.end_offset >= log_end_offset) return false;
  const EpochEntries& epochs = segment.segment_leader_epochs;
  // The walk asks this of every segment, and nearly none has an epoch without records: copy only then.
  if (!has_empty_epoch(epochs)) return epochs_agree(epochs, segment.end_offset, lineage, rule);
  return epochs_agree(build_filtered_leader_epochs(epochs), segment.end_offset, lineage, rule);
}

}  // namespace model
