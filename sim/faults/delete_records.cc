#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// The log start offset is raised because somebody asks for it (facts 8.2); what lies below is lost on purpose.
class DeleteRecords final : public Fault {
 public:
  explicit DeleteRecords(const FaultMaking& making) : target_(making.row.target) {
    const std::string_view before = making.row.param("before");
    if (before != "high-watermark") before_ = Offset{integer_param(making.row, "before")};
  }
  void start(Breakable& world) override {
    for (const PartitionNumber partition : partitions_of(target_, world)) world.delete_records(partition, before_);
  }

 private:
  const Target& target_;
  std::optional<Offset> before_;
};

constexpr std::array targets{TargetKind::partition, TargetKind::topic, TargetKind::all};
constexpr std::array params{
    ParamInfo{"before", ParamType::integer, "high-watermark", "", "The first offset that is kept."}};

}  // namespace

const FaultKind delete_records_fault{
    {"delete-records", "Records below an offset are deleted, as kafka-delete-records does.", true, false, targets,
     params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<DeleteRecords>(making); }};

}  // namespace sim
