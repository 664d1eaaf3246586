#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// The store refuses requests of some operations, or swallows them; transfers under way are cut where they stand.
class StoreUnavailable final : public Fault {
 public:
  explicit StoreUnavailable(const FaultMaking& making)
      : operations_(operations_param(making.row, "operations")),
        effect_{making.row.param("mode") == "hang" ? RequestEffect::Kind::hang : RequestEffect::Kind::reject,
                error_param(making.row, "error"), making.index} {}

  void start(Breakable& world) override { world.interrupt_transfers(operations_, effect_); }
  RequestEffect on_request(const StoreRequest& request) override {
    return (operations_ & operation_bit(request.operation)) != 0 ? effect_ : RequestEffect{};
  }

 private:
  std::uint32_t operations_;
  RequestEffect effect_;
};

constexpr std::array targets{TargetKind::store, TargetKind::all};
constexpr std::array params{
    ParamInfo{"operations", ParamType::operations, "put+get+delete+list", "", "Which operations fail."},
    ParamInfo{"mode", ParamType::word, "reject", "reject|hang", "Refused at once, or never answered."},
    ParamInfo{"error", ParamType::word, "permanent", error_words, "What a refusal says about another try."},
};

}  // namespace

const FaultKind store_unavailable_fault{
    {"store-unavailable", "The store refuses or swallows every request of some operations.", false, false, targets,
     params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<StoreUnavailable>(making); }};

}  // namespace sim
