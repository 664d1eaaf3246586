#include <optional>
#include <vector>

#include <fmt/format.h>

#include "model/policy.h"
#include "model/remote_log_segment_record.h"
#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "caches-converge";

/// Judged at the end, for each replica whose consumer has everything, by the version that its broker runs then: its
/// process has read the topic from the beginning. An older version reads a tagged DANGLING as something else and drops
/// what follows by other rules (readings 7), so that such a cache is held against a fold of its own.
class CachesConverge final : public Invariant {
 public:
  explicit CachesConverge(const WorldView&) {}

  void on(const TraceRecord& record, const WorldView& world, const Ledger&, ViolationSink&) override {
    const auto& transition = std::get<Transition>(record.event);
    if (transition.to != RemoteLogSegmentState::dangling) return;
    has_dangling_.resize(world.partition_count());
    has_dangling_[transition.segment->partition.value()] = true;
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
  bool agrees(const WorldView& world, BrokerId broker, PartitionNumber partition) const {
    const TransitionTable table = world.policy_of(broker).transitions();
    const std::uint64_t hash = world.cache(broker, partition).content_hash();
    // Without DANGLING all tables are one.
    if (table == TransitionTable::kip || has_dangling_.empty() || !has_dangling_[partition.value()]) {
      return hash == world.folded(partition).content_hash();
    }
    const auto own = fold_as(table, world.records(partition));
    return own && hash == own->content_hash();
  }

  /// Nothing where such a version cannot have read them all.
  static std::optional<RemoteLogMetadataCache> fold_as(TransitionTable table,
                                                       const std::vector<RemoteLogSegmentMetadata>& records) {
    RemoteLogMetadataCache cache{table};
    for (RemoteLogSegmentMetadata record : records) {
      const auto state = read_state(table, write_state(record.state, record.encoding));
      if (!state) return std::nullopt;
      record.state = *state;
      cache.handle(record);
    }
    return cache;
  }

  /// By partition: whether a record ever said so. Empty before the first.
  std::vector<bool> has_dangling_;
};

}  // namespace

InvariantEntry caches_converge() {
  return {name, InvariantKind::safety, "Every replica's cache ends as the fold of the metadata topic by its own table.",
          event_kinds<Transition>, &make_invariant<CachesConverge>};
}

}  // namespace sim
