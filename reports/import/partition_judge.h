#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/import/findings.h"

namespace reports {

/// Why a topic counts as deleted, by its number; empty: it does not. An id gives way to a later one of the same name
/// when its last record came before the later one's first and the later one has copies of its own.
std::vector<std::string_view> judge_topics(DumpFold& fold);
/// Pairs of topics with one name of which neither gave way: the one with the most records, and another.
std::vector<std::pair<std::uint32_t, std::uint32_t>> conflicting_topics(const DumpFold& fold);

/// Judges what is left of one partition.
class PartitionJudge {
 public:
  PartitionJudge(const DumpFold& fold, const FindingRules& rules, std::span<const std::string_view> deleted_topics,
                 std::uint32_t partition, FindingFile& out);

  /// Its segments in the order in which the leader lists them.
  void judge(std::span<ImportedSegment* const> segments);

 private:
  void judge_one(const ImportedSegment& segment);
  void judge_finished(const ImportedSegment& segment);
  void judge_copying(const ImportedSegment& segment);
  void judge_deleting(const ImportedSegment& segment);
  void judge_dangling(const ImportedSegment& segment);
  void judge_of_deleted_topic(const ImportedSegment& segment);
  void compare_with_listing(const ImportedSegment& segment);
  void tell_differences();
  void find_superseded(std::span<ImportedSegment* const> segments);

  /// When retention alone reaches it.
  Due own_due(const ImportedSegment& segment) const;
  bool is_old(const ImportedSegment& segment) const;
  Finding begin(std::string_view severity, std::string_view name, const ImportedSegment& segment) const;
  void tell(Finding finding, const Due& due, std::string_view due_by);
  std::string why_not_sooner(const Due& due) const;

  const DumpFold& fold_;
  const FindingRules& rules_;
  const ImportedPartition& partition_;
  const ImportedTopic& topic_;
  std::string_view deleted_because_;
  const TopicRetention& retention_;
  FindingFile& out_;
  /// When all before the segment at hand are gone that stop the walk.
  Due wall_;
  /// The finished copy that reaches furthest so far, and those that a later one covers whole.
  const ImportedSegment* furthest_ = nullptr;
  std::vector<const ImportedSegment*> superseded_;
  std::uint64_t different_ = 0;
  std::int64_t claimed_bytes_ = 0;
  std::int64_t listed_bytes_ = 0;
};

}  // namespace reports
