#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// C35: its partitions begin empty and on other metadata partitions, and share no copy with those of before. Nothing
/// happens while the topic is there.
class TopicCreate final : public Fault {
 public:
  explicit TopicCreate(const FaultMaking& making) : target_(making.row.target) {}
  void start(Breakable& world) override {
    for (const std::string_view topic : topics_of(target_, world)) world.create_topic(topic);
  }

 private:
  const Target& target_;
};

constexpr std::array targets{TargetKind::topic, TargetKind::all};

}  // namespace

const FaultKind topic_create_fault{
    {"topic-create", "A deleted topic is created again under its name, with another id.", true, false, targets, {}},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<TopicCreate>(making); }};

}  // namespace sim
