#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// A broker's process is gone for the fault's duration, with everything that was only in memory.
class Crash final : public Fault {
 public:
  explicit Crash(const FaultMaking& making) : target_(making.row.target) {}
  void start(Breakable& world) override {
    for (const BrokerId broker : brokers_of(target_, world)) world.crash(broker);
  }
  void heal(Breakable& world) override {
    for (const BrokerId broker : brokers_of(target_, world)) world.restart(broker);
  }
  bool hits_when_started() const override { return true; }

 private:
  const Target& target_;
};

constexpr std::array targets{TargetKind::broker, TargetKind::all};

}  // namespace

const FaultKind crash_fault{
    {"crash", "A broker's process dies; it starts again after the duration.", false, false, targets, {}},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<Crash>(making); }};

}  // namespace sim
