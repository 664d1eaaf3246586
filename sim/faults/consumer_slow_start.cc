#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// C18: until its consumer has read everything, a broker that started does nothing for its partitions.
class ConsumerSlowStart final : public Fault {
 public:
  explicit ConsumerSlowStart(const FaultMaking& making)
      : target_(making.row.target), delay_(duration_param(making.row, "delay")) {}
  void start(Breakable& world) override { set(world, delay_); }
  void heal(Breakable& world) override { set(world, Duration{0}); }

 private:
  void set(Breakable& world, Duration delay) const {
    for (const BrokerId broker : brokers_of(target_, world)) world.slow_consumer_start(broker, delay);
  }

  const Target& target_;
  Duration delay_;
};

constexpr std::array targets{TargetKind::broker, TargetKind::all};
constexpr std::array params{
    ParamInfo{"delay", ParamType::duration, "", "", "From the start of the process to its consumer's first read."}};

}  // namespace

const FaultKind consumer_slow_start_fault{
    {"consumer-slow-start", "The metadata consumers of brokers that start begin to read late.", false, false, targets,
     params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<ConsumerSlowStart>(making); }};

}  // namespace sim
