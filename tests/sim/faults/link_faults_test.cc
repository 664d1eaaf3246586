#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(link_faults)

using namespace tests;

BOOST_AUTO_TEST_CASE(a_link_to_the_store_cut_both_ways_leaves_the_bytes_that_had_arrived_and_no_answer) {
  TestWorld world{one_broker, "550ms,10m,partition,broker:1<>store,\n"};
  world.run_until(121s);
  BOOST_TEST(world.stored(0) == "524288 0 0 0");
  BOOST_TEST(world.requests() == "put log 50-60050 timed-out, delete log 60100-120100 timed-out");
  BOOST_TEST(world.hits() == 2u);
}

BOOST_AUTO_TEST_CASE(a_way_to_the_store_that_is_cut_stops_uploads_where_they_are) {
  TestWorld world{one_broker, "550ms,1m,partition,broker:1>store,\n"};
  world.run_until(70s);
  BOOST_TEST(world.requests() == "put log 50-60050 timed-out");  // The delete is unheard too.
  BOOST_TEST(world.hits() == 2u);
  BOOST_TEST(world.stored(0) == "524288 0 0 0");
}

BOOST_AUTO_TEST_CASE(a_way_back_from_the_store_that_is_cut_loses_answers_only) {
  TestWorld world{one_broker, "550ms,1m,partition,store>broker:1,\n"};
  world.run_until(1050ms);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  BOOST_TEST(world.hits() == 1u);
  world.run_until(60'100ms);
  BOOST_TEST(world.requests() == "put log 50-60050 timed-out");
  BOOST_TEST(world.stored(0) == "0 0 0 0");  // The delete happened, and its answer is lost as well.
  BOOST_TEST(world.hits() == 2u);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_lost_like_any_answer) {
  TestWorld world{
      one_broker, "0s,1m,store-unavailable,store,\n10ms,1m,partition,store>broker:1,\n", {"store.latency=10ms"}};
  world.run_until(59s);
  BOOST_TEST(world.requests() == "");
  BOOST_TEST(world.hits(0) == 1u);
  BOOST_TEST(world.hits(1) == 1u);
}

BOOST_AUTO_TEST_CASE(a_cut_that_nobody_sends_over_hits_nothing) {
  TestWorld world{one_broker, "10m,1m,partition,broker:1<>store,\n"};
  world.run_until(20min);
  BOOST_TEST(world.hits() == 0u);
  BOOST_TEST(world.folded(0) == "CF");
}

BOOST_AUTO_TEST_CASE(a_publish_does_not_leave_while_the_way_to_the_leader_is_cut) {
  TestWorld world{two_brokers(), "0s,1m,partition,broker:2>broker:1,\n"};
  world.run_until(59s);
  BOOST_TEST(world.transitions(1) == "");
  world.run_until(61s);
  BOOST_TEST(world.transitions(1).starts_with("60000 CS"));
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-60050 ok");
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF");  // The leader's own publishes go on.
}

BOOST_AUTO_TEST_CASE(a_publish_that_never_left_times_out_and_stores_nothing) {
  TestWorld world{two_brokers(), "0s,3m,partition,broker:2>broker:1,\n"};
  world.run_until(125s);
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-120000 timed-out");
  BOOST_TEST(world.transitions(1) == "");
  world.run_until(179s);
  BOOST_TEST(world.world.metadata().record_count() == 2);
  BOOST_TEST(world.hits() >= 1u);
}

BOOST_AUTO_TEST_CASE(a_publish_whose_answer_is_lost_is_stored_and_acknowledged_after_the_heal) {
  TestWorld world{two_brokers(), "0s,1m,partition,broker:1>broker:2,\n"};
  world.run_until(59s);
  BOOST_TEST(world.transitions(1) == "0 CS");
  BOOST_TEST(world.publishes(BrokerId{2}) == "");
  world.run_until(61s);
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-60050 ok");
}

BOOST_AUTO_TEST_CASE(a_publish_whose_answer_is_lost_for_too_long_times_out_though_stored) {
  TestWorld world{two_brokers(), "0s,3m,partition,broker:1>broker:2,\n"};
  world.run_until(125s);
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-120000 timed-out");
  BOOST_TEST(world.transitions(1) == "0 CS");
  BOOST_TEST(world.cached(BrokerId{2}, 1) == "");
}

BOOST_AUTO_TEST_CASE(a_consumer_that_is_cut_off_stands_still_and_catches_up_after_the_heal) {
  TestWorld world{two_brokers(), "1s,1m,partition,broker:1>broker:2,\n"};
  world.run_until(30s);
  BOOST_TEST(world.folded(0) == "CF");
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CF");
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CS");
  BOOST_TEST(!world.world.has_consumed_all(BrokerId{2}, first_partition));
  world.run_until(60'999ms);
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CS");
  world.run_until(61s);
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CF");
  BOOST_TEST(world.world.has_consumed_all(BrokerId{2}, first_partition));
}

// A link that comes and goes (every): each cut ends the upload at what had arrived, and the whole one comes between
// two.
BOOST_AUTO_TEST_CASE(a_link_that_flaps_cuts_each_time_and_carries_between) {
  Scenario scenario = read_world(one_broker, "550ms,500ms,partition,broker:1<>store,\n",
                                 {"client.timeout=1s", "client.attempts=3", "client.backoff=0s"});
  scenario.faults[0].every = 1500ms;
  TestWorld world{std::move(scenario), "kafka-4.0"};
  world.run_until(600ms);
  BOOST_TEST(world.stored(0) == "524288 0 0 0");  // 500 ms of a MiB a second.
  world.run_until(2060ms);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  world.run_until(1h);
  BOOST_TEST(world.requests().starts_with("put log 50-1050 timed-out"));
  const auto& windows = world.world.faults().windows();
  BOOST_REQUIRE(windows.size() > 2u);
  BOOST_TEST(windows[1].start == SimTime{2050ms});
  BOOST_TEST(windows[1].end == SimTime{2550ms});
  BOOST_TEST(windows[0].hits >= 1u);
}

BOOST_AUTO_TEST_CASE(the_other_direction_between_brokers_freezes_no_consumer) {
  TestWorld world{two_brokers(), "1s,1m,partition,broker:2>broker:1,\n"};
  world.run_until(30s);
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CF");
}

BOOST_AUTO_TEST_SUITE_END()
