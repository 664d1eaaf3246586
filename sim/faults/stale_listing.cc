#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// A listing of the store shows what there was some time ago. Only the scrubber lists.
class StaleListing final : public Fault {
 public:
  explicit StaleListing(const FaultMaking& making) : age_(duration_param(making.row, "age")) {}
  Duration listing_age() const override { return age_; }

 private:
  Duration age_;
};

constexpr std::array targets{TargetKind::store, TargetKind::all};
constexpr std::array params{ParamInfo{"age", ParamType::duration, "", "", "How old what it shows is."}};

}  // namespace

const FaultKind stale_listing_fault{
    {"stale-listing", "Listings of the store show what there was some time ago.", false, false, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<StaleListing>(making); }};

}  // namespace sim
