// Case C20: an upload that its leader does not bring to an end, under kip-dangling-recovery with and without what it
// needs to know (readings 3.4 and 5).
#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

namespace {

using namespace tests;

constexpr std::string_view recovery = "kip-dangling-recovery";

/// Broker 2 leads from 9 s on and uploads at 4 KiB a second from 9.05 s; at 300 s the lead goes back to broker 1, which
/// copies the same again. Broker 2 lives on.
Scenario handover(std::string_view interrupt, std::string_view deadline) {
  std::vector<std::string> sets = {"cluster.brokers=2", "store.bandwidth=4KiB/s", "client.timeout=0s",
                                   "topic.t.initial.closed=1", "metadata.remote.log.metadata.topic.num.partitions=1"};
  sets.push_back("client.interrupt=" + std::string{interrupt});
  sets.push_back("client.deadline=" + std::string{deadline});
  return read_world(one_broker, "0s,60s,crash,broker:1,\n", sets);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c20)

// Readings 3.4: without a deadline it leaves alone what a live broker began, though it is the leader's to copy.
BOOST_AUTO_TEST_CASE(without_a_deadline_a_live_brokers_copy_is_left) {
  TestWorld world{handover("throw", "0s"), recovery};
  world.run_until(2h);
  BOOST_TEST(world.leaders() == "0 1/0, 0 0/0, 9000 2/1, 300000 1/2");
  BOOST_TEST(world.transitions(0) == "9000 CS");
  BOOST_TEST(world.stored(0) == "1048576 143155 0 0");
  BOOST_TEST(world.folded(1) == "CF");
}

// Two publishes of four minutes, a copy of 400 s and the margin of a minute after 9 s: 949 s. The next run is the first
// thing that broker 1 does about it, and nothing is left.
BOOST_AUTO_TEST_CASE(with_a_deadline_it_is_taken_over_when_nothing_of_it_can_follow) {
  TestWorld world{handover("throw", "400s"), recovery};
  world.run_until(948s);
  BOOST_TEST(world.transitions(0) == "9000 CS");
  world.run_until(2h);
  BOOST_TEST(world.folded(0) == "");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  const auto changes = world.all<sim::Transition>();
  const auto first = std::find_if(changes.begin(), changes.end(), [](const auto& change) {
    return change.event.to == model::RemoteLogSegmentState::dangling;
  });
  BOOST_REQUIRE(first != changes.end());
  BOOST_TEST(first->time >= SimTime{949s});
  BOOST_TEST(first->time < SimTime{949s + 31s});
  BOOST_TEST(world.folded(1) == "CF");
}

// A zombie whose upload goes on after it has lost the lead, and whose COPY_SEGMENT_FINISHED counts: within its
// deadline, so that recovery never touches it; and where there is none.
BOOST_AUTO_TEST_CASE(what_a_zombie_finishes_stays) {
  for (const std::string_view deadline : {"0s", "400s"}) {
    BOOST_TEST_CONTEXT(deadline) {
      TestWorld world{handover("ignore", deadline), recovery};
      world.run_until(2h);
      BOOST_TEST(world.transitions(0).starts_with("9000 CS, 361"));
      BOOST_TEST(world.folded(0) == "CF");
      BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
      BOOST_TEST(world.calls().find("delete") == std::string::npos);
    }
  }
}

// The deadline is enforced: a zombie that would take longer is cut, finishes nothing, and what it stored is removed.
BOOST_AUTO_TEST_CASE(a_zombie_is_cut_at_the_deadline) {
  TestWorld world{handover("ignore", "320s"), recovery};
  world.run_until(949s - 80s - 1s);
  BOOST_TEST(world.calls().starts_with("put 9050-329050 timed-out"));
  BOOST_TEST(world.transitions(0) == "9000 CS");
  BOOST_TEST(world.stored(0) != "0 0 0 0");
  world.run_until(2h);
  BOOST_TEST(world.folded(0) == "");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
}

// Readings 3.4 (a): the broker that wrote the entry leads again, in a new process. At the end of its first run, which
// is the copy that takes its place, and again a minute later.
BOOST_AUTO_TEST_CASE(a_broker_that_comes_back_takes_over_its_own) {
  const Scenario scenario = read_world(one_broker, "100s,5s,crash,broker:1,\n",
                                       {"store.bandwidth=4KiB/s", "client.timeout=0s", "topic.t.initial.closed=1"});
  TestWorld world{scenario, recovery};
  world.run_until(2h);
  BOOST_TEST(world.transitions(0) == "0 CS, 457100 DANGLING, 457150 DS, 457200 DANGLING, 517250 DS, 517300 DF");
  BOOST_TEST(world.folded(0) == "");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.folded(1) == "CF");

  TestWorld kip{scenario, "kip-dangling"};
  kip.run_until(2h);
  BOOST_TEST(kip.transitions(0) == "0 CS");
}

BOOST_AUTO_TEST_SUITE_END()
