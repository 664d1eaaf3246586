#include <set>

#include <boost/test/unit_test.hpp>

#include "model/frame_pool.h"
#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(world)

using namespace tests;

/// Three remote segments, one of them on disk too, two more on disk only, a hundred records in the active one.
const std::vector<std::string> initial_sets = {"topic.t.initial.finished=3", "topic.t.initial.local=1",
                                               "topic.t.initial.closed=2",   "topic.t.initial.active=100KiB",
                                               "topic.t.initial.age=1h",     "topic.t.initial.epochs=0=0 5=1500"};

BOOST_AUTO_TEST_CASE(an_initial_log_has_the_segments_that_the_keys_say) {
  TestWorld world{one_broker, "", initial_sets};
  const model::UnifiedLog& log = world.world.log(BrokerId{1}, first_partition);
  std::string segments;
  for (const model::LogSegment& segment : log.segments()) {
    segments += fmt::format("{}-{} {};", segment.base_offset, segment.next_offset, segment.size);
    BOOST_TEST(segment.largest_timestamp == SimTime{-1h});
  }
  BOOST_TEST(segments == "2048-3072 1048576;3072-4096 1048576;4096-5120 1048576;5120-5220 102400;");
  BOOST_TEST(log.log_start_offset() == 0_offset);
  BOOST_TEST(log.local_log_start_offset() == 2048_offset);
  BOOST_TEST(log.high_watermark() == 5220_offset);
  BOOST_TEST(log.highest_offset_in_remote_storage() == 3071_offset);
  BOOST_TEST(world.epochs(BrokerId{1}) == "0=0 5=1500");
  BOOST_TEST(world.leaders() == "0 1/5");
}

BOOST_AUTO_TEST_CASE(initial_copies_are_stored_whole_and_finished) {
  TestWorld world{one_broker, "", initial_sets};
  BOOST_TEST(world.world.segment_count() == 3u);
  BOOST_TEST(world.world.metadata().record_count() == 6);
  for (std::uint32_t copy = 0; copy < 3; ++copy) {
    BOOST_TEST(world.transitions(copy) == "0 CS, 0 CF");
    BOOST_TEST(world.stored(copy) == "1048576 262144 65536 65536");
    BOOST_TEST(world.world.segment(copy).start_offset == Offset{copy * 1024});
    BOOST_TEST(world.world.segment(copy).end_offset == Offset{copy * 1024 + 1023});
    BOOST_TEST(world.world.segment(copy).max_timestamp == SimTime{-1h});
    BOOST_TEST(world.cached(BrokerId{1}, copy) == "CF");
  }
  using model::EpochEntry;
  const model::EpochEntries expected = {EpochEntry{LeaderEpoch{0}, 1024_offset},
                                        EpochEntry{LeaderEpoch{5}, 1500_offset}};
  BOOST_TEST((world.world.segment(1).segment_leader_epochs == expected));
  BOOST_TEST(world.world.copy_lag(first_partition) == 2_MiB);
}

BOOST_AUTO_TEST_CASE(an_initial_log_may_not_know_how_far_it_is_copied) {
  TestWorld world{one_broker, "", {"topic.t.initial.finished=3", "topic.t.initial.seeded=no"}};
  BOOST_TEST(world.world.log(BrokerId{1}, first_partition).highest_offset_in_remote_storage() == Offset{-1});
  world.run_until(1s);
  BOOST_TEST(world.world.log(BrokerId{1}, first_partition).highest_offset_in_remote_storage() == 3071_offset);
  BOOST_TEST(world.world.segment(3).start_offset == 3072_offset);  // Nothing is copied twice.
}

BOOST_AUTO_TEST_CASE(leaders_and_metadata_leaders_begin_round_robin) {
  TestWorld world{
      "[scenario]\nduration = 2h\n[cluster]\nbrokers = 3\n[topic.t]\npartitions = 5\n[topic.u]\npartitions = "
      "2\nreplication.factor = 2\n"};
  for (std::uint32_t p = 0; p < 5; ++p) {
    BOOST_TEST(world.world.leader(PartitionNumber{p}).value() == 1 + static_cast<std::int32_t>(p) % 3);
  }
  BOOST_TEST(world.world.topic_of(PartitionNumber{6}) == 1u);
  BOOST_TEST(world.world.index_in_topic(PartitionNumber{6}) == 1);
  BOOST_TEST((world.world.replicas(PartitionNumber{6}) == std::vector{BrokerId{2}, BrokerId{3}}));
  for (std::uint32_t m = 0; m < 50; ++m) {
    BOOST_TEST(world.world.metadata().leader(model::MetadataPartition{m}).value() ==
               1 + static_cast<std::int32_t>(m) % 3);
  }
}

BOOST_AUTO_TEST_CASE(the_first_ticks_are_those_of_the_keys) {
  TestWorld world{one_broker, "", {"broker.phase.copy=7s", "topic.t.retention.ms=1000", "topic.t.initial.age=1h"}};
  world.run_until(1min);
  const auto runs = world.all<sim::RunStarted>();
  BOOST_REQUIRE(runs.size() >= 2u);
  BOOST_TEST(runs[0].time == SimTime{7s});
  BOOST_TEST((runs[0].event.task == model::TaskKind::copy));
  BOOST_TEST(runs[1].time == SimTime{15s});
  BOOST_TEST((runs[1].event.task == model::TaskKind::expiration));
}

BOOST_AUTO_TEST_CASE(drawn_phases_are_below_the_interval_and_equal_across_policies) {
  const std::string ini =
      "[scenario]\nduration = 1h\n[cluster]\nbrokers = 1\n[topic.t]\npartitions = 20\nsegment.bytes = "
      "1MiB\ninitial.closed = 1\n";
  std::set<std::vector<SimTime>> starts;
  for (const std::string_view policy : policy_names()) {
    TestWorld world{ini, "", {}, policy};
    world.run_until(29'999ms);
    std::vector<SimTime> times;
    for (const auto& run : world.all<sim::RunStarted>()) {
      if (run.event.task == model::TaskKind::copy) times.push_back(run.time);
    }
    BOOST_TEST(times.size() == 20u);
    starts.insert(times);
  }
  BOOST_TEST(starts.size() == 1u);
}

BOOST_AUTO_TEST_CASE(no_two_copies_have_one_id) {
  // Broker 2's cache stands still while broker 1 copies; broker 2 then leads and copies the same ranges again.
  TestWorld world{one_broker,
                  "0s,10m,partition,broker:3>broker:2,\n20s,10m,crash,broker:1,\n",
                  {"cluster.brokers=3", "topic.t.replication.factor=2",
                   "metadata.remote.log.metadata.topic.num.partitions=3", "topic.t.initial.seeded=no"},
                  "kafka-4.0",
                  3};
  world.run_until(1h);
  std::set<model::Uuid> ids;
  for (std::uint32_t copy = 0; copy < world.world.segment_count(); ++copy) {
    BOOST_TEST(ids.insert(world.world.segment(copy).id).second, "copy " << copy);
  }
  BOOST_TEST(ids.size() >= 4u);
}

BOOST_AUTO_TEST_CASE(one_seed_is_one_run_and_another_seed_another) {
  const Scenario scenario = read_catalogue("partial-uploads");
  const Fingerprint first = fingerprint(scenario, "kip-dangling", 1);
  BOOST_TEST(fingerprint(scenario, "kip-dangling", 1) == first);
  BOOST_TEST(fingerprint(scenario, "kip-dangling", 2).hash != first.hash);
  BOOST_TEST(fingerprint(scenario, "kafka-4.0", 1).hash != first.hash);
}

/// Partition, start offset, which attempt: of every copy that the plan's row made fail.
std::set<std::string> failed_copies(std::string_view policy) {
  const std::string ini =
      "[scenario]\nduration = 8h\n[cluster]\nbrokers = 3\n[topic.t]\npartitions = 6\nsegment.bytes = 16MiB\nproduce = "
      "128KiB/s\n[client]\nattempts = 1\n";
  TestWorld world{
      ini, "1h,2h,copy-fail,store,probability=0.3;stored=all\n1h,2h,delete-fail,store,probability=0.5\n", {}, policy};
  world.run_until(8h);
  std::map<std::pair<PartitionNumber, Offset>, int> attempts;
  std::set<std::string> failed;
  for (const auto& [time, call] : world.all<sim::StorageCallEnded>()) {
    if (call.operation != sim::StoreOperation::put) continue;
    const int attempt = attempts[{call.segment->partition, call.segment->start_offset}]++;
    if (call.result == sim::CallResult::ok) continue;
    failed.insert(fmt::format("{} {} {}", call.segment->partition, call.segment->start_offset, attempt));
  }
  return failed;
}

BOOST_AUTO_TEST_CASE(the_same_copies_fail_under_every_policy) {
  const auto reference = failed_copies("kafka-3.9");
  BOOST_TEST(reference.size() > 100u);
  BOOST_TEST((failed_copies("kafka-3.6") == reference));
  BOOST_TEST((failed_copies("kafka-4.0") == reference));
  BOOST_TEST((failed_copies("kip-dangling") == reference));
}

BOOST_AUTO_TEST_CASE(no_frame_outlives_its_world) {
  for (const char* name : {"tiny", "leader-crash-mid-copy", "partition-store"}) {
    for (const Duration end : {Duration{500ms}, Duration{4'125'500ms}}) {
      const Scenario scenario = read_catalogue(name);
      {
        TestWorld world{scenario, "kip-dangling"};
        world.run_until(std::min(end, scenario.scenario.duration));
      }
      BOOST_TEST(model::live_frame_count() == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_one_task_of_3_6_writes_under_the_epoch_it_leads_in_now) {
  // Broker 1 is down twice, so that broker 2 leads in epochs 1 and 3; in between it follows and keeps its task.
  TestWorld world{one_broker,
                  "1s,60s,crash,broker:1,\n400s,60s,crash,broker:1,\n",
                  {"cluster.brokers=2", "topic.t.produce=64KiB/s"},
                  "kafka-3.6"};
  world.run_until(500s);
  BOOST_TEST(world.leaders() == "0 1/0, 1000 0/0, 10000 2/1, 300000 1/2, 400000 0/2, 409000 2/3");
  std::set<LeaderEpoch> late;
  for (const auto& [time, transition] : world.all<sim::Transition>()) {
    if (transition.broker == BrokerId{2} && time > SimTime{409s}) late.insert(transition.leader_epoch);
  }
  BOOST_TEST((late == std::set{LeaderEpoch{3}}));
}

BOOST_AUTO_TEST_CASE(a_run_counts_what_its_trace_shows) {
  const Scenario scenario = read_catalogue("tiny");
  const sim::RunResult result = run_world(scenario, policy_choice("kafka-4.0", scenario), 1);
  TestWorld world{scenario, "kafka-4.0"};
  world.world.run_until(world.world.end());
  std::int64_t applied = 0;
  for (const auto& transition : world.all<sim::Transition>()) applied += transition.event.applied ? 1 : 0;
  BOOST_TEST(result.summary.transitions == static_cast<std::uint64_t>(applied));
  BOOST_TEST(result.summary.store_requests == static_cast<std::int64_t>(world.all<sim::StoreRequestEnded>().size()));
  BOOST_TEST(result.summary.trace_hash == world.world.trace().hash());
  BOOST_REQUIRE(result.faults.size() == 2u);
  BOOST_TEST(result.faults[0].hits == world.hits(0));
}

BOOST_AUTO_TEST_SUITE_END()
