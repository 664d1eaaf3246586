#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// F22, C08: its default is none. Running brokers keep what they have read; a new process learns only what is left.
class MetadataRetention final : public Fault {
 public:
  explicit MetadataRetention(const FaultMaking& making)
      : target_(making.row.target), retention_(duration_param(making.row, "retention")) {}
  void start(Breakable& world) override { retain(world, retention_); }
  void heal(Breakable& world) override { retain(world, std::nullopt); }

 private:
  void retain(Breakable& world, std::optional<Duration> retention) const {
    for (const MetadataPartition partition : metadata_partitions_of(target_, world)) {
      world.retain_metadata(partition, retention);
    }
  }

  const Target& target_;
  Duration retention_;
};

constexpr std::array targets{TargetKind::metadata, TargetKind::metadata_partition, TargetKind::metadata_of,
                             TargetKind::all};
constexpr std::array params{ParamInfo{"retention", ParamType::duration, "", "",
                                      "Older records are lost at the next check, every five minutes."}};

}  // namespace

const FaultKind metadata_retention_fault{
    {"metadata-retention", "The metadata topic has a retention of its own, and old records go.", false, false, targets,
     params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<MetadataRetention>(making); }};

}  // namespace sim
