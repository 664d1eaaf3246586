#include "model/remote_log_manager.h"

#include <algorithm>
#include <utility>

#include <boost/container/flat_map.hpp>

#include "model/check.h"
#include "model/copy_task.h"
#include "model/expiration_task.h"
#include "model/task_context.h"

namespace model {
namespace {

struct Pool;

/// One scheduled task: RLMTaskWithFuture. 3.6's does both jobs, the others' one.
struct LeaderTask {
  enum class Phase : std::uint8_t {
    scheduled,  ///< A tick is due.
    sleeping,   ///< Ticks are elided; one may be due when the clock alone can bring work.
    queued,     ///< Waits for a thread.
    running,
  };

  explicit LeaderTask(const TaskContext& its_context, Pool& its_pool) : context(its_context), pool(its_pool) {}

  Outlook outlook();
  void take_note();
  Task<RunEnd> run();

  TaskContext context;
  Pool& pool;
  std::optional<CopyTask> copy;
  std::optional<ExpirationTask> expiration;
  Phase phase = Phase::scheduled;
  /// The end of the last run: ticks come one interval after it, two, three, ...
  SimTime last_end = time_start;
  /// While sleeping: where among the pool's sleepers.
  std::size_t sleeper_index = 0;
  /// The first run waits for the other task's first run at the same instant (settings.copy_first is false).
  bool waits_for_other = false;
};

/// A thread pool with its queue.
struct Pool {
  std::int32_t thread_count = 0;
  std::int32_t busy_count = 0;
  /// Runs that wait for a thread, from `first_waiting` on.
  std::vector<LeaderTask*> waiting;
  std::size_t first_waiting = 0;
  std::vector<LeaderTask*> sleepers;

  bool is_full() const { return busy_count == thread_count; }
  std::size_t waiting_count() const { return waiting.size() - first_waiting; }
  LeaderTask* take_waiting();
};

LeaderTask* Pool::take_waiting() {
  if (waiting_count() == 0) return nullptr;
  LeaderTask* task = waiting[first_waiting++];
  // Half of the places are behind us: close the gap, so that the queue never grows without end.
  if (2 * first_waiting >= waiting.size()) {
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(first_waiting));
    first_waiting = 0;
  }
  return task;
}

Outlook LeaderTask::outlook() {
  Outlook both;
  if (copy) both = copy->outlook();
  if (both.has_work || !expiration) return both;
  const Outlook second = expiration->outlook();
  return {.has_work = second.has_work,
          .takes_note = both.takes_note || second.takes_note,
          .idle_until = std::min(both.idle_until, second.idle_until)};
}

void LeaderTask::take_note() {
  if (copy) copy->take_note();
  if (expiration) expiration->take_note();
}

// 3.6 runs one after the other: an error of the copies stops the expiration only when it is an interrupt or comes from
// a cache that is not initialized.
Task<RunEnd> LeaderTask::run() {
  RunEnd end = RunEnd::done;
  if (copy) end = co_await copy->run();
  const bool goes_on = end == RunEnd::done || end == RunEnd::failed;
  if (!expiration || !goes_on) co_return end;
  auto expiration_end = co_await expiration->run();
  co_return end == RunEnd::done ? expiration_end : end;
}

/// The tasks of one partition. Their places are free when the broker does not lead; in 3.6 only after stop_partition.
struct PartitionSlot {
  PartitionState state;
  std::unique_ptr<LeaderTask> tasks[task_kind_count];
  bool leads = false;
};

}  // namespace

struct RemoteLogManager::State {
  State(Settings its_settings, const Policy& its_policy, BrokerPorts its_ports, RemoteLogManagerHost& its_host,
        RemoteLogManager& its_manager);

  PartitionSlot* find(PartitionNumber partition) const;
  LeaderTask* find(PartitionNumber partition, TaskKind kind) const;
  PartitionSlot& slot(PartitionNumber partition);
  LeaderTask& create(PartitionNumber partition, TaskKind kind, LeaderEpoch epoch, Duration delay);
  void cancel(PartitionSlot& slot, TaskKind kind);
  void let_go(PartitionSlot& slot, PartitionNumber partition);

  void run_or_queue(LeaderTask& task);
  void run_or_rest(LeaderTask& task);
  Task<void> run(LeaderTask* task);
  void ended(LeaderTask& task, RunEnd end);
  void rest(LeaderTask& task, const Outlook& outlook);
  void schedule_next(LeaderTask& task, SimTime not_before);
  void wake(LeaderTask& task);
  void wake_sleepers(Pool& pool);
  void remove_sleeper(LeaderTask& task);

  Settings settings;
  const Policy& policy;
  BrokerPorts ports;
  RemoteLogManagerHost& host;
  RemoteLogManager& manager;
  /// Copier's (in 3.6 the only one) and expiration's.
  Pool pools[task_kind_count];
  boost::container::flat_map<PartitionNumber, std::unique_ptr<PartitionSlot>> slots;
  /// Cancelled tasks whose last run is under way.
  std::vector<std::unique_ptr<LeaderTask>> zombies;
};

std::string_view to_string(TaskKind kind) {
  switch (kind) {
    case TaskKind::copy:
      return "copy";
    case TaskKind::expiration:
      return "expiration";
  }
  return "";
}

RemoteLogManager::State::State(Settings its_settings, const Policy& its_policy, BrokerPorts its_ports,
                               RemoteLogManagerHost& its_host, RemoteLogManager& its_manager)
    : settings(std::move(its_settings)), policy(its_policy), ports(its_ports), host(its_host), manager(its_manager) {
  const RemoteLogManagerOptions& options = settings.options;
  const bool one_task = policy.rules().one_task;
  pools[0].thread_count = one_task ? options.thread_pool_size : options.copier_thread_pool_size;
  pools[1].thread_count = one_task ? 0 : options.expiration_thread_pool_size;
}

PartitionSlot* RemoteLogManager::State::find(PartitionNumber partition) const {
  const auto found = slots.find(partition);
  return found == slots.end() ? nullptr : found->second.get();
}

LeaderTask* RemoteLogManager::State::find(PartitionNumber partition, TaskKind kind) const {
  const PartitionSlot* found = find(partition);
  return found ? found->tasks[static_cast<int>(kind)].get() : nullptr;
}

PartitionSlot& RemoteLogManager::State::slot(PartitionNumber partition) {
  auto& place = slots[partition];
  if (!place) place = std::make_unique<PartitionSlot>();
  return *place;
}

LeaderTask& RemoteLogManager::State::create(PartitionNumber partition, TaskKind kind, LeaderEpoch epoch,
                                            Duration delay) {
  PartitionSlot& place = slot(partition);
  const TaskContext context{
      partition, kind, settings.broker, epoch,      policy, settings.options, host.task_ports(partition, kind),
      ports,     host, manager,         place.state};
  auto& task = place.tasks[static_cast<int>(kind)];
  task = std::make_unique<LeaderTask>(context, pools[static_cast<int>(kind)]);
  const bool one_task = policy.rules().one_task;
  if (kind == TaskKind::copy) task->copy.emplace(task->context);
  if (kind == TaskKind::expiration || one_task) task->expiration.emplace(task->context);
  host.schedule_tick(partition, kind, host.now() + delay);
  return *task;
}

void RemoteLogManager::State::cancel(PartitionSlot& place, TaskKind kind) {
  std::unique_ptr<LeaderTask> task = std::move(place.tasks[static_cast<int>(kind)]);
  if (!task) return;
  task->context.cancelled = true;
  switch (task->phase) {
    case LeaderTask::Phase::scheduled:
      break;
    case LeaderTask::Phase::sleeping:
      remove_sleeper(*task);
      break;
    case LeaderTask::Phase::queued: {
      // The pool removes what is cancelled before it has begun.
      auto& waiting = task->pool.waiting;
      const auto first = waiting.begin() + static_cast<std::ptrdiff_t>(task->pool.first_waiting);
      waiting.erase(std::find(first, waiting.end(), task.get()));
      return;
    }
    case LeaderTask::Phase::running:
      task->context.ports.thread.interrupt();
      zombies.push_back(std::move(task));
      return;
  }
  host.cancel_tick(task->context.partition, kind);
}

void RemoteLogManager::State::let_go(PartitionSlot& place, PartitionNumber partition) {
  cancel(place, TaskKind::copy);
  cancel(place, TaskKind::expiration);
  const bool is_traced = place.state.gauges.dangling() != DanglingGauges{};
  host.metrics().remove(partition, place.state.gauges);
  if (is_traced) host.dangling_gauges_set(partition, {});
}

void RemoteLogManager::State::run_or_queue(LeaderTask& task) {
  if (!task.pool.is_full()) return run_or_rest(task);
  task.phase = LeaderTask::Phase::queued;
  task.pool.waiting.push_back(&task);
}

// A run that would change nothing takes no thread and is not reported, so that it makes no difference whether its tick
// is elided.
void RemoteLogManager::State::run_or_rest(LeaderTask& task) {
  Outlook outlook = task.outlook();
  if (!outlook.has_work) {
    if (outlook.takes_note) task.take_note();
    outlook.takes_note = false;
    return rest(task, outlook);
  }
  task.phase = LeaderTask::Phase::running;
  ++task.pool.busy_count;
  if (task.pool.is_full()) wake_sleepers(task.pool);
  host.spawn(run(&task));
}

Task<void> RemoteLogManager::State::run(LeaderTask* task) {
  host.run_started(task->context.partition, task->context.kind, task->context.epoch);
  auto end = co_await task->run();
  ended(*task, end);
}

void RemoteLogManager::State::ended(LeaderTask& task, RunEnd end) {
  Pool& pool = task.pool;
  --pool.busy_count;
  task.context.ports.thread.clear_interrupt();
  host.run_ended(task.context.partition, task.context.kind, end);
  const auto zombie =
      std::find_if(zombies.begin(), zombies.end(), [&](const auto& entry) { return entry.get() == &task; });
  if (zombie != zombies.end()) {
    zombies.erase(zombie);
  } else {
    // To ask at once saves an idle tick; where ticks are not elided the next one asks.
    rest(task, settings.elide_idle_ticks ? task.outlook() : Outlook{.has_work = true});
  }
  while (!pool.is_full()) {
    LeaderTask* waiting = pool.take_waiting();
    if (!waiting) return;
    run_or_rest(*waiting);
  }
}

// The run ends now, and the next tick is one interval away (scheduleWithFixedDelay); nobody need wait for it while the
// pool has a free thread and the task nothing to do.
void RemoteLogManager::State::rest(LeaderTask& task, const Outlook& outlook) {
  CHECK(!task.pool.is_full());
  task.last_end = host.now();
  const bool may_sleep = settings.elide_idle_ticks && !outlook.has_work && !outlook.takes_note;
  const SimTime clock = task.context.now();
  if (!may_sleep || outlook.idle_until <= clock) {
    task.phase = LeaderTask::Phase::scheduled;
    return schedule_next(task, host.now());
  }
  task.phase = LeaderTask::Phase::sleeping;
  task.sleeper_index = task.pool.sleepers.size();
  task.pool.sleepers.push_back(&task);
  if (outlook.idle_until == time_never) return;
  // Whatever moves the broker's clock other than time calls changed().
  const Duration idle_for = outlook.idle_until - clock;
  if (idle_for <= time_never - host.now() - settings.options.task_interval) schedule_next(task, host.now() + idle_for);
}

/// The task's first tick at or after `not_before` that is still ahead.
void RemoteLogManager::State::schedule_next(LeaderTask& task, SimTime not_before) {
  const Duration interval = settings.options.task_interval;
  const auto passed = (not_before - task.last_end) / interval;
  SimTime at = task.last_end + std::max<std::int64_t>(passed, 1) * interval;
  while (at < not_before || !host.tick_is_ahead(task.context.partition, task.context.kind, at)) at += interval;
  host.schedule_tick(task.context.partition, task.context.kind, at);
}

void RemoteLogManager::State::wake(LeaderTask& task) {
  if (task.phase != LeaderTask::Phase::sleeping) return;
  remove_sleeper(task);
  task.phase = LeaderTask::Phase::scheduled;
  schedule_next(task, host.now());
}

void RemoteLogManager::State::wake_sleepers(Pool& pool) {
  std::sort(pool.sleepers.begin(), pool.sleepers.end(),
            [](const LeaderTask* a, const LeaderTask* b) { return a->context.partition < b->context.partition; });
  for (LeaderTask* task : pool.sleepers) {
    task->phase = LeaderTask::Phase::scheduled;
    schedule_next(*task, host.now());
  }
  pool.sleepers.clear();
}

void RemoteLogManager::State::remove_sleeper(LeaderTask& task) {
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

void RemoteLogManager::become_leader(PartitionNumber partition, LeaderEpoch epoch, Duration copy_delay,
                                     Duration expiration_delay) {
  PartitionSlot& slot = state_->slot(partition);
  slot.leads = true;
  const bool one_task = state_->policy.rules().one_task;
  LeaderTask* copy = slot.tasks[static_cast<int>(TaskKind::copy)].get();
  if (copy && one_task) {
    copy->context.epoch = epoch;
    copy->context.leads = true;
    copy->copy->convert_to_leader();
    state_->wake(*copy);
    return;
  }
  const bool creates_both = !copy && !slot.tasks[static_cast<int>(TaskKind::expiration)];
  if (!copy) copy = &state_->create(partition, TaskKind::copy, epoch, copy_delay);
  if (one_task || slot.tasks[static_cast<int>(TaskKind::expiration)]) return;
  state_->create(partition, TaskKind::expiration, epoch, expiration_delay);
  copy->waits_for_other = creates_both && !state_->settings.copy_first && copy_delay == expiration_delay;
}

void RemoteLogManager::become_follower(PartitionNumber partition) {
  PartitionSlot* slot = state_->find(partition);
  if (!slot || !slot->leads) return;
  slot->leads = false;
  if (state_->policy.rules().cancel_on_leader_move) return state_->let_go(*slot, partition);
  // The task stays, its run goes on to the next look between segments, and its ticks find nothing to do.
  if (LeaderTask* task = slot->tasks[static_cast<int>(TaskKind::copy)].get()) task->context.leads = false;
}

void RemoteLogManager::stop_partition(PartitionNumber partition) {
  PartitionSlot* slot = state_->find(partition);
  if (!slot) return;
  slot->leads = false;
  state_->let_go(*slot, partition);
}

void RemoteLogManager::on_tick(PartitionNumber partition, TaskKind kind) {
  LeaderTask* task = state_->find(partition, kind);
  CHECK(task, "tick of a task that does not exist: partition {}", partition);
  if (task->waits_for_other) return;
  CHECK(task->phase == LeaderTask::Phase::scheduled || task->phase == LeaderTask::Phase::sleeping);
  if (task->phase == LeaderTask::Phase::sleeping) state_->remove_sleeper(*task);
  state_->run_or_queue(*task);
  LeaderTask* copy = kind == TaskKind::expiration ? state_->find(partition, TaskKind::copy) : nullptr;
  if (!copy || !copy->waits_for_other) return;
  copy->waits_for_other = false;
  state_->host.cancel_tick(partition, TaskKind::copy);
  state_->run_or_queue(*copy);
}

void RemoteLogManager::changed(PartitionNumber partition) {
  PartitionSlot* slot = state_->find(partition);
  if (!slot) return;
  for (const auto& task : slot->tasks) {
    if (task) state_->wake(*task);
  }
}

bool RemoteLogManager::leads(PartitionNumber partition) const {
  const PartitionSlot* slot = state_->find(partition);
  return slot && slot->leads;
}

std::size_t RemoteLogManager::active_runs() const {
  std::size_t count = 0;
  for (const Pool& pool : state_->pools) count += static_cast<std::size_t>(pool.busy_count) + pool.waiting_count();
  return count;
}

}  // namespace model
