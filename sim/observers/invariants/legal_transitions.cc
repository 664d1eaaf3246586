#include <fmt/format.h>

#include "model/policy.h"
#include "model/remote_log_segment_record.h"
#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "legal-transitions";

/// What a broker writes must be legal by its own policy's table, not only by the union that the topic is folded with.
/// What the fold drops breaks nothing: Kafka drops it too.
class LegalTransitions final : public Invariant {
 public:
  explicit LegalTransitions(const WorldView&) {}
  void on(const TraceRecord& record, const WorldView& world, const Ledger&, ViolationSink& sink) override {
    const auto& transition = std::get<Transition>(record.event);
    if (!transition.applied || transition.step == TaskStep::none) return;
    const Policy& policy = world.policy_of(transition.broker);
    std::optional<RemoteLogSegmentState> from = transition.from;
    // An older broker knows DANGLING only as what its tag stands beside, if at all (readings 7).
    if (from) from = read_state(policy.transitions(), write_state(*from, DanglingEncoding::tagged));
    if (is_valid_transition(policy.transitions(), from, transition.to)) return;
    sink.broken(name, name_of(world, *transition.segment),
                fmt::format("broker {} under {} wrote {} -> {}", transition.broker, policy.name(),
                            transition.from ? to_string(*transition.from) : "nothing", to_string(transition.to)));
  }
};

}  // namespace

InvariantEntry legal_transitions() {
  return {name, InvariantKind::safety, "Every transition that applies is legal by its writer's own table.",
          event_kinds<Transition>, &make_invariant<LegalTransitions>};
}

}  // namespace sim
