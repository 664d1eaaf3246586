#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "no-task-blocked";

class NoTaskBlocked final : public Invariant {
 public:
  explicit NoTaskBlocked(const WorldView&) {}
  void judge(const WorldView& world, const Ledger&, ViolationSink& sink) override {
    for (std::string& run : world.runs_waiting_since(world.now() - world.scenario().settle())) {
      sink.broken(name, std::move(run), "it has been waiting since the faults ended");
    }
  }
};

}  // namespace

InvariantEntry no_task_blocked() {
  return {name, InvariantKind::liveness, "No run of a task waits for ever.", 0, &make_invariant<NoTaskBlocked>};
}

}  // namespace sim
