#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// The store carries a put or a delete out again some time later, and answers the first alone: a put can land after its
/// own delete. What brokers send each other is numbered (idempotent producer, fetch offsets), so that it changes
/// nothing.
class LinkDuplicate final : public Fault {
 public:
  explicit LinkDuplicate(const FaultMaking& making)
      : target_(making.row.target),
        probability_(ratio_param(making.row, "probability")),
        delay_(duration_param(making.row, "delay")),
        seed_(making.seed),
        index_(making.index) {}
  void start(Breakable& world) override { links_ = links_of(target_, world); }
  bool judges_messages() const override { return true; }
  std::optional<Repetition> repeats(const Message& message) const override {
    if (!goes_over(message, links_) || !chance(message_draw(seed_, index_, message), probability_)) return std::nullopt;
    return Repetition{delay_, index_};
  }

 private:
  const Target& target_;
  Ratio probability_;
  Duration delay_;
  Seed seed_;
  std::uint32_t index_;
  std::vector<Link> links_;
};

constexpr std::array targets{TargetKind::link};
constexpr std::array params{ParamInfo{"probability", ParamType::ratio, "1", "", "Of each request, each try anew."},
                            ParamInfo{"delay", ParamType::duration, "1s", "", "From the first time to the second."}};

}  // namespace

const FaultKind link_duplicate_fault{
    {"link-duplicate", "Requests to the store arrive twice with a probability.", false, true, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<LinkDuplicate>(making); }};

}  // namespace sim
