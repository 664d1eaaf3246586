// Mirrors: the controller's FeatureControlManager and its check of registrations in ClusterControlManager (KIP-584,
// KIP-778), for the one feature level that a KIP with DANGLING could have had.
// Leaves out: the operator's command, which comes here at the first instant at which it is accepted; lowering a level,
// which no rolling downgrade does by itself; brokers that are unregistered; controllers that do not know the level.
#pragma once

#include <cstdint>
#include <vector>

#include "model/policy.h"

namespace sim {

using namespace model;

/// Which versions are registered, and whether the level of DANGLING is finalized. There is one as soon as a registered
/// version has a feature gate.
class FeatureLevel final : public FinalizedFeatures {
 public:
  explicit FeatureLevel(std::size_t broker_count) : versions_(broker_count, Version::none) {}

  bool has_dangling() const override { return is_finalized_; }
  /// Whether the controller registers a broker that runs this.
  bool admits(const Policy& policy) const { return !is_finalized_ || policy.transitions() == TransitionTable::kip; }
  /// A process of the broker has begun to run this; it stays registered while it is down. True when that finalized the
  /// level.
  bool registered(BrokerId broker, const Policy& policy);

 private:
  /// What a broker last registered as.
  enum class Version : std::uint8_t {
    none,
    older,
    knows_dangling,
    has_gate,  ///< And knows it.
  };

  std::vector<Version> versions_;  // By broker id - 1.
  bool is_finalized_ = false;
};

}  // namespace sim
