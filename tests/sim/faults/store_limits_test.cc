#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

// What the store does not take: too many requests, or more bytes than it has room for. In the world of one_broker the
// first copy's objects would land at 1050, 1300, 1362.5 and 1425 ms.

BOOST_AUTO_TEST_SUITE(store_limits)

using namespace tests;

std::vector<std::string> immediate(std::string attempts) {
  return {"store.bandwidth=0", "client.attempts=" + std::move(attempts)};
}

BOOST_AUTO_TEST_CASE(a_throttled_store_takes_a_seconds_worth_and_its_client_waits_as_told) {
  TestWorld world{one_broker, "0s,10s,store-throttle,store,rate=2;retry-after=1s\n", immediate("2")};
  world.run_until(2s);
  BOOST_TEST(
      world.requests().starts_with("put log 50-50 ok, put indexes 50-50 ok, put producer-snapshot 50-50 rejected, "
                                   "put producer-snapshot 1050-1050 ok, put leader-epoch-checkpoint 1050-1050 ok"));
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
  BOOST_TEST(world.hits() >= 1u);
}

BOOST_AUTO_TEST_CASE(a_throttled_store_fails_a_client_that_comes_again_too_soon) {
  TestWorld world{one_broker, "0s,10s,store-throttle,store,rate=2;operations=put\n", immediate("3")};
  world.run_until(399ms);
  BOOST_TEST(world.requests() ==
             "put log 50-50 ok, put indexes 50-50 ok, put producer-snapshot 50-50 rejected, "
             "put producer-snapshot 150-150 rejected, put producer-snapshot 350-350 rejected");
  BOOST_TEST(world.stored(0) == "1048576 262144 0 0");
  BOOST_TEST(world.hits() == 3u);
  world.run_until(1s);
  BOOST_TEST(world.stored(0) == "0 0 0 0");  // Deletes are not among its operations.
}

BOOST_AUTO_TEST_CASE(a_full_store_cuts_puts_and_refuses_new_ones_but_takes_deletes) {
  TestWorld world{one_broker, "500ms,1m,store-full,store,\n"};
  world.run_until(549ms);
  BOOST_TEST(world.stored(0) == "471859 0 0 0");
  world.run_until(31s);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.transitions(0) == "0 CS, 500 DS, 550 DF");
  BOOST_TEST(world.stored(1) == "0 0 0 0");
  BOOST_TEST(world.hits() == 2u);  // The transfer under way, and the put of the next run.
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_into_the_capacity_is_refused_whole) {
  // A log fits, its indexes do not.
  TestWorld world{one_broker, "", {"store.capacity=1200KiB"}};
  world.run_until(1349ms);
  BOOST_TEST(world.requests() == "put log 50-1050 ok, put indexes 1050-1300 rejected");
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  world.run_until(1350ms);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  // To the byte.
  TestWorld fits{one_broker, "", {"store.capacity=1441792B"}};
  fits.run_until(2s);
  BOOST_TEST(fits.stored(0) == "1048576 262144 65536 65536");
  TestWorld lacks_one{one_broker, "", {"store.capacity=1441791B"}};
  lacks_one.run_until(1474ms);
  BOOST_TEST(lacks_one.stored(0) == "1048576 262144 65536 0");
}

BOOST_AUTO_TEST_CASE(a_cut_upload_leaves_no_more_than_there_is_room_for) {
  for (const char* multipart : {"no", "yes"}) {
    TestWorld world{one_broker,
                    "500ms,1m,store-unavailable,store,\n",
                    {"store.capacity=400000B", "client.abort=no", "client.part.size=150000B",
                     "client.multipart=" + std::string{multipart}}};
    world.run_until(1s);
    const bool is_object = multipart == std::string{"no"};
    BOOST_TEST((is_object ? world.stored(0) : world.parts(0)) == (is_object ? "400000 0 0 0" : "300000 0 0 0"));
  }
}

BOOST_AUTO_TEST_CASE(overwriting_needs_room_for_the_difference_only) {
  TestWorld world{
      one_broker, "500ms,50ms,store-unavailable,store,\n", {"store.capacity=1441792B", "client.attempts=2"}};
  world.run_until(3s);
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
}

BOOST_AUTO_TEST_CASE(a_broker_that_dies_while_uploading_leaves_parts_that_nobody_completes) {
  TestWorld world{one_broker, "1s,1m,crash,broker:1,\n", {"client.multipart=yes", "client.part.size=64KiB"}};
  world.run_until(2h);
  BOOST_TEST(world.parts(0) == "983040 0 0 0");  // 950 ms of a MiB a second, in whole parts.
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.folded(0) == "CS");
}

BOOST_AUTO_TEST_SUITE_END()
