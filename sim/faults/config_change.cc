#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

constexpr std::string_view unchanged = "unchanged";
constexpr ParamInfo option(std::string_view key) {
  return {key, ParamType::topic_option, unchanged, "", "As the topic's key of this name."};
}

/// Each parameter is a key of the topic with Kafka's values and ours, as in a scenario. Tasks see it at once;
/// remote.log.copy.disable cancels the copy task or makes a new one (facts 4.3).
class ConfigChange final : public Fault {
 public:
  explicit ConfigChange(const FaultMaking& making) : row_(making.row) {}
  void start(Breakable& world) override {
    for (const std::string_view topic : topics_of(row_.target, world)) {
      for (const auto& [key, value] : row_.params) {
        if (value != unchanged) world.change_topic(topic, key, value);
      }
    }
  }
  bool hits_when_started() const override { return true; }

 private:
  const FaultRow& row_;
};

constexpr std::array targets{TargetKind::topic, TargetKind::all};
constexpr std::array params{option("retention.ms"),           option("retention.bytes"), option("local.retention.ms"),
                            option("local.retention.bytes"),  option("segment.bytes"),   option("segment.ms"),
                            option("remote.log.copy.disable")};

}  // namespace

const FaultKind config_change_fault{
    {"config-change", "A topic's configuration is changed while the brokers run.", true, false, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<ConfigChange>(making); }};

}  // namespace sim
