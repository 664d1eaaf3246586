#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// Too few replicas had them when the leader went. Who has read them keeps what they said until its process ends;
/// nobody else ever learns of it. Offsets are not given out again, as they are in Kafka.
class MetadataRecordLoss final : public Fault {
 public:
  explicit MetadataRecordLoss(const FaultMaking& making)
      : target_(making.row.target), newest_(duration_param(making.row, "newest")) {}
  void start(Breakable& world) override {
    for (const MetadataPartition partition : metadata_partitions_of(target_, world)) {
      world.lose_metadata_records(partition, newest_);
    }
  }

 private:
  const Target& target_;
  Duration newest_;
};

constexpr std::array targets{TargetKind::metadata, TargetKind::metadata_partition, TargetKind::metadata_of,
                             TargetKind::all};
constexpr std::array params{
    ParamInfo{"newest", ParamType::duration, "", "", "Those stored within this time are lost."}};

}  // namespace

const FaultKind metadata_record_loss_fault{
    {"metadata-record-loss", "The newest records of metadata partitions are lost, acknowledged ones too.", true, false,
     targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<MetadataRecordLoss>(making); }};

}  // namespace sim
