#include "reports/import/listing_join.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/import/instant.h"
#include "sim/scenario/names.h"

namespace reports {
namespace {

void raise(std::optional<std::int64_t>& most, std::optional<std::int64_t> value) {
  if (value && (!most || *value > *most)) most = value;
}

void lower(std::optional<std::int64_t>& least, std::optional<std::int64_t> value) {
  if (value && (!least || *value < *least)) least = value;
}

}  // namespace

std::optional<ObjectKey> ListingJoin::key_of(const ListedObject& object) const {
  auto key = parse_object_key(object.key);
  if (!key || anonymiser_ == nullptr) return key;
  key->segment_id = anonymiser_->change(key->segment_id);
  if (key->topic_id) key->topic_id = anonymiser_->change(*key->topic_id);
  return key;
}

const ImportedPartition* ListingJoin::partition_of(const ObjectKey& key) const {
  if (!key.topic_id || key.partition < 0) return nullptr;
  return fold_.find_partition(*key.topic_id, key.partition);
}

Result<void, Problem> ListingJoin::join(const std::string& path) {
  bool names_copies = false;
  auto read = read_listing(path, [&](const ListedObject& object) {
    ++totals_.objects;
    const auto bytes = anonymiser_ == nullptr ? object.bytes : anonymiser_->change_size(object.bytes);
    totals_.bytes += bytes;
    raise(totals_.youngest_ms, object.modified_ms);
    const auto key = key_of(object);
    if (!key) {
      ++totals_.foreign_objects;
      return;
    }
    auto* const segment = fold_.segments().find(key->segment_id);
    names_copies = names_copies || segment != nullptr || fold_.finished().find(key->segment_id) != nullptr;
    if (segment == nullptr) return;
    ++totals_.named_objects;
    segment->listed_bytes += bytes;
    if (segment->listed_objects < UINT16_MAX) ++segment->listed_objects;
    if (key->is_log) segment->listed_log_bytes = static_cast<std::int32_t>(std::min<std::int64_t>(bytes, INT32_MAX));
  });
  if (!read) return Failed{read.error()};
  totals_.problems = *read;
  if (auto problem = problem_of(path, names_copies); !problem.empty()) return Failed{problem};
  return {};
}

Problem ListingJoin::problem_of(const std::string& path, bool names_copies) {
  constexpr std::string_view forms =
      "a listing is what `aws s3 ls --recursive` or list-objects-v2 prints, or CSV with key, size and last_modified";
  const auto& head = totals_.problems.head;
  if (totals_.objects == 0)
    return fmt::format("{}: {}; {}", path,
                       head.empty() ? "the listing is empty"
                                    : fmt::format("no object could be read; it begins with {}", sim::quoted(head)),
                       forms);
  if (names_copies) return {};
  std::uint64_t finished = 0;
  fold_.segments().for_each([&](const ImportedSegment& segment) {
    if (segment.state == number_of(RemoteLogSegmentState::copy_segment_finished)) ++finished;
  });
  if (finished == 0) return {};
  return fmt::format(
      "{}: no object of the dump's copies is in it ({} objects, {} finished copies): another bucket or "
      "prefix?",
      path, totals_.objects, finished);
}

Result<void, Problem> ListingJoin::find_orphans(const std::string& path, const FindingRules& rules, FindingFile& out) {
  std::optional<Orphan> orphan;
  const auto end_orphan = [&] {
    if (orphan) tell(*orphan, rules, out);
    orphan.reset();
  };
  auto read = read_listing(path, [&](const ListedObject& object) {
    const auto key = key_of(object);
    if (!key || fold_.segments().find(key->segment_id) != nullptr) return;
    if (orphan && orphan->key.segment_id != key->segment_id) end_orphan();
    if (!orphan) {
      orphan.emplace();
      orphan->key = *key;
    }
    orphan->bytes += anonymiser_ == nullptr ? object.bytes : anonymiser_->change_size(object.bytes);
    ++orphan->objects;
    lower(orphan->oldest_ms, object.modified_ms);
    raise(orphan->youngest_ms, object.modified_ms);
    if (anonymiser_ != nullptr) return;
    constexpr std::size_t names_most = 1'000;
    if (orphan->names.size() < names_most)
      orphan->names += fmt::format("{}{}", orphan->names.empty() ? "" : " ", object.key);
  });
  if (!read) return Failed{read.error()};
  end_orphan();
  return {};
}

void ListingJoin::tell(const Orphan& orphan, const FindingRules& rules, FindingFile& out) {
  const auto* const partition = partition_of(orphan.key);
  const auto objects = static_cast<std::uint64_t>(orphan.objects);
  if (partition == nullptr) {
    totals_.other_partitions_objects += objects;
    return;
  }
  const auto last_ms = fold_.last_ms().value_or(0);
  // A copy's first record comes before its first object.
  if (!orphan.youngest_ms || *orphan.youngest_ms > last_ms - rules.grace_ms) {
    totals_.young_objects += objects;
    return;
  }
  const auto* const finished = fold_.finished().find(orphan.key.segment_id);
  const auto& stream = fold_.streams().at(partition->stream);
  const bool is_complete = partition->stream >= 0 && stream.is_complete();
  const bool is_newer = rules.listing_ms && *rules.listing_ms > last_ms + rules.grace_ms;
  const bool is_gone = finished != nullptr && !finished->is_unfounded;
  const bool is_proven = is_newer && (is_gone || is_complete);

  Finding finding{.severity = is_proven ? "error" : "warning",
                  .finding = "orphan-objects",
                  .topic = fold_.topics()[partition->topic].name,
                  .partition = partition->index,
                  .id = orphan.key.segment_id,
                  .bytes = orphan.bytes,
                  .size_source = "listing",
                  .since_ms = orphan.oldest_ms,
                  .due_by = "none",
                  .objects = orphan.objects,
                  .advice = is_proven ? "delete-objects" : "look"};
  if (is_gone) finding.state = fold_.states().name(finished->state);
  if (is_proven) {
    finding.detail = fmt::format(
        "{}; the listing of {} is younger than the last record of {}",
        is_gone ? "the metadata says that it is deleted" : "no record names it, and the dump begins at 0 without a gap",
        instant_text(*rules.listing_ms), instant_text(last_ms));
  } else {
    finding.detail = !is_newer ? "no living copy has this id, but the listing may be as old as the dump: list again"
                               : "no living copy has this id, but records are missing, or their partition is not known";
  }
  if (!orphan.names.empty()) finding.detail += "; " + orphan.names;
  out.add_waste(finding, {Due::Kind::never, 0});
}

}  // namespace reports
