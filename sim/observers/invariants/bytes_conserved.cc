#include <fmt/format.h>

#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "bytes-conserved";

class BytesConserved final : public Invariant {
 public:
  explicit BytesConserved(const WorldView&) {}

  void on(const TraceRecord& record, const WorldView&, const Ledger& ledger, ViolationSink& sink) override {
    stored_ += std::get<BytesChanged>(record.event).delta;
    compare(stored_, ledger, sink);
  }

  void check(const WorldView& world, const Ledger& ledger, ViolationSink& sink) override {
    Bytes stored;
    for (std::uint32_t number = 0; number < world.segment_count(); ++number) {
      for (int i = 0; i < object_kind_count; ++i) {
        const auto kind = static_cast<ObjectKind>(i);
        stored += world.stored(world.segment(number), kind, StoredAs::object);
        stored += world.stored(world.segment(number), kind, StoredAs::parts);
      }
    }
    compare(stored, ledger, sink);
  }

 private:
  static void compare(Bytes stored, const Ledger& ledger, ViolationSink& sink) {
    const Bytes classed = ledger.totals().stored();
    if (classed == stored) return;
    sink.broken(name, "store", fmt::format("the classes add up to {} bytes, the store holds {}", classed, stored));
  }

  Bytes stored_;
};

}  // namespace

InvariantEntry bytes_conserved() {
  return {name, InvariantKind::safety, "The ledger's classes add up to what the store holds.",
          event_kinds<BytesChanged>, &make_invariant<BytesConserved>};
}

}  // namespace sim
