#pragma once

#include <array>

#include "sim/faults/row_values.h"

namespace sim {

// What every kind that makes a publish go wrong takes.
inline constexpr std::array publish_targets{TargetKind::metadata, TargetKind::metadata_partition,
                                            TargetKind::metadata_of, TargetKind::broker, TargetKind::all};
inline constexpr ParamInfo publish_probability{"probability", ParamType::ratio, "1", "", "Of each publish, each anew."};
inline constexpr ParamInfo publish_state{
    "state", ParamType::word, "any",
    "any|COPY_SEGMENT_STARTED|COPY_SEGMENT_FINISHED|DELETE_SEGMENT_STARTED|DELETE_SEGMENT_FINISHED|DANGLING",
    "Only records that say this."};

/// Publishes to some metadata partitions, or by some brokers, go wrong with a probability.
class PublishFailure final : public Fault {
 public:
  PublishFailure(const FaultMaking& making, PublishEffect effect);
  void start(Breakable& world) override;
  bool judges_publishes() const override { return true; }
  PublishEffect on_publish(const PublishRequest& request) const override;

 private:
  const FaultRow& row_;
  PublishEffect effect_;
  Ratio probability_;
  std::string_view state_;
  Seed seed_;
  /// What the target means; a publish that meets either is meant.
  std::vector<BrokerId> brokers_;
  std::vector<MetadataPartition> partitions_;
};

}  // namespace sim
