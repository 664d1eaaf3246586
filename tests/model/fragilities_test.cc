// The fragilities of facts 11 that lie in expiration and metrics, each under the number it has there.
#include <utility>

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::Offset;
using model::PartitionNumber;
using enum model::RemoteLogSegmentState;

constexpr PartitionNumber partition0{0};
constexpr model::SimTime fresh = model::time_start + 24h;
constexpr std::string_view kafka_policies[] = {"kafka-3.6", "kafka-3.9", "kafka-4.0", "kafka-4.3"};

/// Leads with expiration alone (in 3.6 with the one task), and lets it run once.
void expire(TaskWorld& world) {
  world.lead(0s);
  world.run_for(1s);
}

/// A log of 100 offsets that is on the remote tier alone, with a retention of one hour.
struct RemoteOnly {
  explicit RemoteOnly(TaskWorldSettings settings) : world(std::move(settings)) {
    world.start_log_at(100);
    world.log().update_highest_offset_in_remote_storage(Offset{99});
    world.topic_options().retention_time = 1h;
  }
  TaskWorld world;
};

BOOST_AUTO_TEST_SUITE(fragilities)

// Facts 6.8, second row: behind a retained copy nothing is retried, in no version. Before it 4.0 and later do.
BOOST_AUTO_TEST_CASE(f7_a_started_delete_behind_a_retained_copy_is_not_retried) {
  for (const std::string_view policy : kafka_policies) {
    BOOST_TEST_CONTEXT(policy) {
      RemoteOnly behind{{.policy = policy}};
      behind.world.add_copy(0, 9, copy_segment_finished, {}, fresh);
      behind.world.add_copy(10, 19, delete_segment_started, {}, fresh);
      expire(behind.world);
      behind.world.run_for(12h);
      BOOST_TEST(behind.world.events() == "");

      RemoteOnly before{{.policy = policy}};
      before.world.add_copy(0, 9, delete_segment_started, {}, fresh);
      before.world.add_copy(10, 19, copy_segment_finished, {}, fresh);
      expire(before.world);
      const bool retries = policy == "kafka-4.0" || policy == "kafka-4.3";
      BOOST_TEST(before.world.events() == (retries ? "DS 0, delete 0, DF 0" : ""));
    }
  }
}

// Facts 6.8, last paragraphs: every run ends at the head; what is behind it and what truncation has left stay, and the
// log start goes on.
BOOST_AUTO_TEST_CASE(f8_an_undeletable_head_blocks_every_later_deletion) {
  for (const std::string_view policy : kafka_policies) {
    BOOST_TEST_CONTEXT(policy) {
      RemoteOnly head{{.policy = policy}};
      TaskWorld& world = head.world;
      world.log().leader_epochs().truncate_from_end(Offset{0});
      world.log().leader_epochs().assign(model::LeaderEpoch{5}, Offset{0});
      world.add_copy(0, 9, copy_segment_finished, epochs({{5, 0}}), model::time_start - 2h);
      world.add_copy(10, 19, copy_segment_finished, epochs({{5, 10}}), model::time_start - 59min);
      world.add_copy(0, 5, copy_segment_finished, epochs({{3, 0}}), model::time_start - 2h);
      world.answer_always(Call::remove, permanent);
      world.lead(0s);
      world.run_for(3min);
      BOOST_TEST(world.log().log_start_offset().value() == 20);
      const std::string events = world.events();
      BOOST_TEST(events.find("delete 0") != std::string::npos);
      BOOST_TEST(events.find("delete 1") == std::string::npos);
      BOOST_TEST(events.find("delete 2") == std::string::npos);
    }
  }
}

// Facts 6.2: up to 3.8.0 a dangling COPY_SEGMENT_STARTED counts, and good data goes for it (KAFKA-17062).
BOOST_AUTO_TEST_CASE(f9_dangling_copies_that_size_retention_counts_push_out_good_ones) {
  for (const std::string_view policy : kafka_policies) {
    BOOST_TEST_CONTEXT(policy) {
      RemoteOnly sized{{.policy = policy}};
      sized.world.topic_options().retention_bytes = 250_B;
      for (int i = 0; i < 2; ++i) sized.world.add_copy(10 * i, 10 * i + 9, copy_segment_finished, {}, fresh);
      for (int i = 0; i < 2; ++i) sized.world.add_copy(20, 29, copy_segment_started, {}, fresh);
      expire(sized.world);
      BOOST_TEST(sized.world.events() == (policy == "kafka-3.6" ? "raise 10, DS 0, delete 0, DF 0" : ""));
    }
  }
}

// Facts 6.2, 6.5: 200 bytes are too many, [0-9] and [10-19]; the dangling copy of [0-29] that sorts between them is
// charged for the second and takes the log start past [10-29].
BOOST_AUTO_TEST_CASE(f10_a_dangling_copy_that_retention_reaches_takes_good_data_out_of_sight) {
  for (const std::string_view policy : kafka_policies) {
    BOOST_TEST_CONTEXT(policy) {
      RemoteOnly sized{{.policy = policy}};
      sized.world.topic_options().retention_bytes = 100_B;
      if (policy == "kafka-3.6") sized.world.topic_options().retention_bytes = 200_B;  // It counts the dangling one.
      for (int i = 0; i < 3; ++i) sized.world.add_copy(10 * i, 10 * i + 9, copy_segment_finished, {}, fresh);
      sized.world.add_copy(0, 29, copy_segment_started, {}, fresh);
      expire(sized.world);
      BOOST_TEST(sized.world.events() == "raise 30, DS 0, delete 0, DF 0, DS 3, delete 3, DF 3");
    }
  }
}

// Facts 6.2, readings 5 (C01), KAFKA-20732: at -1 the whole local log counts beside the copies of it. Mended after
// 4.3.1, as Kafka's own classes show (tests/conformance/seed-expiration-before-copy.4.3.golden).
BOOST_AUTO_TEST_CASE(f11_an_unseeded_leader_counts_local_and_remote_data_twice) {
  for (const std::string_view policy :
       {"kafka-3.6", "kafka-3.9", "kafka-4.0", "kafka-4.2", "kafka-4.3", "kafka-4.3-seeding"}) {
    BOOST_TEST_CONTEXT(policy) {
      TaskWorld world{{.policy = policy, .copy_first = false}};
      world.topic_options().retention_bytes = 1024_B;
      world.append_segments(10);
      for (int i = 0; i < 9; ++i) world.add_copy(10 * i, 10 * i + 9, copy_segment_finished);
      expire(world);
      const bool seeds = policy == "kafka-3.6" || policy == "kafka-4.3-seeding";
      BOOST_TEST(world.log().log_start_offset().value() == (seeds ? 0 : 80));
      BOOST_TEST(world.cache().count(copy_segment_finished) == (seeds ? 10 : 2));
    }
  }
}

// Facts 5.1 step 2: the first copy listed decides, whatever its state; without one the local log start does.
BOOST_AUTO_TEST_CASE(f12_an_orphan_or_an_empty_cache_decides_where_a_new_leaders_log_starts) {
  for (const std::string_view policy : kafka_policies) {
    BOOST_TEST_CONTEXT(policy) {
      RemoteOnly orphan{{.policy = policy}};
      orphan.world.add_copy(50, 59, copy_segment_started, {}, fresh);
      orphan.world.add_copy(60, 69, copy_segment_finished, {}, fresh);
      expire(orphan.world);
      BOOST_TEST(orphan.world.log().log_start_offset().value() == 50);

      RemoteOnly stale{{.policy = policy}};
      expire(stale.world);
      BOOST_TEST(stale.world.log().log_start_offset().value() == 100);
    }
  }
}

// Facts 2.4: what a larger copy superseded is listed, counted by size retention and kept like any other.
BOOST_AUTO_TEST_CASE(f30_a_superseded_copy_stays_until_retention) {
  for (const std::string_view policy : kafka_policies) {
    BOOST_TEST_CONTEXT(policy) {
      RemoteOnly twice{{.policy = policy}};
      TaskWorld& world = twice.world;
      for (const std::int64_t end : {9, 19}) world.add_copy(0, end, copy_segment_finished, {}, model::time_start);
      expire(world);
      world.run_for(1h - 2s);
      BOOST_TEST(world.events() == "");
      // The needed copy alone would be within the limit; the smaller one follows by the log start.
      world.topic_options().retention_time = 24h;
      world.topic_options().retention_bytes = 100_B;
      world.manager().changed(partition0);
      world.run_for(1min);
      BOOST_TEST(world.events() == "raise 20, DS 1, delete 1, DF 1, DS 0, delete 0, DF 0");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
