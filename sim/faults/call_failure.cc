#include "sim/faults/call_failure.h"

namespace sim {

CallEffect CallFailure::on_call(const StorageCall& call) const {
  if (call.operation != operation_ || !is_aimed_at(row_.target, call.broker)) return {};
  if (!chance(call_draw(seed_, index_, call), probability_)) return {};
  CallEffect effect;
  effect.fails = true;
  effect.done_before_failure = stored_param(row_, "stored", *call.segment, client_);
  effect.answer_lost = answer_lost_;
  effect.error = error_;
  effect.fault = index_;
  return effect;
}

}  // namespace sim
