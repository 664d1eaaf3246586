// Mirrors: RLMTaskWithFuture and the ScheduledThreadPoolExecutors of RemoteLogManager (facts 4.1, 4.4).
// Leaves out: names of threads, changing a pool's size.
#pragma once

#include <optional>
#include <vector>

#include "model/copy_task.h"
#include "model/expiration_task.h"
#include "model/follower_task.h"
#include "model/task_context.h"

namespace model {

struct ThreadPool;

/// One scheduled task. 3.6's does every job, the others' one.
struct ScheduledTask {
  enum class Phase : std::uint8_t {
    scheduled,  ///< A tick is due.
    sleeping,   ///< Ticks are elided; one may be due when the clock alone can bring work.
    queued,     ///< Waits for a thread.
    running,
    dead,  ///< An Error ended it: it is still there, so that nobody makes another one, and never runs again (F15).
  };

  ScheduledTask(const TaskContext& its_context, ThreadPool& its_pool);

  /// What it does now is a follower's job, which takes no time.
  bool follows() const { return follower && (!copy || !context.leads); }
  Outlook outlook();
  /// What a tick does that finds no work but something to note.
  void take_note();
  Task<RunEnd> run();

  TaskContext context;
  ThreadPool& pool;
  std::optional<CopyTask> copy;
  std::optional<ExpirationTask> expiration;
  std::optional<FollowerTask> follower;
  Phase phase = Phase::scheduled;
  /// The end of the last run: ticks come one interval after it, two, three, ...
  SimTime last_end = time_start;
  /// While sleeping: where among the pool's sleepers.
  std::size_t sleeper_index = 0;
  /// The first run waits for the other task's first run at the same instant (settings.copy_first is false).
  bool waits_for_other = false;
};

/// A thread pool with its queue.
struct ThreadPool {
  std::int32_t thread_count = 0;
  std::int32_t busy_count = 0;
  /// Runs that wait for a thread, from `first_waiting` on.
  std::vector<ScheduledTask*> waiting;
  std::size_t first_waiting = 0;
  std::vector<ScheduledTask*> sleepers;

  bool is_full() const { return busy_count == thread_count; }
  std::size_t waiting_count() const { return waiting.size() - first_waiting; }
  /// The one that has waited longest, or null.
  ScheduledTask* take_waiting();
};

}  // namespace model
