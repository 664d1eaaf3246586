#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// Directions of links carry nothing.
class Partition final : public Fault {
 public:
  explicit Partition(const FaultMaking& making) : target_(making.row.target) {}
  void start(Breakable& world) override {
    links_ = links_of(target_, world);
    world.cut(links_);
  }
  void heal(Breakable& world) override { world.restore(links_); }

 private:
  const Target& target_;
  std::vector<Link> links_;
};

constexpr std::array targets{TargetKind::link};

}  // namespace

const FaultKind partition_fault{
    {"partition", "A link carries nothing in one direction (A>B) or in both (A<>B).", false, false, targets, {}},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<Partition>(making); }};

}  // namespace sim
