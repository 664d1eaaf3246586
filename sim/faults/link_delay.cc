#include <algorithm>
#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// Requests, answers, publishes and what consumers read; what is on its way already is not delayed.
class LinkDelay final : public Fault {
 public:
  explicit LinkDelay(const FaultMaking& making)
      : target_(making.row.target), delay_(duration_param(making.row, "delay")) {}
  void start(Breakable& world) override {
    links_ = links_of(target_, world);
    world.delay(links_, delay_);
  }
  void heal(Breakable& world) override { world.delay(links_, -delay_); }
  bool hits_when_started() const override { return true; }

 private:
  const Target& target_;
  Duration delay_;
  std::vector<Link> links_;
};

constexpr std::array targets{TargetKind::link};
constexpr std::array params{ParamInfo{"delay", ParamType::duration, "", "", "One way, more than else."}};

}  // namespace

const FaultKind link_delay_fault{
    {"link-delay", "Everything sent over a link takes longer.", false, false, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<LinkDelay>(making); }};

}  // namespace sim
