#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/aside_folder.h"
#include "reports/import/dump_reader.h"
#include "reports/import/findings.h"
#include "reports/import/listing_join.h"
#include "reports/import/scenario_file.h"
#include "reports/manifest.h"

namespace reports {

struct ImportOptions {
  /// Paths, `-` for standard input.
  std::vector<std::string> dumps = {};
  /// Topics to take; all when empty.
  std::set<std::string, std::less<>> topics = {};
  /// A bucket's listing; empty: none. Without a time it counts as old as its youngest object.
  std::string listing = {};
  std::optional<std::int64_t> listing_ms = {};
  std::int64_t grace_ms = 24LL * 3'600'000;
  /// When the dump was made, milliseconds since 1970; without it, its last record.
  std::optional<std::int64_t> now_ms = {};
  KafkaVersion version = KafkaVersion::v4_0;
  ImportConfig config = {};
  bool anonymise = false;
  /// Ends the reading; nothing is written then.
  ShouldStop stop = nullptr;
  /// Told now and then how many lines have been read; may be empty.
  std::function<void(std::uint64_t lines)> progress = {};
  /// Where the folder goes, and what it says of the program.
  std::string folder = {};
  AsideFolder::Existing existing = AsideFolder::Existing::refuse;
  Manifest manifest = {};
};

/// What an import found, for people.
struct ImportResult {
  DumpCounts counts = {};
  std::optional<std::int64_t> first_ms = {};
  std::optional<std::int64_t> last_ms = {};
  std::uint64_t applied = 0;
  std::uint64_t dropped = 0;
  std::size_t topics = 0;
  std::size_t partitions = 0;
  /// Ids that are not DELETE_SEGMENT_FINISHED, at the end and at the most.
  std::size_t segments = 0;
  std::size_t segments_most = 0;
  std::int64_t now_ms = 0;
  WasteTotals waste = {};
  std::map<std::string_view, FindingCount> findings = {};
  std::optional<ListingTotals> listing = {};
  ImportedScenario scenario = {};
  /// Whether the retention of a topic was needed and not told.
  bool lacks_retention = false;
  /// Whether configuration of topics was given, and of none that the dump has.
  bool config_names_no_topic = false;
  /// All sizes here are scaled then, but for `real_waste_bytes`.
  bool is_anonymised = false;
  /// Bytes that nobody will read, in real sizes: to within two bytes a copy.
  std::int64_t real_waste_bytes = 0;
};

struct ImportProblem {
  /// False: the folder could not be written.
  bool is_input = true;
  Problem text = {};
};

/// Reads dumps of the metadata topic and writes a folder: manifest.json, transitions.csv, dropped.csv, curves.csv,
/// findings.csv, and a scenario that begins where the dump ends (scenario.ini, initial.csv, faults.plan.csv). Nothing
/// of it is left after a problem, which it is when no record is taken.
Result<ImportResult, ImportProblem> import_dumps(const ImportOptions& options);

/// What `import` prints first: lines read, taken, ignored and unreadable, and the span of time; then the bytes that
/// nobody will read, what becomes of them, and the findings by kind.
std::string import_summary(const ImportResult& result);

}  // namespace reports
