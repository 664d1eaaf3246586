#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "reports/human.h"
#include "reports/import/import.h"
#include "reports/import/instant.h"

namespace reports {
namespace {

std::string plural(std::uint64_t count, std::string_view one, std::string_view many = {}) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

/// Whole percent; what is there but small is not called nothing.
std::string share(std::int64_t part, std::int64_t whole) {
  if (part == 0 || whole == 0) return "none";
  const auto percent = static_cast<std::int64_t>(static_cast<__int128>(part) * 100 / whole);
  return percent == 0 ? std::string{"below 1%"} : fmt::format("{}%", percent);
}

std::string time_span(std::int64_t from, std::int64_t to) {
  if (from == to) return "on " + instant_text(from);
  return fmt::format("between {} and {}", instant_text(from), instant_text(to));
}

std::string waste_text(const ImportResult& result) {
  const auto& waste = result.waste;
  if (waste.copies == 0) return "nobody will read: nothing that this dump shows\n";
  const bool is_listed = result.listing.has_value();
  auto text =
      fmt::format("nobody will read: {}{} in {} ({})\n", is_listed ? "" : "at least ", human_bytes(Bytes{waste.bytes}),
                  plural(waste.copies, "copy", "copies"),
                  is_listed ? "sizes from the listing" : "segmentSizeInBytes, the log files alone: a lower bound");
  if (waste.copies_of_unknown_size > 0)
    text += fmt::format("  {} of unknown size not counted\n", plural(waste.copies_of_unknown_size, "copy", "copies"));
  if (waste.bytes == 0) return text;
  const auto coming = waste.due_bytes - waste.overdue_bytes;
  if (waste.first_due_ms && waste.last_due_ms)
    text += fmt::format("  falls due {}: {}\n", time_span(*waste.first_due_ms, *waste.last_due_ms),
                        share(coming, waste.bytes));
  if (waste.overdue_bytes > 0)
    text += fmt::format("  should be gone already: {}\n", share(waste.overdue_bytes, waste.bytes));
  text += fmt::format("  never: {}\n", share(waste.never_bytes, waste.bytes));
  if (waste.unknown_bytes > 0)
    text += fmt::format("  nobody can say{}: {}\n",
                        result.lacks_retention ? ", as retention is not known of every topic" : "",
                        share(waste.unknown_bytes, waste.bytes));
  return text;
}

std::string listing_text(const ListingTotals& listing) {
  auto text = fmt::format("listing: {}, {}, {} of copies that the metadata names", plural(listing.objects, "object"),
                          human_bytes(Bytes{listing.bytes}), listing.named_objects);
  if (listing.young_objects > 0) text += fmt::format(", {} too young to judge", listing.young_objects);
  if (listing.other_partitions_objects > 0)
    text += fmt::format(", {} of partitions that the dump does not hold", listing.other_partitions_objects);
  if (listing.foreign_objects > 0) text += fmt::format(", {} not named like a copy's", listing.foreign_objects);
  text += "\n";
  if (listing.problems.unreadable > 0)
    text += fmt::format("  {} unreadable, the first {}\n", plural(listing.problems.unreadable, "line"),
                        listing.problems.first);
  return text;
}

/// By severity, then by bytes.
std::string findings_text(const ImportResult& result) {
  if (result.findings.empty()) return "";
  std::vector<std::pair<std::string_view, FindingCount>> kinds(result.findings.begin(), result.findings.end());
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
    // `error`, `warning` and `note` want to stand in this order.
    const auto rank = [](std::string_view severity) { return severity == "error" ? 0 : severity == "warning" ? 1 : 2; };
    return std::pair{rank(a.second.severity), -a.second.bytes} < std::pair{rank(b.second.severity), -b.second.bytes};
  });
  std::string text = "findings:\n";
  for (const auto& [name, count] : kinds)
    text += fmt::format("  {:<8} {:<26} {:>8}  {}\n", count.severity, name, plural(count.rows, "row"),
                        count.bytes > 0 ? human_bytes(Bytes{count.bytes}) : "");
  return text;
}

}  // namespace

std::string import_summary(const ImportResult& result) {
  const auto& counts = result.counts;
  auto text =
      fmt::format("read {} of {}: {} taken, {} repeated, {} ignored (no record in them)", plural(counts.lines, "line"),
                  plural(counts.files, "input"), plural(counts.taken, "record"), counts.repeated, counts.ignored);
  if (counts.other_topics > 0) text += fmt::format(", {} of other topics", counts.other_topics);
  if (counts.undecodable > 0) text += fmt::format(", {} that the dump tool could not decode", counts.undecodable);
  text += fmt::format(", {} unreadable\n", counts.unreadable);
  for (const auto& told : counts.told) text += fmt::format("  {}:{}: {}\n", told.file, told.line, told.reason);
  if (counts.unreadable > counts.told.size())
    text += fmt::format("  and {} more\n", counts.unreadable - counts.told.size());
  for (const auto& note : counts.notes) text += fmt::format("  note: {}\n", note);
  if (counts.without_offset > 0)
    text += fmt::format("  note: {} without an offset, taken in the order of the lines; repetitions cannot be told\n",
                        plural(counts.without_offset, "record"));
  if (!result.first_ms || !result.last_ms) return text + "no record was taken\n";
  text += fmt::format("from {} to {} ({}): {}, {}, {}", instant_text(*result.first_ms), instant_text(*result.last_ms),
                      human_duration(std::chrono::milliseconds{*result.last_ms - *result.first_ms}),
                      plural(result.topics, "topic"), plural(result.partitions, "partition"),
                      plural(result.applied, "transition"));
  if (result.dropped > 0) text += fmt::format(", {} dropped as illegal", result.dropped);
  text += "\n" + waste_text(result);
  if (result.waste.young_copies > 0)
    text += fmt::format("  {} younger than an hour, taken to be at work\n",
                        plural(result.waste.young_copies, "copy or delete", "copies and deletes"));
  if (result.listing) text += listing_text(*result.listing);
  text += findings_text(result);
  text += fmt::format("scenario: {}", plural(result.scenario.copies, "copy", "copies"));
  if (result.scenario.left_out > 0) text += fmt::format(", {} left out", result.scenario.left_out);
  return text + "\n";
}

}  // namespace reports
