#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/publish_failure.h"

namespace sim {

namespace {

constexpr std::array params{publish_probability, publish_state};

}  // namespace

const FaultKind metadata_publish_lost_fault{
    {"metadata-publish-lost", "A record is never stored; its sender hears nothing until the producer's time-out.",
     false, true, publish_targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> {
      return std::make_unique<PublishFailure>(making, PublishEffect{PublishEffect::Kind::lost, Duration{0}, {}});
    }};

}  // namespace sim
