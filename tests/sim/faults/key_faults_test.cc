#include <boost/test/unit_test.hpp>

#include "tests/support/case_support.h"
#include "tests/support/world_support.h"

// Per-key denial (cases C21, C30), deletes without effect, and batches in which each key has a result of its own (C41).
// In the world of one_broker a failed copy's objects are all stored at 1425 ms and its deletes are sent at 1475 ms.

BOOST_AUTO_TEST_SUITE(key_faults)

using namespace tests;

const std::string whole_failure = "0s,10s,copy-fail,store,stored=all\n";

BOOST_AUTO_TEST_CASE(a_denied_key_ends_a_plain_delete_and_is_not_tried_twice) {
  TestWorld world{one_broker, whole_failure + "0s,1h,key-denied,store,object=indexes\n", {"client.attempts=3"}};
  world.run_until(10s);
  BOOST_TEST(world.stored(0) == "0 262144 65536 65536");
  BOOST_TEST(world.requests().ends_with("delete log 1475-1475 ok, delete indexes 1475-1475 rejected"));
  BOOST_TEST(world.folded(0) == "DS");
  BOOST_TEST(world.hits(1) == 1u);
}

BOOST_AUTO_TEST_CASE(a_denied_key_of_a_batch_leaves_that_key_alone) {
  TestWorld world{one_broker,
                  whole_failure + "0s,1h,key-denied,store,object=indexes\n",
                  {"client.attempts=3", "client.delete.batch=yes"}};
  world.run_until(10s);
  BOOST_TEST(world.stored(0) == "0 262144 0 0");
  BOOST_TEST(world.requests().ends_with("delete log 1475-1475 rejected"));
  BOOST_TEST(world.folded(0) == "DS");
}

BOOST_AUTO_TEST_CASE(a_batch_is_one_request_and_only_refused_keys_are_asked_for_again) {
  TestWorld clean{one_broker, whole_failure, {"client.delete.batch=yes"}};
  clean.run_until(2s);
  BOOST_TEST(clean.stored(0) == "0 0 0 0");
  BOOST_TEST(clean.requests().ends_with("leader-epoch-checkpoint 1362.500-1425 ok, delete log 1475-1475 ok"));

  TestWorld world{one_broker,
                  whole_failure + "0s,1h,store-reject,store,operations=delete;probability=0.5\n",
                  {"client.attempts=40", "client.backoff=1ms", "client.delete.batch=yes"}};
  world.run_until(29s);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  std::uint64_t batches = 0;
  for (const auto& request : world.all<sim::StoreRequestEnded>()) {
    batches += request.event.operation == sim::StoreOperation::remove ? 1 : 0;
  }
  BOOST_TEST(batches > 1u);
  BOOST_TEST(world.hits(1) >= batches - 1);
  BOOST_TEST(world.hits(1) < 4 * (batches - 1));
}

BOOST_AUTO_TEST_CASE(a_batch_that_meets_one_end_has_it_as_a_whole) {
  TestWorld refused{one_broker,
                    whole_failure + "0s,10s,store-reject,store,operations=delete;probability=1\n",
                    {"client.delete.batch=yes"}};
  refused.run_until(10s);
  BOOST_TEST(refused.stored(0) == "1048576 262144 65536 65536");
  BOOST_TEST(refused.folded(0) == "DS");

  TestWorld hung{one_broker,
                 whole_failure + "0s,5m,store-unavailable,store,operations=delete;mode=hang\n",
                 {"client.delete.batch=yes"}};
  hung.run_until(62s);
  BOOST_TEST(hung.requests().ends_with("delete log 1475-61475 timed-out"));
  BOOST_TEST(hung.stored(0) == "1048576 262144 65536 65536");
}

BOOST_AUTO_TEST_CASE(a_batch_that_fails_midway_has_removed_whole_objects_only) {
  TestWorld world{one_broker, whole_failure + "0s,10s,delete-fail,store,stored=1200KiB\n", {"client.delete.batch=yes"}};
  world.run_until(10s);
  BOOST_TEST(world.stored(0) == "0 262144 65536 65536");
  BOOST_TEST(world.folded(0) == "DS");
}

BOOST_AUTO_TEST_CASE(an_offset_a_partition_or_a_broker_chooses_the_denied_keys) {
  // Segments of 1,024 records: 1500 lies in the second.
  TestWorld offset{one_broker, "0s,1m,key-denied,store,operations=put;offset=1500\n"};
  offset.run_until(10s);
  BOOST_TEST(offset.folded(0) == "CF");
  BOOST_TEST(offset.stored(1) == "0 0 0 0");
  BOOST_TEST(offset.hits() == 1u);
  for (const char* target : {"partition:t-1", "broker:2"}) {
    TestWorld world{two_brokers(), fmt::format("0s,10s,key-denied,{},operations=put\n", target)};
    world.run_until(5s);
    BOOST_TEST(world.folded(0) == "CF", target);
    BOOST_TEST(world.folded(1) == "", target);
  }
}

BOOST_AUTO_TEST_CASE(the_luck_of_a_key_is_drawn_once) {
  TestWorld world{
      one_broker, whole_failure + "0s,2h,key-denied,store,probability=0.5\n", {"scenario.duration=3h"}, "kip-dangling"};
  world.run_until(1h);
  const std::string after_an_hour = world.stored(0);
  BOOST_TEST(world.hits(1) > 1u);
  world.run_until(2h);
  BOOST_TEST(world.stored(0) == after_an_hour);
}

BOOST_AUTO_TEST_CASE(a_delete_without_effect_is_believed) {
  for (const char* batch : {"no", "yes"}) {
    TestWorld world{
        one_broker, whole_failure + "0s,1h,delete-no-effect,store,\n", {"client.delete.batch=" + std::string{batch}}};
    world.run_until(2h);
    BOOST_TEST(world.transitions(0) == "0 CS, 1425 DS, 1475 DF", batch);
    BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536", batch);
    BOOST_TEST(world.hits(1) == 4u, batch);
  }
}

// Whatever made it garbage: that it outlives its entry is the delete's doing.
BOOST_AUTO_TEST_CASE(what_a_delete_without_effect_left_is_an_orphan_for_ever) {
  CaseWorld failed;
  failed.topic = "initial.closed = 1\n";
  failed.faults = "0s,10s,copy-fail,store,stored=all\n0s,1m,delete-no-effect,store,\n";
  CaseWorld expired;
  expired.topic = "initial.finished = 1\ninitial.age = 8d\n";
  expired.faults = "0s,10s,copy-fail,store,\n0s,1m,delete-no-effect,store,\n";
  for (const CaseWorld& world : {failed, expired}) {
    const CaseRun run = run_case(world, "kafka-4.0");
    BOOST_TEST(run.result.summary.orphan_bytes_end == Bytes{100 << 20});
    BOOST_TEST(run.result.summary.garbage_bytes_never == Bytes{100 << 20});
    BOOST_REQUIRE(run.result.leftovers.size() == 1u);
    BOOST_TEST(run.result.leftovers[0].fault.value() == 1u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
