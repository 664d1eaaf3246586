#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// Every request takes `factor` times as long; transfers under way slow down from here on.
class StoreSlow final : public Fault {
 public:
  explicit StoreSlow(const FaultMaking& making) : factor_(ratio_param(making.row, "factor")) {}
  void start(Breakable& world) override { world.slow_transfers(factor_); }
  void heal(Breakable& world) override { world.slow_transfers(Ratio{factor_.denominator, factor_.numerator}); }
  Ratio slowness() const override { return factor_; }

 private:
  Ratio factor_;
};

constexpr std::array targets{TargetKind::store, TargetKind::all};
constexpr std::array params{
    ParamInfo{"factor", ParamType::ratio, "", "", "What every request's time is multiplied with."},
};

}  // namespace

const FaultKind store_slow_fault{
    {"store-slow", "The store takes longer for every request.", false, false, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<StoreSlow>(making); }};

}  // namespace sim
