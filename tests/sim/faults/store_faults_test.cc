#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

// In the world of one_broker the first copy's log object flows from 50 ms to 1050 ms, one MiB a second.

BOOST_AUTO_TEST_SUITE(store_faults)

using namespace tests;

/// 450 ms of a MiB a second are seven whole parts and a cut one.
constexpr const char* small_parts = "client.part.size=64KiB";

BOOST_AUTO_TEST_CASE(an_unavailable_store_keeps_exactly_the_bytes_that_had_arrived) {
  TestWorld world{one_broker, "500ms,1m,store-unavailable,store,\n"};
  world.run_until(1s);
  BOOST_TEST(world.stored(0) == "471859 0 0 0");  // 450 ms of a MiB a second.
  BOOST_TEST(world.parts(0) == "0 0 0 0");
  BOOST_TEST(world.requests() == "put log 50-500 rejected, delete log 550-550 rejected");
  BOOST_TEST(world.transitions(0) == "0 CS, 500 DS");
  BOOST_TEST(world.hits() == 2u);
}

BOOST_AUTO_TEST_CASE(a_store_that_hangs_ends_its_callers_by_their_time_outs) {
  TestWorld world{one_broker, "500ms,2m,store-unavailable,store,mode=hang\n"};
  world.run_until(121s);
  BOOST_TEST(world.stored(0) == "471859 0 0 0");
  BOOST_TEST(world.requests() == "put log 50-60050 timed-out, delete log 60100-120100 timed-out");
  BOOST_TEST(world.hits() == 2u);
}

BOOST_AUTO_TEST_CASE(a_hang_without_a_time_out_lasts_beyond_the_fault) {
  TestWorld world{one_broker, "500ms,2m,store-unavailable,store,mode=hang\n", {"client.timeout=0s"}};
  world.run_until(2h);
  BOOST_TEST(world.requests() == "");
  BOOST_TEST(world.world.runs_waiting_since(SimTime{1s}).size() == 1u);
  BOOST_TEST(world.transitions(0) == "0 CS");
}

BOOST_AUTO_TEST_CASE(only_the_named_operations_of_a_store_are_unavailable) {
  TestWorld world{one_broker, "500ms,1m,store-unavailable,store,operations=put\n"};
  world.run_until(549ms);
  BOOST_TEST(world.stored(0) == "471859 0 0 0");
  world.run_until(1s);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.transitions(0) == "0 CS, 500 DS, 550 DF");
  BOOST_TEST(world.hits() == 1u);
}

BOOST_AUTO_TEST_CASE(a_retry_overwrites_the_partial_object) {
  const std::string plan = "500ms,50ms,store-unavailable,store,\n700ms,50ms,store-unavailable,store,\n";
  TestWorld world{one_broker, plan, {"client.attempts=3"}};
  world.run_until(699ms);
  BOOST_TEST(world.stored(0) == "471859 0 0 0");
  world.run_until(700ms);
  BOOST_TEST(world.stored(0) == "104857 0 0 0");  // The second try began at 600 ms.
  world.run_until(2s);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  BOOST_TEST(world.requests() == "put log 50-500 rejected, put log 600-700 rejected, put log 900-1900 ok");
  BOOST_TEST(world.hits(0) + world.hits(1) == 2u);
}

BOOST_AUTO_TEST_CASE(a_cut_multipart_upload_leaves_parts_that_no_delete_removes) {
  TestWorld world{one_broker,
                  "500ms,1m,store-unavailable,store,operations=put\n",
                  {"client.multipart=yes", "client.abort=no", small_parts}};
  world.run_until(1s);
  BOOST_TEST(world.transitions(0) == "0 CS, 500 DS, 550 DF");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.parts(0) == "458752 0 0 0");
  world.run_until(2h);
  BOOST_TEST(world.parts(0) == "458752 0 0 0");
}

// A part is a request of its own: one that was cut leaves nothing. The last one is what is left of the object.
BOOST_AUTO_TEST_CASE(a_cut_multipart_upload_leaves_whole_parts) {
  const auto parts = [](std::string_view part_size, std::string_view stored) {
    TestWorld world{one_broker,
                    fmt::format("0s,10s,copy-fail,store,stored={}\n", stored),
                    {"client.multipart=yes", "client.abort=no", fmt::format("client.part.size={}", part_size)},
                    "kafka-3.6"};
    world.run_until(2s);
    return world.parts(0);
  };
  BOOST_TEST(parts("300KiB", "299KiB") == "0 0 0 0");
  BOOST_TEST(parts("300KiB", "300KiB") == "307200 0 0 0");
  BOOST_TEST(parts("300KiB", "1023KiB") == "921600 0 0 0");  // Three of four, the last of 124 KiB.
  BOOST_TEST(parts("2MiB", "1023KiB") == "0 0 0 0");
  // All has come and the upload is not completed: the last object, of one small part.
  BOOST_TEST(parts("300KiB", "1408KiB") == "0 0 0 65536");
}

BOOST_AUTO_TEST_CASE(an_abort_removes_the_parts_when_the_store_takes_deletes) {
  TestWorld world{
      one_broker, "500ms,1m,store-unavailable,store,operations=put\n", {"client.multipart=yes", small_parts}};
  world.run_until(500ms);
  BOOST_TEST(world.parts(0) == "0 0 0 0");
  const auto changes = world.all<sim::BytesChanged>();
  BOOST_REQUIRE(changes.size() == 2u);
  BOOST_TEST(changes[0].event.delta == Bytes{458'752});
  BOOST_TEST(changes[1].event.delta == Bytes{-458'752});
  BOOST_TEST((changes[1].event.stored_as == StoredAs::parts));
}

BOOST_AUTO_TEST_CASE(an_abort_that_the_store_refuses_leaves_the_parts) {
  TestWorld world{one_broker, "500ms,1m,store-unavailable,store,\n", {"client.multipart=yes", small_parts}};
  world.run_until(2h);
  BOOST_TEST(world.parts(0) == "458752 0 0 0");
}

BOOST_AUTO_TEST_CASE(a_failed_delete_aborts_no_upload) {
  TestWorld world{one_broker,
                  "500ms,1m,store-unavailable,store,operations=put\n"
                  "550ms,1ms,store-reject,store,operations=delete;probability=1\n"
                  "500ms,1ms,store-reject,store,operations=delete;probability=1\n",
                  {"client.multipart=yes", small_parts}};
  world.run_until(1s);
  BOOST_TEST(world.requests() == "put log 50-500 rejected, delete log 550-550 rejected");
  BOOST_TEST(world.parts(0) == "458752 0 0 0");
}

BOOST_AUTO_TEST_CASE(every_try_of_a_request_is_refused_and_the_back_off_doubles) {
  TestWorld world{one_broker,
                  "0s,10s,store-reject,store,operations=put;probability=1\n",
                  {"client.attempts=4", "store.latency=7ms"}};
  world.run_until(2s);
  BOOST_TEST(world.requests() ==
             "put log 50-57 rejected, put log 157-164 rejected, put log 364-371 rejected, put log 771-778 rejected, "
             "delete log 828-828 ok, delete indexes 828-828 ok, delete producer-snapshot 828-828 ok, "
             "delete leader-epoch-checkpoint 828-828 ok");
  BOOST_TEST(world.calls() == "put 50-778 rejected, delete 828-828 ok");
  BOOST_TEST(world.hits() == 4u);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
}

BOOST_AUTO_TEST_CASE(a_fatal_refusal_is_not_tried_again_and_nothing_is_cleaned_up) {
  TestWorld world{
      one_broker, "0s,10s,store-reject,store,operations=put;probability=1;error=fatal\n", {"client.attempts=4"}};
  // F15: the task never runs again, though the fault ends after 10 s.
  world.run_until(10min);
  BOOST_TEST(world.requests() == "put log 50-50 rejected");
  BOOST_TEST(world.transitions(0) == "0 CS");
  BOOST_TEST(world.hits() == 1u);
}

// 4.3 alone tells the two apart (facts 5.6): the objects before the refused one stay under an entry that stays started.
BOOST_AUTO_TEST_CASE(a_retriable_refusal_is_cleaned_up_by_all_but_4_3) {
  for (const auto& [policy, error, stored] :
       {std::tuple{"kafka-4.0", "retriable", "0 0 0 0"}, std::tuple{"kafka-4.3", "permanent", "0 0 0 0"},
        std::tuple{"kafka-4.3", "retriable", "1048576 0 0 0"}}) {
    BOOST_TEST_CONTEXT(policy << " " << error) {
      TestWorld world{one_broker,
                      fmt::format("1s,10s,store-reject,store,operations=put;probability=1;error={}\n", error),
                      {},
                      policy};
      world.run_until(10s);
      BOOST_TEST(world.stored(0) == stored);
      BOOST_TEST(world.folded(0) == (stored[0] == '1' ? "CS" : ""));
      BOOST_TEST(world.hits() == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_unchecked_refusal_is_not_tried_again_before_the_next_run) {
  TestWorld world{
      one_broker, "0s,10s,store-reject,store,operations=put;probability=1;error=unchecked\n", {"client.attempts=4"}};
  world.run_until(2s);
  BOOST_TEST(world.requests() == "put log 50-50 rejected");
  BOOST_TEST(world.transitions(0) == "0 CS");
  world.run_until(1min);
  BOOST_TEST(world.transitions(1).ends_with(" CF"));
}

BOOST_AUTO_TEST_CASE(refusals_with_a_probability_hit_exactly_the_refused_requests) {
  TestWorld world{one_broker, "0s,1h,store-reject,store,probability=0.5\n", {"client.attempts=1"}};
  world.run_until(10min);
  std::uint64_t refused = 0;
  std::uint64_t passed = 0;
  for (const auto& request : world.all<sim::StoreRequestEnded>()) {
    ++(request.event.result == sim::CallResult::rejected ? refused : passed);
  }
  BOOST_TEST(refused > 0u);
  BOOST_TEST(passed > 0u);
  BOOST_TEST(world.hits() == refused);
}

BOOST_AUTO_TEST_CASE(a_slow_store_slows_a_transfer_under_way_from_there_on) {
  TestWorld world{one_broker, "550ms,10s,store-slow,store,factor=2\n"};
  world.run_until(1'549'999us);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  world.run_until(1550ms);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  world.run_until(2050ms);
  BOOST_TEST(world.stored(0) == "1048576 262144 0 0");  // Half a second instead of a quarter.
}

BOOST_AUTO_TEST_CASE(a_transfer_under_way_gets_its_speed_back_when_the_store_does) {
  TestWorld world{one_broker, "550ms,500ms,store-slow,store,factor=2\n"};
  world.run_until(5s);
  BOOST_TEST(world.requests().starts_with("put log 50-1300 ok, put indexes 1300-1550 ok"));
}

BOOST_AUTO_TEST_CASE(a_slowed_transfer_that_is_cut_leaves_what_had_arrived_at_both_speeds) {
  TestWorld world{one_broker, "550ms,10s,store-slow,store,factor=2\n800ms,1m,store-unavailable,store,\n"};
  world.run_until(800ms);
  BOOST_TEST(world.stored(0) == "655360 0 0 0");  // 512 KiB, then 250 ms at half the speed.
}

BOOST_AUTO_TEST_CASE(a_slow_store_hits_each_transfer_under_way_and_each_request_once) {
  TestWorld world{one_broker, "550ms,1001ms,store-slow,store,factor=2\n"};
  world.run_until(549ms);
  BOOST_TEST(world.hits() == 0u);
  world.run_until(550ms);
  BOOST_TEST(world.hits() == 1u);
  world.run_until(10s);
  BOOST_TEST(world.hits() == 2u);  // The log under way, and the indexes at 1550 ms.
}

BOOST_AUTO_TEST_CASE(a_slow_store_without_requests_hits_nothing) {
  TestWorld world{one_broker, "10m,1s,store-slow,store,factor=2\n"};
  world.run_until(20min);
  BOOST_TEST(world.hits() == 0u);
}

BOOST_AUTO_TEST_CASE(an_upload_that_is_told_to_fail_halfway_reaches_that_byte_later_when_slowed) {
  TestWorld world{one_broker, "0s,10s,copy-fail,store,stored=768KiB\n300ms,10s,store-slow,store,factor=2\n"};
  world.run_until(5s);
  // A quarter of a second for the first 256 KiB, then a second for the next 512 KiB.
  BOOST_TEST(world.requests().starts_with("put log 50-1300 failed"));
  BOOST_TEST(world.all<sim::BytesChanged>().front().event.delta == 768_KiB);
}

BOOST_AUTO_TEST_SUITE_END()
