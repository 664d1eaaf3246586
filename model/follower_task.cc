#include "model/follower_task.h"

#include "model/remote_offsets.h"

namespace model {

Outlook FollowerTask::outlook() {
  if (task_.cancelled) return {};
  if (task_.unstarted_error()) return {.has_work = true};
  if (!task_.is_ready()) return {};
  const UnifiedLog& log = task_.log();
  const Offset highest = find_highest_remote_offset(log, task_.cache(), task_.rules());
  if (highest > log.highest_offset_in_remote_storage()) return {.has_work = true};
  // The remote tier is ahead of this log, whose end bounds the offset and moves without an event.
  const bool is_bounded = highest != Offset{-1} && next(highest) == log.log_end_offset();
  return is_bounded && task_.host.is_growing(task_.partition) ? may_change_any_time : Outlook{};
}

RunEnd FollowerTask::run() {
  if (task_.cancelled) return RunEnd::cancelled;
  if (const auto error = task_.unstarted_error()) return to_run_end(*error);
  if (!task_.is_ready()) return RunEnd::not_ready;
  UnifiedLog& log = task_.log();
  log.update_highest_offset_in_remote_storage(find_highest_remote_offset(log, task_.cache(), task_.rules()));
  return RunEnd::done;
}

}  // namespace model
