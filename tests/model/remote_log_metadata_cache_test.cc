#include "model/remote_log_metadata_cache.h"

#include <deque>

#include <boost/test/unit_test.hpp>

#include "tests/support/model_support.h"

namespace tests {
namespace {

using model::CacheAnswer;
using model::LeaderEpoch;
using model::Offset;
using model::RemoteLogMetadataCache;
using model::RemoteLogSegment;
using model::RemoteLogSegmentMetadata;
using model::RemoteLogSegmentState;
using model::TieOrder;
using model::TransitionTable;
using enum model::RemoteLogSegmentState;
using Numbers = std::vector<std::uint32_t>;

/// A cache and the segments it was told of.
struct Fixture {
  RemoteLogMetadataCache cache{TransitionTable::kip};
  std::deque<RemoteLogSegment> segments;

  /// A new segment of offsets [start, end], brought to `state`.
  const RemoteLogSegment& add(Offset start, Offset end, RemoteLogSegmentState state, model::EpochEntries epochs = {}) {
    const auto number = static_cast<std::uint32_t>(segments.size());
    segments.push_back(make_segment(number, start, end, std::move(epochs), 10_MiB));
    bring_to(cache, segments.back(), state);
    return segments.back();
  }
  CacheAnswer handle(const RemoteLogSegment& segment, RemoteLogSegmentState state) {
    return cache.handle(make_event(segment, state));
  }
  Numbers list(int epoch = 0) const {
    std::vector<RemoteLogSegmentMetadata> out;
    cache.list_remote_log_segments(LeaderEpoch{epoch}, out);
    return numbers_of(out);
  }
  Numbers list_all() const {
    std::vector<RemoteLogSegmentMetadata> out;
    cache.list_all_remote_log_segments(out);
    return numbers_of(out);
  }
  Numbers list_in(RemoteLogSegmentState state) const {
    std::vector<RemoteLogSegmentMetadata> out;
    cache.list_in_state(state, out);
    return numbers_of(out);
  }
  /// The number of the segment that serves `offset`, or -1.
  int read(Offset offset, int epoch = 0) const {
    const auto found = cache.remote_log_segment_metadata(LeaderEpoch{epoch}, offset);
    return found ? static_cast<int>(found->segment->number) : -1;
  }
  std::int64_t highest(int epoch = 0) const {
    return cache.highest_offset_for_epoch(LeaderEpoch{epoch}).value_or(Offset{-1}).value();
  }
};

BOOST_FIXTURE_TEST_SUITE(remote_log_metadata_cache, Fixture)

BOOST_AUTO_TEST_CASE(a_started_copy_is_listed_but_serves_no_reads) {
  add(0_offset, 99_offset, copy_segment_started);
  BOOST_TEST(list() == Numbers{0});
  BOOST_TEST(list_all() == Numbers{0});
  BOOST_TEST(read(50_offset) == -1);
  BOOST_TEST(highest() == -1);
}

BOOST_AUTO_TEST_CASE(a_finished_copy_serves_reads_up_to_its_end) {
  add(10_offset, 99_offset, copy_segment_finished);
  BOOST_TEST(list() == Numbers{0});
  BOOST_TEST(read(9_offset) == -1);
  BOOST_TEST(read(10_offset) == 0);
  BOOST_TEST(read(99_offset) == 0);
  BOOST_TEST(read(100_offset) == -1);
  BOOST_TEST(read(50_offset, 1) == -1);
  BOOST_TEST(highest() == 99);
}

BOOST_AUTO_TEST_CASE(a_deleting_copy_stays_listed_and_keeps_the_highest_offset) {
  const auto& segment = add(0_offset, 99_offset, copy_segment_finished);
  BOOST_TEST((handle(segment, delete_segment_started) == CacheAnswer::applied));
  BOOST_TEST(list() == Numbers{0});
  BOOST_TEST(read(50_offset) == -1);
  BOOST_TEST(highest() == 99);
  BOOST_TEST((handle(segment, delete_segment_started) == CacheAnswer::applied));
  BOOST_TEST(list() == Numbers{0});
}

BOOST_AUTO_TEST_CASE(a_deleted_copy_is_gone_but_for_the_highest_offset_and_the_epoch) {
  const auto& segment = add(0_offset, 99_offset, copy_segment_finished, epochs({{3, 0}}));
  handle(segment, delete_segment_started);
  handle(segment, delete_segment_finished);
  BOOST_TEST(list(3) == Numbers{});
  BOOST_TEST(list_all() == Numbers{});
  BOOST_TEST(!cache.find(segment));
  BOOST_TEST(highest(3) == 99);
  std::vector<LeaderEpoch> known;
  cache.list_epochs(known);
  BOOST_TEST((known == std::vector{LeaderEpoch{3}}));
}

BOOST_AUTO_TEST_CASE(a_dangling_copy_is_listed_but_serves_no_reads) {
  const auto& failed = add(0_offset, 99_offset, dangling);
  const auto& undeletable = add(100_offset, 199_offset, copy_segment_finished);
  handle(undeletable, delete_segment_started);
  BOOST_TEST((handle(undeletable, dangling) == CacheAnswer::applied));
  BOOST_TEST(list() == (Numbers{0, 1}));
  BOOST_TEST(list_in(dangling) == (Numbers{0, 1}));
  BOOST_TEST(read(50_offset) == -1);
  BOOST_TEST(read(150_offset) == -1);
  BOOST_TEST((handle(failed, copy_segment_finished) == CacheAnswer::dropped_transition));
  BOOST_TEST((handle(failed, delete_segment_finished) == CacheAnswer::dropped_transition));
}

BOOST_AUTO_TEST_CASE(an_illegal_event_is_dropped_and_changes_nothing) {
  const auto& segment = add(0_offset, 99_offset, copy_segment_finished);
  const auto version = cache.version();
  const auto hash = cache.content_hash();
  for (const auto state : {copy_segment_started, delete_segment_finished, dangling}) {
    BOOST_TEST((handle(segment, state) == CacheAnswer::dropped_transition));
  }
  BOOST_TEST(cache.version() == version);
  BOOST_TEST(cache.content_hash() == hash);
  BOOST_TEST((cache.find(segment)->state == copy_segment_finished));
  BOOST_TEST(read(50_offset) == 0);
}

BOOST_AUTO_TEST_CASE(an_update_of_an_unknown_id_is_dropped) {
  const auto unknown = make_segment(7, 0_offset, 99_offset);
  for (const auto state : {copy_segment_finished, delete_segment_started, delete_segment_finished, dangling}) {
    BOOST_TEST((handle(unknown, state) == CacheAnswer::dropped_unknown));
  }
  BOOST_TEST(cache.version() == 0U);
  BOOST_TEST(list_all() == Numbers{});
}

BOOST_AUTO_TEST_CASE(kafkas_table_drops_dangling) {
  RemoteLogMetadataCache older{TransitionTable::kafka};
  const auto segment = make_segment(0, 0_offset, 99_offset);
  bring_to(older, segment, copy_segment_started);
  BOOST_TEST((older.handle(make_event(segment, dangling)) == CacheAnswer::dropped_transition));
  BOOST_TEST((older.find(segment)->state == copy_segment_started));
}

BOOST_AUTO_TEST_CASE(the_latest_event_replaces_broker_time_and_custom_metadata) {
  const auto& segment = add(0_offset, 99_offset, copy_segment_started);
  auto event = make_event(segment, copy_segment_finished, model::BrokerId{4}, model::SimTime{5s});
  event.custom_metadata_size = 17;
  cache.handle(event);
  const auto found = cache.find(segment);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST((found->segment == &segment));
  BOOST_TEST((found->broker_id == model::BrokerId{4}));
  BOOST_TEST((found->event_timestamp == model::SimTime{5s}));
  BOOST_TEST(found->custom_metadata_size == 17);
}

// Facts 2.4, a row a test.

BOOST_AUTO_TEST_CASE(a_superset_supersedes) {
  add(0_offset, 100_offset, copy_segment_finished);
  add(0_offset, 200_offset, copy_segment_finished);
  BOOST_TEST(read(50_offset) == 1);
  BOOST_TEST(read(200_offset) == 1);
  BOOST_TEST(list() == (Numbers{1, 0}));  // The referenced one first at the same start.
  BOOST_TEST(highest() == 200);
}

BOOST_AUTO_TEST_CASE(an_overlap_from_below_supersedes) {
  add(10_offset, 90_offset, copy_segment_finished);
  add(5_offset, 100_offset, copy_segment_finished);
  add(101_offset, 200_offset, copy_segment_finished);
  BOOST_TEST(read(50_offset) == 1);
  BOOST_TEST(read(150_offset) == 2);
  BOOST_TEST(list() == (Numbers{1, 0, 2}));
  BOOST_TEST(highest() == 200);
}

BOOST_AUTO_TEST_CASE(a_segment_that_reaches_the_end_replaces_the_tail) {
  add(0_offset, 100_offset, copy_segment_finished);
  add(101_offset, 200_offset, copy_segment_finished);
  add(50_offset, 200_offset, copy_segment_finished);
  BOOST_TEST(read(49_offset) == 0);
  BOOST_TEST(read(50_offset) == 2);
  BOOST_TEST(read(150_offset) == 2);
  BOOST_TEST(list() == (Numbers{0, 2, 1}));
}

BOOST_AUTO_TEST_CASE(a_late_segment_with_a_lower_end_supersedes_nothing) {
  add(0_offset, 100_offset, copy_segment_finished);
  add(101_offset, 200_offset, copy_segment_finished);
  add(50_offset, 150_offset, copy_segment_finished);
  BOOST_TEST(read(49_offset) == 0);
  BOOST_TEST(read(100_offset) == 2);
  BOOST_TEST(read(101_offset) == 1);
  BOOST_TEST(list() == (Numbers{0, 2, 1}));
  BOOST_TEST(highest() == 200);
}

BOOST_AUTO_TEST_CASE(a_late_narrower_segment_makes_another_vanish_from_the_epoch) {
  const auto& vanished = add(0_offset, 100_offset, copy_segment_finished);
  add(101_offset, 200_offset, copy_segment_finished);
  add(0_offset, 50_offset, copy_segment_finished);
  BOOST_TEST(list() == (Numbers{2, 1}));
  BOOST_TEST(list_all() == (Numbers{0, 1, 2}));
  BOOST_TEST((cache.find(vanished)->state == copy_segment_finished));
  BOOST_TEST(cache.count(copy_segment_finished) == 3);
  BOOST_TEST(read(50_offset) == 2);
  BOOST_TEST(read(51_offset) == -1);  // No lower entry is tried.
  BOOST_TEST(read(101_offset) == 1);
  handle(vanished, delete_segment_started);
  BOOST_TEST(list() == (Numbers{2, 0, 1}));
  BOOST_TEST(read(50_offset) == 2);
}

BOOST_AUTO_TEST_CASE(a_superseded_segment_confirmed_again_is_referenced_again) {
  const auto& first = add(0_offset, 100_offset, copy_segment_finished);
  add(0_offset, 100_offset, copy_segment_finished);
  BOOST_TEST(read(50_offset) == 1);
  BOOST_TEST((handle(first, copy_segment_finished) == CacheAnswer::applied));
  BOOST_TEST(read(50_offset) == 0);
  BOOST_TEST(list() == (Numbers{0, 1}));
}

BOOST_AUTO_TEST_CASE(deleting_a_superseded_segment_leaves_the_reference_of_its_successor) {
  const auto& first = add(0_offset, 100_offset, copy_segment_finished);
  add(0_offset, 100_offset, copy_segment_finished);
  handle(first, delete_segment_started);
  BOOST_TEST(read(50_offset) == 1);
  handle(first, delete_segment_finished);
  BOOST_TEST(list() == Numbers{1});
}

BOOST_AUTO_TEST_CASE(each_epoch_of_a_segment_keeps_its_own_part) {
  add(0_offset, 99_offset, copy_segment_finished, epochs({{0, 0}, {2, 40}, {3, 90}}));
  BOOST_TEST(read(39_offset) == 0);
  BOOST_TEST(read(40_offset) == -1);
  BOOST_TEST(read(39_offset, 2) == -1);
  BOOST_TEST(read(89_offset, 2) == 0);
  BOOST_TEST(read(90_offset, 2) == -1);
  BOOST_TEST(read(99_offset, 3) == 0);
  BOOST_TEST(highest(0) == 39);
  BOOST_TEST(highest(2) == 89);
  BOOST_TEST(highest(3) == 99);
  BOOST_TEST(highest(1) == -1);
}

// Facts 2.6.

BOOST_AUTO_TEST_CASE(unreferenced_ties_are_listed_in_event_order_after_the_referenced_one) {
  add(100_offset, 199_offset, copy_segment_started);
  add(100_offset, 199_offset, dangling);
  add(100_offset, 199_offset, copy_segment_finished);
  add(100_offset, 199_offset, copy_segment_started);
  add(0_offset, 99_offset, copy_segment_started);
  BOOST_TEST(list() == (Numbers{4, 2, 0, 1, 3}));
}

BOOST_AUTO_TEST_CASE(unreferenced_ties_can_be_reversed) {
  cache = RemoteLogMetadataCache{TransitionTable::kip, TieOrder::reverse};
  add(100_offset, 199_offset, copy_segment_started);
  add(100_offset, 199_offset, copy_segment_started);
  add(100_offset, 199_offset, copy_segment_finished);
  add(0_offset, 99_offset, copy_segment_started);
  add(0_offset, 99_offset, copy_segment_started);
  BOOST_TEST(list() == (Numbers{4, 3, 2, 1, 0}));
}

BOOST_AUTO_TEST_CASE(referenced_segments_alone_keep_the_order_of_their_keys) {
  add(50_offset, 79_offset, copy_segment_finished, epochs({{1, 50}}));
  add(0_offset, 120_offset, copy_segment_finished, epochs({{0, 0}, {1, 100}}));
  BOOST_TEST(list(1) == (Numbers{0, 1}));
  add(200_offset, 299_offset, copy_segment_started, epochs({{1, 200}}));
  BOOST_TEST(list(1) == (Numbers{1, 0, 2}));  // Now sorted by the segments' own starts.
}

BOOST_AUTO_TEST_CASE(a_visitor_sees_the_list_in_its_order_until_it_has_enough) {
  add(0_offset, 99_offset, copy_segment_finished);
  add(0_offset, 99_offset, delete_segment_started);
  add(100_offset, 199_offset, copy_segment_started);
  add(50_offset, 79_offset, copy_segment_finished, epochs({{1, 50}}));
  add(0_offset, 120_offset, copy_segment_finished, epochs({{0, 0}, {1, 100}}));
  add(200_offset, 299_offset, copy_segment_started, epochs({{1, 200}}));
  for (const int epoch : {0, 1}) {
    const Numbers all = list(epoch);
    BOOST_TEST(all.size() == (epoch == 0 ? 4U : 3U));
    for (std::size_t enough = 1; enough <= all.size(); ++enough) {
      std::vector<RemoteLogSegmentMetadata> seen;
      cache.visit_remote_log_segments(LeaderEpoch{epoch}, [&](const RemoteLogSegmentMetadata& metadata) {
        seen.push_back(metadata);
        return seen.size() < enough;
      });
      BOOST_TEST(numbers_of(seen) == Numbers(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(enough)));
    }
  }
}

BOOST_AUTO_TEST_CASE(lists_are_appended_to_what_is_there) {
  const auto& segment = add(0_offset, 99_offset, dangling);
  std::vector<RemoteLogSegmentMetadata> out{make_event(segment, copy_segment_started)};
  cache.list_remote_log_segments(LeaderEpoch{0}, out);
  cache.list_all_remote_log_segments(out);
  cache.list_in_state(dangling, out);
  cache.list_remote_log_segments(LeaderEpoch{5}, out);
  BOOST_TEST(out.size() == 4U);
  BOOST_TEST((out.front().state == copy_segment_started));
  BOOST_TEST((out.back().state == dangling));
}

BOOST_AUTO_TEST_CASE(counts_and_sizes_follow_the_states) {
  const auto& segment = add(0_offset, 99_offset, copy_segment_started);
  add(0_offset, 99_offset, dangling);
  BOOST_TEST(cache.count(copy_segment_started) == 1);
  BOOST_TEST(cache.count(dangling) == 1);
  handle(segment, dangling);
  BOOST_TEST(cache.count(copy_segment_started) == 0);
  BOOST_TEST((cache.size(copy_segment_started) == 0_B));
  BOOST_TEST(cache.count(dangling) == 2);
  BOOST_TEST((cache.size(dangling) == 20_MiB));
  handle(segment, delete_segment_started);
  handle(segment, delete_segment_finished);
  BOOST_TEST(cache.count(delete_segment_finished) == 0);
  BOOST_TEST((cache.size(dangling) == 10_MiB));
}

BOOST_AUTO_TEST_CASE(lists_follow_the_events_where_numbers_arrive_out_of_order) {
  const auto newer = make_segment(9, 0_offset, 99_offset);
  const auto older = make_segment(4, 0_offset, 99_offset);
  const auto newest = make_segment(12, 0_offset, 99_offset);
  for (const auto* segment : {&newer, &older, &newest}) bring_to(cache, *segment, dangling);
  BOOST_TEST(list_all() == (Numbers{9, 4, 12}));
  BOOST_TEST(list_in(dangling) == (Numbers{9, 4, 12}));
  BOOST_TEST(list() == (Numbers{9, 4, 12}));
  BOOST_TEST((cache.find(older)->segment == &older));
}

BOOST_AUTO_TEST_CASE(an_id_that_starts_again_after_its_deletion_is_new) {
  const auto& first = add(0_offset, 99_offset, delete_segment_finished);
  add(0_offset, 99_offset, copy_segment_started);
  BOOST_TEST((handle(first, copy_segment_started) == CacheAnswer::applied));
  BOOST_TEST(list_all() == (Numbers{1, 0}));
  BOOST_TEST((handle(first, copy_segment_finished) == CacheAnswer::applied));
  BOOST_TEST(read(0_offset) == 0);
}

BOOST_AUTO_TEST_CASE(the_content_hash_does_not_depend_on_the_order_of_arrival) {
  RemoteLogMetadataCache other{TransitionTable::kip};
  const auto& first = add(0_offset, 99_offset, copy_segment_finished);
  const auto& second = add(100_offset, 199_offset, dangling);
  BOOST_TEST(cache.content_hash() != other.content_hash());
  bring_to(other, second, dangling);
  BOOST_TEST(cache.content_hash() != other.content_hash());
  bring_to(other, first, copy_segment_finished);
  BOOST_TEST(cache.content_hash() == other.content_hash());
  other.handle(make_event(second, delete_segment_started));
  BOOST_TEST(cache.content_hash() != other.content_hash());
  other.handle(make_event(second, dangling));
  BOOST_TEST(cache.content_hash() == other.content_hash());
}

BOOST_AUTO_TEST_CASE(the_content_hash_tells_which_of_two_copies_is_referenced) {
  RemoteLogMetadataCache other{TransitionTable::kip};
  const auto& first = add(0_offset, 99_offset, copy_segment_finished);
  const auto& second = add(0_offset, 99_offset, copy_segment_finished);
  bring_to(other, second, copy_segment_finished);
  bring_to(other, first, copy_segment_finished);
  BOOST_TEST(cache.content_hash() != other.content_hash());
}

BOOST_AUTO_TEST_CASE(a_thousand_copies_expire_from_the_front_while_new_ones_come) {
  for (int index = 0; index < 3'000; ++index) {
    const Offset start{index * 10};
    add(start, start + 9, copy_segment_finished);
    if (index < 1'000) continue;
    handle(segments[static_cast<std::size_t>(index - 1'000)], delete_segment_started);
    handle(segments[static_cast<std::size_t>(index - 1'000)], delete_segment_finished);
  }
  BOOST_TEST(cache.count(copy_segment_finished) == 1'000);
  BOOST_TEST(list() == list_all());
  BOOST_TEST(list().front() == 2'000U);
  BOOST_TEST(read(19'999_offset) == -1);
  BOOST_TEST(read(20'000_offset) == 2'000);
  BOOST_TEST(read(29'999_offset) == 2'999);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
