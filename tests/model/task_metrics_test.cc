// Which meters and gauges the tasks set, and when: facts 5.1, 5.5, 5.7, 6.1, 6.6, 6.7 and 9.
#include <utility>

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::Metric;
using model::Offset;
using model::PartitionNumber;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};

/// Requests, errors and bytes of copies, as `1 1 0`.
std::string copy_meters(const TaskWorld& world) {
  return fmt::format("{} {} {}", world.metric(Metric::remote_copy_requests_per_sec),
                     world.metric(Metric::remote_copy_errors_per_sec), world.metric(Metric::remote_copy_bytes_per_sec));
}
std::string delete_meters(const TaskWorld& world) {
  return fmt::format("{} {}", world.metric(Metric::remote_delete_requests_per_sec),
                     world.metric(Metric::remote_delete_errors_per_sec));
}
/// Segments and bytes.
std::string copy_lag(const TaskWorld& world) {
  return fmt::format("{} {}", world.metric(Metric::remote_copy_lag_segments),
                     world.metric(Metric::remote_copy_lag_bytes));
}
std::string delete_lag(const TaskWorld& world) {
  return fmt::format("{} {}", world.metric(Metric::remote_delete_lag_segments),
                     world.metric(Metric::remote_delete_lag_bytes));
}
std::string metadata(const TaskWorld& world) {
  return fmt::format("{} {}", world.metric(Metric::remote_log_metadata_count),
                     world.metric(Metric::remote_log_size_bytes));
}

/// One closed segment whose first upload is answered with `copied`; copies alone for one run.
struct OneCopy {
  OneCopy(std::string_view policy, Answer copied) : world({.policy = policy}) {
    world.append_segments(1);
    world.answer(Call::copy, copied);
  }
  void run() {
    world.manager().become_leader(partition0, model::LeaderEpoch{0}, 0s, 24h);
    world.run_for(1s);
  }
  TaskWorld world;
};

/// Expiration alone: due copies of 100 bytes from offset 0 and then a retained one.
struct DueCopies {
  explicit DueCopies(int count, TaskWorldSettings settings = {}) : world(std::move(settings)) {
    world.start_log_at(10 * count + 10);
    world.topic_options().retention_time = 1s;
    for (int i = 0; i < count; ++i) world.add_copy(10 * i, 10 * i + 9, copy_segment_finished);
    world.add_copy(10 * count, 10 * count + 9, copy_segment_finished, {}, model::time_start + 24h);
  }
  void run() {
    world.manager().become_leader(partition0, model::LeaderEpoch{0}, 24h, 15s);
    world.run_for(15s);
  }
  /// In 3.6 expiration is the second half of the one task.
  void run_one_task() {
    world.run_for(15s);
    world.lead();
    world.run_for(1s);
  }
  TaskWorld world;
};

BOOST_AUTO_TEST_SUITE(task_metrics)

// Facts 5.5 steps 4 and 8: a request before the upload, bytes after the last publish.
BOOST_AUTO_TEST_CASE(a_copy_marks_its_request_and_then_its_bytes) {
  OneCopy copy{"kafka-4.0", parked};
  copy.run();
  BOOST_TEST(copy_meters(copy.world) == "1 0 0");
  copy.world.release(Call::copy);
  BOOST_TEST(copy_meters(copy.world) == "1 0 100");
}

// Facts 5.1, 5.5 step 2: what ends a run counts once; without the first publish there is no request.
BOOST_AUTO_TEST_CASE(a_run_that_ends_with_an_error_marks_one) {
  for (const Answer& error : {permanent, unchecked, oversized}) {
    OneCopy copy{"kafka-4.0", error};
    copy.run();
    BOOST_TEST(copy_meters(copy.world) == "1 1 0");
  }
  OneCopy unannounced{"kafka-4.0", ok};
  unannounced.world.answer(Call::started, refused);
  unannounced.run();
  BOOST_TEST(copy_meters(unannounced.world) == "0 1 0");
  OneCopy unconfirmed{"kafka-4.0", ok};
  unconfirmed.world.answer(Call::finished, timed_out);
  unconfirmed.run();
  BOOST_TEST(copy_meters(unconfirmed.world) == "1 1 0");
}

// Facts 5.6, last column: a retriable error counts up to 4.2.
BOOST_AUTO_TEST_CASE(a_retriable_error_of_a_copy_is_none_from_4_3_on) {
  for (const std::string_view policy : {"kafka-3.6", "kafka-3.9", "kafka-4.0", "kafka-4.2", "kafka-4.3"}) {
    OneCopy copy{policy, retriable};
    copy.run();
    BOOST_TEST(copy_meters(copy.world) == (policy == "kafka-4.3" ? "1 0 0" : "1 1 0"), policy);
  }
}

// Facts 5.1: neither an interrupt nor a task that is cancelled counts, nor a cache that is not initialized.
BOOST_AUTO_TEST_CASE(a_cancelled_task_marks_no_error) {
  for (const bool throws : {true, false}) {
    TaskWorld world{{.policy = "kafka-4.0", .on_interrupt = throws ? OnInterrupt::fails : OnInterrupt::goes_on}};
    world.append_segments(1);
    world.answer(Call::copy, parked);
    world.lead();
    world.run_for(1s);
    world.manager().become_follower(partition0);
    if (!throws) world.release(Call::copy);
    world.run_for(1s);
    BOOST_TEST(copy_meters(world) == "1 0 0");
  }
  TaskWorld unready{{.policy = "kafka-3.9"}};
  unready.set_ready(false);
  unready.append_segments(1);
  unready.lead();
  unready.run_for(100s);
  BOOST_TEST(copy_meters(unready) == "0 0 0");
}

// Facts 5.6, 6.7: 3.9's clean-up goes past deleteRemoteLogSegment and marks nothing; 4.0's marks like any delete.
BOOST_AUTO_TEST_CASE(clean_ups_mark_deletes_from_4_0_on) {
  for (const auto& [policy, marks] : {std::pair{"kafka-3.9", "0 0"}, std::pair{"kafka-4.0", "1 1"}}) {
    OneCopy copy{policy, permanent};
    copy.world.answer(Call::remove, permanent);
    copy.run();
    BOOST_TEST(delete_meters(copy.world) == marks, policy);
  }
}

// Facts 6.7: after the first publish; unchecked exceptions and, in 4.3, retriable ones are no error here.
BOOST_AUTO_TEST_CASE(a_retention_delete_marks_its_request_and_its_error) {
  struct Row {
    std::string_view policy;
    Call call;
    Answer answer;
    std::string_view marks;
  };
  for (const Row& row :
       {Row{"kafka-4.0", Call::delete_started, refused, "0 0"}, Row{"kafka-4.0", Call::remove, permanent, "1 1"},
        Row{"kafka-4.2", Call::remove, retriable, "1 1"}, Row{"kafka-4.3", Call::remove, retriable, "1 0"},
        Row{"kafka-4.3", Call::remove, permanent, "1 1"}, Row{"kafka-3.9", Call::remove, unchecked, "1 0"},
        Row{"kafka-3.6", Call::remove, permanent, "0 0"}}) {
    TaskWorldSettings settings{.policy = row.policy};
    DueCopies due{1, settings};
    due.world.answer(row.call, row.answer);
    row.policy == "kafka-3.6" ? due.run_one_task() : due.run();
    BOOST_TEST(delete_meters(due.world) == row.marks, row.policy);
  }
}

// Facts 5.7: up to 4.1 set after a success alone, so that it is missing and then stale while copies fail; 4.2 sets it
// after each attempt, 4.3 at the end of each run.
BOOST_AUTO_TEST_CASE(f29_copy_lag_is_stale_while_copies_fail) {
  struct Row {
    std::string_view policy;
    std::string_view first;
    std::string_view later;
  };
  for (const Row& row :
       {Row{"kafka-3.6", "0 0", "0 0"}, Row{"kafka-3.9", "0 0", "1 100"}, Row{"kafka-4.0", "0 0", "1 100"},
        Row{"kafka-4.2", "2 200", "3 300"}, Row{"kafka-4.3", "2 200", "3 300"}}) {
    BOOST_TEST_CONTEXT(row.policy) {
      TaskWorld world{{.policy = row.policy}};
      world.append_segments(2);
      world.answer(Call::copy, unchecked);
      world.manager().become_leader(partition0, model::LeaderEpoch{0}, 0s, 24h);
      world.run_for(1s);
      BOOST_TEST(copy_lag(world) == row.first);
      // The next run copies one of the two and fails with the other, the one after that fails with three left.
      world.answer(Call::copy, ok);
      world.answer_always(Call::copy, unchecked);
      world.run_for(30s);
      world.append_segments(2);
      world.run_for(30s);
      BOOST_TEST(copy_lag(world) == row.later);
    }
  }
}

// Facts 5.7: 4.3 sets it at the end of each run, also of one that may not copy the closed segment yet (8.5).
BOOST_AUTO_TEST_CASE(copy_lag_is_set_in_4_3_when_there_is_nothing_to_copy) {
  for (const auto& [policy, lag] :
       {std::pair{"kafka-4.0", "0 0"}, std::pair{"kafka-4.2", "0 0"}, std::pair{"kafka-4.3", "1 50"}}) {
    TaskWorld world{{.policy = policy}};
    world.append_segments(1);
    world.manager().become_leader(partition0, model::LeaderEpoch{0}, 0s, 24h);
    world.run_for(1s);
    world.log().append(5, 50_B, world.now());
    world.log().roll(world.now());
    world.manager().changed(partition0);
    world.run_for(30s);
    BOOST_TEST(copy_lag(world) == lag, policy);
    BOOST_TEST(world.runs() == "copy started under 0, copy done");
  }
}

// Facts 5.7: the active segment is taken off, whatever stays; 4.3 says so also when there is nothing to copy.
BOOST_AUTO_TEST_CASE(copy_lag_ends_at_zero_and_4_3_never_goes_below) {
  for (const std::string_view policy : {"kafka-3.9", "kafka-4.0", "kafka-4.2", "kafka-4.3"}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy}};
      world.append_segments(2);
      world.log().append(5, 50_B, world.now());
      world.manager().become_leader(partition0, model::LeaderEpoch{0}, 0s, 24h);
      world.run_for(1s);
      BOOST_TEST(copy_lag(world) == "0 0");
      // Truncated below what was copied (F27): nothing is only local, and the active segment is still taken off.
      world.log().truncate_to(Offset{12});
      world.manager().changed(partition0);
      world.run_for(60s);
      BOOST_TEST(copy_lag(world) == "0 0");
    }
  }
}

// Facts 6.1 steps 2 and 3: all states; of sizes 4.3 adds up finished and deleting ones.
BOOST_AUTO_TEST_CASE(metadata_count_and_size_are_what_the_run_began_with) {
  for (const auto& [policy, before, after] :
       {std::tuple{"kafka-3.9", "4 400", "2 200"}, std::tuple{"kafka-4.0", "4 400", "2 200"},
        std::tuple{"kafka-4.3", "4 300", "2 100"}, std::tuple{"kafka-3.6", "0 0", "0 0"}}) {
    BOOST_TEST_CONTEXT(policy) {
      DueCopies due{1, {.policy = policy}};
      due.world.add_copy(11, 19, copy_segment_started, {}, model::time_start + 24h);
      due.world.add_copy(0, 8, delete_segment_started);
      due.world.answer(Call::delete_started, parked);
      policy == std::string_view{"kafka-3.6"} ? due.run_one_task() : due.run();
      BOOST_TEST(metadata(due.world) == before);
      due.world.release(Call::delete_started);
      due.world.run_for(5s);
      BOOST_TEST(metadata(due.world) == before);
      due.world.run_for(60s);
      BOOST_TEST(metadata(due.world) == after);
    }
  }
}

// Facts 6.1 step 8: counts down with each delete and stays when one fails.
BOOST_AUTO_TEST_CASE(delete_lag_counts_down_and_stays_at_a_failure) {
  DueCopies due{3};
  due.world.answer(Call::remove, ok);
  due.world.answer(Call::remove, parked);
  due.run();
  BOOST_TEST(delete_lag(due.world) == "2 200");
  due.world.release(Call::remove, permanent);
  due.world.run_for(10s);
  BOOST_TEST(delete_lag(due.world) == "2 200");
  due.world.run_for(60s);
  BOOST_TEST(delete_lag(due.world) == "0 0");
}

// Facts 6.1 step 6c, 6.8: bytes of a retried DELETE_SEGMENT_STARTED are taken off and were never added.
BOOST_AUTO_TEST_CASE(f29_delete_lag_bytes_fall_below_zero_when_started_deletes_are_retried) {
  for (const auto& [policy, lag] :
       {std::pair{"kafka-3.9", "0 0"}, std::pair{"kafka-4.0", "0 -100"}, std::pair{"kafka-4.3", "0 -100"}}) {
    TaskWorld world{{.policy = policy}};
    world.start_log_at(20);
    world.topic_options().retention_time = 1s;
    world.add_copy(0, 9, delete_segment_started);
    world.add_copy(10, 19, copy_segment_finished, {}, model::time_start + 24h);
    world.manager().become_leader(partition0, model::LeaderEpoch{0}, 24h, 15s);
    world.run_for(15s);
    BOOST_TEST(world.events().ends_with("DS 0, delete 0, DF 0"));
    BOOST_TEST(delete_lag(world) == lag, policy);
    // The next run finds nothing to delete and says so.
    world.run_for(30s);
    BOOST_TEST(delete_lag(world) == "0 0", policy);
  }
}

// Facts 6.1 step 2: with no copy listed the run returns before it touches the lag.
BOOST_AUTO_TEST_CASE(f29_delete_lag_is_not_reset_when_no_copy_is_left) {
  TaskWorld world;
  world.start_log_at(10);
  world.topic_options().retention_time = 1s;
  const model::RemoteLogSegment& copy = world.add_copy(0, 9, copy_segment_finished);
  world.answer(Call::delete_finished, timed_out);
  world.manager().become_leader(partition0, model::LeaderEpoch{0}, 24h, 15s);
  world.run_for(15s);
  BOOST_TEST(!world.cache().find(copy).has_value());
  BOOST_TEST(delete_lag(world) == "1 100");
  world.run_for(300s);
  BOOST_TEST(delete_lag(world) == "1 100");
  BOOST_TEST(metadata(world) == "0 0");
}

// Facts 6.6: listed once an epoch, deleted twice, taken off twice; one that straddles the earliest is never taken off.
BOOST_AUTO_TEST_CASE(delete_lag_keeps_what_straddles_the_earliest_epoch) {
  TaskWorld world;
  world.append_segments(2);
  world.log().update_highest_offset_in_remote_storage(Offset{19});
  world.log().leader_epochs().truncate_from_end(Offset{0});
  world.log().leader_epochs().assign(model::LeaderEpoch{5}, Offset{0});
  world.add_copy(0, 9, copy_segment_finished, epochs({{3, 0}, {4, 5}}), model::time_start + 24h);
  world.add_copy(8, 19, copy_segment_finished, epochs({{4, 8}, {5, 12}}), model::time_start + 24h);
  world.answer(Call::delete_started, parked);
  world.manager().become_leader(partition0, model::LeaderEpoch{5}, 24h, 15s);
  world.run_for(15s);
  BOOST_TEST(delete_lag(world) == "3 300");
  world.release(Call::delete_started);
  BOOST_TEST(delete_lag(world) == "1 100");
  world.run_for(300s);
  BOOST_TEST(delete_lag(world) == "1 100");
}

// Facts 9: gone with the leadership; a cancelled run that is still in flight may bring its own back (KAFKA-21124).
BOOST_AUTO_TEST_CASE(gauges_are_removed_on_becoming_a_follower_and_a_late_run_brings_some_back) {
  DueCopies due{2, {.on_interrupt = OnInterrupt::swallows}};
  due.world.answer(Call::remove, parked);
  due.run();
  BOOST_TEST(metadata(due.world) == "3 300");
  BOOST_TEST(delete_lag(due.world) == "2 200");
  due.world.manager().become_follower(partition0);
  BOOST_TEST(metadata(due.world) == "0 0");
  BOOST_TEST(delete_lag(due.world) == "0 0");
  due.world.release(Call::remove);
  BOOST_TEST(delete_lag(due.world) == "1 100");
  BOOST_TEST(metadata(due.world) == "0 0");
}

/// Every metric every five seconds: copies and deletes that fail now and then, an idle hour, a leadership that goes and
/// returns.
std::vector<std::string> samples(TaskWorldSettings settings) {
  TaskWorld world{std::move(settings)};
  world.topic_options().retention_time = 10min;
  world.topic_options().retention_bytes = 450_B;
  for (int minute = 0; minute < 60; minute += 3) {
    world.at(model::time_start + minute * 1min + 7s, [&world, minute] {
      if (minute % 2 == 0) world.answer(Call::copy, minute % 4 == 0 ? permanent : retriable);
      if (minute % 5 == 0) world.answer(Call::remove, permanent);
      world.append_segments(1 + minute % 2);
    });
  }
  world.at(model::time_start + 30min + 3s, [&world] { world.manager().become_follower(partition0); });
  world.at(model::time_start + 31min,
           [&world] { world.manager().become_leader(partition0, model::LeaderEpoch{1}, 0s, 2s); });
  world.lead();
  std::vector<std::string> rows;
  for (int i = 0; i < 2 * 720; ++i) {
    world.run_for(5s);
    std::string row;
    for (const model::MetricInfo& info : model::metrics()) row += fmt::format("{} ", world.metric(info.metric));
    rows.push_back(std::move(row));
  }
  return rows;
}

BOOST_AUTO_TEST_CASE(metrics_are_the_same_without_elision) {
  for (const std::string_view policy :
       {"kafka-3.6", "kafka-3.9", "kafka-4.0", "kafka-4.2", "kafka-4.3", "kip-dangling"}) {
    BOOST_TEST_CONTEXT(policy) {
      const auto elided = samples({.policy = policy, .elide_idle_ticks = true, .call_time = 700ms});
      const auto full = samples({.policy = policy, .elide_idle_ticks = false, .call_time = 700ms});
      BOOST_TEST(elided == full, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
