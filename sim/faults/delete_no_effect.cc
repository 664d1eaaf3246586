#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// The store acknowledges a delete and keeps the object.
class DeleteNoEffect final : public Fault {
 public:
  explicit DeleteNoEffect(const FaultMaking& making)
      : row_(making.row),
        scenario_(making.scenario),
        probability_(ratio_param(making.row, "probability")),
        seed_(making.seed),
        effect_{RequestEffect::Kind::no_effect, RemoteStorageError::permanent, making.index} {}

  RequestEffect on_request(const StoreRequest& request) override {
    if (request.operation != StoreOperation::remove) return {};
    if (!is_aimed_at(row_.target, scenario_, request.broker, *request.segment)) return {};
    return chance(request_draw(seed_, *effect_.fault, request), probability_) ? effect_ : RequestEffect{};
  }

 private:
  const FaultRow& row_;
  const Scenario& scenario_;
  Ratio probability_;
  Seed seed_;
  RequestEffect effect_;
};

constexpr std::array targets{TargetKind::store, TargetKind::broker, TargetKind::topic, TargetKind::partition,
                             TargetKind::all};
constexpr std::array params{ParamInfo{"probability", ParamType::ratio, "1", "", "Of each delete, each try anew."}};

}  // namespace

const FaultKind delete_no_effect_fault{
    {"delete-no-effect", "The store acknowledges deletes and keeps the objects.", false, true, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<DeleteNoEffect>(making); }};

}  // namespace sim
