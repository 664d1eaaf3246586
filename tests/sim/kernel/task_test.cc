#include "model/task.h"

#include <cstdint>
#include <optional>

#include <boost/test/unit_test.hpp>

#include "model/frame_pool.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/scope.h"
#include "sim/kernel/wait.h"

// How many frames are alive is asserted only where it is none: clang may put a frame into its caller's.

namespace {

using namespace std::chrono_literals;
using model::Task;
using model::time_start;
using sim::Kernel;

Task<int> answer_at_once(int value) { co_return value; }

Task<int> answer_later(Kernel& kernel, int value) {
  co_await sim::sleep(kernel, 1ms);
  co_return value;
}

Task<void> sum_at_once(int count, std::int64_t& sum) {
  for (int i = 0; i < count; ++i) {
    const int value = co_await answer_at_once(1);
    sum += value;
  }
}

Task<int> add(Kernel& kernel) {
  const int first = co_await answer_later(kernel, 1);
  const int second = co_await answer_at_once(2);
  const int third = co_await answer_later(kernel, 3);
  co_return first + second + third;
}

Task<void> store_sum(Kernel& kernel, std::optional<int>& sum) {
  const int value = co_await add(kernel);
  sum = value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(task)

BOOST_AUTO_TEST_CASE(does_nothing_before_it_is_started) {
  std::int64_t sum = 0;
  { const Task<void> never_started = sum_at_once(5, sum); }
  BOOST_TEST(sum == 0);
  BOOST_TEST(model::live_frame_count() == 0);
}

BOOST_AUTO_TEST_CASE(awaits_a_million_tasks_that_need_not_wait_without_using_up_the_stack) {
  std::int64_t sum = 0;
  Task<void> task = sum_at_once(1'000'000, sum);
  BOOST_TEST(task.start());
  BOOST_TEST(sum == 1'000'000);
}

BOOST_AUTO_TEST_CASE(passes_values_up_through_waits) {
  Kernel kernel;
  sim::Scope scope{kernel};
  std::optional<int> sum;
  scope.spawn(store_sum(kernel, sum));
  kernel.run_until(time_start + 1999us);
  BOOST_TEST(!sum.has_value());
  kernel.run_until(time_start + 2ms);
  BOOST_TEST((sum == 6));
  BOOST_TEST(model::live_frame_count() == 0);
}

BOOST_AUTO_TEST_CASE(takes_all_frames_below_along_when_it_is_destroyed) {
  Kernel kernel;
  std::optional<int> sum;
  {
    Task<void> task = store_sum(kernel, sum);
    BOOST_TEST(!task.start());
    BOOST_TEST(kernel.pending_count() == 1);
  }
  BOOST_TEST(model::live_frame_count() == 0);
  kernel.run_until(time_start + 1s);
  BOOST_TEST(kernel.pending_count() == 0);
  BOOST_TEST(!sum.has_value());
}

BOOST_AUTO_TEST_CASE(replaces_the_task_that_it_is_assigned_over) {
  std::int64_t sum = 0;
  Task<void> task = sum_at_once(1, sum);
  task = sum_at_once(2, sum);
  BOOST_TEST(task.start());
  BOOST_TEST(sum == 2);
}

BOOST_AUTO_TEST_CASE(frame_memory_is_reused_and_large_frames_are_served) {
  void* const small = model::allocate_frame(100);
  void* const large = model::allocate_frame(100'000);
  BOOST_TEST(model::live_frame_count() == 2);
  model::free_frame(large, 100'000);
  model::free_frame(small, 100);
  BOOST_TEST(model::live_frame_count() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
