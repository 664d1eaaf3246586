// Links that delay, lose or repeat what is sent over them (design, World: each direction on its own).
#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(link_kinds)

using namespace tests;

constexpr std::string_view nothing = "0 0 0 0";
constexpr std::string_view whole = "1048576 262144 65536 65536";

BOOST_AUTO_TEST_CASE(a_delay_of_either_way_makes_each_request_longer) {
  TestWorld world{one_broker, "0s,1m,link-delay,broker:1<>store,delay=1s\n"};
  world.run_until(1min);
  BOOST_TEST(world.requests().starts_with("put log 50-3050 ok, put indexes 3050-5300 ok"));
  TestWorld one_way{one_broker, "0s,1m,link-delay,store>broker:1,delay=1s\n"};
  one_way.run_until(1min);
  BOOST_TEST(one_way.requests().starts_with("put log 50-2050 ok, put indexes 2050-3300 ok"));
}

BOOST_AUTO_TEST_CASE(a_delay_between_brokers_makes_publishes_and_consumers_late) {
  TestWorld world{two_brokers(), "0s,10s,link-delay,broker:2>broker:1,delay=1s\n"};
  world.run_until(5s);
  BOOST_TEST(world.transitions(1) == "1000 CS, 3425 CF");
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-1050 ok, CF 2425-3475 ok");
  TestWorld back{two_brokers(), "0s,10s,link-delay,broker:1>broker:2,delay=1s\n"};
  back.run_until(5s);
  // Acknowledged after a second, and read by its own consumer by then.
  BOOST_TEST(back.transitions(1) == "0 CS, 2425 CF");
  BOOST_TEST(back.publishes(BrokerId{2}) == "CS 0-1050 ok, CF 2425-3475 ok");
  BOOST_TEST(back.cached(BrokerId{2}, 0) == "CF");
  back.run_until(11s);
  BOOST_TEST(back.world.has_consumed_all(BrokerId{2}, first_partition));
}

BOOST_AUTO_TEST_CASE(a_lost_request_is_never_carried_out) {
  TestWorld world{one_broker, "0s,2m,link-loss,broker:1>store,probability=1\n"};
  world.run_until(61s);
  BOOST_TEST(world.requests() == "put log 50-60050 timed-out");
  BOOST_TEST(world.stored(0) == nothing);
  BOOST_TEST(world.hits() >= 1u);
}

BOOST_AUTO_TEST_CASE(a_lost_answer_is_of_a_request_that_was) {
  TestWorld world{one_broker, "0s,2m,link-loss,store>broker:1,probability=1\n"};
  world.run_until(60'060ms);
  BOOST_TEST(world.requests() == "put log 50-60050 timed-out");
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
}

// The producer sends it again after 30 s, and a lost acknowledgement comes with the second try.
BOOST_AUTO_TEST_CASE(a_lost_publish_is_sent_again) {
  TestWorld world{two_brokers(), "0s,10s,link-loss,broker:2>broker:1,probability=1\n"};
  world.run_until(35s);
  BOOST_TEST(world.transitions(1).starts_with("30000 CS"));
  BOOST_TEST(world.publishes(BrokerId{2}).starts_with("CS 0-30050 ok"));
  TestWorld ack{two_brokers(), "0s,10s,link-loss,broker:1>broker:2,probability=1\n"};
  ack.run_until(35s);
  BOOST_TEST(ack.transitions(1).starts_with("0 CS"));
  BOOST_TEST(ack.publishes(BrokerId{2}).starts_with("CS 0-30050 ok"));
}

BOOST_AUTO_TEST_CASE(a_publish_that_is_always_lost_times_out) {
  TestWorld world{two_brokers(), "0s,5m,link-loss,broker:2>broker:1,probability=1\n"};
  world.run_until(125s);
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-120000 timed-out");
  BOOST_TEST(world.transitions(1) == "");
}

BOOST_AUTO_TEST_CASE(some_are_lost_and_some_are_not) {
  TestWorld world{one_broker, "0s,1h,link-loss,broker:1>store,probability=0.3\n", {"client.attempts=20"}};
  world.run_until(1h);
  BOOST_TEST(world.hits() > 0u);
  BOOST_TEST(world.stored(0) == whole);
}

// A put that lands again after its own delete leaves bytes that no entry names (C37's late object, by another way).
BOOST_AUTO_TEST_CASE(a_repeated_put_that_lands_after_the_delete_is_an_orphan) {
  // The log object lands at 1050 ms, while the link repeats, and is deleted at 1100 ms, when it no longer does.
  const char* plan = "0s,1s,copy-fail,store,stored=indexes\n1s,60ms,link-duplicate,broker:1>store,delay=5s\n";
  TestWorld world{one_broker, plan};
  world.run_until(6049ms);
  BOOST_TEST(world.transitions(0) == "0 CS, 1050 DS, 1100 DF");
  BOOST_TEST(world.stored(0) == nothing);
  world.run_until(6050ms);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  BOOST_TEST(world.hits(1) == 1u);
  const Scenario scenario = read_world(one_broker, plan);
  const sim::RunResult result = sim::run_world(scenario, policy_choice("kafka-4.0", scenario), 1, nullptr);
  BOOST_TEST(result.summary.orphan_bytes_end == Bytes{1 << 20});
}

BOOST_AUTO_TEST_CASE(a_repeated_delete_deletes_once) {
  TestWorld world{one_broker, "0s,1s,copy-fail,store,stored=indexes\n1090ms,1s,link-duplicate,broker:1>store,\n"};
  world.run_until(1min);
  BOOST_TEST(world.stored(0) == nothing);
  BOOST_TEST(world.hits(1) >= 1u);
}

BOOST_AUTO_TEST_SUITE_END()
