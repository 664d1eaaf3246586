#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// The clock is wrong from the first to the last instant; intervals between runs are not its business (Java's
/// nanoTime).
class ClockSkew final : public Fault {
 public:
  explicit ClockSkew(const FaultMaking& making) : target_(making.row.target), by_(clock_param(making.row)) {}
  void start(Breakable& world) override { shift_clocks(target_, world, by_); }
  void heal(Breakable& world) override { shift_clocks(target_, world, -by_); }
  bool hits_when_started() const override { return true; }

 private:
  const Target& target_;
  Duration by_;
};

constexpr std::array targets{TargetKind::broker, TargetKind::all};

}  // namespace

const FaultKind clock_skew_fault{
    {"clock-skew", "A broker's clock is ahead or behind for a while.", false, false, targets, clock_params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<ClockSkew>(making); }};

}  // namespace sim
