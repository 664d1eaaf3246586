// How a copy is named, and what is told of it, in worlds small enough to count by hand.
#include "reports/segment_story.h"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "reports/world_state.h"
#include "sim/run.h"
#include "tests/support/world_support.h"

namespace tests {
namespace {

using namespace std::chrono_literals;

/// A world of one_broker at a time, with what follows it.
struct Told final : sim::RunListener {
  Told(std::string_view plan, std::string_view policy, Duration until)
      : scenario(read_world(one_broker, plan)),
        choice(policy_choice(policy, scenario)),
        run(scenario, choice, 1, this) {
    run.run_until(model::time_start + until);
    run.ledger().advance(run.world().now());
  }
  void begin(const sim::WorldView& world) override {
    paths.begin(world);
    state.emplace(world, run.ledger());
  }
  void record(const TraceRecord& record) override {
    paths.record(record);
    state->record(record);
  }

  std::string find(std::string_view text) const {
    const auto found = reports::find_segments(run.world(), text);
    return found ? fmt::format("{}", fmt::join(*found, " ")) : found.error();
  }
  std::string tell(std::uint32_t copy) {
    return reports::tell_segment(run.world(), run.ledger(), run.world().segment(copy), paths.text(copy));
  }

  Scenario scenario;
  sim::PolicyChoice choice;
  reports::SegmentPaths paths{{0, 1}, ~std::uint64_t{0}};
  std::optional<reports::WorldState> state;
  sim::WorldRun run;
};

void check_holds(const std::string& text, std::string_view part) {
  BOOST_TEST(text.find(part) != std::string::npos, '`' << part << "` is not in:\n" << text);
}

BOOST_AUTO_TEST_SUITE(segment_story)

BOOST_AUTO_TEST_CASE(a_copy_goes_by_its_id_or_the_beginning_of_it_or_an_offset) {
  const Told told{"", "kafka-4.0", 1min};
  const std::string id = fmt::format("{}", told.run.world().segment(1).id);
  BOOST_TEST(told.find(id) == "1");
  BOOST_TEST(told.find(id.substr(0, 8)) == "1");
  BOOST_TEST(told.find("t-0@0") == "0");
  BOOST_TEST(told.find("t-0@1024") == "1");
  check_holds(told.find(""), "2 copies' ids begin with ''");
  check_holds(told.find(id.substr(0, 20) + "!!"), "nearest: " + id);
  check_holds(told.find("u-0@0"), "'u-0'");
  check_holds(told.find("u-0@0"), "t-0");
  check_holds(told.find("t-0@2048"), "its copies hold [0,1023], [1024,2047]");
  check_holds(told.find("t-0@x"), "t-0@x: ");
}

BOOST_AUTO_TEST_CASE(before_the_first_copy_there_is_none_to_name) {
  const Told told{"", "kafka-4.0", 0s};
  if (told.run.world().segment_count() == 0) check_holds(told.find("x"), "there is none yet");
}

BOOST_AUTO_TEST_CASE(a_good_copy_has_no_cause_and_nobody_removes_it) {
  Told told{"", "kafka-4.0", 1min};
  const std::string text = told.tell(0);
  check_holds(text, "of t-0, offsets 0 to 1023, 1.0 MiB\n");
  check_holds(text, "state: COPY_SEGMENT_FINISHED");
  check_holds(text, "live: log 1.0 MiB, indexes 256 KiB, producer-snapshot 64 KiB, leader-epoch-checkpoint 64 KiB\n");
  check_holds(text, "COPY_SEGMENT_STARTED > COPY_SEGMENT_FINISHED, broker 1, copy-finished");
  check_holds(text, "cause: nothing failed");
  check_holds(text, "removal: it is in use");
}

BOOST_AUTO_TEST_CASE(what_a_fault_left_names_fault_step_and_remover) {
  // Copy and delete fail for twenty minutes, so that what kafka-4.0 began to delete stays; its retention is unlimited.
  constexpr std::string_view plan = "0s,20m,copy-fail,store,stored=all\n0s,20m,delete-fail,store,stored=all\n";
  Told stays{plan, "kafka-4.0", 10min};
  const std::string left = stays.tell(0);
  check_holds(left, "copy of broker 1's copy task: ");
  check_holds(left, ", copy-fail\n");
  check_holds(left, "of garbage at most, since ");
  check_holds(left, " at step ");
  check_holds(left, "removal: ");
  check_holds(stays.state->describe(), "copy-fail: copy-fail on store, since 0h 00m 00.000s");
  check_holds(stays.state->describe(), "t-0: broker 1, epoch ");

  Told swept{plan, "kip-dangling", 90min};
  check_holds(swept.tell(0), ", by sweep\n");
  check_holds(swept.state->describe(), "faults: none acts");
}

BOOST_AUTO_TEST_CASE(changes_are_told_once) {
  Told told{"", "kafka-4.0", 0s};
  (void)told.state->describe();
  told.run.run_until(model::time_start + 1min);
  check_holds(told.state->describe_changes(), "copies COPY_SEGMENT_FINISHED: 0 -> ");
  BOOST_TEST(told.state->describe_changes() == "  copies, bytes, leaders and faults are as they were\n");
}

BOOST_AUTO_TEST_CASE(a_long_path_loses_its_middle) {
  reports::SegmentPaths paths{{0}, 100};
  model::RemoteLogSegment segment;
  for (std::uint64_t number = 1; number <= 120; ++number) {
    const sim::StorageCallEnded call{
        &segment, BrokerId{1}, model::TaskKind::copy, sim::StoreOperation::remove, SimTime{}, sim::CallResult::rejected,
        {}};
    paths.record({SimTime{}, number, call});
    BOOST_TEST(paths.is_complete() == (number >= 100));
  }
  const std::string text = paths.text(0);
  check_holds(text, "#20  ");
  check_holds(text, "... 60 more ...");
  check_holds(text, "#81  ");
  check_holds(text, "#100  ");
  BOOST_TEST(text.find("#21  ") == std::string::npos);
  BOOST_TEST(text.find("#101  ") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
