// The actions of a script: each reads its line and calls the model.
#include <array>

#include <fmt/format.h>

#include "sim/scenario/names.h"
#include "tests/conformance/runner/script_world.h"

namespace tests::conformance {
namespace {

using model::Offset;
using model::RemoteLogSegmentState;
using model::TaskKind;

constexpr model::PartitionNumber partition{0};
constexpr std::array<TaskKind, 3> script_tasks{TaskKind::copy, TaskKind::expiration, TaskKind::follower};

}  // namespace

std::span<const ScriptWorld::NamedAction> ScriptWorld::actions() {
  using Self = ScriptWorld;
  static constexpr std::array<NamedAction, 24> list{{
      {"advance", &Self::advance},     {"lead", &Self::lead},
      {"follow", &Self::follow},       {"run", &Self::run_task},
      {"start", &Self::start},         {"finish", &Self::finish},
      {"cancel", &Self::cancel},       {"on-interrupt", &Self::on_interrupt},
      {"next", &Self::next_answer},    {"append", &Self::append},
      {"roll", &Self::roll},           {"high-watermark", &Self::high_watermark},
      {"log-start", &Self::log_start}, {"topic", &Self::topic},
      {"epoch", &Self::epoch},         {"local-retention", &Self::local_retention},
      {"foreign", &Self::foreign},     {"stop", &Self::stop},
      {"show", &Self::show},           {"transition", &Self::transition},
      {"state-id", &Self::state_id},   {"filtered", &Self::filtered},
      {"within", &Self::within},       {"lose-snapshot", &Self::lose_snapshot},
  }};
  return list;
}

void ScriptWorld::advance(Words& words) {
  const std::int64_t milliseconds = words.integer("milliseconds");
  if (milliseconds < 0) words.fail("the clock only goes forwards");
  world_.run_for(std::chrono::milliseconds{milliseconds});
}

void ScriptWorld::lead(Words& words) {
  const model::LeaderEpoch epoch{static_cast<std::int32_t>(words.integer("an epoch"))};
  for (const TaskKind kind : script_tasks) {
    if (world_.parked_call(kind)) words.fail(fmt::format("the {} run stands", model::to_string(kind)));
    // New tasks even if the broker leads already.
    world_.manager().cancel(partition, kind);
    task_state(kind) = TaskState::made;
  }
  world_.manager().become_leader(partition, epoch, model::Duration{0}, model::Duration{0});
  task_state(TaskKind::follower) = TaskState::none;
  if (world_.topic_options().remote_log_copy_disable) task_state(TaskKind::copy) = TaskState::none;
}

void ScriptWorld::follow(Words& words) {
  words.end();
  world_.manager().become_follower(partition);
  world_.run_for(model::Duration{0});
  tasks_.fill(TaskState::none);
  task_state(TaskKind::follower) = TaskState::made;
}

TaskKind ScriptWorld::task_kind(Words& words) {
  constexpr std::array<std::string_view, 3> names{"copy", "expiration", "follower"};
  return script_tasks[words.choice("task", names)];
}

void ScriptWorld::check_can_run(Words& words, TaskKind kind) {
  if (task_state(kind) == TaskState::none) {
    words.fail(fmt::format("there is no {} task", model::to_string(kind)));
  }
  if (world_.parked_call(kind)) {
    words.fail(fmt::format("the {} task stands in a call: finish or cancel it first", model::to_string(kind)));
  }
}

/// A task that was cancelled runs no more: RLMTask.run returns at once, and the model has let it go.
void ScriptWorld::tick(TaskKind kind) {
  run_has_ended_ = false;
  const std::size_t runs_before = world_.manager().active_runs();
  if (task_state(kind) == TaskState::made) world_.tick(kind);
  if (world_.manager().active_runs() > runs_before) wait_for_quota(kind);
  if (const auto call = world_.parked_call(kind)) {
    const std::string_view publish = *call < Call::copy ? "publish " : "";
    return print(fmt::format("stands at {}{}", publish, to_string(*call)));
  }
  // A run with nothing to do is not reported.
  if (!run_has_ended_) run_ended(kind, model::RunEnd::done);
}

/// A run that neither stands nor has ended waits for the copy quota, which it asks again each second.
void ScriptWorld::wait_for_quota(TaskKind kind) {
  while (!run_has_ended_ && !world_.parked_call(kind)) world_.run_for(std::chrono::seconds{1});
}

void ScriptWorld::run_task(Words& words) {
  const TaskKind kind = task_kind(words);
  check_can_run(words, kind);
  tick(kind);
}

Call ScriptWorld::point(Words& words) {
  constexpr std::array<std::string_view, 3> points{"publish", "copy", "delete"};
  switch (words.choice("call", points)) {
    case 0:
      return static_cast<Call>(words.choice("state", state_names()));
    case 1:
      return Call::copy;
    default:
      return Call::remove;
  }
}

void ScriptWorld::start(Words& words) {
  const TaskKind kind = task_kind(words);
  constexpr std::array<std::string_view, 1> until{"until"};
  words.choice("word", until);
  const Call call = point(words);
  words.end();
  check_can_run(words, kind);
  world_.answer_first(call, parked);
  tick(kind);
  if (!world_.parked_call(kind)) world_.withdraw_first(call);
}

void ScriptWorld::finish(Words& words) {
  const TaskKind kind = task_kind(words);
  const auto call = world_.parked_call(kind);
  if (!call) words.fail(fmt::format("the {} task stands in no call", model::to_string(kind)));
  run_has_ended_ = false;
  world_.release_task(kind, world_.take_answer(*call));
  wait_for_quota(kind);
}

void ScriptWorld::cancel(Words& words) {
  const TaskKind kind = task_kind(words);
  world_.manager().cancel(partition, kind);
  world_.run_for(model::Duration{0});
  task_state(kind) = TaskState::cancelled;
}

void ScriptWorld::on_interrupt(Words& words) {
  constexpr std::array<std::string_view, 4> names{"throw", "unchecked", "ignore", "swallow"};
  world_.on_interrupt(static_cast<OnInterrupt>(words.choice("way", names)));
}

Answer ScriptWorld::outcome(Words& words, Call call) {
  if (call < Call::copy) {
    constexpr std::array<std::string_view, 4> names{"ok", "refused", "unknown", "late"};
    Answer late = refused;
    late.is_late = true;
    const std::array<Answer, 4> answers{ok, refused, timed_out, late};
    return answers[words.choice("outcome", names)];
  }
  constexpr std::array<std::string_view, 5> names{"ok", "permanent", "retriable", "unchecked", "error"};
  switch (words.choice("outcome", names)) {
    case 0: {
      Answer answer = ok;
      const auto options = words.options({"custom"});
      if (const auto custom = options.find("custom"); custom != options.end()) {
        if (call != Call::copy) words.fail("only a copy returns custom metadata");
        answer.custom_metadata_size = static_cast<std::int32_t>(words.to_integer("custom", custom->second));
      }
      return answer;
    }
    case 1:
      return permanent;
    case 2:
      if (!version_.has_retriable_error) {
        words.fail(fmt::format("Kafka {} has no retriable error: give `versions`", version_.name));
      }
      return retriable;
    case 3:
      return unchecked;
    default:
      return fatal;
  }
}

void ScriptWorld::next_answer(Words& words) {
  const Call call = point(words);
  world_.answer(call, outcome(words, call));
}

void ScriptWorld::append(Words& words) {
  const std::int64_t count = words.integer("a number of records");
  if (count <= 0) words.fail("at least one record");
  const auto options = words.options({"size", "ts"});
  const auto size = options.find("size");
  if (size == options.end()) words.fail("size=B is missing");
  const auto ts = options.find("ts");
  const auto timestamp =
      ts == options.end() ? world_.now() : model::from_milliseconds(words.to_integer("ts", ts->second));
  world_.log().append(count, model::Bytes{words.to_integer("size", size->second)}, timestamp);
}

void ScriptWorld::roll(Words& words) {
  words.end();
  world_.log().roll(world_.now());
}

void ScriptWorld::lose_snapshot(Words& words) {
  world_.log().lose_producer_snapshot(Offset{words.integer("an offset")});
}

void ScriptWorld::high_watermark(Words& words) { world_.log().set_high_watermark(Offset{words.integer("an offset")}); }

void ScriptWorld::log_start(Words& words) {
  const Offset offset{words.integer("an offset")};
  if (!world_.log().maybe_increment_log_start_offset(offset)) words.fail("above the high watermark");
}

void ScriptWorld::topic(Words& words) { read_topic_options(words, world_.topic_options()); }

void ScriptWorld::epoch(Words& words) {
  const model::LeaderEpoch epoch{static_cast<std::int32_t>(words.integer("an epoch"))};
  world_.log().leader_epochs().assign(epoch, world_.log().log_end_offset());
}

void ScriptWorld::local_retention(Words& words) {
  words.end();
  const int removed = world_.log().delete_old_segments(world_.now(), world_.topic_options());
  print_changes();
  print(fmt::format("removed-local {}", removed));
}

const model::RemoteLogSegment* ScriptWorld::find_copy(const std::string& name) const {
  for (const model::RemoteLogSegment& segment : world_.segments()) {
    if (name_of(segment) == name) return &segment;
  }
  return nullptr;
}

const model::RemoteLogSegment& ScriptWorld::copy_named(Words& words) const {
  const std::string& name = words.word("a copy's name");
  if (const model::RemoteLogSegment* copy = find_copy(name)) return *copy;
  words.fail(fmt::format("there is no copy {}{}", sim::quoted(name), sim::suggestion(name, names_)));
}

void ScriptWorld::foreign(Words& words) {
  const auto state = static_cast<RemoteLogSegmentState>(words.choice("state", state_names()));
  if (state == RemoteLogSegmentState::copy_segment_started) {
    const NamedCopy named = read_copy(words, world_.log().leader_epochs(), world_.now(), false);
    // A name that is known is a second COPY_SEGMENT_STARTED of that copy.
    const model::RemoteLogSegment* known = find_copy(named.name);
    const model::RemoteLogSegment& copy = known ? *known : add_segment(named);
    const model::RemoteLogSegmentMetadata started = next_event(copy, state, named.broker);
    return print_publish(started, ok, world_.deliver(started));
  }
  const model::RemoteLogSegment& copy = copy_named(words);
  model::BrokerId broker{2};
  const auto options = words.options({"broker"});
  if (const auto found = options.find("broker"); found != options.end()) {
    broker = model::BrokerId{static_cast<std::int32_t>(words.to_integer("broker", found->second))};
  }
  const model::RemoteLogSegmentMetadata metadata = next_event(copy, state, broker);
  print_publish(metadata, ok, world_.deliver(metadata));
}

void ScriptWorld::stop(Words& words) {
  constexpr std::array<std::string_view, 1> what{"delete"};
  words.choice("word", what);
  for (const TaskKind kind : script_tasks) {
    world_.manager().cancel(partition, kind);
    world_.run_for(model::Duration{0});
  }
  tasks_.fill(TaskState::none);
  run_has_ended_ = false;
  world_.manager().stop_partition(partition, model::RemoteLogManager::Remote::remove);
  world_.run_for(model::Duration{0});
  if (!run_has_ended_) run_ended(TaskKind::partition_deletion, model::RunEnd::done);
}

}  // namespace tests::conformance
