// Every place that a writer's last deeds - an object that lands, COPY_SEGMENT_FINISHED that is stored - can take among
// the steps of kip-dangling-recovery and of the expiration task beside it, each delete also failing once
// (readings 3.4).
#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "tests/support/choices.h"
#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::BrokerId;
using model::TaskKind;
using model::time_start;
using enum model::RemoteLogSegmentState;

constexpr BrokerId self{1};
constexpr BrokerId other{2};

/// The writer of the copy that broker 1, the leader, finds in COPY_SEGMENT_STARTED.
struct Writer {
  BrokerId broker;
  /// It keeps to the deadline: nothing of it lands or is stored after 80 s. Otherwise it may whenever it likes.
  bool keeps_deadline = true;
};

struct Action {
  enum class Kind : std::uint8_t { tick, release, fail, write, finish, pass_deadline } kind;
  TaskKind task = TaskKind::copy;
  std::size_t parked_index = 0;
};

class Path {
 public:
  explicit Path(const Writer& writer)
      : writer_(writer),
        world_({.policy = "kip-dangling-recovery",
                .bounds = {.copy_deadline = 10s, .publish_deadline = 5s},
                .elide_idle_ticks = false}),
        copy_(world_.add_copy_of(writer.broker, time_start, copy_segment_started)) {
    for (int i = 0; i < call_count; ++i) world_.answer_always(static_cast<Call>(i), parked);
    world_.lead(0s);
  }

  void walk(Choices& choices) {
    for (std::vector<Action> actions = possible(); !actions.empty(); actions = possible()) {
      take(actions[choices.choose(actions.size())]);
    }
    settle();
  }

  /// A delete was sent or carried out after COPY_SEGMENT_FINISHED had been accepted.
  bool deletes_what_is_finished() const { return deleted_finished_; }
  bool is_finished() const { return is_finished_; }
  bool was_written_after_a_delete() const { return written_after_delete_; }
  /// Bytes without an entry that names them, or an entry that nothing removes.
  bool leaves_garbage() const {
    return !is_finished_ && (is_stored_ || const_cast<TaskWorld&>(world_).cache().find(copy_));
  }

 private:
  bool writer_is_done() const { return writer_.keeps_deadline && deadline_passed_; }

  std::vector<Action> possible() const {
    std::vector<Action> actions;
    for (const TaskKind task : {TaskKind::copy, TaskKind::expiration}) {
      if (runs_[static_cast<int>(task)] < (task == TaskKind::copy ? 2 : 1) && world_.has_tick(task)) {
        actions.push_back({.kind = Action::Kind::tick, .task = task});
      }
    }
    const std::vector<Call> calls = world_.parked_calls();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      actions.push_back({.kind = Action::Kind::release, .parked_index = i});
      if (calls[i] == Call::remove && !has_failed_) actions.push_back({.kind = Action::Kind::fail, .parked_index = i});
    }
    if (!writer_is_done() && !has_published_) {
      if (!has_written_) actions.push_back({.kind = Action::Kind::write});
      actions.push_back({.kind = Action::Kind::finish});
    }
    if (!deadline_passed_) actions.push_back({.kind = Action::Kind::pass_deadline});
    return actions;
  }

  void take(const Action& action) {
    const std::size_t deletes_before = deletes();
    switch (action.kind) {
      case Action::Kind::tick:
        ++runs_[static_cast<int>(action.task)];
        world_.tick(action.task);
        break;
      case Action::Kind::release:
        if (world_.parked_calls()[action.parked_index] == Call::remove) carry_out_delete();
        world_.release_at(action.parked_index);
        break;
      case Action::Kind::fail:
        has_failed_ = true;
        world_.release_at(action.parked_index, permanent);
        break;
      case Action::Kind::write:
        has_written_ = is_stored_ = true;
        written_after_delete_ = deletes_before > 0;
        break;
      case Action::Kind::finish:
        has_published_ = true;
        is_finished_ =
            world_.deliver(make_event(copy_, copy_segment_finished, writer_.broker)) == model::CacheAnswer::applied;
        return;
      case Action::Kind::pass_deadline:
        deadline_passed_ = true;
        world_.run_until(time_start + 80s);
        break;
    }
    if (is_finished_ && deletes() > deletes_before) deleted_finished_ = true;
  }

  /// Everything is answered from now on, and time goes by.
  void settle() {
    const std::size_t deletes_before = deletes();
    for (int i = 0; i < call_count; ++i) world_.answer_always(static_cast<Call>(i), ok);
    while (!world_.parked_calls().empty()) {
      if (world_.parked_calls().front() == Call::remove) carry_out_delete();
      world_.release_at(0);
    }
    world_.run_for(1h);
    if (deletes() == deletes_before) return;
    carry_out_delete();
    if (is_finished_) deleted_finished_ = true;
  }

  void carry_out_delete() {
    is_stored_ = false;
    if (is_finished_) deleted_finished_ = true;
  }

  std::size_t deletes() const {
    const auto& record = world_.record();
    return static_cast<std::size_t>(std::count_if(record.begin(), record.end(),
                                                  [](const std::string& line) { return line.ends_with(" delete 0"); }));
  }

  Writer writer_;
  TaskWorld world_;
  const model::RemoteLogSegment& copy_;
  int runs_[model::task_kind_count] = {};
  bool has_failed_ = false;
  bool has_written_ = false;
  bool has_published_ = false;
  bool is_finished_ = false;
  bool deadline_passed_ = false;
  bool is_stored_ = true;
  bool deleted_finished_ = false;
  bool written_after_delete_ = false;
};

struct Explored {
  int path_count = 0;
  int finished_count = 0;
  int late_write_count = 0;
  int garbage_count = 0;
  int finished_delete_count = 0;
};

Explored explore(const Writer& writer) {
  Explored explored;
  Choices choices;
  do {
    Path path{writer};
    path.walk(choices);
    ++explored.path_count;
    explored.finished_count += path.is_finished() ? 1 : 0;
    explored.late_write_count += path.was_written_after_a_delete() ? 1 : 0;
    explored.garbage_count += path.leaves_garbage() ? 1 : 0;
    explored.finished_delete_count += path.deletes_what_is_finished() ? 1 : 0;
  } while (choices.advance());
  return explored;
}

BOOST_AUTO_TEST_SUITE(recovery_interleavings)

// Readings 3.4 (a): the writer was an earlier process of this broker; what it had sent may land after each step.
BOOST_AUTO_TEST_CASE(nothing_finished_is_deleted_and_nothing_is_left_of_what_an_earlier_process_wrote) {
  const Explored explored = explore({.broker = self});
  BOOST_TEST_MESSAGE(explored.path_count << " paths, " << explored.finished_count << " finished, "
                                         << explored.late_write_count << " written after a delete");
  BOOST_TEST(explored.finished_count > 0);
  BOOST_TEST(explored.late_write_count > 0);
  BOOST_TEST(explored.garbage_count == 0);
  BOOST_TEST(explored.finished_delete_count == 0);
}

// Readings 3.4 (b): the writer is another broker, alive or not, that keeps to the deadline.
BOOST_AUTO_TEST_CASE(nothing_finished_is_deleted_and_nothing_is_left_of_what_a_zombie_wrote) {
  const Explored explored = explore({.broker = other});
  BOOST_TEST_MESSAGE(explored.path_count << " paths, " << explored.finished_count << " finished");
  BOOST_TEST(explored.finished_count > 0);
  BOOST_TEST(explored.late_write_count == 0);
  BOOST_TEST(explored.garbage_count == 0);
  BOOST_TEST(explored.finished_delete_count == 0);
}

// A writer that was paused, or whose clock is wrong by more than the margin, can leave bytes, but what it finished in
// time is safe all the same: DANGLING decides, not the clock.
BOOST_AUTO_TEST_CASE(nothing_finished_is_deleted_even_if_a_zombie_keeps_to_no_deadline) {
  const Explored explored = explore({.broker = other, .keeps_deadline = false});
  BOOST_TEST_MESSAGE(explored.path_count << " paths, " << explored.finished_count << " finished, "
                                         << explored.garbage_count << " with bytes left");
  BOOST_TEST(explored.late_write_count > 0);
  BOOST_TEST(explored.finished_delete_count == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
