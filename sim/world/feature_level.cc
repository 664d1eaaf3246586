#include "sim/world/feature_level.h"

#include <algorithm>
#include <utility>

#include "model/check.h"

namespace sim {

bool FeatureLevel::registered(BrokerId broker, const Policy& policy) {
  CHECK(admits(policy), "broker {} runs what its controller does not register", broker);
  Version version = Version::older;
  if (policy.transitions() == TransitionTable::kip) {
    version = policy.has_feature_gate() ? Version::has_gate : Version::knows_dangling;
  }
  versions_[static_cast<std::size_t>(broker.value() - 1)] = version;
  const bool all_know = std::all_of(versions_.begin(), versions_.end(),
                                    [](Version registered) { return registered >= Version::knows_dangling; });
  const bool has_gate = std::find(versions_.begin(), versions_.end(), Version::has_gate) != versions_.end();
  return all_know && has_gate && !std::exchange(is_finalized_, true);
}

}  // namespace sim
