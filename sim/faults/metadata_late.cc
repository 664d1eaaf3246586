#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/publish_failure.h"

namespace sim {

namespace {

constexpr std::array params{ParamInfo{"delay", ParamType::duration, "", "", "How long it is on its way."},
                            publish_probability, publish_state};

}  // namespace

const FaultKind metadata_late_fault{
    {"metadata-late", "A record is stored late, also when its sender has given up or died by then.", false, true,
     publish_targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> {
      return std::make_unique<PublishFailure>(
          making, PublishEffect{PublishEffect::Kind::late, duration_param(making.row, "delay"), {}});
    }};

}  // namespace sim
