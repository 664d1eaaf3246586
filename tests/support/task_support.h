// A scripted world around one RemoteLogManager: every call of a port is answered from a script, at once, later, or when
// the test releases it. It models nothing; what the tasks do is all that happens.
#pragma once

#include <coroutine>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/policy.h"
#include "model/remote_log_manager.h"
#include "tests/support/model_support.h"

namespace tests {

/// A call of a port; publishes are named by the state that they publish.
enum class Call : std::uint8_t { started, finished, delete_started, delete_finished, dangling, copy, remove };
inline constexpr int call_count = 7;
/// `CS`, `CF`, `DS`, `DF`, `DANGLING`, `copy`, `delete`.
std::string_view to_string(Call call);

/// How a call is answered. The empty answer is success at once.
struct Answer {
  std::optional<model::RemoteStorageError> storage_error = {};
  std::optional<model::MetadataError> metadata_error = {};
  /// A publish: whether the record reaches the topic and the cache.
  bool is_stored = true;
  /// Not before release().
  bool parks = false;
  std::int32_t custom_metadata_size = 0;
  /// A refused publish whose record the topic has all the same: the script delivers it.
  bool is_late = false;
  /// What an interrupt made of the call.
  bool by_interrupt = false;
};
inline constexpr Answer ok{};
inline constexpr Answer parked{.parks = true};
inline constexpr Answer permanent{.storage_error = model::RemoteStorageError::permanent};
inline constexpr Answer retriable{.storage_error = model::RemoteStorageError::retriable};
inline constexpr Answer fatal{.storage_error = model::RemoteStorageError::fatal};
inline constexpr Answer unchecked{.storage_error = model::RemoteStorageError::unchecked};
inline constexpr Answer refused{.metadata_error = model::MetadataError::execution, .is_stored = false};
inline constexpr Answer timed_out{.metadata_error = model::MetadataError::execution};
inline constexpr Answer oversized{.custom_metadata_size = 129};

/// Hears every call of a port with what became of it.
class CallObserver {
 public:
  virtual ~CallObserver() = default;
  /// Before the call is answered or parked.
  virtual void called(Call call, const model::RemoteLogSegmentMetadata& metadata) = 0;
  /// `cache_answer` is what the cache made of a publish that was stored.
  virtual void answered(Call call, const model::RemoteLogSegmentMetadata& metadata, const Answer& answer,
                        std::optional<model::CacheAnswer> cache_answer) = 0;
  virtual void run_ended(model::TaskKind kind, model::RunEnd end) = 0;
  /// The run goes round for ever (F14).
  virtual void run_spins() = 0;
};

/// What a call of the storage plug-in does when its thread is interrupted: it fails, or goes on and leaves the flag or
/// eats it.
enum class OnInterrupt : std::uint8_t { fails, fails_unchecked, goes_on, swallows };

/// A policy of Kafka 3.9 or later with other rules than its own.
std::unique_ptr<model::Policy> with_rules(std::unique_ptr<model::Policy> kafka, const model::Rules& rules);

struct TaskWorldSettings {
  std::string_view policy = "kafka-4.0";
  model::KipDanglingOptions kip = {};
  model::KipDanglingRecoveryOptions recovery = {};
  /// As the ports tell them.
  model::CopyBounds bounds = {};
  /// Instead of a policy of the list.
  std::function<std::unique_ptr<model::Policy>(const model::PolicyOptions& options)> make_policy = {};
  model::RemoteLogManagerOptions options = {};
  model::SimTime start = model::time_start;
  /// Where 1970 lies; 0: the world's times are those of the records.
  std::optional<model::Duration> start_since_1970 = {};
  /// A task runs when tick() says so and never by time.
  bool manual_ticks = false;
  bool elide_idle_ticks = true;
  bool copy_first = true;
  std::size_t partition_count = 1;
  std::int32_t thread_count = 10;
  /// Bytes a second.
  model::Bytes copy_quota{model::no_limit};
  /// How long every call takes; with 0 it is answered inside the call.
  model::Duration call_time{0};
  OnInterrupt on_interrupt = OnInterrupt::fails;
};

/// One broker with its partitions. Partition 0 is meant where none is named.
class TaskWorld final : public model::RemoteLogManagerHost, public model::Clock, public model::RemoteLogSegmentFactory {
 public:
  explicit TaskWorld(TaskWorldSettings settings = {});
  ~TaskWorld() override;

  // The script.

  void observe(CallObserver& observer) { observer_ = &observer; }
  /// The next call of this kind that no earlier answer takes.
  void answer(Call call, Answer answer) { answers_[static_cast<int>(call)].push_back(answer); }
  /// The next call of this kind, before every earlier answer; `withdraw` takes it back when no call has come.
  void answer_first(Call call, Answer answer) { answers_[static_cast<int>(call)].push_front(answer); }
  void withdraw_first(Call call) { answers_[static_cast<int>(call)].pop_front(); }
  /// The answer that was queued for this kind of call, which is taken, or the one it always has.
  Answer take_answer(Call call);
  std::size_t queued_count(Call call) const { return answers_[static_cast<int>(call)].size(); }
  void on_interrupt(OnInterrupt way) { settings_.on_interrupt = way; }
  void answer_always(Call call, Answer answer) { defaults_[static_cast<int>(call)] = answer; }
  /// Ends the oldest parked call of this kind, and runs what follows at this instant.
  void release(Call call, Answer answer = ok);
  bool is_parked(Call call) const;
  /// The calls under way, oldest first, for whoever chooses among them.
  std::vector<Call> parked_calls() const;
  void release_at(std::size_t index, Answer answer = ok);
  /// The call in which a run of this task stands.
  std::optional<Call> parked_call(model::TaskKind kind) const;
  /// Ends it, and runs what follows at this instant.
  void release_task(model::TaskKind kind, Answer answer);

  // The world around.

  /// Closed local segments of 10 records, 100 bytes and the present timestamp each, and an empty active one.
  void append_segments(int count, model::PartitionNumber partition = model::PartitionNumber{0});
  /// A copy that was there before, of epoch 0 unless said otherwise; brought to `state` in the cache.
  const model::RemoteLogSegment& add_copy(std::int64_t start, std::int64_t end, model::RemoteLogSegmentState state,
                                          model::EpochEntries segment_epochs = {},
                                          model::SimTime max_timestamp = model::time_start);
  /// The same of an attempt whose latest event, COPY_SEGMENT_STARTED or `state` after it, `broker` wrote at `at`.
  const model::RemoteLogSegment& add_copy_of(model::BrokerId broker, model::SimTime at,
                                             model::RemoteLogSegmentState state);
  /// A record reaches the cache.
  model::CacheAnswer deliver(const model::RemoteLogSegmentMetadata& metadata);
  /// A log that knows of [0, end) from the remote tier only: high watermark, log end and local log start are `end`.
  void start_log_at(std::int64_t end);
  model::TopicOptions& topic_options(std::uint32_t partition = 0) { return partitions_[partition].topic; }
  model::RemoteLogMetadataCache& cache(std::uint32_t partition = 0) { return partitions_[partition].cache; }
  /// A copy attempt that has no event yet; the world numbers and keeps it.
  const model::RemoteLogSegment& add_segment(model::RemoteLogSegment segment);
  void set_ready(bool ready);
  /// As a broker's start leaves the metadata manager; before anything runs.
  void set_manager_state(model::ManagerState state) { manager_state_ = state; }
  void set_clock_skew(model::Duration skew);
  void set_growing(bool growing) { is_growing_ = growing; }
  void at(model::SimTime time, std::function<void()> event) { schedule(time, std::move(event)); }

  // What happens.

  /// The manager leads every partition from now on; the expiration's first tick is `expiration_delay` later.
  void lead(model::Duration expiration_delay = 15s);
  void run_until(model::SimTime time);
  void run_for(model::Duration time) { run_until(now_ + time); }
  /// The copy task's next tick and then the expiration task's, wherever they are due, and all that follows at this
  /// instant.
  void tick(model::TaskKind kind);
  model::RemoteLogManager& manager() { return *manager_; }

  // What happened.

  /// Calls in their order, as `CS 0, copy 0, CF 0`, since the last time this was asked; also `raise 10` when the log
  /// start moved and `dropped DF 0` when the cache dropped a record.
  std::string events();
  /// Steps of the listener, as `copy-upload 0, left 0`, since the last time this was asked.
  std::string steps();
  /// Branches, runs and gauges, likewise.
  std::string branches();
  std::string runs();
  std::string gauges();
  /// A meter's count or a gauge's value over all partitions.
  std::int64_t metric(model::Metric metric) const { return metrics_.all_topics(metric); }
  /// All of it with times, for comparing two worlds.
  const std::vector<std::string>& record() const { return record_; }
  /// All copies, those that were there before included, by number.
  const std::deque<model::RemoteLogSegment>& segments() const { return segments_; }
  int tick_count() const { return tick_count_; }
  int dropped_count() const { return dropped_count_; }
  bool has_tick(model::TaskKind kind, std::uint32_t partition = 0) const;

  // model::RemoteLogManagerHost, Clock, RemoteLogSegmentFactory.
  model::TaskPorts task_ports(model::PartitionNumber partition, model::TaskKind kind) override;
  model::UnifiedLog& log(model::PartitionNumber partition = model::PartitionNumber{0}) override;
  const model::TopicOptions& topic(model::PartitionNumber partition) const override;
  bool is_growing(model::PartitionNumber) const override { return is_growing_; }
  model::SimTime now() const override { return now_; }
  void spawn(model::Task<void> task) override;
  void schedule_tick(model::PartitionNumber partition, model::TaskKind kind, model::SimTime at) override;
  void cancel_tick(model::PartitionNumber partition, model::TaskKind kind) override;
  bool tick_is_ahead(model::PartitionNumber partition, model::TaskKind kind, model::SimTime at) const override;
  void run_started(model::PartitionNumber partition, model::TaskKind kind, model::LeaderEpoch epoch) override;
  void run_ended(model::PartitionNumber partition, model::TaskKind kind, model::RunEnd end) override;
  void dangling_gauges_set(model::PartitionNumber partition, model::DanglingGauges gauges) override;
  model::BrokerTopicMetrics& metrics() override { return metrics_; }
  const model::RemoteLogSegment& new_segment(model::PartitionNumber partition, const model::LogSegment& segment,
                                             model::EpochEntries segment_epochs) override;

 private:
  struct Ports;
  struct SkewedClock;
  struct Partition {
    model::UnifiedLog log{model::Offset{0}, model::LeaderEpoch{0}, model::time_start};
    model::TopicOptions topic;
    model::RemoteLogMetadataCache cache;
  };
  /// A call under way.
  struct Open {
    int id;
    Call call;
    Ports* ports;
    model::RemoteLogSegmentMetadata metadata;
    std::coroutine_handle<> caller;
    Answer answer;
  };
  /// Time, lane, key; ticks are lane 1.
  using Place = std::tuple<model::SimTime, int, std::uint64_t>;
  struct Wait;

  void schedule(model::SimTime time, std::function<void()> event);
  void drain();
  void execute(std::map<Place, std::function<void()>>::iterator event);
  model::Task<Answer> call(Ports* ports, Call call, model::RemoteLogSegmentMetadata metadata);
  void complete(int id, Answer answer);
  void interrupt(Ports& ports);
  void answered(Call call, const model::RemoteLogSegmentMetadata& metadata, const Answer& answer);
  void note(std::vector<std::string>& list, model::PartitionNumber partition, std::string text);

  TaskWorldSettings settings_;
  std::vector<std::uint32_t> topic_of_;
  model::BrokerTopicMetrics metrics_;
  std::unique_ptr<model::Policy> policy_;
  std::deque<Partition> partitions_;
  std::deque<model::RemoteLogSegment> segments_;
  std::deque<Answer> answers_[call_count];
  Answer defaults_[call_count];
  bool is_ready_ = true;
  model::ManagerState manager_state_ = model::ManagerState::initialized;
  bool is_growing_ = false;
  CallObserver* observer_ = nullptr;
  std::unique_ptr<SkewedClock> clock_;

  model::SimTime now_ = model::time_start;
  std::uint64_t sequence_ = 0;
  std::uint64_t ticks_passed_ = 0;
  std::map<Place, std::function<void()>> queue_;
  std::map<std::uint64_t, Place> ticks_;
  std::deque<Open> open_;
  int last_id_ = 0;

  std::vector<std::string> events_;
  std::vector<std::string> steps_;
  std::vector<std::string> branches_;
  std::vector<std::string> runs_;
  std::vector<std::string> gauges_;
  std::vector<std::string> record_;
  int tick_count_ = 0;
  int dropped_count_ = 0;

  std::vector<std::unique_ptr<Ports>> ports_;
  std::unique_ptr<model::RemoteLogManager> manager_;
  /// Destroyed before all else, as a broker's scope is.
  std::list<model::Task<void>> spawned_;
};

}  // namespace tests
