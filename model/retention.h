// Mirrors: RLMExpirationTask's choice of what to delete: RemoteLogRetentionHandler, buildRetentionSizeData,
// buildRetentionTimeData and the loop around them, Kafka 3.6 to 4.3 (facts 6.1 to 6.6).
// Leaves out: nothing.
#pragma once

#include <optional>
#include <vector>

#include "model/options.h"
#include "model/policy.h"
#include "model/task_context.h"

namespace model {

/// listAllRemoteLogSegments: how many copies there are, whatever their state, and the sizes of those that `filter`
/// counts.
std::int64_t listed_count(const RemoteLogMetadataCache& cache);
Bytes listed_size(const RemoteLogMetadataCache& cache, SizeFilter filter);

/// isSegmentBreachByLogStartOffset: every epoch of the copy is at or below the lineage's first and its end lies below
/// the log start.
bool is_breached_by_log_start_offset(const RemoteLogSegment& segment, Offset log_start_offset,
                                     const EpochEntries& lineage);

/// When a copy is due by time, on the broker's clock; never without a limit. As long as now - retention.ms lies before
/// 1970 nothing is (4.0+; in earlier versions the run fails, so that nobody asks).
SimTime due_by_time(const RemoteLogSegment& segment, std::optional<Duration> retention_time, const Rules& rules,
                    Duration start_since_1970);

/// Whether size retention adds up copies in `state`.
bool is_counted(SizeFilter filter, RemoteLogSegmentState state);

/// What a partition's retention looks at, at one instant.
struct RetentionView {
  const UnifiedLog& log;
  const RemoteLogMetadataCache& cache;
  const TopicOptions& topic;
  const PartitionState& state;
  const Policy& policy;
  SimTime now;
  Duration start_since_1970;
  /// Whether size and log end may be other ones at the next look, with no event that says so.
  bool is_growing;
};

/// One run's choice: made anew before each run, its vectors reused. Lives as long as its task.
class RetentionWalk {
 public:
  /// Decides; changes nothing but itself.
  void walk(const RetentionView& view);
  /// What a run, or a tick that finds nothing to do, keeps of the last walk for the life of the task (KAFKA-20026).
  void keep_findings() { trusts_finished_size_ = trusts_finished_size_ || finds_finished_valid_; }
  /// Whether keep_findings would change anything.
  bool has_findings() const { return finds_finished_valid_ && !trusts_finished_size_; }
  /// Lists what truncation of the epoch history has left, again at each call (facts 6.6).
  void list_truncated(const RetentionView& view);

  /// The run ends here with an exception, before it chooses: retention.ms reaches behind 1970 (to 3.9).
  bool fails() const { return fails_; }
  /// segmentsToDelete, in the order of the deletes. A DELETE_SEGMENT_STARTED copy of two epochs may be in it twice
  /// (facts 6.8).
  const std::vector<RemoteLogSegmentMetadata>& chosen() const { return chosen_; }
  /// Sum of the log sizes of what was chosen, without what 4.0's special case for DELETE_SEGMENT_STARTED took (facts
  /// 6.1 step 6c), though its deletes are taken off again: so the lag of a run can fall below 0 (F29).
  Bytes chosen_size() const { return chosen_size_; }
  /// To what the log start offset has to be raised before the deletes.
  std::optional<Offset> log_start_offset() const { return log_start_offset_; }
  /// Copies of which some epoch lies below the earliest one that the log knows; one of two such epochs is in it twice.
  const std::vector<RemoteLogSegmentMetadata>& truncated() const { return truncated_; }
  /// Whether a copy of truncated() is deleted: all its epochs lie below the earliest.
  bool is_left_by_truncation(const RemoteLogSegment& segment) const;
  bool leaves_by_truncation() const;
  /// Before when a second walk chooses the same, as long as no event changes what it looks at.
  SimTime same_until() const { return same_until_; }

 private:
  /// How the loop goes on after one segment.
  enum class Verdict : std::uint8_t { chosen, passed, stops };

  void refresh_lineage(const UnifiedLog& log);
  Bytes remote_size(const RetentionView& view);
  std::optional<Bytes> size_excess(const RetentionView& view);
  Verdict judge(const RetentionView& view, const RemoteLogSegmentMetadata& metadata);
  Verdict judge_by_retention(const RetentionView& view, const RemoteLogSegment& segment);
  void choose(const RetentionView& view, const RemoteLogSegmentMetadata& metadata);
  bool is_chosen(const RemoteLogSegment& segment) const;

  std::vector<RemoteLogSegmentMetadata> chosen_;
  std::vector<RemoteLogSegmentMetadata> truncated_;
  Bytes chosen_size_;
  std::optional<LeaderEpoch> earliest_epoch_;
  std::optional<Offset> log_start_offset_;
  bool fails_ = false;
  bool finds_finished_valid_ = false;
  bool trusts_finished_size_ = false;
  SimTime same_until_ = time_never;
  /// By how much the log is above retention.bytes, less what has been chosen.
  Bytes remaining_breached_size_;

  /// The epoch history that lineage_ was made from.
  EpochEntries history_;
  EpochEntries lineage_;
  std::vector<RemoteLogSegmentMetadata> listed_;
  /// The epochs under which something may be listed, as they were when the walk began.
  std::vector<LeaderEpoch> epochs_;
  std::vector<const RemoteLogSegment*> counted_;

  /// The last sum of remote_size, which a partition over its limit would otherwise add up at every tick.
  struct RemoteSize {
    std::uint64_t cache_version;
    /// Exclusive end of the furthest copy listed: with a log end at or above it the sum does not depend on the log end.
    Offset end;
    Bytes size;
  };
  std::optional<RemoteSize> remote_size_;
};

}  // namespace model
