#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// Each request of some operations is refused with a probability of its own.
class StoreReject final : public Fault {
 public:
  explicit StoreReject(const FaultMaking& making)
      : operations_(operations_param(making.row, "operations")),
        probability_(ratio_param(making.row, "probability")),
        error_(error_param(making.row, "error")),
        seed_(making.seed),
        index_(making.index) {}

  RequestEffect on_request(const StoreRequest& request) override {
    if ((operations_ & operation_bit(request.operation)) == 0) return {};
    if (!chance(request_draw(seed_, index_, request), probability_)) return {};
    return {RequestEffect::Kind::reject, error_, index_};
  }

 private:
  std::uint32_t operations_;
  Ratio probability_;
  RemoteStorageError error_;
  Seed seed_;
  std::uint32_t index_;
};

constexpr std::array targets{TargetKind::store, TargetKind::all};
constexpr std::array params{
    ParamInfo{"operations", ParamType::operations, "put+get+delete+list", "", "Which operations fail."},
    ParamInfo{"probability", ParamType::ratio, "", "", "Of each request, each try anew."},
    ParamInfo{"error", ParamType::word, "permanent", error_words, "What a refusal says about another try."},
};

}  // namespace

const FaultKind store_reject_fault{
    {"store-reject", "The store refuses single requests with a probability.", false, true, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<StoreReject>(making); }};

}  // namespace sim
