// A program of its own, because it replaces the global operator new to count.

#define BOOST_TEST_MODULE allocation
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <boost/test/unit_test.hpp>

#include "model/task.h"
#include "model/time.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/random.h"
#include "sim/kernel/scope.h"
#include "sim/kernel/wait.h"
#include "tests/support/counting_allocations.h"

namespace {

using namespace std::chrono_literals;
using model::Duration;
using model::Task;
using sim::Kernel;
using sim::Reply;

using tests::allocation_count;
using tests::frames_are_pooled;

/// Tasks that sleep, call a store (which answers, late or never), time out, are interrupted, crash and start again.
struct World {
  Kernel kernel;
  sim::SplitMix64 engine{1};
  sim::Scope lasting{kernel};
  sim::Scope crashing{kernel};
  sim::Interrupt interrupt{kernel};

  Duration delay(Duration mean) { return sim::exponential(engine(), mean); }

  void request(Reply<int> reply) {
    if (engine() % 8 != 0) kernel.schedule_after<&World::reply>(delay(10ms), this, reply.to_argument());
  }
  void reply(std::uint64_t reply) { Reply<int>::from_argument(reply).answer(kernel, 1); }

  Task<int> call() {
    sim::Call<int> request_to_store{kernel, {.timeout = 30ms}};
    request(request_to_store.reply());
    const auto answer = co_await request_to_store;
    co_return answer ? *answer : 0;
  }
  Task<void> work_for_ever() {
    for (;;) {
      co_await sim::sleep(kernel, delay(100ms));
      const int answer = co_await call();
      if (answer == 0) lasting.spawn(work_once());
    }
  }
  Task<void> work_once() {
    sim::Timer far = kernel.schedule_after<&World::reply>(1h, this, 0);
    co_await sim::sleep(kernel, delay(1s));
    kernel.cancel(far);
  }
  Task<void> wait_for_interrupts() {
    for (;;) (void)co_await sim::sleep(kernel, 1h, &interrupt);
  }

  void crash() {
    crashing.crash();
    for (int i = 0; i < 20; ++i) crashing.spawn(work_for_ever());
    interrupt.interrupt();
    kernel.schedule_after<&World::crash>(1s, this);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_allocated_once_the_pools_have_grown,
                     *boost::unit_test::enable_if<frames_are_pooled>()) {
  World world;
  for (int i = 0; i < 500; ++i) world.lasting.spawn(world.work_for_ever());
  world.lasting.spawn(world.wait_for_interrupts());
  world.kernel.schedule_after<&World::crash>(0ms, &world);
  world.kernel.run_until(model::time_start + 100s);

  const std::uint64_t allocations_before = allocation_count;
  const std::uint64_t events_before = world.kernel.event_count();
  world.kernel.run_until(model::time_start + 300s);
  BOOST_TEST(allocation_count - allocations_before == 0);
  BOOST_TEST(world.kernel.event_count() - events_before > 1'000'000);
}

BOOST_AUTO_TEST_CASE(a_kernel_that_is_reset_keeps_its_pools) {
  World world;
  for (int round = 0; round < 2; ++round) {
    const std::uint64_t allocations_before = allocation_count;
    for (std::uint64_t i = 0; i < 1000; ++i) world.kernel.schedule_after<&World::reply>(world.delay(1s), &world, 0);
    world.kernel.run_until(model::time_start + 1s);
    world.kernel.reset();
    if (round == 1) BOOST_TEST(allocation_count - allocations_before == 0);
  }
}
