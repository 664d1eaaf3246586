#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "sim/observers/invariants/entries.h"

namespace sim {
namespace {

constexpr std::string_view name = "readable-offsets";
constexpr Offset offset_max{std::numeric_limits<std::int64_t>::max()};

/// Records are judged with the ledger's index, the whole with the world's own fold and store.
class ReadableOffsets final : public Invariant {
 public:
  explicit ReadableOffsets(const WorldView&) {}

  void on(const TraceRecord& record, const WorldView& world, const Ledger& ledger, ViolationSink& sink) override {
    if (const auto* const transition = std::get_if<Transition>(&record.event)) {
      const bool took_away = transition->applied && transition->from == RemoteLogSegmentState::copy_segment_finished;
      if (took_away) look_at(*transition->segment, world, ledger, sink);
    } else if (const auto* const bytes = std::get_if<BytesChanged>(&record.event)) {
      if (bytes->delta >= Bytes{0}) return;
      const bool is_finished = ledger.state_of(*bytes->segment) == RemoteLogSegmentState::copy_segment_finished;
      if (is_finished) look_at(*bytes->segment, world, ledger, sink);
    } else if (const auto* const local = std::get_if<LocalSegmentsDeleted>(&record.event)) {
      if (local->broker != world.leader(local->partition)) return;
      Offset& judged = judged_until(local->partition);
      look_at(local->partition, judged, local->local_log_start_offset, world, ledger, sink);
      judged = std::max(judged, local->local_log_start_offset);
    } else if (const auto* const leader = std::get_if<LeaderChanged>(&record.event)) {
      look_at(leader->partition, Offset{0}, offset_max, world, ledger, sink);
      judged_until(leader->partition) = Offset{0};
    } else if (const auto* const forgotten = std::get_if<RecordsForgotten>(&record.event)) {
      look_at(forgotten->partition, Offset{0}, offset_max, world, ledger, sink);
    }
  }

  void check(const WorldView& world, const Ledger&, ViolationSink& sink) override {
    for (std::uint32_t i = 0; i < world.partition_count(); ++i) {
      const PartitionNumber partition{i};
      if (const auto offset = first_unreadable(world, partition)) report(partition, *offset, world, sink);
    }
  }

 private:
  static void look_at(const RemoteLogSegment& segment, const WorldView& world, const Ledger& ledger,
                      ViolationSink& sink) {
    look_at(segment.partition, segment.start_offset, next(segment.end_offset), world, ledger, sink);
  }
  static void look_at(PartitionNumber partition, Offset from, Offset to, const WorldView& world, const Ledger& ledger,
                      ViolationSink& sink) {
    if (const auto offset = ledger.first_unreadable(partition, from, to)) report(partition, *offset, world, sink);
  }
  static void report(PartitionNumber partition, Offset offset, const WorldView& world, ViolationSink& sink) {
    sink.broken(
        name, name_of(world, partition),
        fmt::format("offset {} is neither on the leader's disk nor in a finished copy whose objects are all stored",
                    offset));
  }

  static std::optional<Offset> first_unreadable(const WorldView& world, PartitionNumber partition) {
    const UnifiedLog& log = world.leader_log(partition);
    const EpochEntries& epochs = log.leader_epochs().entries();
    const Offset end = std::min(log.local_log_start_offset(), log.high_watermark());
    Offset offset = log.log_start_offset();
    if (offset >= end) return std::nullopt;
    const RemoteLogMetadataCache& folded = world.folded(partition);
    for (std::size_t i = 0; i < epochs.size() && offset < end; ++i) {
      const Offset epoch_end = i + 1 < epochs.size() ? std::min(end, epochs[i + 1].start_offset) : end;
      while (offset < epoch_end) {
        if (offset < epochs[i].start_offset) return offset;
        const auto found = folded.remote_log_segment_metadata(epochs[i].epoch, offset);
        if (!found || !is_whole(world, *found->segment)) return offset;
        offset = next(found->segment->end_offset);
      }
    }
    return offset < end ? std::optional{offset} : std::nullopt;
  }

  static bool is_whole(const WorldView& world, const RemoteLogSegment& segment) {
    const ClientOptions& client = world.scenario().client;
    const auto has = [&](ObjectKind kind, Bytes size) { return world.stored(segment, kind, StoredAs::object) >= size; };
    return has(ObjectKind::log, segment.size) && has(ObjectKind::indexes, client.indexes_bytes) &&
           has(ObjectKind::producer_snapshot, client.producer_snapshot_bytes) &&
           has(ObjectKind::leader_epoch_checkpoint, client.leader_epoch_checkpoint_bytes);
  }

  Offset& judged_until(PartitionNumber partition) {
    if (partition.value() >= judged_until_.size()) judged_until_.resize(partition.value() + 1);
    return judged_until_[partition.value()];
  }

  /// By partition: up to where local deletions have been judged under its leader.
  std::vector<Offset> judged_until_;
};

}  // namespace

InvariantEntry readable_offsets() {
  return {name, InvariantKind::safety,
          "Every offset from the log start to the high watermark is local or in a finished copy whose objects are all "
          "stored.",
          event_kinds<Transition, BytesChanged, LocalSegmentsDeleted, LeaderChanged, RecordsForgotten>,
          &make_invariant<ReadableOffsets>};
}

}  // namespace sim
