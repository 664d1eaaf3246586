#include "model/unified_log.h"

#include <algorithm>
#include <iterator>

#include "model/check.h"

namespace model {
namespace {

bool is_empty(const LogSegment& segment) { return segment.next_offset == segment.base_offset; }

/// What `kept` of the records weigh, without overflow: the rest of the division is below the record count.
Bytes share_of(Bytes size, std::int64_t kept, std::int64_t record_count) {
  const std::int64_t each = size.value() / record_count;
  const std::int64_t rest = size.value() % record_count;
  return Bytes{each * kept + std::min(rest, kept)};
}

std::vector<LogSegment>::const_iterator first_from_base(const std::vector<LogSegment>& segments, Offset base) {
  const auto below = [](const LogSegment& segment, Offset wanted) { return segment.base_offset < wanted; };
  return std::lower_bound(segments.begin(), segments.end(), base, below);
}

}  // namespace

UnifiedLog::UnifiedLog(Offset start, LeaderEpoch epoch, SimTime created)
    : segments_{{start, start, Bytes{0}, created}},
      log_start_offset_(start),
      local_log_start_offset_(start),
      high_watermark_(start) {
  leader_epochs_.assign(epoch, start);
}

void UnifiedLog::append(std::int64_t count, Bytes bytes, SimTime timestamp) {
  CHECK(count > 0, "append of {} records", count);
  CHECK(bytes >= Bytes{0});
  LogSegment& active = segments_.back();
  active.largest_timestamp = is_empty(active) ? timestamp : std::max(active.largest_timestamp, timestamp);
  active.next_offset = active.next_offset + count;
  active.size += bytes;
  size_ += bytes;
  ++version_;
}

void UnifiedLog::roll(SimTime now) {
  if (is_empty(segments_.back())) return;
  const Offset end = log_end_offset();
  segments_.push_back({end, end, Bytes{0}, now});
  ++version_;
}

void UnifiedLog::add_closed_segment(const LogSegment& segment) {
  LogSegment& active = segments_.back();
  CHECK(is_empty(active));
  CHECK(segment.base_offset == log_end_offset(), "segment at {}, log end {}", segment.base_offset, log_end_offset());
  CHECK(segment.next_offset > segment.base_offset);
  active.base_offset = segment.next_offset;
  active.next_offset = segment.next_offset;
  segments_.insert(segments_.end() - 1, segment);
  size_ += segment.size;
  ++version_;
}

void UnifiedLog::start_local_log_at(Offset offset) {
  CHECK(offset <= log_end_offset(), "local start {}, log end {}", offset, log_end_offset());
  std::size_t count = 0;
  while (count + 1 < segments_.size() && segments_[count].next_offset <= offset) ++count;
  if (count > 0) remove_first(count);
  const Offset start = std::max(local_log_start_offset_, segments_.front().base_offset);
  if (start == local_log_start_offset_) return;
  local_log_start_offset_ = start;
  ++version_;
}

void UnifiedLog::truncate_to(Offset end) {
  if (end >= log_end_offset()) return;
  // The segment whose base is `end` stays as the empty active one, so that closed segments before it stay closed.
  while (segments_.size() > 1 && segments_.back().base_offset > end) {
    size_ -= segments_.back().size;
    segments_.pop_back();
  }
  LogSegment& last = segments_.back();
  if (last.base_offset >= end) {
    size_ -= last.size;
    last = {end, end, Bytes{0}, last.largest_timestamp};
  } else if (last.next_offset > end) {
    const Bytes kept = share_of(last.size, end - last.base_offset, last.next_offset - last.base_offset);
    size_ -= last.size - kept;
    last.size = kept;
    last.next_offset = end;
  }
  leader_epochs_.truncate_from_end(end);
  log_start_offset_ = std::min(log_start_offset_, end);
  local_log_start_offset_ = std::min(local_log_start_offset_, end);
  high_watermark_ = std::min(high_watermark_, end);
  ++version_;
}

void UnifiedLog::set_high_watermark(Offset offset) {
  const Offset bounded = std::min(offset, log_end_offset());
  if (bounded == high_watermark_) return;
  high_watermark_ = bounded;
  ++version_;
}

void UnifiedLog::set_first_unstable_offset(std::optional<Offset> offset) {
  if (offset == first_unstable_offset_) return;
  first_unstable_offset_ = offset;
  ++version_;
}

void UnifiedLog::lose_producer_snapshot(Offset next_base) {
  if (!has_producer_snapshot(next_base)) return;
  lost_producer_snapshots_.push_back(next_base);
  ++version_;
}

bool UnifiedLog::has_producer_snapshot(Offset next_base) const {
  return std::find(lost_producer_snapshots_.begin(), lost_producer_snapshots_.end(), next_base) ==
         lost_producer_snapshots_.end();
}

void UnifiedLog::update_highest_offset_in_remote_storage(Offset offset) {
  if (offset <= highest_offset_in_remote_storage_) return;
  highest_offset_in_remote_storage_ = offset;
  ++version_;
}

void UnifiedLog::forget_highest_offset_in_remote_storage() {
  highest_offset_in_remote_storage_ = Offset{-1};
  ++version_;
}

bool UnifiedLog::maybe_increment_log_start_offset(Offset offset) {
  if (offset > high_watermark_) return false;
  if (offset > local_log_start_offset_) {
    local_log_start_offset_ = offset;
    ++version_;
  }
  if (offset > log_start_offset_) {
    log_start_offset_ = offset;
    leader_epochs_.truncate_from_start(offset);
    ++version_;
  }
  return true;
}

void UnifiedLog::candidate_log_segments(Offset from, Offset last_stable_offset, std::vector<LogSegment>& out) const {
  auto segment = first_from_base(segments_, next(from));
  // The one that contains `from` may begin below it: a new leader with other boundaries uploads overlapping ranges.
  if (segment != segments_.begin()) --segment;
  for (; segment + 1 < segments_.end() && (segment + 1)->base_offset <= last_stable_offset; ++segment) {
    out.push_back(*segment);
  }
}

Bytes UnifiedLog::only_local_log_segments_size() const {
  Bytes sum;
  for (auto segment = first_from_base(segments_, highest_offset_in_remote_storage_); segment != segments_.end();
       ++segment) {
    sum += segment->size;
  }
  return sum;
}

std::int64_t UnifiedLog::only_local_log_segments_count() const {
  return std::distance(first_from_base(segments_, highest_offset_in_remote_storage_), segments_.end());
}

/// The gate of local retention: what is not on the remote tier stays, unless nobody may read it any more.
bool UnifiedLog::may_go(const LogSegment& segment, const LogSegment* following, const Deletion& deletion) const {
  if (!deletion.copies) return true;
  const Offset upper = segment.next_offset;
  const bool uploaded = upper > Offset{0} && previous(upper) <= highest_offset_in_remote_storage_;
  if (uploaded) return true;
  return deletion.rules.log_start_opens_gate && following && log_start_offset_ >= upper;
}

template <class Breaches>
int UnifiedLog::delete_breached(const Deletion& deletion, Breaches breaches) {
  std::size_t count = 0;
  bool roll_active = false;
  for (; count < segments_.size(); ++count) {
    const LogSegment& segment = segments_[count];
    const LogSegment* following = count + 1 < segments_.size() ? &segments_[count + 1] : nullptr;
    if (high_watermark_ < segment.next_offset || !breaches(segment, following)) break;
    if (!following && is_empty(segment)) break;
    // Closed now, it can be uploaded, and a later run may delete it.
    if (!following && deletion.tiered && deletion.rules.rolls_active_segment) roll_active = true;
    if (!may_go(segment, following, deletion)) break;
  }
  // Where nothing says that it rolls, it does because something must remain when the last segment goes.
  if (roll_active || count == segments_.size()) roll(deletion.now);
  if (count == 0) return 0;
  remove_first(count);
  const Offset start = segments_.front().base_offset;
  local_log_start_offset_ = std::max(local_log_start_offset_, start);
  if (!deletion.copies) {
    const bool raised = maybe_increment_log_start_offset(start);
    CHECK(raised, "log start {} above the high watermark", start);
  }
  return static_cast<int>(count);
}

int UnifiedLog::delete_old_segments(SimTime now, const TopicOptions& topic, const LocalLogRules& rules) {
  const bool tiered = topic.remote_storage_enable;
  const bool copies = tiered && !rules.copy_is_disabled(topic);
  const Deletion deletion{now, tiered, copies, rules};
  const Offset start = tiered ? local_log_start_offset_ : log_start_offset_;
  const auto before_start = [start](const LogSegment&, const LogSegment* following) {
    return following && following->base_offset <= start;
  };
  int removed = delete_breached(deletion, before_start);

  const auto size_limit = copies ? topic.local_retention_size_limit() : topic.retention_size_limit();
  if (size_limit && size_ >= *size_limit) {
    Bytes excess = size_ - *size_limit;
    removed += delete_breached(deletion, [&excess](const LogSegment& segment, const LogSegment*) {
      if (excess < segment.size) return false;
      excess -= segment.size;
      return true;
    });
  }

  if (const auto time_limit = copies ? topic.local_retention_time_limit() : topic.retention_time_limit()) {
    removed += delete_breached(deletion, [now, limit = *time_limit](const LogSegment& segment, const LogSegment*) {
      return now - segment.largest_timestamp > limit;
    });
  }
  return removed;
}

void UnifiedLog::remove_first(std::size_t count) {
  CHECK(count < segments_.size());
  const auto end = segments_.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto segment = segments_.begin(); segment != end; ++segment) size_ -= segment->size;
  segments_.erase(segments_.begin(), end);
  ++version_;
}

}  // namespace model
