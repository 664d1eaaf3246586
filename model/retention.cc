#include "model/retention.h"

#include <algorithm>

#include "model/check.h"

namespace model {
namespace {

using enum RemoteLogSegmentState;

bool is_in_sweep(const RetentionView& view, const RemoteLogSegment& segment) {
  return view.policy.walk_knows_sweep() && view.state.is_being_deleted(segment);
}

bool spans_epochs(const RemoteLogSegment& segment) { return segment.segment_leader_epochs.size() > 1; }

}  // namespace

std::int64_t listed_count(const RemoteLogMetadataCache& cache) {
  std::int64_t count = 0;
  for (int i = 0; i < remote_log_segment_state_count; ++i) count += cache.count(static_cast<RemoteLogSegmentState>(i));
  return count;
}

Bytes listed_size(const RemoteLogMetadataCache& cache, SizeFilter filter) {
  Bytes size;
  for (int i = 0; i < remote_log_segment_state_count; ++i) {
    const auto state = static_cast<RemoteLogSegmentState>(i);
    if (is_counted(filter, state)) size += cache.size(state);
  }
  return size;
}

bool is_breached_by_log_start_offset(const RemoteLogSegment& segment, Offset log_start_offset,
                                     const EpochEntries& lineage) {
  if (lineage.empty()) return false;
  return segment.segment_leader_epochs.back().epoch <= lineage.front().epoch && segment.end_offset < log_start_offset;
}

SimTime due_by_time(const RemoteLogSegment& segment, std::optional<Duration> retention_time, const Rules& rules,
                    Duration start_since_1970) {
  if (!retention_time) return time_never;
  // Kafka counts in milliseconds.
  const Duration after = rules.time_breach_is_strict ? 1ms : 0ms;
  if (*retention_time > time_never - std::max(segment.max_timestamp, time_start) - after) return time_never;
  const SimTime reaches_1970 = time_start + (*retention_time - start_since_1970);
  return std::max(segment.max_timestamp + *retention_time + after, reaches_1970);
}

bool is_counted(SizeFilter filter, RemoteLogSegmentState state) {
  switch (filter) {
    case SizeFilter::all_listed:
      return state != delete_segment_finished;
    case SizeFilter::finished_and_deleting:
      return state == copy_segment_finished || state == delete_segment_started;
    case SizeFilter::finished:
      return state == copy_segment_finished;
  }
  check_failed("known SizeFilter", __FILE__, __LINE__);
}

void RetentionWalk::walk(const RetentionView& view) {
  chosen_.clear();
  chosen_size_ = Bytes{0};
  epochs_.clear();
  log_start_offset_.reset();
  same_until_ = time_never;
  fails_ = false;
  finds_finished_valid_ = false;
  if (listed_count(view.cache) == 0 || view.log.leader_epochs().empty()) return;
  view.cache.list_epochs(epochs_);
  refresh_lineage(view.log);
  remaining_breached_size_ = size_excess(view).value_or(Bytes{0});
  const auto retention_time = view.topic.retention_time_limit();
  fails_ = view.policy.rules().long_retention_fails && retention_time &&
           *retention_time - view.start_since_1970 > view.now - time_start;
  if (fails_) return;
  bool goes_on = true;
  for (std::size_t i = 0; i < lineage_.size() && goes_on; ++i) {
    view.cache.visit_remote_log_segments(lineage_[i].epoch, [&](const RemoteLogSegmentMetadata& metadata) {
      const Verdict verdict = judge(view, metadata);
      if (verdict == Verdict::chosen) choose(view, metadata);
      goes_on = verdict != Verdict::stops;
      return goes_on;
    });
  }
}

void RetentionWalk::choose(const RetentionView& view, const RemoteLogSegmentMetadata& metadata) {
  chosen_.push_back(metadata);
  const bool is_special = view.policy.rules().retry_delete_started && metadata.state == delete_segment_started;
  if (!is_special) chosen_size_ += metadata.segment->size;
}

void RetentionWalk::list_truncated(const RetentionView& view) {
  truncated_.clear();
  earliest_epoch_.reset();
  const auto earliest = view.log.leader_epochs().earliest_entry();
  if (!earliest) return;
  earliest_epoch_ = earliest->epoch;
  for (const LeaderEpoch epoch : epochs_) {
    if (epoch >= earliest->epoch) break;
    view.cache.list_remote_log_segments(epoch, truncated_);
  }
  if (!view.policy.walk_knows_sweep()) return;
  std::erase_if(truncated_, [&](const RemoteLogSegmentMetadata& metadata) {
    return view.state.is_being_deleted(*metadata.segment);
  });
}

bool RetentionWalk::is_left_by_truncation(const RemoteLogSegment& segment) const {
  return earliest_epoch_ && segment.segment_leader_epochs.back().epoch < *earliest_epoch_;
}

bool RetentionWalk::leaves_by_truncation() const {
  return std::any_of(truncated_.begin(), truncated_.end(), [this](const RemoteLogSegmentMetadata& metadata) {
    return is_left_by_truncation(*metadata.segment);
  });
}

void RetentionWalk::refresh_lineage(const UnifiedLog& log) {
  if (history_ == log.leader_epochs().entries()) return;
  history_ = log.leader_epochs().entries();
  lineage_ = build_filtered_leader_epochs(history_);
  remote_size_.reset();
}

Bytes RetentionWalk::remote_size(const RetentionView& view) {
  const Offset log_end = view.log.log_end_offset();
  if (remote_size_ && remote_size_->cache_version == view.cache.version() && log_end >= remote_size_->end) {
    return remote_size_->size;
  }
  const Rules& rules = view.policy.rules();
  RemoteSize sum{view.cache.version(), Offset{0}, Bytes{0}};
  counted_.clear();
  for (const EpochEntry& entry : lineage_) {
    listed_.clear();
    view.cache.list_remote_log_segments(entry.epoch, listed_);
    for (const RemoteLogSegmentMetadata& metadata : listed_) {
      const RemoteLogSegment& segment = *metadata.segment;
      sum.end = std::max(sum.end, next(segment.end_offset));
      if (!is_counted(rules.size_filter, metadata.state)) continue;
      if (std::find(counted_.begin(), counted_.end(), &segment) != counted_.end()) continue;
      if (!is_remote_segment_within_leader_epochs(segment, log_end, lineage_, rules.lineage_rule)) continue;
      // Only a copy of several epochs can be met again.
      if (spans_epochs(segment)) counted_.push_back(&segment);
      sum.size += segment.size;
    }
  }
  remote_size_.reset();
  if (log_end >= sum.end) remote_size_ = sum;
  return sum.size;
}

std::optional<Bytes> RetentionWalk::size_excess(const RetentionView& view) {
  const auto limit = view.topic.retention_size_limit();
  if (!limit) return std::nullopt;
  if (view.is_growing) same_until_ = SimTime::min();
  const Rules& rules = view.policy.rules();
  const Bytes local = view.log.only_local_log_segments_size();
  const Bytes counted = listed_size(view.cache, rules.size_filter);
  if (local + counted <= *limit) return std::nullopt;
  // Whatever joins later counts as well then, in the lineage or not.
  const Bytes remote = trusts_finished_size_ ? counted : remote_size(view);
  finds_finished_valid_ = rules.trusts_finished_size && remote == counted;
  const Bytes total = local + remote;
  if (total <= *limit) return std::nullopt;
  return total - *limit;
}

RetentionWalk::Verdict RetentionWalk::judge(const RetentionView& view, const RemoteLogSegmentMetadata& metadata) {
  const Rules& rules = view.policy.rules();
  const RemoteLogSegment& segment = *metadata.segment;
  if (rules.skip_segments_being_copied && view.state.is_being_copied(segment)) return Verdict::stops;
  if (is_in_sweep(view, segment)) return Verdict::passed;
  // Before the look whether it has been chosen: a copy of two epochs is taken twice (facts 6.8).
  if (rules.retry_delete_started && metadata.state == delete_segment_started) return Verdict::chosen;
  if (metadata.state == dangling) {
    const auto expiration = view.policy.dangling_in_walk();
    if (expiration == KipDanglingOptions::Expiration::skip) return Verdict::passed;
    if (expiration == KipDanglingOptions::Expiration::delete_it) return Verdict::chosen;
  }
  if (is_chosen(segment)) return Verdict::passed;
  if (is_breached_by_log_start_offset(segment, view.log.log_start_offset(), lineage_)) return Verdict::chosen;
  if (view.is_growing && segment.end_offset >= view.log.log_end_offset()) same_until_ = SimTime::min();
  if (!is_remote_segment_within_leader_epochs(segment, view.log.log_end_offset(), lineage_, rules.lineage_rule)) {
    return Verdict::passed;
  }
  return judge_by_retention(view, segment);
}

// No look at the state: a COPY_SEGMENT_STARTED copy is charged like any other and moves the log start (F10).
RetentionWalk::Verdict RetentionWalk::judge_by_retention(const RetentionView& view, const RemoteLogSegment& segment) {
  const Rules& rules = view.policy.rules();
  const SimTime due = due_by_time(segment, view.topic.retention_time_limit(), rules, view.start_since_1970);
  if (due <= view.now) {
    remaining_breached_size_ = std::max(Bytes{0}, remaining_breached_size_ - segment.size);
  } else if (remaining_breached_size_ > Bytes{0} && remaining_breached_size_ >= segment.size) {
    remaining_breached_size_ -= segment.size;
  } else {
    same_until_ = std::min(same_until_, due);
    return rules.walk_stops_early ? Verdict::stops : Verdict::passed;
  }
  const Offset after = next(segment.end_offset);
  const bool raises = !log_start_offset_ || !rules.log_start_is_greatest || after > *log_start_offset_;
  if (raises) log_start_offset_ = after;
  return Verdict::chosen;
}

bool RetentionWalk::is_chosen(const RemoteLogSegment& segment) const {
  if (!spans_epochs(segment)) return false;
  return std::any_of(chosen_.begin(), chosen_.end(),
                     [&](const RemoteLogSegmentMetadata& metadata) { return metadata.segment == &segment; });
}

}  // namespace model
