#include <array>

#include "sim/faults/call_failure.h"
#include "sim/faults/faults.h"

namespace sim {

namespace {

constexpr std::array params{
    call_probability,
    ParamInfo{"stored", ParamType::stored, "none", "",
              "Gone before it fails: none, all, a size, or an object for all that comes before it."},
    call_error, call_answer};

}  // namespace

const FaultKind delete_fail_fault{
    {"delete-fail", "The plug-in's deletion of a segment fails with a probability.", false, true, call_targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> {
      return std::make_unique<CallFailure>(making, StoreOperation::remove);
    }};

}  // namespace sim
