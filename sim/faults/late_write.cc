#include <array>

#include "sim/faults/call_failure.h"
#include "sim/faults/faults.h"

namespace sim {

namespace {

/// A put is refused, or not answered, and takes effect all the same, later: after the client gave up, perhaps after the
/// copy was deleted.
class LateWrite final : public Fault {
 public:
  explicit LateWrite(const FaultMaking& making)
      : row_(making.row),
        scenario_(making.scenario),
        probability_(ratio_param(making.row, "probability")),
        delay_(distribution_param(making.row, "delay")),
        kind_(making.row.param("answer") == "lost" ? RequestEffect::Kind::late_unheard : RequestEffect::Kind::late),
        error_(error_param(making.row, "error")),
        seed_(making.seed),
        index_(making.index) {}

  RequestEffect on_request(const StoreRequest& request) override {
    if (request.operation != StoreOperation::put) return {};
    if (!is_aimed_at(row_.target, scenario_, request.broker, *request.segment)) return {};
    const std::uint64_t draw = request_draw(seed_, index_, request);
    if (!chance(draw, probability_)) return {};
    return {kind_, error_, index_, delay_.draw(keyed_draw(seed_, "late-write", draw))};
  }

 private:
  const FaultRow& row_;
  const Scenario& scenario_;
  Ratio probability_;
  DurationDistribution delay_;
  RequestEffect::Kind kind_;
  RemoteStorageError error_;
  Seed seed_;
  std::uint32_t index_;
};

constexpr std::array targets{TargetKind::store, TargetKind::broker, TargetKind::topic, TargetKind::partition,
                             TargetKind::all};
constexpr std::array params{
    ParamInfo{"delay", ParamType::distribution, "", "", "From the request until the object is there."},
    ParamInfo{"probability", ParamType::ratio, "1", "", "Of each put, each try anew."},
    ParamInfo{"answer", ParamType::word, "refused", "refused|lost",
              "Whether the client hears a refusal at once, or nothing until its time-out."},
    call_error};

}  // namespace

const FaultKind late_write_fault{
    {"late-write", "A put fails for its client and lands all the same, later.", false, true, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<LateWrite>(making); }};

}  // namespace sim
