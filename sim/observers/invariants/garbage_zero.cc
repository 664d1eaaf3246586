#include <fmt/format.h>

#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "garbage-zero";

class GarbageZero final : public Invariant {
 public:
  explicit GarbageZero(const WorldView&) {}
  void judge(const WorldView& world, const Ledger& ledger, ViolationSink& sink) override {
    for (std::uint32_t topic = 0; topic < world.scenario().topics.size(); ++topic) {
      const LedgerTotals& totals = ledger.totals(topic);
      if (totals.garbage() == Bytes{0}) continue;
      sink.broken(
          name, world.scenario().topics[topic].name,
          fmt::format(
              "{} bytes of garbage in {} copies: dangling {}, deleting {}, stuck {}, orphan {}, upload parts {}",
              totals.garbage(), totals.garbage_count, totals.of(ByteClass::dangling), totals.deleting_failed,
              totals.of(ByteClass::stuck), totals.of(ByteClass::orphan), totals.of(ByteClass::upload_parts)));
    }
  }
};

}  // namespace

InvariantEntry garbage_zero() {
  return {name, InvariantKind::liveness, "Garbage goes back to zero.", 0, &make_invariant<GarbageZero>};
}

}  // namespace sim
