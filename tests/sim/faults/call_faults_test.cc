#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

// In the world of one_broker the first copy's objects would land at 1050, 1300, 1362.5 and 1425 ms.

BOOST_AUTO_TEST_SUITE(call_faults)

using namespace tests;

BOOST_AUTO_TEST_CASE(a_copy_that_fails_cleanly_stores_nothing) {
  TestWorld world{one_broker, "0s,10s,copy-fail,store,\n"};
  world.run_until(99ms);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.requests() == "put log 50-50 failed");
  BOOST_TEST(world.calls() == "put 50-50 failed");
  BOOST_TEST(world.hits() == 1u);
  BOOST_TEST(world.transitions(0) == "0 CS, 50 DS");
}

BOOST_AUTO_TEST_CASE(a_copy_that_fails_within_its_first_object_stores_the_bytes_told) {
  TestWorld world{one_broker, "0s,10s,copy-fail,store,stored=512KiB\n"};
  world.run_until(599ms);
  BOOST_TEST(world.stored(0) == "524288 0 0 0");
  BOOST_TEST(world.calls() == "put 50-550 failed");
  world.run_until(700ms);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.transitions(0) == "0 CS, 550 DS, 600 DF");
}

BOOST_AUTO_TEST_CASE(a_copy_that_fails_within_its_second_object_keeps_the_first_whole) {
  TestWorld world{one_broker, "0s,10s,copy-fail,store,stored=1200KiB\n"};
  world.run_until(1222ms);
  BOOST_TEST(world.stored(0) == "1048576 180224 0 0");
  BOOST_TEST(world.requests() == "put log 50-1050 ok, put indexes 1050-1221.875 failed");
}

BOOST_AUTO_TEST_CASE(a_copy_that_fails_at_an_object_has_stored_all_before_it) {
  TestWorld world{one_broker, "0s,10s,copy-fail,store,stored=producer-snapshot\n"};
  world.run_until(1349ms);
  BOOST_TEST(world.stored(0) == "1048576 262144 0 0");
  BOOST_TEST(world.calls() == "put 50-1300 failed");
}

BOOST_AUTO_TEST_CASE(a_copy_that_fails_after_all_has_stored_all) {
  for (const char* stored : {"all", "10MiB"}) {
    TestWorld world{one_broker, "0s,10s,copy-fail,store,stored=" + std::string{stored} + "\n"};
    world.run_until(1474ms);
    BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
    BOOST_TEST(world.calls() == "put 50-1425 failed");
    BOOST_TEST(world.hits() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_copy_whose_answer_is_lost_ends_by_the_time_out_with_its_bytes_stored) {
  TestWorld world{one_broker, "0s,10s,copy-fail,store,stored=all;answer=lost\n"};
  world.run_until(61'474ms);
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
  BOOST_TEST(world.calls() == "put 50-61425 timed-out");
  world.run_until(62s);
  BOOST_TEST(world.transitions(0) == "0 CS, 61425 DS, 61475 DF");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
}

BOOST_AUTO_TEST_CASE(a_copy_that_fails_while_uploading_in_parts_leaves_parts_and_whole_objects) {
  TestWorld world{one_broker,
                  "0s,10s,copy-fail,store,stored=1200KiB\n0s,10s,delete-fail,store,\n",
                  {"client.multipart=yes", "client.abort=no", "client.part.size=64KiB"}};
  world.run_until(5s);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  BOOST_TEST(world.parts(0) == "0 131072 0 0");
}

BOOST_AUTO_TEST_CASE(a_plug_in_that_cleans_up_removes_what_its_failed_copy_wrote) {
  TestWorld world{one_broker, "0s,10s,copy-fail,store,stored=indexes\n", {"client.cleanup=yes"}};
  world.run_until(1050ms);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(world.calls() == "put 50-1050 failed");  // The clean-up is part of the call.
}

BOOST_AUTO_TEST_CASE(the_clean_up_of_a_plug_in_can_fail_as_any_delete) {
  TestWorld world{one_broker,
                  "0s,1500ms,copy-fail,store,stored=indexes\n0s,10s,delete-fail,store,\n",
                  {"client.cleanup=yes"},
                  "kafka-3.6"};
  world.run_until(10s);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  BOOST_TEST(world.hits(0) == 1u);
  BOOST_TEST(world.hits(1) == 1u);
}

BOOST_AUTO_TEST_CASE(a_failed_delete_leaves_everything) {
  TestWorld world{one_broker, "0s,10s,copy-fail,store,stored=all\n0s,10s,delete-fail,store,\n"};
  world.run_until(10s);
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
  BOOST_TEST(world.calls() == "put 50-1425 failed, delete 1475-1475 failed");
  BOOST_TEST(world.hits(1) == 1u);
  BOOST_TEST(world.folded(0) == "DS");
}

BOOST_AUTO_TEST_CASE(a_delete_that_fails_in_the_middle_has_removed_whole_objects_only) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"indexes", "0 262144 65536 65536"},        {"1200KiB", "0 262144 65536 65536"},
      {"1MiB", "0 262144 65536 65536"},           {"1023KiB", "1048576 262144 65536 65536"},
      {"leader-epoch-checkpoint", "0 0 0 65536"},
  };
  for (const auto& [gone, left] : cases) {
    TestWorld world{one_broker, "0s,10s,copy-fail,store,stored=all\n0s,10s,delete-fail,store,stored=" + gone + "\n"};
    world.run_until(10s);
    BOOST_TEST(world.stored(0) == left, gone);
    BOOST_TEST(world.folded(0) == "DS");
  }
}

BOOST_AUTO_TEST_CASE(a_delete_whose_answer_is_lost_has_removed_all_and_is_tried_again) {
  TestWorld world{one_broker,
                  "0s,1500ms,copy-fail,store,stored=all\n0s,10s,delete-fail,store,stored=all;answer=lost\n"};
  world.run_until(1475ms);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  world.run_until(61s);
  BOOST_TEST(world.calls() == "put 50-1425 failed");
  world.run_until(62s);
  BOOST_TEST(world.calls().starts_with("put 50-1425 failed, delete 1475-61475 timed-out"));
  BOOST_TEST(world.hits(1) == 1u);
}

/// A delete fails after it has removed everything; at 15 s the expiration task deletes again what is not there.
Scenario delete_again(const std::vector<std::string>& sets) {
  return read_world(one_broker, "0s,10s,copy-fail,store,stored=all\n0s,10s,delete-fail,store,stored=all\n", sets);
}

BOOST_AUTO_TEST_CASE(what_is_missing_counts_as_deleted) {
  for (const char* missing : {"204", "404"}) {
    TestWorld world{delete_again({"store.missing=" + std::string{missing}}), "kafka-4.0"};
    world.run_until(16s);
    BOOST_TEST(world.transitions(0) == "0 CS, 1425 DS, 15000 DS, 15050 DF");
    BOOST_TEST(world.calls() == "put 50-1425 failed, delete 1475-1475 failed, delete 15050-15050 ok");
  }
}

BOOST_AUTO_TEST_CASE(a_store_that_answers_404_lets_a_client_fail_that_wants_to) {
  TestWorld world{delete_again({"store.missing=404", "client.delete.missing=error"}), "kafka-4.0"};
  world.run_until(16s);
  BOOST_TEST(world.calls() == "put 50-1425 failed, delete 1475-1475 failed, delete 15050-15050 failed");
  BOOST_TEST(world.folded(0) == "DS");
}

BOOST_AUTO_TEST_CASE(a_store_that_answers_204_tells_no_client_that_something_was_missing) {
  TestWorld world{delete_again({"store.missing=204", "client.delete.missing=error"}), "kafka-4.0"};
  world.run_until(16s);
  BOOST_TEST(world.calls() == "put 50-1425 failed, delete 1475-1475 failed, delete 15050-15050 ok");
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 DS, 15000 DS, 15050 DF");
}

BOOST_AUTO_TEST_CASE(a_call_fault_aimed_at_one_broker_spares_the_others) {
  TestWorld world{two_brokers(), "0s,10s,copy-fail,broker:2,stored=indexes\n"};
  world.run_until(5s);
  BOOST_TEST(world.folded(0) == "CF");
  BOOST_TEST(world.folded(1) == "");
  BOOST_TEST(world.transitions(1) == "0 CS, 1050 DS, 1100 DF");
  BOOST_TEST(world.hits() == 1u);
}

BOOST_AUTO_TEST_CASE(a_repeating_fault_counts_its_hits_a_window) {
  Scenario scenario = read_world(one_broker, "0s,10s,copy-fail,store,stored=none\n");
  scenario.faults[0].every = 25s;
  TestWorld world{std::move(scenario), "kafka-4.0"};
  world.run_until(100s);
  // Runs begin at 0 s (fails), 30 s (inside the second window), 60 s.
  const auto& windows = world.world.faults().windows();
  BOOST_REQUIRE(windows.size() == 5u);
  BOOST_TEST(windows[0].hits == 1u);
  BOOST_TEST(windows[1].hits == 1u);
  BOOST_TEST(windows[2].hits == 0u);
  BOOST_TEST(windows[1].start == SimTime{25s});
  BOOST_TEST(windows[1].end == SimTime{35s});
}

BOOST_AUTO_TEST_SUITE_END()
