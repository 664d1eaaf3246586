// Mirrors: LeaderEpochFileCache, and RemoteLogManager's lineage rules on top of it, Kafka 3.6 to 4.3 (facts 5.5, 7).
// Leaves out: the checkpoint file, endOffsetFor's answers for epochs that are not cached.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/types.h"

namespace model {

/// An epoch and the offset of its first record.
struct EpochEntry {
  LeaderEpoch epoch;
  Offset start_offset;
  friend constexpr auto operator<=>(const EpochEntry&, const EpochEntry&) = default;
};

/// Ascending by epoch and by start offset.
using EpochEntries = std::vector<EpochEntry>;

/// LeaderEpochFileCache: which leader epoch wrote which offsets of one replica's log.
class LeaderEpochFileCache {
 public:
  const EpochEntries& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  std::optional<EpochEntry> earliest_entry() const;
  std::optional<EpochEntry> latest_entry() const;

  /// Notes that `epoch` begins at `start_offset`; an epoch not above the latest one is ignored. Entries that start at
  /// or above `start_offset` go: those epochs have written nothing.
  void assign(LeaderEpoch epoch, Offset start_offset);
  /// endOffsetFor: exclusive end of `epoch`: the start of the next higher cached epoch, or `log_end_offset` for the
  /// latest. Nothing for an epoch that is not cached.
  std::optional<Offset> end_offset_for(LeaderEpoch epoch, Offset log_end_offset) const;
  /// Drops what lies below `log_start_offset`; the epoch that holds it keeps an entry that starts there (facts 7.2).
  void truncate_from_start(Offset log_start_offset);
  /// Drops entries that start at or above `end_offset`.
  void truncate_from_end(Offset end_offset);
  /// The entries of [from, to_exclusive), the first clamped to `from` (facts 5.5 step 1). Empty when nothing overlaps.
  EpochEntries entries_between(Offset from, Offset to_exclusive) const;
  /// Goes up with each change.
  std::uint64_t version() const { return version_; }

 private:
  EpochEntries entries_;
  std::uint64_t version_ = 0;
};

/// buildFilteredLeaderEpochMap (facts 7.1): drops each epoch that holds no record because the next one starts where it
/// does.
EpochEntries build_filtered_leader_epochs(const EpochEntries& entries);

struct RemoteLogSegment;

/// Which first-epoch rule the version has: 3.6 and 3.7.0 are strict, 3.7.1 and later relaxed (KAFKA-16511).
enum class LineageRule : std::uint8_t { strict, relaxed };

/// isRemoteSegmentWithinLeaderEpochs (facts 7.2): whether the whole segment belongs to the leader's history.
/// `lineage` is filtered and not empty; `log_end_offset` is exclusive.
bool is_remote_segment_within_leader_epochs(const RemoteLogSegment& segment, Offset log_end_offset,
                                            const EpochEntries& lineage, LineageRule rule);

}  // namespace model
