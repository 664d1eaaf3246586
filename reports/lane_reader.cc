#include "reports/lane_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "reports/csv_stream.h"
#include "reports/import/findings.h"

namespace reports {
namespace {

using namespace std::string_view_literals;

class LaneReader {
 public:
  LaneReader(const std::string& folder, const LaneLimits& limits) : folder_(folder), limits_(limits) {}

  Result<LaneBook, Problem> read() {
    for (const auto part : {&LaneReader::read_leftovers, &LaneReader::read_transitions, &LaneReader::read_events}) {
      if (auto done = (this->*part)(); !done) return Failed{done.error()};
    }
    return std::move(book_);
  }

 private:
  /// Calls for every row of a file that the run kept; true when it is there.
  template <std::size_t count, class Visit>
  Result<bool, Problem> each_row(std::string_view name, const std::array<std::string_view, count>& columns,
                                 Visit&& visit) {
    const auto path = fmt::format("{}/{}", folder_, name);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return false;
    auto rows = CsvStream::open(path, columns);
    if (!rows) return Failed{rows.error()};
    while (rows->next()) visit(*rows);
    if (!rows->problem().empty()) return Failed{rows->problem()};
    return true;
  }

  Result<void, Problem> read_leftovers();
  Result<void, Problem> read_transitions();
  Result<void, Problem> read_events();
  void add_leftover(const CsvStream& row);
  std::optional<std::int64_t> maybe_time(const CsvStream& row, std::size_t column) const;
  void keep_greatest_leftovers();
  void count_cause(const LaneLeftover& leftover);
  std::uint32_t partition_of(std::string_view topic, std::int64_t index);
  /// The copy of this id, a new one while there is room; nothing when there is none.
  LaneCopy* copy_of(const CsvStream& row, std::string_view id);
  void count(FoldedSteps& steps, bool has_place) {
    if (!has_place && steps.left_out() == 0) ++book_.folded;
    if (steps.left_out() > 0) ++book_.steps_left_out;
  }

  std::string folder_;
  LaneLimits limits_;
  LaneBook book_;
  std::map<std::pair<std::string, std::int64_t>, std::uint32_t> partition_numbers_;
  std::vector<std::pair<std::string, LaneLeftover>> leftovers_;
  /// Room that is kept for leftovers which transitions.csv has not come to yet.
  std::size_t leftovers_to_come_ = 0;
  std::unordered_map<std::string, LaneLeftover> kept_leftovers_;
  std::string key_;
  std::string last_id_;
  std::optional<std::uint32_t> last_number_;
};

std::optional<std::int64_t> LaneReader::maybe_time(const CsvStream& row, std::size_t column) const {
  return row[column].empty() ? std::nullopt : std::optional{row.integer(column) - limits_.origin_ms};
}

void add_one(std::vector<std::uint64_t>& counts, std::uint32_t place) {
  if (counts.size() <= place) counts.resize(place + 1);
  ++counts[place];
}

void raise(std::optional<std::int64_t>& most, std::optional<std::int64_t> value) {
  if (value && (!most || *value > *most)) most = value;
}

void LaneReader::count_cause(const LaneLeftover& leftover) {
  if (book_.causes.size() <= leftover.cause) book_.causes.resize(leftover.cause + 1);
  auto& cause = book_.causes[leftover.cause];
  const bool is_first = cause.copy_count == 0 && cause.ghost_count == 0;
  if (is_first || leftover.became_garbage_ms < cause.first_ms) cause.first_ms = leftover.became_garbage_ms;
  ++(leftover.bytes > 0 ? cause.copy_count : cause.ghost_count);
  cause.bytes += leftover.bytes;
  if (leftover.reclaimed_ms) {
    raise(cause.last_reclaimed_ms, leftover.reclaimed_ms);
    add_one(cause.removed, book_.removers.number_of(leftover.reclaimed_by));
    return;
  }
  ++cause.left_count;
  raise(cause.last_due_ms, leftover.due_ms);
  // Without a name nobody knows who is to remove it, or when.
  if (!leftover.due_ms && !leftover.due_by.empty()) ++cause.never_count;
  add_one(cause.due, book_.removers.number_of(leftover.due_by));
}

void LaneReader::add_leftover(const CsvStream& row) {
  key_ = fmt::format("{},{},{}", row[5], row[6], row[4]);
  LaneLeftover leftover{.bytes = row.integer(1),
                        .became_garbage_ms = row.integer(2) - limits_.origin_ms,
                        .reclaimed_ms = maybe_time(row, 3),
                        .cause = book_.cause_names.number_of(key_),
                        .reclaimed_by = std::string{row[7]},
                        .due_by = std::string{row[8]},
                        .due_ms = maybe_time(row, 9)};
  count_cause(leftover);
  leftovers_.emplace_back(row[0], std::move(leftover));
  // Twice the limit at most is held; the smaller half goes.
  if (leftovers_.size() >= 2 * limits_.copies) keep_greatest_leftovers();
}

void LaneReader::keep_greatest_leftovers() {
  if (leftovers_.size() <= limits_.copies) return;
  std::stable_sort(leftovers_.begin(), leftovers_.end(),
                   [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  book_.leftovers_left_out += leftovers_.size() - limits_.copies;
  leftovers_.resize(limits_.copies);
}

Result<void, Problem> LaneReader::read_leftovers() {
  constexpr std::array columns{"segment_id"sv, "bytes"sv, "became_garbage_ms"sv, "reclaimed_ms"sv, "state"sv,
                               "fault"sv,      "step"sv,  "reclaimed_by"sv,      "due_by"sv,       "due_ms"sv};
  auto read = each_row("leftovers.csv", columns, [&](const CsvStream& row) { add_leftover(row); });
  if (!read) return Failed{read.error()};
  if (!*read) {
    // The same places; what an import cannot know is in no column.
    constexpr std::array finding_columns{"segment_id"sv, "bytes"sv, "since_ms"sv, ""sv,       "state"sv,
                                         "finding"sv,    ""sv,      ""sv,         "due_by"sv, "due_ms"sv};
    auto found = each_row("findings.csv", finding_columns, [&](const CsvStream& row) {
      if (!row[0].empty() && is_waste(row[5])) add_leftover(row);
    });
    if (!found) return Failed{found.error()};
  }
  keep_greatest_leftovers();
  for (auto& [id, leftover] : leftovers_) kept_leftovers_.emplace(id, std::move(leftover));
  leftovers_to_come_ = kept_leftovers_.size();
  leftovers_ = {};
  return {};
}

std::uint32_t LaneReader::partition_of(std::string_view topic, std::int64_t index) {
  const auto next = static_cast<std::uint32_t>(book_.partitions.size());
  const auto [found, is_new] = partition_numbers_.try_emplace({std::string{topic}, index}, next);
  if (is_new) book_.partitions.push_back({std::string{topic}, index});
  return found->second;
}

LaneCopy* LaneReader::copy_of(const CsvStream& row, std::string_view id) {
  if (const auto number = book_.ids.find(id)) return &book_.copies[*number];
  const auto leftover = kept_leftovers_.find(std::string{id});
  const bool is_leftover = leftover != kept_leftovers_.end();
  if (!is_leftover && book_.copies.size() + leftovers_to_come_ >= limits_.copies) return nullptr;
  book_.ids.number_of(id);
  auto& copy = book_.copies.emplace_back();
  copy.partition = partition_of(row[2], row.integer(3));
  copy.start_offset = row.integer(6);
  copy.end_offset = row.integer(7);
  if (is_leftover) {
    copy.leftover = std::move(leftover->second);
    --leftovers_to_come_;
  }
  return &copy;
}

Result<void, Problem> LaneReader::read_transitions() {
  constexpr std::array columns{"time_ms"sv,    "broker"sv,       "topic"sv,      "partition"sv,  "leader_epoch"sv,
                               "segment_id"sv, "start_offset"sv, "end_offset"sv, "size_bytes"sv, "from_state"sv,
                               "to_state"sv,   "cause"sv,        "event"sv};
  auto read = each_row("transitions.csv", columns, [&](const CsvStream& row) {
    const bool is_first = row[9].empty();
    LaneCopy* const copy = copy_of(row, row[5]);
    if (is_first) {
      const auto partition = copy != nullptr ? copy->partition : partition_of(row[2], row.integer(3));
      ++book_.partitions[partition].copy_count;
    }
    if (copy == nullptr) {
      book_.copies_left_out += is_first ? 1 : 0;
      return;
    }
    key_.clear();
    for (const auto column : {9U, 10U, 11U, 1U, 4U, 8U}) {
      key_.append(row[column]);
      key_ += ',';
    }
    key_.pop_back();
    const auto kind = book_.transition_kinds.number_of(key_);
    count(copy->transitions, copy->transitions.add(row.integer(0) - limits_.origin_ms, row.integer(12), kind));
  });
  if (!read) return Failed{read.error()};
  book_.has_transitions = *read;
  book_.leftovers_left_out += leftovers_to_come_;  // Those that transitions.csv does not know.
  return {};
}

Result<void, Problem> LaneReader::read_events() {
  constexpr std::array columns{"time_ms"sv,   "event"sv,      "broker"sv, "task"sv,   "topic"sv,
                               "partition"sv, "segment_id"sv, "kind"sv,   "object"sv, "bytes"sv,
                               "result"sv,    "fault"sv,      "detail"sv};
  auto read = each_row("events.csv", columns, [&](const CsvStream& row) {
    if (row[7] == "leader") {
      if (book_.leader_changes.size() >= limits_.leader_changes) {
        ++book_.leader_changes_left_out;
        return;
      }
      book_.leader_changes.push_back(
          {row.integer(0), partition_of(row[4], row.integer(5)), row.integer(2), std::string{row[12]}});
      return;
    }
    if (row[8].empty()) return;  // Only requests name an object.
    // Requests of one copy come in runs, and a look into a table of all copies costs a cache miss.
    if (row[6] != last_id_) {
      last_id_ = row[6];
      last_number_ = book_.ids.find(row[6]);
    }
    const auto number = last_number_;
    if (!number || !book_.copies[*number].leftover) return;
    key_.clear();
    for (const auto column : {7U, 8U, 3U, 10U, 11U, 9U}) {
      key_.append(row[column]);
      key_ += ',';
    }
    key_.pop_back();
    auto& calls = book_.copies[*number].calls;
    count(calls, calls.add(row.integer(0), row.integer(1), book_.call_kinds.number_of(key_)));
  });
  if (!read) return Failed{read.error()};
  book_.has_calls = *read;
  return {};
}

}  // namespace

Result<LaneBook, Problem> read_lanes(const std::string& folder, const LaneLimits& limits) {
  return LaneReader{folder, limits}.read();
}

}  // namespace reports
