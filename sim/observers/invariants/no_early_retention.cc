#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "no-early-retention";

/// Judged when the expiration task takes a finished copy; what is not finished nobody reads, and it may go at any time.
class NoEarlyRetention final : public Invariant {
 public:
  explicit NoEarlyRetention(const WorldView&) {}
  void on(const TraceRecord& record, const WorldView& world, const Ledger& ledger, ViolationSink& sink) override {
    const auto& entered = std::get<StepEntered>(record.event);
    if (entered.step != TaskStep::retention_publish_started) return;
    if (ledger.state_of(*entered.segment) != RemoteLogSegmentState::copy_segment_finished) return;
    if (ledger.is_due(*entered.segment)) return;
    sink.broken(name, name_of(world, *entered.segment),
                "the expiration task deletes it, and neither log start, time nor size asks for that");
  }
};

}  // namespace

InvariantEntry no_early_retention() {
  return {name, InvariantKind::safety, "Retention deletes only what log start, time or size asks for.",
          event_kinds<StepEntered>, &make_invariant<NoEarlyRetention>};
}

}  // namespace sim
