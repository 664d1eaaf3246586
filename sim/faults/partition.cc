#include <array>
#include <vector>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

std::vector<Node> nodes_of(const std::vector<TargetNode>& targets, const Breakable& world) {
  std::vector<Node> nodes;
  const auto add_leaders = [&](std::optional<MetadataPartition> only) {
    for (BrokerId leader : world.metadata_leaders(only)) nodes.push_back(Node::broker(leader));
  };
  for (const TargetNode& target : targets) {
    switch (target.kind) {
      case TargetKind::store:
        nodes.push_back(Node::store());
        break;
      case TargetKind::broker:
        nodes.push_back(Node::broker(target.broker));
        break;
      case TargetKind::metadata:
        add_leaders(std::nullopt);
        break;
      case TargetKind::metadata_partition:
        add_leaders(target.metadata_partition);
        break;
      case TargetKind::metadata_of:
        add_leaders(world.metadata_partition_of(target.topic, target.partition));
        break;
      default:  // `*`: everybody.
        nodes.push_back(Node::store());
        for (std::int32_t id = 1; id <= world.broker_count(); ++id) nodes.push_back(Node::broker(BrokerId{id}));
    }
  }
  return nodes;
}

/// Directions of links carry nothing.
class Partition final : public Fault {
 public:
  explicit Partition(const FaultMaking& making) : target_(making.row.target) {}
  void start(Breakable& world) override {
    links_.clear();
    for (Node from : nodes_of(target_.from, world)) {
      for (Node to : nodes_of(target_.to, world)) {
        if (from == to) continue;
        links_.push_back({from, to});
        if (target_.both_ways) links_.push_back({to, from});
      }
    }
    for (const Link& link : links_) world.cut(link.from, link.to);
  }
  void heal(Breakable& world) override {
    for (const Link& link : links_) world.restore(link.from, link.to);
  }

 private:
  struct Link {
    Node from;
    Node to;
  };
  const Target& target_;
  std::vector<Link> links_;
};

constexpr std::array targets{TargetKind::link};

}  // namespace

const FaultKind partition_fault{
    {"partition", "A link carries nothing in one direction (A>B) or in both (A<>B).", false, false, targets, {}},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<Partition>(making); }};

}  // namespace sim
