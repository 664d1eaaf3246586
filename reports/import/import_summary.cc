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

/// What becomes of the bytes, in whole percent that add up to 100: the last that has any takes what rounding leaves.
/// What is there but small is not called nothing.
class Shares {
 public:
  explicit Shares(std::int64_t whole) : whole_(whole) {}

  void add(std::string label, std::int64_t part) { parts_.emplace_back(std::move(label), part); }

  std::string text() const {
    std::size_t last = parts_.size();
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].second > 0) last = i;
    std::int64_t rest = 100;
    std::string text;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& [label, part] = parts_[i];
      const auto rounded = static_cast<std::int64_t>(static_cast<__int128>(part) * 100 / whole_);
      const auto percent = i == last ? rest : rounded;
      rest -= percent;
      text += fmt::format("  {}: {}\n", label,
                          part == 0      ? std::string{"none"}
                          : percent == 0 ? std::string{"below 1%"}
                                         : fmt::format("{}%", percent));
    }
    return text;
  }

 private:
  std::int64_t whole_;
  std::vector<std::pair<std::string, std::int64_t>> parts_;
};

std::string time_span(std::int64_t from, std::int64_t to) {
  if (from == to) return "on " + instant_text(from);
  return fmt::format("between {} and {}", instant_text(from), instant_text(to));
}

/// How much it is. Without a listing only finished copies have at least what the metadata says.
std::string waste_size_text(const ImportResult& result) {
  const auto& waste = result.waste;
  const auto sized_copies = waste.copies - waste.copies_of_unknown_size;
  if (sized_copies == 0)
    return fmt::format("nobody will read: {} of unknown size\n", plural(waste.copies, "copy", "copies"));
  const auto copies = plural(sized_copies, "copy", "copies");
  const auto bytes = human_bytes(Bytes{waste.bytes});
  if (result.listing) return fmt::format("nobody will read: {} in {} (sizes from the listing)\n", bytes, copies);
  if (waste.finished_copies == sized_copies)
    return fmt::format(
        "nobody will read: at least {} in {} (segmentSizeInBytes, the log files alone, of finished "
        "copies)\n",
        bytes, copies);
  auto text = fmt::format(
      "nobody will read: up to {} in {} (segmentSizeInBytes, the log files alone; what failed half-way may hold less, "
      "or nothing: --listing tells)\n",
      bytes, copies);
  if (waste.finished_copies > 0)
    text += fmt::format("  of it at least {} in {}\n", human_bytes(Bytes{waste.finished_bytes}),
                        plural(waste.finished_copies, "finished copy", "finished copies"));
  return text;
}

std::string waste_text(const ImportResult& result) {
  const auto& waste = result.waste;
  if (waste.copies == 0) return "nobody will read: nothing that this dump shows\n";
  auto text = waste_size_text(result);
  if (waste.copies_of_unknown_size > 0 && waste.copies_of_unknown_size < waste.copies)
    text += fmt::format("  {} of unknown size not counted\n", plural(waste.copies_of_unknown_size, "copy", "copies"));
  if (waste.bytes == 0) return text;
  Shares shares{waste.bytes};
  if (waste.first_due_ms && waste.last_due_ms)
    shares.add("falls due " + time_span(*waste.first_due_ms, *waste.last_due_ms),
               waste.due_bytes - waste.overdue_bytes);
  if (waste.overdue_bytes > 0) shares.add("should be gone already", waste.overdue_bytes);
  shares.add("never", waste.never_bytes);
  if (waste.unknown_bytes > 0)
    shares.add(result.lacks_retention
                   ? "nobody can say, as retention is not known of every topic (--topic-config tells)"
                   : "nobody can say",
               waste.unknown_bytes);
  return text + shares.text();
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
  text += fmt::format(", {} unreadable", counts.unreadable);
  if (counts.joined > 0) text += fmt::format(", {} that went on with the line before", plural(counts.joined, "line"));
  text += "\n";
  for (const auto& told : counts.told) text += fmt::format("  {}:{}: {}\n", told.file, told.line, told.reason);
  if (counts.unreadable > counts.told.size())
    text += fmt::format("  and {} more\n", counts.unreadable - counts.told.size());
  for (const auto& note : counts.notes) text += fmt::format("  note: {}\n", note);
  if (counts.without_offset > 0)
    text += fmt::format("  note: {} without an offset, taken in the order of the lines; repetitions cannot be told\n",
                        plural(counts.without_offset, "record"));
  if (!result.first_ms || !result.last_ms) return text;
  text += fmt::format("from {} to {} ({}): {}, {}, {}", instant_text(*result.first_ms), instant_text(*result.last_ms),
                      human_duration(std::chrono::milliseconds{*result.last_ms - *result.first_ms}),
                      plural(result.topics, "topic"), plural(result.partitions, "partition"),
                      plural(result.applied, "transition"));
  if (result.dropped > 0) text += fmt::format(", {} dropped as illegal", result.dropped);
  text += "\n";
  constexpr std::int64_t old_ms = 86'400'000;
  if (const auto age_ms = result.now_ms - *result.last_ms; age_ms > old_ms)
    text += fmt::format(
        "  note: the last record is {} older than --now: if the dump is that old, what is told of ages and "
        "of what is due is doubtful\n",
        human_duration(std::chrono::milliseconds{age_ms}));
  if (result.config_names_no_topic) text += "  note: --topic-config names none of the dump's topics\n";
  if (result.is_anonymised) text += "  note: all sizes are scaled by one factor (--anonymise)\n";
  text += waste_text(result);
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
