#include <array>

#include "sim/faults/faults.h"

namespace sim {

namespace {

/// A topic is deleted (facts 4.3): whoever leads a partition then removes its copies, once.
class TopicDelete final : public Fault {
 public:
  explicit TopicDelete(const FaultMaking& making) : target_(making.row.target) {}
  void start(Breakable& world) override {
    for (const TargetNode& node : target_.from) world.delete_topic(node.topic);
  }
  bool hits_when_started() const override { return true; }

 private:
  const Target& target_;
};

constexpr std::array targets{TargetKind::topic};

}  // namespace

const FaultKind topic_delete_fault{
    {"topic-delete", "A topic is deleted; the leaders of its partitions remove its copies.", true, false, targets, {}},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<TopicDelete>(making); }};

}  // namespace sim
