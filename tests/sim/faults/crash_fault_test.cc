#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(crash_fault)

using namespace tests;

// F1: nobody but retention ever comes back to this entry and its bytes.
BOOST_AUTO_TEST_CASE(f1_a_crash_cuts_an_upload_at_the_bytes_that_had_arrived) {
  TestWorld world{one_broker, "550ms,5m,crash,broker:1,\n"};
  world.run_until(299s);
  BOOST_TEST(world.stored(0) == "524288 0 0 0");
  BOOST_TEST(world.requests() == "");  // Nobody is there to hear of it.
  BOOST_TEST(world.transitions(0) == "0 CS");
  BOOST_TEST(!world.world.is_up(BrokerId{1}));
  BOOST_TEST(world.hits() == 1u);
}

BOOST_AUTO_TEST_CASE(a_crash_cuts_an_upload_in_parts_into_parts) {
  TestWorld world{one_broker, "550ms,5m,crash,broker:1,\n", {"client.multipart=yes", "client.part.size=64KiB"}};
  world.run_until(2h);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.parts(0) == "524288 0 0 0");
}

BOOST_AUTO_TEST_CASE(a_delete_under_way_lands_after_its_caller_crashed) {
  TestWorld world{
      one_broker, "0s,1500ms,copy-fail,store,stored=indexes\n1500ms,5m,crash,broker:1,\n", {"store.delete.latency=1s"}};
  world.run_until(2099ms);  // Sent at 1100 ms.
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  world.run_until(2100ms);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  world.run_until(5min);
  BOOST_TEST(world.transitions(0) == "0 CS, 1050 DS");
}

BOOST_AUTO_TEST_CASE(the_trace_names_the_crash_as_the_cause_of_what_is_left) {
  TestWorld world{one_broker, "10m,1s,copy-fail,store,\n550ms,5m,crash,broker:1,\n"};
  world.run_until(1s);
  const auto crashes = world.all<sim::BrokerCrashed>();
  BOOST_REQUIRE(crashes.size() == 1u);
  BOOST_TEST((crashes[0].event.fault == sim::FaultIndex{1}));
}

BOOST_AUTO_TEST_CASE(a_restarted_broker_leads_again_reads_the_topic_again_and_copies_again) {
  TestWorld world{one_broker, "550ms,5m,crash,broker:1,\n"};
  world.run_until(302s);
  BOOST_TEST(world.leaders() == "0 1/0, 550 0/0, 300550 1/1");
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CS");
  BOOST_TEST(world.transitions(1) == "300550 CS, 301975 CF");  // The same segment under a new id.
  BOOST_TEST(world.world.segment(1).start_offset == world.world.segment(0).start_offset);
  BOOST_TEST((world.world.segment(1).id != world.world.segment(0).id));
}

BOOST_AUTO_TEST_CASE(a_crash_of_all_brokers_leaves_what_is_stored) {
  TestWorld world{two_brokers(), "10s,5m,crash,*,\n"};
  world.run_until(20s);
  BOOST_TEST((!world.world.is_up(BrokerId{1}) && !world.world.is_up(BrokerId{2})));
  world.run_until(320s);
  BOOST_TEST(world.folded(0) == "CF");
  BOOST_TEST(world.folded(1) == "CF");
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CF");
  BOOST_TEST(world.stored(1) == "1048576 262144 65536 65536");
  BOOST_TEST(world.leaders() == "0 1/0, 10000 0/0, 310000 2/1");  // Broker 2 died last, so it alone is in sync.
}

BOOST_AUTO_TEST_CASE(a_crash_without_an_end_lasts_until_the_world_settles) {
  TestWorld world{one_broker, "10s,,crash,broker:1,\n"};
  world.run_until(2h);
  const auto started = world.all<sim::BrokerStarted>();
  BOOST_REQUIRE(started.size() == 1u);
  BOOST_TEST(started[0].time == SimTime{2h - 5min});  // Ten task intervals before the end.
}

BOOST_AUTO_TEST_CASE(nothing_is_reported_of_a_broker_while_it_is_down) {
  const std::string plan = "1s,20s,crash,broker:1,\n30s,20s,crash,broker:2,\n500s,5m,crash,broker:1,\n";
  TestWorld world{two_brokers(), plan, {"topic.t.produce=64KiB/s", "topic.t.retention.ms=10m"}};
  world.run_until(20min);
  std::set<BrokerId> down;
  for (const TraceRecord& record : world.recorder.records) {
    if (const auto* crash = std::get_if<sim::BrokerCrashed>(&record.event)) down.insert(crash->broker);
    if (const auto* start = std::get_if<sim::BrokerStarted>(&record.event)) down.erase(start->broker);
    std::visit(
        [&]<class Event>(const Event& event) {
          if constexpr (requires { event.broker; } && !std::is_same_v<Event, sim::BrokerCrashed>) {
            BOOST_TEST(!down.contains(event.broker), describe(record));
          }
        },
        record.event);
  }
  BOOST_TEST(world.hits(2) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
