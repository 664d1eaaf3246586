#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// A lost request or answer ends with the client's time-out. A producer sends a lost record again after its request
/// time-out of 30 s, and a lost acknowledgement comes with that. Fetches of consumers and replicas go on and on anyway.
class LinkLoss final : public Fault {
 public:
  explicit LinkLoss(const FaultMaking& making)
      : target_(making.row.target),
        probability_(ratio_param(making.row, "probability")),
        seed_(making.seed),
        index_(making.index) {}
  void start(Breakable& world) override { links_ = links_of(target_, world); }
  bool judges_messages() const override { return true; }
  bool loses(const Message& message) const override {
    return goes_over(message, links_) && chance(message_draw(seed_, index_, message), probability_);
  }

 private:
  const Target& target_;
  Ratio probability_;
  Seed seed_;
  std::uint32_t index_;
  std::vector<Link> links_;
};

constexpr std::array targets{TargetKind::link};
constexpr std::array params{ParamInfo{"probability", ParamType::ratio, "", "", "Of each message, each anew."}};

}  // namespace

const FaultKind link_loss_fault{
    {"link-loss", "Messages over a link are lost with a probability.", false, true, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<LinkLoss>(making); }};

}  // namespace sim
