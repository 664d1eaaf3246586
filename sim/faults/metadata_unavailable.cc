#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// Metadata partitions have no leader that anybody reaches: publishes wait for their time-out, consumers stand still.
class MetadataUnavailable final : public Fault {
 public:
  explicit MetadataUnavailable(const FaultMaking& making) : target_(making.row.target) {}
  void start(Breakable& world) override {
    taken_ = metadata_partitions_of(target_, world);
    for (const MetadataPartition partition : taken_) world.take_metadata(partition);
  }
  void heal(Breakable& world) override {
    for (const MetadataPartition partition : taken_) world.give_metadata_back(partition);
  }

 private:
  const Target& target_;
  std::vector<MetadataPartition> taken_;
};

constexpr std::array targets{TargetKind::metadata, TargetKind::metadata_partition, TargetKind::metadata_of,
                             TargetKind::all};

}  // namespace

const FaultKind metadata_unavailable_fault{
    {"metadata-unavailable", "Nobody reaches the leaders of metadata partitions.", false, false, targets, {}},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<MetadataUnavailable>(making); }};

}  // namespace sim
