#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// The new leader's history is shorter, and the others cut theirs to it (C07). Copies of what it lacks stay in the
/// store, out of its lineage.
class UncleanElection final : public Fault {
 public:
  explicit UncleanElection(const FaultMaking& making)
      : target_(making.row.target),
        to_(integer_param(making.row, "to")),
        missing_(bytes_param(making.row, "missing")) {}
  void start(Breakable& world) override {
    for (const PartitionNumber partition : partitions_of(target_, world)) {
      world.elect_uncleanly(partition, BrokerId{to_}, missing_);
    }
  }

 private:
  const Target& target_;
  std::int32_t to_;
  Bytes missing_;
};

constexpr std::array targets{TargetKind::partition, TargetKind::topic, TargetKind::all};
constexpr std::array params{
    ParamInfo{"to", ParamType::integer, "0", "", "Which broker; 0: the first that is out of sync, else the next one."},
    ParamInfo{"missing", ParamType::bytes, "0B", "", "What a replica that is in sync loses of its log's end first."}};

}  // namespace

const FaultKind unclean_election_fault{
    {"unclean-election", "A replica that is not in sync leads, and records are lost.", true, false, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<UncleanElection>(making); }};

}  // namespace sim
