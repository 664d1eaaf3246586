#include <fmt/format.h>

#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "entries-settle";

class EntriesSettle final : public Invariant {
 public:
  explicit EntriesSettle(const WorldView&) {}
  void judge(const WorldView& world, const Ledger& ledger, ViolationSink& sink) override {
    for (std::uint32_t topic = 0; topic < world.scenario().topics.size(); ++topic) {
      const LedgerTotals& totals = ledger.totals(topic);
      if (totals.ghost_count == 0) continue;
      sink.broken(name, world.scenario().topics[topic].name,
                  fmt::format("{} entries that claim {} bytes have nothing behind them and nobody working on them",
                              totals.ghost_count, totals.ghost_claimed));
    }
  }
};

}  // namespace

InvariantEntry entries_settle() {
  return {name, InvariantKind::liveness, "Entries without a byte behind them come to an end.", 0,
          &make_invariant<EntriesSettle>};
}

}  // namespace sim
