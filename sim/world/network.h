#pragma once

#include <cstdint>
#include <vector>

#include "sim/faults/fault.h"

namespace sim {

/// Which directions of which links carry. Nodes are the store and the brokers; partitions of the metadata topic live on
/// brokers. A direction may be cut by several faults at once and carries again when the last of them has healed.
class Network {
 public:
  Network(std::int32_t broker_count, DurationDistribution latency, Seed seed);

  bool is_open(Node from, Node to) const { return link(from, to).cuts == 0; }
  /// The fault that cut the direction last.
  FaultIndex cutter(Node from, Node to) const { return link(from, to).cutter; }
  /// True when the direction carried before.
  bool cut(Node from, Node to, std::uint32_t fault);
  /// True when the direction carries now.
  bool restore(Node from, Node to);
  /// Messages in this direction take this much longer, all faults together.
  void delay(Node from, Node to, Duration by, std::uint32_t fault);
  Duration extra_delay(Node from, Node to) const { return link(from, to).delay; }
  /// The fault that made it slower last, while it is.
  FaultIndex delayer(Node from, Node to) const { return link(from, to).delayer; }
  /// One way, for one message; `what` keys the draw.
  Duration latency(std::uint64_t what) const;

 private:
  struct Link {
    std::int32_t cuts = 0;
    FaultIndex cutter;
    FaultIndex delayer;
    Duration delay{0};
  };
  std::size_t index(Node from, Node to) const {
    return static_cast<std::size_t>(from.number) * node_count_ + static_cast<std::size_t>(to.number);
  }
  const Link& link(Node from, Node to) const { return links_[index(from, to)]; }

  std::size_t node_count_;
  std::vector<Link> links_;
  DurationDistribution latency_;
  Seed seed_;
};

}  // namespace sim
