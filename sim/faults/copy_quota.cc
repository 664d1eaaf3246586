#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// remote.log.manager.copy.max.bytes.per.second is changed while the brokers run, and changed back (facts 5.4).
class CopyQuotaFault final : public Fault {
 public:
  explicit CopyQuotaFault(const FaultMaking& making)
      : target_(making.row.target), rate_(rate_param(making.row, "rate")) {}
  void start(Breakable& world) override {
    for (const BrokerId broker : brokers_of(target_, world)) world.limit_copies(broker, rate_);
  }
  void heal(Breakable& world) override {
    for (const BrokerId broker : brokers_of(target_, world)) world.limit_copies(broker, std::nullopt);
  }
  bool hits_when_started() const override { return true; }

 private:
  const Target& target_;
  Bytes rate_;
};

constexpr std::array targets{TargetKind::broker, TargetKind::all};
constexpr std::array params{ParamInfo{"rate", ParamType::rate, "", "", "Of all copies of a broker together."}};

}  // namespace

const FaultKind copy_quota_fault{
    {"copy-quota", "Brokers' copies share fewer or more bytes a second than configured.", false, false, targets,
     params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<CopyQuotaFault>(making); }};

}  // namespace sim
