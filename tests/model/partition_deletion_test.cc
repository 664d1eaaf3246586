#include "model/partition_deletion.h"

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::LeaderEpoch;
using model::PartitionNumber;
using model::RemoteLogManager;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};
constexpr auto remove_all = RemoteLogManager::Remote::remove;

BOOST_AUTO_TEST_SUITE(partition_deletion)

// Facts 4.3 step 3: all states; every record of a kind before the next kind; one delete after the other.
BOOST_AUTO_TEST_CASE(deletes_every_copy_in_any_state_in_three_rounds) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      TaskWorld world{{.policy = policy.name}};
      world.append_segments(3);
      world.add_copy(0, 9, copy_segment_finished);
      world.add_copy(10, 19, delete_segment_started);
      world.add_copy(10, 19, copy_segment_started);
      world.add_copy(500, 509, copy_segment_finished, {{model::LeaderEpoch{7}, model::Offset{500}}});
      world.manager().become_leader(partition0, LeaderEpoch{0}, 1h, 1h);
      world.manager().stop_partition(partition0, remove_all);
      world.run_for(1s);
      BOOST_TEST(world.events() ==
                 "DS 0, DS 1, DS 2, DS 3, delete 0, delete 1, delete 2, delete 3, DF 0, DF 1, DF 2, DF 3");
      BOOST_TEST(world.runs() == "partition-deletion started under -1, partition-deletion done");
      BOOST_TEST(world.dropped_count() == 0);
      BOOST_TEST(!world.manager().is_deleting());
      BOOST_TEST(!world.manager().leads(partition0));
    }
  }
}

BOOST_AUTO_TEST_CASE(reports_its_steps_and_lets_every_copy_go) {
  TaskWorld world;
  world.add_copy(0, 9, copy_segment_finished);
  world.manager().become_leader(partition0, LeaderEpoch{0}, 1h, 1h);
  world.manager().stop_partition(partition0, remove_all);
  world.run_for(1s);
  BOOST_TEST(world.steps() ==
             "topic-deletion-publish-started 0, topic-deletion-delete 0, topic-deletion-publish-finished 0, left 0");
}

// The publishes of a round are under way together.
BOOST_AUTO_TEST_CASE(waits_for_all_publishes_of_a_round) {
  TaskWorld world;
  for (int i = 0; i < 3; ++i) world.add_copy(10 * i, 10 * i + 9, copy_segment_finished);
  world.answer_always(Call::delete_started, parked);
  world.manager().become_leader(partition0, LeaderEpoch{0}, 1h, 1h);
  world.manager().stop_partition(partition0, remove_all);
  world.run_for(1s);
  BOOST_TEST(world.events() == "DS 0, DS 1, DS 2");
  world.release_at(2);
  world.release_at(0);
  BOOST_TEST(world.events() == "");
  world.release_at(0);
  BOOST_TEST(world.events() == "delete 0, delete 1, delete 2, DF 0, DF 1, DF 2");
}

// F18: the first exception aborts, and nobody tries again. Copies before it are DELETE_SEGMENT_STARTED without data.
BOOST_AUTO_TEST_CASE(f18_a_failed_delete_ends_the_only_attempt) {
  for (const Answer& failure : {permanent, retriable, unchecked, fatal}) {
    TaskWorld world;
    for (int i = 0; i < 3; ++i) world.add_copy(10 * i, 10 * i + 9, copy_segment_finished);
    world.answer(Call::remove, ok);
    world.answer(Call::remove, failure);
    world.manager().become_leader(partition0, LeaderEpoch{0}, 1h, 1h);
    world.manager().stop_partition(partition0, remove_all);
    world.run_for(24h);
    BOOST_TEST(world.events() == "DS 0, DS 1, DS 2, delete 0, delete 1");
    BOOST_TEST(world.cache().count(delete_segment_started) == 3);
    BOOST_TEST(world.steps().ends_with("left 0, left 1, left 2"));
  }
}

// F18: a publish that fails ends it as well, once the others have ended.
BOOST_AUTO_TEST_CASE(f18_a_failed_publish_ends_the_only_attempt) {
  TaskWorld world;
  for (int i = 0; i < 3; ++i) world.add_copy(10 * i, 10 * i + 9, copy_segment_finished);
  world.answer(Call::delete_started, refused);
  world.manager().become_leader(partition0, LeaderEpoch{0}, 1h, 1h);
  world.manager().stop_partition(partition0, remove_all);
  world.run_for(24h);
  BOOST_TEST(world.events() == "DS 0, DS 1, DS 2");
  BOOST_TEST(world.runs() == "partition-deletion started under -1, partition-deletion failed");
}

// Facts 2.7: the listing throws while the cache is not initialized.
BOOST_AUTO_TEST_CASE(f18_a_cache_that_is_not_initialized_ends_the_only_attempt) {
  TaskWorld world;
  world.add_copy(0, 9, copy_segment_finished);
  world.set_ready(false);
  world.manager().become_leader(partition0, LeaderEpoch{0}, 1h, 1h);
  world.manager().stop_partition(partition0, remove_all);
  world.run_for(1s);
  world.set_ready(true);
  world.run_for(1h);
  BOOST_TEST(world.events() == "");
  BOOST_TEST(world.runs() == "partition-deletion started under -1, partition-deletion not-ready");
}

// Facts 4.3 steps 1 and 2.
BOOST_AUTO_TEST_CASE(a_broker_that_only_stops_deletes_nothing) {
  TaskWorld world;
  world.add_copy(0, 9, copy_segment_finished);
  world.lead();
  world.manager().stop_partition(partition0);
  world.run_for(1h);
  BOOST_TEST(world.events() == "");
  TaskWorld stranger;
  stranger.add_copy(0, 9, copy_segment_finished);
  stranger.manager().stop_partition(partition0, remove_all);
  stranger.run_for(1h);
  BOOST_TEST(stranger.events() == "");
}

// F19: an upload that ends after its removal publishes COPY_SEGMENT_FINISHED for an id that is gone. The data stay.
BOOST_AUTO_TEST_CASE(f19_an_upload_that_ends_after_the_deletion_leaves_its_data) {
  TaskWorld world{{.on_interrupt = OnInterrupt::goes_on}};
  world.append_segments(1);
  world.answer(Call::copy, parked);
  world.lead();
  world.run_for(1s);
  world.manager().stop_partition(partition0, remove_all);
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 0, copy 0, DS 0, delete 0, DF 0");
  world.release(Call::copy);
  BOOST_TEST(world.events() == "CF 0, dropped CF 0");
}

// F19: a COPY_SEGMENT_STARTED that comes after the listing is never deleted.
BOOST_AUTO_TEST_CASE(f19_a_copy_that_becomes_visible_after_the_listing_stays) {
  TaskWorld world;
  world.add_copy(0, 9, copy_segment_finished);
  world.answer(Call::delete_started, parked);
  world.manager().become_leader(partition0, LeaderEpoch{0}, 1h, 1h);
  world.manager().stop_partition(partition0, remove_all);
  world.run_for(1s);
  world.add_copy(10, 19, copy_segment_started);
  world.release(Call::delete_started);
  world.run_for(1h);
  BOOST_TEST(world.events() == "DS 0, delete 0, DF 0");
  BOOST_TEST(world.cache().count(copy_segment_started) == 1);
}

// Facts 4.3, KAFKA-15313: on the thread that applies metadata, so that all else of this broker waits for it.
BOOST_AUTO_TEST_CASE(what_comes_meanwhile_waits_in_its_order) {
  TaskWorld world{{.partition_count = 3}};
  world.append_segments(1, PartitionNumber{1});
  world.append_segments(1, PartitionNumber{2});
  world.add_copy(0, 9, copy_segment_finished);
  world.answer(Call::remove, parked);
  world.manager().become_leader(partition0, LeaderEpoch{0}, 1h, 1h);
  world.manager().become_leader(PartitionNumber{1}, LeaderEpoch{0}, 1min, 1h);
  world.manager().stop_partition(partition0, remove_all);
  world.manager().stop_partition(PartitionNumber{1}, remove_all);
  world.manager().become_leader(PartitionNumber{2}, LeaderEpoch{0}, 0s, 1h);
  world.run_for(2min);
  // Partition 1 is still led: its task copies, until its turn comes.
  BOOST_TEST(world.events() == "DS 0, delete 0, CS 1, copy 1, CF 1");
  BOOST_TEST(world.manager().leads(PartitionNumber{1}));
  BOOST_TEST(!world.manager().leads(PartitionNumber{2}));
  world.release(Call::remove);
  BOOST_TEST(world.events() == "DF 0, DS 1, delete 1, DF 1");
  world.run_for(1s);
  BOOST_TEST(world.events() == "CS 2, copy 2, CF 2");
}

// Facts 4.3 step 2: the metrics are removed first, and no publish of the deletion brings them back.
BOOST_AUTO_TEST_CASE(the_kips_gauges_stay_removed) {
  TaskWorld world{{.policy = "kip-dangling"}};
  world.append_segments(1);
  world.answer_always(Call::copy, permanent);
  world.answer_always(Call::remove, permanent);
  world.lead(1h);
  world.run_for(1s);
  BOOST_TEST(world.gauges().ends_with("1 of 100 B"));
  world.answer_always(Call::remove, ok);
  world.manager().stop_partition(partition0, remove_all);
  world.run_for(1s);
  BOOST_TEST(world.events().ends_with("DS 0, delete 0, DF 0"));
  BOOST_TEST(world.gauges() == "0 of 0 B");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
