#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(metadata_topic)

using namespace tests;

/// The same once more, written from the Java: the bytes little endian, step by step.
std::uint32_t murmur2(const std::array<std::uint8_t, 4>& bytes) {
  std::uint32_t h = 0x9747b28cu ^ 4u;
  std::uint32_t k = static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
                    static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
  k *= 0x5bd1e995u;
  k ^= k >> 24;
  k *= 0x5bd1e995u;
  h = h * 0x5bd1e995u ^ k;
  h ^= h >> 13;
  h *= 0x5bd1e995u;
  return h ^ h >> 15;
}

std::uint32_t partition_by_hand(model::Uuid id, std::int32_t partition, std::int32_t count) {
  const auto fold = [](std::uint64_t x) { return static_cast<std::uint32_t>(x) ^ static_cast<std::uint32_t>(x >> 32); };
  const std::uint32_t h = ((31u + fold(id.least)) * 31u + fold(id.most)) * 31u + static_cast<std::uint32_t>(partition);
  const auto byte = [&](int shift) { return static_cast<std::uint8_t>(h >> shift); };
  return (murmur2({byte(24), byte(16), byte(8), byte(0)}) & 0x7fffffffu) % static_cast<std::uint32_t>(count);
}

BOOST_AUTO_TEST_CASE(metadata_partitions_are_those_of_kafka_clients) {
  // Made with Utils.murmur2 of kafka-clients 3.9.0 and Long.hashCode, for (partition, number of metadata partitions) =
  // (0, 50), (1, 50), (2, 50), (17, 50), (100000, 50), (0, 1), (3, 7), (2147483647, 1000).
  constexpr std::array<std::pair<std::int32_t, std::int32_t>, 8> asked{
      {{0, 50}, {1, 50}, {2, 50}, {17, 50}, {100'000, 50}, {0, 1}, {3, 7}, {2'147'483'647, 1'000}}};
  const std::vector<std::pair<model::Uuid, std::array<std::uint32_t, 8>>> golden = {
      {{0x0, 0x0}, {6, 30, 28, 1, 40, 0, 6, 910}},
      {{0x1, 0x0}, {20, 46, 45, 15, 12, 0, 0, 683}},
      {{0x0, 0x1}, {35, 6, 18, 22, 47, 0, 3, 945}},
      {{0xdeadbeefcafe4abc, 0x8123456789abcdef}, {27, 4, 2, 11, 2, 0, 1, 748}},
      {{0x123456789ab4def, 0xbfffffffffffffff}, {12, 36, 29, 3, 1, 0, 1, 630}},
      {{0xffffffffffffffff, 0xffffffffffffffff}, {6, 30, 28, 1, 40, 0, 6, 910}},
  };
  for (const auto& [id, partitions] : golden) {
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto [partition, count] = asked[i];
      BOOST_TEST(sim::metadata_partition_for(id, partition, count).value() == partitions[i]);
    }
  }
}

BOOST_AUTO_TEST_CASE(metadata_partitions_are_those_computed_by_hand) {
  SplitMix draw{7};
  for (int i = 0; i < 10'000; ++i) {
    const model::Uuid id{draw.next(), draw.next()};
    const auto partition = static_cast<std::int32_t>(draw.below(1'000'000));
    const auto count = static_cast<std::int32_t>(1 + draw.below(100));
    const auto found = sim::metadata_partition_for(id, partition, count);
    BOOST_REQUIRE(found.value() == partition_by_hand(id, partition, count));
  }
}

BOOST_AUTO_TEST_CASE(a_publish_takes_one_poll_step_at_least) {
  TestWorld world{one_broker, "", {"metadata.latency=2ms"}};
  world.run_until(100ms);
  BOOST_TEST(world.transitions(0) == "2 CS");
  BOOST_TEST(world.publishes() == "CS 0-52 ok");  // Latency, then the first look.
}

BOOST_AUTO_TEST_CASE(a_publish_waits_whole_poll_steps_for_its_own_consumer) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"50ms", "CS 0-52 ok"}, {"51ms", "CS 0-102 ok"}, {"100ms", "CS 0-102 ok"}, {"101ms", "CS 0-152 ok"}};
  for (const auto& [latency, publishes] : cases) {
    TestWorld world{one_broker, "", {"metadata.latency=2ms", "metadata.consumer.latency=" + latency}};
    world.run_until(500ms);
    BOOST_TEST(world.publishes() == publishes, latency);
  }
}

BOOST_AUTO_TEST_CASE(a_record_waits_for_a_slower_one_before_it_and_its_publisher_too) {
  TestWorld world{two_brokers(),
                  "",
                  {"metadata.consumer.latency=exp(200ms)", "topic.t.produce=256KiB/s", "topic.t.initial.closed=5",
                   "topic.t.partitions=6"}};
  world.run_until(1h);
  const auto publishes = world.all<sim::PublishEnded>();
  BOOST_TEST(publishes.size() > 1'000u);
  for (const auto& publish : publishes) {
    BOOST_REQUIRE((publish.event.result == sim::CallResult::ok));
    BOOST_REQUIRE((publish.time - publish.event.started) % 50ms == 0s);
  }
  BOOST_TEST(world.world.copy_lag(first_partition) <= 32_MiB);  // Nobody sleeps through a record that came late.
}

BOOST_AUTO_TEST_CASE(the_own_cache_has_the_record_before_the_publisher_hears) {
  TestWorld world{one_broker, "", {"metadata.latency=2ms", "metadata.consumer.latency=7ms"}};
  world.run_until(8ms);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "");
  BOOST_TEST(world.folded(0) == "CS");
  world.run_until(9ms);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CS");
  BOOST_TEST(world.publishes() == "");
}

BOOST_AUTO_TEST_CASE(a_publisher_whose_consumer_is_too_slow_gives_up_with_its_record_stored) {
  TestWorld world{one_broker, "", {"metadata.consumer.latency=150s"}};
  world.run_until(121s);
  BOOST_TEST(world.publishes().starts_with("CS 0-120000 timed-out"));
  BOOST_TEST(world.transitions(0) == "0 CS");
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "");
  world.run_until(150s);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CS");
}

BOOST_AUTO_TEST_CASE(a_consumer_that_freezes_after_the_ack_ends_the_wait_by_the_consume_wait) {
  TestWorld world{two_brokers(),
                  "5s,10m,partition,broker:1>broker:2,\n",
                  {"metadata.consumer.latency=10s", "broker.remote.log.metadata.consume.wait.ms=30000"}};
  world.run_until(31s);
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-30000 timed-out");
  BOOST_TEST(world.transitions(1) == "0 CS");
}

BOOST_AUTO_TEST_CASE(a_consumer_that_thaws_in_time_lets_the_wait_end_well) {
  TestWorld world{two_brokers(),
                  "5s,15020ms,partition,broker:1>broker:2,\n",
                  {"metadata.consumer.latency=10s", "broker.remote.log.metadata.consume.wait.ms=30000"}};
  world.run_until(31s);
  BOOST_TEST(world.publishes(BrokerId{2}) == "CS 0-20050 ok");  // The poll step after the heal at 20.02 s.
}

BOOST_AUTO_TEST_CASE(a_crash_of_the_leader_moves_it_after_the_failover_and_loses_nothing_stored) {
  TestWorld world{two_brokers(), "1s,60s,crash,broker:1,\n"};
  const auto leader = [&] { return world.world.metadata().leader(model::MetadataPartition{0}); };
  BOOST_TEST(leader() == BrokerId{1});
  world.run_until(1s);
  BOOST_TEST(leader() == BrokerId{0});
  world.run_until(9'999ms);
  BOOST_TEST(leader() == BrokerId{0});
  world.run_until(10s);
  BOOST_TEST(leader() == BrokerId{2});
  BOOST_TEST(world.folded(0) == "CS");
  BOOST_TEST(world.cached(BrokerId{2}, 0) == "CS");
  world.run_until(30s);
  BOOST_TEST(world.transitions(1) == "0 CS, 10000 CF");  // Waited for a leader since 1425 ms.
  BOOST_TEST(world.publishes(BrokerId{2}).starts_with("CS 0-50 ok, CF 1425-10050 ok"));
}

BOOST_AUTO_TEST_CASE(caches_converge_after_every_fault) {
  TestWorld world{two_brokers(),
                  "1s,1m,partition,broker:1<>broker:2,\n2m,1m,crash,broker:1,\n4m,1m,crash,broker:2,\n",
                  {"topic.t.produce=64KiB/s"}};
  world.run_until(30min);
  for (std::uint32_t p = 0; p < 2; ++p) {
    for (std::int32_t b = 1; b <= 2; ++b) {
      const auto& cache = world.world.cache(BrokerId{b}, PartitionNumber{p});
      BOOST_TEST(cache.content_hash() == world.world.folded(PartitionNumber{p}).content_hash());
      BOOST_TEST(world.world.has_consumed_all(BrokerId{b}, PartitionNumber{p}));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_record_that_is_on_its_way_to_another_broker_outlives_its_sender) {
  TestWorld world{two_brokers(), "5ms,60s,crash,broker:2,\n", {"metadata.latency=10ms"}};
  world.run_until(50s);
  BOOST_TEST(world.transitions(1).starts_with("10 CS"));
}

BOOST_AUTO_TEST_CASE(a_record_on_its_way_within_one_broker_dies_with_it) {
  TestWorld world{two_brokers(), "5ms,60s,crash,broker:1,\n", {"metadata.latency=10ms"}};
  world.run_until(2h);
  BOOST_TEST(world.transitions(0) == "");
}

BOOST_AUTO_TEST_CASE(a_record_on_its_way_is_not_sent_again_by_a_broker_that_died) {
  // The leader dies as well before the record arrives, so that only another try of the sender could store it.
  TestWorld world{two_brokers(), "5ms,60s,crash,broker:2,\n6ms,60s,crash,broker:1,\n", {"metadata.latency=10ms"}};
  world.run_until(2h);
  BOOST_TEST(world.transitions(1) == "");
}

BOOST_AUTO_TEST_SUITE_END()
