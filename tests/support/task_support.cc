#include "tests/support/task_support.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/check.h"
#include "model/policies/policies.h"

namespace tests {

using model::PartitionNumber;
using model::RemoteLogSegment;
using model::RemoteLogSegmentMetadata;
using model::RemoteLogSegmentState;
using model::SimTime;
using model::TaskKind;

namespace {

std::uint64_t tick_key(PartitionNumber partition, TaskKind kind) {
  return model::task_kind_count * std::uint64_t{partition.value()} + static_cast<std::uint64_t>(kind);
}

Call call_of(RemoteLogSegmentState state) { return static_cast<Call>(state); }
static_assert(static_cast<int>(RemoteLogSegmentState::dangling) == static_cast<int>(Call::dangling));

bool is_publish(Call call) { return call < Call::copy; }

std::string take(std::vector<std::string>& list) {
  std::string text = fmt::format("{}", fmt::join(list, ", "));
  list.clear();
  return text;
}

std::unique_ptr<model::Policy> make_policy(const TaskWorldSettings& settings) {
  const model::PolicyOptions options{settings.kip, settings.recovery};
  if (settings.make_policy) return settings.make_policy(options);
  if (settings.policy == "kafka-4.2") return model::make_kafka_4_2(options);
  if (settings.policy == "kafka-4.3-seeding") return model::make_kafka_4_3_seeding(options);
  for (const model::PolicyEntry& entry : model::policies()) {
    if (entry.name == settings.policy) return entry.make(options, model::nothing_finalized);
  }
  model::check_failed("known policy", __FILE__, __LINE__);
}

}  // namespace

std::string_view to_string(Call call) {
  switch (call) {
    case Call::started:
      return "CS";
    case Call::finished:
      return "CF";
    case Call::delete_started:
      return "DS";
    case Call::delete_finished:
      return "DF";
    case Call::dangling:
      return "DANGLING";
    case Call::copy:
      return "copy";
    case Call::remove:
      return "delete";
  }
  return "";
}

/// What becomes of failures is `base`'s.
class PolicyWithRules final : public model::Policy {
 public:
  PolicyWithRules(std::unique_ptr<model::Policy> base, const model::Rules& rules)
      : base_(std::move(base)), rules_(rules) {}
  std::string_view name() const override { return base_->name(); }
  const model::Rules& rules() const override { return rules_; }
  model::Task<void> after_failed_copy(model::CopyRun& run, RemoteLogSegmentMetadata metadata,
                                      model::RemoteStorageError error) const override {
    return base_->after_failed_copy(run, metadata, error);
  }

 private:
  std::unique_ptr<model::Policy> base_;
  model::Rules rules_;
};

std::unique_ptr<model::Policy> with_rules(std::unique_ptr<model::Policy> kafka, const model::Rules& rules) {
  return std::make_unique<PolicyWithRules>(std::move(kafka), rules);
}

struct TaskWorld::Wait {
  TaskWorld& world;
  int id;
  Answer result;

  Open& open() const {
    return *std::find_if(world.open_.begin(), world.open_.end(), [this](const Open& entry) { return entry.id == id; });
  }
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> caller) const { open().caller = caller; }
  Answer await_resume() const {
    const Answer answer = open().answer;
    std::erase_if(world.open_, [this](const Open& entry) { return entry.id == id; });
    return answer;
  }
};

struct TaskWorld::SkewedClock : model::Clock {
  explicit SkewedClock(const TaskWorld& its_world) : world(its_world) {}
  SimTime now() const override { return world.now_ + skew; }
  model::Duration start_since_1970() const override {
    return world.settings_.start_since_1970.value_or(model::Clock::start_since_1970());
  }
  const TaskWorld& world;
  model::Duration skew{0};
};

struct TaskWorld::Ports final : model::RemoteStorageManager,
                                model::RemoteLogMetadataManager,
                                model::TaskListener,
                                model::Interruptible {
  Ports(TaskWorld& its_world, PartitionNumber its_partition, TaskKind its_kind)
      : world(its_world), partition(its_partition), kind(its_kind) {}

  model::Task<model::Result<model::CustomMetadata, model::RemoteStorageError>> copy_log_segment_data(
      RemoteLogSegmentMetadata metadata) override {
    auto answer = co_await world.call(this, Call::copy, metadata);
    if (answer.storage_error) co_return model::Failed(*answer.storage_error);
    co_return model::CustomMetadata{answer.custom_metadata_size};
  }
  model::Task<model::Result<void, model::RemoteStorageError>> delete_log_segment_data(
      RemoteLogSegmentMetadata metadata) override {
    auto answer = co_await world.call(this, Call::remove, metadata);
    if (answer.storage_error) co_return model::Failed(*answer.storage_error);
    co_return model::Result<void, model::RemoteStorageError>{};
  }
  model::Task<model::Result<void, model::MetadataError>> add_remote_log_segment_metadata(
      RemoteLogSegmentMetadata metadata) override {
    return update_remote_log_segment_metadata(metadata);
  }
  model::Task<model::Result<void, model::MetadataError>> update_remote_log_segment_metadata(
      RemoteLogSegmentMetadata metadata) override {
    auto answer = co_await world.call(this, call_of(metadata.state), metadata);
    if (answer.metadata_error) co_return model::Failed(*answer.metadata_error);
    co_return model::Result<void, model::MetadataError>{};
  }
  model::ManagerState state() const override { return world.manager_state_; }
  bool is_ready() const override { return world.is_ready_ && world.manager_state_ == model::ManagerState::initialized; }
  std::optional<model::Duration> copy_deadline() const override { return world.settings_.bounds.copy_deadline; }
  std::optional<model::Duration> publish_deadline() const override { return world.settings_.bounds.publish_deadline; }
  const model::RemoteLogMetadataCache& cache() override { return world.partitions_[partition.value()].cache; }

  void entered(const RemoteLogSegment& segment, model::TaskStep step) override {
    world.note(world.steps_, partition, fmt::format("{} {}", model::to_string(step), segment.number));
  }
  void left(const RemoteLogSegment& segment) override {
    world.note(world.steps_, partition, fmt::format("left {}", segment.number));
  }
  void log_start_raised(model::Offset offset) override {
    world.note(world.events_, partition, fmt::format("raise {}", offset));
  }
  void took_branch(std::string_view branch) override { world.note(world.branches_, partition, std::string{branch}); }

  void interrupt() override { world.interrupt(*this); }
  void clear_interrupt() override { is_interrupted = false; }
  model::Task<void> spin() override {
    if (world.observer_) world.observer_->run_spins();
    const std::suspend_always never;
    co_await never;
  }
  model::Task<bool> sleep(model::Duration time) override {
    if (std::exchange(is_interrupted, false)) co_return false;
    const int id = ++world.last_id_;
    sleep_id = id;
    world.schedule(world.now_ + time, [this, id] { end_sleep(id, true); });
    Sleep sleep{*this};
    auto has_slept = co_await sleep;
    co_return has_slept;
  }
  void wake() override { end_sleep_soon(true); }

  struct Sleep {
    Ports& ports;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> frame) const { ports.sleeper = frame; }
    bool await_resume() const { return ports.slept; }
  };
  bool is_sleeping() const { return sleep_id != 0; }
  void end_sleep_soon(bool as_if_passed) {
    if (!is_sleeping()) return;
    world.schedule(world.now_, [this, id = sleep_id, as_if_passed] { end_sleep(id, as_if_passed); });
  }
  void end_sleep(int id, bool as_if_passed) {
    if (sleep_id != id) return;
    sleep_id = 0;
    slept = as_if_passed;
    std::exchange(sleeper, nullptr).resume();
  }

  TaskWorld& world;
  PartitionNumber partition;
  TaskKind kind;
  bool is_interrupted = false;
  /// While the thread sleeps.
  int sleep_id = 0;
  std::coroutine_handle<> sleeper;
  bool slept = false;
};

TaskWorld::TaskWorld(TaskWorldSettings settings)
    : settings_(std::move(settings)),
      topic_of_(settings_.partition_count),
      metrics_(topic_of_, 1),
      policy_(make_policy(settings_)),
      clock_(std::make_unique<SkewedClock>(*this)),
      now_(settings_.start) {
  for (std::size_t i = 0; i < settings_.partition_count; ++i) {
    partitions_.push_back({.topic = {}, .cache = model::RemoteLogMetadataCache{policy_->transitions()}});
  }
  model::RemoteLogManager::Settings own{.options = settings_.options,
                                        .broker = model::BrokerId{1},
                                        .elide_idle_ticks = settings_.elide_idle_ticks,
                                        .copy_first = settings_.copy_first,
                                        .partition_count = settings_.partition_count};
  own.options.copy_max_bytes_per_second = settings_.copy_quota;
  own.options.thread_pool_size = settings_.thread_count;
  own.options.copier_thread_pool_size = settings_.thread_count;
  own.options.expiration_thread_pool_size = settings_.thread_count;
  manager_ = std::make_unique<model::RemoteLogManager>(own, *policy_, model::BrokerPorts{*clock_, *this}, *this);
}

TaskWorld::~TaskWorld() = default;

void TaskWorld::release(Call call, Answer answer) {
  const auto open = std::find_if(open_.begin(), open_.end(), [&](const Open& entry) { return entry.call == call; });
  CHECK(open != open_.end(), "no {} is parked", to_string(call));
  complete(open->id, answer);
  drain();
}

bool TaskWorld::is_parked(Call call) const {
  return std::any_of(open_.begin(), open_.end(), [&](const Open& entry) { return entry.call == call; });
}

std::vector<Call> TaskWorld::parked_calls() const {
  std::vector<Call> calls;
  for (const Open& entry : open_) calls.push_back(entry.call);
  return calls;
}

void TaskWorld::release_at(std::size_t index, Answer answer) {
  complete(open_[index].id, answer);
  drain();
}

std::optional<Call> TaskWorld::parked_call(TaskKind kind) const {
  const auto open =
      std::find_if(open_.begin(), open_.end(), [kind](const Open& entry) { return entry.ports->kind == kind; });
  return open == open_.end() ? std::nullopt : std::optional{open->call};
}

void TaskWorld::release_task(TaskKind kind, Answer answer) {
  const auto open =
      std::find_if(open_.begin(), open_.end(), [kind](const Open& entry) { return entry.ports->kind == kind; });
  CHECK(open != open_.end(), "no call of the {} task is parked", model::to_string(kind));
  complete(open->id, answer);
  drain();
}

Answer TaskWorld::take_answer(Call call) {
  auto& script = answers_[static_cast<int>(call)];
  if (script.empty()) return defaults_[static_cast<int>(call)];
  const Answer answer = script.front();
  script.pop_front();
  return answer;
}

void TaskWorld::append_segments(int count, PartitionNumber partition) {
  model::UnifiedLog& log = partitions_[partition.value()].log;
  for (int i = 0; i < count; ++i) {
    log.append(10, 100_B, now_);
    log.roll(now_);
  }
  log.set_high_watermark(log.log_end_offset());
  manager_->changed(partition);
}

const RemoteLogSegment& TaskWorld::add_copy(std::int64_t start, std::int64_t end, RemoteLogSegmentState state,
                                            model::EpochEntries segment_epochs, SimTime max_timestamp) {
  const RemoteLogSegment& copy = add_segment(
      make_segment(0, model::Offset{start}, model::Offset{end}, std::move(segment_epochs), 100_B, max_timestamp));
  bring_to(partitions_[0].cache, copy, state);
  return copy;
}

const RemoteLogSegment& TaskWorld::add_segment(RemoteLogSegment segment) {
  segment.number = static_cast<std::uint32_t>(segments_.size());
  segment.id = {0, segment.number};
  segments_.push_back(std::move(segment));
  return segments_.back();
}

const RemoteLogSegment& TaskWorld::add_copy_of(model::BrokerId broker, SimTime at, RemoteLogSegmentState state) {
  const auto number = static_cast<std::uint32_t>(segments_.size());
  segments_.push_back(make_segment(number, model::Offset{0}, model::Offset{9}, {}, 100_B));
  (void)deliver(make_event(segments_.back(), RemoteLogSegmentState::copy_segment_started, broker, at));
  if (state != RemoteLogSegmentState::copy_segment_started) {
    (void)deliver(make_event(segments_.back(), state, broker, at));
  }
  return segments_.back();
}

void TaskWorld::start_log_at(std::int64_t end) {
  model::UnifiedLog& log = partitions_[0].log;
  log.append(end, model::Bytes{end * 10}, now_);
  log.roll(now_);
  log.set_high_watermark(model::Offset{end});
  log.start_local_log_at(model::Offset{end});
}

void TaskWorld::set_ready(bool ready) {
  is_ready_ = ready;
  for (std::uint32_t i = 0; i < partitions_.size(); ++i) manager_->changed(PartitionNumber{i});
}

void TaskWorld::set_clock_skew(model::Duration skew) {
  clock_->skew = skew;
  for (std::uint32_t i = 0; i < partitions_.size(); ++i) manager_->changed(PartitionNumber{i});
}

void TaskWorld::lead(model::Duration expiration_delay) {
  for (std::uint32_t i = 0; i < partitions_.size(); ++i) {
    manager_->become_leader(PartitionNumber{i}, model::LeaderEpoch{0}, model::Duration{0}, expiration_delay);
  }
}

void TaskWorld::run_until(SimTime time) {
  while (!queue_.empty() && std::get<0>(queue_.begin()->first) <= time) execute(queue_.begin());
  now_ = time;
  ticks_passed_ = 0;
}

void TaskWorld::tick(TaskKind kind) {
  cancel_tick(PartitionNumber{0}, kind);
  ++tick_count_;
  manager_->on_tick(PartitionNumber{0}, kind);
  drain();
}

std::string TaskWorld::events() { return take(events_); }
std::string TaskWorld::steps() { return take(steps_); }
std::string TaskWorld::branches() { return take(branches_); }
std::string TaskWorld::runs() { return take(runs_); }
std::string TaskWorld::gauges() { return take(gauges_); }

bool TaskWorld::has_tick(TaskKind kind, std::uint32_t partition) const {
  return ticks_.contains(tick_key(PartitionNumber{partition}, kind));
}

model::TaskPorts TaskWorld::task_ports(PartitionNumber partition, TaskKind kind) {
  // New ones for each task: an interrupt of a cancelled task must not meet the one that follows it.
  ports_.push_back(std::make_unique<Ports>(*this, partition, kind));
  Ports& ports = *ports_.back();
  return {ports, ports, ports, ports};
}

model::UnifiedLog& TaskWorld::log(PartitionNumber partition) { return partitions_[partition.value()].log; }
const model::TopicOptions& TaskWorld::topic(PartitionNumber partition) const {
  return partitions_[partition.value()].topic;
}

void TaskWorld::spawn(model::Task<void> task) {
  spawned_.push_back(std::move(task));
  const auto place = std::prev(spawned_.end());
  schedule(now_, [place] { (void)place->start(); });
}

void TaskWorld::schedule_tick(PartitionNumber partition, TaskKind kind, SimTime at) {
  CHECK(tick_is_ahead(partition, kind, at));
  cancel_tick(partition, kind);
  if (settings_.manual_ticks) return;
  const std::uint64_t key = tick_key(partition, kind);
  const Place place{at, 1, key};
  ticks_[key] = place;
  queue_[place] = [this, partition, kind, key] {
    ticks_.erase(key);
    ticks_passed_ = key + 1;
    ++tick_count_;
    manager_->on_tick(partition, kind);
  };
}

void TaskWorld::cancel_tick(PartitionNumber partition, TaskKind kind) {
  const auto tick = ticks_.find(tick_key(partition, kind));
  if (tick == ticks_.end()) return;
  queue_.erase(tick->second);
  ticks_.erase(tick);
}

bool TaskWorld::tick_is_ahead(PartitionNumber partition, TaskKind kind, SimTime at) const {
  return at > now_ || (at == now_ && tick_key(partition, kind) >= ticks_passed_);
}

void TaskWorld::run_started(PartitionNumber partition, TaskKind kind, model::LeaderEpoch epoch) {
  note(runs_, partition, fmt::format("{} started under {}", model::to_string(kind), epoch));
}
void TaskWorld::run_ended(PartitionNumber partition, TaskKind kind, model::RunEnd end) {
  note(runs_, partition, fmt::format("{} {}", model::to_string(kind), model::to_string(end)));
  if (observer_) observer_->run_ended(kind, end);
}
void TaskWorld::dangling_gauges_set(PartitionNumber partition, model::DanglingGauges gauges) {
  note(gauges_, partition, fmt::format("{} of {} B", gauges.count, gauges.bytes));
}

const RemoteLogSegment& TaskWorld::new_segment(PartitionNumber partition, const model::LogSegment& segment,
                                               model::EpochEntries segment_epochs) {
  RemoteLogSegment copy = make_segment(0, segment.base_offset, model::previous(segment.next_offset),
                                       std::move(segment_epochs), segment.size, segment.largest_timestamp);
  copy.partition = partition;
  return add_segment(std::move(copy));
}

void TaskWorld::schedule(SimTime time, std::function<void()> event) {
  queue_[Place{time, 0, sequence_++}] = std::move(event);
}

void TaskWorld::drain() {
  while (!queue_.empty() && std::get<0>(queue_.begin()->first) == now_ && std::get<1>(queue_.begin()->first) == 0) {
    execute(queue_.begin());
  }
}

void TaskWorld::execute(std::map<Place, std::function<void()>>::iterator event) {
  const SimTime at = std::get<0>(event->first);
  if (at > now_) ticks_passed_ = 0;
  now_ = at;
  const std::function<void()> run = std::move(event->second);
  queue_.erase(event);
  run();
  spawned_.remove_if([](const model::Task<void>& task) { return task.done(); });
}

model::Task<Answer> TaskWorld::call(Ports* ports, Call call, RemoteLogSegmentMetadata metadata) {
  note(events_, ports->partition, fmt::format("{} {}", to_string(call), metadata.segment->number));
  if (observer_) observer_->called(call, metadata);
  Answer answer = take_answer(call);
  if (is_publish(call) && std::exchange(ports->is_interrupted, false)) {
    answer.metadata_error = model::MetadataError::interrupted;
    answer.by_interrupt = true;
  } else if (answer.parks || settings_.call_time > model::Duration{0}) {
    const int id = ++last_id_;
    open_.push_back({id, call, ports, metadata, {}, {}});
    if (!answer.parks) schedule(now_ + settings_.call_time, [this, id, answer] { complete(id, answer); });
    Wait wait{*this, id, {}};
    answer = co_await wait;
    co_return answer;
  }
  answered(call, metadata, answer);
  co_return answer;
}

/// The answer of an open call; nothing when an interrupt has ended it before.
void TaskWorld::complete(int id, Answer answer) {
  const auto open = std::find_if(open_.begin(), open_.end(), [id](const Open& entry) { return entry.id == id; });
  if (open == open_.end()) return;
  open->answer = answer;
  const std::coroutine_handle<> caller = open->caller;
  answered(open->call, open->metadata, answer);
  caller.resume();
}

void TaskWorld::interrupt(Ports& ports) {
  if (ports.is_sleeping()) return ports.end_sleep_soon(false);
  const auto open = std::find_if(open_.begin(), open_.end(), [&](const Open& entry) { return entry.ports == &ports; });
  const bool in_plugin = open != open_.end() && !is_publish(open->call);
  if (in_plugin && settings_.on_interrupt == OnInterrupt::swallows) return;
  if (open == open_.end() || (in_plugin && settings_.on_interrupt == OnInterrupt::goes_on)) {
    ports.is_interrupted = true;
    return;
  }
  // A record that is under way is stored as the script says, though nobody waits for it any longer.
  Answer answer = settings_.on_interrupt == OnInterrupt::fails ? permanent : unchecked;
  if (is_publish(open->call)) answer = take_answer(open->call);
  if (is_publish(open->call)) answer.metadata_error = model::MetadataError::interrupted;
  answer.by_interrupt = true;
  const int id = open->id;
  schedule(now_, [this, id, answer] { complete(id, answer); });
}

void TaskWorld::answered(Call call, const RemoteLogSegmentMetadata& metadata, const Answer& answer) {
  std::optional<model::CacheAnswer> cache_answer;
  if (is_publish(call) && answer.is_stored) cache_answer = deliver(metadata);
  if (observer_) observer_->answered(call, metadata, answer, cache_answer);
}

model::CacheAnswer TaskWorld::deliver(const RemoteLogSegmentMetadata& metadata) {
  const PartitionNumber partition = metadata.segment->partition;
  const model::CacheAnswer answer = partitions_[partition.value()].cache.handle(metadata);
  if (answer != model::CacheAnswer::applied) {
    ++dropped_count_;
    note(events_, partition,
         fmt::format("dropped {} {}", to_string(call_of(metadata.state)), metadata.segment->number));
  }
  manager_->changed(partition);
  return answer;
}

void TaskWorld::note(std::vector<std::string>& list, PartitionNumber partition, std::string text) {
  record_.push_back(fmt::format("{} p{} {}", now_.time_since_epoch().count(), partition, text));
  list.push_back(std::move(text));
}

}  // namespace tests
