#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// A preferred leader election, as an operator or the automatic balance runs it.
class LeaderBalance final : public Fault {
 public:
  explicit LeaderBalance(const FaultMaking& making) : target_(making.row.target) {}
  void start(Breakable& world) override {
    for (const PartitionNumber partition : partitions_of(target_, world)) world.elect_preferred_leader(partition);
  }

 private:
  const Target& target_;
};

constexpr std::array targets{TargetKind::partition, TargetKind::topic, TargetKind::all};

}  // namespace

const FaultKind leader_balance_fault{
    {"leader-balance", "Preferred replicas that are in sync lead again.", true, false, targets, {}},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<LeaderBalance>(making); }};

}  // namespace sim
