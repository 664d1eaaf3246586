#include "sim/observers/ledger.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "model/check.h"
#include "sim/observers/ledger/state.h"

namespace sim {
namespace {

/// What a world tells of its initial state, before anything happens in it.
bool is_initial(const TraceRecord& record) {
  if (record.time > time_start) return false;
  if (const auto* const transition = std::get_if<Transition>(&record.event)) return transition->step == TaskStep::none;
  return std::holds_alternative<BytesChanged>(record.event) || std::holds_alternative<LeaderChanged>(record.event) ||
         std::holds_alternative<BrokerStarted>(record.event);
}

}  // namespace

std::string_view to_string(ByteClass byte_class) {
  switch (byte_class) {
    case ByteClass::live:
      return "live";
    case ByteClass::in_flight:
      return "in_flight";
    case ByteClass::expired:
      return "expired";
    case ByteClass::unreferenced:
      return "unreferenced";
    case ByteClass::dangling:
      return "dangling";
    case ByteClass::deleting:
      return "deleting";
    case ByteClass::stuck:
      return "stuck";
    case ByteClass::orphan:
      return "orphan";
    case ByteClass::upload_parts:
      return "upload_parts";
  }
  return {};
}

std::string_view to_string(Remover remover) {
  switch (remover) {
    case Remover::none:
      return "none";
    case Remover::sweep:
      return "sweep";
    case Remover::expiration:
      return "expiration";
    case Remover::retention:
      return "retention";
    case Remover::clean_up:
      return "clean-up";
    case Remover::topic_deletion:
      return "topic-deletion";
    case Remover::bucket_rule:
      return "bucket-rule";
    case Remover::scrubber:
      return "scrubber";
  }
  return {};
}

Bytes LedgerTotals::stored() const {
  Bytes sum;
  for (const Bytes part : bytes) sum += part;
  return sum;
}

Bytes LedgerTotals::garbage() const {
  return of(ByteClass::dangling) + deleting_failed + of(ByteClass::stuck) + of(ByteClass::orphan) +
         of(ByteClass::upload_parts);
}

Bytes LedgerTotals::waste() const { return stored() - of(ByteClass::live) - of(ByteClass::in_flight); }

Ledger::Ledger(const WorldView& world) : state_(std::make_unique<State>(world)) {}
Ledger::~Ledger() = default;

void Ledger::on(const TraceRecord& record) {
  State& state = *state_;
  CHECK(!state.closed, "record {} after the books were closed", record.number);
  if (!state.prepared) state.prepare();
  if (!state.begun && !is_initial(record)) state.begin();
  state.advance(record.time);
  std::visit([&state](const auto& event) { state.on(event); }, record.event);
  state.note_garbage();
  if (state.begun && std::has_single_bit(record.number)) state.check_books();
}

void Ledger::advance(SimTime now) {
  State& state = *state_;
  if (!state.prepared) state.prepare();
  if (!state.begun) state.begin();
  state.advance(now);
  for (LedgerPartition& partition : state.partitions) {
    if (partition.retention_bytes) state.raise_due(partition);
  }
}

const LedgerTotals& Ledger::totals() const { return state_->all; }
const LedgerTotals& Ledger::totals(std::uint32_t topic) const { return state_->topics[topic]; }

Bytes Ledger::take_garbage_max(std::optional<std::uint32_t> topic) {
  Bytes& max = topic ? state_->topic_max[*topic] : state_->all_max;
  return std::exchange(max, (topic ? state_->topics[*topic] : state_->all).garbage());
}

Bytes Ledger::peak_garbage() const { return state_->peak; }
unsigned __int128 Ledger::garbage_integral() const { return state_->garbage_integral; }
unsigned __int128 Ledger::waste_integral() const { return state_->waste_integral; }
unsigned __int128 Ledger::stored_integral() const { return state_->stored_integral; }
std::optional<SimTime> Ledger::garbage_free_since() const { return state_->garbage_free_since; }

Duration Ledger::garbage_age_max() const {
  Duration age = state_->age_max;
  for (const Leftover& leftover : state_->leftovers) {
    const Copy& copy = state_->copies[leftover.segment->number];
    if (copy.is_garbage) age = std::max(age, state_->now - copy.garbage_since);
  }
  return age;
}

Bytes Ledger::over_deleted() const { return state_->over_deleted; }
const std::optional<OverDeletion>& Ledger::last_over_deletion() const { return state_->last_over_deletion; }

std::optional<RemoteLogSegmentState> Ledger::state_of(const RemoteLogSegment& segment) const {
  if (segment.number >= state_->copies.size()) return std::nullopt;
  return to_state(state_->copies[segment.number].state);
}

ByteClass Ledger::class_of(const RemoteLogSegment& segment) const {
  if (segment.number >= state_->copies.size()) return ByteClass::orphan;
  bool failed = false;
  return state_->class_of(state_->copies[segment.number], failed);
}

bool Ledger::is_due(const RemoteLogSegment& segment) const {
  return segment.number < state_->copies.size() && state_->is_due(state_->copies[segment.number]);
}

std::optional<Offset> Ledger::first_unreadable(PartitionNumber number, Offset from, Offset to) const {
  if (!state_->begun) return std::nullopt;
  const LedgerPartition& partition = state_->partitions[number.value()];
  Offset offset = std::max(from, partition.log_start);
  const Offset end = std::min(to, partition.local_start);
  while (offset < end) {
    const auto reader = partition.finished.reader_at(offset, state_->copies);
    if (reader.copy == nullptr || !state_->is_whole(*reader.copy)) return offset;
    offset = reader.until;
  }
  return std::nullopt;
}

CopyReport Ledger::report_of(const RemoteLogSegment& segment) const {
  CHECK(!state_->closed);
  if (segment.number >= state_->copies.size()) return {};
  const Copy& copy = state_->copies[segment.number];
  return copy.segment == nullptr ? CopyReport{} : state_->report_of(copy);
}

void Ledger::finish() {
  CHECK(!state_->closed);
  advance(state_->world.now());
  state_->check_books();
  state_->close_books();
}

const std::vector<Leftover>& Ledger::leftovers() const { return state_->leftovers; }
Bytes Ledger::garbage_never() const { return state_->never; }
std::optional<SimTime> Ledger::last_due() const { return state_->last_due; }

LedgerTotals Ledger::recount() const { return state_->recount(); }

}  // namespace sim
