#include "sim/faults/publish_failure.h"

#include <algorithm>

namespace sim {

PublishFailure::PublishFailure(const FaultMaking& making, PublishEffect effect)
    : row_(making.row),
      effect_(effect),
      probability_(ratio_param(making.row, "probability")),
      state_(making.row.param("state")),
      seed_(making.seed) {
  effect_.fault = making.index;
}

void PublishFailure::start(Breakable& world) {
  Target brokers;
  Target partitions;
  for (const TargetNode& node : row_.target.from) {
    (node.kind == TargetKind::broker ? brokers : partitions).from.push_back(node);
  }
  brokers_ = brokers_of(brokers, world);
  partitions_ = metadata_partitions_of(partitions, world);
}

PublishEffect PublishFailure::on_publish(const PublishRequest& request) const {
  if (state_ != "any" && state_ != to_string(request.state)) return {};
  const bool is_meant = std::find(brokers_.begin(), brokers_.end(), request.broker) != brokers_.end() ||
                        std::binary_search(partitions_.begin(), partitions_.end(), request.metadata_partition);
  if (!is_meant || !chance(publish_draw(seed_, *effect_.fault, request), probability_)) return {};
  return effect_;
}

}  // namespace sim
