// Mirrors: what a broker knows of FinalizedFeatures, the feature levels of the cluster metadata (KIP-584, KIP-778), of
// the one feature that a KIP with DANGLING could have had.
// Leaves out: every other feature, numbers of levels, the time until a broker hears of one.
#pragma once

namespace model {

/// The cluster as a policy behind a feature gate sees it (readings 7).
class FinalizedFeatures {
 public:
  virtual ~FinalizedFeatures() = default;
  /// Whether the level is finalized from which on brokers write DANGLING. Once it is it stays so.
  virtual bool has_dangling() const { return false; }
};

/// Of a cluster that has never finalized one.
inline const FinalizedFeatures nothing_finalized{};

}  // namespace model
