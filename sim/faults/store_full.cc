#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// The store has no room: puts under way are cut where they stand, new ones are refused; deletes work, and free nothing
/// that could be used. A store that fills up by itself is `store.capacity`.
class StoreFull final : public Fault {
 public:
  explicit StoreFull(const FaultMaking& making)
      : effect_{RequestEffect::Kind::reject, error_param(making.row, "error"), making.index} {}

  void start(Breakable& world) override { world.interrupt_transfers(operation_bit(StoreOperation::put), effect_); }
  RequestEffect on_request(const StoreRequest& request) override {
    return request.operation == StoreOperation::put ? effect_ : RequestEffect{};
  }

 private:
  RequestEffect effect_;
};

constexpr std::array targets{TargetKind::store, TargetKind::all};
constexpr std::array params{
    ParamInfo{"error", ParamType::word, "permanent", error_words, "What a refusal says about another try."},
};

}  // namespace

const FaultKind store_full_fault{
    {"store-full", "The store has no room for another byte.", false, false, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<StoreFull>(making); }};

}  // namespace sim
