#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"
#include "tests/support/world_support.h"

// Case C37 (thanos-io/thanos PR 3626): a put is answered with an error and its object appears later. In the world of
// one_broker the first copy's log object is sent at 50 ms.

BOOST_AUTO_TEST_SUITE(late_write_fault)

using namespace tests;

BOOST_AUTO_TEST_CASE(a_refused_put_lands_after_its_delay_and_after_the_copys_deletion) {
  TestWorld world{one_broker, "0s,10s,late-write,store,delay=5s\n"};
  world.run_until(5'049'999us);
  BOOST_TEST(world.requests().starts_with("put log 50-50 rejected, delete log 100-100 ok"));
  BOOST_TEST(world.transitions(0) == "0 CS, 50 DS, 100 DF");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  world.run_until(5'050ms);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  BOOST_TEST(world.hits() == 1u);
  world.run_until(2h);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
}

BOOST_AUTO_TEST_CASE(an_unanswered_put_lands_while_its_client_still_waits_or_after_it_gave_up) {
  TestWorld waiting{one_broker, "0s,10s,late-write,store,delay=5s;answer=lost\n"};
  waiting.run_until(60s);
  BOOST_TEST(waiting.stored(0) == "1048576 0 0 0");
  waiting.run_until(61s);
  BOOST_TEST(waiting.requests().starts_with("put log 50-60050 timed-out, delete log 60100-60100 ok"));
  BOOST_TEST(waiting.stored(0) == "0 0 0 0");

  TestWorld gone{one_broker, "0s,10s,late-write,store,delay=2m;answer=lost\n"};
  gone.run_until(120'049ms);
  BOOST_TEST(gone.transitions(0) == "0 CS, 60050 DS, 60100 DF");
  BOOST_TEST(gone.stored(0) == "0 0 0 0");
  gone.run_until(120'050ms);
  BOOST_TEST(gone.stored(0) == "1048576 0 0 0");
}

BOOST_AUTO_TEST_CASE(a_late_write_of_what_another_try_stored_changes_nothing) {
  TestWorld world{one_broker, "0s,60ms,late-write,store,delay=5s\n", {"client.attempts=2"}};
  world.run_until(10s);
  BOOST_TEST(world.requests().starts_with("put log 50-50 rejected, put log 150-1150 ok"));
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
  BOOST_TEST(world.folded(0) == "CF");
}

BOOST_AUTO_TEST_CASE(a_late_write_lands_though_its_broker_has_died) {
  TestWorld world{one_broker, "0s,1s,late-write,store,delay=5s\n70ms,1m,crash,broker:1,\n"};
  world.run_until(5'050ms);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  BOOST_TEST(world.folded(0) == "DS");
}

BOOST_AUTO_TEST_CASE(a_late_write_spares_other_partitions_and_other_brokers) {
  TestWorld partition{two_brokers(), "0s,10s,late-write,partition:t-1,delay=5s\n"};
  partition.run_until(6s);
  BOOST_TEST(partition.folded(0) == "CF");
  BOOST_TEST(partition.stored(1) == "1048576 0 0 0");
  TestWorld broker{two_brokers(), "0s,10s,late-write,broker:1,delay=5s\n"};
  broker.run_until(6s);
  BOOST_TEST(broker.stored(0) == "1048576 0 0 0");
  BOOST_TEST(broker.folded(1) == "CF");
}

// Under every policy: the delete before the late effect succeeds, so no state remembers the bytes. Nothing but
// retention reaches what 3.6 leaves, as its entry stays.
BOOST_AUTO_TEST_CASE(what_lands_late_is_an_orphan_of_the_fault_that_nothing_removes) {
  for (const char* policy : {"kafka-4.0", "kip-dangling"}) {
    CaseWorld world;
    world.topic = "initial.closed = 1\nretention.ms = -1\n";
    world.faults = "0s,10s,late-write,store,delay=5s\n";
    const CaseRun run = run_case(world, policy);
    BOOST_TEST(run.result.summary.orphan_bytes_end == Bytes{100 << 20}, policy);
    BOOST_TEST(run.result.summary.garbage_bytes_never == Bytes{100 << 20}, policy);
    BOOST_REQUIRE(run.result.leftovers.size() == 1u);
    const sim::Leftover& left = run.result.leftovers[0];
    BOOST_TEST(left.fault.value() == 0u);
    BOOST_TEST(left.became_garbage == SimTime{5'050ms});
    BOOST_TEST(!left.reclaimed);
    BOOST_TEST((left.due_by == sim::Remover::none));
  }
}

BOOST_AUTO_TEST_SUITE_END()
