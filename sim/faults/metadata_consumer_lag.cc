#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// Consumers read each record this much later than it was stored, and when it heals all that is there.
class MetadataConsumerLag final : public Fault {
 public:
  explicit MetadataConsumerLag(const FaultMaking& making)
      : row_(making.row), delay_(duration_param(making.row, "delay")) {}
  void start(Breakable& world) override { lag(world, delay_); }
  void heal(Breakable& world) override { lag(world, -delay_); }

 private:
  void lag(Breakable& world, Duration delay) const {
    for (const TargetNode& node : row_.target.from) {
      const Target one{false, false, {node}, {}};
      for (const BrokerId broker : brokers_of(one, world)) {
        for (const MetadataPartition partition : metadata_partitions_of(one, world)) {
          world.lag_consumer(broker, partition, delay);
        }
      }
    }
  }

  const FaultRow& row_;
  Duration delay_;
};

constexpr std::array targets{TargetKind::broker, TargetKind::metadata, TargetKind::metadata_partition,
                             TargetKind::metadata_of, TargetKind::all};
constexpr std::array params{ParamInfo{"delay", ParamType::duration, "", "", "How much later than else."}};

}  // namespace

const FaultKind metadata_consumer_lag_fault{
    {"metadata-consumer-lag", "Brokers' consumers read the metadata topic late.", false, false, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<MetadataConsumerLag>(making); }};

}  // namespace sim
