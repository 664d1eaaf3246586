#include "sim/observers/invariants.h"

#include <bit>

#include <fmt/format.h>

#include "sim/observers/invariants/entries.h"

namespace sim {

std::string_view to_string(InvariantKind kind) { return kind == InvariantKind::safety ? "safety" : "liveness"; }

std::span<const InvariantEntry> invariants() {
  static const std::array list{
      legal_transitions(),  terminal_stays_terminal(), readable_offsets(), nothing_live_deleted(),
      no_early_retention(), metric_equals_cache(),     caches_converge(),  bytes_conserved(),
      garbage_zero(),       entries_settle(),          copy_lag_zero(),    no_task_blocked(),
  };
  return list;
}

std::string name_of(const WorldView& world, PartitionNumber partition) {
  return fmt::format("{}-{}", world.scenario().topics[world.topic_of(partition)].name, world.index_in_topic(partition));
}

std::string name_of(const WorldView& world, const RemoteLogSegment& segment) {
  return fmt::format("copy {} of {}", segment.number, name_of(world, segment.partition));
}

InvariantObserver::InvariantObserver(const WorldView& world, const Ledger& ledger) : world_(world), ledger_(ledger) {
  for (const InvariantEntry& entry : invariants()) {
    invariants_.push_back(entry.make(world));
    for (std::size_t kind = 0; kind < listeners_.size(); ++kind) {
      if ((entry.hears >> kind & 1) != 0) listeners_[kind].push_back(invariants_.back().get());
    }
  }
}

InvariantObserver::~InvariantObserver() = default;

void InvariantObserver::on(const TraceRecord& record) {
  event_ = record.number;
  for (Invariant* const listener : listeners_[record.event.index()]) listener->on(record, world_, ledger_, *this);
  if (!std::has_single_bit(record.number)) return;
  for (const auto& invariant : invariants_) invariant->check(world_, ledger_, *this);
}

void InvariantObserver::judge_liveness() {
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    if (invariants()[i].kind == InvariantKind::liveness) invariants_[i]->judge(world_, ledger_, *this);
  }
}

void InvariantObserver::judge_safety_at_end() {
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    if (invariants()[i].kind != InvariantKind::safety) continue;
    invariants_[i]->check(world_, ledger_, *this);
    invariants_[i]->judge(world_, ledger_, *this);
  }
}

void InvariantObserver::broken(std::string_view invariant, std::string subject, std::string detail) {
  if (!seen_.emplace(invariant, subject).second) return;
  violations_.push_back({world_.now(), invariant, std::move(subject), std::move(detail), event_});
}

}  // namespace sim
