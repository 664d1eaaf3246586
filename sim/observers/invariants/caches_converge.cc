#include <map>
#include <optional>

#include <fmt/format.h>

#include "model/policy.h"
#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "caches-converge";

/// Judged at the end, for each replica whose consumer has everything. A broker that knows only Kafka's states drops
/// what the KIP adds, so where brokers differ such caches are held against a fold of their own, of which only the
/// states are kept.
class CachesConverge final : public Invariant {
 public:
  explicit CachesConverge(const WorldView&) {}

  void on(const TraceRecord& record, const WorldView& world, const Ledger&, ViolationSink&) override {
    if (!is_mixed(world)) return;
    const auto& transition = std::get<Transition>(record.event);
    const std::uint32_t number = transition.segment->number;
    if (number >= kafka_fold_.size()) kafka_fold_.resize(number + 1);
    std::optional<RemoteLogSegmentState>& state = kafka_fold_[number];
    if (!is_valid_transition(TransitionTable::kafka, state, transition.to)) return;
    state = transition.to;
    if (state == RemoteLogSegmentState::delete_segment_finished) state.reset();
  }

  void judge(const WorldView& world, const Ledger&, ViolationSink& sink) override {
    for (std::uint32_t i = 0; i < world.partition_count(); ++i) {
      const PartitionNumber partition{i};
      for (const BrokerId broker : world.replicas(partition)) {
        if (!world.is_up(broker) || !world.has_consumed_all(broker, partition)) continue;
        if (agrees(world, broker, partition)) continue;
        sink.broken(name, fmt::format("{} on broker {}", name_of(world, partition), broker),
                    "the cache differs from the metadata topic although its consumer has everything");
      }
    }
  }

 private:
  bool agrees(const WorldView& world, BrokerId broker, PartitionNumber partition) {
    const RemoteLogMetadataCache& cache = world.cache(broker, partition);
    const bool knows_all_states = world.policy_of(broker).transitions() == TransitionTable::kip || !is_mixed(world);
    if (knows_all_states) return cache.content_hash() == world.folded(partition).content_hash();

    std::vector<RemoteLogSegmentMetadata> list;
    cache.list_all_remote_log_segments(list);
    std::map<std::uint32_t, RemoteLogSegmentState> states;
    for (const RemoteLogSegmentMetadata& metadata : list) states.emplace(metadata.segment->number, metadata.state);
    std::size_t count = 0;
    for (std::uint32_t number = 0; number < kafka_fold_.size(); ++number) {
      if (!kafka_fold_[number] || world.segment(number).partition != partition) continue;
      const auto found = states.find(number);
      if (found == states.end() || found->second != *kafka_fold_[number]) return false;
      ++count;
    }
    return count == states.size();
  }

  /// Whether some brokers know the KIP's states and some do not.
  bool is_mixed(const WorldView& world) {
    if (!is_mixed_) {
      const auto count = static_cast<std::int32_t>(world.scenario().brokers.size());
      is_mixed_ = false;
      for (std::int32_t id = 2; id <= count; ++id) {
        is_mixed_ =
            *is_mixed_ || world.policy_of(BrokerId{id}).transitions() != world.policy_of(BrokerId{1}).transitions();
      }
    }
    return *is_mixed_;
  }

  std::optional<bool> is_mixed_;
  /// By number; nothing before the first event and after the last.
  std::vector<std::optional<RemoteLogSegmentState>> kafka_fold_;
};

}  // namespace

InvariantEntry caches_converge() {
  return {name, InvariantKind::safety, "Every replica's cache ends as the fold of the metadata topic by its own table.",
          event_kinds<Transition>, &make_invariant<CachesConverge>};
}

}  // namespace sim
