// Idle ticks may be left out: nothing that can be seen may differ.

#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(elision)

using namespace tests;

constexpr std::array catalogue{"tiny",
                               "quiet",
                               "partial-uploads",
                               "ack-lost-storm",
                               "delete-failures",
                               "partition-store",
                               "one-way-partition",
                               "leader-crash-mid-copy",
                               "leader-crash-deadline"};

/// Pools of one thread: nearly always full.
const std::vector<std::string> one_thread = {"broker.remote.log.manager.thread.pool.size=1",
                                             "broker.remote.log.manager.copier.thread.pool.size=1",
                                             "broker.remote.log.manager.expiration.thread.pool.size=1"};

void check_both_ways(const Scenario& scenario, std::string_view policy, const std::string& what) {
  Scenario plain = scenario;
  plain.scenario.elide = false;
  const bool equal = fingerprint(scenario, policy) == fingerprint(plain, policy);
  BOOST_TEST(equal, what << ", " << policy << ":\n" << (equal ? "" : first_difference(scenario, plain, policy)));
}

BOOST_AUTO_TEST_CASE(every_scenario_is_the_same_without_elision) {
  for (const char* name : catalogue) {
    const Scenario scenario = read_catalogue(name);
    for (const std::string_view policy : policy_names()) check_both_ways(scenario, policy, name);
  }
}

BOOST_AUTO_TEST_CASE(every_scenario_is_the_same_without_elision_when_pools_are_full) {
  for (const char* name : catalogue) {
    const Scenario scenario = read_catalogue(name, one_thread);
    for (const std::string_view policy : policy_names()) check_both_ways(scenario, policy, name);
  }
}

/// Twelve partitions a broker on pools of one thread, slow uploads and deletes: every run waits for a thread.
Scenario crowded(std::string_view plan) {
  std::vector<std::string> sets = one_thread;
  sets.insert(sets.end(), {"cluster.brokers=3", "topic.t.partitions=36", "topic.t.produce=16KiB/s",
                           "topic.t.initial.closed=1", "topic.t.retention.ms=600000", "store.bandwidth=512KiB/s",
                           "store.delete.latency=2s", "network.latency=500us"});
  std::string ini{one_broker};
  for (std::string_view line : {"phase.copy = 0s\n", "phase.expiration = 15s\n"})
    ini.erase(ini.find(line), line.size());
  return read_world(ini, plan, sets);
}

BOOST_AUTO_TEST_CASE(pools_are_full_in_the_crowded_world) {
  TestWorld world{crowded(""), "kafka-4.0"};
  world.run_until(1h);
  // A run of one partition begins late, far from its grid of thirty seconds after the last: somebody else ran.
  int on_other_grid = 0;
  std::map<std::pair<PartitionNumber, model::TaskKind>, SimTime> ended;
  for (const TraceRecord& record : world.recorder.records) {
    if (const auto* end = std::get_if<sim::RunEnded>(&record.event)) ended[{end->partition, end->task}] = record.time;
    const auto* start = std::get_if<sim::RunStarted>(&record.event);
    if (start == nullptr || !ended.contains({start->partition, start->task})) continue;
    on_other_grid += (record.time - ended[{start->partition, start->task}]) % 30s != 0s ? 1 : 0;
  }
  BOOST_TEST(on_other_grid > 100);
}

BOOST_AUTO_TEST_CASE(a_crowded_world_is_the_same_without_elision) {
  for (const std::string_view policy : policy_names()) check_both_ways(crowded(""), policy, "crowded");
}

BOOST_AUTO_TEST_CASE(a_crash_while_pools_are_full_is_the_same_without_elision) {
  const std::vector<std::string> plans = {"10m,30s,crash,broker:1,\n",
                                          "10m,5m,crash,broker:2,\n40m,3s,crash,broker:1,\n", "700s,5m,crash,*,\n",
                                          "10m,20m,partition,broker:1<>broker:2,\n15m,5m,crash,broker:3,\n"};
  for (const std::string& plan : plans) {
    const Scenario scenario = crowded(plan);
    for (const std::string_view policy : policy_names()) check_both_ways(scenario, policy, plan);
  }
}

BOOST_AUTO_TEST_CASE(failures_while_pools_are_full_are_the_same_without_elision) {
  const std::string plan =
      "10m,20m,copy-fail,store,probability=0.5;stored=indexes\n12m,15m,delete-fail,store,probability=0.5\n"
      "40m,10m,store-unavailable,store,mode=hang\n45m,1m,crash,broker:1,\n";
  const Scenario scenario = crowded(plan);
  for (const std::string_view policy : policy_names()) check_both_ways(scenario, policy, "failures");
}

BOOST_AUTO_TEST_CASE(drawn_latencies_are_the_same_without_elision) {
  Scenario scenario = crowded("10m,5m,crash,broker:2,\n20m,3m,partition,broker:1>broker:2,\n");
  scenario.metadata.consumer_latency.kind = sim::DurationDistribution::Kind::exponential;
  scenario.metadata.consumer_latency.first = 200ms;
  for (const std::string_view policy : policy_names()) check_both_ways(scenario, policy, "drawn latencies");
}

/// Three brokers with six partitions that are written to and expire, and every kind of fault of the cluster.
constexpr std::array cluster_plans{
    "5m,40s,pause,broker:1,\n10m,2m,partition,broker:2<>broker:1+broker:3,\n15m,1m,restart,broker:3,\n"
    "20m,,leader-move,topic:t,\n21m,,unclean-election,partition:t-1,missing=512KiB\n25m,,leader-balance,*,\n"
    "30m,5s,pause,broker:2,\n31m,1m,pause,broker:2,\n31m30s,1m,crash,broker:2,\n",
    "5m,10m,metadata-unavailable,metadata,\n20m,10m,metadata-consumer-lag,broker:2,delay=1m\n"
    "35m,5m,metadata-publish-lost,metadata,probability=0.5\n45m,5m,metadata-ack-lost,*,probability=0.5\n"
    "55m,5m,metadata-late,metadata,probability=0.5;delay=3m\n70m,10m,consumer-slow-start,broker:3,delay=1m\n"
    "71m,1m,crash,broker:3,\n",
    "5m,10m,clock-skew,broker:1,by=1h\n20m,,clock-jump,broker:2,by=30m;direction=behind\n"
    "25m,10m,copy-quota,*,rate=16KiB/s\n40m,,config-change,topic:t,retention.ms=5m;segment.bytes=512KiB\n"
    "45m,,config-change,topic:t,remote.log.copy.disable=yes\n50m,,config-change,topic:t,remote.log.copy.disable=no\n"
    "55m,,delete-records,topic:t,\n60m,,metadata-record-loss,metadata,newest=5m\n"
    "65m,20m,metadata-retention,metadata,retention=10m\n"};

BOOST_AUTO_TEST_CASE(faults_of_the_cluster_are_the_same_without_elision) {
  for (const char* plan : cluster_plans) {
    const Scenario scenario =
        read_world(two_brokers(), plan,
                   {"cluster.brokers=3", "topic.t.partitions=6", "topic.t.produce=32KiB/s",
                    "topic.t.retention.ms=600000", "network.latency=500us", "metadata.consumer.latency=5ms"});
    for (const std::string_view policy : policy_names()) check_both_ways(scenario, policy, plan);
  }
}

BOOST_AUTO_TEST_CASE(a_pause_while_pools_are_full_is_the_same_without_elision) {
  const Scenario scenario = crowded(cluster_plans[0]);
  for (const char* policy : {"kafka-3.6", "kafka-4.0", "kip-dangling"}) check_both_ways(scenario, policy, "pause");
}

/// Every meter and gauge of every broker, each half minute.
std::vector<std::int64_t> metrics_of(Scenario scenario, std::string_view policy, bool elide) {
  scenario.scenario.elide = elide;
  TestWorld world{std::move(scenario), policy};
  std::vector<std::int64_t> values;
  for (int half_minute = 1; half_minute <= 180; ++half_minute) {
    world.run_until(half_minute * 30s + 7s);
    for (const std::int32_t broker : {1, 2, 3}) {
      const model::BrokerTopicMetrics* shown = world.world.metrics(BrokerId{broker});
      for (const model::MetricInfo& info : model::metrics()) {
        values.push_back(shown == nullptr ? -1 : shown->all_topics(info.metric));
      }
    }
  }
  return values;
}

// Gauges are in no trace, and a tick that is left out must not be one that sets any (facts 9).
BOOST_AUTO_TEST_CASE(metrics_are_the_same_without_elision) {
  const Scenario scenario = crowded(
      "10m,20m,copy-fail,store,probability=0.5;stored=indexes\n12m,15m,delete-fail,store,probability=0.5\n"
      "45m,1m,crash,broker:1,\n");
  for (const std::string_view policy : policy_names()) {
    BOOST_TEST_CONTEXT(policy) {
      const std::vector<std::int64_t> elided = metrics_of(scenario, policy, true);
      BOOST_TEST((elided == metrics_of(scenario, policy, false)));
      BOOST_TEST(std::count_if(elided.begin(), elided.end(), [](std::int64_t value) { return value > 0; }) > 1000);
    }
  }
}

BOOST_AUTO_TEST_CASE(two_tasks_at_one_instant_are_the_same_without_elision) {
  for (const char* first : {"copy", "expiration"}) {
    const Scenario scenario = read_world(one_broker, "",
                                         {"broker.phase.expiration=0s", "topic.t.produce=128KiB/s",
                                          "topic.t.retention.ms=300000", "broker.first=" + std::string{first}});
    for (const std::string_view policy : policy_names()) check_both_ways(scenario, policy, first);
  }
}

BOOST_AUTO_TEST_SUITE_END()
