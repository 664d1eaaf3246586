// Mirrors: nothing that exists: the KIP's policy, and what a broker could do beyond it with what it knows - its own
// cache, tasks, clock and configuration (readings 3.4).
// Leaves out: a proof that an attempt is dead, which Kafka's metadata cannot give: it would need the leader epoch of
// the writer in the record. Instead:
//
// - Of itself a broker knows: no task of this process holds the copy. Of others it knows an end only if a deadline of
//   every copy is configured: sweeps_from. Without one it leaves what others began alone.
// - It takes over COPY_SEGMENT_STARTED by publishing DANGLING, the only legal transition that cannot hit a finished
//   copy: a COPY_SEGMENT_FINISHED before it makes the caches drop the DANGLING, one after it is dropped itself. Once
//   the broker's own consumer has read its record, which is what a publish waits for, the cache shows which came first.
//   It has then read everything before it too: the metadata has been re-read to the end after whatever wrote it.
//   DELETE_SEGMENT_STARTED would be legal from COPY_SEGMENT_FINISHED as well and delete a copy that is read.
// - As long as a write of the copy may still land, the copy is DANGLING again after its delete and deleted a second
// time
//   when the time is over. Asking the store instead would cost as many requests and leave a gap before the answer.
//
// The sweep costs a bounded number of calls a run. The copy that has waited longest is next, and one that failed waits
// twice as long as before, so that none that cannot be deleted keeps others waiting (F8).
#include <algorithm>

#include "model/policies/dangling.h"
#include "model/remote_log_segment_deletion.h"

namespace model {
namespace {

using enum RemoteLogSegmentState;

/// Publishes and deletes of one copy's sweep, and of taking it over before that.
constexpr std::int32_t sweep_cost = 3;
constexpr std::int32_t adoption_cost = 1;

SweepMemory* find_memory(CopyRun& run, const RemoteLogSegment& segment) {
  const auto below = [](const SweepMemory& memory, std::uint32_t number) { return memory.segment->number < number; };
  const auto found = std::lower_bound(run.memories.begin(), run.memories.end(), segment.number, below);
  return found != run.memories.end() && found->segment == &segment ? &*found : nullptr;
}

SweepMemory& memory_of(CopyRun& run, const RemoteLogSegment& segment) {
  if (SweepMemory* memory = find_memory(run, segment)) return *memory;
  const auto below = [](const SweepMemory& memory, std::uint32_t number) { return memory.segment->number < number; };
  const auto place = std::lower_bound(run.memories.begin(), run.memories.end(), segment.number, below);
  return *run.memories.insert(place, {&segment, time_start, 0, std::nullopt});
}

CopyBounds bounds(CopyRun& run) {
  return {run.task.ports.storage.copy_deadline(), run.task.ports.metadata.publish_deadline()};
}

class KipDanglingRecovery final : public DanglingPolicy {
 public:
  KipDanglingRecovery(const KipDanglingRecoveryOptions& options, const FinalizedFeatures& features)
      : DanglingPolicy(options, features), options_(options) {}

  std::string_view name() const override { return "kip-dangling-recovery"; }

  Task<void> after_copies(CopyRun& run, bool copies_succeeded) const override {
    const Outlook found = outlook_after_copies(run);
    if (!found.has_work) co_return;
    if (!may_sweep(run, copies_succeeded)) co_return;
    co_await sweep(run);
  }

  Outlook outlook_after_copies(CopyRun& run) const override {
    if (!is_enabled()) return {};
    list(run);
    Outlook outlook;
    for (const Sweepable& entry : run.sweepable) outlook.idle_until = std::min(outlook.idle_until, entry.due);
    outlook.has_work = outlook.idle_until <= run.task.now();
    return outlook;
  }

  // The walk would end an entry at its first delete that is to be deleted again.
  bool walk_knows_sweep() const override { return is_enabled(); }

  std::optional<SimTime> sweeps_from(const RemoteLogSegmentMetadata& entry, BrokerId broker,
                                     const CopyBounds& bounds) const override {
    if (!is_enabled()) return std::nullopt;
    switch (entry.state) {
      case copy_segment_finished:
      case delete_segment_finished:
        return std::nullopt;
      case dangling:
        return time_start;
      case copy_segment_started:
      case delete_segment_started:
        if (entry.broker_id == broker) return time_start;
        return written_until(entry, bounds);
    }
    return std::nullopt;
  }

 private:
  enum class Adoption : std::uint8_t { adopted, finished, unpublished };

  /// Until when the copy's writer may still write to the store or publish: both its publishes may take their time, and
  /// its clock may be ahead of this one's. Later events than the first make it only later.
  std::optional<SimTime> written_until(const RemoteLogSegmentMetadata& entry, const CopyBounds& bounds) const {
    if (!bounds.copy_deadline || !bounds.publish_deadline) return std::nullopt;
    return entry.event_timestamp + 2 * *bounds.publish_deadline + *bounds.copy_deadline + options_.margin;
  }

  /// What can be taken and from when on, in no order; forgets what is settled.
  void list(CopyRun& run) const {
    run.sweepable.clear();
    const RemoteLogMetadataCache& cache = run.task.cache();
    std::erase_if(run.memories, [&](const SweepMemory& memory) {
      const auto entry = cache.find(*memory.segment);
      return !entry || entry->state == copy_segment_finished;
    });
    for (const RemoteLogSegmentState state : {dangling, copy_segment_started, delete_segment_started}) {
      run.swept.clear();
      cache.list_in_state(state, run.swept);
      for (const RemoteLogSegmentMetadata& entry : run.swept) {
        if (const auto due = due_of(run, entry)) run.sweepable.push_back({*due, entry});
      }
    }
  }

  std::optional<SimTime> due_of(CopyRun& run, const RemoteLogSegmentMetadata& entry) const {
    const PartitionState& state = run.task.state;
    if (state.is_being_copied(*entry.segment) || state.is_being_deleted(*entry.segment)) return std::nullopt;
    const auto from = sweeps_from(entry, run.task.broker, bounds(run));
    if (!from) return std::nullopt;
    if (const SweepMemory* memory = find_memory(run, *entry.segment)) return std::max(*from, memory->due);
    // New ones queue by their age; a writer whose clock is ahead does not make them wait.
    return std::max(*from, std::min(entry.event_timestamp, run.task.now()));
  }

  Task<void> sweep(CopyRun& run) const {
    const SimTime started = run.task.now();
    std::sort(run.sweepable.begin(), run.sweepable.end(), [](const Sweepable& a, const Sweepable& b) {
      return std::pair{a.due, a.metadata.segment->number} < std::pair{b.due, b.metadata.segment->number};
    });
    std::int32_t left = options_.requests_per_run;
    for (std::size_t i = 0; i < run.sweepable.size(); ++i) {
      if (run.task.is_cancelled() || run.sweepable[i].due > started) co_return;
      // The expiration task or an event that was on its way may have settled it meanwhile.
      const auto entry = run.task.cache().find(*run.sweepable[i].metadata.segment);
      if (!entry || !due_of(run, *entry)) continue;
      left -= sweep_cost + (entry->state == copy_segment_started ? adoption_cost : 0);
      if (left < 0) co_return;
      const RemoteLogSegment& segment = *entry->segment;
      hold(run, segment);
      auto goes_on = co_await take(run, *entry);
      run.task.ports.listener.left(segment);
      let_go(run, segment);
      if (!goes_on) co_return;
    }
  }

  // The expiration walk passes what is held: each time it may find something else.
  static void hold(CopyRun& run, const RemoteLogSegment& segment) {
    run.task.state.segments_being_deleted.push_back(&segment);
    run.task.manager.changed(run.task.partition);
  }
  static void let_go(CopyRun& run, const RemoteLogSegment& segment) {
    run.task.state.delete_ended(segment);
    run.task.manager.changed(run.task.partition);
  }

  /// Whether the sweep goes on to the next copy.
  Task<bool> take(CopyRun& run, RemoteLogSegmentMetadata entry) const {
    if (entry.state != dangling) {
      std::optional<SimTime>& until = memory_of(run, *entry.segment).written_until;
      // Taken over again after a failure, it is no younger.
      if (!until) until = written_until(entry, bounds(run)).value_or(run.task.now() + options_.margin);
    }
    if (entry.state == copy_segment_started) {
      auto adoption = co_await adopt(run, entry);
      if (adoption != Adoption::adopted) co_return adoption == Adoption::finished;
      run.task.ports.listener.left(*entry.segment);
    }
    const SweepMemory* memory = find_memory(run, *entry.segment);
    const std::optional<SimTime> again_at = memory ? memory->written_until : std::nullopt;
    const bool is_last = !again_at || *again_at <= run.task.now();

    auto removed = co_await remove_remote_log_segment(run.task, entry, sweep_steps);
    if (!removed) {
      auto goes_on = co_await remove_failed(run, entry, removed.error());
      co_return goes_on;
    }
    const TaskStep step = is_last ? TaskStep::sweep_publish_finished : TaskStep::adopt_publish_dangling;
    auto published = co_await publish(run.task, entry, is_last ? delete_segment_finished : dangling, step);
    if (!published) {
      stop(run, *entry.segment, to_task_error(published.error()));
      co_return false;
    }
    if (!is_last) {
      run.task.ports.listener.took_branch("swept-again-later");
      SweepMemory& kept = memory_of(run, *entry.segment);
      kept.due = *again_at;
      kept.failure_count = 0;
    }
    co_return true;
  }

  Task<Adoption> adopt(CopyRun& run, RemoteLogSegmentMetadata entry) const {
    auto published = co_await publish(run.task, entry, dangling, TaskStep::adopt_publish_dangling);
    if (!published) {
      stop(run, *entry.segment, to_task_error(published.error()));
      co_return Adoption::unpublished;
    }
    const auto found = run.task.cache().find(*entry.segment);
    const bool is_adopted = found && found->state == dangling;
    run.task.ports.listener.took_branch(is_adopted ? "adopted" : "adopted-too-late");
    co_return is_adopted ? Adoption::adopted : Adoption::finished;
  }

  /// Whether the sweep goes on to the next copy.
  Task<bool> remove_failed(CopyRun& run, RemoteLogSegmentMetadata entry, TaskError error) const {
    if (error == TaskError::metadata || error == TaskError::interrupted) {
      stop(run, *entry.segment, error);
      co_return false;
    }
    back_off(run, *entry.segment);
    const bool goes_on = options_.sweep_on_delete_failure == KipDanglingOptions::OnDeleteFailure::go_on;
    if (!sets_dangling(error)) {
      // DELETE_SEGMENT_STARTED stays, and its own broker takes it again. Kafka's way would end the sweep at this copy
      // each time.
      run.thrown = error;
      run.task.ports.listener.took_branch("sweep-delete-failed");
      co_return goes_on;
    }
    auto is_stored = co_await sweep_failed(run, entry);
    co_return is_stored&& goes_on;
  }

  void stop(CopyRun& run, const RemoteLogSegment& segment, TaskError error) const {
    run.thrown = error;
    run.task.ports.listener.took_branch("sweep-stopped");
    back_off(run, segment);
  }

  void back_off(CopyRun& run, const RemoteLogSegment& segment) const {
    SweepMemory& memory = memory_of(run, segment);
    const std::int64_t factor = std::int64_t{1} << std::min(memory.failure_count, 16);
    ++memory.failure_count;
    memory.due = run.task.now() + std::min(options_.backoff_max, factor * options_.backoff);
  }

  KipDanglingRecoveryOptions options_;
};

}  // namespace

std::unique_ptr<Policy> make_kip_dangling_recovery(const PolicyOptions& options, const FinalizedFeatures& features) {
  return std::make_unique<KipDanglingRecovery>(options.kip_dangling_recovery, features);
}

}  // namespace model
