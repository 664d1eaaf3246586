#include <boost/test/unit_test.hpp>

#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(storage_client)

using namespace tests;

BOOST_AUTO_TEST_CASE(a_copy_is_four_puts_and_two_publishes) {
  TestWorld world{one_broker};
  world.run_until(1474ms);
  BOOST_TEST(world.requests() ==
             "put log 50-1050 ok, put indexes 1050-1300 ok, put producer-snapshot 1300-1362.500 ok, "
             "put leader-epoch-checkpoint 1362.500-1425 ok");
  BOOST_TEST(world.calls() == "put 50-1425 ok");
  BOOST_TEST(world.publishes() == "CS 0-50 ok");
  world.run_until(1475ms);
  BOOST_TEST(world.publishes().starts_with("CS 0-50 ok, CF 1425-1475 ok"));
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
}

BOOST_AUTO_TEST_CASE(latency_of_store_and_network_comes_before_the_bytes) {
  TestWorld world{one_broker, "", {"store.latency=20ms", "network.latency=3ms"}};
  world.run_until(2s);
  BOOST_TEST(world.requests().starts_with("put log 50-1076 ok, put indexes 1076-1352 ok"));
}

BOOST_AUTO_TEST_CASE(a_put_that_takes_too_long_is_cut_by_the_time_out) {
  TestWorld world{one_broker, "", {"client.timeout=10s", "store.bandwidth=64KiB/s"}};
  world.run_until(10'050ms);
  BOOST_TEST(world.requests() == "put log 50-10050 timed-out");
  BOOST_TEST(world.stored(0) == "655360 0 0 0");  // Ten seconds of 64 KiB.
}

BOOST_AUTO_TEST_CASE(every_try_has_the_whole_time_out) {
  TestWorld world{one_broker, "", {"client.timeout=10s", "store.bandwidth=64KiB/s", "client.attempts=3"}};
  world.run_until(31s);
  BOOST_TEST(world.requests().starts_with(
      "put log 50-10050 timed-out, put log 10150-20150 timed-out, put log 20350-30350 timed-out"));
  BOOST_TEST(world.calls().starts_with("put 50-30350 timed-out"));
}

BOOST_AUTO_TEST_CASE(a_time_out_leaves_parts_when_the_client_uploads_in_parts) {
  TestWorld world{one_broker,
                  "",
                  {"client.timeout=10s", "store.bandwidth=64KiB/s", "client.multipart=yes", "client.abort=no",
                   "client.part.size=64KiB", "client.attempts=2"}};
  world.run_until(10'050ms);
  BOOST_TEST(world.parts(0) == "655360 0 0 0");
  world.run_until(21s);
  BOOST_TEST(world.parts(0) == "1310720 0 0 0");  // Two unfinished uploads.
  BOOST_TEST(world.stored(0) == "0 0 0 0");
}

// Of all tries and waits together: two tries of ten seconds, a back-off of one, and what is left of twenty-five.
BOOST_AUTO_TEST_CASE(a_deadline_ends_a_copy_wherever_it_stands) {
  TestWorld world{one_broker,
                  "",
                  {"client.timeout=10s", "store.bandwidth=64KiB/s", "client.attempts=9", "client.backoff=1s",
                   "client.deadline=25s"},
                  "kafka-3.6"};
  world.run_until(26s);
  BOOST_TEST(world.requests() ==
             "put log 50-10050 timed-out, put log 11050-21050 timed-out, put log 23050-25050 timed-out");
  BOOST_TEST(world.calls() == "put 50-25050 timed-out");
}

// In the wait before a try, which is then not made; and between two objects.
BOOST_AUTO_TEST_CASE(nothing_is_sent_after_the_deadline) {
  TestWorld waiting{one_broker,
                    "0s,1h,store-reject,store,operations=put;probability=1\n",
                    {"client.attempts=3", "client.backoff=10s", "client.deadline=15s"},
                    "kafka-3.6"};
  waiting.run_until(20s);
  BOOST_TEST(waiting.requests() == "put log 50-50 rejected, put log 10050-10050 rejected");
  BOOST_TEST(waiting.calls() == "put 50-15050 timed-out");

  TestWorld flowing{one_broker, "", {"client.deadline=1s"}, "kafka-3.6"};
  flowing.run_until(2s);
  BOOST_TEST(flowing.requests() == "put log 50-1050 ok");
  BOOST_TEST(flowing.calls() == "put 50-1050 timed-out");
}

// A copy whose answer is lost waits for it no longer than that, with no time-out of a try at all. Deletes have none.
BOOST_AUTO_TEST_CASE(a_deadline_ends_a_wait_for_a_lost_answer_but_no_delete) {
  TestWorld world{one_broker,
                  "0s,1h,copy-fail,store,stored=all;answer=lost\n0s,1h,delete-fail,store,stored=all;answer=lost\n",
                  {"client.timeout=0s", "client.deadline=20s"},
                  "kafka-3.9"};
  world.run_until(1h);
  BOOST_TEST(world.calls() == "put 50-20050 timed-out");
}

BOOST_AUTO_TEST_CASE(jitter_takes_at_most_its_share_of_the_back_off) {
  TestWorld world{one_broker,
                  "0s,1h,store-reject,store,operations=put;probability=1\n",
                  {"client.attempts=2", "client.backoff=1s", "client.backoff.jitter=0.5"}};
  world.run_until(10min);
  std::set<Duration> pauses;
  const auto requests = world.all<sim::StoreRequestEnded>();
  for (std::size_t i = 1; i < requests.size(); ++i) {
    if (requests[i].event.operation != sim::StoreOperation::put ||
        requests[i - 1].event.segment != requests[i].event.segment)
      continue;
    pauses.insert(requests[i].event.started - requests[i - 1].time);
  }
  BOOST_TEST(pauses.size() > 10u);
  BOOST_TEST((*pauses.begin() >= 500ms && *pauses.rbegin() <= 1s));
}

/// Broker 2 leads from 9 s on and uploads at 2 KiB a second from 9.05 s; at 300 s the lead goes back to broker 1.
constexpr std::string_view handover = "0s,60s,crash,broker:1,\n";
std::vector<std::string> handover_sets(std::string interrupt) {
  return {"cluster.brokers=2",
          "store.bandwidth=2KiB/s",
          "client.timeout=0s",
          "topic.t.initial.closed=1",
          "metadata.remote.log.metadata.topic.num.partitions=1",
          "client.interrupt=" + std::move(interrupt)};
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_a_call_where_it_stands) {
  TestWorld world{one_broker, handover, handover_sets("throw")};
  world.run_until(300s);
  BOOST_TEST(world.leaders() == "0 1/0, 0 0/0, 9000 2/1, 300000 1/2");
  BOOST_TEST(world.calls() == "put 9050-300000 interrupted");
  BOOST_TEST(world.stored(0) == "595865 0 0 0");  // 290.95 s of 2 KiB.
  world.run_until(310s);
  BOOST_TEST(world.transitions(0) == "9000 CS");
}

BOOST_AUTO_TEST_CASE(an_interrupt_may_come_out_of_the_plug_in_as_another_exception) {
  for (const char* policy : {"kafka-3.9", "kafka-4.0", "kip-dangling"}) {
    TestWorld world{one_broker, handover, handover_sets("unchecked"), policy};
    world.run_until(310s);
    BOOST_TEST(world.calls() == "put 9050-300000 interrupted");
    BOOST_TEST(world.stored(0) == "595865 0 0 0");
    BOOST_TEST(world.transitions(0) == "9000 CS");
  }
}

BOOST_AUTO_TEST_CASE(a_plug_in_that_ignores_interrupts_uploads_to_the_end) {
  TestWorld world{one_broker, handover, handover_sets("ignore")};
  world.run_until(722s);
  // 512 s for the log, 176 for the rest; the new leader's upload ends 291 s later.
  BOOST_TEST(world.calls().starts_with("put 9050-713050 ok"));
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
}

// Facts 6.6, F14: broker 2 deletes two copies of epoch 0 and one of epoch 1 when it loses the lead. The plug-in keeps
// the interrupt to itself, so that the run gets as far as the listing, where a copy of epoch 0 lies below the raised
// log start; it spins there until the process ends, and `no-task-blocked` sees it.
BOOST_AUTO_TEST_CASE(f14_a_run_whose_interrupt_is_swallowed_spins_and_is_seen_waiting) {
  for (const std::string_view policy : policy_names()) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{one_broker,
                      handover,
                      {"cluster.brokers=2", "topic.t.initial.closed=0", "topic.t.initial.finished=3",
                       "topic.t.initial.epochs=0=0 1=2048", "topic.t.initial.age=330s", "topic.t.retention.ms=600000",
                       "store.delete.latency=20s", "metadata.remote.log.metadata.topic.num.partitions=1",
                       "client.timeout=0s", "client.interrupt=swallow"},
                      policy};
      world.run_until(1h);
      bool spins = false;
      for (const auto& branch : world.all<sim::BranchTaken>()) spins |= branch.event.branch == "truncation-spins";
      BOOST_TEST(spins == (policy != "kafka-3.6"));
      const std::vector<std::string> waits = world.world.runs_waiting_since(model::time_start + 30min);
      const std::vector<std::string> expected{"broker 2 expiration task of t-0"};
      BOOST_TEST((waits == (spins ? expected : std::vector<std::string>{})));
    }
  }
}

BOOST_AUTO_TEST_CASE(one_task_of_3_6_is_not_interrupted_by_a_move_of_the_leader) {
  TestWorld world{one_broker, handover, handover_sets("throw"), "kafka-3.6"};
  world.run_until(750s);
  // The task was there before, as the follower's, and goes on on its own schedule (facts 4.2).
  const auto calls = world.all<sim::StorageCallEnded>();
  BOOST_REQUIRE(!calls.empty());
  BOOST_TEST(calls[0].event.started >= SimTime{9050ms});
  BOOST_TEST(calls[0].event.started < SimTime{39050ms});
  BOOST_TEST((calls[0].time - calls[0].event.started == 704s));
  BOOST_TEST((calls[0].event.result == sim::CallResult::ok));
}

BOOST_AUTO_TEST_SUITE_END()
