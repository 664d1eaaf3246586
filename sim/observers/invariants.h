#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/observers/ledger.h"
#include "sim/observers/world_view.h"
#include "sim/trace/trace.h"

namespace sim {

/// Safety: never broken at any instant; breaking one is a `loss`. Liveness: holds once the faults have been over for
/// the scenario's settle time; breaking one is a `leak`.
enum class InvariantKind : std::uint8_t { safety, liveness };
/// `safety`, `liveness`.
std::string_view to_string(InvariantKind kind);

struct Violation {
  SimTime time;
  std::string_view invariant;
  /// What broke it: a copy, a partition, a broker.
  std::string subject;
  std::string detail;
  /// Number of the trace record after which it was seen.
  std::uint64_t event = 0;
};

/// Where an invariant reports to; the first break of each subject is kept.
class ViolationSink {
 public:
  virtual ~ViolationSink() = default;
  virtual void broken(std::string_view invariant, std::string subject, std::string detail) = 0;
};

/// A set of kinds of trace events, one bit each.
using EventKinds = std::uint32_t;
static_assert(std::variant_size_v<TraceEvent> <= 32);

template <class Event, std::size_t index = 0>
constexpr std::size_t index_of_event() {
  if constexpr (std::is_same_v<std::variant_alternative_t<index, TraceEvent>, Event>) {
    return index;
  } else {
    return index_of_event<Event, index + 1>();
  }
}
/// The kinds that an invariant wants to hear of, as `event_kinds<Transition, BytesChanged>`.
template <class... Events>
inline constexpr EventKinds event_kinds = (EventKinds{0} | ... | (EventKinds{1} << index_of_event<Events>()));

/// One property. Reads the trace and the world; the ledger has seen a record before an invariant does.
class Invariant {
 public:
  virtual ~Invariant() = default;
  /// After each record of a kind that its entry names: what this record can break, and no more.
  virtual void on(const TraceRecord&, const WorldView&, const Ledger&, ViolationSink&) {}
  /// Everything, however slow: at record numbers 2^k, and for safety at the world's end.
  virtual void check(const WorldView&, const Ledger&, ViolationSink&) {}
  /// Once, at the instant by which liveness must hold (last fault's end + settle), and for safety at the world's end.
  virtual void judge(const WorldView&, const Ledger&, ViolationSink&) {}
};

struct InvariantEntry {
  std::string_view name;
  InvariantKind kind;
  /// English: what always or at last holds.
  std::string_view property;
  EventKinds hears;
  std::unique_ptr<Invariant> (*make)(const WorldView& world);
};
/// All invariants; one a file in invariants/, the list in invariants.cc.
std::span<const InvariantEntry> invariants();

/// Runs all invariants over one world.
class InvariantObserver final : public TraceObserver, private ViolationSink {
 public:
  InvariantObserver(const WorldView& world, const Ledger& ledger);
  ~InvariantObserver() override;
  void on(const TraceRecord& record) override;
  void judge_liveness();
  void judge_safety_at_end();
  /// In the order found.
  const std::vector<Violation>& violations() const { return violations_; }

 private:
  void broken(std::string_view invariant, std::string subject, std::string detail) override;

  const WorldView& world_;
  const Ledger& ledger_;
  std::vector<std::unique_ptr<Invariant>> invariants_;
  /// By kind of event: who hears of it.
  std::array<std::vector<Invariant*>, std::variant_size_v<TraceEvent>> listeners_;
  std::vector<Violation> violations_;
  std::set<std::pair<std::string_view, std::string>> seen_;
  std::uint64_t event_ = 0;
};

}  // namespace sim
