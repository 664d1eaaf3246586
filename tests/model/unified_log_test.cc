#include "model/unified_log.h"

#include <boost/test/unit_test.hpp>

#include "tests/support/model_support.h"

namespace tests {
namespace {

using model::LeaderEpoch;
using model::LogSegment;
using model::Offset;
using model::SimTime;
using model::TopicOptions;
using model::UnifiedLog;

constexpr model::Bytes unlimited{-1};

constexpr SimTime at(model::Duration since_start) { return model::time_start + since_start; }

/// `closed` segments of 100 records and 100 MiB, the k-th stamped k minutes, then an empty active one; all committed.
UnifiedLog log_of(int closed) {
  UnifiedLog log{0_offset, LeaderEpoch{0}, model::time_start};
  for (int index = 0; index < closed; ++index) {
    log.append(100, 100_MiB, at(index * 60s));
    log.roll(at(index * 60s));
  }
  log.set_high_watermark(log.log_end_offset());
  return log;
}

TopicOptions kept_for_ever() {
  TopicOptions topic;
  topic.retention_time = -1ms;
  return topic;
}

TopicOptions kept_locally(model::Duration time, model::Bytes bytes) {
  TopicOptions topic = kept_for_ever();
  topic.local_retention_time = time;
  topic.local_retention_bytes = bytes;
  return topic;
}

std::vector<std::int64_t> bases(const std::vector<LogSegment>& segments) {
  std::vector<std::int64_t> result;
  for (const LogSegment& segment : segments) result.push_back(segment.base_offset.value());
  return result;
}

std::vector<std::int64_t> candidates(const UnifiedLog& log, Offset from, Offset last_stable_offset) {
  std::vector<LogSegment> out;
  log.candidate_log_segments(from, last_stable_offset, out);
  return bases(out);
}

using Bases = std::vector<std::int64_t>;

BOOST_AUTO_TEST_SUITE(unified_log)

BOOST_AUTO_TEST_CASE(a_new_log_is_one_empty_segment) {
  const UnifiedLog log{50_offset, LeaderEpoch{3}, at(5s)};
  BOOST_TEST(bases(log.segments()) == Bases{50});
  BOOST_TEST((log.log_end_offset() == 50_offset));
  BOOST_TEST((log.log_start_offset() == 50_offset));
  BOOST_TEST((log.local_log_start_offset() == 50_offset));
  BOOST_TEST((log.highest_offset_in_remote_storage() == Offset{-1}));
  BOOST_TEST((log.active_segment().largest_timestamp == at(5s)));
  BOOST_TEST((log.leader_epochs().entries() == epochs({{3, 50}})));
}

BOOST_AUTO_TEST_CASE(appends_grow_the_active_segment) {
  UnifiedLog log{0_offset, LeaderEpoch{0}, at(50s)};
  log.append(10, 1_MiB, at(20s));
  BOOST_TEST((log.active_segment().largest_timestamp == at(20s)));  // No longer the creation time.
  log.append(5, 2_MiB, at(15s));
  BOOST_TEST((log.active_segment().largest_timestamp == at(20s)));
  BOOST_TEST((log.active_segment().size == 3_MiB));
  BOOST_TEST((log.log_end_offset() == 15_offset));
  BOOST_TEST((log.high_watermark() == 0_offset));
}

BOOST_AUTO_TEST_CASE(an_empty_active_segment_is_not_rolled) {
  UnifiedLog log = log_of(1);
  const auto version = log.version();
  log.roll(at(90s));
  BOOST_TEST(bases(log.segments()) == (Bases{0, 100}));
  BOOST_TEST(log.version() == version);
}

BOOST_AUTO_TEST_CASE(an_initial_state_may_hold_closed_segments_that_are_remote_only) {
  UnifiedLog log{0_offset, LeaderEpoch{0}, at(0s)};
  log.add_closed_segment({0_offset, 100_offset, 10_MiB, at(-90s)});
  log.add_closed_segment({100_offset, 250_offset, 20_MiB, at(-60s)});
  BOOST_TEST(bases(log.segments()) == (Bases{0, 100, 250}));
  log.start_local_log_at(100_offset);
  BOOST_TEST(bases(log.segments()) == (Bases{100, 250}));
  BOOST_TEST((log.local_log_start_offset() == 100_offset));
  BOOST_TEST((log.log_start_offset() == 0_offset));
  log.start_local_log_at(200_offset);
  BOOST_TEST((log.local_log_start_offset() == 100_offset));
  log.start_local_log_at(250_offset);
  BOOST_TEST(bases(log.segments()) == Bases{250});
  BOOST_TEST((log.only_local_log_segments_size() == 0_B));
}

// Facts 8.2.

BOOST_AUTO_TEST_CASE(the_log_start_offset_goes_up_only) {
  UnifiedLog log = log_of(3);
  log.leader_epochs().assign(LeaderEpoch{2}, 120_offset);
  BOOST_TEST(log.maybe_increment_log_start_offset(150_offset));
  BOOST_TEST((log.log_start_offset() == 150_offset));
  BOOST_TEST((log.local_log_start_offset() == 150_offset));
  BOOST_TEST((log.leader_epochs().entries() == epochs({{2, 150}})));
  BOOST_TEST(bases(log.segments()) == (Bases{0, 100, 200, 300}));
  const auto version = log.version();
  BOOST_TEST(log.maybe_increment_log_start_offset(140_offset));
  BOOST_TEST((log.log_start_offset() == 150_offset));
  BOOST_TEST(log.version() == version);
}

BOOST_AUTO_TEST_CASE(a_log_start_offset_above_the_high_watermark_is_refused) {
  UnifiedLog log = log_of(3);
  log.set_high_watermark(250_offset);
  const auto version = log.version();
  BOOST_TEST(!log.maybe_increment_log_start_offset(251_offset));
  BOOST_TEST((log.log_start_offset() == 0_offset));
  BOOST_TEST((log.local_log_start_offset() == 0_offset));
  BOOST_TEST(log.version() == version);
  BOOST_TEST(log.maybe_increment_log_start_offset(250_offset));
}

BOOST_AUTO_TEST_CASE(the_local_start_stays_above_a_log_start_that_is_raised_below_it) {
  UnifiedLog log = log_of(3);
  log.start_local_log_at(200_offset);
  BOOST_TEST(log.maybe_increment_log_start_offset(100_offset));
  BOOST_TEST((log.log_start_offset() == 100_offset));
  BOOST_TEST((log.local_log_start_offset() == 200_offset));
}

BOOST_AUTO_TEST_CASE(the_high_watermark_is_at_most_the_log_end) {
  UnifiedLog log = log_of(1);
  log.set_high_watermark(500_offset);
  BOOST_TEST((log.high_watermark() == 100_offset));
  BOOST_TEST((log.last_stable_offset() == 100_offset));
}

BOOST_AUTO_TEST_CASE(the_highest_remote_offset_never_decreases) {
  UnifiedLog log = log_of(3);
  log.update_highest_offset_in_remote_storage(199_offset);
  const auto version = log.version();
  log.update_highest_offset_in_remote_storage(99_offset);
  log.truncate_to(50_offset);
  BOOST_TEST((log.highest_offset_in_remote_storage() == 199_offset));
  BOOST_TEST(log.version() > version);
}

BOOST_AUTO_TEST_CASE(truncation_drops_records_epochs_and_their_bytes) {
  UnifiedLog log = log_of(3);
  log.leader_epochs().assign(LeaderEpoch{1}, 150_offset);
  log.truncate_to(125_offset);
  BOOST_TEST(bases(log.segments()) == (Bases{0, 100}));
  BOOST_TEST((log.log_end_offset() == 125_offset));
  BOOST_TEST((log.high_watermark() == 125_offset));
  BOOST_TEST((log.active_segment().size == 25_MiB));
  BOOST_TEST((log.only_local_log_segments_size() == 125_MiB));
  BOOST_TEST((log.leader_epochs().entries() == epochs({{0, 0}})));
}

BOOST_AUTO_TEST_CASE(truncation_at_a_boundary_leaves_closed_segments_closed) {
  UnifiedLog log = log_of(3);
  log.truncate_to(200_offset);
  BOOST_TEST(bases(log.segments()) == (Bases{0, 100, 200}));
  BOOST_TEST((log.active_segment().size == 0_B));
  const auto version = log.version();
  log.truncate_to(200_offset);
  BOOST_TEST(log.version() == version);
}

BOOST_AUTO_TEST_CASE(truncation_below_the_local_log_starts_it_anew) {
  UnifiedLog log = log_of(3);
  BOOST_TEST(log.maybe_increment_log_start_offset(200_offset));
  log.start_local_log_at(200_offset);
  log.truncate_to(150_offset);
  BOOST_TEST(bases(log.segments()) == Bases{150});
  BOOST_TEST((log.log_start_offset() == 150_offset));
  BOOST_TEST((log.local_log_start_offset() == 150_offset));
}

// Facts 5.3 and 5.7.

BOOST_AUTO_TEST_CASE(closed_segments_below_the_last_stable_offset_are_candidates) {
  UnifiedLog log = log_of(3);
  BOOST_TEST(candidates(log, 0_offset, 300_offset) == (Bases{0, 100, 200}));
  BOOST_TEST(candidates(log, 0_offset, 299_offset) == (Bases{0, 100}));
  BOOST_TEST(candidates(log, 100_offset, 300_offset) == (Bases{100, 200}));
  BOOST_TEST(candidates(log, 0_offset, 99_offset) == Bases{});
}

BOOST_AUTO_TEST_CASE(the_first_candidate_may_begin_below_the_asked_offset) {
  const UnifiedLog log = log_of(3);
  BOOST_TEST(candidates(log, 150_offset, 300_offset) == (Bases{100, 200}));
  BOOST_TEST(candidates(log, 299_offset, 300_offset) == Bases{200});
}

BOOST_AUTO_TEST_CASE(the_active_segment_is_never_a_candidate) {
  UnifiedLog log = log_of(1);
  log.append(50, 50_MiB, at(90s));
  log.set_high_watermark(150_offset);
  BOOST_TEST(candidates(log, 100_offset, 150_offset) == Bases{});
  BOOST_TEST(candidates(log, 150_offset, 150_offset) == Bases{});
  BOOST_TEST(candidates(log, 400_offset, 500_offset) == Bases{});
}

BOOST_AUTO_TEST_CASE(candidates_below_the_local_log_begin_with_its_first_segment) {
  UnifiedLog log = log_of(3);
  log.start_local_log_at(100_offset);
  BOOST_TEST(candidates(log, 0_offset, 300_offset) == (Bases{100, 200}));
}

BOOST_AUTO_TEST_CASE(only_local_sums_begin_at_the_highest_remote_offset) {
  UnifiedLog log = log_of(3);
  log.append(10, 7_MiB, at(200s));
  BOOST_TEST((log.only_local_log_segments_size() == 307_MiB));
  BOOST_TEST(log.only_local_log_segments_count() == 4);
  log.update_highest_offset_in_remote_storage(99_offset);
  BOOST_TEST((log.only_local_log_segments_size() == 207_MiB));
  log.update_highest_offset_in_remote_storage(100_offset);  // Inclusive: the segment that begins there still counts.
  BOOST_TEST((log.only_local_log_segments_size() == 207_MiB));
  log.update_highest_offset_in_remote_storage(299_offset);
  BOOST_TEST((log.only_local_log_segments_size() == 7_MiB));
  BOOST_TEST(log.only_local_log_segments_count() == 1);
}

// Facts 8.3.

BOOST_AUTO_TEST_CASE(nothing_is_deleted_locally_before_it_is_uploaded) {
  UnifiedLog log = log_of(3);
  const auto topic = kept_locally(1s, unlimited);
  BOOST_TEST(log.delete_old_segments(at(600s), topic) == 0);
  log.update_highest_offset_in_remote_storage(198_offset);
  BOOST_TEST(log.delete_old_segments(at(600s), topic) == 1);
  BOOST_TEST(bases(log.segments()) == (Bases{100, 200, 300}));
  BOOST_TEST((log.local_log_start_offset() == 100_offset));
  BOOST_TEST((log.log_start_offset() == 0_offset));
  BOOST_TEST((log.leader_epochs().entries() == epochs({{0, 0}})));
  log.update_highest_offset_in_remote_storage(199_offset);
  BOOST_TEST(log.delete_old_segments(at(600s), topic) == 1);
  BOOST_TEST(bases(log.segments()) == (Bases{200, 300}));
}

BOOST_AUTO_TEST_CASE(a_raised_log_start_offset_opens_the_gate) {
  UnifiedLog log = log_of(3);
  BOOST_TEST(log.maybe_increment_log_start_offset(199_offset));
  BOOST_TEST(log.delete_old_segments(at(0s), kept_for_ever()) == 1);
  BOOST_TEST(log.maybe_increment_log_start_offset(200_offset));
  BOOST_TEST(log.delete_old_segments(at(0s), kept_for_ever()) == 1);
  BOOST_TEST(bases(log.segments()) == (Bases{200, 300}));
  BOOST_TEST((log.local_log_start_offset() == 200_offset));
}

BOOST_AUTO_TEST_CASE(nothing_is_deleted_locally_above_the_high_watermark) {
  UnifiedLog log = log_of(3);
  log.update_highest_offset_in_remote_storage(299_offset);
  log.set_high_watermark(150_offset);
  BOOST_TEST(log.delete_old_segments(at(600s), kept_locally(1s, unlimited)) == 1);
  BOOST_TEST(bases(log.segments()) == (Bases{100, 200, 300}));
}

BOOST_AUTO_TEST_CASE(time_deletes_what_is_strictly_older_than_the_limit) {
  UnifiedLog log = log_of(3);
  log.update_highest_offset_in_remote_storage(299_offset);
  const auto topic = kept_locally(60s, unlimited);
  BOOST_TEST(log.delete_old_segments(at(60s), topic) == 0);
  BOOST_TEST(log.delete_old_segments(at(60s) + 1ms, topic) == 1);
  BOOST_TEST(log.delete_old_segments(at(600s), topic) == 2);
  BOOST_TEST(bases(log.segments()) == Bases{300});
  BOOST_TEST(log.delete_old_segments(at(9'000s), topic) == 0);  // The empty active segment stays.
}

BOOST_AUTO_TEST_CASE(size_deletes_whole_segments_within_the_excess) {
  UnifiedLog log = log_of(3);
  log.update_highest_offset_in_remote_storage(299_offset);
  BOOST_TEST(log.delete_old_segments(at(0s), kept_locally(-1ms, 301_MiB)) == 0);
  BOOST_TEST(log.delete_old_segments(at(0s), kept_locally(-1ms, 201_MiB)) == 0);  // 99 MiB too much: none fits.
  BOOST_TEST(log.delete_old_segments(at(0s), kept_locally(-1ms, 200_MiB)) == 1);
  BOOST_TEST(log.delete_old_segments(at(0s), kept_locally(-1ms, 0_B)) == 2);
  BOOST_TEST(bases(log.segments()) == Bases{300});
}

BOOST_AUTO_TEST_CASE(local_limits_of_minus_two_are_the_total_ones) {
  UnifiedLog log = log_of(3);
  log.update_highest_offset_in_remote_storage(299_offset);
  TopicOptions topic;
  topic.retention_time = 60s;
  BOOST_TEST(log.delete_old_segments(at(61s), topic) == 1);
  topic.retention_time = -1ms;
  topic.retention_bytes = 100_MiB;
  BOOST_TEST(log.delete_old_segments(at(61s), topic) == 1);
  BOOST_TEST(bases(log.segments()) == (Bases{200, 300}));
}

BOOST_AUTO_TEST_CASE(an_active_segment_that_breaches_is_rolled_for_upload) {
  UnifiedLog log{0_offset, LeaderEpoch{0}, at(0s)};
  log.append(10, 1_MiB, at(0s));
  const auto topic = kept_locally(60s, unlimited);
  BOOST_TEST(log.delete_old_segments(at(120s), topic) == 0);
  BOOST_TEST(bases(log.segments()) == Bases{0});  // Not committed yet.
  log.set_high_watermark(10_offset);
  BOOST_TEST(log.delete_old_segments(at(120s), topic) == 0);
  BOOST_TEST(bases(log.segments()) == (Bases{0, 10}));
  BOOST_TEST((log.active_segment().largest_timestamp == at(120s)));
  BOOST_TEST(candidates(log, 0_offset, 10_offset) == Bases{0});
  log.update_highest_offset_in_remote_storage(9_offset);
  BOOST_TEST(log.delete_old_segments(at(121s), topic) == 1);
  BOOST_TEST(bases(log.segments()) == Bases{10});
}

BOOST_AUTO_TEST_CASE(a_blocked_upload_keeps_the_active_segment_from_rolling) {
  UnifiedLog log = log_of(1);
  log.append(10, 1_MiB, at(0s));
  log.set_high_watermark(110_offset);
  BOOST_TEST(log.delete_old_segments(at(600s), kept_locally(1s, unlimited)) == 0);
  BOOST_TEST(bases(log.segments()) == (Bases{0, 100}));
}

BOOST_AUTO_TEST_CASE(an_active_segment_that_is_uploaded_already_rolls_and_goes_in_one_run) {
  UnifiedLog log{0_offset, LeaderEpoch{0}, at(0s)};
  log.append(10, 1_MiB, at(0s));
  log.set_high_watermark(10_offset);
  log.update_highest_offset_in_remote_storage(9_offset);
  BOOST_TEST(log.delete_old_segments(at(120s), kept_locally(60s, unlimited)) == 1);
  BOOST_TEST(bases(log.segments()) == Bases{10});
}

BOOST_AUTO_TEST_CASE(without_tiering_local_deletion_has_no_gate_and_moves_the_log_start) {
  UnifiedLog log = log_of(2);
  log.append(10, 1_MiB, at(60s));
  log.set_high_watermark(210_offset);
  TopicOptions topic;
  topic.remote_storage_enable = false;
  topic.retention_time = 30s;
  topic.local_retention_time = 1s;  // Has no meaning without tiering.
  BOOST_TEST(log.delete_old_segments(at(30s), topic) == 0);
  BOOST_TEST(log.delete_old_segments(at(31s), topic) == 1);
  BOOST_TEST((log.log_start_offset() == 100_offset));
  BOOST_TEST(log.delete_old_segments(at(600s), topic) == 2);
  BOOST_TEST(bases(log.segments()) == Bases{210});
  BOOST_TEST((log.log_start_offset() == 210_offset));
}

constexpr model::LocalLogRules rules_3_6{
    .log_start_opens_gate = false, .rolls_active_segment = false, .copy_can_be_disabled = false};

// 3.6 has the first half of the gate only: what was never copied stays, though nobody may read it.
BOOST_AUTO_TEST_CASE(in_3_6_a_raised_log_start_offset_does_not_open_the_gate) {
  UnifiedLog log = log_of(3);
  BOOST_TEST(log.maybe_increment_log_start_offset(200_offset));
  BOOST_TEST(log.delete_old_segments(at(600s), kept_for_ever(), rules_3_6) == 0);
  log.update_highest_offset_in_remote_storage(99_offset);
  BOOST_TEST(log.delete_old_segments(at(600s), kept_for_ever(), rules_3_6) == 1);
  BOOST_TEST(log.delete_old_segments(at(600s), kept_for_ever()) == 1);
}

BOOST_AUTO_TEST_CASE(in_3_6_an_active_segment_that_breaches_is_not_rolled) {
  UnifiedLog log{0_offset, LeaderEpoch{0}, at(0s)};
  log.append(10, 1_MiB, at(0s));
  log.set_high_watermark(10_offset);
  const auto topic = kept_locally(60s, unlimited);
  BOOST_TEST(log.delete_old_segments(at(120s), topic, rules_3_6) == 0);
  BOOST_TEST(bases(log.segments()) == Bases{0});
}

// With copies disabled the total limits hold, nothing is gated, and the log start moves along. 3.6 has no such key.
BOOST_AUTO_TEST_CASE(with_copies_disabled_local_deletion_follows_the_total_limits) {
  auto topic = kept_locally(1s, unlimited);
  topic.retention_time = 60s;
  topic.remote_log_copy_disable = true;
  UnifiedLog log = log_of(3);
  BOOST_TEST(log.delete_old_segments(at(600s), topic, rules_3_6) == 0);
  BOOST_TEST(log.delete_old_segments(at(60s), topic) == 0);
  BOOST_TEST(log.delete_old_segments(at(61s), topic) == 1);
  BOOST_TEST((log.log_start_offset() == 100_offset));
}

// F25: while uploads fail nothing goes, however old or large, and the disk grows with what is appended. Only the log
// start frees it.
BOOST_AUTO_TEST_CASE(f25_an_upload_outage_keeps_everything_on_local_disk) {
  UnifiedLog log = log_of(1);
  const auto topic = kept_locally(1s, 1_B);
  for (int i = 0; i < 50; ++i) {
    log.append(100, 100_MiB, at(0s));
    log.roll(at(0s));
    log.set_high_watermark(log.log_end_offset());
    BOOST_TEST(log.delete_old_segments(at(9'000s), topic) == 0);
  }
  BOOST_TEST((log.only_local_log_segments_size() == 5'100_MiB));
  BOOST_TEST(log.maybe_increment_log_start_offset(log.log_end_offset()));
  BOOST_TEST(log.delete_old_segments(at(9'000s), topic) == 51);
}

// F27: the highest remote offset survives a truncation, so that records of the new history go although they were never
// uploaded, until the log has passed the old value.
BOOST_AUTO_TEST_CASE(f27_after_a_truncation_the_gate_lets_go_what_was_never_uploaded) {
  UnifiedLog log = log_of(3);
  log.update_highest_offset_in_remote_storage(299_offset);
  log.truncate_to(100_offset);
  log.leader_epochs().assign(LeaderEpoch{1}, 100_offset);
  for (int i = 0; i < 3; ++i) {
    log.append(100, 100_MiB, at(0s));
    log.roll(at(0s));
  }
  log.set_high_watermark(400_offset);
  BOOST_TEST(log.delete_old_segments(at(600s), kept_locally(1s, unlimited)) == 3);
  BOOST_TEST(bases(log.segments()) == (Bases{300, 400}));
}

// Facts 8.5: an open transaction bounds what may be copied, and is bounded by the high watermark.
BOOST_AUTO_TEST_CASE(a_hanging_transaction_holds_the_last_stable_offset) {
  UnifiedLog log = log_of(3);
  BOOST_TEST((log.last_stable_offset() == 300_offset));
  log.set_first_unstable_offset(150_offset);
  BOOST_TEST((log.last_stable_offset() == 150_offset));
  BOOST_TEST(candidates(log, 0_offset, log.last_stable_offset()) == Bases{0});
  log.set_high_watermark(120_offset);
  BOOST_TEST((log.last_stable_offset() == 120_offset));
  log.set_high_watermark(300_offset);
  log.set_first_unstable_offset({});
  BOOST_TEST((log.last_stable_offset() == 300_offset));
}

BOOST_AUTO_TEST_CASE(a_retention_run_with_nothing_due_changes_nothing) {
  UnifiedLog log = log_of(3);
  const auto version = log.version();
  BOOST_TEST(log.delete_old_segments(at(60s), TopicOptions{}) == 0);
  BOOST_TEST(log.version() == version);
}

BOOST_AUTO_TEST_CASE(the_version_notices_a_new_leader_epoch) {
  UnifiedLog log = log_of(1);
  const auto version = log.version();
  log.leader_epochs().assign(LeaderEpoch{1}, 100_offset);
  BOOST_TEST(log.version() == version + 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
