#include "reports/import/findings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/check.h"
#include "reports/import/curve_fold.h"
#include "reports/import/partition_judge.h"

namespace reports {
namespace {

template <class Number>
void write_known(CsvFile& out, const std::optional<Number>& value) {
  if (value) {
    out.integer(*value);
  } else {
    out.empty();
  }
}

std::optional<std::int32_t> known(std::int32_t value) { return value >= 0 ? std::optional{value} : std::nullopt; }

/// What happened to the records of one partition, one row a kind.
void find_oddities(const DumpFold& fold, const ImportedPartition& partition, FindingFile& out) {
  const auto tell = [&](std::string_view severity, std::string_view name, const CountedOddity& oddity,
                        std::string_view says) {
    if (oddity.count == 0) return;
    out.add(
        {.severity = severity,
         .finding = name,
         .topic = fold.topics()[partition.topic].name,
         .partition = partition.index,
         .id = oddity.first_id,
         .state = fold.states().name(oddity.first_state),
         .broker = oddity.first_broker,
         .since_ms = oddity.first_ms,
         .advice = "look",
         .detail = fmt::format("{} record{}, this one first: {}", oddity.count, oddity.count == 1 ? "" : "s", says)});
  };
  tell("warning", "illegal-transition", partition.illegal,
       "brokers from 3.7 on pass over such a record while its writer sees success; 3.6 ends its metadata consumer");
  tell("note", "update-without-base", partition.without_base,
       "the dump lacks the record that began this copy, so its size and offsets are not known");
  tell("warning", "delete-after-finished", partition.after_finished,
       "a state came after DELETE_SEGMENT_FINISHED: two brokers deleted the same copy, or a retry came late");
  tell("warning", "late-record", partition.late,
       "its offset is below one of the same copy that came earlier, so it was not applied: name the dumps in one call");
}

/// Topics of one name that live beside each other.
void find_conflicts(const DumpFold& fold, FindingFile& out) {
  for (const auto& [foremost, other] : conflicting_topics(fold)) {
    const auto& a = fold.topics()[foremost];
    const auto& b = fold.topics()[other];
    out.add(
        {.severity = "warning",
         .finding = "topic-id-conflict",
         .topic = a.name,
         .since_ms = b.first_ms,
         .advice = "look",
         .detail = fmt::format("its id is {} in {} record{} and {} in {}, and neither came after the other: a damaged "
                               "record, or dumps of two clusters",
                               a.id, a.records, a.records == 1 ? "" : "s", b.id, b.records)});
  }
}

void find_in_stream(std::int64_t number, const MetadataStream& stream, FindingFile& out) {
  const std::string where =
      number >= 0 ? fmt::format("metadata partition {}", number) : std::string{"a file without a metadata partition"};
  if (!stream.seen.empty() && stream.seen.first() > 0) {
    out.add({.severity = "note",
             .finding = "begins-in-mid-life",
             .advice = "look",
             .detail = fmt::format("{} begins at offset {}: copies from before are not known, or without their sizes",
                                   where, stream.seen.first())});
  }
  if (!stream.seen.empty() && stream.seen.gaps() > 0) {
    out.add(
        {.severity = "warning",
         .finding = "records-missing",
         .advice = "look",
         .detail = fmt::format("{} lacks {} records in {} gap{}, the first at offset {}", where, stream.seen.missing(),
                               stream.seen.gaps(), stream.seen.gaps() == 1 ? "" : "s", stream.seen.first_missing())});
  }
  if (stream.unknown_state > 0) {
    out.add({.severity = "error",
             .finding = "state-unknown-to-the-tool",
             .advice = "look",
             .detail = fmt::format(
                 "{}: {} record{} with a state that the dump tool's version does not know, the first at offset {}. "
                 "State id 4 is the proposed DANGLING. Brokers of that version end their metadata consumer at such a "
                 "record, for all their partitions and again after each restart",
                 where, stream.unknown_state, stream.unknown_state == 1 ? "" : "s", stream.first_unknown_state)});
  }
  if (const auto others = stream.undecodable - stream.unknown_state; others > 0) {
    out.add({.severity = "warning",
             .finding = "undecodable-record",
             .advice = "look",
             .detail = fmt::format("{}: the dump tool could not decode {} record{}, the first at offset {}", where,
                                   others, others == 1 ? "" : "s", stream.first_undecodable)});
  }
}

}  // namespace

bool is_waste(std::string_view finding) {
  static constexpr std::array<std::string_view, 8> kinds{"abandoned-copy", "stuck-copy",    "superseded-copy",
                                                         "expired-copy",   "delete-left",   "dangling-left",
                                                         "topic-deleted",  "orphan-objects"};
  return std::find(kinds.begin(), kinds.end(), finding) != kinds.end();
}

Due later(const Due& a, const Due& b) {
  if (a.kind != b.kind) return a.kind > b.kind ? a : b;
  return a.ms >= b.ms ? a : b;
}

void FindingFile::add(const Finding& finding) {
  out_.text(finding.severity).text(finding.finding).text(finding.topic);
  write_known(out_, known(finding.partition));
  if (finding.id == Uuid{}) {
    out_.empty();
  } else {
    out_.uuid(finding.id);
  }
  out_.text(finding.state);
  write_known(out_, known(finding.broker));
  write_known(out_, finding.bytes);
  out_.text(finding.size_source);
  write_known(out_, finding.since_ms);
  out_.text(finding.due_by);
  write_known(out_, finding.due_ms);
  write_known(out_, finding.objects);
  out_.text(finding.advice).text(finding.detail).end_row();
  auto& count = counts_[finding.finding];
  count.severity = finding.severity;
  ++count.rows;
  count.bytes += finding.bytes.value_or(0);
}

void FindingFile::add_waste(const Finding& finding, const Due& due) {
  CHECK(is_waste(finding.finding), "{}", finding.finding);
  add(finding);
  ++waste_.copies;
  if (!finding.bytes) {
    ++waste_.copies_of_unknown_size;
    return;
  }
  const auto bytes = *finding.bytes;
  waste_.bytes += bytes;
  if (finding.size_source == "metadata") {
    waste_.finished_bytes += bytes;
    ++waste_.finished_copies;
  }
  switch (due.kind) {
    case Due::Kind::never:
      waste_.never_bytes += bytes;
      return;
    case Due::Kind::unknown:
      waste_.unknown_bytes += bytes;
      return;
    case Due::Kind::at:
      waste_.due_bytes += bytes;
      if (due.ms <= now_ms_) {
        waste_.overdue_bytes += bytes;
        return;
      }
      waste_.first_due_ms = std::min(waste_.first_due_ms.value_or(due.ms), due.ms);
      waste_.last_due_ms = std::max(waste_.last_due_ms.value_or(due.ms), due.ms);
      return;
  }
}

void find_leftovers(DumpFold& fold, const FindingRules& rules, FindingFile& out) {
  // By topic, partition and offset, as people look for them; of equal offsets finished copies first, the latest of
  // them before those that it replaced, as the leader's list has them (facts 2.6).
  std::vector<ImportedSegment*> segments;
  segments.reserve(fold.segments().size());
  fold.segments().for_each([&](ImportedSegment& segment) { segments.push_back(&segment); });
  std::vector<std::uint32_t> partitions(fold.partitions().size());
  for (std::uint32_t i = 0; i < partitions.size(); ++i) partitions[i] = i;
  const auto name_of = [&](std::uint32_t number) {
    const auto& partition = fold.partitions()[number];
    const auto& topic = fold.topics()[partition.topic];
    return std::tie(topic.name, topic.first_ms, topic.id, partition.index);
  };
  std::sort(partitions.begin(), partitions.end(),
            [&](std::uint32_t a, std::uint32_t b) { return name_of(a) < name_of(b); });
  std::vector<std::uint32_t> ranks(partitions.size());
  for (std::uint32_t i = 0; i < partitions.size(); ++i) ranks[partitions[i]] = i;
  std::sort(segments.begin(), segments.end(), [&](const ImportedSegment* a, const ImportedSegment* b) {
    const auto key = [&](const ImportedSegment& segment) {
      const bool is_finished = segment.state == number_of(RemoteLogSegmentState::copy_segment_finished);
      return std::tuple{
          ranks[segment.partition], segment.start_offset, !is_finished,
          is_finished ? -static_cast<std::int64_t>(segment.order) : static_cast<std::int64_t>(segment.order)};
    };
    return key(*a) < key(*b);
  });

  const auto topics = judge_topics(fold);
  auto begin = segments.begin();
  for (const auto number : partitions) {
    auto end = begin;
    while (end != segments.end() && (*end)->partition == number) ++end;
    PartitionJudge{fold, rules, topics, number, out}.judge({begin, end});
    find_oddities(fold, fold.partitions()[number], out);
    begin = end;
  }
  find_conflicts(fold, out);
  for (const auto& [number, stream] : fold.streams()) find_in_stream(number, stream, out);
}

}  // namespace reports
