#include "model/leader_epochs.h"

#include <boost/test/unit_test.hpp>

#include "tests/support/model_support.h"

namespace tests {
namespace {

using model::build_filtered_leader_epochs;
using model::EpochEntries;
using model::LeaderEpoch;
using model::LeaderEpochFileCache;
using model::LineageRule;
using model::Offset;

LeaderEpochFileCache cache_of(const EpochEntries& entries) {
  LeaderEpochFileCache cache;
  for (const auto& entry : entries) cache.assign(entry.epoch, entry.start_offset);
  return cache;
}

struct LineageRow {
  EpochEntries segment_epochs;
  std::int64_t end_offset;
  bool relaxed;
  bool strict;
};

void check_rows(const EpochEntries& lineage, const std::vector<LineageRow>& rows) {
  for (const LineageRow& row : rows) {
    const auto& first = row.segment_epochs.front();
    const auto segment = make_segment(1, first.start_offset, Offset{row.end_offset}, row.segment_epochs);
    const auto within = [&](LineageRule rule) {
      return is_remote_segment_within_leader_epochs(segment, 200_offset, lineage, rule);
    };
    BOOST_TEST_CONTEXT("row " << &row - rows.data()) {
      BOOST_TEST(within(LineageRule::relaxed) == row.relaxed);
      BOOST_TEST(within(LineageRule::strict) == row.strict);
    }
  }
}

BOOST_AUTO_TEST_SUITE(leader_epochs)

BOOST_AUTO_TEST_CASE(assigns_only_epochs_above_the_latest) {
  auto cache = cache_of(epochs({{1, 0}, {3, 40}}));
  cache.assign(LeaderEpoch{3}, 60_offset);
  cache.assign(LeaderEpoch{2}, 70_offset);
  BOOST_TEST((cache.entries() == epochs({{1, 0}, {3, 40}})));
  cache.assign(LeaderEpoch{4}, 80_offset);
  BOOST_TEST((cache.entries() == epochs({{1, 0}, {3, 40}, {4, 80}})));
  BOOST_TEST((cache.earliest_entry() == cache.entries().front()));
  BOOST_TEST((cache.latest_entry() == cache.entries().back()));
}

BOOST_AUTO_TEST_CASE(an_epoch_that_wrote_nothing_gives_way_to_the_next) {
  auto cache = cache_of(epochs({{0, 0}, {1, 10}, {2, 10}}));
  BOOST_TEST((cache.entries() == epochs({{0, 0}, {2, 10}})));
}

BOOST_AUTO_TEST_CASE(an_epoch_ends_where_the_next_one_starts) {
  const auto cache = cache_of(epochs({{0, 0}, {2, 40}, {3, 90}}));
  BOOST_TEST((cache.end_offset_for(LeaderEpoch{0}, 200_offset) == 40_offset));
  BOOST_TEST((cache.end_offset_for(LeaderEpoch{2}, 200_offset) == 90_offset));
  BOOST_TEST((cache.end_offset_for(LeaderEpoch{3}, 200_offset) == 200_offset));
  BOOST_TEST(!cache.end_offset_for(LeaderEpoch{1}, 200_offset));
  BOOST_TEST(!LeaderEpochFileCache{}.end_offset_for(LeaderEpoch{0}, 200_offset));
}

BOOST_AUTO_TEST_CASE(truncating_from_the_start_keeps_the_epoch_that_holds_the_new_start) {
  auto cache = cache_of(epochs({{0, 0}, {2, 40}, {3, 90}}));
  cache.truncate_from_start(55_offset);
  BOOST_TEST((cache.entries() == epochs({{2, 55}, {3, 90}})));
  cache.truncate_from_start(90_offset);
  BOOST_TEST((cache.entries() == epochs({{3, 90}})));
  cache.truncate_from_start(50_offset);
  BOOST_TEST((cache.entries() == epochs({{3, 90}})));
}

BOOST_AUTO_TEST_CASE(truncating_from_the_end_drops_epochs_that_start_there_or_later) {
  auto cache = cache_of(epochs({{0, 0}, {2, 40}, {3, 90}}));
  cache.truncate_from_end(91_offset);
  BOOST_TEST(cache.entries().size() == 3U);
  cache.truncate_from_end(90_offset);
  BOOST_TEST((cache.entries() == epochs({{0, 0}, {2, 40}})));
  cache.truncate_from_end(0_offset);
  BOOST_TEST(cache.empty());
  BOOST_TEST(!cache.latest_entry());
}

BOOST_AUTO_TEST_CASE(entries_of_a_range_start_no_lower_than_the_range) {
  const auto cache = cache_of(epochs({{0, 0}, {2, 40}, {3, 90}}));
  BOOST_TEST((cache.entries_between(20_offset, 60_offset) == epochs({{0, 20}, {2, 40}})));
  BOOST_TEST((cache.entries_between(40_offset, 90_offset) == epochs({{2, 40}})));
  BOOST_TEST((cache.entries_between(50_offset, 120_offset) == epochs({{2, 50}, {3, 90}})));
  BOOST_TEST((cache.entries_between(150_offset, 160_offset) == epochs({{3, 150}})));
}

BOOST_AUTO_TEST_CASE(entries_of_a_range_are_empty_when_nothing_overlaps) {
  const auto cache = cache_of(epochs({{0, 10}, {2, 40}}));
  BOOST_TEST(cache.entries_between(0_offset, 10_offset).empty());
  BOOST_TEST(cache.entries_between(20_offset, 20_offset).empty());
  BOOST_TEST((cache.entries_between(0_offset, 20_offset) == epochs({{0, 10}})));
}

BOOST_AUTO_TEST_CASE(the_version_goes_up_only_with_a_change) {
  auto cache = cache_of(epochs({{0, 0}, {2, 40}}));
  const auto before = cache.version();
  cache.assign(LeaderEpoch{1}, 50_offset);
  cache.truncate_from_start(0_offset);
  cache.truncate_from_end(50_offset);
  BOOST_TEST(cache.version() == before);
  cache.truncate_from_start(10_offset);
  BOOST_TEST(cache.version() == before + 1);
}

BOOST_AUTO_TEST_CASE(filtering_keeps_the_highest_epoch_of_equal_starts) {
  const auto filtered = build_filtered_leader_epochs(epochs({{0, 0}, {1, 10}, {2, 10}, {3, 10}, {4, 25}}));
  BOOST_TEST((filtered == epochs({{0, 0}, {3, 10}, {4, 25}})));
  BOOST_TEST((build_filtered_leader_epochs(epochs({{0, 7}, {1, 7}})) == epochs({{1, 7}})));
  BOOST_TEST(build_filtered_leader_epochs({}).empty());
}

BOOST_AUTO_TEST_CASE(a_segment_is_within_an_untruncated_lineage) {
  check_rows(epochs({{0, 0}, {2, 40}, {3, 90}}),
             {
                 {epochs({{0, 10}}), 39, true, true},
                 {epochs({{0, 0}}), 45, false, false},
                 {epochs({{0, 20}, {2, 40}}), 80, true, true},
                 {epochs({{0, 20}, {2, 45}}), 80, false, false},
                 {epochs({{0, 20}, {1, 40}}), 60, false, false},
                 {epochs({{2, 30}}), 60, false, false},
                 {epochs({{2, 40}}), 89, true, true},
                 {epochs({{2, 40}}), 90, false, false},
                 {epochs({{3, 90}}), 199, true, true},
                 {epochs({{3, 90}}), 200, false, false},
                 {epochs({{4, 90}}), 150, false, false},  // Rule A, from above.
                 {epochs({{1, 30}}), 35, false, false},   // Rule C.
                 {epochs({{0, 20}, {3, 90}}), 95, false, false},
                 {epochs({{3, 90}, {4, 120}}), 150, false, false},
                 {epochs({{0, 20}, {1, 40}, {2, 40}}), 80, true, true},  // Epoch 1 holds nothing and is filtered.
             });
}

// Only here the strict rule of 3.6 differs: it refuses what straddles the start (KAFKA-16511).
BOOST_AUTO_TEST_CASE(a_segment_is_within_a_lineage_that_lost_its_start) {
  check_rows(epochs({{2, 55}, {3, 90}}),
             {
                 {epochs({{0, 20}}), 39, false, false},
                 {epochs({{0, 20}, {2, 40}}), 80, true, false},
                 {epochs({{2, 40}}), 54, true, true},
                 {epochs({{0, 20}, {2, 40}, {3, 90}}), 120, true, false},
                 {epochs({{0, 20}, {2, 40}, {3, 95}}), 120, false, false},
                 {epochs({{0, 20}, {3, 90}}), 120, true, false},
                 {epochs({{0, 20}, {3, 80}}), 120, false, false},  // Rule D: not the first lineage epoch.
             });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
