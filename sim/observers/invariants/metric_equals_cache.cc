#include <bit>

#include <fmt/format.h>

#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "metric-equals-cache";

/// The gauges against the broker's own cache, which may well be wrong itself. The cache's running sums answer each
/// time, and now and then its list is counted as well.
class MetricEqualsCache final : public Invariant {
 public:
  explicit MetricEqualsCache(const WorldView&) {}
  void on(const TraceRecord& record, const WorldView& world, const Ledger&, ViolationSink& sink) override {
    if (const auto* const deleted = std::get_if<PartitionDeleted>(&record.event)) {
      if (is_deleted_.size() < world.partition_count()) is_deleted_.resize(world.partition_count());
      is_deleted_[deleted->partition.value()] = true;
      return;
    }
    const auto& set = std::get<GaugesSet>(record.event);
    // The gauges of a follower and of a deleted topic are removed, whatever the cache holds.
    const bool leads = set.broker == world.leader(set.partition) && !is_deleted(set.partition);
    if (set.gauges == DanglingGauges{} && !leads) return;
    const RemoteLogMetadataCache& cache = world.cache(set.broker, set.partition);
    const DanglingGauges truth = std::has_single_bit(++count_) ? recount(cache) : kept_by(cache);
    if (set.gauges == truth) return;
    sink.broken(name, fmt::format("{} on broker {}", name_of(world, set.partition), set.broker),
                fmt::format("the gauges say {} copies of {} bytes, the cache {} of {}", set.gauges.count,
                            set.gauges.bytes, truth.count, truth.bytes));
  }

 private:
  static DanglingGauges kept_by(const RemoteLogMetadataCache& cache) {
    return {cache.count(RemoteLogSegmentState::dangling), cache.size(RemoteLogSegmentState::dangling)};
  }
  DanglingGauges recount(const RemoteLogMetadataCache& cache) {
    list_.clear();
    cache.list_all_remote_log_segments(list_);
    DanglingGauges gauges;
    for (const RemoteLogSegmentMetadata& metadata : list_) {
      if (metadata.state != RemoteLogSegmentState::dangling) continue;
      ++gauges.count;
      gauges.bytes += metadata.segment->size;
    }
    return gauges;
  }

  bool is_deleted(PartitionNumber partition) const {
    return partition.value() < is_deleted_.size() && is_deleted_[partition.value()];
  }

  /// By partition, once a topic is deleted: its last leader is known still.
  std::vector<bool> is_deleted_;
  std::uint64_t count_ = 0;
  std::vector<RemoteLogSegmentMetadata> list_;
};

}  // namespace

InvariantEntry metric_equals_cache() {
  return {name, InvariantKind::safety,
          "The KIP's gauges equal a recount of their broker's own cache when they are set.",
          event_kinds<GaugesSet, PartitionDeleted>, &make_invariant<MetricEqualsCache>};
}

}  // namespace sim
