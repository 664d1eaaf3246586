// What leftovers.csv says of what each kind of fault leaves: whose doing, at which step, who took it or will, and when.
#include <array>

#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(leftover_causes)

using namespace tests;
using sim::Remover;
using sim::TaskStep;

/// A whole world of one_broker or two_brokers, with a retention of a day where it has none.
sim::RunResult run(std::string_view ini, std::string_view plan, std::string_view policy,
                   std::vector<std::string> sets = {}) {
  sets.insert(sets.begin(), "topic.t.retention.ms=1d");
  const Scenario scenario = read_world(ini, plan, sets);
  return sim::run_world(scenario, policy_choice(policy, scenario), 1, nullptr);
}

const sim::Leftover& first_of(const sim::RunResult& result) {
  BOOST_REQUIRE(!result.leftovers.empty());
  return result.leftovers.front();
}

constexpr SimTime retention_comes{24h};

// A request that takes too long ends by the client's time-out, and what made it long is the cause.
BOOST_AUTO_TEST_CASE(what_makes_a_request_too_slow_is_the_cause_of_what_its_time_out_leaves) {
  for (const char* row : {"0s,2m,store-slow,store,factor=100\n", "300ms,2m,store-slow,store,factor=100\n",
                          "0s,5m,link-delay,store>broker:1,delay=59500ms\n"}) {
    BOOST_TEST_CONTEXT(row) {
      const sim::RunResult result = run(one_broker, row, "kafka-4.0");
      const sim::Leftover& left = first_of(result);
      BOOST_TEST(left.fault.value() == 0u);
      BOOST_TEST((left.step == TaskStep::copy_upload));
      BOOST_TEST((left.reclaimed_by == Remover::clean_up));
      BOOST_TEST(left.bytes > Bytes{0});
      BOOST_TEST(left.bytes < Bytes{1 << 20});
    }
  }
  const sim::RunResult deletes = run(one_broker, "0s,1s,copy-fail,store,\n0s,5m,store-slow,store,factor=100\n",
                                     "kafka-4.0", {"store.delete.latency=1s"});
  BOOST_TEST(first_of(deletes).fault.value() == 1u);
  BOOST_TEST((first_of(deletes).step == TaskStep::clean_up_delete));
}

// Who moves a lead, or ends a task otherwise, has its upload interrupted.
BOOST_AUTO_TEST_CASE(what_interrupts_an_upload_is_the_cause_of_what_it_leaves) {
  for (const char* row : {"500ms,,leader-move,partition:t-0,\n", "500ms,1m,restart,broker:1,\n",
                          "500ms,,unclean-election,partition:t-0,\n", "500ms,30s,pause,broker:1,\n",
                          "500ms,,config-change,topic:t,remote.log.copy.disable=yes\n"}) {
    for (const char* policy : {"kafka-4.0", "kip-dangling"}) {
      BOOST_TEST_CONTEXT(row << " " << policy) {
        const sim::RunResult result = run(two_brokers(), row, policy, {"cluster.brokers=3"});
        const sim::Leftover& left = first_of(result);
        BOOST_TEST(left.bytes == Bytes{471'859});
        BOOST_TEST(left.fault.value() == 0u);
        BOOST_TEST((left.step == TaskStep::copy_upload));
        BOOST_TEST((left.due_by == Remover::retention));
        BOOST_TEST((left.due == retention_comes));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_lost_or_unheard_record_is_the_cause_of_what_stays_started) {
  struct Case {
    const char* row;
    TaskStep step;
    Bytes bytes;
  };
  constexpr Bytes whole{1'048'576 + 262'144 + 2 * 65'536};
  for (const Case& each :
       {Case{"1s,1s,metadata-publish-lost,metadata,state=COPY_SEGMENT_FINISHED\n", TaskStep::copy_publish_finished,
             whole},
        Case{"0s,1s,metadata-ack-lost,metadata,state=COPY_SEGMENT_STARTED\n", TaskStep::copy_publish_started, Bytes{0}},
        Case{"0s,1s,metadata-late,metadata,state=COPY_SEGMENT_STARTED;delay=130s\n", TaskStep::copy_publish_started,
             Bytes{0}}}) {
    BOOST_TEST_CONTEXT(each.row) {
      const sim::RunResult kip = run(one_broker, each.row, "kip-dangling");
      BOOST_TEST(first_of(kip).fault.value() == 0u);
      BOOST_TEST((first_of(kip).step == each.step));
      BOOST_TEST(first_of(kip).bytes == each.bytes);
      BOOST_TEST((first_of(kip).due_by == Remover::retention));
      const sim::RunResult recovery = run(one_broker, each.row, "kip-dangling-recovery");
      BOOST_TEST((first_of(recovery).reclaimed_by == Remover::sweep));
    }
  }
}

// A record that is lost over a link is sent again until the producer gives up; one that takes longer is stored later.
BOOST_AUTO_TEST_CASE(a_link_between_brokers_is_the_cause_of_what_its_publishes_leave) {
  for (const char* row : {"1s,10m,link-loss,broker:2>broker:1,probability=1\n",
                          "1s,10m,link-delay,broker:2>broker:1,delay=3m\n", "1s,10m,partition,broker:2>broker:1,\n"}) {
    BOOST_TEST_CONTEXT(row) {
      const sim::RunResult result = run(two_brokers(), row, "kafka-4.0");
      const sim::Leftover& left = first_of(result);
      BOOST_TEST(left.fault.value() == 0u);
      BOOST_TEST((left.step == TaskStep::copy_publish_finished));
    }
  }
}

BOOST_AUTO_TEST_CASE(lost_records_are_the_cause_of_what_nobody_names) {
  const sim::RunResult result =
      run(one_broker, "2s,,metadata-record-loss,metadata,newest=1s\n10s,5s,crash,broker:1,\n", "kafka-4.0");
  BOOST_REQUIRE(result.leftovers.size() == 2u);
  for (const sim::Leftover& left : result.leftovers) BOOST_TEST(left.fault.value() == 0u);
  // The second copy's only record is gone; the first one's start is still there.
  BOOST_TEST((result.leftovers[0].due_by == Remover::retention));
  BOOST_TEST((result.leftovers[1].due_by == Remover::none));
}

// F18: the deletion ends at its first failure, and each copy that it would have come to is left by that.
BOOST_AUTO_TEST_CASE(what_ends_a_topics_deletion_is_the_cause_of_all_that_it_leaves) {
  for (const char* row : {"0s,1ms,copy-fail,store,probability=0\n5m,10m,store-unavailable,store,operations=delete\n",
                          "0s,1ms,copy-fail,store,probability=0\n10m,5m,metadata-ack-lost,metadata,\n"}) {
    const sim::RunResult result =
        run(one_broker, std::string{row} + "10m,,topic-delete,topic:t,\n", "kip-dangling-recovery");
    BOOST_TEST_CONTEXT(row) {
      BOOST_REQUIRE(result.leftovers.size() == 2u);
      for (const sim::Leftover& left : result.leftovers) {
        BOOST_TEST(left.fault.value() == 1u);
        BOOST_TEST((left.due_by == Remover::none));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(too_much_custom_metadata_is_the_cause_of_what_the_roll_back_leaves) {
  const char* plan = "0s,10s,oversized-custom-metadata,store,\n1400ms,10s,delete-fail,store,\n";
  for (const auto& [policy, due_by] :
       {std::pair{"kafka-3.6", Remover::none}, std::pair{"kafka-3.9", Remover::retention},
        std::pair{"kip-dangling", Remover::retention}, std::pair{"kip-dangling-recovery", Remover::retention}}) {
    BOOST_TEST_CONTEXT(policy) {
      const sim::RunResult result = run(one_broker, plan, policy);
      BOOST_REQUIRE(result.leftovers.size() == 1u);
      BOOST_TEST(first_of(result).fault.value() <=
                 1u);  // The roll-back's delete is the last that failed, where one was tried.
      // The task that sweeps is cancelled until there is another leader, and 3.6's is the one that would expire it
      // (F23).
      BOOST_TEST((first_of(result).due_by == due_by));
      BOOST_TEST((result.summary.garbage_bytes_never == Bytes{0}) == (due_by != Remover::none));
    }
  }
}

// Without a copy task nothing is swept: copies are disabled until the world ends.
BOOST_AUTO_TEST_CASE(no_sweep_is_foreseen_where_no_copy_task_is) {
  const sim::RunResult result = run(one_broker, "500ms,,config-change,topic:t,remote.log.copy.disable=yes\n",
                                    "kip-dangling-recovery", {"client.deadline=1m"});
  BOOST_TEST((first_of(result).due_by == Remover::retention));
  BOOST_TEST((first_of(result).due == retention_comes));
}

// Its bytes were garbage, were deleted, and come again: what is left now is the repetition's.
BOOST_AUTO_TEST_CASE(what_brings_bytes_back_is_the_cause_of_what_is_left) {
  const sim::RunResult result =
      run(one_broker, "0s,1s,copy-fail,store,stored=indexes\n1s,60ms,link-duplicate,broker:1>store,delay=5s\n",
          "kafka-4.0");
  BOOST_REQUIRE(result.leftovers.size() == 1u);
  BOOST_TEST(first_of(result).fault.value() == 1u);
  BOOST_TEST(first_of(result).became_garbage == SimTime{6050ms});
  BOOST_TEST(!first_of(result).reclaimed);
  BOOST_TEST((first_of(result).due_by == Remover::none));
}

BOOST_AUTO_TEST_SUITE_END()
