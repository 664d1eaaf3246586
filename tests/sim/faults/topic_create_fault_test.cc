// A topic that comes again under its name is another one (C35).
#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(topic_create_fault)

using namespace tests;

constexpr std::string_view nothing = "0 0 0 0";
constexpr std::string_view whole = "1048576 262144 65536 65536";
constexpr const char* again = "1m,,topic-delete,topic:t,\n2m,,topic-create,topic:t,\n";

BOOST_AUTO_TEST_CASE(a_topic_begins_empty_under_its_old_name) {
  TestWorld world{one_broker, again, {"topic.t.produce=64KiB/s"}};
  const PartitionNumber second{1};
  BOOST_REQUIRE(world.world.partition_count() == 2u);
  world.run_until(119s);
  const std::uint32_t before = world.world.segment_count();
  for (std::uint32_t copy = 0; copy < before; ++copy) BOOST_TEST(world.stored(copy) == nothing);
  BOOST_TEST(world.leaders(second) == "");
  world.run_until(3min);
  BOOST_TEST(world.leaders(second) == "120000 1/0");
  BOOST_TEST(world.rolls(second).starts_with("136015.625 0-1024 1048576"));
  BOOST_TEST(world.world.segment(before).partition == second);
  BOOST_TEST(world.stored(before) == whole);
  BOOST_TEST(world.folded(before) == "CF");
  BOOST_TEST(world.leaders() == "0 1/0");
  BOOST_TEST(world.hits(1) == 1u);
}

BOOST_AUTO_TEST_CASE(a_topic_that_is_there_is_not_created) {
  TestWorld world{one_broker, "1m,,topic-create,*,\n"};
  world.run_until(2min);
  BOOST_TEST(world.hits() == 0u);
  BOOST_TEST(world.leaders(PartitionNumber{1}) == "");
}

BOOST_AUTO_TEST_CASE(c35_topics_of_one_name_leave_nothing_to_each_other) {
  const Scenario scenario = read_world(two_brokers(),
                                       "10m,,topic-delete,topic:t,\n20m,,topic-create,topic:t,\n"
                                       "30m,,topic-delete,topic:t,\n40m,,topic-create,topic:t,\n"
                                       "50m,,topic-delete,topic:t,\n",
                                       {"topic.t.produce=64KiB/s"});
  for (const std::string_view policy : policy_names()) {
    const sim::RunResult result = sim::run_world(scenario, policy_choice(policy, scenario), 1, nullptr);
    BOOST_TEST((result.summary.outcome == sim::Outcome::clean), policy);
    BOOST_TEST(result.summary.garbage_bytes_end == Bytes{0}, policy);
    BOOST_TEST(result.summary.over_deleted_bytes == Bytes{0}, policy);
  }
}

// A broker that is away when it is created comes to follow it.
BOOST_AUTO_TEST_CASE(a_broker_that_starts_later_takes_part) {
  TestWorld world{two_brokers(),
                  "1m,,topic-delete,topic:t,\n90s,1m,crash,broker:1,\n2m,,topic-create,topic:t,\n",
                  {"topic.t.produce=64KiB/s", "topic.t.partitions=1"}};
  world.run_until(4min);
  BOOST_TEST(world.leaders(PartitionNumber{1}) == "120000 2/0");
  BOOST_TEST(world.log_end(BrokerId{1}, PartitionNumber{1}) == world.log_end(BrokerId{2}, PartitionNumber{1}));
}

BOOST_AUTO_TEST_SUITE_END()
