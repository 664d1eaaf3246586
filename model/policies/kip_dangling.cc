// Mirrors: the sweep of the KIP's Proposed Changes (kip-dangling-state.txt), on the rules of Kafka 4.0, 4.3 or 3.9,
// with the readings 3.3 as options. Leaves out: nothing.
#include "model/policies/dangling.h"
#include "model/remote_log_segment_deletion.h"

namespace model {
namespace {

class KipDangling final : public DanglingPolicy {
 public:
  KipDangling(const KipDanglingOptions& options, const FinalizedFeatures& features)
      : DanglingPolicy(options, features) {}

  std::string_view name() const override { return "kip-dangling"; }

  Task<void> after_copies(CopyRun& run, bool copies_succeeded) const override {
    if (!is_there_work(run)) co_return;
    if (!may_sweep(run, copies_succeeded)) co_return;
    co_await sweep(run);
  }

  Outlook outlook_after_copies(CopyRun& run) const override { return {.has_work = is_there_work(run)}; }

  std::optional<SimTime> sweeps_from(const RemoteLogSegmentMetadata& entry, BrokerId,
                                     const CopyBounds&) const override {
    if (entry.state != RemoteLogSegmentState::dangling || !is_enabled()) return std::nullopt;
    return entry.event_timestamp;
  }

 private:
  bool is_there_work(CopyRun& run) const {
    return is_enabled() && run.task.cache().count(RemoteLogSegmentState::dangling) > 0;
  }

  // Takes what is DANGLING now, whoever wrote it and in whatever lineage. The list is carried across the waits: that
  // the expiration task may have taken a copy meanwhile is not looked at, since the KIP names no such check
  // (readings 2.7).
  Task<void> sweep(CopyRun& run) const {
    run.swept.clear();
    run.task.cache().list_in_state(RemoteLogSegmentState::dangling, run.swept);
    for (std::size_t i = 0; i < run.swept.size(); ++i) {
      if (run.task.is_cancelled()) co_return;
      const RemoteLogSegmentMetadata metadata = run.swept[i];
      auto goes_on = co_await sweep_segment(run, metadata);
      run.task.ports.listener.left(*metadata.segment);
      if (!goes_on) co_return;
    }
  }

  /// Whether the sweep goes on to the next copy.
  Task<bool> sweep_segment(CopyRun& run, RemoteLogSegmentMetadata metadata) const {
    auto deleted = co_await delete_remote_log_segment(run.task, metadata, sweep_steps);
    if (deleted) co_return true;
    if (!sets_dangling(deleted.error())) {
      // A publish failed, or the plug-in threw what nobody expects: the state stays as stored.
      run.thrown = deleted.error();
      run.task.ports.listener.took_branch("sweep-stopped");
      co_return false;
    }
    auto is_stored = co_await sweep_failed(run, metadata);
    const bool goes_on = kip_options().sweep_on_delete_failure == KipDanglingOptions::OnDeleteFailure::go_on;
    co_return is_stored&& goes_on;
  }
};

}  // namespace

std::unique_ptr<Policy> make_kip_dangling(const PolicyOptions& options, const FinalizedFeatures& features) {
  return std::make_unique<KipDangling>(options.kip_dangling, features);
}

}  // namespace model
