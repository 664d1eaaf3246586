#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

constexpr std::string_view same = "same";

/// Controlled shutdown: the controller moves the broker's leads first, and its process ends some time later. Tasks that
/// led are cancelled by the move (3.6's go on until the end), so that the end cuts what is left as a crash does: up to
/// 4.1 the plug-ins are closed before the pools, and later a cancelled task cleans nothing up (facts 4.5).
class Restart final : public Fault {
 public:
  explicit Restart(const FaultMaking& making)
      : target_(making.row.target),
        handover_(duration_param(making.row, "handover")),
        policy_(making.row.param("policy")) {}
  void start(Breakable& world) override {
    for (const BrokerId broker : brokers_of(target_, world)) world.shut_down(broker, handover_);
  }
  void heal(Breakable& world) override {
    for (const BrokerId broker : brokers_of(target_, world)) {
      if (policy_ != same) world.install(broker, policy_);
      world.restart(broker);
    }
  }

 private:
  const Target& target_;
  Duration handover_;
  std::string_view policy_;
};

constexpr std::array targets{TargetKind::broker, TargetKind::all};
constexpr std::array params{
    ParamInfo{"handover", ParamType::duration, "5s", "", "From the moves of its leads to the end of its process."},
    ParamInfo{"policy", ParamType::word, same,
              "same|chosen|kafka-3.6|kafka-3.9|kafka-4.0|kafka-4.3|kip-dangling|kip-dangling-recovery",
              "What it runs from then on; chosen: the policy of --policy, whatever [broker.ID] said. What a finalized "
              "feature-gate refuses does not start, and the broker runs what it ran."}};

}  // namespace

const FaultKind restart_fault{
    {"restart", "A broker is shut down in good order and starts again after the duration.", false, false, targets,
     params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<Restart>(making); }};

}  // namespace sim
