#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/import/findings.h"
#include "reports/import/listing.h"

namespace reports {

/// What a listing held, for people.
struct ListingTotals {
  std::uint64_t objects = 0;
  std::int64_t bytes = 0;
  /// Of copies that the metadata names.
  std::uint64_t named_objects = 0;
  /// Without a segment's id, and of partitions that the dump does not hold.
  std::uint64_t foreign_objects = 0;
  std::uint64_t other_partitions_objects = 0;
  /// That nobody names but may belong to a copy that began after the dump.
  std::uint64_t young_objects = 0;
  ListingProblems problems = {};
  /// The youngest object's time.
  std::optional<std::int64_t> youngest_ms = {};
};

/// Joins a bucket's listing with the segments by their ids, in the memory of one copy's objects: those of one copy
/// stand together in a listing, which is in the order of keys.
class ListingJoin {
 public:
  /// `anonymiser`: the one that changed the dump; may be null.
  ListingJoin(DumpFold& fold, const Anonymiser* anonymiser) : fold_(fold), anonymiser_(anonymiser) {}

  /// Counts each copy's objects and bytes at its segment, and the totals. An error when the listing has no object that
  /// could be read, or none of the dump's copies while some of these are finished: it proves nothing then.
  Result<void, Problem> join(const std::string& path);
  /// Writes a finding for what nobody names. `delete-objects` is advised with its proof only: the listing is younger
  /// than the last record by more than the grace time, and the copy is DELETE_SEGMENT_FINISHED or, in a metadata
  /// partition that the dump holds from offset 0 without a gap, not there.
  Result<void, Problem> find_orphans(const std::string& path, const FindingRules& rules, FindingFile& out);

  const ListingTotals& totals() const { return totals_; }

 private:
  /// The objects of a copy that no segment has.
  struct Orphan {
    ObjectKey key = {};
    std::int64_t bytes = 0;
    std::int64_t objects = 0;
    std::optional<std::int64_t> oldest_ms = {};
    std::optional<std::int64_t> youngest_ms = {};
    std::string names = {};
  };

  std::optional<ObjectKey> key_of(const ListedObject& object) const;
  const ImportedPartition* partition_of(const ObjectKey& key) const;
  Problem problem_of(const std::string& path, bool names_copies);
  void tell(const Orphan& orphan, const FindingRules& rules, FindingFile& out);

  DumpFold& fold_;
  const Anonymiser* anonymiser_;
  ListingTotals totals_;
};

}  // namespace reports
