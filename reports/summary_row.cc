#include "reports/summary_row.h"

#include <array>

#include <fmt/format.h>

#include "reports/manifest.h"

namespace reports {
namespace {

constexpr unsigned __int128 microseconds_an_hour = 3'600'000'000U;

std::int64_t milliseconds(Duration duration) { return to_milliseconds(SimTime{duration}); }

unsigned __int128 byte_hours(unsigned __int128 byte_time) { return byte_time / microseconds_an_hour; }

std::string cost_text(std::int64_t micro_usd) {
  return fmt::format("{}.{:06}", micro_usd / 1'000'000, micro_usd % 1'000'000);
}

std::int64_t cost_from(std::string_view text) {
  std::int64_t value = 0;
  int digits = -1;
  for (const char character : text) {
    if (character == '.') {
      digits = 0;
    } else if (character >= '0' && character <= '9' && digits < 6) {
      value = 10 * value + (character - '0');
      if (digits >= 0) ++digits;
    }
  }
  for (digits = std::max(digits, 0); digits < 6; ++digits) value *= 10;
  return value;
}

template <class Enum>
Enum enum_from(std::string_view text, std::initializer_list<Enum> values, Enum otherwise) {
  for (const auto value : values)
    if (to_string(value) == text) return value;
  return otherwise;
}

std::uint64_t unsigned_from(std::string_view text, int base) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

}  // namespace

void write_summary_fields(CsvFile& out, const sim::Summary& summary) {
  out.text(summary.scenario)
      .text(summary.policy)
      .integer(summary.seed)
      .raw(to_string(summary.outcome))
      .raw(to_string(summary.verdict))
      .text(summary.first_violation)
      .bytes(summary.peak_garbage_bytes)
      .integer(byte_hours(summary.garbage_byte_time))
      .integer(byte_hours(summary.waste_byte_time));
  if (summary.reclaim) {
    out.integer(milliseconds(*summary.reclaim));
  } else {
    out.empty();
  }
  out.bytes(summary.garbage_bytes_end)
      .bytes(summary.garbage_bytes_never)
      .time(summary.last_due)
      .integer(milliseconds(summary.garbage_age_max))
      .bytes(summary.orphan_bytes_end)
      .bytes(summary.stuck_bytes_end)
      .integer(summary.ghosts_end)
      .bytes(summary.over_deleted_bytes)
      .integer(summary.copy_attempts)
      .integer(summary.copy_failures)
      .integer(summary.delete_attempts)
      .integer(summary.delete_failures)
      .bytes(summary.put_bytes)
      .integer(summary.metadata_records)
      .bytes(summary.metadata_bytes)
      .integer(summary.store_requests)
      .raw(cost_text(summary.cost_micro_usd))
      .integer(summary.events)
      .integer(summary.transitions)
      .raw(hash_text(summary.trace_hash));
}

sim::Summary read_summary_fields(const CsvRow& row) {
  using sim::Outcome;
  using sim::Verdict;
  const auto bytes = [&](std::string_view column) { return Bytes{row.integer(column)}; };
  const auto duration = [](std::int64_t ms) { return Duration{std::chrono::milliseconds{ms}}; };
  sim::Summary summary;
  summary.scenario = row["scenario"];
  summary.policy = row["policy"];
  summary.seed = unsigned_from(row["seed"], 10);
  summary.outcome = enum_from(row["outcome"], {Outcome::clean, Outcome::leak, Outcome::loss}, Outcome::unknown);
  summary.verdict = enum_from(row["verdict"], {Verdict::pass, Verdict::fail, Verdict::error}, Verdict::unknown);
  summary.first_violation = row["first_violation"];
  summary.peak_garbage_bytes = bytes("peak_garbage_bytes");
  summary.garbage_byte_time = unsigned_from(row["garbage_byte_hours"], 10) * microseconds_an_hour;
  summary.waste_byte_time = unsigned_from(row["waste_byte_hours"], 10) * microseconds_an_hour;
  if (const auto reclaim = row.maybe_integer("reclaim_ms")) summary.reclaim = duration(*reclaim);
  summary.garbage_bytes_end = bytes("garbage_bytes_end");
  summary.garbage_bytes_never = bytes("garbage_bytes_never");
  if (const auto due = row.maybe_integer("last_due_ms")) summary.last_due = from_milliseconds(*due);
  summary.garbage_age_max = duration(row.integer("garbage_age_max_ms"));
  summary.orphan_bytes_end = bytes("orphan_bytes_end");
  summary.stuck_bytes_end = bytes("stuck_bytes_end");
  summary.ghosts_end = row.integer("ghosts_end");
  summary.over_deleted_bytes = bytes("over_deleted_bytes");
  summary.copy_attempts = row.integer("copy_attempts");
  summary.copy_failures = row.integer("copy_failures");
  summary.delete_attempts = row.integer("delete_attempts");
  summary.delete_failures = row.integer("delete_failures");
  summary.put_bytes = bytes("put_bytes");
  summary.metadata_records = row.integer("metadata_records");
  summary.metadata_bytes = bytes("metadata_bytes");
  summary.store_requests = row.integer("store_requests");
  summary.cost_micro_usd = cost_from(row["cost_usd"]);
  summary.events = unsigned_from(row["events"], 10);
  summary.transitions = unsigned_from(row["transitions"], 10);
  summary.trace_hash = unsigned_from(row["trace_hash"], 16);
  return summary;
}

namespace {

using Value = std::optional<__int128>;

template <auto member>
Value number(const sim::Summary& summary) {
  const auto value = summary.*member;
  if constexpr (std::is_same_v<decltype(value), const Bytes>) {
    return value.value();
  } else {
    return static_cast<__int128>(value);
  }
}

template <auto member>
Value byte_hours_of(const sim::Summary& summary) {
  return static_cast<__int128>(byte_hours(summary.*member));
}

Value reclaim_ms(const sim::Summary& summary) {
  return summary.reclaim ? Value{milliseconds(*summary.reclaim)} : std::nullopt;
}
Value last_due_ms(const sim::Summary& summary) {
  return summary.last_due ? Value{to_milliseconds(*summary.last_due)} : std::nullopt;
}
Value garbage_age_max_ms(const sim::Summary& summary) { return milliseconds(summary.garbage_age_max); }

}  // namespace

std::span<const SummaryMetric> summary_metrics() {
  using sim::Summary;
  static constexpr std::array<SummaryMetric, 23> metrics{{
      {"peak_garbage_bytes", &number<&Summary::peak_garbage_bytes>},
      {"garbage_byte_hours", &byte_hours_of<&Summary::garbage_byte_time>},
      {"waste_byte_hours", &byte_hours_of<&Summary::waste_byte_time>},
      {"reclaim_ms", &reclaim_ms, 0, true},
      {"garbage_bytes_end", &number<&Summary::garbage_bytes_end>},
      {"garbage_bytes_never", &number<&Summary::garbage_bytes_never>},
      {"last_due_ms", &last_due_ms},
      {"garbage_age_max_ms", &garbage_age_max_ms},
      {"orphan_bytes_end", &number<&Summary::orphan_bytes_end>},
      {"stuck_bytes_end", &number<&Summary::stuck_bytes_end>},
      {"ghosts_end", &number<&Summary::ghosts_end>},
      {"over_deleted_bytes", &number<&Summary::over_deleted_bytes>},
      {"copy_attempts", &number<&Summary::copy_attempts>},
      {"copy_failures", &number<&Summary::copy_failures>},
      {"delete_attempts", &number<&Summary::delete_attempts>},
      {"delete_failures", &number<&Summary::delete_failures>},
      {"put_bytes", &number<&Summary::put_bytes>},
      {"metadata_records", &number<&Summary::metadata_records>},
      {"metadata_bytes", &number<&Summary::metadata_bytes>},
      {"store_requests", &number<&Summary::store_requests>},
      {"cost_usd", &number<&Summary::cost_micro_usd>, 6},
      {"events", &number<&Summary::events>},
      {"transitions", &number<&Summary::transitions>},
  }};
  return metrics;
}

}  // namespace reports
