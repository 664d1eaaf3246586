// Mirrors: a RemoteStorageManager plug-in over an object store, as the tasks meet it: several objects a segment, tries,
// time-outs. Leaves out: reads, encryption and compression, connection pools.
#pragma once

#include "sim/kernel/wait.h"
#include "sim/world/object_store.h"

namespace sim {

/// Who calls, for the trace and for what an interrupt ends.
struct Caller {
  BrokerId broker;
  TaskKind task = TaskKind::copy;
  PartitionNumber partition;
  LeaderEpoch leader_epoch;
  /// What had the thread interrupted: of a call that the interrupt ends, the cause.
  FaultIndex interrupted_by = {};
};

/// The plug-in as one task sees it.
class StorageClient final : public RemoteStorageManager {
 public:
  StorageClient(Kernel& kernel, Trace& trace, ObjectStore& store, FaultBoard& faults, const ClientOptions& options,
                Seed seed, const Caller& caller, Interrupt& interrupt);

  Task<Result<CustomMetadata, RemoteStorageError>> copy_log_segment_data(RemoteLogSegmentMetadata metadata) override;
  Task<Result<void, RemoteStorageError>> delete_log_segment_data(RemoteLogSegmentMetadata metadata) override;
  std::optional<Duration> copy_deadline() const override;

  /// Since when the present call has been under way; nothing between calls.
  std::optional<SimTime> busy_since() const { return busy_since_; }

 private:
  struct CallEnd {
    CallResult result = CallResult::ok;
    RemoteStorageError error = RemoteStorageError::permanent;
    FaultIndex fault;
  };
  Task<CallEnd> put_objects(const RemoteLogSegment& segment, StorageCall call);
  Task<CallEnd> delete_objects(const RemoteLogSegment& segment, StorageCall call);
  /// Where a put stands when its bytes have arrived, and for how long; nothing: for ever.
  struct Stand {
    bool stands = false;
    std::optional<Duration> time;
  };
  /// One request with its tries.
  Task<CallEnd> request(ObjectStore::Sending sending, Stand stand);
  /// Neither returns nor throws, until the time or the copy's deadline is over or an interrupt comes.
  Task<CallEnd> hang(Stand stand, FaultIndex fault);
  /// The objects of a delete that one request, or one request each, removes before the call fails by `effect`.
  Task<CallEnd> delete_batch(const RemoteLogSegment& segment, StorageCall call, CallEffect effect);
  Task<CallEnd> delete_one_by_one(const RemoteLogSegment& segment, StorageCall call, CallEffect effect);
  /// What a call ends with that has done all that `effect` lets it do.
  Task<CallEnd> finish(CallEffect effect);
  /// What a call does when its answer is lost: waits for nothing until the client's time-out.
  Task<CallEnd> wait_in_vain(CallEffect effect);
  /// The plug-in's own clean-up after a failed copy.
  Task<void> clean_up(const RemoteLogSegment& segment, StorageCall call);
  StorageCall begin(StoreOperation operation, const RemoteLogSegment& segment);
  void end(const StorageCall& call, const CallEnd& end);
  CallEnd interrupted() const;
  WaitOptions wait_options();
  /// The present copy's deadline has come.
  bool is_overdue() const { return deadline_ && *deadline_ <= kernel_.now(); }
  /// `wait`, or as much of it as the present copy's deadline leaves.
  Duration until_deadline(Duration wait) const;
  CallEnd timed_out(FaultIndex fault) const;
  Duration backoff(const StoreRequest& request) const;

  Kernel& kernel_;
  Trace& trace_;
  ObjectStore& store_;
  FaultBoard& faults_;
  const ClientOptions& options_;
  Seed seed_;
  const Caller& caller_;
  Interrupt& interrupt_;
  std::optional<SimTime> busy_since_;
  /// While a copy with one uploads.
  std::optional<SimTime> deadline_;
};

}  // namespace sim
