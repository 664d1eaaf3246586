#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/csv.h"
#include "reports/import/dump_fold.h"
#include "reports/import/import_config.h"

namespace reports {

/// One row of findings.csv. Texts are constants or live as long as the fold.
struct Finding {
  std::string_view severity = {};  ///< `error`, `warning`, `note`.
  std::string_view finding = {};
  std::string_view topic = {};
  std::int32_t partition = -1;
  Uuid id = {};
  std::string_view state = {};
  std::int32_t broker = -1;
  std::optional<std::int64_t> bytes = {};
  /// `metadata` (segmentSizeInBytes of a finished copy, which has that much at least), `claimed` (the same of any
  /// other, which may hold less or nothing), `listing`, or `unknown`.
  std::string_view size_source = {};
  std::optional<std::int64_t> since_ms = {};
  /// As in leftovers.csv; empty: not known. With `none` and no time: never.
  std::string_view due_by = {};
  std::optional<std::int64_t> due_ms = {};
  /// In the listing; nothing without one.
  std::optional<std::int64_t> objects = {};
  std::string_view advice = {};
  std::string detail = {};
};

inline constexpr std::string_view finding_columns =
    "severity,finding,topic,partition,segment_id,state,broker,bytes,size_source,since_ms,due_by,due_ms,objects,advice,"
    "detail";

/// Whether a kind of finding means bytes that nobody will read.
bool is_waste(std::string_view finding);

/// When something is to go: at a time, never, or nobody can say.
struct Due {
  enum class Kind : std::uint8_t { at, unknown, never };
  Kind kind = Kind::at;
  std::int64_t ms = 0;
};
/// What waits for both.
Due later(const Due& a, const Due& b);

/// The bytes that nobody will read, and what becomes of them. Without a listing they are what the metadata claims.
struct WasteTotals {
  std::int64_t bytes = 0;
  /// Of them those of finished copies, which are there for sure.
  std::int64_t finished_bytes = 0;
  std::uint64_t finished_copies = 0;
  std::uint64_t copies = 0;
  std::uint64_t copies_of_unknown_size = 0;
  std::int64_t due_bytes = 0;
  std::int64_t overdue_bytes = 0;
  std::int64_t never_bytes = 0;
  std::int64_t unknown_bytes = 0;
  std::optional<std::int64_t> first_due_ms = {};
  std::optional<std::int64_t> last_due_ms = {};
  /// Copies and deletes that are younger than stuck_after_ms: they may well be at work.
  std::uint64_t young_copies = 0;
};

struct FindingCount {
  std::string_view severity = {};
  std::uint64_t rows = 0;
  std::int64_t bytes = 0;
};

/// Writes findings.csv and adds up what it says.
class FindingFile {
 public:
  FindingFile(const std::string& path, std::int64_t now_ms)
      : out_(File::create(path), finding_columns), now_ms_(now_ms) {}

  void add(const Finding& finding);
  /// The same for bytes that nobody will read.
  void add_waste(const Finding& finding, const Due& due);
  void add_young() { ++waste_.young_copies; }

  const WasteTotals& waste() const { return waste_; }
  const std::map<std::string_view, FindingCount>& counts() const { return counts_; }
  Result<void, Problem> close() { return out_.close(); }

 private:
  CsvFile out_;
  std::int64_t now_ms_;
  WasteTotals waste_;
  std::map<std::string_view, FindingCount> counts_;
};

/// What findings are judged by.
struct FindingRules {
  KafkaVersion version = KafkaVersion::v4_0;
  ImportConfig config = {};
  /// Milliseconds since 1970.
  std::int64_t now_ms = 0;
  /// When a listing was made; nothing without one.
  std::optional<std::int64_t> listing_ms = {};
  std::int64_t grace_ms = 0;
};

/// Finds what is wrong with the segments at the end of a dump, and with the dump itself. A partition is judged as its
/// leader's expiration walks it: from the front to the first segment that it keeps. All epochs are taken to be in the
/// leader's history, which no dump tells.
void find_leftovers(DumpFold& fold, const FindingRules& rules, FindingFile& out);

}  // namespace reports
