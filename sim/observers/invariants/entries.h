#pragma once

#include <memory>
#include <string>

#include "sim/observers/invariants.h"

namespace sim {

// One invariant a file; the order of the list is invariants.cc's.
InvariantEntry legal_transitions();
InvariantEntry terminal_stays_terminal();
InvariantEntry readable_offsets();
InvariantEntry nothing_live_deleted();
InvariantEntry no_early_retention();
InvariantEntry metric_equals_cache();
InvariantEntry caches_converge();
InvariantEntry bytes_conserved();
InvariantEntry garbage_zero();
InvariantEntry entries_settle();
InvariantEntry copy_lag_zero();
InvariantEntry no_task_blocked();

template <class T>
std::unique_ptr<Invariant> make_invariant(const WorldView& world) {
  return std::make_unique<T>(world);
}

/// `orders-3`.
std::string name_of(const WorldView& world, PartitionNumber partition);
/// `copy 12 of orders-3`.
std::string name_of(const WorldView& world, const RemoteLogSegment& segment);

}  // namespace sim
