#include <array>

#include "sim/faults/call_failure.h"
#include "sim/faults/faults.h"

namespace sim {

namespace {

constexpr std::array targets{TargetKind::store, TargetKind::broker, TargetKind::all};
constexpr std::array params{
    ParamInfo{"probability", ParamType::ratio, "1", "", "Of each call, each anew."},
    ParamInfo{"stored", ParamType::stored, "none", "",
              "Written before it fails: none, all, a size, or an object for all that comes before it."},
    ParamInfo{"error", ParamType::word, "permanent", error_words, "What the failure says about another try."},
    ParamInfo{"answer", ParamType::word, "given", "given|lost",
              "Whether the caller hears of it, or only its own time-out."},
};

}  // namespace

const FaultKind copy_fail_fault{
    {"copy-fail", "The plug-in's upload of a segment fails with a probability.", false, true, targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> {
      return std::make_unique<CallFailure>(making, StoreOperation::put);
    }};

}  // namespace sim
