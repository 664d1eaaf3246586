#include <algorithm>
#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// The store takes so many requests a second, a second's worth of them at once, and asks all others to come later (503
/// SlowDown). Refused requests do not count.
class StoreThrottle final : public Fault {
 public:
  explicit StoreThrottle(const FaultMaking& making)
      : operations_(operations_param(making.row, "operations")),
        interval_(Duration{1s} / std::max(integer_param(making.row, "rate"), 1)),
        effect_{RequestEffect::Kind::reject, error_param(making.row, "error"), making.index,
                duration_param(making.row, "retry-after")} {}

  void start(Breakable&) override { due_ = time_start; }
  RequestEffect on_request(const StoreRequest& request) override {
    if ((operations_ & operation_bit(request.operation)) == 0) return {};
    const SimTime due = std::max(due_, request.sent);
    if (due + interval_ - request.sent > 1s) return effect_;
    due_ = due + interval_;
    return {};
  }

 private:
  std::uint32_t operations_;
  Duration interval_;
  RequestEffect effect_;
  /// When the requests taken so far would all have come, had they come one an interval.
  SimTime due_ = time_start;
};

constexpr std::array targets{TargetKind::store, TargetKind::all};
constexpr std::array params{
    ParamInfo{"rate", ParamType::integer, "", "", "Requests a second that the store takes."},
    ParamInfo{"retry-after", ParamType::duration, "0s", "", "How long it asks a client to wait at least."},
    ParamInfo{"operations", ParamType::operations, "put+get+delete+list", "",
              "Which operations count and are refused."},
    ParamInfo{"error", ParamType::word, "permanent", error_words, "What a refusal says about another try."},
};

}  // namespace

const FaultKind store_throttle_fault{
    {"store-throttle", "The store takes so many requests a second and refuses the others.", false, false, targets,
     params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<StoreThrottle>(making); }};

}  // namespace sim
