// Mirrors: UnifiedLog, LogSegments and LocalLog as the tiered-storage tasks see them, Kafka 3.6 to 4.3 (facts 5.3, 5.7,
// 8.2 to 8.5).
// Leaves out: record contents, index files and producer snapshots other than whether they are there, when records roll
// a segment (the world does), cleanup.policy (it is delete), file.delete.delay.ms (a local segment is gone at once),
// age by a file's time (KAFKA-20609).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/leader_epochs.h"
#include "model/options.h"
#include "model/time.h"
#include "model/types.h"

namespace model {

/// One segment of a local log. Offsets are [base_offset, next_offset).
struct LogSegment {
  Offset base_offset;
  /// Exclusive end: the base of the segment that follows, or the log end for the active one.
  Offset next_offset;
  Bytes size;
  /// Largest record timestamp; the creation time while the segment is empty.
  SimTime largest_timestamp;
};

/// What versions do differently about local retention (facts 8.3).
struct LocalLogRules {
  /// A raised log start offset lets a segment go that was never copied (3.7+).
  bool log_start_opens_gate = true;
  /// An active segment that breaches is closed, so that it can be copied (3.7+).
  bool rolls_active_segment = true;
  /// remote.log.copy.disable means something (3.9+).
  bool copy_can_be_disabled = true;

  bool copy_is_disabled(const TopicOptions& topic) const {
    return copy_can_be_disabled && topic.remote_log_copy_disable;
  }
};

/// One replica's local log of one partition. The last segment is the active one; there is always one.
/// The world appends; tasks read and raise the offsets.
class UnifiedLog {
 public:
  /// An empty log whose first record will have offset `start` and be written under `epoch`.
  UnifiedLog(Offset start, LeaderEpoch epoch, SimTime created);

  // What the world does.

  /// Adds `count` records of `bytes` in all to the active segment, the last stamped `timestamp`.
  void append(std::int64_t count, Bytes bytes, SimTime timestamp);
  /// Closes the active segment and begins an empty one at the log end. Nothing happens when the active one is empty.
  void roll(SimTime now);
  /// Puts a closed segment at the end of a log whose active segment is empty (initial states).
  void add_closed_segment(const LogSegment& segment);
  /// Removes closed local segments that end at or below `offset` without any rule, for initial states where they are on
  /// the remote tier only. The local log starts at the first segment that is left.
  void start_local_log_at(Offset offset);
  /// A follower's truncation to its leader's history: drops records at and above `end` and their epochs. The segment
  /// that holds `end` becomes the active one and keeps its share of the bytes. The highest remote offset stays (F27).
  void truncate_to(Offset end);
  /// At most the log end, as in Kafka.
  void set_high_watermark(Offset offset);
  /// Where the oldest open transaction began; nothing without one.
  void set_first_unstable_offset(std::optional<Offset> offset);
  /// The snapshot that a roll wrote at the base offset `next_base` of a segment is gone (F24).
  void lose_producer_snapshot(Offset next_base);
  LeaderEpochFileCache& leader_epochs() { return leader_epochs_; }

  // What the tasks see.

  const std::vector<LogSegment>& segments() const { return segments_; }
  const LogSegment& active_segment() const { return segments_.back(); }
  const LeaderEpochFileCache& leader_epochs() const { return leader_epochs_; }
  Offset log_start_offset() const { return log_start_offset_; }
  Offset local_log_start_offset() const { return local_log_start_offset_; }
  /// Exclusive.
  Offset log_end_offset() const { return segments_.back().next_offset; }
  Offset high_watermark() const { return high_watermark_; }
  /// A transaction that hangs stops copies at its segment, and with them local deletion (facts 8.5).
  Offset last_stable_offset() const {
    return first_unstable_offset_ ? std::min(*first_unstable_offset_, high_watermark_) : high_watermark_;
  }
  bool has_producer_snapshot(Offset next_base) const;
  /// Inclusive; -1 until somebody seeds it. Never decreases (F27).
  Offset highest_offset_in_remote_storage() const { return highest_offset_in_remote_storage_; }
  void update_highest_offset_in_remote_storage(Offset offset);
  /// A new process opened the log: the highest remote offset is not persisted.
  void forget_highest_offset_in_remote_storage();
  /// maybeIncrementLogStartOffset (facts 8.2). False, and nothing changed, for an offset above the high watermark:
  /// Kafka's OffsetOutOfRangeException. Local segments below it stay until a run of local retention.
  [[nodiscard]] bool maybe_increment_log_start_offset(Offset offset);

  /// candidateLogSegments (facts 5.3): appends to `out` the segments to copy, from the one that contains `from`.
  void candidate_log_segments(Offset from, Offset last_stable_offset, std::vector<LogSegment>& out) const;
  /// Local segments with base offset >= the highest remote offset (facts 5.7): sum of sizes, and how many.
  Bytes only_local_log_segments_size() const;
  std::int64_t only_local_log_segments_count() const;
  /// One run of local retention (facts 8.3) at `now`; returns how many segments it removed. May roll the active one.
  int delete_old_segments(SimTime now, const TopicOptions& topic, const LocalLogRules& rules = {});

  /// Goes up whenever something above changed: whoever derives something from the log compares it.
  std::uint64_t version() const { return version_ + leader_epochs_.version(); }

 private:
  /// deletableSegments and deleteSegments: removes the oldest segments as long as `breaches(segment, following)` holds
  /// and nothing protects them. `following` is null for the active segment.
  struct Deletion {
    SimTime now;
    bool tiered;  ///< The topic is.
    bool copies;  ///< It is, and copies are not disabled.
    const LocalLogRules& rules;
  };
  template <class Breaches>
  int delete_breached(const Deletion& deletion, Breaches breaches);
  bool may_go(const LogSegment& segment, const LogSegment* following, const Deletion& deletion) const;
  void remove_first(std::size_t count);

  std::vector<LogSegment> segments_;
  LeaderEpochFileCache leader_epochs_;
  Offset log_start_offset_;
  Offset local_log_start_offset_;
  Offset high_watermark_;
  std::optional<Offset> first_unstable_offset_;
  std::vector<Offset> lost_producer_snapshots_;
  Offset highest_offset_in_remote_storage_{-1};
  /// Sum of the sizes of segments_, so that a retention run with nothing to do need not look at them.
  Bytes size_;
  std::uint64_t version_ = 0;
};

}  // namespace model
