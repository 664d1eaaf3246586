// A program of its own, because it replaces the global operator new to count.

#define BOOST_TEST_MODULE steady_state
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <boost/test/unit_test.hpp>

#include "sim/faults/faults.h"
#include "tests/support/counting_allocations.h"
#include "tests/support/world_support.h"

namespace {

constexpr std::string_view steady = R"(
[scenario]
duration = 24h
[cluster]
brokers = 3
[topic.t]
partitions = 12
segment.bytes = 16MiB
retention.ms = 2h
local.retention.ms = 10m
produce = 128KiB/s
)";

}  // namespace

// A world without faults copies a segment a partition every 128 s, deletes it locally ten minutes later and for good
// after two hours. What is left to allocate belongs to a new copy and not to an event: its epochs (one vector), its
// record in a deque's block, places in the metadata log and in the caches' indexes when these grow. 2.2 a copy and one
// in 21 events when this was written.
BOOST_AUTO_TEST_CASE(a_steady_world_allocates_for_new_copies_only) {
  using namespace tests;
  for (const std::string_view policy : policy_names()) {
    const Scenario scenario = read_world(steady);
    sim::World world{scenario, policy_choice(policy, scenario), 1};
    world.begin();
    world.run_until(model::time_start + 6h);
    const std::uint64_t allocations_before = allocation_count;
    const std::uint64_t events_before = world.kernel().event_count();
    const std::uint32_t copies_before = world.segment_count();
    world.run_until(model::time_start + 12h);
    const auto allocations = allocation_count - allocations_before;
    const auto events = world.kernel().event_count() - events_before;
    const auto copies = world.segment_count() - copies_before;
    BOOST_TEST_MESSAGE(policy << ": " << allocations << " allocations, " << events << " events, " << copies
                              << " copies");
    BOOST_TEST(copies >= 12u * 6 * 28);
    if (!frames_are_pooled) continue;
    BOOST_TEST(allocations <= 3 * copies);
    BOOST_TEST(15 * allocations <= events);
  }
}
