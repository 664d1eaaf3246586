#include <fmt/format.h>

#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "copy-lag-zero";

/// A segment that was closed within the last two task intervals may still wait for its turn.
class CopyLagZero final : public Invariant {
 public:
  explicit CopyLagZero(const WorldView&) {}

  void on(const TraceRecord& record, const WorldView& world, const Ledger&, ViolationSink&) override {
    const auto& rolled = std::get<SegmentRolled>(record.event);
    if (rolled.partition.value() >= rolls_.size()) rolls_.resize(world.partition_count());
    std::vector<Roll>& rolls = rolls_[rolled.partition.value()];
    const SimTime recent = record.time - patience(world, rolled.partition);
    std::erase_if(rolls, [recent](const Roll& roll) { return roll.time < recent; });
    rolls.push_back({record.time, rolled.size});
  }

  void judge(const WorldView& world, const Ledger&, ViolationSink& sink) override {
    rolls_.resize(world.partition_count());
    for (std::uint32_t i = 0; i < world.partition_count(); ++i) {
      const PartitionNumber partition{i};
      const SimTime recent = world.now() - patience(world, partition);
      Bytes just_closed;
      for (const Roll& roll : rolls_[i]) {
        if (roll.time >= recent) just_closed += roll.size;
      }
      const Bytes lag = world.copy_lag(partition);
      if (lag <= just_closed) continue;
      sink.broken(name, name_of(world, partition), fmt::format("{} bytes of closed segments are not copied", lag));
    }
  }

 private:
  struct Roll {
    SimTime time;
    Bytes size;
  };

  static Duration patience(const WorldView& world, PartitionNumber partition) {
    const auto leader = static_cast<std::size_t>(world.leader(partition).value() - 1);
    return 2 * world.scenario().brokers[leader].manager.task_interval;
  }

  /// By partition: its latest rolls.
  std::vector<std::vector<Roll>> rolls_;
};

}  // namespace

InvariantEntry copy_lag_zero() {
  return {name, InvariantKind::liveness, "What is closed gets copied.", event_kinds<SegmentRolled>,
          &make_invariant<CopyLagZero>};
}

}  // namespace sim
