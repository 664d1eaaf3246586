#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"
#include "tests/support/world_support.h"

// Case C23 (Aiven-Open/tiered-storage-for-apache-kafka 820): an upload call neither returns nor throws. In the world of
// one_broker the first copy's log object flows from 50 ms to 1050 ms.

BOOST_AUTO_TEST_SUITE(copy_hang_fault)

using namespace tests;

constexpr const char* half_a_log = "0s,10s,copy-hang,store,stored=512KiB\n";

BOOST_AUTO_TEST_CASE(a_hung_copy_outlasts_every_time_out_of_a_try_and_keeps_its_bytes) {
  TestWorld world{one_broker, half_a_log, {"client.timeout=60s", "client.attempts=3"}};
  world.run_until(2h);
  BOOST_TEST(world.stored(0) == "524288 0 0 0");
  BOOST_TEST(world.requests() == "");
  BOOST_TEST(world.calls() == "");
  BOOST_TEST(world.transitions(0) == "0 CS");
  BOOST_TEST(world.world.runs_waiting_since(SimTime{1s}).size() == 1u);
  BOOST_TEST(world.hits() == 1u);
}

BOOST_AUTO_TEST_CASE(the_deadline_of_a_copy_ends_its_hang_and_the_next_copy_works) {
  TestWorld world{one_broker, half_a_log, {"client.deadline=20s"}};
  world.run_until(20'099ms);
  BOOST_TEST(world.stored(0) == "524288 0 0 0");
  BOOST_TEST(world.calls() == "put 50-20050 timed-out");
  world.run_until(2h);
  BOOST_TEST(world.transitions(0) == "0 CS, 20050 DS, 20100 DF");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.folded(1) == "CF");
}

BOOST_AUTO_TEST_CASE(a_hang_that_ends_by_itself_sends_the_object_again) {
  TestWorld world{one_broker, "0s,10s,copy-hang,store,stored=1280KiB;until=30s\n"};
  world.run_until(31'300ms);
  BOOST_TEST(world.stored(0) == "1048576 262144 0 0");
  // The first two objects, whole, stand until 31.3 s; then the third is sent, and again because it stood with nothing.
  world.run_until(40s);
  BOOST_TEST(world.requests().starts_with(
      "put log 50-1050 ok, put indexes 1050-1300 ok, put producer-snapshot 1300-31300 failed, "
      "put producer-snapshot 31300-31362.500 ok, put leader-epoch-checkpoint 31362.500-31425 ok"));
  BOOST_TEST(world.transitions(0) == "0 CS, 31425 CF");
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
}

BOOST_AUTO_TEST_CASE(a_copy_may_hang_with_all_its_bytes_stored) {
  TestWorld world{one_broker, "0s,10s,copy-hang,store,stored=all;until=10s\n"};
  world.run_until(11'424ms);
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
  BOOST_TEST(world.calls() == "");
  world.run_until(11'500ms);
  BOOST_TEST(world.calls() == "put 50-11425 ok");
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_a_hang_unless_the_plug_in_ignores_it) {
  // Broker 2 leads from 9 s on; at 300 s the lead goes back to broker 1.
  const std::string plan = "0s,60s,crash,broker:1,\n9s,10s,copy-hang,store,stored=512KiB\n";
  for (const auto& [interrupt, calls] : {std::pair{"throw", "put 9050-300000 interrupted"}, std::pair{"ignore", ""}}) {
    TestWorld world{one_broker,
                    plan,
                    {"cluster.brokers=2", "topic.t.initial.closed=1", "client.interrupt=" + std::string{interrupt},
                     "metadata.remote.log.metadata.topic.num.partitions=1"}};
    world.run_until(300s);
    BOOST_TEST(world.calls() == calls, interrupt);
    BOOST_TEST(world.stored(0) == "524288 0 0 0", interrupt);
    BOOST_TEST(world.transitions(0) == "9000 CS", interrupt);
  }
}

/// 60 MiB of a log of 100 MiB, by a plug-in that uploads in parts; nobody ends the call.
CaseWorld hung_upload() {
  CaseWorld world;
  world.topic = "initial.closed = 1\nretention.ms = -1\n";
  world.client += "multipart = yes\n";
  world.faults = "0s,10s,copy-hang,store,stored=60MiB\n";
  return world;
}

// Readings 3.1: a hung upload is in flight for ever, and garbage never counts it.
BOOST_AUTO_TEST_CASE(the_parts_of_a_hung_upload_are_in_flight_until_its_broker_dies) {
  const CaseRun hung = run_case(hung_upload(), "kafka-4.0");
  BOOST_TEST(hung.garbage_end() == Bytes{0});
  const auto& totals = hung.curve.back().rows[0].totals;
  BOOST_TEST(totals.of(sim::ByteClass::in_flight) == Bytes{60 << 20});
  const auto& violations = hung.result.violations;
  const auto is_blocked = [](const sim::Violation& violation) { return violation.invariant == "no-task-blocked"; };
  BOOST_TEST(std::count_if(violations.begin(), violations.end(), is_blocked) == 1);

  CaseWorld world = hung_upload();
  world.faults += "100s,10s,crash,broker:1,\n";
  const CaseRun died = run_case(world, "kafka-4.0");
  BOOST_TEST(died.garbage_at(SimTime{99s}) == Bytes{0});
  BOOST_TEST(died.garbage_end() == Bytes{60 << 20});
  BOOST_TEST(died.curve.back().rows[0].totals.of(sim::ByteClass::upload_parts) == Bytes{60 << 20});
  BOOST_REQUIRE(died.result.leftovers.size() >= 1u);
  BOOST_TEST(died.result.leftovers[0].fault.value() == 1u);
}

BOOST_AUTO_TEST_CASE(the_deadline_of_a_hung_copy_aborts_its_parts) {
  CaseWorld world = hung_upload();
  world.client += "deadline = 60s\n";
  const CaseRun run = run_case(world, "kafka-4.0");
  BOOST_TEST(run.result.summary.peak_garbage_bytes == Bytes{0});
  BOOST_TEST(run.states == "CS DS DF | CS CF");
}

BOOST_AUTO_TEST_SUITE_END()
