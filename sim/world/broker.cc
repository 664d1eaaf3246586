#include "sim/world/broker.h"

#include <algorithm>
#include <utility>

namespace sim {

Broker::Process::Process(Broker& broker)
    : metrics(broker.topic_of_, broker.around_.scenario.topics.size()),
      latest_seats(broker.hosted_.size() * task_kind_count),
      manager(std::make_unique<RemoteLogManager>(
          RemoteLogManager::Settings{broker.options_.manager, broker.id_, broker.elide_,
                                     broker.options_.first == BrokerOptions::First::copy, broker.topic_of_.size()},
          *broker.policy_, BrokerPorts{broker.clock_, broker.around_.segments},
          static_cast<RemoteLogManagerHost&>(broker))),
      scope(broker.around_.kernel) {}

Broker::Broker(const BrokerSurroundings& surroundings, BrokerId id, const Policy& policy, bool elide)
    : around_(surroundings),
      id_(id),
      policy_(&policy),
      options_(surroundings.scenario.brokers[static_cast<std::size_t>(id.value() - 1)]),
      elide_(elide),
      clock_(surroundings.kernel) {
  const std::uint32_t partitions = around_.cluster.partition_count();
  places_.resize(partitions);
  for (std::uint32_t p = 0; p < partitions; ++p) {
    const auto& settings = around_.cluster.settings(PartitionNumber{p});
    topic_of_.push_back(settings.topic);
    if (std::find(settings.replicas.begin(), settings.replicas.end(), id_) != settings.replicas.end()) {
      places_[p] = static_cast<std::uint32_t>(hosted_.size());
      hosted_.push_back(PartitionNumber{p});
    }
  }
  epochs_.resize(hosted_.size());
  ticks_.resize(hosted_.size() * task_kind_count);
  runs_started_.resize(hosted_.size() * task_kind_count);
}

void Broker::start() {
  CHECK(!is_up());
  process_ = std::make_unique<Process>(*this);
  if (copy_limit_) process_->manager->limit_copies(*copy_limit_);
  retention_timer_ =
      around_.kernel.schedule_after<&Broker::retain_locally>(options_.manager.log_initial_task_delay, this);
}

void Broker::shift_clock(Duration by) {
  clock_.ahead += by;
  changed();
}

void Broker::limit_copies(std::optional<Bytes> bytes_per_second) {
  copy_limit_ = bytes_per_second;
  if (is_up()) process_->manager->limit_copies(copy_limit_.value_or(options_.manager.copy_max_bytes_per_second));
}

void Broker::crash() {
  CHECK(is_up());
  around_.kernel.cancel(retention_timer_);
  for (Timer& timer : ticks_) around_.kernel.cancel(timer);
  process_->scope.crash();
  process_.reset();
  is_paused_ = retention_is_late_ = false;
  late_ticks_.clear();
  notices_.clear();
}

void Broker::pause() {
  is_paused_ = true;
  process_->scope.hold();
  process_->manager->wake_all();
}

void Broker::go_on() {
  is_paused_ = false;
  process_->scope.release();
  for (const std::uint64_t index : late_ticks_) {
    const PartitionNumber partition = hosted_[index / task_kind_count];
    schedule_tick(partition, static_cast<TaskKind>(index % task_kind_count), around_.kernel.now());
  }
  late_ticks_.clear();
  if (!std::exchange(retention_is_late_, false)) return;
  retention_timer_ = around_.kernel.schedule_at<&Broker::retain_locally>(around_.kernel.now(), this);
}

void Broker::hear_again() {
  is_deaf_ = false;
  heard_by_ = around_.faults.at_work();
  // After what its tasks do first: they have not heard it yet when they go on.
  if (!notices_.empty()) around_.kernel.schedule_at<&Broker::apply_notices>(around_.kernel.now(), this);
}

void Broker::apply_notices() {
  if (is_deaf_) return;
  const std::vector<Notice> notices = std::exchange(notices_, {});
  around_.faults.set_at_work(heard_by_);
  for (const Notice& notice : notices) apply(notice);
  around_.faults.set_at_work(std::nullopt);
}

void Broker::notify(const Notice& notice) {
  // What waits comes first.
  if (is_deaf_ || !notices_.empty()) {
    notices_.push_back(notice);
  } else {
    apply(notice);
  }
}

void Broker::apply(const Notice& notice) {
  const PartitionNumber partition = notice.partition;
  if (notice.kind == Notice::Kind::follow) return process_->manager->become_follower(partition, notice.delay);
  if (notice.kind == Notice::Kind::stop_copying) return process_->manager->stop_copying(partition);
  if (notice.kind == Notice::Kind::let_go) return process_->manager->stop_partition(partition, notice.remote);
  epochs_[places_[partition.value()]] = notice.epoch;
  TaskSeat* const kept = process_->latest_seats[task_index(partition, TaskKind::copy)];
  if (kept != nullptr && policy_->rules().one_task) kept->leads_under(notice.epoch);
  process_->manager->become_leader(partition, notice.epoch, notice.delay, notice.expiration_delay);
}

void Broker::become_leader(PartitionNumber partition, LeaderEpoch epoch, Duration copy_delay,
                           Duration expiration_delay) {
  notify({.kind = Notice::Kind::lead,
          .partition = partition,
          .epoch = epoch,
          .delay = copy_delay,
          .expiration_delay = expiration_delay});
}

void Broker::become_follower(PartitionNumber partition, Duration delay) {
  notify({.kind = Notice::Kind::follow, .partition = partition, .epoch = {}, .delay = delay});
}

void Broker::stop_copying(PartitionNumber partition) {
  notify({.kind = Notice::Kind::stop_copying, .partition = partition, .epoch = {}});
}

void Broker::let_go(PartitionNumber partition, RemoteLogManager::Remote remote) {
  notify({.kind = Notice::Kind::let_go, .partition = partition, .epoch = {}, .remote = remote});
}

void Broker::changed(PartitionNumber partition) {
  if (is_up()) process_->manager->changed(partition);
}

void Broker::changed() {
  for (const PartitionNumber partition : hosted_) changed(partition);
}

void Broker::list_waits(SimTime since, std::vector<std::string>& out) const {
  if (!is_up()) return;
  for (const TaskSeat& seat : process_->seats) {
    const auto waiting = seat.waiting_since();
    if (!waiting || *waiting >= since) continue;
    const Caller& caller = seat.caller();
    out.push_back(fmt::format("broker {} {} task of {}-{}", id_, to_string(caller.task),
                              around_.cluster.topic(caller.partition).name,
                              around_.cluster.settings(caller.partition).index));
  }
}

TaskPorts Broker::task_ports(PartitionNumber partition, TaskKind kind) {
  TaskSeat& seat = process_->seats.emplace_back(
      around_.kernel, around_.trace, around_.store, around_.faults, around_.metadata, static_cast<SeatHost&>(*this),
      around_.scenario.client, around_.seed, Caller{id_, kind, partition, epochs_[places_[partition.value()]]},
      around_.scenario.copy_bounds().publish_deadline);
  process_->latest_seats[task_index(partition, kind)] = &seat;
  return seat.ports();
}

UnifiedLog& Broker::log(PartitionNumber partition) { return around_.cluster.log(id_, partition); }
const TopicOptions& Broker::topic(PartitionNumber partition) const { return around_.cluster.topic(partition).options; }
bool Broker::is_growing(PartitionNumber partition) const { return around_.cluster.is_growing(partition); }
void Broker::spawn(Task<void> task) { process_->scope.spawn(std::move(task)); }

TickKey Broker::tick_key(PartitionNumber partition, TaskKind kind) const {
  // Several brokers have tasks of one partition: the broker is part of the key, so that no two ticks are equal. At one
  // instant the copy task's comes before the expiration task's.
  static_assert(task_kind_count <= 4);
  return {partition.value(), static_cast<std::uint32_t>(id_.value()) << 2 | static_cast<std::uint32_t>(kind)};
}

void Broker::schedule_tick(PartitionNumber partition, TaskKind kind, SimTime at) {
  Timer& timer = ticks_[task_index(partition, kind)];
  around_.kernel.cancel(timer);
  timer = around_.kernel.schedule_tick<&Broker::tick>(at, tick_key(partition, kind), this, task_index(partition, kind));
}

void Broker::cancel_tick(PartitionNumber partition, TaskKind kind) {
  around_.kernel.cancel(ticks_[task_index(partition, kind)]);
}

bool Broker::tick_is_ahead(PartitionNumber partition, TaskKind kind, SimTime at) const {
  return around_.kernel.tick_is_ahead(at, tick_key(partition, kind));
}

void Broker::tick(std::uint64_t index) {
  ticks_[index] = {};
  if (is_paused_) return late_ticks_.push_back(index);
  process_->manager->on_tick(hosted_[index / task_kind_count], static_cast<TaskKind>(index % task_kind_count));
}

void Broker::run_started(PartitionNumber partition, TaskKind kind, LeaderEpoch epoch) {
  runs_started_[task_index(partition, kind)] = around_.kernel.now();
  around_.trace.emit(around_.kernel.now(), RunStarted{id_, kind, partition, epoch});
}

void Broker::run_ended(PartitionNumber partition, TaskKind kind, RunEnd end) {
  around_.trace.emit(around_.kernel.now(),
                     RunEnded{id_, kind, partition, end, runs_started_[task_index(partition, kind)]});
}

void Broker::dangling_gauges_set(PartitionNumber partition, DanglingGauges gauges) {
  around_.trace.emit(around_.kernel.now(), GaugesSet{partition, id_, gauges});
}

void Broker::log_start_raised(PartitionNumber partition, Offset offset) {
  around_.trace.emit(around_.kernel.now(), LogStartRaised{partition, id_, offset});
  around_.cluster.log_start_raised(id_, partition);
  changed(partition);
}

void Broker::retain_locally() {
  if (is_paused_) {
    retention_is_late_ = true;
    return;
  }
  for (PartitionNumber partition : hosted_) {
    const TopicOptions& options = topic(partition);
    UnifiedLog& local = log(partition);
    const std::uint64_t before = local.version();
    const Offset start_before = local.log_start_offset();
    const LogSegment active_before = local.active_segment();
    const int removed = local.delete_old_segments(clock_.now(), options, policy_->rules().local_log);
    if (local.active_segment().base_offset != active_before.base_offset && around_.cluster.leader(partition) == id_) {
      around_.trace.emit(around_.kernel.now(), SegmentRolled{partition, active_before.base_offset,
                                                             active_before.next_offset, active_before.size});
    }
    // Without copies the log begins where its local part does.
    if (local.log_start_offset() > start_before) log_start_raised(partition, local.log_start_offset());
    if (removed > 0) {
      around_.trace.emit(around_.kernel.now(), LocalSegmentsDeleted{partition, id_, local.local_log_start_offset()});
    }
    if (local.version() != before) changed(partition);
  }
  retention_timer_ =
      around_.kernel.schedule_after<&Broker::retain_locally>(options_.manager.log_retention_check_interval, this);
}

}  // namespace sim
