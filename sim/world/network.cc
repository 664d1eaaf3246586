#include "sim/world/network.h"

namespace sim {

Network::Network(std::int32_t broker_count, DurationDistribution latency, Seed seed)
    : node_count_(static_cast<std::size_t>(broker_count) + 1),
      links_(node_count_ * node_count_),
      latency_(latency),
      seed_(seed) {}

bool Network::cut(Node from, Node to, std::uint32_t fault) {
  Link& link = links_[index(from, to)];
  link.cutter = fault;
  return link.cuts++ == 0;
}

bool Network::restore(Node from, Node to) {
  Link& link = links_[index(from, to)];
  CHECK(link.cuts > 0);
  return --link.cuts == 0;
}

void Network::delay(Node from, Node to, Duration by, std::uint32_t fault) {
  Link& link = links_[index(from, to)];
  link.delay += by;
  if (by > Duration{0}) link.delayer = fault;
  if (link.delay == Duration{0}) link.delayer.reset();
}

Duration Network::latency(std::uint64_t what) const {
  if (latency_.kind == DurationDistribution::Kind::fixed) return latency_.first;
  return latency_.draw(keyed_draw(seed_, "network", what));
}

}  // namespace sim
