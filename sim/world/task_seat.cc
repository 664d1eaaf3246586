#include "sim/world/task_seat.h"

namespace sim {

TaskSeat::TaskSeat(Kernel& kernel, Trace& trace, ObjectStore& store, FaultBoard& faults, MetadataTopic& metadata,
                   SeatHost& host, const ClientOptions& client, Seed seed, Caller caller,
                   std::optional<Duration> publish_deadline)
    : kernel_(kernel),
      trace_(trace),
      faults_(faults),
      metadata_(metadata),
      host_(host),
      caller_(caller),
      publish_deadline_(publish_deadline),
      thread_(kernel),
      storage_(kernel, trace, store, faults, client, seed, caller_, thread_) {}

std::optional<SimTime> TaskSeat::waiting_since() const {
  if (spinning_since_) return spinning_since_;
  return open_publishes_ > 0 ? std::optional{publishing_since_} : storage_.busy_since();
}

void TaskSeat::interrupt() {
  caller_.interrupted_by = faults_.at_work();
  thread_.interrupt();
}

Task<void> TaskSeat::spin() {
  spinning_since_ = kernel_.now();
  const std::suspend_always never;
  co_await never;
}

Task<Result<void, MetadataError>> TaskSeat::add_remote_log_segment_metadata(RemoteLogSegmentMetadata metadata) {
  return publish(metadata);
}

Task<Result<void, MetadataError>> TaskSeat::update_remote_log_segment_metadata(RemoteLogSegmentMetadata metadata) {
  return publish(metadata);
}

Task<Result<void, MetadataError>> TaskSeat::publish(RemoteLogSegmentMetadata metadata) {
  const SimTime started = kernel_.now();
  if (open_publishes_++ == 0) publishing_since_ = started;
  // Nobody interrupts the thread that applies metadata.
  const bool can_be_interrupted = caller_.task != TaskKind::partition_deletion;
  Call<PublishAnswer> call{kernel_, WaitOptions{std::nullopt, can_be_interrupted ? &thread_ : nullptr}};
  metadata_.publish(metadata, PublishOrigin{caller_.broker, caller_.leader_epoch, step_}, call.reply());
  const Answer<PublishAnswer> answer = co_await call;
  --open_publishes_;
  const CallResult result = answer ? answer->result : CallResult::interrupted;
  const FaultIndex fault = answer ? answer->fault : caller_.interrupted_by;
  trace_.emit(kernel_.now(),
              PublishEnded{metadata.segment, caller_.broker, caller_.task, metadata.state, started, result, fault});
  if (result == CallResult::ok) co_return Result<void, MetadataError>{};
  co_return Failed(result == CallResult::interrupted ? MetadataError::interrupted : MetadataError::execution);
}

Task<bool> TaskSeat::sleep(Duration time) {
  Call<Woken> call{kernel_, WaitOptions{time, &thread_}};
  sleeping_ = call.reply();
  const Answer<Woken> woken = co_await call;
  sleeping_ = {};
  co_return woken.end != WaitEnd::interrupted;
}

bool TaskSeat::is_ready() const { return metadata_.is_ready(caller_.broker, caller_.partition); }

const RemoteLogMetadataCache& TaskSeat::cache() { return metadata_.cache(caller_.broker, caller_.partition); }

void TaskSeat::entered(const RemoteLogSegment& segment, TaskStep step) {
  step_ = step;
  trace_.emit(kernel_.now(), StepEntered{&segment, caller_.broker, caller_.task, step});
}

void TaskSeat::left(const RemoteLogSegment& segment) {
  step_ = TaskStep::none;
  trace_.emit(kernel_.now(), SegmentLeft{&segment, caller_.broker, caller_.task});
}

void TaskSeat::log_start_raised(Offset offset) { host_.log_start_raised(caller_.partition, offset); }

void TaskSeat::took_branch(std::string_view branch) { trace_.emit(kernel_.now(), BranchTaken{branch}); }

}  // namespace sim
