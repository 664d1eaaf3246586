#include <array>

#include "sim/faults/call_failure.h"
#include "sim/faults/faults.h"

namespace sim {

namespace {

/// An upload neither returns nor throws, whatever the time-out of a try: the plug-in itself stands. Its deadline of a
/// whole copy ends it, an interrupt that it heeds, and a crash.
class CopyHang final : public Fault {
 public:
  explicit CopyHang(const FaultMaking& making)
      : row_(making.row),
        scenario_(making.scenario),
        probability_(ratio_param(making.row, "probability")),
        seed_(making.seed),
        index_(making.index) {
    if (row_.param("until") != "never") time_ = duration_param(row_, "until");
  }

  CallEffect on_call(const StorageCall& call) const override {
    if (call.operation != StoreOperation::put) return {};
    if (!is_aimed_at(row_.target, scenario_, call.broker, *call.segment)) return {};
    if (!chance(call_draw(seed_, index_, call), probability_)) return {};
    CallEffect effect;
    effect.hangs = true;
    effect.hang_time = time_;
    effect.done_before_failure = stored_param(row_, "stored", *call.segment, scenario_.client);
    effect.fault = index_;
    return effect;
  }

 private:
  const FaultRow& row_;
  const Scenario& scenario_;
  Ratio probability_;
  std::optional<Duration> time_;
  Seed seed_;
  std::uint32_t index_;
};

constexpr std::array targets{TargetKind::store, TargetKind::broker, TargetKind::topic, TargetKind::partition,
                             TargetKind::all};
constexpr std::array params{
    ParamInfo{"stored", ParamType::stored, "none", "",
              "Written before it stands: none, all, a size, or an object for all that comes before it."},
    ParamInfo{"until", ParamType::duration, "never", "", "How long it stands before it goes on; never: for ever."},
    call_probability};

}  // namespace

const FaultKind copy_hang_fault{
    {"copy-hang", "The plug-in's upload of a segment neither returns nor throws.", false, true, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<CopyHang>(making); }};

}  // namespace sim
