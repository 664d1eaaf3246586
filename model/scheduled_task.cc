#include "model/scheduled_task.h"

#include <algorithm>

namespace model {

ScheduledTask::ScheduledTask(const TaskContext& its_context, ThreadPool& its_pool)
    : context(its_context), pool(its_pool) {
  const bool one_task = context.rules().one_task;
  if (context.kind == TaskKind::copy) copy.emplace(context);
  if (context.kind == TaskKind::expiration || one_task) expiration.emplace(context);
  if (context.kind == TaskKind::follower || one_task) follower.emplace(context);
}

Outlook ScheduledTask::outlook() {
  if (follows()) return follower->outlook();
  Outlook both;
  if (copy) both = copy->outlook();
  if (both.has_work || !expiration) return both;
  const Outlook second = expiration->outlook();
  return {.has_work = second.has_work,
          .takes_note = both.takes_note || second.takes_note,
          .idle_until = std::min(both.idle_until, second.idle_until)};
}

void ScheduledTask::take_note() {
  if (copy) copy->take_note();
  if (expiration) expiration->take_note();
}

// 3.6 runs one after the other: an error of the copies stops the expiration only when it is an interrupt, comes from a
// cache that is not initialized, or is one that nothing catches.
Task<RunEnd> ScheduledTask::run() {
  RunEnd end = RunEnd::done;
  if (copy) end = co_await copy->run();
  const bool goes_on = end == RunEnd::done || end == RunEnd::failed;
  if (!expiration || !goes_on) co_return end;
  auto expiration_end = co_await expiration->run();
  co_return end == RunEnd::done || expiration_end == RunEnd::fatal ? expiration_end : end;
}

ScheduledTask* ThreadPool::take_waiting() {
  if (waiting_count() == 0) return nullptr;
  ScheduledTask* task = waiting[first_waiting++];
  // Half of the places are behind us: close the gap, so that the queue never grows without end.
  if (2 * first_waiting >= waiting.size()) {
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(first_waiting));
    first_waiting = 0;
  }
  return task;
}

}  // namespace model
