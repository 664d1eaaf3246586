// F23, facts 5.1: one upload with too much custom metadata ends the copies of its partition on this leader.
#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(custom_metadata_fault)

using namespace tests;

BOOST_AUTO_TEST_CASE(f23_the_upload_is_rolled_back_and_nothing_is_copied_any_more) {
  for (const auto& [policy, states] :
       {std::pair{"kafka-3.6", "0 CS"}, std::pair{"kafka-3.9", "0 CS"},
        std::pair{"kafka-4.0", "0 CS, 1425 DS, 1475 DF"}, std::pair{"kip-dangling", "0 CS, 1425 DANGLING"}}) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{one_broker, "0s,10s,oversized-custom-metadata,store,\n", {}, policy};
      world.run_until(1h);
      BOOST_TEST(world.world.segment_count() == 1u);
      BOOST_TEST(world.transitions(0) == states);
      // The KIP's sweep is the copy task's, and that is cancelled (C11).
      const bool stays = std::string_view{policy} == "kip-dangling";
      BOOST_TEST(world.stored(0) == (stays ? "1048576 262144 65536 65536" : "0 0 0 0"));
      BOOST_TEST(world.hits() == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_size_decides_whether_it_is_too_much) {
  TestWorld fits{one_broker, "0s,10s,oversized-custom-metadata,store,size=128\n"};
  fits.run_until(1min);
  BOOST_TEST(fits.transitions(0) == "0 CS, 1425 CF");
  TestWorld raised{one_broker,
                   "0s,10s,oversized-custom-metadata,store,size=1000\n",
                   {"broker.remote.log.metadata.custom.metadata.max.bytes=1000"}};
  raised.run_until(1min);
  BOOST_TEST(raised.transitions(0) == "0 CS, 1425 CF");
}

// F23: 3.6 has one task for both jobs, so that expiration stops as well.
BOOST_AUTO_TEST_CASE(f23_in_3_6_expiration_stops_too) {
  for (const auto& [policy, bytes] :
       {std::pair{"kafka-3.6", "1048576 262144 65536 65536"}, std::pair{"kafka-3.9", "0 0 0 0"}}) {
    BOOST_TEST_CONTEXT(policy) {
      // The first copy is finished when the second one meets the fault.
      TestWorld world{one_broker, "2s,10s,oversized-custom-metadata,store,\n", {"topic.t.retention.ms=10m"}, policy};
      world.run_until(1h);
      BOOST_TEST(world.world.segment_count() == 2u);
      BOOST_TEST(world.stored(0) == bytes);
    }
  }
}

// Until another leader comes; here the same broker with a new process.
BOOST_AUTO_TEST_CASE(f23_a_restart_copies_again) {
  TestWorld world{one_broker, "0s,10s,oversized-custom-metadata,store,\n10m,1m,crash,broker:1,\n"};
  world.run_until(1h);
  BOOST_TEST(world.folded(1) == "CF");
  BOOST_TEST(world.folded(2) == "CF");
}

BOOST_AUTO_TEST_CASE(each_upload_draws_for_itself) {
  TestWorld world{
      one_broker, "0s,1h,oversized-custom-metadata,broker:1,size=1;probability=0.5\n", {"topic.t.initial.closed=64"}};
  world.run_until(10min);
  BOOST_TEST(world.hits() > 16u);
  BOOST_TEST(world.hits() < 48u);
}

BOOST_AUTO_TEST_SUITE_END()
