#pragma once

#include "sim/world/metadata_topic.h"
#include "sim/world/storage_client.h"

namespace sim {

/// What a task seat needs of its broker.
class SeatHost {
 public:
  virtual ~SeatHost() = default;
  virtual void log_start_raised(PartitionNumber partition, Offset offset) = 0;
};

/// The ports of one task on one broker: the plug-in, the metadata manager, the listener and the thread, all of which
/// know who calls. A new leadership gets a new seat; the old one stays until its broker's process ends, since its task
/// may still run.
class TaskSeat final : public RemoteLogMetadataManager, public TaskListener, public Interruptible {
 public:
  TaskSeat(Kernel& kernel, Trace& trace, ObjectStore& store, FaultBoard& faults, MetadataTopic& metadata,
           SeatHost& host, const ClientOptions& client, Seed seed, Caller caller,
           std::optional<Duration> publish_deadline);

  TaskPorts ports() { return {storage_, *this, *this, *this}; }
  const Caller& caller() const { return caller_; }
  /// Leads again with the task that it had kept (3.6).
  void leads_under(LeaderEpoch epoch) { caller_.leader_epoch = epoch; }
  /// Since when the present wait has lasted.
  std::optional<SimTime> waiting_since() const;

  // RemoteLogMetadataManager
  Task<Result<void, MetadataError>> add_remote_log_segment_metadata(RemoteLogSegmentMetadata metadata) override;
  Task<Result<void, MetadataError>> update_remote_log_segment_metadata(RemoteLogSegmentMetadata metadata) override;
  ManagerState state() const override { return metadata_.manager_state(caller_.broker); }
  bool is_ready() const override;
  const RemoteLogMetadataCache& cache() override;
  std::optional<Duration> publish_deadline() const override { return publish_deadline_; }

  // TaskListener
  void entered(const RemoteLogSegment& segment, TaskStep step) override;
  void left(const RemoteLogSegment& segment) override;
  void log_start_raised(Offset offset) override;
  void took_branch(std::string_view branch) override;

  // Interruptible
  void interrupt() override;
  void clear_interrupt() override { thread_.clear(); }
  Task<void> spin() override;
  Task<bool> sleep(Duration time) override;
  void wake() override { sleeping_.answer(kernel_, Woken{}); }

 private:
  struct Woken {};
  Task<Result<void, MetadataError>> publish(RemoteLogSegmentMetadata metadata);

  Kernel& kernel_;
  Trace& trace_;
  FaultBoard& faults_;
  MetadataTopic& metadata_;
  SeatHost& host_;
  Caller caller_;
  std::optional<Duration> publish_deadline_;
  Interrupt thread_;
  StorageClient storage_;
  TaskStep step_ = TaskStep::none;
  std::optional<SimTime> spinning_since_;
  // A task has one publish under way at most, the deletion of a partition any number.
  std::int32_t open_publishes_ = 0;
  SimTime publishing_since_;
  Reply<Woken> sleeping_;
};

}  // namespace sim
