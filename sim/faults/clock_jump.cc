#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// As after a correction by NTP or an operator: nothing takes it back.
class ClockJump final : public Fault {
 public:
  explicit ClockJump(const FaultMaking& making) : target_(making.row.target), by_(clock_param(making.row)) {}
  void start(Breakable& world) override { shift_clocks(target_, world, by_); }
  bool hits_when_started() const override { return true; }

 private:
  const Target& target_;
  Duration by_;
};

constexpr std::array targets{TargetKind::broker, TargetKind::all};

}  // namespace

const FaultKind clock_jump_fault{
    {"clock-jump", "A broker's clock jumps and stays where it then is.", true, false, targets, clock_params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<ClockJump>(making); }};

}  // namespace sim
