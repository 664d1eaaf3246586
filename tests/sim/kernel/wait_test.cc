#include "sim/kernel/wait.h"

#include <optional>
#include <type_traits>

#include <boost/test/unit_test.hpp>

#include "model/frame_pool.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/scope.h"

namespace {

using namespace std::chrono_literals;
using model::SimTime;
using model::Task;
using model::time_start;
using sim::Call;
using sim::Interrupt;
using sim::Kernel;
using sim::Reply;
using sim::Scope;
using sim::WaitEnd;
using sim::WaitOptions;

static_assert(std::is_trivially_copyable_v<Reply<int>>);
static_assert(sizeof(Reply<int>) == 8);

/// What a task saw of its wait.
struct Seen {
  std::optional<WaitEnd> end;
  std::optional<int> value;
  SimTime at = model::time_never;
};

Task<void> call(Kernel& kernel, WaitOptions options, Reply<int>& reply, Seen& seen) {
  Call<int> request{kernel, options};
  reply = request.reply();
  const auto answer = co_await request;
  seen.end = answer.end;
  seen.value = answer.value;
  seen.at = kernel.now();
}

Task<void> call_answered_before_the_wait(Kernel& kernel, Interrupt& interrupt, Seen& seen) {
  Call<int> request{kernel, {.interrupt = &interrupt}};
  request.reply().answer(kernel, 7);
  const auto answer = co_await request;
  seen.end = answer.end;
  seen.value = answer.value;
}

Task<void> nap(Kernel& kernel, Interrupt* interrupt, Seen& seen) {
  const WaitEnd end = co_await sim::sleep(kernel, 10ms, interrupt);
  seen.end = end;
  seen.at = kernel.now();
}

/// A world with one task that calls somebody.
struct Calling {
  Kernel kernel;
  Scope scope{kernel};
  Interrupt interrupt{kernel};
  Reply<int> reply;
  Seen seen;

  void start(std::optional<model::Duration> timeout = std::nullopt) {
    scope.spawn(call(kernel, WaitOptions{timeout, &interrupt}, reply, seen));
    kernel.run_until(time_start);
  }
  void run_to(model::Duration since_start) { kernel.run_until(time_start + since_start); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(wait)

BOOST_AUTO_TEST_CASE(sleep_ends_after_its_time) {
  Calling world;
  world.scope.spawn(nap(world.kernel, nullptr, world.seen));
  world.run_to(1s);
  BOOST_TEST((world.seen.end == WaitEnd::timed_out));
  BOOST_TEST((world.seen.at == time_start + 10ms));
}

BOOST_AUTO_TEST_CASE(answer_resumes_the_caller_by_an_event_and_not_in_the_call) {
  Calling world;
  world.start();
  world.run_to(3ms);
  world.reply.answer(world.kernel, 42);
  BOOST_TEST(!world.seen.end.has_value());
  BOOST_TEST(world.kernel.step());
  BOOST_TEST((world.seen.end == WaitEnd::answered));
  BOOST_TEST((world.seen.value == 42));
  BOOST_TEST((world.seen.at == time_start + 3ms));
}

BOOST_AUTO_TEST_CASE(second_answer_is_dropped) {
  Calling world;
  world.start();
  BOOST_TEST(world.reply.is_awaited(world.kernel));
  world.reply.answer(world.kernel, 1);
  BOOST_TEST(!world.reply.is_awaited(world.kernel));
  world.reply.answer(world.kernel, 2);
  world.run_to(1s);
  BOOST_TEST((world.seen.value == 1));
  BOOST_TEST(world.kernel.event_count() == 2);
}

BOOST_AUTO_TEST_CASE(answer_to_a_dead_frame_is_dropped_even_if_another_lives_in_its_memory) {
  Calling world;
  world.start();
  const Reply<int> to_the_dead = world.reply;
  world.scope.crash();
  world.start();
  to_the_dead.answer(world.kernel, 1);
  world.run_to(1s);
  BOOST_TEST(!world.seen.end.has_value());
  world.reply.answer(world.kernel, 2);
  world.run_to(2s);
  BOOST_TEST((world.seen.value == 2));
}

BOOST_AUTO_TEST_CASE(crash_between_the_answer_and_the_resume_drops_the_resume) {
  Calling world;
  world.start();
  world.reply.answer(world.kernel, 1);
  world.scope.crash();
  world.run_to(1s);
  BOOST_TEST(!world.seen.end.has_value());
  BOOST_TEST(model::live_frame_count() == 0);
}

BOOST_AUTO_TEST_CASE(call_times_out_and_a_later_answer_is_dropped) {
  Calling world;
  world.start(5ms);
  world.run_to(5ms);
  BOOST_TEST((world.seen.end == WaitEnd::timed_out));
  BOOST_TEST(!world.seen.value.has_value());
  world.reply.answer(world.kernel, 1);
  world.interrupt.interrupt();
  BOOST_TEST(world.interrupt.is_set());
  BOOST_TEST(world.kernel.pending_count() == 0);
}

BOOST_AUTO_TEST_CASE(answer_before_the_timeout_takes_the_timer_away) {
  Calling world;
  world.start(5ms);
  world.run_to(4ms);
  world.reply.answer(world.kernel, 1);
  BOOST_TEST(world.kernel.pending_count() == 1);
  world.run_to(1s);
  BOOST_TEST((world.seen.at == time_start + 4ms));
}

BOOST_AUTO_TEST_CASE(interrupt_ends_a_wait_by_an_event_and_is_consumed) {
  Calling world;
  world.start(5ms);
  world.run_to(1ms);
  world.interrupt.interrupt();
  BOOST_TEST(!world.seen.end.has_value());
  BOOST_TEST(!world.interrupt.is_set());
  world.reply.answer(world.kernel, 1);
  world.run_to(1s);
  BOOST_TEST((world.seen.end == WaitEnd::interrupted));
  BOOST_TEST(!world.seen.value.has_value());
  BOOST_TEST((world.seen.at == time_start + 1ms));
}

BOOST_AUTO_TEST_CASE(interrupt_cuts_a_sleep_short) {
  Calling world;
  world.scope.spawn(nap(world.kernel, &world.interrupt, world.seen));
  world.run_to(1ms);
  world.interrupt.interrupt();
  world.run_to(1s);
  BOOST_TEST((world.seen.end == WaitEnd::interrupted));
  BOOST_TEST((world.seen.at == time_start + 1ms));
}

BOOST_AUTO_TEST_CASE(interrupt_before_a_wait_ends_it_at_once_and_only_it) {
  Calling world;
  Seen second;
  world.interrupt.interrupt();
  BOOST_TEST(world.interrupt.is_set());
  world.scope.spawn(nap(world.kernel, &world.interrupt, world.seen));
  world.run_to(0ms);
  BOOST_TEST((world.seen.end == WaitEnd::interrupted));
  BOOST_TEST(!world.interrupt.is_set());
  world.scope.spawn(nap(world.kernel, &world.interrupt, second));
  world.run_to(1s);
  BOOST_TEST((second.end == WaitEnd::timed_out));
}

BOOST_AUTO_TEST_CASE(interrupt_after_the_answer_is_kept_for_the_next_wait) {
  Calling world;
  world.start();
  world.reply.answer(world.kernel, 1);
  world.interrupt.interrupt();
  world.run_to(1s);
  BOOST_TEST((world.seen.end == WaitEnd::answered));
  BOOST_TEST(world.interrupt.is_set());
  world.interrupt.clear();
  BOOST_TEST(!world.interrupt.is_set());
}

BOOST_AUTO_TEST_CASE(answer_that_is_there_already_is_returned_without_a_wait_although_the_flag_is_set) {
  Calling world;
  world.interrupt.interrupt();
  world.scope.spawn(call_answered_before_the_wait(world.kernel, world.interrupt, world.seen));
  BOOST_TEST(world.kernel.step());
  BOOST_TEST((world.seen.end == WaitEnd::answered));
  BOOST_TEST((world.seen.value == 7));
  BOOST_TEST(world.interrupt.is_set());
}

BOOST_AUTO_TEST_CASE(interrupt_of_a_dead_frame_only_sets_the_flag) {
  Calling world;
  world.start();
  world.scope.crash();
  world.interrupt.interrupt();
  world.run_to(1s);
  BOOST_TEST(world.interrupt.is_set());
  BOOST_TEST(!world.seen.end.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
