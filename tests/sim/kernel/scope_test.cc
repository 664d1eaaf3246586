#include "sim/kernel/scope.h"

#include <cstdint>
#include <string>

#include <boost/test/unit_test.hpp>

#include "model/frame_pool.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/wait.h"
#include "tests/sim/kernel/check_exit.h"

namespace {

using namespace std::chrono_literals;
using model::Task;
using model::time_start;
using sim::Call;
using sim::Kernel;
using sim::Reply;
using sim::Scope;

struct Farewell {
  std::string& log;
  char name;
  Farewell(std::string& where, char who) : log(where), name(who) {}
  Farewell(const Farewell&) = delete;
  Farewell& operator=(const Farewell&) = delete;
  ~Farewell() { log += name; }
};

Task<void> sleep_then_leave(Kernel& kernel, std::string& log, char name, model::Duration duration) {
  const Farewell farewell{log, name};
  co_await sim::sleep(kernel, duration);
}

/// A store whose work goes on whether or not the caller lives.
struct Store {
  Kernel& kernel;
  int applied_count = 0;

  void put(Reply<int> reply) { kernel.schedule_after<&Store::apply>(2ms, this, reply.to_argument()); }
  void apply(std::uint64_t reply) {
    ++applied_count;
    Reply<int>::from_argument(reply).answer(kernel, applied_count);
  }
};

Task<int> put(Kernel& kernel, Store& store) {
  Call<int> call{kernel, {.timeout = 5ms}};
  store.put(call.reply());
  const auto answer = co_await call;
  co_return answer ? *answer : 0;
}

Task<void> put_twice(Kernel& kernel, Store& store, int& answer_sum) {
  co_await sim::sleep(kernel, 1ms);
  const int first = co_await put(kernel, store);
  answer_sum += first;
  const int second = co_await put(kernel, store);
  answer_sum += second;
}

Task<void> crash(Kernel& kernel, Scope& scope) {
  co_await sim::sleep(kernel, 1ms);
  scope.crash();
}

Task<void> spawn_another(Kernel& kernel, Scope& scope, std::string& log) {
  scope.spawn(sleep_then_leave(kernel, log, 'b', 0ms));
  log += 'a';
  co_return;
}

/// The small world, crashed after so many events: its puts and what the callers have heard.
struct Crashed {
  int put_count = 0;
  int answer_sum = 0;
  bool had_all_events = true;

  explicit Crashed(std::uint64_t event_count) {
    Kernel kernel;
    Store store{kernel};
    Scope scope{kernel};
    for (int i = 0; i < 3; ++i) scope.spawn(put_twice(kernel, store, answer_sum));
    for (std::uint64_t i = 0; i < event_count; ++i) had_all_events = kernel.step() && had_all_events;
    const int heard_before = answer_sum;
    scope.crash();
    BOOST_TEST(scope.size() == 0);
    BOOST_TEST(model::live_frame_count() == 0);
    kernel.run_until(time_start + 1s);
    BOOST_TEST(answer_sum == heard_before);
    put_count = store.applied_count;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(scope)

BOOST_AUTO_TEST_CASE(starts_a_task_by_an_event_and_not_in_the_call) {
  Kernel kernel;
  Scope scope{kernel};
  std::string log;
  scope.spawn(spawn_another(kernel, scope, log));
  BOOST_TEST(log.empty());
  BOOST_TEST(scope.size() == 1);
  BOOST_TEST(kernel.step());
  BOOST_TEST(log == "a");
  kernel.run_until(time_start);
  BOOST_TEST(log == "ab");
  BOOST_TEST(scope.size() == 0);
  BOOST_TEST(model::live_frame_count() == 0);
}

BOOST_AUTO_TEST_CASE(destroys_the_newest_task_first) {
  Kernel kernel;
  Scope scope{kernel};
  std::string log;
  for (char name : {'a', 'b', 'c', 'd'}) {
    scope.spawn(sleep_then_leave(kernel, log, name, name == 'b' ? 1ms : 10ms));
  }
  kernel.run_until(time_start + 5ms);
  BOOST_TEST(log == "b");
  scope.spawn(sleep_then_leave(kernel, log, 'e', 10ms));
  kernel.run_until(time_start + 6ms);
  scope.crash();
  BOOST_TEST(log == "bedca");
}

BOOST_AUTO_TEST_CASE(never_starts_a_task_that_was_spawned_before_a_crash) {
  Kernel kernel;
  Scope scope{kernel};
  std::string log;
  scope.spawn(sleep_then_leave(kernel, log, 'a', 1ms));
  scope.crash();
  kernel.run_until(time_start + 1s);
  BOOST_TEST(log.empty());
  BOOST_TEST(kernel.event_count() == 0);
  BOOST_TEST(model::live_frame_count() == 0);
}

BOOST_AUTO_TEST_CASE(leaks_nothing_and_leaves_requests_alone_at_a_crash_at_any_event) {
  std::uint64_t event_count = 0;
  int put_count_before = 0;
  for (;; ++event_count) {
    const Crashed world{event_count};
    BOOST_TEST(world.put_count >= put_count_before);
    put_count_before = world.put_count;
    if (!world.had_all_events) break;
  }
  // Each of three tasks: its start, the sleep, and twice the put and its answer.
  BOOST_TEST(event_count == 3 * 6 + 1);
  BOOST_TEST(put_count_before == 6);
}

BOOST_AUTO_TEST_CASE(lets_a_request_take_effect_after_the_crash_of_its_caller) {
  const Crashed world{6};  // Three starts and three sleeps: all requests are on the wire.
  BOOST_TEST(world.put_count == 3);
  BOOST_TEST(world.answer_sum == 0);
}

BOOST_AUTO_TEST_CASE(can_be_used_again_after_a_crash) {
  Kernel kernel;
  Scope scope{kernel};
  std::string log;
  scope.spawn(sleep_then_leave(kernel, log, 'a', 1ms));
  kernel.run_until(time_start);
  scope.crash();
  scope.spawn(sleep_then_leave(kernel, log, 'b', 1ms));
  kernel.run_until(time_start + 1ms);
  BOOST_TEST(log == "ab");
}

BOOST_AUTO_TEST_CASE(may_be_crashed_by_a_task_of_another_scope_only) {
  BOOST_TEST(fails_a_check([] {
    Kernel kernel;
    Scope scope{kernel};
    scope.spawn(crash(kernel, scope));
    kernel.run_until(time_start + 1s);
  }));
  Kernel kernel;
  Scope outer{kernel};
  Scope inner{kernel};
  std::string log;
  inner.spawn(sleep_then_leave(kernel, log, 'a', 1h));
  outer.spawn(crash(kernel, inner));
  kernel.run_until(time_start + 1ms);
  BOOST_TEST(log == "a");
  BOOST_TEST(outer.size() == 0);
}

Task<void> note_after(Kernel& kernel, std::string& log, char name, model::Duration duration) {
  co_await sim::sleep(kernel, duration);
  log += name;
}

BOOST_AUTO_TEST_CASE(a_scope_that_is_held_goes_on_in_order_when_it_is_released) {
  Kernel kernel;
  Scope held{kernel};
  Scope other{kernel};
  std::string log;
  held.hold();
  held.spawn(note_after(kernel, log, 'a', 2ms));
  kernel.run_until(time_start + 1ms);
  held.release();  // Only now does the task begin to sleep.
  kernel.run_until(time_start + 2ms);
  held.spawn(note_after(kernel, log, 'b', 0ms));
  kernel.run_until(time_start + 2500us);
  held.hold();
  held.spawn(note_after(kernel, log, 'c', 0ms));
  other.spawn(note_after(kernel, log, 'x', 1ms));
  kernel.run_until(time_start + 5ms);
  BOOST_TEST(log == "bx");
  held.release();
  kernel.run_until(time_start + 6ms);
  BOOST_TEST(log == "bxac");
}

BOOST_AUTO_TEST_CASE(a_crash_of_a_scope_that_is_held_leaves_nothing_to_release) {
  Kernel kernel;
  std::string log;
  {
    Scope scope{kernel};
    scope.spawn(note_after(kernel, log, 'a', 1ms));
    kernel.run_until(time_start);
    scope.hold();
    kernel.run_until(time_start + 2ms);
    scope.crash();
    scope.spawn(note_after(kernel, log, 'b', 1ms));
    kernel.run_until(time_start + 4ms);
  }
  BOOST_TEST(log == "b");
  BOOST_TEST(model::live_frame_count() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
