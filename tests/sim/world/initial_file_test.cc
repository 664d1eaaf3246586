// Worlds that begin with what a csv says (`initial = FILE.csv`): every state that a metadata topic may hold at time 0,
// with log, caches, store and ledger of one mind, and what each policy does with it then.
#include <boost/test/unit_test.hpp>

#include "sim/faults/faults.h"
#include "sim/observers/invariants.h"
#include "sim/run_result.h"
#include "tests/sim/scenario/memory_files.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(initial_file_world)

using namespace tests;

const std::string id_a = "EREiIjMzRESVVWZmd3eIiA";
const std::string id_b = "Lz5NXGt6iZintsXU4_IBEA";
const std::string id_c = "MP_u3cy7qpmId2ZVRDMiEQ";
const std::string header = "segment_id,start_offset,end_offset,size_bytes,to_state";
/// Of the objects of one copy in one_broker.
constexpr std::int64_t rest = (256 + 64 + 64) << 10;

/// one_broker with this file for topic t.
Scenario read_initial(const std::string& csv, std::vector<std::string> sets = {}) {
  const sim::scenario_test::MemoryFiles files{{{"state.csv", csv}}};
  sets.insert(sets.begin(), {"topic.t.initial.closed=0", "topic.t.initial=state.csv"});
  auto scenario = read_scenario_text("world.ini", one_broker, sets, sim::fault_kinds(), files);
  BOOST_REQUIRE_MESSAGE(scenario, sim::scenario_test::errors_of(scenario));
  return std::move(*scenario);
}

std::string segments(const model::UnifiedLog& log) {
  std::string text;
  for (const model::LogSegment& segment : log.segments()) {
    text += fmt::format("{}{}-{} {}", text.empty() ? "" : ", ", segment.base_offset, segment.next_offset, segment.size);
  }
  return text;
}

BOOST_AUTO_TEST_CASE(log_caches_and_store_are_those_of_the_file) {
  TestWorld world{read_initial(header + ",stored_bytes,max_timestamp_ms,segment_epochs\n" +         //
                               id_a + ",1000,1999,1048576,COPY_SEGMENT_FINISHED,,-9000,4=1000\n" +  //
                               id_b + ",2000,2999,1048576,COPY_SEGMENT_STARTED,1048577,-8000,4=2000 6=2500\n"),
                  "kafka-4.0"};
  const model::UnifiedLog& log = world.world.log(BrokerId{1}, first_partition);
  BOOST_TEST(log.log_start_offset() == 1000_offset);
  BOOST_TEST(log.local_log_start_offset() == 2000_offset);  // Nobody could read it from the store.
  BOOST_TEST(log.log_end_offset() == 3000_offset);
  BOOST_TEST(log.high_watermark() == 3000_offset);
  BOOST_TEST(log.highest_offset_in_remote_storage() == 1999_offset);
  BOOST_TEST(segments(log) == "2000-3000 1048576, 3000-3000 0");
  BOOST_TEST(log.segments().front().largest_timestamp == SimTime{-8s});
  BOOST_TEST(world.epochs(BrokerId{1}) == "4=1000 6=2500");
  BOOST_TEST(world.leaders() == "0 1/6");
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
  BOOST_TEST(world.stored(1) == "1048576 1 0 0");
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CF");
  BOOST_TEST(world.cached(BrokerId{1}, 1) == "CS");
  BOOST_TEST(fmt::format("{}", world.world.segment(1).id) == id_b);
  BOOST_TEST(world.world.copy_lag(first_partition) == 1_MiB);
}

BOOST_AUTO_TEST_CASE(local_rows_stay_on_disk_and_gaps_are_filled) {
  TestWorld world{read_initial(header + ",local\n" +                                //
                               id_a + ",0,1023,1048576,COPY_SEGMENT_FINISHED,\n" +  //
                               id_b + ",1024,2047,1048576,COPY_SEGMENT_FINISHED,yes\n" + id_c +
                               ",4000,4999,1024,DELETE_SEGMENT_STARTED,\n"),
                  "kafka-4.0"};
  const model::UnifiedLog& log = world.world.log(BrokerId{1}, first_partition);
  BOOST_TEST(segments(log) == "1024-2048 1048576, 2048-3072 1048576, 3072-4000 950272, 4000-5000 1024, 5000-5000 0");
  BOOST_TEST(log.log_start_offset() == 0_offset);
  BOOST_TEST(log.highest_offset_in_remote_storage() == 2047_offset);
}

BOOST_AUTO_TEST_CASE(what_is_below_the_first_finished_segment_is_below_the_log) {
  TestWorld world{read_initial(header + "\n" + id_a + ",0,1023,1048576,DELETE_SEGMENT_STARTED\n" +  //
                               id_b + ",1024,2047,1048576,COPY_SEGMENT_FINISHED\n"),
                  "kafka-4.0"};
  BOOST_TEST(world.world.log(BrokerId{1}, first_partition).log_start_offset() == 1024_offset);
  BOOST_TEST(world.log_end() == 2048);
}

BOOST_AUTO_TEST_CASE(what_retention_has_deleted_raises_the_log_start_but_not_what_a_failed_copy_left) {
  const auto log_start = [](const std::string& from) {
    TestWorld world{read_initial(header + ",from_state\n" + id_a + ",0,1023,5,DELETE_SEGMENT_STARTED," + from + "\n" +
                                 id_a + ",0,1023,5,DELETE_SEGMENT_FINISHED,\n"),
                    "kafka-4.0"};
    BOOST_TEST(world.stored(0) == "0 0 0 0");
    return world.world.log(BrokerId{1}, first_partition).log_start_offset();
  };
  BOOST_TEST(log_start("COPY_SEGMENT_FINISHED") == 1024_offset);
  BOOST_TEST(log_start("COPY_SEGMENT_STARTED") == 0_offset);
}

BOOST_AUTO_TEST_CASE(a_higher_epoch_cuts_off_what_a_lower_one_wrote_behind_its_start) {
  // An unclean election: b's epoch begins in the middle of a, whose tail nobody reads any more (facts 2.4, 7).
  TestWorld world{read_initial(header + ",segment_epochs\n" +                           //
                               id_a + ",0,999,1000,COPY_SEGMENT_FINISHED,4=0\n" +       //
                               id_b + ",500,1499,1000,COPY_SEGMENT_FINISHED,5=500\n"),  //
                  "kafka-4.0"};
  BOOST_TEST(world.epochs(BrokerId{1}) == "4=0 5=500");
  const model::UnifiedLog& log = world.world.log(BrokerId{1}, first_partition);
  BOOST_TEST(log.local_log_start_offset() == 1500_offset);
  BOOST_TEST(log.log_end_offset() == 1500_offset);
}

/// What a whole run says.
sim::RunResult run(const std::string& csv, std::string_view policy, const std::vector<std::string>& sets = {}) {
  const Scenario scenario = read_initial(csv, sets);
  return sim::run_world(scenario, policy_choice(policy, scenario), 1, nullptr);
}

BOOST_AUTO_TEST_CASE(the_ledger_knows_every_state_from_the_first_instant) {
  struct Left {
    std::string state;
    std::string stored;
    std::int64_t garbage;
    std::int64_t ghosts;
  };
  const std::vector<Left> table{
      {"COPY_SEGMENT_STARTED", "", (1 << 20) + rest, 0},
      {"COPY_SEGMENT_STARTED", "4096", 4096, 0},
      {"COPY_SEGMENT_STARTED", "0", 0, 1},
      {"DELETE_SEGMENT_STARTED", "", (1 << 20) + rest, 0},
      {"DELETE_SEGMENT_STARTED", "0", 0, 1},
      {"DELETE_SEGMENT_FINISHED", "", 0, 0},
      {"DELETE_SEGMENT_FINISHED", "77", 77, 0},
      {"DANGLING", "", (1 << 20) + rest, 0},
      {"DANGLING", "9", 9, 0},
      {"COPY_SEGMENT_FINISHED", "", 0, 0},
  };
  for (const Left& left : table) {
    BOOST_TEST_CONTEXT(left.state << " " << left.stored) {
      const Scenario scenario =
          read_initial(header + ",stored_bytes\n" + id_a + ",0,1023,1048576," + left.state + "," + left.stored + "\n");
      sim::World world{scenario, policy_choice("kip-dangling", scenario), 1};
      sim::Ledger ledger{world};
      world.trace().add_observer(ledger);
      world.begin();
      ledger.advance(model::time_start);
      BOOST_TEST(ledger.totals().garbage().value() == left.garbage);
      BOOST_TEST(ledger.totals().ghost_count == left.ghosts);
      BOOST_TEST((ledger.recount() == ledger.totals()));
    }
  }
}

/// The story of a segment that a failure left in `state` while its offsets are still on disk, two hours on: what
/// follows the initial records. Its second copy comes at `copy`; expiration comes 15 s into the world.
std::string story(const std::string& state, std::string_view policy, const std::string& copy) {
  TestWorld world{read_initial(header + "\n" + id_a + ",0,1023,1048576," + state + "\n",
                               {"broker.phase.copy=" + copy, "client.deadline=1m"}),
                  policy};
  const std::string before = world.transitions(0);
  world.run_until(2h);
  return world.transitions(0).substr(before.size());
}

// No Kafka version looks at such an entry again while retention keeps what it lists first; only kip-dangling-recovery
// takes it over, by way of DANGLING, and deletes once more when no copy of the old leader can be under way.
BOOST_AUTO_TEST_CASE(a_started_copy_is_left_to_retention_by_all_but_recovery) {
  for (const std::string_view policy : policy_names()) {
    const bool recovers = policy == "kip-dangling-recovery";
    BOOST_TEST(story("COPY_SEGMENT_STARTED", policy, "30s") ==
                   (recovers ? ", 31475 DANGLING, 31525 DS, 31575 DANGLING, 601625 DS, 601675 DF" : ""),
               policy);
  }
}

// From 4.0 on the walk takes it when it comes to it (facts 6.9), which it does not behind a copy that stays (C19).
BOOST_AUTO_TEST_CASE(a_started_delete_is_tried_again_from_4_0_on_unless_a_kept_copy_stands_before_it) {
  for (const std::string_view policy : policy_names()) {
    const bool is_old = policy == "kafka-3.6" || policy == "kafka-3.9";
    BOOST_TEST(story("DELETE_SEGMENT_STARTED", policy, "30s") == (is_old ? "" : ", 15000 DS, 15050 DF"), policy);
    const bool recovers = policy == "kip-dangling-recovery";
    BOOST_TEST(story("DELETE_SEGMENT_STARTED", policy, "0s") ==
                   (recovers ? ", 1475 DS, 1525 DANGLING, 601575 DS, 601625 DF" : ""),
               policy);
  }
}

// A version that does not know the state cannot read the record, and its metadata consumer is gone (F16, readings 7):
// the second copy's publishes are never seen.
BOOST_AUTO_TEST_CASE(dangling_is_swept_by_the_kip_and_ends_the_consumers_of_kafka) {
  for (const std::string_view policy : policy_names()) {
    const bool knows_it = policy.starts_with("kip-");
    BOOST_TEST(story("DANGLING", policy, "0s") == (knows_it ? ", 1475 DS, 1525 DF" : ""), policy);
    TestWorld world{read_initial(header + "\n" + id_a + ",0,1023,1048576,DANGLING\n"), policy};
    BOOST_TEST(world.world.metadata().consumer_has_ended(BrokerId{1}) == !knows_it, policy);
    BOOST_TEST(world.all<sim::ConsumerEnded>().size() == (knows_it ? 0U : 1U), policy);
  }
  // Written with the tag it is a delete to them (readings 4.12).
  TestWorld tagged{read_initial(header + "\n" + id_a + ",0,1023,1048576,DANGLING\n"), "kip-dangling:encoding=tagged"};
  BOOST_TEST(tagged.cached(BrokerId{1}, 0) == "DANGLING");
}

BOOST_AUTO_TEST_CASE(what_is_finished_lives_and_dies_by_retention) {
  const std::string csv = header + ",max_timestamp_ms\n" + id_a + ",0,1023,1048576,COPY_SEGMENT_FINISHED,-3600000\n";
  const sim::RunResult kept = run(csv, "kafka-4.0");
  BOOST_TEST(kept.violations.empty());
  BOOST_TEST(kept.summary.copy_attempts == 0);  // It is known to be copied.
  TestWorld world{read_initial(csv, {"topic.t.retention.ms=3660000"}), "kafka-4.0"};
  world.run_until(59s);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CF");
  world.run_until(2min);
  BOOST_TEST(world.transitions(0) == "0 CS, 0 CF, 75000 DS, 75050 DF");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
}

BOOST_AUTO_TEST_SUITE_END()
