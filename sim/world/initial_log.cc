#include "sim/world/initial_log.h"

#include <algorithm>
#include <map>

#include "sim/scenario/values.h"

namespace sim {

namespace {

/// Offsets of one copy that belong together.
struct Range {
  Offset begin;
  /// Exclusive.
  Offset end;
  const InitialCopy* copy;
};

std::int64_t records_of_segment(const TopicScenario& topic) {
  return std::max<std::int64_t>(1, topic.options.segment_bytes.value() / topic.record_bytes.value());
}

LogSegment segment_of(const Range& range) {
  const InitialCopy& copy = *range.copy;
  const auto whole = static_cast<__int128>(next(copy.end_offset) - copy.start_offset);
  const auto size = static_cast<__int128>(copy.size.value()) * (range.end - range.begin) / whole;
  return {range.begin, range.end, Bytes{static_cast<std::int64_t>(size)}, copy.max_timestamp};
}

/// The copies of one partition, and what follows from them.
class FileLog {
 public:
  FileLog(const TopicScenario& topic, const InitialFile& file, std::int32_t partition) : topic_(topic) {
    std::map<std::uint32_t, bool> was_finished;
    for (const InitialEvent& event : events_of(file, partition)) {
      was_finished[event.copy] |= event.state == RemoteLogSegmentState::copy_segment_finished;
      log_.leader_epoch = std::max(log_.leader_epoch, event.leader_epoch);
    }
    for (const auto& [index, finished] : was_finished) {
      const InitialCopy& copy = file.copies[index];
      copies_.push_back({&copy, finished});
      end_ = std::max(end_, next(copy.end_offset));
    }
    std::stable_sort(copies_.begin(), copies_.end(), [](const Known& a, const Known& b) {
      return std::pair{a.copy->start_offset, a.copy->end_offset} < std::pair{b.copy->start_offset, b.copy->end_offset};
    });
  }

  InitialLog build() {
    learn_epochs();
    find_readable();
    find_start();
    log_.local_start = end_;
    fill();
    for (const Known& known : copies_) {
      if (known.copy->local == true) log_.local_start = std::min(log_.local_start, known.copy->start_offset);
    }
    log_.local_start = std::max(log_.local_start, log_.log_start);
    return std::move(log_);
  }

 private:
  struct Known {
    const InitialCopy* copy;
    bool was_finished;
    /// Retention has removed it from the log as well.
    bool is_gone() const { return was_finished && copy->state == RemoteLogSegmentState::delete_segment_finished; }
  };

  void learn_epochs() {
    std::map<LeaderEpoch, Offset> starts;
    for (const Known& known : copies_) {
      for (const EpochEntry& entry : known.copy->epochs) {
        const auto [at, is_new] = starts.try_emplace(entry.epoch, entry.start_offset);
        if (!is_new) at->second = std::min(at->second, entry.start_offset);
      }
    }
    for (const auto& [epoch, start] : starts) history_.assign(epoch, start);
  }

  /// What of the finished copies a reader finds: the cache is asked for the epoch that the log has at an offset.
  void find_readable() {
    for (const Known& known : copies_) {
      if (known.copy->state != RemoteLogSegmentState::copy_segment_finished) continue;
      const EpochEntries& epochs = known.copy->epochs;
      for (std::size_t i = 0; i < epochs.size(); ++i) {
        const Offset own_end = i + 1 < epochs.size() ? epochs[i + 1].start_offset : next(known.copy->end_offset);
        const auto history_end = history_.end_offset_for(epochs[i].epoch, end_);
        if (!history_end) continue;
        const Range range{epochs[i].start_offset, std::min(own_end, *history_end), known.copy};
        if (range.begin >= range.end) continue;
        const bool goes_on =
            !readable_.empty() && readable_.back().copy == range.copy && readable_.back().end == range.begin;
        if (goes_on) {
          readable_.back().end = range.end;
        } else {
          readable_.push_back(range);
        }
      }
    }
    std::stable_sort(readable_.begin(), readable_.end(),
                     [](const Range& a, const Range& b) { return a.begin < b.begin; });
  }

  void find_start() {
    Offset start = end_;
    if (!readable_.empty()) {
      start = readable_.front().begin;
    } else if (const auto first =
                   std::find_if(copies_.begin(), copies_.end(), [](const Known& k) { return !k.is_gone(); });
               first != copies_.end()) {
      start = first->copy->start_offset;
    }
    for (const Known& known : copies_) {
      if (known.copy->local == true) start = std::min(start, known.copy->start_offset);
    }
    log_.log_start = start;
    history_.truncate_from_start(start);
    log_.epochs = history_.entries();
    if (log_.epochs.empty()) log_.epochs.push_back({LeaderEpoch{0}, start});
    log_.epochs.front().start_offset = start;
    log_.leader_epoch = std::max(log_.leader_epoch, log_.epochs.back().epoch);
  }

  /// Segments from the log start to the end: the readable copies', and what lies between them.
  void fill() {
    std::size_t candidate = 0;
    for (Range range : readable_) {
      fill_gap(range.begin, candidate);
      range.begin = std::max(range.begin, cursor());
      if (range.begin < range.end) log_.segments.push_back(segment_of(range));
    }
    fill_gap(end_, candidate);
  }

  Offset cursor() const { return log_.end(); }

  /// Up to `end`: by the copies that nobody reads, and what no copy has. It is on disk, unless a row says that it is
  /// not. `candidate` is the first copy that may reach beyond the last gap.
  void fill_gap(Offset end, std::size_t& candidate) {
    if (cursor() >= end) return;
    while (candidate < copies_.size() && next(copies_[candidate].copy->end_offset) <= cursor()) ++candidate;
    for (std::size_t i = candidate; i < copies_.size() && copies_[i].copy->start_offset < end; ++i) {
      const InitialCopy& copy = *copies_[i].copy;
      const Range range{std::max(copy.start_offset, cursor()), std::min(next(copy.end_offset), end), &copy};
      if (range.begin >= range.end) continue;
      fill_blank(range.begin);
      if (copy.local != false) log_.local_start = std::min(log_.local_start, range.begin);
      log_.segments.push_back(segment_of(range));
    }
    fill_blank(end);
  }

  void fill_blank(Offset end) {
    if (cursor() < end) log_.local_start = std::min(log_.local_start, cursor());
    const SimTime time = log_.segments.empty() ? time_start : log_.segments.back().largest_timestamp;
    while (cursor() < end) {
      const std::int64_t records = std::min(records_of_segment(topic_), end - cursor());
      const Offset begin = cursor();
      log_.segments.push_back({begin, begin + records, records * topic_.record_bytes, time});
    }
  }

  const TopicScenario& topic_;
  /// Ascending by offsets.
  std::vector<Known> copies_;
  Offset end_;
  LeaderEpochFileCache history_;
  std::vector<Range> readable_;
  InitialLog log_;
};

InitialLog log_of_keys(const TopicScenario& topic) {
  InitialLog log;
  const std::int64_t records = records_of_segment(topic);
  for (std::int64_t i = 0; i < topic.initial_finished + topic.initial_closed; ++i) {
    const Offset base{i * records};
    log.segments.push_back({base, base + records, records * topic.record_bytes, time_start - topic.initial_age});
  }
  log.active_records = topic.initial_active.value() / topic.record_bytes.value();
  const std::int64_t gone = std::max<std::int64_t>(topic.initial_finished - topic.initial_local, 0);
  log.local_start = Offset{gone * records};
  // The reader has checked them.
  if (auto epochs = parse_epochs(topic.initial_epochs)) log.epochs = std::move(*epochs);
  if (log.epochs.empty()) log.epochs.push_back({LeaderEpoch{0}, Offset{0}});
  log.leader_epoch = log.epochs.back().epoch;
  return log;
}

}  // namespace

InitialLog initial_log(const TopicScenario& topic, std::int32_t partition) {
  if (topic.initial_file) return initial_log_of_file(topic, *topic.initial_file, partition);
  return log_of_keys(topic);
}

InitialLog initial_log_of_file(const TopicScenario& topic, const InitialFile& file, std::int32_t partition) {
  FileLog log{topic, file, partition};
  return log.build();
}

}  // namespace sim
