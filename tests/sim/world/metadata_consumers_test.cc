#include "sim/world/metadata_consumers.h"

#include <algorithm>
#include <map>
#include <string>

#include <boost/test/unit_test.hpp>

#include "tests/support/observer_support.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(metadata_consumers)

using namespace tests;

// ---- In a world ----

/// Two brokers that replicate both partitions; broker 2 keeps Kafka's table while broker 1 writes DANGLING: a rolling
/// upgrade (readings 7).
std::string rolling_upgrade() { return two_brokers() + "[broker.2]\npolicy = kafka-4.0\n"; }
constexpr std::string_view copies_of_broker_1_fail = "0s,10s,copy-fail,broker:1,stored=all\n";

BOOST_AUTO_TEST_CASE(a_record_of_an_unknown_state_ends_the_consumer_of_an_older_broker) {
  // Readings 7, steps 3 to 7: the whole broker's view stops, also for partitions that have nothing to do with it.
  TestWorld world{rolling_upgrade(), copies_of_broker_1_fail, {}, "kip-dangling"};
  world.run_until(20s);
  const auto ended = world.all<sim::ConsumerEnded>();
  BOOST_REQUIRE(ended.size() == 1u);
  BOOST_TEST(ended[0].event.broker == BrokerId{2});
  BOOST_TEST(world.world.metadata().consumer_has_ended(BrokerId{2}));
  BOOST_TEST(!world.world.metadata().consumer_has_ended(BrokerId{1}));
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CS");  // The record before the bad one was applied.
}

BOOST_AUTO_TEST_CASE(an_ended_consumer_lets_every_publish_be_stored_and_time_out) {
  // F16: acknowledged by the topic, failed for the caller after remote.log.metadata.consume.wait.ms, every run.
  TestWorld world{rolling_upgrade(), copies_of_broker_1_fail, {"topic.t.produce=64KiB/s"}, "kip-dangling"};
  world.run_until(20min);
  const std::string publishes = world.publishes(BrokerId{2});
  const auto count = [&](std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = publishes.find(what); at != std::string::npos; at = publishes.find(what, at + 1)) ++found;
    return found;
  };
  BOOST_TEST(count("timed-out") >= 7u);  // 120 s of waiting and 30 s of interval a run.
  BOOST_TEST(count("timed-out") <= 9u);
}

BOOST_AUTO_TEST_CASE(a_restart_meets_the_record_again) {
  // Readings 7, step 8.
  const std::string plan = std::string{copies_of_broker_1_fail} + "60s,30s,crash,broker:2,\n";
  TestWorld world{rolling_upgrade(), plan, {}, "kip-dangling"};
  world.run_until(80s);
  BOOST_TEST(world.all<sim::ConsumerEnded>().size() == 1u);
  world.run_until(5min);
  BOOST_TEST(world.all<sim::ConsumerEnded>().size() == 2u);
  BOOST_TEST(!world.world.metadata_is_ready(BrokerId{2}, PartitionNumber{1}));
}

BOOST_AUTO_TEST_CASE(nothing_ends_where_everybody_knows_the_state) {
  TestWorld world{two_brokers(), copies_of_broker_1_fail, {}, "kip-dangling"};
  world.run_until(10min);
  BOOST_TEST(world.all<sim::ConsumerEnded>().empty());
}

BOOST_AUTO_TEST_CASE(a_limited_common_pool_lets_publishes_wait_for_one_another) {
  // F28: six partitions publish at one instant; with two threads the third pair hears after three waits.
  const std::vector<std::string> sets = {"topic.t.partitions=6", "topic.t.initial.closed=1"};
  TestWorld free{one_broker, "", sets};
  free.run_until(1s);
  BOOST_TEST(free.publishes() == "CS 0-50 ok, CS 0-50 ok, CS 0-50 ok, CS 0-50 ok, CS 0-50 ok, CS 0-50 ok");
  std::vector<std::string> limited = sets;
  limited.push_back("broker.common.pool.threads=2");
  TestWorld world{one_broker, "", limited};
  world.run_until(1s);
  BOOST_TEST(world.publishes() == "CS 0-50 ok, CS 0-50 ok, CS 0-100 ok, CS 0-100 ok, CS 0-150 ok, CS 0-150 ok");
}

BOOST_AUTO_TEST_CASE(a_crash_empties_the_common_pool) {
  TestWorld world{one_broker, "20ms,10s,crash,broker:1,\n", {"topic.t.partitions=6", "broker.common.pool.threads=2"}};
  world.run_until(10min);
  BOOST_TEST(world.world.copy_lag(first_partition) == Bytes{0});
}

/// A user partition with records in this partition of the metadata topic.
PartitionNumber user_of(const TestWorld& world, model::MetadataPartition partition) {
  for (const auto& [time, transition] : world.all<sim::Transition>()) {
    if (transition.metadata_partition == partition) return transition.segment->partition;
  }
  BOOST_FAIL("nobody uses metadata partition " << partition.value());
  return first_partition;
}

BOOST_AUTO_TEST_CASE(a_restarted_broker_that_cannot_list_offsets_idles_for_five_minutes) {
  // F21: the link to one of two metadata leaders is cut for longer than the consumer's 60 s of trying; the other one is
  // the broker itself, which so finds the topic.
  const std::string_view plan = "3s,8s,crash,broker:2,\n3s,88s,partition,broker:1>broker:2,\n";
  TestWorld world{two_brokers(), plan, {"metadata.remote.log.metadata.topic.num.partitions=2", "topic.t.partitions=6"}};
  world.run_until(360s);
  const PartitionNumber cut = user_of(world, model::MetadataPartition{0});
  const PartitionNumber own = user_of(world, model::MetadataPartition{1});
  BOOST_TEST(!world.world.metadata_is_ready(BrokerId{2}, cut));
  BOOST_TEST(world.world.metadata_is_ready(BrokerId{2}, own));
  world.run_until(372s);  // Up at 11 s, given up at 71 s, asked again at 371 s.
  BOOST_TEST(world.world.metadata_is_ready(BrokerId{2}, cut));
}

/// Broker 2 starts at 11 s and hears nobody who leads a partition of the metadata topic until `heals`.
std::string deaf_start(std::string_view heals) {
  return "1s,10s,crash,broker:2,\n1s," + std::string{heals} + ",partition,broker:1>broker:2,\n";
}

/// How runs of broker 2 ended since its start, and how many did: `fatal 1`.
std::string ends_of_broker_2(const TestWorld& world) {
  std::map<std::string, int> counts;
  for (const auto& [time, end] : world.all<sim::RunEnded>()) {
    if (end.broker == BrokerId{2} && time >= model::time_start + 11s) ++counts[std::string{model::to_string(end.end)}];
  }
  std::string text;
  for (const auto& [end, count] : counts) text += (text.empty() ? "" : ", ") + end + " " + std::to_string(count);
  return text;
}

BOOST_AUTO_TEST_CASE(a_start_that_does_not_find_the_metadata_topic_fails_by_version) {
  // Facts 3.2, case C18: after more than 120 s. To 3.9 the first call of each task ends it, in 4.0 they idle, and both
  // for as long as the process lives; 4.2 and later end the process.
  for (const auto& [policy, ends] :
       {std::pair{"kafka-3.6", "failed 10, fatal 2"}, std::pair{"kafka-3.9", "failed 10, fatal 2"},
        std::pair{"kafka-4.0", ""}, std::pair{"kip-dangling", ""}, std::pair{"kip-dangling:base=kafka-4.3", ""},
        std::pair{"kafka-4.3", ""}}) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{two_brokers(), deaf_start("200s"), {"cluster.auto.leader.rebalance.enable=no"}, policy};
      world.run_until(30min);
      const auto failed = world.all<sim::InitializationFailed>();
      BOOST_REQUIRE(failed.size() == 1u);
      BOOST_TEST(failed[0].event.broker == BrokerId{2});
      BOOST_TEST((failed[0].time == model::time_start + 11s + 120s + 100ms));
      const bool exits = std::string_view{policy}.ends_with("kafka-4.3");
      BOOST_TEST(world.world.is_up(BrokerId{2}) == !exits);
      BOOST_TEST(world.all<sim::BrokerCrashed>().size() == (exits ? 2u : 1u));
      if (!exits) BOOST_TEST(!world.world.metadata_is_ready(BrokerId{2}, PartitionNumber{1}));
      BOOST_TEST(ends_of_broker_2(world) == ends);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_leader_whose_tiering_could_not_start_copies_nothing_and_is_not_noticed) {
  // Case C18: it leads all the same, and only its disk grows.
  for (const std::string_view policy : {"kafka-3.9", "kafka-4.0"}) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{two_brokers(), deaf_start("200s"), {"topic.t.produce=64KiB/s"}, policy};
      world.run_until(1h);
      BOOST_TEST(world.world.leader(PartitionNumber{1}) == BrokerId{2});
      BOOST_TEST(world.world.copy_lag(PartitionNumber{1}) > Bytes{100 << 20});
      BOOST_TEST(world.world.copy_lag(PartitionNumber{0}) < Bytes{10 << 20});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_start_that_finds_the_metadata_topic_in_time_goes_on) {
  // Looks are 100 ms apart, from 11 s on.
  for (const std::string_view policy : {"kafka-3.9", "kafka-4.0", "kafka-4.3"}) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{two_brokers(), deaf_start("100050ms"), {"cluster.auto.leader.rebalance.enable=no"}, policy};
      world.run_until(101'099ms);
      BOOST_TEST(!world.world.metadata_is_ready(BrokerId{2}, PartitionNumber{1}));
      world.run_until(101'100ms);
      BOOST_TEST(world.world.metadata_is_ready(BrokerId{2}, PartitionNumber{1}));
      world.run_until(30min);
      BOOST_TEST(world.all<sim::InitializationFailed>().empty());
      BOOST_TEST(world.world.is_up(BrokerId{2}));
    }
  }
}

BOOST_AUTO_TEST_CASE(idle_ticks_make_no_difference_to_a_start_that_fails) {
  for (const std::string_view policy : policy_names()) {
    for (const std::string_view heals : {"200s", "100050ms"}) {
      const Scenario elided = read_world(two_brokers(), deaf_start(heals), {"topic.t.produce=64KiB/s"});
      Scenario plain = elided;
      plain.scenario.elide = false;
      BOOST_TEST(fingerprint(elided, policy) == fingerprint(plain, policy), policy << " " << heals);
    }
  }
}

BOOST_AUTO_TEST_CASE(how_long_a_start_looks_for_the_metadata_topic_is_configured) {
  // The look that finds more than the time-out passed fails: at 0, 2, 4 and then 6 s.
  TestWorld world{two_brokers(),
                  deaf_start("200s"),
                  {"broker.remote.log.metadata.initialization.retry.interval.ms=2000",
                   "broker.remote.log.metadata.initialization.retry.max.timeout.ms=5000"}};
  world.run_until(30min);
  const auto failed = world.all<sim::InitializationFailed>();
  BOOST_REQUIRE(failed.size() == 1u);
  BOOST_TEST((failed[0].time == model::time_start + 17s));
}

BOOST_AUTO_TEST_CASE(a_new_process_looks_for_the_metadata_topic_anew) {
  for (const std::string_view policy : {"kafka-3.9", "kafka-4.0", "kafka-4.3"}) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{two_brokers(), deaf_start("200s") + "300s,10s,crash,broker:2,\n", {}, policy};
      world.run_until(30min);
      BOOST_TEST(world.all<sim::InitializationFailed>().size() == 1u);
      BOOST_TEST(world.world.is_up(BrokerId{2}));
      BOOST_TEST(world.world.metadata_is_ready(BrokerId{2}, PartitionNumber{1}));
      BOOST_TEST(world.world.copy_lag(PartitionNumber{1}) == Bytes{0});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_restarted_broker_whose_link_heals_within_a_minute_goes_on_at_once) {
  const std::string_view plan = "1s,10s,crash,broker:2,\n1s,60s,partition,broker:1>broker:2,\n";
  TestWorld world{two_brokers(), plan};
  world.run_until(60s);
  BOOST_TEST(!world.world.metadata_is_ready(BrokerId{2}, PartitionNumber{1}));
  world.run_until(62s);
  BOOST_TEST(world.world.metadata_is_ready(BrokerId{2}, PartitionNumber{1}));
}

// ---- Alone ----

/// Brokers 1 and 2, both up, and one metadata partition, which broker 1 leads. Broker 1 replicates user partition 0.
struct Bench final : sim::MetadataConsumersHost {
  explicit Bench(sim::MetadataReader reader) {
    logs[0].leader = BrokerId{1};
    consumers = std::make_unique<sim::MetadataConsumers>(
        kernel, trace, *this, logs,
        sim::MetadataConsumers::Settings{options,
                                         sim::Seed{1},
                                         model::TieOrder::event_order,
                                         {model::MetadataPartition{0}, model::MetadataPartition{0}},
                                         {{BrokerId{1}}, {}},
                                         {reader, reader}});
  }

  bool comes_through(model::MetadataPartition, BrokerId) const override { return true; }
  void cache_changed(BrokerId, PartitionNumber partition) override { changed.push_back(partition.value()); }
  void initialization_failed(BrokerId) override {}

  void store(std::uint32_t partition, model::RemoteLogSegmentState state, std::size_t segment, bool applied = true) {
    logs[0].records.push_back({{&segments.at(partition).at(segment), kernel.now(), state, BrokerId{1}, 0},
                               kernel.now(),
                               PartitionNumber{partition},
                               applied});
    consumers->stored(model::MetadataPartition{0});
  }
  bool has_read(std::size_t offset) { return consumers->has_read(BrokerId{1}, model::MetadataPartition{0}, offset); }

  sim::Kernel kernel;
  sim::Trace trace;
  sim::MetadataOptions options{.consumer_latency = Duration{0}, .consumer_rate = 10};
  std::vector<sim::MetadataLog> logs{1};
  std::vector<std::uint32_t> changed;
  std::vector<std::vector<model::RemoteLogSegment>> segments = some_segments();
  std::unique_ptr<sim::MetadataConsumers> consumers;

 private:
  static std::vector<std::vector<model::RemoteLogSegment>> some_segments() {
    std::vector<std::vector<model::RemoteLogSegment>> all(2);
    std::uint32_t number = 0;
    for (std::uint32_t p = 0; p < 2; ++p) {
      for (std::int64_t i = 0; i < 20; ++i) {
        model::RemoteLogSegment segment;
        segment.partition = PartitionNumber{p};
        segment.number = number++;
        segment.start_offset = Offset{10 * i};
        segment.end_offset = Offset{10 * i + 9};
        segment.segment_leader_epochs = {{LeaderEpoch{0}, Offset{10 * i}}};
        all[p].push_back(segment);
      }
    }
    return all;
  }
};

using enum model::RemoteLogSegmentState;

BOOST_AUTO_TEST_CASE(a_new_user_partition_makes_its_metadata_partition_be_read_again) {
  // F20: publishes of other partitions wait for the replay; what was processed is not processed again.
  Bench bench{{}};
  for (std::size_t i = 0; i < 20; ++i) bench.store(0, copy_segment_started, i);
  bench.kernel.run_until(SimTime{10s});
  BOOST_TEST(bench.has_read(19));
  const auto version = bench.consumers->cache(BrokerId{1}, PartitionNumber{0})->version();

  bench.consumers->assign(BrokerId{1}, PartitionNumber{1});
  BOOST_TEST(!bench.has_read(19));
  BOOST_TEST(!bench.consumers->is_ready(BrokerId{1}, PartitionNumber{1}));
  BOOST_TEST(bench.consumers->is_ready(BrokerId{1}, PartitionNumber{0}));
  bench.kernel.run_until(SimTime{11'900ms});
  BOOST_TEST(!bench.has_read(19));  // 20 records at 10 a second.
  bench.kernel.run_until(SimTime{12s});
  BOOST_TEST(bench.has_read(19));
  BOOST_TEST(bench.consumers->is_ready(BrokerId{1}, PartitionNumber{1}));
  BOOST_TEST(bench.consumers->cache(BrokerId{1}, PartitionNumber{0})->version() == version);
}

BOOST_AUTO_TEST_CASE(a_partition_hears_of_its_readiness_through_another_ones_record) {
  Bench bench{{}};
  for (std::size_t i = 0; i < 20; ++i) bench.store(0, copy_segment_started, i);
  bench.kernel.run_until(SimTime{10s});
  bench.changed.clear();
  bench.consumers->assign(BrokerId{1}, PartitionNumber{1});
  bench.kernel.run_until(SimTime{11'900ms});
  BOOST_TEST(std::count(bench.changed.begin(), bench.changed.end(), 1u) == 0);
  bench.kernel.run_until(SimTime{12s});
  BOOST_TEST(std::count(bench.changed.begin(), bench.changed.end(), 1u) == 1);
}

BOOST_AUTO_TEST_CASE(before_3_7_1_a_publisher_hears_of_success_while_the_topic_is_read_again) {
  // KAFKA-16105: the read offset stays, so that nobody waits for the replay.
  Bench bench{{.forgets_read_offset = false}};
  for (std::size_t i = 0; i < 20; ++i) bench.store(0, copy_segment_started, i);
  bench.kernel.run_until(SimTime{10s});
  bench.consumers->assign(BrokerId{1}, PartitionNumber{1});
  BOOST_TEST(bench.has_read(19));
  BOOST_TEST(!bench.consumers->is_ready(BrokerId{1}, PartitionNumber{1}));
}

BOOST_AUTO_TEST_CASE(an_illegal_transition_ends_the_consumer_of_3_6_and_is_dropped_later) {
  // Facts 2.3, 3.5 (KAFKA-15632).
  for (const bool ends : {false, true}) {
    Bench bench{{.illegal_event_ends_thread = ends}};
    bench.store(0, copy_segment_started, 0);
    bench.store(0, delete_segment_finished, 0, false);
    bench.store(0, copy_segment_finished, 0);
    bench.kernel.run_until(SimTime{1min});
    BOOST_TEST(bench.consumers->has_ended(BrokerId{1}) == ends);
    const auto state = bench.consumers->cache(BrokerId{1}, PartitionNumber{0})->find(bench.segments[0][0])->state;
    BOOST_TEST((state == (ends ? copy_segment_started : copy_segment_finished)));
    BOOST_TEST(bench.has_read(2) == !ends);
  }
}

BOOST_AUTO_TEST_CASE(an_update_of_an_unknown_id_is_dropped_in_every_version) {
  // Facts 2.3; a topic whose retention removed the first records looks like this to a new reader (F22).
  Bench bench{{.illegal_event_ends_thread = true}};
  bench.store(0, copy_segment_finished, 0, false);
  bench.store(0, copy_segment_started, 1);
  bench.kernel.run_until(SimTime{1min});
  BOOST_TEST(!bench.consumers->has_ended(BrokerId{1}));
  const auto& cache = *bench.consumers->cache(BrokerId{1}, PartitionNumber{0});
  BOOST_TEST(!cache.find(bench.segments[0][0]).has_value());
  BOOST_TEST(!cache.highest_offset_for_epoch(LeaderEpoch{0}).has_value());
  BOOST_TEST(cache.find(bench.segments[0][1]).has_value());
}

BOOST_AUTO_TEST_CASE(whoever_hosts_nothing_of_a_metadata_partition_does_not_meet_its_records) {
  Bench bench{{.illegal_event_ends_thread = true}};
  bench.store(0, copy_segment_started, 0);
  bench.store(0, delete_segment_finished, 0, false);
  bench.kernel.run_until(SimTime{1min});
  BOOST_TEST(bench.consumers->has_ended(BrokerId{1}));
  BOOST_TEST(!bench.consumers->has_ended(BrokerId{2}));
}

BOOST_AUTO_TEST_SUITE_END()
