#include "sim/world/scrubber.h"

#include <algorithm>
#include <limits>

#include "sim/faults/row_values.h"

namespace sim {

Scrubber::Scrubber(Kernel& kernel, Trace& trace, ObjectStore& store, FaultBoard& faults, const Scenario& scenario)
    : kernel_(kernel),
      trace_(trace),
      store_(store),
      faults_(faults),
      options_(scenario.remedies),
      client_(scenario.client) {}

void Scrubber::begin() { kernel_.schedule_at<&Scrubber::scrub>(time_start + options_.scrubber_from, this); }

Scrubber::Copy& Scrubber::copy_of(const RemoteLogSegment& segment) {
  while (copies_.size() <= segment.number) copies_.add({});
  Copy& copy = copies_[segment.number];
  copy.segment = &segment;
  return copy;
}

void Scrubber::on(const TraceRecord& record) {
  if (const auto* const change = std::get_if<BytesChanged>(&record.event)) {
    if (change->stored_as == StoredAs::parts) return;
    Key& key = copy_of(*change->segment).keys[static_cast<std::size_t>(change->object)];
    const bool is_there = store_.stored(*change->segment, change->object, StoredAs::object) > Bytes{0};
    if (is_there != key.is_there) key.changed = record.time;
    if (is_there) key.written = record.time;
    key.is_there = is_there;
  } else if (const auto* const transition = std::get_if<Transition>(&record.event)) {
    if (!transition->applied) return;
    Copy& copy = copy_of(*transition->segment);
    using enum RemoteLogSegmentState;
    if (!transition->from) copy.named.from = record.time;
    if (transition->to == delete_segment_finished) copy.named.to = record.time;
    if (transition->to == copy_segment_finished) copy.finished.from = std::min(copy.finished.from, record.time);
    if (transition->from == copy_segment_finished && transition->to != copy_segment_finished)
      copy.finished.to = record.time;
  } else if (const auto* const deletion = std::get_if<PartitionDeleted>(&record.event)) {
    const std::size_t partition = deletion->partition.value();
    if (partition >= deleted_since_.size()) deleted_since_.resize(partition + 1, time_never);
    deleted_since_[partition] = record.time;
  }
}

bool Scrubber::is_named(const Copy& copy, SimTime time) const {
  const std::size_t partition = copy.segment->partition.value();
  if (partition < deleted_since_.size() && deleted_since_[partition] <= time) return false;
  return copy.named.contains(time);
}

std::optional<SimTime> Scrubber::removes(const RemoteLogSegment& segment) const {
  if (segment.number >= copies_.size()) return std::nullopt;
  const Copy& copy = copies_[segment.number];
  const SimTime now = kernel_.now();
  if (copy.segment == nullptr || is_named(copy, now)) return std::nullopt;
  SimTime due = now;
  for (const Key& key : copy.keys) {
    if (key.is_there) due = std::max(due, key.written + options_.scrubber_grace);
  }
  // Its view must have seen the last name go; what was never named is unnamed in every view.
  if (copy.named.from != time_never) {
    const std::size_t partition = segment.partition.value();
    const SimTime deleted = partition < deleted_since_.size() ? deleted_since_[partition] : time_never;
    due = std::max(due, std::min(copy.named.to, deleted) + options_.scrubber_view_age);
  }
  const SimTime first = time_start + options_.scrubber_from;
  if (due <= first) return first;
  const Duration every = options_.scrubber_every;
  return first + (due - first + every - Duration{1}) / every * every;
}

void Scrubber::scrub() {
  kernel_.schedule_after<&Scrubber::scrub>(options_.scrubber_every, this);
  Budget budget;
  budget.left = options_.scrubber_requests > 0 ? options_.scrubber_requests : std::numeric_limits<std::int64_t>::max();
  const FaultBoard::StaleListing stale = faults_.stale_listing();
  budget.listing_age = stale.age;
  budget.stale = stale.fault;
  for (; next_copy_ < copies_.size(); ++next_copy_) {
    Copy& copy = copies_[next_copy_];
    if (copy.segment != nullptr && !look_at(copy, budget)) break;
  }
  if (next_copy_ == copies_.size()) next_copy_ = 0;
  ++scrub_count_;
}

bool Scrubber::look_at(Copy& copy, Budget& budget) {
  for (int i = 0; i < object_kind_count; ++i) {
    if (!look_at(copy, static_cast<ObjectKind>(i), budget)) return false;
  }
  return true;
}

bool Scrubber::look_at(Copy& copy, ObjectKind object, Budget& budget) {
  const Key& key = copy.keys[static_cast<std::size_t>(object)];
  const SimTime view = kernel_.now() - options_.scrubber_view_age;
  const bool is_listed = key.was_there(kernel_.now() - budget.listing_age);
  if (is_listed != key.is_there) faults_.hit(budget.stale);
  if (!is_listed) {
    const bool is_expected = object_size(*copy.segment, object, client_) > Bytes{0};
    const bool is_claimed = copy.finished.contains(view) && is_named(copy, view);
    if (is_expected && is_claimed) tell(copy, object, RemedyFinding::missing, RemedyAction::reported);
    return true;
  }
  if (!list_key(budget)) return false;
  if (is_named(copy, view)) return true;
  if (key.written + options_.scrubber_grace > kernel_.now()) {
    tell(copy, object, RemedyFinding::unnamed, RemedyAction::waiting);
    return true;
  }
  return remove(copy, object, budget);
}

bool Scrubber::list_key(Budget& budget) {
  if (budget.listed++ % keys_a_page != 0) return true;
  if (budget.left == 0) return false;
  --budget.left;
  return store_.list(scrub_count_, budget.pages++);
}

bool Scrubber::remove(Copy& copy, ObjectKind object, Budget& budget) {
  if (budget.left == 0) {
    tell(copy, object, RemedyFinding::unnamed, RemedyAction::quota);
    return false;
  }
  --budget.left;
  const ObjectStore::Removal removal = store_.ask_to_remove(*copy.segment, object);
  const bool is_removed = removal != ObjectStore::Removal::refused;
  tell(copy, object, RemedyFinding::unnamed, is_removed ? RemedyAction::removed : RemedyAction::refused);
  if (removal == ObjectStore::Removal::done) store_.remove(*copy.segment, object);
  return true;
}

/// Says the same of a key once, however many scrubs find it.
void Scrubber::tell(Copy& copy, ObjectKind object, RemedyFinding finding, RemedyAction action) {
  Key& key = copy.keys[static_cast<std::size_t>(object)];
  const auto word = static_cast<std::uint8_t>(1 + static_cast<unsigned>(finding) * 8 + static_cast<unsigned>(action));
  if (key.told == word && action != RemedyAction::removed) return;
  key.told = word;
  const SimTime now = kernel_.now();
  const bool is_so = finding == RemedyFinding::unnamed
                         ? key.is_there && !is_named(copy, now)
                         : !key.is_there && copy.finished.contains(now) && is_named(copy, now);
  trace_.emit(now, RemedyActed{copy.segment, object, Remedy::scrubber, finding, action, !is_so});
}

}  // namespace sim
