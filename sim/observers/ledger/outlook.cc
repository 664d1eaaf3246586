#include <algorithm>
#include <tuple>

#include "model/check.h"
#include "model/policy.h"
#include "sim/observers/ledger/state.h"

namespace sim {
namespace {

/// When and by what a copy will go, if nothing else happens.
struct Fate {
  Remover by = Remover::none;
  std::optional<SimTime> due;
};

/// Looks into one partition's future: the copy task's sweep and the expiration task's walk (facts 6.1) on its leader.
class Outlook {
 public:
  Outlook(const WorldView& world, const LedgerPartition& partition)
      : world_(world),
        partition_(partition),
        policy_(world.policy_of(partition.leader)),
        log_(world.log(partition.leader, partition.number)),
        cache_(world.cache(partition.leader, partition.number)),
        next_run_(world.now() + world.scenario().brokers[broker_index()].manager.task_interval) {
    if (goes_on(TaskKind::expiration)) walk();
  }

  Fate of(const Copy& copy) const {
    const auto entry = cache_.find(*copy.segment);
    const auto sweeps_from =
        entry ? policy_.sweeps_from(*entry, partition_.leader, world_.scenario().copy_bounds()) : std::nullopt;
    const bool is_swept = sweeps_from && world_.is_up(partition_.leader) && goes_on(TaskKind::copy);
    if (is_swept) return {Remover::sweep, std::max(next_run_, *sweeps_from)};
    const auto below = [](const Met& met, std::uint32_t number) { return met.number < number; };
    const auto found = std::lower_bound(met_.begin(), met_.end(), copy.segment->number, below);
    if (found != met_.end() && found->number == copy.segment->number) return found->fate;
    return {};
  }

 private:
  struct Met {
    std::uint32_t number;
    Fate fate;
  };

  std::size_t broker_index() const { return static_cast<std::size_t>(partition_.leader.value() - 1); }

  /// Whether the leader has a task of this kind that will run again.
  bool goes_on(TaskKind kind) const {
    const Rules& rules = policy_.rules();
    const bool is_disabled = rules.local_log.copy_is_disabled(world_.topic_options(partition_.topic));
    if (kind == TaskKind::copy && is_disabled) return false;
    return !partition_.has_ended(rules.one_task ? TaskKind::copy : kind);
  }

  void walk() {
    const EpochEntries lineage = build_filtered_leader_epochs(log_.leader_epochs().entries());
    if (lineage.empty()) return;
    std::vector<RemoteLogSegmentMetadata> listed;
    // The walk stops at the first copy that is kept: nothing goes before all that it meets earlier has expired as well.
    SimTime reached = next_run_;
    bool goes_on = true;
    for (std::size_t i = 0; i < lineage.size() && goes_on; ++i) {
      listed.clear();
      cache_.list_remote_log_segments(lineage[i].epoch, listed);
      for (const RemoteLogSegmentMetadata& metadata : listed) {
        goes_on = meet(metadata, lineage, reached);
        if (!goes_on) break;
      }
    }
    meet_truncated_epochs(lineage);
    const auto order = [](const Met& a, const Met& b) {
      return std::tuple{a.number, a.fate.due} < std::tuple{b.number, b.fate.due};
    };
    std::sort(met_.begin(), met_.end(), order);
  }

  /// False when the walk can never pass this copy.
  bool meet(const RemoteLogSegmentMetadata& metadata, const EpochEntries& lineage, SimTime& reached) {
    const RemoteLogSegment& segment = *metadata.segment;
    const bool is_dangling = metadata.state == RemoteLogSegmentState::dangling;
    const auto in_walk = policy_.dangling_in_walk();
    if (is_dangling && in_walk == KipDanglingOptions::Expiration::skip) return true;
    const bool is_deleting = metadata.state == RemoteLogSegmentState::delete_segment_started;
    if ((is_deleting && policy_.rules().retry_delete_started) ||
        (is_dangling && in_walk == KipDanglingOptions::Expiration::delete_it)) {
      met_.push_back({segment.number, {Remover::expiration, reached}});
      return true;
    }
    const bool is_of_first_epoch = segment.segment_leader_epochs.back().epoch <= lineage.front().epoch;
    if (is_of_first_epoch && segment.end_offset < log_.log_start_offset()) {
      met_.push_back({segment.number, {Remover::retention, reached}});
      return true;
    }
    if (!is_remote_segment_within_leader_epochs(segment, log_.log_end_offset(), lineage,
                                                policy_.rules().lineage_rule)) {
      return true;
    }
    if (!partition_.retention_time) return false;
    reached = std::max(reached, segment.max_timestamp + *partition_.retention_time);
    met_.push_back({segment.number, {Remover::retention, reached}});
    return true;
  }

  /// What belongs to epochs before the leader's history goes with the next run (facts 6.6).
  void meet_truncated_epochs(const EpochEntries& lineage) {
    std::vector<LeaderEpoch> epochs;
    cache_.list_epochs(epochs);
    std::vector<RemoteLogSegmentMetadata> listed;
    const LeaderEpoch earliest = log_.leader_epochs().entries().front().epoch;
    for (const LeaderEpoch epoch : epochs) {
      if (epoch >= earliest || epoch >= lineage.front().epoch) break;
      listed.clear();
      cache_.list_remote_log_segments(epoch, listed);
      for (const RemoteLogSegmentMetadata& metadata : listed) {
        if (metadata.segment->segment_leader_epochs.back().epoch >= earliest) continue;
        met_.push_back({metadata.segment->number, {Remover::retention, next_run_}});
      }
    }
  }

  const WorldView& world_;
  const LedgerPartition& partition_;
  const Policy& policy_;
  const UnifiedLog& log_;
  const RemoteLogMetadataCache& cache_;
  SimTime next_run_;
  /// Ascending by number, the earliest fate first.
  std::vector<Met> met_;
};

/// What becomes of a deleted topic's copy: the leader's one attempt alone removes it, as long as that is under way.
Fate fate_after_topic_deletion(const Copy& copy, const HoldTable& holds, SimTime now) {
  for (std::uint32_t i = copy.first_hold; i != no_index; i = holds[i].next_of_copy) {
    if (holds[i].task == TaskKind::partition_deletion) return {Remover::topic_deletion, now};
  }
  return {};
}

/// A delete of the copy leaves the parts of its cut uploads.
Bytes dead_parts(const Copy& copy) { return copy.standing.parts_are_live ? Bytes{0} : copy.parts; }
bool is_only_parts(const Copy& copy) { return copy.objects == Bytes{0} && dead_parts(copy) > Bytes{0}; }

struct Fates {
  Fate objects;
  Fate parts;
};

/// What becomes of what a failure left of a copy; `outlook` nothing: its topic is deleted.
Fates fates_of(const WorldView& world, const HoldTable& holds, SimTime now, const std::optional<Outlook>& outlook,
               const Copy& copy) {
  Fates fates;
  if (!is_only_parts(copy) && is_unsettled(copy.state)) {
    fates.objects = outlook ? outlook->of(copy) : fate_after_topic_deletion(copy, holds, now);
  }
  const bool is_unclaimed = fates.objects.by == Remover::none && copy.objects > Bytes{0};
  if (const auto at = world.scrubbed_at(*copy.segment); at && is_unclaimed) fates.objects = {Remover::scrubber, at};
  const bool has_dead_parts = dead_parts(copy) > Bytes{0};
  if (const auto at = world.upload_aborted_at(*copy.segment); at && has_dead_parts) {
    fates.parts = {Remover::bucket_rule, at};
  }
  return fates;
}

}  // namespace

void Ledger::State::close_books() {
  closed = true;
  std::vector<std::uint32_t> open;
  for (const Leftover& row : leftovers) {
    if (copies[row.segment->number].leftover_open) open.push_back(row.segment->number);
  }
  const auto partition_number = [this](std::uint32_t number) { return copies[number].segment->partition; };
  std::sort(open.begin(), open.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple{partition_number(a), a} < std::tuple{partition_number(b), b};
  });
  for (auto first = open.begin(); first != open.end();) {
    const PartitionNumber partition = partition_number(*first);
    const auto last =
        std::find_if(first, open.end(), [&](std::uint32_t number) { return partition_number(number) != partition; });
    foresee(partition, {&*first, static_cast<std::size_t>(last - first)});
    first = last;
  }
  std::sort(leftovers.begin(), leftovers.end(), [](const Leftover& a, const Leftover& b) {
    return std::tuple{a.became_garbage, a.segment->number} < std::tuple{b.became_garbage, b.segment->number};
  });
}

void Ledger::State::foresee_bytes(Bytes garbage, const std::optional<SimTime>& due) {
  if (garbage == Bytes{0}) return;
  if (!due) {
    never += garbage;
  } else {
    last_due = std::max(last_due.value_or(*due), *due);
  }
}

void Ledger::State::foresee(PartitionNumber partition_number, std::span<const std::uint32_t> open) {
  const LedgerPartition& partition = partitions[partition_number.value()];
  std::optional<Outlook> outlook;
  if (!partition.is_deleted) outlook.emplace(world, partition);
  for (const std::uint32_t number : open) {
    const Copy& copy = copies[number];
    Leftover& row = leftovers[copy.leftover];
    row.state = to_state(copy.state);
    const Fates fates = fates_of(world, holds, now, outlook, copy);
    const Fate& told = is_only_parts(copy) ? fates.parts : fates.objects;
    row.due_by = told.by;
    row.due = told.due;
    foresee_bytes(copy.garbage() - dead_parts(copy), fates.objects.due);
    foresee_bytes(dead_parts(copy), fates.parts.due);
  }
}

CopyReport Ledger::State::report_of(const Copy& copy) const {
  CopyReport report;
  report.state = to_state(copy.state);
  report.objects = copy.objects;
  report.parts = copy.parts;
  bool failed = false;
  report.objects_class = class_of(copy, failed);
  if (copy.standing.parts_are_live) report.parts_class = ByteClass::in_flight;
  if (copy.fault != no_index) report.fault = copy.fault;
  report.last_step = copy.last_step;

  // While the initial state is told nobody leads.
  if (!begun) return report;
  const LedgerPartition& partition = partition_of(copy);
  std::optional<Outlook> outlook;
  if (!partition.is_deleted) outlook.emplace(world, partition);
  const Fates fates = fates_of(world, holds, now, outlook, copy);
  Fate told = is_only_parts(copy) ? fates.parts : fates.objects;
  if (outlook && copy.state == FoldedState::finished) told = outlook->of(copy);
  report.due_by = told.by;
  report.due = told.due;
  if (copy.leftover == no_index) return report;
  report.leftover = leftovers[copy.leftover];
  if (!copy.leftover_open) return report;
  report.leftover->state = report.state;
  report.leftover->due_by = told.by;
  report.leftover->due = told.due;
  return report;
}

}  // namespace sim
