#include "sim/faults/call_failure.h"

namespace sim {

namespace {

bool is_aimed_at(const Target& target, const StorageCall& call) {
  for (const TargetNode& node : target.from) {
    if (node.kind != TargetKind::broker || node.broker == call.broker) return true;
  }
  return false;
}

}  // namespace

CallEffect CallFailure::on_call(const StorageCall& call) const {
  if (call.operation != operation_ || !is_aimed_at(row_.target, call)) return {};
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
