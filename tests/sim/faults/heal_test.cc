// When a fault has healed the world is whole (fault.h): everything is copied again, nobody waits, caches agree, and
// what is never allowed was not. Lost records and clocks apart, of which other files say what they cost.
#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(heal)

using namespace tests;

constexpr std::array rows{
    "10m,5m,partition,broker:2<>broker:1+broker:3,\n",
    "10m,5m,partition,metadata>broker:2,\n",
    "10m,5m,link-delay,broker:2<>*,delay=3s\n",
    "10m,5m,link-loss,*<>*,probability=0.3\n",
    "10m,5m,link-duplicate,*>store,delay=1ms\n",
    "10m,5m,metadata-unavailable,metadata,\n",
    "10m,5m,metadata-publish-lost,metadata,probability=0.5\n",
    "10m,5m,metadata-ack-lost,metadata,probability=0.5\n",
    "10m,5m,metadata-late,broker:2,delay=150s;probability=0.5\n",
    "10m,5m,metadata-consumer-lag,*,delay=10m\n",
    "10m,5m,consumer-slow-start,broker:2,delay=2m\n11m,1m,crash,broker:2,\n",
    "10m,5m,crash,broker:2,\n",
    "10m,5m,restart,*,\n",
    "10m,5m,pause,broker:2,\n",
    "10m,5m,clock-skew,*,by=3m;direction=behind\n",
    "10m,5m,copy-quota,*,rate=1KiB/s\n",
    "10m,,leader-move,topic:t,\n11m,,leader-balance,*,\n",
    "10m,,unclean-election,topic:t,missing=300KiB\n",
    "10m,,config-change,topic:t,segment.bytes=512KiB;local.retention.ms=60000\n",
    "10m,,delete-records,topic:t,\n",
    "10m,,topic-delete,topic:t,\n15m,,topic-create,topic:t,\n",
};
constexpr std::array always_hold{
    "copy-lag-zero",           "no-task-blocked",     "caches-converge",      "bytes-conserved",    "legal-transitions",
    "terminal-stays-terminal", "metric-equals-cache", "nothing-live-deleted", "no-early-retention", "readable-offsets"};

BOOST_AUTO_TEST_CASE(what_has_healed_leaves_a_world_that_works) {
  for (const char* row : rows) {
    const Scenario scenario = read_world(two_brokers(), row,
                                         {"cluster.brokers=3", "topic.t.partitions=3", "topic.t.produce=16KiB/s",
                                          "topic.t.retention.ms=40m", "scenario.settle=20m"});
    for (const std::string_view policy : policy_names()) {
      const sim::RunResult result = sim::run_world(scenario, policy_choice(policy, scenario), 1, nullptr);
      for (const sim::Violation& violation : result.violations) {
        const bool is_broken =
            std::find(always_hold.begin(), always_hold.end(), violation.invariant) != always_hold.end();
        BOOST_TEST(!is_broken, policy << ", " << row << violation.invariant << ": " << violation.detail);
      }
      std::uint64_t hits = 0;
      for (const sim::FaultWindow& window : result.faults) hits += window.hits;
      BOOST_TEST(hits > 0u, row);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
