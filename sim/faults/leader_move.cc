#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// Another in-sync replica leads, under the next epoch; the old leader hears of it at once and follows (facts 4.2).
class LeaderMove final : public Fault {
 public:
  explicit LeaderMove(const FaultMaking& making) : target_(making.row.target), to_(integer_param(making.row, "to")) {}
  void start(Breakable& world) override {
    for (const PartitionNumber partition : partitions_of(target_, world)) world.move_leader(partition, BrokerId{to_});
  }

 private:
  const Target& target_;
  std::int32_t to_;
};

constexpr std::array targets{TargetKind::partition, TargetKind::topic, TargetKind::all};
constexpr std::array params{
    ParamInfo{"to", ParamType::integer, "0", "", "Which broker; 0: the replica after the leader."}};

}  // namespace

const FaultKind leader_move_fault{
    {"leader-move", "The controller moves the leadership of partitions to another in-sync replica.", true, false,
     targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<LeaderMove>(making); }};

}  // namespace sim
