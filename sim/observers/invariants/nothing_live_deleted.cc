#include <fmt/format.h>

#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "nothing-live-deleted";

class NothingLiveDeleted final : public Invariant {
 public:
  explicit NothingLiveDeleted(const WorldView&) {}
  void on(const TraceRecord&, const WorldView& world, const Ledger& ledger, ViolationSink& sink) override {
    if (ledger.over_deleted() == known_) return;
    known_ = ledger.over_deleted();
    const OverDeletion& loss = *ledger.last_over_deletion();
    sink.broken(name, name_of(world, loss.partition),
                fmt::format("offsets [{}, {}) were retained and can be read no longer: {} bytes", loss.from, loss.to,
                            loss.bytes));
  }

 private:
  Bytes known_;
};

}  // namespace

InvariantEntry nothing_live_deleted() {
  return {name, InvariantKind::safety,
          "No retained, readable byte is removed or made unreadable before a rule asks for it.",
          event_kinds<Transition, BytesChanged, LogStartRaised, LocalSegmentsDeleted, LeaderChanged, RecordsForgotten>,
          &make_invariant<NothingLiveDeleted>};
}

}  // namespace sim
