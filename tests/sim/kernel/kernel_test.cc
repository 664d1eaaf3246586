#include "sim/kernel/kernel.h"

#include <cstdint>
#include <optional>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "tests/sim/kernel/check_exit.h"

namespace {

using namespace std::chrono_literals;
using model::SimTime;
using model::time_start;
using sim::Kernel;
using sim::TickKey;
using sim::Timer;
using Numbers = std::vector<std::uint64_t>;

struct Log {
  Kernel kernel;
  Numbers seen;
  Timer again = {};

  void note(std::uint64_t number) { seen.push_back(number); }
  void note_and_follow_up(std::uint64_t number) {
    note(number);
    kernel.schedule_at<&Log::note>(kernel.now(), this, number + 1);
  }
  void rearm() {
    kernel.cancel(again);
    again = kernel.schedule_after<&Log::note>(24h, this);
  }
  void note_ticks_ahead() {
    note(kernel.tick_is_ahead(kernel.now(), {4, 0}));
    note(kernel.tick_is_ahead(kernel.now(), {5, 2}));
    note(kernel.tick_is_ahead(kernel.now(), {5, 3}));
    note(kernel.tick_is_ahead(kernel.now() + 1us, {0, 0}));
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(kernel)

BOOST_AUTO_TEST_CASE(runs_events_in_the_order_of_time_and_then_of_scheduling) {
  Log log;
  for (std::uint64_t number : {3U, 4U}) log.kernel.schedule_after<&Log::note>(2ms, &log, number);
  for (std::uint64_t number : {1U, 2U}) log.kernel.schedule_after<&Log::note>(1ms, &log, number);
  log.kernel.run_until(time_start + 1s);
  BOOST_TEST((log.seen == Numbers{1, 2, 3, 4}));
  BOOST_TEST(log.kernel.event_count() == 4);
}

BOOST_AUTO_TEST_CASE(runs_until_a_time_and_stays_there) {
  Log log;
  log.kernel.schedule_after<&Log::note>(1ms, &log, 1);
  log.kernel.schedule_after<&Log::note>(2ms, &log, 2);
  log.kernel.schedule_after<&Log::note>(2001us, &log, 3);
  log.kernel.run_until(time_start + 2ms);
  BOOST_TEST((log.seen == Numbers{1, 2}));
  BOOST_TEST((log.kernel.now() == time_start + 2ms));
  BOOST_TEST((log.kernel.next_time() == time_start + 2001us));
}

BOOST_AUTO_TEST_CASE(runs_what_an_event_schedules_for_now_before_the_ticks_of_that_instant) {
  Log log;
  log.kernel.schedule_tick<&Log::note>(time_start + 1ms, TickKey{0, 0}, &log, 9);
  log.kernel.schedule_after<&Log::note_and_follow_up>(1ms, &log, 1);
  log.kernel.run_until(time_start + 1ms);
  BOOST_TEST((log.seen == Numbers{1, 2, 9}));
}

BOOST_AUTO_TEST_CASE(runs_ticks_of_an_instant_in_the_order_of_partition_and_task) {
  Log log;
  log.kernel.schedule_tick<&Log::note>(time_start, TickKey{2, 0}, &log, 3);
  log.kernel.schedule_tick<&Log::note>(time_start, TickKey{1, 7}, &log, 2);
  log.kernel.schedule_tick<&Log::note>(time_start, TickKey{1, 6}, &log, 1);
  log.kernel.run_until(time_start);
  BOOST_TEST((log.seen == Numbers{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(knows_which_ticks_are_ahead_of_the_current_event) {
  Log log;
  log.kernel.schedule_tick<&Log::note_ticks_ahead>(time_start, TickKey{5, 2}, &log);
  log.kernel.step();
  BOOST_TEST((log.seen == Numbers{0, 0, 1, 1}));

  log.seen.clear();
  log.kernel.schedule_after<&Log::note_ticks_ahead>(1ms, &log);
  log.kernel.step();
  BOOST_TEST((log.seen == Numbers{1, 1, 1, 1}));
}

BOOST_AUTO_TEST_CASE(has_no_tick_ahead_at_the_time_it_has_run_to) {
  Kernel kernel;
  BOOST_TEST(kernel.tick_is_ahead(time_start, {0, 0}));
  kernel.run_until(time_start + 1s);
  BOOST_TEST(!kernel.tick_is_ahead(time_start + 1s, {9, 9}));
  BOOST_TEST(kernel.tick_is_ahead(time_start + 1s + 1us, {0, 0}));
}

BOOST_AUTO_TEST_CASE(does_not_run_a_cancelled_event) {
  Log log;
  Timer timer = log.kernel.schedule_after<&Log::note>(1ms, &log, 1);
  log.kernel.schedule_after<&Log::note>(2ms, &log, 2);
  BOOST_TEST(log.kernel.is_pending(timer));
  BOOST_TEST(log.kernel.cancel(timer));
  BOOST_TEST((timer == Timer{}));
  BOOST_TEST((log.kernel.next_time() == time_start + 2ms));
  log.kernel.run_until(time_start + 1s);
  BOOST_TEST((log.seen == Numbers{2}));
  BOOST_TEST(log.kernel.event_count() == 1);
}

BOOST_AUTO_TEST_CASE(knows_a_timer_that_has_run_from_the_next_one_in_its_slot) {
  Log log;
  Timer first = log.kernel.schedule_after<&Log::note>(1ms, &log, 1);
  log.kernel.step();
  const Timer second = log.kernel.schedule_after<&Log::note>(1ms, &log, 2);
  BOOST_TEST(first.slot == second.slot);
  BOOST_TEST(!log.kernel.is_pending(first));
  BOOST_TEST(!log.kernel.cancel(first));
  BOOST_TEST(log.kernel.is_pending(second));
}

BOOST_AUTO_TEST_CASE(drops_the_dead_when_they_are_half_of_the_queue) {
  Log log;
  for (std::uint64_t i = 0; i < 100; ++i) log.kernel.schedule_after<&Log::note>(1h, &log, i);
  for (int i = 0; i < 100'000; ++i) {
    log.kernel.schedule_after<&Log::rearm>(1ms, &log);
    log.kernel.step();
    BOOST_TEST_REQUIRE(log.kernel.pending_count() == 101);
  }
  log.kernel.run_until(time_start + 2h);
  BOOST_TEST(log.seen.size() == 100);
  log.kernel.run_until(time_start + 48h);
  BOOST_TEST(log.seen.size() == 101);
  BOOST_TEST(!log.kernel.next_time().has_value());
}

BOOST_AUTO_TEST_CASE(steps_one_event_at_a_time) {
  Log log;
  log.kernel.schedule_after<&Log::note>(1ms, &log, 1);
  Timer dead = log.kernel.schedule_after<&Log::note>(2ms, &log, 2);
  log.kernel.schedule_after<&Log::note>(3ms, &log, 3);
  log.kernel.cancel(dead);
  BOOST_TEST(log.kernel.step());
  BOOST_TEST((log.seen == Numbers{1}));
  BOOST_TEST(log.kernel.step());
  BOOST_TEST((log.kernel.now() == time_start + 3ms));
  BOOST_TEST(!log.kernel.step());
}

BOOST_AUTO_TEST_CASE(refuses_the_past) {
  BOOST_TEST(fails_a_check([] {
    Log log;
    log.kernel.run_until(time_start + 1s);
    log.kernel.schedule_at<&Log::note>(time_start + 999ms, &log, 1);
  }));
  BOOST_TEST(fails_a_check([] {
    Kernel kernel;
    kernel.run_until(time_start + 1s);
    kernel.run_until(time_start);
  }));
}

BOOST_AUTO_TEST_CASE(finds_an_object_by_its_ticket_until_it_is_closed) {
  Kernel kernel;
  int object = 0;
  sim::Ticket ticket = kernel.open_ticket(&object);
  const sim::Ticket copy = ticket;
  BOOST_TEST(kernel.find(copy) == &object);
  kernel.close(ticket);
  BOOST_TEST(kernel.find(copy) == nullptr);
  const sim::Ticket next = kernel.open_ticket(&object);
  BOOST_TEST(next.slot == copy.slot);
  BOOST_TEST(kernel.find(copy) == nullptr);
  BOOST_TEST(kernel.find(sim::Ticket{}) == nullptr);
}

BOOST_AUTO_TEST_CASE(starts_over_after_a_reset) {
  Log log;
  const sim::Ticket ticket = log.kernel.open_ticket(&log);
  Timer timer = log.kernel.schedule_after<&Log::note>(1ms, &log, 1);
  log.kernel.run_until(time_start + 500us);
  log.kernel.reset();
  BOOST_TEST((log.kernel.now() == time_start));
  BOOST_TEST(log.kernel.find(ticket) == nullptr);
  log.kernel.schedule_after<&Log::note>(1ms, &log, 2);
  BOOST_TEST(!log.kernel.cancel(timer));
  log.kernel.run_until(time_start + 1s);
  BOOST_TEST((log.seen == Numbers{2}));
  BOOST_TEST(log.kernel.event_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
