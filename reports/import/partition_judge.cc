// What becomes of what is left: facts 5.6 (failed copies), 6.3 (time retention), 6.8 (when a delete is tried again).
// Left out: size retention, which no dump can date, and epochs that the leader no longer knows.
#include "reports/import/partition_judge.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "reports/import/curve_fold.h"

namespace reports {
namespace {

using enum RemoteLogSegmentState;

bool is_in(const ImportedSegment& segment, RemoteLogSegmentState state) { return segment.state == number_of(state); }

std::map<std::string_view, std::vector<std::uint32_t>> topics_by_name(const DumpFold& fold) {
  std::map<std::string_view, std::vector<std::uint32_t>> numbers;
  for (std::uint32_t i = 0; i < fold.topics().size(); ++i) numbers[fold.topics()[i].name].push_back(i);
  return numbers;
}

/// Whether one of `others` is the same topic made again. One damaged character of an id makes another topic as well:
/// its records stand among those of the true one, or go on with copies of it.
bool is_replaced(const DumpFold& fold, std::uint32_t number, const std::vector<std::uint32_t>& others) {
  const auto& old = fold.topics()[number];
  return std::any_of(others.begin(), others.end(), [&](std::uint32_t other) {
    const auto& later = fold.topics()[other];
    return other != number && old.first_ms < later.first_ms && old.last_ms <= later.first_ms && later.begun > 0 &&
           !old.shares_copies && !later.shares_copies;
  });
}

}  // namespace

std::vector<std::string_view> judge_topics(DumpFold& fold) {
  std::vector<std::string_view> reasons(fold.topics().size());
  for (const auto& [name, numbers] : topics_by_name(fold)) {
    for (const auto number : numbers)
      if (is_replaced(fold, number, numbers)) reasons[number] = "a topic of the same name with another id came later";
  }
  for (const auto& partition : fold.partitions())
    if (!partition.delete_state.empty()) reasons[partition.topic] = "the metadata says that the partition is deleted";

  std::vector<std::uint64_t> deleting(fold.topics().size());
  std::vector<std::uint64_t> others(fold.topics().size());
  fold.segments().for_each([&](const ImportedSegment& segment) {
    ++(is_in(segment, delete_segment_started) ? deleting : others)[fold.partitions()[segment.partition].topic];
  });
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (reasons[i].empty() && deleting[i] > 1 && others[i] == 0)
      reasons[i] =
          "all that is left of the topic is in DELETE_SEGMENT_STARTED, which a deletion that was cut off leaves";
  }
  return reasons;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> conflicting_topics(const DumpFold& fold) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> conflicts;
  for (const auto& [name, numbers] : topics_by_name(fold)) {
    std::vector<std::uint32_t> living;
    for (const auto number : numbers)
      if (!is_replaced(fold, number, numbers)) living.push_back(number);
    if (living.size() < 2) continue;
    const auto foremost = *std::max_element(living.begin(), living.end(), [&](std::uint32_t a, std::uint32_t b) {
      return fold.topics()[a].records < fold.topics()[b].records;
    });
    for (const auto number : living)
      if (number != foremost) conflicts.emplace_back(foremost, number);
  }
  return conflicts;
}

PartitionJudge::PartitionJudge(const DumpFold& fold, const FindingRules& rules,
                               std::span<const std::string_view> deleted_topics, std::uint32_t partition,
                               FindingFile& out)
    : fold_(fold),
      rules_(rules),
      partition_(fold.partitions()[partition]),
      topic_(fold.topics()[partition_.topic]),
      deleted_because_(deleted_topics[partition_.topic]),
      retention_(rules.config.of(topic_.name)),
      out_(out) {}

void PartitionJudge::judge(std::span<ImportedSegment* const> segments) {
  find_superseded(segments);
  for (const auto* segment : segments) {
    if (rules_.listing_ms) compare_with_listing(*segment);
    judge_one(*segment);
  }
  tell_differences();
}

/// A finished copy whose offsets a later one covers whole is read no more (facts 2.4).
void PartitionJudge::find_superseded(std::span<ImportedSegment* const> segments) {
  const ImportedSegment* widest = nullptr;
  for (const auto* segment : segments) {
    if (!is_in(*segment, copy_segment_finished) || segment->end_offset < 0) continue;
    if (widest != nullptr && segment->end_offset <= widest->end_offset && segment->order < widest->order) {
      superseded_.push_back(segment);
      continue;
    }
    if (widest == nullptr || segment->end_offset >= widest->end_offset) widest = segment;
  }
  std::sort(superseded_.begin(), superseded_.end());
}

void PartitionJudge::judge_one(const ImportedSegment& segment) {
  if (!deleted_because_.empty()) return judge_of_deleted_topic(segment);
  if (is_in(segment, copy_segment_finished)) {
    judge_finished(segment);
  } else if (is_in(segment, copy_segment_started)) {
    judge_copying(segment);
  } else if (is_in(segment, delete_segment_started)) {
    judge_deleting(segment);
  } else if (is_in(segment, dangling)) {
    judge_dangling(segment);
  } else {
    wall_ = later(wall_, {Due::Kind::unknown, 0});
    auto finding = begin("error", "unknown-state", segment);
    finding.advice = "look";
    finding.detail = "no version of Kafka or of the proposal knows this state";
    out_.add(finding);
  }
}

Due PartitionJudge::own_due(const ImportedSegment& segment) const {
  constexpr Due unknown{Due::Kind::unknown, 0};
  if (!retention_.milliseconds) return unknown;
  if (*retention_.milliseconds < 0) {
    const bool is_unlimited = retention_.bytes && *retention_.bytes < 0;
    return is_unlimited ? Due{Due::Kind::never, 0} : unknown;
  }
  if (segment.start_offset < 0) return unknown;  // No line told its greatest timestamp.
  const std::int64_t one_more = rules_.version == KafkaVersion::v4_3 ? 1 : 0;
  std::int64_t due_ms = 0;
  if (__builtin_add_overflow(segment.max_timestamp_ms, *retention_.milliseconds + one_more, &due_ms))
    return {Due::Kind::never, 0};
  return {Due::Kind::at, due_ms};
}

bool PartitionJudge::is_old(const ImportedSegment& segment) const {
  return rules_.now_ms - segment.since_ms > stuck_after_ms;
}

Finding PartitionJudge::begin(std::string_view severity, std::string_view name, const ImportedSegment& segment) const {
  Finding finding{.severity = severity,
                  .finding = name,
                  .topic = topic_.name,
                  .partition = partition_.index,
                  .id = segment.id,
                  .state = fold_.states().name(segment.state),
                  .broker = segment.broker,
                  .size_source = "unknown",
                  .since_ms = segment.since_ms};
  if (rules_.listing_ms) {
    finding.bytes = segment.listed_bytes;
    finding.size_source = "listing";
    finding.objects = segment.listed_objects;
  } else if (segment.size_bytes >= 0) {
    finding.bytes = segment.size_bytes;
    // What never finished, or is being deleted, may be there in part or not at all.
    finding.size_source = is_in(segment, copy_segment_finished) ? "metadata" : "claimed";
  }
  return finding;
}

std::string PartitionJudge::why_not_sooner(const Due& due) const {
  switch (due.kind) {
    case Due::Kind::never:
      return "retention is unlimited";
    case Due::Kind::at:
      return due.ms <= rules_.now_ms ? "it is overdue: the leader's expiration does not get on" : "";
    case Due::Kind::unknown:
      if (!retention_.milliseconds) return "the topic's retention is not known (--topic-config tells)";
      return *retention_.milliseconds < 0 ? "retention.bytes decides, which has no date" : "no date can be told";
  }
  return "";
}

void PartitionJudge::tell(Finding finding, const Due& due, std::string_view due_by) {
  const auto why = why_not_sooner(due);
  if (!why.empty()) finding.detail += finding.detail.empty() ? why : "; " + why;
  switch (due.kind) {
    case Due::Kind::never:
      finding.due_by = "none";
      finding.advice = "look";
      break;
    case Due::Kind::unknown:
      finding.advice = "look";
      break;
    case Due::Kind::at:
      finding.due_by = due_by;
      finding.due_ms = due.ms;
      // A new leader begins with new tasks and reads the metadata again.
      finding.advice = due.ms <= rules_.now_ms ? "move-leader" : "wait";
      break;
  }
  out_.add_waste(finding, due);
}

void PartitionJudge::judge_finished(const ImportedSegment& segment) {
  const auto own = own_due(segment);
  wall_ = later(wall_, own);
  const bool is_further =
      segment.end_offset >= 0 && (furthest_ == nullptr || segment.end_offset >= furthest_->end_offset);
  if (is_further) furthest_ = &segment;
  if (std::binary_search(superseded_.begin(), superseded_.end(), &segment)) {
    auto finding = begin("warning", "superseded-copy", segment);
    finding.detail = "a later finished copy holds all its offsets, so it is read no more";
    return tell(std::move(finding), wall_, "retention");
  }
  const bool is_overdue = own.kind == Due::Kind::at && rules_.now_ms - own.ms > stuck_after_ms;
  if (is_overdue) tell(begin("warning", "expired-copy", segment), own, "retention");
}

void PartitionJudge::judge_copying(const ImportedSegment& segment) {
  wall_ = later(wall_, own_due(segment));
  const bool has_later = segment.start_offset >= 0 && furthest_ != nullptr &&
                         furthest_->end_offset >= segment.start_offset && furthest_->order > segment.order;
  if (!has_later && !is_old(segment)) return out_.add_young();
  auto finding = begin("warning", has_later ? "abandoned-copy" : "stuck-copy", segment);
  finding.detail = has_later ? fmt::format("copied again as {}", furthest_->id)
                             : "no other finished copy begins where it does; nobody reads it in this state";
  if (finding.objects && *finding.objects == 0) finding.detail += "; no object of it is listed: an entry without bytes";
  tell(std::move(finding), wall_, "retention");
}

void PartitionJudge::judge_deleting(const ImportedSegment& segment) {
  const bool is_taken_anyway = rules_.version >= KafkaVersion::v4_0;
  const auto before = wall_;
  if (!is_taken_anyway) wall_ = later(wall_, own_due(segment));
  if (!is_old(segment)) return out_.add_young();
  auto finding = begin("warning", "delete-left", segment);
  if (is_taken_anyway) {
    finding.detail = "tried again when all retained segments before it are gone";
    return tell(std::move(finding), before, "expiration");
  }
  finding.detail = fmt::format("Kafka {} tries it again when retention reaches it", to_string(rules_.version));
  tell(std::move(finding), wall_, "retention");
}

void PartitionJudge::judge_dangling(const ImportedSegment& segment) {
  wall_ = later(wall_, own_due(segment));
  auto finding = begin("warning", "dangling-left", segment);
  finding.advice = "look";
  finding.detail = fmt::format(
      "state id 4 is of the proposal, and no sweep of Kafka {}'s comes for it: brokers without the proposal end their "
      "metadata consumer at such a record, for all their partitions and again after each restart. A broker with the "
      "proposal sweeps it in its next copy run",
      to_string(rules_.version));
  out_.add_waste(finding, {Due::Kind::unknown, 0});
}

void PartitionJudge::judge_of_deleted_topic(const ImportedSegment& segment) {
  auto finding = begin("error", "topic-deleted", segment);
  finding.due_by = "none";
  finding.advice = "look";
  finding.detail = fmt::format("{}; its deletion is never tried again", deleted_because_);
  out_.add_waste(finding, {Due::Kind::never, 0});
}

void PartitionJudge::compare_with_listing(const ImportedSegment& segment) {
  if (segment.listed_objects == 0) {
    const bool is_due_there =
        is_in(segment, copy_segment_finished) && *rules_.listing_ms - segment.since_ms > rules_.grace_ms;
    if (!is_due_there) return;
    auto finding = begin("error", "object-missing", segment);
    finding.advice = "look";
    finding.detail = "COPY_SEGMENT_FINISHED, but the listing has no object of it: reads of its offsets fail";
    return out_.add(finding);
  }
  if (segment.listed_log_bytes < 0 || segment.size_bytes < 0 || segment.listed_log_bytes == segment.size_bytes) return;
  ++different_;
  claimed_bytes_ += segment.size_bytes;
  listed_bytes_ += segment.listed_log_bytes;
}

void PartitionJudge::tell_differences() {
  if (different_ == 0) return;
  out_.add({.severity = "note",
            .finding = "size-differs",
            .topic = topic_.name,
            .partition = partition_.index,
            .bytes = listed_bytes_,
            .size_source = "listing",
            .advice = "look",
            .detail = fmt::format("{} log object{} of {} bytes where the metadata says {}: compressed or encrypted by "
                                  "the plug-in, or incomplete",
                                  different_, different_ == 1 ? "" : "s", listed_bytes_, claimed_bytes_)});
}

}  // namespace reports
