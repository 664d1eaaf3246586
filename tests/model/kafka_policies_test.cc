// What Kafka's versions do about a failed copy: facts 5.6, cell by cell.
#include <boost/test/unit_test.hpp>

#include "model/policies/policies.h"
#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::PartitionNumber;
using model::TaskKind;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};

/// A world whose first copy of one segment is answered with `copied`, run once.
struct OneCopy {
  OneCopy(std::string_view policy, Answer copied) : world({.policy = policy}) {
    world.append_segments(1);
    world.answer(Call::copy, copied);
  }
  void run() {
    world.lead();
    world.run_for(1s);
  }
  TaskWorld world;
};

/// Cancels the task while its upload is parked; a plug-in that throws fails the upload.
void cancel_in_upload(TaskWorld& world) {
  world.lead();
  world.run_for(1s);
  world.manager().become_follower(partition0);
  world.run_for(1s);
}

BOOST_AUTO_TEST_SUITE(kafka_policies)

BOOST_AUTO_TEST_CASE(the_list_names_every_policy_once) {
  std::vector<std::string_view> names;
  for (const model::PolicyEntry& entry : model::policies()) {
    names.push_back(entry.name);
    BOOST_TEST(entry.make({}, model::nothing_finalized)->name() == entry.name);
  }
  const std::vector<std::string_view> expected{"kafka-3.6", "kafka-3.9",    "kafka-4.0",
                                               "kafka-4.3", "kip-dangling", "kip-dangling-recovery"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
}

// 3.6, first row.
BOOST_AUTO_TEST_CASE(in_3_6_a_failed_copy_stays_as_it_is) {
  for (const Answer& error : {permanent, retriable}) {
    OneCopy copy{"kafka-3.6", error};
    copy.run();
    BOOST_TEST(copy.world.events() == "CS 0, copy 0");
    BOOST_TEST(copy.world.steps() == "copy-publish-started 0, copy-upload 0, left 0");
    BOOST_TEST(copy.world.cache().count(copy_segment_started) == 1);
  }
}

// 3.6, oversized custom metadata: the plug-in's delete alone, then nothing more on this leader (F23).
BOOST_AUTO_TEST_CASE(in_3_6_oversized_custom_metadata_deletes_the_data_and_stops_both_jobs) {
  OneCopy copy{"kafka-3.6", oversized};
  copy.run();
  copy.world.append_segments(1);
  copy.world.run_for(120s);
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, delete 0");
  BOOST_TEST(copy.world.runs() == "copy started under 0, copy failed");
  BOOST_TEST(copy.world.cache().count(copy_segment_started) == 1);
  copy.world.manager().become_follower(partition0);
  copy.world.manager().become_leader(partition0, model::LeaderEpoch{1}, 0s, 0s);
  copy.world.run_for(120s);
  BOOST_TEST(copy.world.events() == "");
}

// 3.9, KAFKA-17062: one delete at once, no event; retriable errors are no other case.
BOOST_AUTO_TEST_CASE(in_3_9_a_failed_copy_is_deleted_without_a_record) {
  for (const Answer& error : {permanent, retriable}) {
    OneCopy copy{"kafka-3.9", error};
    copy.run();
    BOOST_TEST(copy.world.events() == "CS 0, copy 0, delete 0");
    BOOST_TEST(copy.world.steps() ==
               "copy-publish-started 0, copy-upload 0, clean-up-decided 0, clean-up-delete 0, left 0");
    BOOST_TEST(copy.world.cache().count(copy_segment_started) == 1);
  }
}

// 3.9: the delete's failure is only logged, and nobody tries again.
BOOST_AUTO_TEST_CASE(in_3_9_a_failed_clean_up_is_never_tried_again) {
  OneCopy copy{"kafka-3.9", permanent};
  copy.world.answer(Call::remove, permanent);
  copy.run();
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, delete 0");
  BOOST_TEST(copy.world.branches() == "clean-up-failed");
  copy.world.run_for(300s);
  BOOST_TEST(copy.world.events() == "CS 1, copy 1, CF 1");
}

// 3.9, row 'task already cancelled': still deletes.
BOOST_AUTO_TEST_CASE(in_3_9_a_cancelled_task_still_deletes) {
  OneCopy copy{"kafka-3.9", parked};
  cancel_in_upload(copy.world);
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, delete 0");
}

BOOST_AUTO_TEST_CASE(in_3_9_oversized_custom_metadata_deletes_the_data_and_stops_copying) {
  OneCopy copy{"kafka-3.9", oversized};
  copy.run();
  copy.world.append_segments(1);
  copy.world.run_for(120s);
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, delete 0");
  copy.world.manager().become_follower(partition0);
  copy.world.manager().become_leader(partition0, model::LeaderEpoch{1}, 0s, 0s);
  copy.world.run_for(1s);
  BOOST_TEST(copy.world.events() == "CS 1, copy 1, CF 1, CS 2, copy 2, CF 2");
}

// 4.0, KAFKA-17428: a delete with states; retriable errors are no other case before 4.3.
BOOST_AUTO_TEST_CASE(in_4_0_a_failed_copy_is_deleted_with_states) {
  for (const Answer& error : {permanent, retriable}) {
    OneCopy copy{"kafka-4.0", error};
    copy.run();
    BOOST_TEST(copy.world.events() == "CS 0, copy 0, DS 0, delete 0, DF 0");
    BOOST_TEST(copy.world.steps() ==
               "copy-publish-started 0, copy-upload 0, clean-up-decided 0, clean-up-publish-started 0, "
               "clean-up-delete 0, clean-up-publish-finished 0, left 0");
    BOOST_TEST(copy.world.runs() == "copy started under 0, copy failed");
  }
}

// 4.0 and 6.7 step 3: DELETE_SEGMENT_STARTED stays. PR 17335's life cycle: the expiration task retries what it reaches.
BOOST_AUTO_TEST_CASE(in_4_0_a_failed_clean_up_is_retried_by_the_expiration_task) {
  OneCopy copy{"kafka-4.0", permanent};
  copy.world.answer(Call::remove, permanent);
  copy.run();
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, DS 0, delete 0");
  BOOST_TEST(copy.world.cache().count(delete_segment_started) == 1);
  copy.world.run_for(14s);
  BOOST_TEST(copy.world.events() == "DS 0, delete 0, DF 0");
  copy.world.run_for(15s);
  BOOST_TEST(copy.world.events() == "CS 1, copy 1, CF 1");
}

// Readings C02 (b): when the second delete fails as well, the new copy stands before it.
BOOST_AUTO_TEST_CASE(in_4_0_a_clean_up_behind_a_retained_copy_is_not_retried) {
  OneCopy copy{"kafka-4.0", permanent};
  copy.world.answer(Call::remove, permanent);
  copy.world.answer(Call::remove, permanent);
  copy.run();
  copy.world.run_for(3600s);
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, DS 0, delete 0, DS 0, delete 0, CS 1, copy 1, CF 1");
  BOOST_TEST(copy.world.cache().count(delete_segment_started) == 1);
}

// 4.0, row 'task already cancelled': the guard is false and nothing is done (F13).
BOOST_AUTO_TEST_CASE(in_4_0_a_cancelled_task_cleans_up_nothing) {
  OneCopy copy{"kafka-4.0", parked};
  cancel_in_upload(copy.world);
  BOOST_TEST(copy.world.events() == "CS 0, copy 0");
  BOOST_TEST(copy.world.branches() == "clean-up-skipped-when-cancelled");
  BOOST_TEST(copy.world.steps() == "copy-publish-started 0, copy-upload 0, left 0");
}

// 4.0, row 'clean-up itself throws': it replaces the copy's error.
BOOST_AUTO_TEST_CASE(in_4_0_a_clean_up_that_cannot_publish_ends_there) {
  OneCopy copy{"kafka-4.0", permanent};
  copy.world.answer(Call::delete_started, refused);
  copy.run();
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, DS 0");
  BOOST_TEST(copy.world.cache().count(copy_segment_started) == 1);
}

BOOST_AUTO_TEST_CASE(in_4_0_oversized_custom_metadata_is_cleaned_up_and_stops_copying) {
  OneCopy copy{"kafka-4.0", oversized};
  copy.run();
  copy.world.append_segments(1);
  copy.world.run_for(120s);
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, DS 0, delete 0, DF 0");
}

// 5.1 and 5.6 together: CustomMetadataSizeLimitExceeded never leaves the handler when the clean-up throws, so the task
// goes on.
BOOST_AUTO_TEST_CASE(in_4_0_a_throwing_clean_up_keeps_the_task_alive_after_oversized_custom_metadata) {
  OneCopy copy{"kafka-4.0", oversized};
  copy.world.answer(Call::delete_finished, refused);
  copy.run();
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, DS 0, delete 0, DF 0");
  copy.world.run_for(30s);
  BOOST_TEST(copy.world.events() == "DS 0, delete 0, DF 0, CS 1, copy 1, CF 1");
}

// 4.3, KAFKA-19981: a retriable error cleans up nothing, so that each attempt leaves a copy (F6).
BOOST_AUTO_TEST_CASE(in_4_3_a_retriable_error_leaves_the_copy_as_it_is) {
  OneCopy copy{"kafka-4.3", retriable};
  copy.world.answer(Call::copy, retriable);
  copy.run();
  copy.world.run_for(300s);
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, CS 1, copy 1, CS 2, copy 2, CF 2");
  BOOST_TEST(copy.world.branches() == "clean-up-skipped-when-retriable, clean-up-skipped-when-retriable");
  BOOST_TEST(copy.world.cache().count(copy_segment_started) == 2);
}

// 4.3: any other RemoteStorageException is 4.0's case, with a clean-up whose own error is caught, a retriable one too.
BOOST_AUTO_TEST_CASE(in_4_3_another_error_is_cleaned_up_with_states) {
  OneCopy copy{"kafka-4.3", permanent};
  copy.run();
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, DS 0, delete 0, DF 0");
  OneCopy twice{"kafka-4.3", permanent};
  twice.world.answer(Call::remove, retriable);
  twice.run();
  BOOST_TEST(twice.world.events() == "CS 0, copy 0, DS 0, delete 0");
  BOOST_TEST(twice.world.branches() == "clean-up-failed");
}

// 4.3, last row: oversized custom metadata is no retriable error.
BOOST_AUTO_TEST_CASE(in_4_3_oversized_custom_metadata_is_cleaned_up_and_stops_copying) {
  OneCopy copy{"kafka-4.3", oversized};
  copy.run();
  copy.world.append_segments(1);
  copy.world.run_for(120s);
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, DS 0, delete 0, DF 0");
}

// 4.2 behaves as 4.0 and is no policy of its own; the API's retriable error is still no other case (readings 3.7).
BOOST_AUTO_TEST_CASE(in_4_2_a_retriable_error_is_cleaned_up_with_states) {
  OneCopy copy{"kafka-4.2", retriable};
  copy.run();
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, DS 0, delete 0, DF 0");
  BOOST_TEST(model::make_kafka_4_2({})->name() == "kafka-4.2");
  // Facts 3.2 (KAFKA-19425).
  BOOST_TEST(model::make_kafka_4_2({})->rules().exits_when_initialization_fails);
  BOOST_TEST(!model::make_kafka_4_0({})->rules().exits_when_initialization_fails);
}

// Exactly the limit is allowed (5.5 step 6).
BOOST_AUTO_TEST_CASE(custom_metadata_of_the_limit_is_no_error) {
  OneCopy copy{"kafka-4.0", Answer{.custom_metadata_size = 128}};
  copy.run();
  BOOST_TEST(copy.world.events() == "CS 0, copy 0, CF 0");
}

BOOST_AUTO_TEST_SUITE_END()

// Facts 4.2, 4.4: the single task of 3.6.
BOOST_AUTO_TEST_SUITE(kafka_3_6_task)

BOOST_AUTO_TEST_CASE(one_run_copies_and_then_expires) {
  TaskWorld world{{.policy = "kafka-3.6"}};
  world.topic_options().retention_time = 10s;
  world.append_segments(1);
  world.run_for(20s);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0, raise 10, DS 0, delete 0, DF 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy done");
  BOOST_TEST(!world.has_tick(TaskKind::expiration));
}

BOOST_AUTO_TEST_CASE(a_failed_copy_does_not_stop_the_expiration) {
  TaskWorld world{{.policy = "kafka-3.6"}};
  world.topic_options().retention_time = 10s;
  world.append_segments(1);
  world.run_for(20s);
  world.answer(Call::copy, permanent);
  world.lead();
  world.run_for(1s);
  // The failed copy itself is due, and moves the log start behind what was never copied (F10).
  BOOST_TEST(world.events() == "CS 0, copy 0, raise 10, DS 0, delete 0, DF 0");
  BOOST_TEST(world.runs() == "copy started under 0, copy failed");
}

// Readings 2.10: a hand-over makes duplicates, because the running upload is not interrupted and finishes.
BOOST_AUTO_TEST_CASE(a_lost_leadership_lets_the_upload_finish) {
  TaskWorld world{{.policy = "kafka-3.6"}};
  world.append_segments(2);
  world.answer(Call::copy, parked);
  world.lead();
  world.run_for(1s);
  world.manager().become_follower(partition0);
  world.run_for(100s);
  world.release(Call::copy);
  world.run_for(100s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
}

// Facts 4.2: each notification makes the task look for log start and copied offset again, under the new epoch.
BOOST_AUTO_TEST_CASE(the_same_task_goes_on_when_the_leadership_returns) {
  TaskWorld world{{.policy = "kafka-3.6"}};
  world.append_segments(1);
  world.lead();
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, CF 0");
  world.manager().become_follower(partition0);
  world.append_segments(1);
  world.run_for(40s);
  BOOST_TEST(world.runs() == "copy started under 0, copy done");
  world.manager().become_leader(partition0, model::LeaderEpoch{2}, 0s, 0s);
  world.run_for(18s);
  BOOST_TEST(world.events() == "");
  world.run_for(2s);
  BOOST_TEST(world.events() == "CS 1, copy 1, CF 1");
  BOOST_TEST(world.runs() == "copy started under 2, copy done");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
