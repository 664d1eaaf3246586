// A world that is stopped on its way is the same world.
#include "sim/run.h"

#include <boost/test/unit_test.hpp>

#include "model/frame_pool.h"
#include "tests/support/world_support.h"

namespace tests {
namespace {

using namespace std::chrono_literals;

struct Points final : sim::RunListener {
  void curve(const sim::CurvePoint& point) override { times.push_back(point.time); }
  std::vector<SimTime> times;
};

void check_same(const sim::RunResult& a, const sim::RunResult& b, const std::string& what) {
  BOOST_TEST(a.summary.trace_hash == b.summary.trace_hash, what);
  BOOST_TEST(a.summary.events == b.summary.events, what);
  BOOST_TEST(a.violations.size() == b.violations.size(), what);
  BOOST_TEST((a.summary.garbage_byte_time == b.summary.garbage_byte_time), what);
  BOOST_TEST(a.leftovers.size() == b.leftovers.size(), what);
  BOOST_TEST(a.exit_code == b.exit_code, what);
}

BOOST_AUTO_TEST_SUITE(world_run)

BOOST_AUTO_TEST_CASE(stops_and_steps_change_nothing) {
  for (const char* name : {"tiny", "partial-uploads", "leader-crash-mid-copy"}) {
    const Scenario scenario = read_catalogue(name);
    for (const std::string_view policy : policy_names()) {
      const sim::PolicyChoice choice = policy_choice(policy, scenario);
      Points whole_points;
      const sim::RunResult whole = sim::run_world(scenario, choice, 1, &whole_points);

      Points stepped_points;
      sim::WorldRun stepped{scenario, choice, 1, &stepped_points};
      std::uint64_t steps = 0;
      while (stepped.step()) ++steps;
      BOOST_TEST(!stepped.step());
      BOOST_TEST(steps == whole.summary.events);
      check_same(whole, stepped.finish(), std::string{name} + " step by step");
      BOOST_TEST((stepped_points.times == whole_points.times));

      sim::WorldRun stopped{scenario, choice, 1};
      for (SimTime time{37s}; time < stopped.world().end(); time += 1234567ms) {
        stopped.run_until(time);
        BOOST_TEST((stopped.world().now() == time));
        (void)stopped.step();
        if (stopped.world().now() > time + 1234567ms) time = stopped.world().now();
      }
      check_same(whole, stopped.finish(), std::string{name} + " with stops");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_world_may_be_left_in_the_middle) {
  const Scenario scenario = read_catalogue("partial-uploads");
  const sim::PolicyChoice choice = policy_choice("kip-dangling", scenario);
  {
    sim::WorldRun run{scenario, choice, 1};
    run.run_until(model::time_start + 1h);
    BOOST_TEST(run.trace().record_count() > 0U);
  }
  BOOST_TEST(model::live_frame_count() == 0);
}

/// What the books say of a copy just before they are closed is what they say when they are.
BOOST_AUTO_TEST_CASE(a_report_of_a_copy_at_the_end_is_its_row_of_leftovers) {
  struct Rows final : sim::RunListener {
    void end(const sim::RunResult& result) override { leftovers = result.leftovers; }
    std::vector<sim::Leftover> leftovers;
  };
  for (const char* name : {"partial-uploads", "mpu-leak", "delete-failures", "topic-deletion-in-outage"}) {
    const Scenario scenario = read_catalogue(name);
    for (const std::string_view policy : policy_names()) {
      const sim::PolicyChoice choice = policy_choice(policy, scenario);
      Rows rows;
      sim::WorldRun run{scenario, choice, 1, &rows};
      run.run_until(run.world().end());
      run.ledger().advance(run.world().now());
      std::vector<std::optional<sim::Leftover>> reports;
      for (std::uint32_t i = 0; i < run.world().segment_count(); ++i)
        reports.push_back(run.ledger().report_of(run.world().segment(i)).leftover);
      (void)run.finish();
      std::size_t count = 0;
      for (const auto& report : reports) count += report ? 1 : 0;
      BOOST_TEST(count == rows.leftovers.size(), name << " " << policy);
      for (const sim::Leftover& row : rows.leftovers) {
        const auto& report = reports[row.segment->number];
        BOOST_REQUIRE(report.has_value());
        const bool same = report->bytes == row.bytes && report->became_garbage == row.became_garbage &&
                          report->reclaimed == row.reclaimed && report->state == row.state &&
                          report->reclaimed_by == row.reclaimed_by && report->due_by == row.due_by &&
                          report->due == row.due;
        BOOST_TEST(same, name << " " << policy << " copy " << row.segment->number);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
