#include <fmt/format.h>

#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "terminal-stays-terminal";

class TerminalStaysTerminal final : public Invariant {
 public:
  explicit TerminalStaysTerminal(const WorldView&) {}
  void on(const TraceRecord& record, const WorldView& world, const Ledger&, ViolationSink& sink) override {
    if (const auto* const forgotten = std::get_if<RecordsForgotten>(&record.event)) {
      // What the topic no longer says has not been.
      for (std::uint32_t number = 0; number < ended_.size(); ++number) {
        if (world.segment(number).partition == forgotten->partition) ended_[number] = false;
      }
      return;
    }
    const auto& transition = std::get<Transition>(record.event);
    if (!transition.applied) return;
    const std::uint32_t number = transition.segment->number;
    if (number >= ended_.size()) ended_.resize(number + 1);
    if (transition.to == RemoteLogSegmentState::delete_segment_finished) {
      ended_[number] = true;
    } else if (ended_[number]) {
      sink.broken(name, name_of(world, *transition.segment),
                  fmt::format("{} after DELETE_SEGMENT_FINISHED", to_string(transition.to)));
    }
  }

 private:
  /// By number: whether the copy has been DELETE_SEGMENT_FINISHED.
  std::vector<bool> ended_;
};

}  // namespace

InvariantEntry terminal_stays_terminal() {
  return {name, InvariantKind::safety, "Nothing follows DELETE_SEGMENT_FINISHED.",
          event_kinds<Transition, RecordsForgotten>, &make_invariant<TerminalStaysTerminal>};
}

}  // namespace sim
