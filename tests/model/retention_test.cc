#include "model/retention.h"

#include <map>

#include <boost/test/unit_test.hpp>

#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::Offset;
using model::Rules;
using model::SimTime;
using model::SizeFilter;
using enum model::RemoteLogSegmentState;

/// Kafka 4.0's rules unless a test changes them.
class TestPolicy final : public model::Policy {
 public:
  std::string_view name() const override { return "test"; }
  const Rules& rules() const override { return its_rules; }
  model::Task<void> after_failed_copy(model::CopyRun&, model::RemoteLogSegmentMetadata,
                                      model::RemoteStorageError) const override {
    co_return;
  }
  Rules its_rules{.skip_segments_being_copied = true, .retry_delete_started = true};
};

constexpr model::Duration start_since_1970 = 1'577'836'800s;
constexpr SimTime fresh = model::time_start + 90s;
constexpr SimTime stale = model::time_start;

/// Copies of 100 bytes under retention.ms = 60 s at 100 s; the log ends at 1000 and is remote only.
struct WalkWorld {
  WalkWorld() {
    world.start_log_at(1000);
    world.log().update_highest_offset_in_remote_storage(Offset{999});
    topic.retention_time = 60s;
  }

  const model::RemoteLogSegment& add(std::int64_t start, std::int64_t end, model::RemoteLogSegmentState its_state,
                                     SimTime max_timestamp, model::EpochEntries segment_epochs = {}) {
    return world.add_copy(start, end, its_state, std::move(segment_epochs), max_timestamp);
  }

  /// The numbers of the chosen copies, in order.
  std::vector<std::uint32_t> chosen(SimTime now = model::time_start + 100s) {
    walk.walk({world.log(), world.cache(), topic, state, policy, now, start_since_1970, false});
    return numbers_of(walk.chosen());
  }
  /// What a run that begins now would list, and of it would delete, below the earliest epoch.
  std::vector<std::uint32_t> truncated() {
    const model::RetentionView view{world.log(),       world.cache(),    topic, state, policy,
                                    model::time_start, start_since_1970, false};
    walk.walk(view);
    walk.list_truncated(view);
    return numbers_of(walk.truncated());
  }
  std::vector<std::uint32_t> left_by_truncation() {
    std::vector<std::uint32_t> numbers = truncated();
    std::erase_if(numbers, [this](std::uint32_t i) { return !walk.is_left_by_truncation(world.segments()[i]); });
    return numbers;
  }

  TaskWorld world;
  model::TopicOptions topic;
  model::PartitionState state;
  TestPolicy policy;
  model::RetentionWalk walk;
};

using Numbers = std::vector<std::uint32_t>;

BOOST_AUTO_TEST_SUITE(retention)

// Facts 6.1 step 6i: the first copy that is in lineage and retained ends everything.
BOOST_AUTO_TEST_CASE(the_walk_stops_at_the_first_retained_copy) {
  WalkWorld w;
  w.add(0, 9, copy_segment_finished, stale);
  w.add(10, 19, copy_segment_finished, fresh);
  w.add(20, 29, copy_segment_finished, stale);
  BOOST_TEST(w.chosen() == Numbers{0}, boost::test_tools::per_element());
  BOOST_TEST(w.walk.log_start_offset()->value() == 10);
}

// Facts 6.3: <= up to 4.2, < from 4.3; and until when the choice holds.
BOOST_AUTO_TEST_CASE(a_copy_is_due_at_its_last_moment_or_just_after_it) {
  WalkWorld w;
  w.add(0, 9, copy_segment_finished, stale);
  const SimTime limit = stale + 60s;
  BOOST_TEST(w.chosen(limit - 1us).empty());
  BOOST_TEST((w.walk.same_until() == limit));
  BOOST_TEST(w.chosen(limit).size() == 1);
  w.policy.its_rules.time_breach_is_strict = true;
  BOOST_TEST(w.chosen(limit).empty());
  BOOST_TEST((w.walk.same_until() == limit + 1ms));
  BOOST_TEST(w.chosen(limit + 1ms).size() == 1);
}

// Facts 6.3: retention.ms = -1 is no rule; a retention longer than any clock is never reached.
BOOST_AUTO_TEST_CASE(without_a_time_limit_nothing_is_ever_due) {
  WalkWorld w;
  w.add(0, 9, copy_segment_finished, fresh);
  for (const model::Duration limit : {model::Duration{-1ms}, model::Duration::max()}) {
    w.topic.retention_time = limit;
    BOOST_TEST(w.chosen().empty());
    BOOST_TEST((w.walk.same_until() == model::time_never));
  }
}

// Facts 6.2: which states the sum holds decides how much is over the limit of 250 bytes.
BOOST_AUTO_TEST_CASE(size_retention_counts_states_by_version) {
  const std::map<SizeFilter, Numbers> expected{
      {SizeFilter::all_listed, {0, 1, 2}}, {SizeFilter::finished_and_deleting, {0, 1}}, {SizeFilter::finished, {0}}};
  for (const auto& [filter, numbers] : expected) {
    WalkWorld w;
    w.policy.its_rules.size_filter = filter;
    w.policy.its_rules.retry_delete_started = false;
    w.topic.retention_bytes = 250_B;
    for (int i = 0; i < 4; ++i) w.add(10 * i, 10 * i + 9, copy_segment_finished, fresh);
    w.add(40, 49, copy_segment_started, fresh);
    w.add(50, 59, delete_segment_started, fresh);
    BOOST_TEST(w.chosen() == numbers, boost::test_tools::per_element());
  }
}

// Facts 6.2: a copy larger than what is left of the excess is kept and ends the walk.
BOOST_AUTO_TEST_CASE(a_copy_larger_than_the_remaining_excess_is_kept) {
  WalkWorld w;
  w.topic.retention_bytes = 150_B;
  for (int i = 0; i < 3; ++i) w.add(10 * i, 10 * i + 9, copy_segment_finished, fresh);
  BOOST_TEST(w.chosen() == Numbers{0}, boost::test_tools::per_element());
  w.topic.retention_bytes = 100_B;
  BOOST_TEST(w.chosen() == (Numbers{0, 1}), boost::test_tools::per_element());
}

// Facts 6.2: a copy deleted by time lowers the excess, floored at 0.
BOOST_AUTO_TEST_CASE(what_time_removes_is_not_removed_by_size_again) {
  WalkWorld w;
  w.topic.retention_bytes = 200_B;
  w.add(0, 9, copy_segment_finished, stale);
  w.add(10, 19, copy_segment_finished, fresh);
  w.add(20, 29, copy_segment_finished, fresh);
  BOOST_TEST(w.chosen() == Numbers{0}, boost::test_tools::per_element());
}

// Facts 6.2: a failed copy at the head is charged although the sum does not hold it, so a good one is kept
// (readings 2.9).
BOOST_AUTO_TEST_CASE(a_failed_copy_at_the_head_is_charged_to_the_excess) {
  WalkWorld w;
  w.topic.retention_bytes = 100_B;
  w.add(0, 9, copy_segment_started, fresh);
  w.add(10, 19, copy_segment_finished, fresh);
  w.add(20, 29, copy_segment_finished, fresh);
  BOOST_TEST(w.chosen() == Numbers{0}, boost::test_tools::per_element());
  BOOST_TEST(w.walk.log_start_offset()->value() == 10);
}

// Facts 6.2, KAFKA-20732: before the highest remote offset is seeded, what is local and remote counts twice.
BOOST_AUTO_TEST_CASE(an_unseeded_leader_counts_what_is_in_both_tiers_twice) {
  TaskWorld world;
  world.append_segments(4);
  for (int i = 0; i < 4; ++i) world.add_copy(10 * i, 10 * i + 9, copy_segment_finished, {}, fresh);
  model::TopicOptions topic;
  topic.retention_bytes = 600_B;
  const model::PartitionState state;
  const TestPolicy policy;
  model::RetentionWalk walk;
  walk.walk({world.log(), world.cache(), topic, state, policy, fresh, start_since_1970, false});
  BOOST_TEST(walk.chosen().size() == 2);
  world.log().update_highest_offset_in_remote_storage(Offset{39});
  walk.walk({world.log(), world.cache(), topic, state, policy, fresh, start_since_1970, false});
  BOOST_TEST(walk.chosen().empty());
}

// Facts 6.2: an id listed under two epochs counts once.
BOOST_AUTO_TEST_CASE(a_copy_of_two_epochs_counts_once) {
  WalkWorld w;
  w.world.log().leader_epochs().assign(model::LeaderEpoch{1}, Offset{1000});
  w.world.log().append(10, 100_B, fresh);
  w.world.log().roll(fresh);
  w.world.log().update_highest_offset_in_remote_storage(Offset{1010});
  w.world.log().append(10, 1_B, fresh);
  w.topic.retention_bytes = 201_B;
  w.add(900, 989, copy_segment_finished, fresh);
  w.add(990, 1009, copy_segment_finished, fresh, epochs({{0, 990}, {1, 1000}}));
  BOOST_TEST(w.chosen().empty());
}

// Facts 6.4: below the log start, whatever lineage says, without moving the log start.
BOOST_AUTO_TEST_CASE(a_copy_below_the_log_start_is_chosen_without_raising_it) {
  WalkWorld w;
  w.add(0, 9, copy_segment_finished, fresh);
  w.add(10, 19, copy_segment_finished, fresh);
  BOOST_TEST(w.world.log().maybe_increment_log_start_offset(Offset{10}));
  BOOST_TEST(w.chosen() == Numbers{0}, boost::test_tools::per_element());
  BOOST_TEST(!w.walk.log_start_offset());
}

// Facts 6.5: the last breaching copy's end up to 3.7, the greatest since 3.8.
BOOST_AUTO_TEST_CASE(the_log_start_is_the_greatest_end_or_the_last_ones) {
  WalkWorld w;
  w.add(0, 99, copy_segment_finished, stale);
  w.add(50, 79, copy_segment_finished, stale);
  (void)w.chosen();
  BOOST_TEST(w.walk.log_start_offset()->value() == 100);
  w.policy.its_rules.log_start_is_greatest = false;
  (void)w.chosen();
  BOOST_TEST(w.walk.log_start_offset()->value() == 80);
}

// Facts 6.1 step 6b: the walk stops at what this broker is copying; 3.6 has no such set.
BOOST_AUTO_TEST_CASE(the_walk_stops_at_a_copy_that_is_being_made) {
  WalkWorld w;
  const auto& copy = w.add(0, 9, copy_segment_started, stale);
  w.add(10, 19, copy_segment_finished, stale);
  w.state.segments_being_copied.push_back(&copy);
  BOOST_TEST(w.chosen().empty());
  w.policy.its_rules.skip_segments_being_copied = false;
  BOOST_TEST(w.chosen().size() == 2);
}

// Facts 6.8, first row: before the first retained copy a DELETE_SEGMENT_STARTED one is taken at once in 4.0.
BOOST_AUTO_TEST_CASE(a_started_delete_before_a_retained_copy_is_retried) {
  WalkWorld w;
  w.add(0, 9, delete_segment_started, fresh);
  w.add(10, 19, copy_segment_finished, fresh);
  BOOST_TEST(w.chosen() == Numbers{0}, boost::test_tools::per_element());
  BOOST_TEST(!w.walk.log_start_offset());
  w.policy.its_rules.retry_delete_started = false;
  BOOST_TEST(w.chosen().empty());
}

// Facts 6.8, the example: A and B retained before X; after the re-copy C stands before it, too.
BOOST_AUTO_TEST_CASE(a_started_delete_behind_a_retained_copy_is_not_reached) {
  WalkWorld w;
  w.add(0, 99, copy_segment_finished, stale);
  w.add(100, 199, copy_segment_finished, fresh);
  w.add(200, 299, delete_segment_started, stale);
  BOOST_TEST(w.chosen() == Numbers{0}, boost::test_tools::per_element());
  w.add(200, 299, copy_segment_finished, fresh);
  const SimTime all_due = fresh + 60s;
  BOOST_TEST(w.chosen(all_due - 1us) == Numbers{0}, boost::test_tools::per_element());
  BOOST_TEST(w.chosen(all_due) == (Numbers{0, 1, 3, 2}), boost::test_tools::per_element());
}

// Facts 6.8, last paragraph: 6c comes before 6e, so a copy of two epochs is taken once an epoch.
BOOST_AUTO_TEST_CASE(a_started_delete_of_two_epochs_is_chosen_twice_and_others_once) {
  WalkWorld w;
  w.world.log().leader_epochs().assign(model::LeaderEpoch{1}, Offset{1000});
  w.world.log().append(100, 100_B, stale);
  w.add(990, 1009, delete_segment_started, stale, epochs({{0, 990}, {1, 1000}}));
  w.add(980, 1010, copy_segment_finished, stale, epochs({{0, 980}, {1, 1000}}));
  BOOST_TEST(w.chosen() == (Numbers{1, 0, 0}), boost::test_tools::per_element());
}

// Facts 6.1 step 6i: what is out of lineage is stepped over.
BOOST_AUTO_TEST_CASE(a_copy_out_of_lineage_does_not_stop_the_walk) {
  WalkWorld w;
  w.world.log().leader_epochs().assign(model::LeaderEpoch{1}, Offset{1000});
  w.world.log().append(100, 100_B, stale);
  w.add(0, 1005, copy_segment_finished, fresh);
  w.add(10, 19, copy_segment_finished, stale);
  BOOST_TEST(w.chosen() == Numbers{1}, boost::test_tools::per_element());
}

// Facts 6.6: deleted if altogether below the earliest epoch; one of two such epochs is listed under each, and one that
// straddles the earliest is listed, too.
BOOST_AUTO_TEST_CASE(copies_below_the_earliest_epoch_are_listed_once_an_epoch) {
  WalkWorld w;
  model::LeaderEpochFileCache& epochs_of_log = w.world.log().leader_epochs();
  epochs_of_log.truncate_from_end(Offset{0});
  epochs_of_log.assign(model::LeaderEpoch{5}, Offset{100});
  w.add(0, 49, copy_segment_finished, fresh, epochs({{3, 0}}));
  w.add(50, 99, copy_segment_finished, fresh, epochs({{3, 50}, {4, 60}}));
  w.add(90, 199, copy_segment_finished, fresh, epochs({{4, 90}, {5, 100}}));
  BOOST_TEST(w.truncated() == (Numbers{0, 1, 1, 2}), boost::test_tools::per_element());
  BOOST_TEST(w.left_by_truncation() == (Numbers{0, 1, 1}), boost::test_tools::per_element());
  BOOST_TEST(w.walk.leaves_by_truncation());
}

// Facts 6.3: now - retention.ms before 1970 is no time rule in 4.0 (KAFKA-17995), and ends each run before.
BOOST_AUTO_TEST_CASE(retention_that_reaches_behind_1970_is_no_rule_or_fails_the_run) {
  WalkWorld w;
  w.add(0, 9, copy_segment_finished, stale - 50 * 366 * 24h);
  w.topic.retention_time = start_since_1970 + 200s;
  w.topic.retention_bytes = 0_B;
  const SimTime reaches_1970 = model::time_start + 200s;
  BOOST_TEST(w.chosen(reaches_1970 - 1ms) == Numbers{0}, boost::test_tools::per_element());
  w.topic.retention_bytes = -1_B;
  BOOST_TEST(w.chosen(reaches_1970 - 1ms).empty());
  BOOST_TEST((w.walk.same_until() == reaches_1970));
  BOOST_TEST(w.chosen(reaches_1970).size() == 1);
  w.policy.its_rules.long_retention_fails = true;
  BOOST_TEST(w.chosen(reaches_1970 - 1ms).empty());
  BOOST_TEST(w.walk.fails());
  BOOST_TEST(w.chosen(reaches_1970).size() == 1);
  BOOST_TEST(!w.walk.fails());
}

// Facts 6.2, KAFKA-20026: once all finished copies were found valid, one that joins out of lineage counts for the life
// of the task; a walk that looks each time does not count it.
BOOST_AUTO_TEST_CASE(a_task_that_found_all_copies_valid_counts_a_foreign_one_later) {
  for (const bool trusts : {false, true}) {
    WalkWorld w;
    w.policy.its_rules.trusts_finished_size = trusts;
    w.topic.retention_bytes = 250_B;
    for (int i = 0; i < 3; ++i) w.add(10 * i, 10 * i + 9, copy_segment_finished, fresh);
    w.add(30, 2000, copy_segment_finished, fresh);  // Beyond the log end: not in lineage.
    BOOST_TEST(w.chosen().empty());
    BOOST_TEST(!w.walk.has_findings());
  }
  for (const bool trusts : {false, true}) {
    WalkWorld w;
    w.policy.its_rules.trusts_finished_size = trusts;
    w.topic.retention_bytes = 150_B;
    for (int i = 0; i < 2; ++i) w.add(10 * i, 10 * i + 9, copy_segment_finished, fresh);
    BOOST_TEST(w.chosen().empty());
    BOOST_TEST(w.walk.has_findings() == trusts);
    w.walk.keep_findings();
    BOOST_TEST(!w.walk.has_findings());
    w.add(30, 2000, copy_segment_finished, fresh);
    BOOST_TEST(w.chosen().size() == (trusts ? 1 : 0));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
