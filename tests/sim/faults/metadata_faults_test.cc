// Faults of the metadata topic (facts 3.3; case C46's five outcomes of an append): in doubt is an outcome of its own.
#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(metadata_faults)

using namespace tests;

constexpr std::string_view whole = "1048576 262144 65536 65536";

// The bytes are all there, and nobody but retention comes back to them: as F1, without a crash.
BOOST_AUTO_TEST_CASE(a_lost_finish_leaves_a_whole_copy_started_and_the_range_is_copied_again) {
  TestWorld world{one_broker, "1s,1s,metadata-publish-lost,metadata,state=COPY_SEGMENT_FINISHED\n"};
  world.run_until(3min);
  BOOST_TEST(world.publishes().starts_with("CS 0-50 ok, CF 1425-121425 timed-out"));
  BOOST_TEST(world.transitions(0) == "0 CS");
  BOOST_TEST(world.stored(0) == whole);
  BOOST_TEST(world.transitions(1) == "151425 CS, 152850 CF");
  BOOST_TEST(world.world.segment(1).start_offset == world.world.segment(0).start_offset);
  BOOST_TEST(world.hits() == 1u);
}

// F5: the producer gives up, and no upload begins.
BOOST_AUTO_TEST_CASE(f5_a_lost_start_uploads_nothing) {
  TestWorld world{one_broker, "0s,1s,metadata-publish-lost,metadata-of:t-0,state=COPY_SEGMENT_STARTED\n"};
  world.run_until(149s);
  BOOST_TEST(world.publishes() == "CS 0-120000 timed-out");
  BOOST_TEST(world.transitions(0) == "");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  world.run_until(3min);
  BOOST_TEST(world.folded(1) == "CF");
}

BOOST_AUTO_TEST_CASE(only_what_the_row_names_is_lost) {
  for (const char* row :
       {"0s,5m,metadata-publish-lost,metadata,state=DANGLING\n", "0s,5m,metadata-publish-lost,broker:2,\n",
        "0s,5m,metadata-publish-lost,metadata,probability=0\n"}) {
    TestWorld world{two_brokers(), row};
    world.run_until(3min);
    BOOST_TEST(world.folded(0) == "CF", row);
  }
  TestWorld world{two_brokers(), "0s,5m,metadata-publish-lost,broker:2,\n"};
  world.run_until(3min);
  BOOST_TEST(world.transitions(1) == "");
}

// F4, C34: the record is there and its writer takes it for lost, so the range is copied a second time.
BOOST_AUTO_TEST_CASE(f4_a_finish_whose_answer_is_lost_is_applied_and_its_range_is_copied_again) {
  TestWorld world{one_broker, "1s,1s,metadata-ack-lost,metadata,state=COPY_SEGMENT_FINISHED\n"};
  world.run_until(3min);
  BOOST_TEST(world.publishes().starts_with("CS 0-50 ok, CF 1425-121425 timed-out"));
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF");
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CF");
  BOOST_TEST(world.transitions(1) == "151425 CS, 152850 CF");
  BOOST_TEST(world.world.segment(1).start_offset == world.world.segment(0).start_offset);
  BOOST_TEST(world.stored(0) == whole);
  BOOST_TEST(world.hits() == 1u);
}

BOOST_AUTO_TEST_CASE(a_late_record_keeps_its_sender_waiting) {
  TestWorld world{one_broker, "1s,1s,metadata-late,metadata,delay=30s;state=COPY_SEGMENT_FINISHED\n"};
  world.run_until(40s);
  BOOST_TEST(world.transitions(0) == "0 CS, 31425 CF");
  BOOST_TEST(world.publishes().starts_with("CS 0-50 ok, CF 1425-31475 ok"));
  BOOST_TEST(world.hits() == 1u);
}

BOOST_AUTO_TEST_CASE(a_record_that_is_later_than_its_sender_waits_is_stored_all_the_same) {
  TestWorld world{one_broker, "1s,1s,metadata-late,metadata,delay=130s;state=COPY_SEGMENT_FINISHED\n"};
  world.run_until(3min);
  BOOST_TEST(world.publishes().starts_with("CS 0-50 ok, CF 1425-121425 timed-out"));
  BOOST_TEST(world.transitions(0) == "0 CS, 131425 CF");
}

BOOST_AUTO_TEST_CASE(a_late_record_outlives_its_sender) {
  TestWorld world{two_brokers(), "1s,1s,metadata-late,broker:2,delay=30s\n10s,5m,crash,broker:2,\n"};
  world.run_until(1min);
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-50 ok");
  BOOST_TEST(world.transitions(1) == "0 CS, 31425 CF");
}

BOOST_AUTO_TEST_CASE(a_publish_waits_while_nobody_reaches_the_leaders) {
  TestWorld world{one_broker, "1s,1m,metadata-unavailable,metadata,\n"};
  world.run_until(60'999ms);
  BOOST_TEST(world.transitions(0) == "0 CS");
  BOOST_TEST(world.stored(0) == whole);
  world.run_until(62s);
  BOOST_TEST(world.transitions(0) == "0 CS, 61000 CF");
  BOOST_TEST(world.publishes().starts_with("CS 0-50 ok, CF 1425-61050 ok"));
  BOOST_TEST(world.hits() == 1u);
}

BOOST_AUTO_TEST_CASE(an_outage_that_outlasts_the_producer_stores_nothing) {
  TestWorld world{one_broker, "1s,3m,metadata-unavailable,metadata,\n"};
  world.run_until(180s);
  BOOST_TEST(world.publishes().starts_with("CS 0-50 ok, CF 1425-121425 timed-out"));
  BOOST_TEST(world.transitions(0) == "0 CS");
  world.run_until(5min);
  BOOST_TEST(world.folded(0) == "CS");
  BOOST_TEST(world.transitions(1) == "181000 CS, 182425 CF");  // The second run's start waited for the heal.
}

BOOST_AUTO_TEST_CASE(consumers_stand_still_while_nobody_reaches_the_leaders) {
  TestWorld world{two_brokers(), "500ms,1m,metadata-unavailable,metadata:0,\n", {"metadata.consumer.latency=1s"}};
  world.run_until(30s);
  BOOST_TEST(world.folded(0) == "CS");
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "");
  BOOST_TEST(!world.world.has_consumed_all(BrokerId{2}, first_partition));
  world.run_until(70s);
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CF");
  BOOST_TEST(world.world.has_consumed_all(BrokerId{2}, first_partition));
}

BOOST_AUTO_TEST_CASE(a_lagging_consumer_keeps_its_own_publishes_waiting) {
  TestWorld world{one_broker, "1s,1m,metadata-consumer-lag,broker:1,delay=10s\n"};
  world.run_until(11'424ms);
  BOOST_TEST(world.folded(0) == "CF");
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CS");
  world.run_until(12s);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CF");
  BOOST_TEST(world.publishes().starts_with("CS 0-50 ok, CF 1425-11425 ok"));
  BOOST_TEST(world.hits() > 0u);
}

BOOST_AUTO_TEST_CASE(a_consumer_reads_everything_when_its_lag_heals) {
  TestWorld world{one_broker, "1s,1m,metadata-consumer-lag,metadata,delay=1h\n"};
  world.run_until(60'999ms);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CS");
  world.run_until(61s);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CF");
  world.run_until(62s);
  BOOST_TEST(world.publishes().starts_with("CS 0-50 ok, CF 1425-61025 ok"));  // The poll's next look.
}

// Facts 3.3: acknowledged, consumer too slow; the record is in the topic.
BOOST_AUTO_TEST_CASE(a_consumer_that_lags_too_far_makes_a_stored_publish_fail) {
  TestWorld world{one_broker, "1s,3m,metadata-consumer-lag,broker:1,delay=1h\n"};
  world.run_until(150s);
  BOOST_TEST(world.publishes() == "CS 0-50 ok, CF 1425-121425 timed-out");
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF");
}

BOOST_AUTO_TEST_CASE(a_lag_of_one_broker_is_not_another_ones) {
  TestWorld world{two_brokers(), "1s,1m,metadata-consumer-lag,broker:2,delay=1h\n"};
  world.run_until(30s);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CF");
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CS");
  world.run_until(61s);
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CF");
}

BOOST_AUTO_TEST_SUITE_END()
