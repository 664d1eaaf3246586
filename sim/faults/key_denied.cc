#include <array>

#include "sim/faults/faults.h"
#include "sim/faults/row_values.h"

namespace sim {

namespace {

/// Single keys may not be touched (object lock, 403 on one key): each try of them is refused, and no client tries twice
/// in one call.
class KeyDenied final : public Fault {
 public:
  explicit KeyDenied(const FaultMaking& making)
      : row_(making.row),
        scenario_(making.scenario),
        operations_(operations_param(making.row, "operations")),
        probability_(ratio_param(making.row, "probability")),
        seed_(making.seed),
        effect_{RequestEffect::Kind::reject, error_param(making.row, "error"), making.index, Duration{0}, true} {
    if (const auto offset = row_.param("offset"); offset != "any") offset_ = Offset{integer_param(row_, "offset")};
  }

  RequestEffect on_request(const StoreRequest& request) override {
    if ((operations_ & operation_bit(request.operation)) == 0 || request.segment == nullptr) return {};
    const RemoteLogSegment& segment = *request.segment;
    if (offset_ && (*offset_ < segment.start_offset || *offset_ > segment.end_offset)) return {};
    const auto object = row_.param("object");
    if (object != "all" && object != to_string(request.object)) return {};
    if (!is_aimed_at(row_.target, scenario_, request.broker, segment)) return {};
    // The key decides, whoever comes and how often.
    const std::uint64_t draw = keyed_draw(seed_, "key-denied", *effect_.fault, segment.partition, segment.start_offset,
                                          request.copy_attempt, request.object);
    return chance(draw, probability_) ? effect_ : RequestEffect{};
  }

 private:
  const FaultRow& row_;
  const Scenario& scenario_;
  std::uint32_t operations_;
  Ratio probability_;
  Seed seed_;
  std::optional<Offset> offset_;
  RequestEffect effect_;
};

constexpr std::array targets{TargetKind::store, TargetKind::broker, TargetKind::topic, TargetKind::partition,
                             TargetKind::all};
constexpr std::array params{
    ParamInfo{"operations", ParamType::operations, "delete", "", "What is denied."},
    ParamInfo{"probability", ParamType::ratio, "1", "", "Of each key, drawn once for all."},
    ParamInfo{"offset", ParamType::integer, "any", "", "Only copies that contain this offset."},
    ParamInfo{"object", ParamType::word, "all", "all|log|indexes|producer-snapshot|leader-epoch-checkpoint",
              "Only this object of a copy."},
    ParamInfo{"error", ParamType::word, "permanent", error_words, "What a refusal says about another try."},
};

}  // namespace

const FaultKind key_denied_fault{
    {"key-denied", "Single keys of the store may not be touched.", false, true, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> { return std::make_unique<KeyDenied>(making); }};

}  // namespace sim
