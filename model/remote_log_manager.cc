#include "model/remote_log_manager.h"

#include <algorithm>
#include <deque>
#include <utility>

#include <boost/container/flat_map.hpp>

#include "model/check.h"
#include "model/partition_deletion.h"
#include "model/scheduled_task.h"

namespace model {
namespace {

/// The tasks of one partition. Their places are free when the broker is not what they are for; in 3.6 only after
/// stop_partition.
struct PartitionSlot {
  PartitionState state;
  std::unique_ptr<ScheduledTask> tasks[scheduled_task_kind_count];
  bool leads = false;
};

/// One notification for the thread that applies metadata.
struct Notification {
  enum class Kind : std::uint8_t { lead, follow, stop, remove, stop_copying } kind;
  PartitionNumber partition;
  LeaderEpoch epoch = {};
  Duration delay{0};
  Duration expiration_delay{0};
};

}  // namespace

PoolSizes pool_sizes(const RemoteLogManagerOptions& options, const Rules& rules) {
  constexpr std::int32_t usual = 10;
  if (rules.one_task) return {options.thread_pool_size.value_or(usual), 0, 0};
  const std::int32_t fallback = rules.pool_sizes_fall_back ? options.thread_pool_size.value_or(usual) : usual;
  // -1 is no size in 4.0 and later: the default stands in for it.
  const auto or_fallback = [fallback](std::optional<std::int32_t> size) {
    return size && *size > 0 ? *size : fallback;
  };
  const std::int32_t followers = options.thread_pool_size.value_or(rules.pool_sizes_fall_back ? usual : 2);
  const bool has_own_size = !rules.pool_sizes_fall_back && options.follower_thread_pool_size;
  return {or_fallback(options.copier_thread_pool_size), or_fallback(options.expiration_thread_pool_size),
          has_own_size ? *options.follower_thread_pool_size : followers};
}

struct RemoteLogManager::State {
  State(Settings its_settings, const Policy& its_policy, BrokerPorts its_ports, RemoteLogManagerHost& its_host,
        RemoteLogManager& its_manager);

  PartitionSlot* find(PartitionNumber partition) const;
  ScheduledTask* find(PartitionNumber partition, TaskKind kind) const;
  PartitionSlot& slot(PartitionNumber partition);
  TaskContext context(PartitionNumber partition, TaskKind kind, LeaderEpoch epoch);
  ScheduledTask& create(PartitionNumber partition, TaskKind kind, LeaderEpoch epoch, Duration delay);
  void cancel(PartitionSlot& slot, TaskKind kind);
  void remove_gauges(PartitionSlot& slot, PartitionNumber partition);

  void apply(const Notification& notification);
  void notify(const Notification& notification);
  void lead(const Notification& notification);
  void follow(const Notification& notification);
  void stop(PartitionSlot& slot, PartitionNumber partition);
  void begin_removal(PartitionNumber partition);
  Task<void> remove(PartitionNumber partition);

  void run_or_queue(ScheduledTask& task);
  void run_or_rest(ScheduledTask& task);
  Task<void> run(ScheduledTask* task);
  void ended(ScheduledTask& task, RunEnd end);
  void rest(ScheduledTask& task, const Outlook& outlook);
  void schedule_next(ScheduledTask& task, SimTime not_before);
  void follow_once(ScheduledTask& task);
  void wake(ScheduledTask& task);
  void wake_sleepers(ThreadPool& pool);
  void remove_sleeper(ScheduledTask& task);

  Settings settings;
  const Policy& policy;
  BrokerPorts ports;
  RemoteLogManagerHost& host;
  RemoteLogManager& manager;
  /// Copier's (in 3.6 the only one), expiration's and follower's.
  ThreadPool pools[scheduled_task_kind_count];
  CopyQuota copy_quota;
  boost::container::flat_map<PartitionNumber, std::unique_ptr<PartitionSlot>> slots;
  /// Cancelled tasks whose last run is under way.
  std::vector<std::unique_ptr<ScheduledTask>> zombies;
  /// While the thread that applies metadata deletes a partition: that, and what waits for the thread.
  std::unique_ptr<PartitionDeletion> deletion;
  std::deque<Notification> waiting_notifications;
};

std::string_view to_string(TaskKind kind) {
  switch (kind) {
    case TaskKind::copy:
      return "copy";
    case TaskKind::expiration:
      return "expiration";
    case TaskKind::follower:
      return "follower";
    case TaskKind::partition_deletion:
      return "partition-deletion";
  }
  return "";
}

std::string_view to_string(RunEnd end) {
  switch (end) {
    case RunEnd::done:
      return "done";
    case RunEnd::failed:
      return "failed";
    case RunEnd::interrupted:
      return "interrupted";
    case RunEnd::cancelled:
      return "cancelled";
    case RunEnd::not_ready:
      return "not-ready";
    case RunEnd::fatal:
      return "fatal";
  }
  return "";
}

RemoteLogManager::State::State(Settings its_settings, const Policy& its_policy, BrokerPorts its_ports,
                               RemoteLogManagerHost& its_host, RemoteLogManager& its_manager)
    : settings(std::move(its_settings)),
      policy(its_policy),
      ports(its_ports),
      host(its_host),
      manager(its_manager),
      copy_quota(settings.options.copy_max_bytes_per_second, settings.options.copy_quota_window_num,
                 settings.options.copy_quota_window_size) {
  const PoolSizes sizes = pool_sizes(settings.options, policy.rules());
  pools[static_cast<int>(TaskKind::copy)].thread_count = sizes.copier;
  pools[static_cast<int>(TaskKind::expiration)].thread_count = sizes.expiration;
  pools[static_cast<int>(TaskKind::follower)].thread_count = sizes.follower;
}

PartitionSlot* RemoteLogManager::State::find(PartitionNumber partition) const {
  const auto found = slots.find(partition);
  return found == slots.end() ? nullptr : found->second.get();
}

ScheduledTask* RemoteLogManager::State::find(PartitionNumber partition, TaskKind kind) const {
  const PartitionSlot* found = find(partition);
  return found ? found->tasks[static_cast<int>(kind)].get() : nullptr;
}

PartitionSlot& RemoteLogManager::State::slot(PartitionNumber partition) {
  auto& place = slots[partition];
  if (!place) place = std::make_unique<PartitionSlot>();
  return *place;
}

TaskContext RemoteLogManager::State::context(PartitionNumber partition, TaskKind kind, LeaderEpoch epoch) {
  return {partition,
          kind,
          settings.broker,
          epoch,
          policy,
          settings.options,
          host.task_ports(partition, kind),
          ports,
          host,
          manager,
          copy_quota,
          slot(partition).state};
}

ScheduledTask& RemoteLogManager::State::create(PartitionNumber partition, TaskKind kind, LeaderEpoch epoch,
                                               Duration delay) {
  auto& task = slot(partition).tasks[static_cast<int>(kind)];
  task = std::make_unique<ScheduledTask>(context(partition, kind, epoch), pools[static_cast<int>(kind)]);
  host.schedule_tick(partition, kind, host.now() + delay);
  return *task;
}

void RemoteLogManager::State::cancel(PartitionSlot& place, TaskKind kind) {
  std::unique_ptr<ScheduledTask> task = std::move(place.tasks[static_cast<int>(kind)]);
  if (!task) return;
  task->context.cancelled = true;
  switch (task->phase) {
    case ScheduledTask::Phase::scheduled:
      break;
    case ScheduledTask::Phase::sleeping:
      remove_sleeper(*task);
      break;
    case ScheduledTask::Phase::queued: {
      // The pool removes what is cancelled before it has begun.
      auto& waiting = task->pool.waiting;
      const auto first = waiting.begin() + static_cast<std::ptrdiff_t>(task->pool.first_waiting);
      waiting.erase(std::find(first, waiting.end(), task.get()));
      return;
    }
    case ScheduledTask::Phase::running:
      task->context.ports.thread.interrupt();
      zombies.push_back(std::move(task));
      return;
    case ScheduledTask::Phase::dead:
      return;
  }
  host.cancel_tick(task->context.partition, kind);
}

void RemoteLogManager::State::remove_gauges(PartitionSlot& place, PartitionNumber partition) {
  const bool is_traced = place.state.gauges.dangling() != DanglingGauges{};
  host.metrics().remove(partition, place.state.gauges);
  if (is_traced) host.dangling_gauges_set(partition, {});
}

void RemoteLogManager::State::run_or_queue(ScheduledTask& task) {
  if (!task.pool.is_full()) return run_or_rest(task);
  task.phase = ScheduledTask::Phase::queued;
  task.pool.waiting.push_back(&task);
}

// A run that would change nothing takes no thread and is not reported, so that it makes no difference whether its tick
// is elided.
void RemoteLogManager::State::run_or_rest(ScheduledTask& task) {
  Outlook outlook = task.outlook();
  if (!outlook.has_work) {
    if (outlook.takes_note) task.take_note();
    outlook.takes_note = false;
    return rest(task, outlook);
  }
  if (task.follows()) return follow_once(task);
  task.phase = ScheduledTask::Phase::running;
  ++task.pool.busy_count;
  if (task.pool.is_full()) wake_sleepers(task.pool);
  host.spawn(run(&task));
}

/// A follower's run waits for nothing and is over at once: it needs no coroutine, and holds its thread for no time.
void RemoteLogManager::State::follow_once(ScheduledTask& task) {
  host.run_started(task.context.partition, TaskKind::follower, task.context.epoch);
  const RunEnd end = task.follower->run();
  host.run_ended(task.context.partition, TaskKind::follower, end);
  if (end == RunEnd::fatal) {
    task.phase = ScheduledTask::Phase::dead;
    return;
  }
  rest(task, settings.elide_idle_ticks ? task.outlook() : Outlook{.has_work = true});
}

Task<void> RemoteLogManager::State::run(ScheduledTask* task) {
  host.run_started(task->context.partition, task->context.kind, task->context.epoch);
  auto end = co_await task->run();
  ended(*task, end);
}

void RemoteLogManager::State::ended(ScheduledTask& task, RunEnd end) {
  ThreadPool& pool = task.pool;
  --pool.busy_count;
  task.context.ports.thread.clear_interrupt();
  host.run_ended(task.context.partition, task.context.kind, end);
  const auto zombie =
      std::find_if(zombies.begin(), zombies.end(), [&](const auto& entry) { return entry.get() == &task; });
  if (zombie != zombies.end()) {
    zombies.erase(zombie);
  } else if (end == RunEnd::fatal) {
    task.phase = ScheduledTask::Phase::dead;
  } else {
    // To ask at once saves an idle tick; where ticks are not elided the next one asks.
    rest(task, settings.elide_idle_ticks ? task.outlook() : Outlook{.has_work = true});
  }
  while (!pool.is_full()) {
    ScheduledTask* waiting = pool.take_waiting();
    if (!waiting) return;
    run_or_rest(*waiting);
  }
}

// The run ends now, and the next tick is one interval away (scheduleWithFixedDelay); nobody need wait for it while the
// pool has a free thread and the task nothing to do.
void RemoteLogManager::State::rest(ScheduledTask& task, const Outlook& outlook) {
  CHECK(!task.pool.is_full());
  task.last_end = host.now();
  const bool may_sleep = settings.elide_idle_ticks && !outlook.has_work && !outlook.takes_note;
  const SimTime clock = task.context.now();
  if (!may_sleep || outlook.idle_until <= clock) {
    task.phase = ScheduledTask::Phase::scheduled;
    return schedule_next(task, host.now());
  }
  task.phase = ScheduledTask::Phase::sleeping;
  task.sleeper_index = task.pool.sleepers.size();
  task.pool.sleepers.push_back(&task);
  if (outlook.idle_until == time_never) return;
  // Whatever moves the broker's clock other than time calls changed().
  const Duration idle_for = outlook.idle_until - clock;
  if (idle_for <= time_never - host.now() - settings.options.task_interval) schedule_next(task, host.now() + idle_for);
}

/// The task's first tick at or after `not_before` that is still ahead.
void RemoteLogManager::State::schedule_next(ScheduledTask& task, SimTime not_before) {
  const Duration interval = settings.options.task_interval;
  const auto passed = (not_before - task.last_end) / interval;
  SimTime at = task.last_end + std::max<std::int64_t>(passed, 1) * interval;
  while (at < not_before || !host.tick_is_ahead(task.context.partition, task.context.kind, at)) at += interval;
  host.schedule_tick(task.context.partition, task.context.kind, at);
}

void RemoteLogManager::State::wake(ScheduledTask& task) {
  if (task.phase != ScheduledTask::Phase::sleeping) return;
  remove_sleeper(task);
  task.phase = ScheduledTask::Phase::scheduled;
  schedule_next(task, host.now());
}

void RemoteLogManager::State::wake_sleepers(ThreadPool& pool) {
  std::sort(pool.sleepers.begin(), pool.sleepers.end(),
            [](const ScheduledTask* a, const ScheduledTask* b) { return a->context.partition < b->context.partition; });
  for (ScheduledTask* task : pool.sleepers) {
    task->phase = ScheduledTask::Phase::scheduled;
    schedule_next(*task, host.now());
  }
  pool.sleepers.clear();
}

void RemoteLogManager::State::remove_sleeper(ScheduledTask& task) {
  auto& sleepers = task.pool.sleepers;
  CHECK(sleepers[task.sleeper_index] == &task);
  sleepers[task.sleeper_index] = sleepers.back();
  sleepers[task.sleeper_index]->sleeper_index = task.sleeper_index;
  sleepers.pop_back();
}

RemoteLogManager::RemoteLogManager(Settings settings, const Policy& policy, BrokerPorts ports,
                                   RemoteLogManagerHost& host)
    : state_(std::make_unique<State>(std::move(settings), policy, ports, host, *this)) {}

RemoteLogManager::~RemoteLogManager() = default;

void RemoteLogManager::State::notify(const Notification& notification) {
  // What is not tiered is none of this manager's business (facts 4.2 step 1).
  if (!host.topic(notification.partition).remote_storage_enable) return;
  if (deletion) {
    waiting_notifications.push_back(notification);
  } else {
    apply(notification);
  }
}

void RemoteLogManager::State::apply(const Notification& notification) {
  PartitionSlot* const place = find(notification.partition);
  switch (notification.kind) {
    case Notification::Kind::lead:
      return lead(notification);
    case Notification::Kind::follow:
      return follow(notification);
    case Notification::Kind::stop:
      if (place) stop(*place, notification.partition);
      return;
    case Notification::Kind::remove:
      if (!place) return;
      stop(*place, notification.partition);
      return begin_removal(notification.partition);
    case Notification::Kind::stop_copying:
      if (!place) return;
      cancel(*place, TaskKind::copy);
      for (const Metric lag : {Metric::remote_copy_lag_bytes, Metric::remote_copy_lag_segments}) {
        host.metrics().set(notification.partition, place->state.gauges, lag, 0);
      }
      return;
  }
}

void RemoteLogManager::State::lead(const Notification& notification) {
  const PartitionNumber partition = notification.partition;
  PartitionSlot& place = slot(partition);
  place.leads = true;
  cancel(place, TaskKind::follower);
  const Rules& rules = policy.rules();
  ScheduledTask* copy = place.tasks[static_cast<int>(TaskKind::copy)].get();
  if (copy && rules.one_task) {
    copy->context.epoch = notification.epoch;
    copy->context.leads = true;
    copy->copy->convert_to_leader();
    wake(*copy);
    return;
  }
  const bool copies = !rules.local_log.copy_is_disabled(host.topic(partition));
  const bool creates_both = copies && !copy && !place.tasks[static_cast<int>(TaskKind::expiration)];
  if (copies && !copy) copy = &create(partition, TaskKind::copy, notification.epoch, notification.delay);
  if (rules.one_task || place.tasks[static_cast<int>(TaskKind::expiration)]) return;
  create(partition, TaskKind::expiration, notification.epoch, notification.expiration_delay);
  if (!creates_both || settings.copy_first) return;
  copy->waits_for_other = notification.delay == notification.expiration_delay;
}

void RemoteLogManager::State::follow(const Notification& notification) {
  const PartitionNumber partition = notification.partition;
  PartitionSlot& place = slot(partition);
  const bool led = std::exchange(place.leads, false);
  if (policy.rules().one_task) {
    // The task stays; its run goes on to the next look between segments, and its later runs do what a follower's do.
    ScheduledTask* task = place.tasks[static_cast<int>(TaskKind::copy)].get();
    if (!task) task = &create(partition, TaskKind::copy, LeaderEpoch{-1}, notification.delay);
    task->context.leads = false;
    wake(*task);
    return;
  }
  if (led) {
    cancel(place, TaskKind::copy);
    cancel(place, TaskKind::expiration);
    remove_gauges(place, partition);
  }
  if (place.tasks[static_cast<int>(TaskKind::follower)]) return;
  create(partition, TaskKind::follower, LeaderEpoch{-1}, notification.delay);
}

void RemoteLogManager::State::stop(PartitionSlot& place, PartitionNumber partition) {
  place.leads = false;
  for (const TaskKind kind : {TaskKind::copy, TaskKind::expiration, TaskKind::follower}) cancel(place, kind);
  remove_gauges(place, partition);
}

void RemoteLogManager::State::begin_removal(PartitionNumber partition) {
  TaskContext deleting = context(partition, TaskKind::partition_deletion, LeaderEpoch{-1});
  // As a cancelled task, it must not bring back the gauges that have just been removed.
  deleting.cancelled = true;
  deletion = std::make_unique<PartitionDeletion>(deleting);
  host.spawn(remove(partition));
}

/// On the thread that applies metadata: the deletion, and then what has come in the meantime.
Task<void> RemoteLogManager::State::remove(PartitionNumber partition) {
  host.run_started(partition, TaskKind::partition_deletion, LeaderEpoch{-1});
  auto end = co_await deletion->run();
  host.run_ended(partition, TaskKind::partition_deletion, end);
  deletion.reset();
  while (!deletion && !waiting_notifications.empty()) {
    const Notification notification = waiting_notifications.front();
    waiting_notifications.pop_front();
    apply(notification);
  }
}

void RemoteLogManager::become_leader(PartitionNumber partition, LeaderEpoch epoch, Duration copy_delay,
                                     Duration expiration_delay) {
  state_->notify({Notification::Kind::lead, partition, epoch, copy_delay, expiration_delay});
}

void RemoteLogManager::become_follower(PartitionNumber partition, Duration delay) {
  state_->notify({.kind = Notification::Kind::follow, .partition = partition, .delay = delay});
}

void RemoteLogManager::stop_partition(PartitionNumber partition, Remote remote) {
  const bool removes = remote == Remote::remove;
  state_->notify({.kind = removes ? Notification::Kind::remove : Notification::Kind::stop, .partition = partition});
}

void RemoteLogManager::stop_copying(PartitionNumber partition) {
  state_->notify({.kind = Notification::Kind::stop_copying, .partition = partition});
}

void RemoteLogManager::limit_copies(Bytes bytes_per_second) { state_->copy_quota.set_limit(bytes_per_second); }

void RemoteLogManager::log_dir_moved(PartitionNumber partition) {
  ScheduledTask* copy = state_->find(partition, TaskKind::copy);
  if (!copy) return;
  copy->copy->log_dir_moved();
  state_->wake(*copy);
}

void RemoteLogManager::cancel(PartitionNumber partition, TaskKind kind) {
  if (PartitionSlot* slot = state_->find(partition)) state_->cancel(*slot, kind);
}

void RemoteLogManager::on_tick(PartitionNumber partition, TaskKind kind) {
  ScheduledTask* task = state_->find(partition, kind);
  CHECK(task, "tick of a task that does not exist: partition {}", partition);
  if (task->waits_for_other) return;
  CHECK(task->phase == ScheduledTask::Phase::scheduled || task->phase == ScheduledTask::Phase::sleeping);
  if (task->phase == ScheduledTask::Phase::sleeping) state_->remove_sleeper(*task);
  state_->run_or_queue(*task);
  ScheduledTask* copy = kind == TaskKind::expiration ? state_->find(partition, TaskKind::copy) : nullptr;
  if (!copy || !copy->waits_for_other) return;
  copy->waits_for_other = false;
  state_->host.cancel_tick(partition, TaskKind::copy);
  state_->run_or_queue(*copy);
}

void RemoteLogManager::changed(PartitionNumber partition) {
  PartitionSlot* slot = state_->find(partition);
  if (!slot) return;
  for (const auto& task : slot->tasks) {
    if (!task || task->phase != ScheduledTask::Phase::sleeping) continue;
    // Most of what changes is nothing to a follower, and it costs little to look: it keeps its sleep.
    if (task->follows() && task->outlook() == Outlook{}) continue;
    state_->wake(*task);
  }
}

std::optional<double> RemoteLogManager::metric(ManagerMetric metric) const {
  const ThreadPool& copier = state_->pools[static_cast<int>(TaskKind::copy)];
  const auto throttled = state_->copy_quota.throttle_time(state_->ports.clock.now());
  switch (metric) {
    case ManagerMetric::tasks_avg_idle_percent:
      return 1 - static_cast<double>(copier.busy_count) / static_cast<double>(copier.thread_count);
    case ManagerMetric::remote_copy_throttle_time_avg:
      return throttled ? std::optional{throttled->average} : std::nullopt;
    case ManagerMetric::remote_copy_throttle_time_max:
      return throttled ? std::optional{throttled->greatest} : std::nullopt;
  }
  check_failed("known ManagerMetric", __FILE__, __LINE__);
}

void RemoteLogManager::wake_all() {
  for (ThreadPool& pool : state_->pools) state_->wake_sleepers(pool);
}

bool RemoteLogManager::leads(PartitionNumber partition) const {
  const PartitionSlot* slot = state_->find(partition);
  return slot && slot->leads;
}

bool RemoteLogManager::is_deleting() const { return state_->deletion != nullptr; }

std::size_t RemoteLogManager::active_runs() const {
  std::size_t count = 0;
  for (const ThreadPool& pool : state_->pools)
    count += static_cast<std::size_t>(pool.busy_count) + pool.waiting_count();
  return count;
}

}  // namespace model
