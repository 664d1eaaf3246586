#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// SIGSTOP, a long garbage collection, a migrated machine: nothing of the process goes on and its clock does. After the
/// failover time it is fenced; when it goes on, its tasks do first, and then it hears what it missed.
class Pause final : public Fault {
 public:
  explicit Pause(const FaultMaking& making) : target_(making.row.target) {}
  void start(Breakable& world) override {
    for (const BrokerId broker : brokers_of(target_, world)) world.pause(broker);
  }
  void heal(Breakable& world) override {
    for (const BrokerId broker : brokers_of(target_, world)) world.resume(broker);
  }

 private:
  const Target& target_;
};

constexpr std::array targets{TargetKind::broker, TargetKind::all};

}  // namespace

const FaultKind pause_fault{
    {"pause",
     "A broker's process stands still; others may lead meanwhile, of which it hears afterwards.",
     false,
     false,
     targets,
     {}},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<Pause>(making); }};

}  // namespace sim
