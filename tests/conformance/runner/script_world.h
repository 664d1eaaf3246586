// Runs one script: the model's RemoteLogManager with its tasks, its log and its cache, between ports that the script
// answers. Nothing that is judged stands here: this file only calls the model and prints.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/policy.h"
#include "tests/conformance/runner/script.h"
#include "tests/conformance/runner/set_up.h"
#include "tests/support/task_support.h"

namespace tests::conformance {

/// A version of Kafka that is judged, and the model's policy for it.
struct Version {
  std::string_view name;
  std::function<std::unique_ptr<model::Policy>(const model::PolicyOptions& options)> make_policy;
  /// RetriableRemoteStorageException exists.
  bool has_retriable_error;
};
std::span<const Version> versions();

/// One script under one version.
class ScriptWorld final : private CallObserver {
 public:
  /// Both outlive this object. Throws ScriptError for a set-up that does not fit.
  ScriptWorld(const Script& script, const Version& version);

  /// Each action with what it caused, as README.md of tests/conformance says. Throws ScriptError.
  std::vector<std::string> run();

 private:
  using Action = void (ScriptWorld::*)(Words&);
  struct NamedAction {
    std::string_view name;
    Action action;
  };
  /// none: `lead` has made no such task, or `follow` has let it go.
  enum class TaskState : std::uint8_t { none, made, cancelled };

  static std::span<const NamedAction> actions();
  static std::span<const NamedAction> questions();

  void act(Words& words, std::span<const NamedAction> choices, std::string_view what);
  // CallObserver.
  void called(Call call, const model::RemoteLogSegmentMetadata& metadata) override;
  void answered(Call call, const model::RemoteLogSegmentMetadata& metadata, const Answer& answer,
                std::optional<model::CacheAnswer> cache_answer) override;
  void run_ended(model::TaskKind kind, model::RunEnd end) override;
  void run_spins() override;

  // Actions, by their words.
  void advance(Words& words);
  void lead(Words& words);
  void follow(Words& words);
  void run_task(Words& words);
  void start(Words& words);
  void finish(Words& words);
  void cancel(Words& words);
  void on_interrupt(Words& words);
  void next_answer(Words& words);
  void append(Words& words);
  void roll(Words& words);
  void lose_snapshot(Words& words);
  void high_watermark(Words& words);
  void log_start(Words& words);
  void topic(Words& words);
  void epoch(Words& words);
  void local_retention(Words& words);
  void foreign(Words& words);
  void stop(Words& words);
  void show(Words& words);
  void transition(Words& words);
  void state_id(Words& words);
  void filtered(Words& words);
  void within(Words& words);
  // What follows `show`.
  void show_epoch(Words& words);
  void show_all(Words& words);
  void show_highest(Words& words);
  void show_read(Words& words);
  void show_log(Words& words);
  void show_metrics(Words& words);
  void show_throttle(Words& words);

  model::TaskKind task_kind(Words& words);
  TaskState& task_state(model::TaskKind kind) { return tasks_[static_cast<std::size_t>(kind)]; }
  void check_can_run(Words& words, model::TaskKind kind);
  void tick(model::TaskKind kind);
  void wait_for_quota(model::TaskKind kind);
  Call point(Words& words);
  Answer outcome(Words& words, Call call);
  /// Null: there is none.
  const model::RemoteLogSegment* find_copy(const std::string& name) const;
  const model::RemoteLogSegment& copy_named(Words& words) const;
  const std::string& name_of(const model::RemoteLogSegment& segment) const { return names_[segment.number]; }
  /// A copy without any record yet.
  const model::RemoteLogSegment& add_segment(const NamedCopy& copy);
  /// By the shortest legal way to its state.
  void add_copy(const NamedCopy& copy);
  /// Another broker's record; it carries no custom metadata.
  model::RemoteLogSegmentMetadata next_event(const model::RemoteLogSegment& segment, model::RemoteLogSegmentState state,
                                             model::BrokerId broker) const;
  void deliver_late();
  void print_changes();
  void print(std::string line) { lines_.push_back("  " + std::move(line)); }
  void print_publish(const model::RemoteLogSegmentMetadata& metadata, const Answer& answer,
                     std::optional<model::CacheAnswer> cache_answer);
  /// A run that still stands or an outcome that no call took shows a script that does not do what it says.
  void check_end() const;
  void print_copies(const std::vector<model::RemoteLogSegmentMetadata>& copies);

  const Script& script_;
  const Version& version_;
  SetUp set_up_;
  TaskWorld world_;
  std::vector<std::string> lines_;
  /// By the segment's number; a copy of a task is nameless until its first publish.
  std::vector<std::string> names_;
  int copy_count_ = 0;
  /// Records that the topic has and that reach the cache at the next action.
  std::vector<model::RemoteLogSegmentMetadata> late_;
  std::array<TaskState, model::task_kind_count> tasks_{};
  bool run_has_ended_ = false;
  // What was printed last.
  model::Offset log_start_;
  model::Offset highest_remote_;
};

}  // namespace tests::conformance
