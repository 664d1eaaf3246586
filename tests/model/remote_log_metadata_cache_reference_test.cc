// The cache against a transcription of facts 2.3 to 2.6 that knows nothing of speed.
#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include <boost/test/unit_test.hpp>

#include "model/remote_log_metadata_cache.h"
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
using Numbers = std::vector<std::uint32_t>;

class NaiveCache {
 public:
  NaiveCache(TransitionTable table, TieOrder tie_order) : table_(table), tie_order_(tie_order) {}

  CacheAnswer handle(const RemoteLogSegmentMetadata& event) {
    const std::uint32_t number = event.segment->number;
    const auto existing = metadata_.find(number);
    std::optional<RemoteLogSegmentState> from;
    if (existing != metadata_.end()) from = existing->second.state;
    if (!from && event.state != RemoteLogSegmentState::copy_segment_started) return CacheAnswer::dropped_unknown;
    if (!is_valid_transition(table_, from, event.state)) return CacheAnswer::dropped_transition;
    if (!from) arrival_.push_back(number);
    apply(event);
    if (event.state == RemoteLogSegmentState::delete_segment_finished) {
      metadata_.erase(number);
      std::erase(arrival_, number);
    } else {
      metadata_[number] = event;
    }
    return CacheAnswer::applied;
  }

  std::vector<RemoteLogSegmentMetadata> list(LeaderEpoch epoch) const {
    std::vector<RemoteLogSegmentMetadata> out;
    const auto found = epochs_.find(epoch);
    if (found == epochs_.end()) return out;
    for (const auto& [start, number] : found->second.offset_to_id) out.push_back(metadata_.at(number));
    Numbers unreferenced = arrival_;
    std::erase_if(unreferenced, [&](std::uint32_t number) { return !found->second.unreferenced.contains(number); });
    if (tie_order_ == TieOrder::reverse) std::reverse(unreferenced.begin(), unreferenced.end());
    for (const std::uint32_t number : unreferenced) out.push_back(metadata_.at(number));
    if (unreferenced.empty()) return out;
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.segment->start_offset < b.segment->start_offset; });
    return out;
  }

  std::vector<RemoteLogSegmentMetadata> list_all() const {
    std::vector<RemoteLogSegmentMetadata> out;
    for (const std::uint32_t number : arrival_) out.push_back(metadata_.at(number));
    return out;
  }

  std::optional<RemoteLogSegmentMetadata> read(LeaderEpoch epoch, Offset offset) const {
    const auto state = epochs_.find(epoch);
    if (state == epochs_.end()) return std::nullopt;
    auto above = state->second.offset_to_id.upper_bound(offset);
    if (above == state->second.offset_to_id.begin()) return std::nullopt;
    const RemoteLogSegmentMetadata& metadata = metadata_.at((--above)->second);
    if (offset > end_of(*metadata.segment, epoch)) return std::nullopt;
    return metadata;
  }

  std::optional<Offset> highest(LeaderEpoch epoch) const {
    const auto state = epochs_.find(epoch);
    return state == epochs_.end() ? std::nullopt : state->second.highest;
  }

  std::vector<LeaderEpoch> list_epochs() const {
    std::vector<LeaderEpoch> out;
    for (const auto& [epoch, state] : epochs_) out.push_back(epoch);
    return out;
  }

 private:
  struct Epoch {
    std::map<Offset, std::uint32_t> offset_to_id;
    std::set<std::uint32_t> unreferenced;
    std::optional<Offset> highest;
  };

  static Offset end_of(const RemoteLogSegment& segment, LeaderEpoch epoch) {
    for (const auto& entry : segment.segment_leader_epochs) {
      if (entry.epoch > epoch) return previous(entry.start_offset);
    }
    return segment.end_offset;
  }

  void apply(const RemoteLogSegmentMetadata& event) {
    const std::uint32_t number = event.segment->number;
    for (const auto& [epoch, start] : event.segment->segment_leader_epochs) {
      Epoch& state = epochs_[epoch];
      switch (event.state) {
        case RemoteLogSegmentState::copy_segment_started:
          state.unreferenced.insert(number);
          break;
        case RemoteLogSegmentState::copy_segment_finished:
          finish(state, start, end_of(*event.segment, epoch), number);
          break;
        case RemoteLogSegmentState::delete_segment_started:
        case RemoteLogSegmentState::dangling: {
          const auto mapped = state.offset_to_id.find(start);
          if (mapped != state.offset_to_id.end() && mapped->second == number) state.offset_to_id.erase(mapped);
          state.unreferenced.insert(number);
          break;
        }
        case RemoteLogSegmentState::delete_segment_finished:
          state.unreferenced.erase(number);
          break;
      }
    }
  }

  static void finish(Epoch& state, Offset start, Offset end, std::uint32_t number) {
    while (!state.offset_to_id.empty()) {
      const auto last = std::prev(state.offset_to_id.end());
      if (last->first < start || *state.highest > end) break;
      state.unreferenced.insert(last->second);
      state.offset_to_id.erase(last);
    }
    state.offset_to_id[start] = number;
    state.unreferenced.erase(number);
    state.highest = state.highest ? std::max(*state.highest, end) : end;
  }

  TransitionTable table_;
  TieOrder tie_order_;
  std::map<std::uint32_t, RemoteLogSegmentMetadata> metadata_;
  Numbers arrival_;
  std::map<LeaderEpoch, Epoch> epochs_;
};

constexpr int epoch_count = 4;

std::deque<RemoteLogSegment> random_segments(SplitMix& random, std::uint32_t count, std::uint32_t spread) {
  std::deque<RemoteLogSegment> segments;
  for (std::uint32_t number = 0; number < count; ++number) {
    const Offset start{random.below(spread) * 10};
    const Offset end = start + 9 + 10 * random.below(4);
    model::EpochEntries entries{{LeaderEpoch{static_cast<std::int32_t>(random.below(2))}, start}};
    while (random.below(4) == 0 && entries.back().epoch.value() + 1 < epoch_count) {
      const Offset later = entries.back().start_offset + 1 + random.below(5);
      if (later > end) break;
      entries.push_back({LeaderEpoch{entries.back().epoch.value() + 1}, later});
    }
    segments.push_back(make_segment(number, start, end, std::move(entries), model::Bytes{1 + random.below(1'000)}));
  }
  return segments;
}

bool same(const std::vector<RemoteLogSegmentMetadata>& a, const std::vector<RemoteLogSegmentMetadata>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.segment == y.segment && x.state == y.state && x.broker_id == y.broker_id &&
           x.event_timestamp == y.event_timestamp && x.custom_metadata_size == y.custom_metadata_size;
  });
}

/// What differs, or nothing.
std::string difference(const RemoteLogMetadataCache& cache, const NaiveCache& naive, Offset offset) {
  for (int value = 0; value <= epoch_count; ++value) {
    const LeaderEpoch epoch{value};
    std::vector<RemoteLogSegmentMetadata> list;
    cache.list_remote_log_segments(epoch, list);
    if (!same(list, naive.list(epoch))) return fmt::format("list of epoch {}", epoch);
    if (cache.highest_offset_for_epoch(epoch) != naive.highest(epoch)) return fmt::format("highest of epoch {}", epoch);
    const auto found = cache.remote_log_segment_metadata(epoch, offset);
    const auto expected = naive.read(epoch, offset);
    if (found.has_value() != expected.has_value()) return fmt::format("read of {} in epoch {}", offset, epoch);
    if (found && found->segment != expected->segment) return fmt::format("reader of {} in epoch {}", offset, epoch);
  }
  std::vector<RemoteLogSegmentMetadata> list;
  cache.list_all_remote_log_segments(list);
  if (!same(list, naive.list_all())) return "list of all";
  for (int id = 0; id < model::remote_log_segment_state_count; ++id) {
    const auto state = static_cast<RemoteLogSegmentState>(id);
    auto expected = naive.list_all();
    std::erase_if(expected, [state](const auto& metadata) { return metadata.state != state; });
    list.clear();
    cache.list_in_state(state, list);
    if (!same(list, expected)) return fmt::format("list in {}", to_string(state));
    model::Bytes size;
    for (const auto& metadata : expected) size += metadata.segment->size;
    if (cache.count(state) != std::ssize(expected)) return fmt::format("count in {}", to_string(state));
    if (cache.size(state) != size) return fmt::format("size in {}", to_string(state));
  }
  std::vector<LeaderEpoch> known;
  cache.list_epochs(known);
  return known == naive.list_epochs() ? "" : "epochs";
}

struct Shape {
  std::uint32_t segment_count;
  std::uint32_t start_count;
  int event_count;
  /// One event in so many is compared in full.
  int compare_every;
  /// Of new events, how far from the newest number they may be.
  std::uint32_t window;
};

RemoteLogSegmentMetadata random_event(SplitMix& random, const std::deque<RemoteLogSegment>& segments,
                                      const Shape& shape, int index) {
  const auto progress =
      static_cast<std::uint64_t>(index) * segments.size() / static_cast<std::uint64_t>(shape.event_count);
  const std::uint64_t offset = random.below(shape.window);
  const RemoteLogSegment& segment = segments[progress > offset ? progress - offset : 0];
  auto event = make_event(segment, static_cast<RemoteLogSegmentState>(random.below(5)),
                          model::BrokerId{static_cast<std::int32_t>(1 + random.below(3))},
                          model::from_milliseconds(random.below(1'000'000)));
  event.custom_metadata_size = static_cast<std::int32_t>(random.below(3));
  return event;
}

void compare_random_run(std::uint64_t seed, const Shape& shape) {
  SplitMix random{seed};
  const auto table = random.below(4) == 0 ? TransitionTable::kafka : TransitionTable::kip;
  const auto tie_order = random.below(3) == 0 ? TieOrder::reverse : TieOrder::event_order;
  const auto segments = random_segments(random, shape.segment_count, shape.start_count);
  RemoteLogMetadataCache cache{table, tie_order};
  RemoteLogMetadataCache only_legal{table, tie_order};
  NaiveCache naive{table, tie_order};
  std::uint64_t applied = 0;
  for (int index = 0; index < shape.event_count; ++index) {
    const auto event = random_event(random, segments, shape, index);
    const CacheAnswer answer = cache.handle(event);
    BOOST_REQUIRE((answer == naive.handle(event)));
    if (answer == CacheAnswer::applied) {
      ++applied;
      only_legal.handle(event);
    }
    if (index % shape.compare_every != 0 && index + 1 != shape.event_count) continue;
    const std::string what = difference(cache, naive, Offset{random.below(shape.start_count * 10 + 40)});
    BOOST_REQUIRE_MESSAGE(what.empty(), "seed " << seed << ", event " << index << ": " << what);
  }
  BOOST_REQUIRE(cache.version() == applied);
  BOOST_REQUIRE(cache.content_hash() == only_legal.content_hash());
}

BOOST_AUTO_TEST_SUITE(remote_log_metadata_cache_reference)

BOOST_AUTO_TEST_CASE(agrees_on_thousands_of_short_histories) {
  for (std::uint64_t seed = 1; seed <= 4'000; ++seed) compare_random_run(seed, {8, 4, 60, 3, 8});
}

BOOST_AUTO_TEST_CASE(agrees_on_histories_that_compact_many_times) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) compare_random_run(seed, {800, 300, 12'000, 197, 60});
}

BOOST_AUTO_TEST_CASE(agrees_where_numbers_mostly_ascend) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) compare_random_run(seed, {400, 200, 3'000, 97, 3});
}

// Two caches of one content, reached over different histories of disjoint ranges.
BOOST_AUTO_TEST_CASE(equal_contents_have_equal_hashes) {
  SplitMix random{7};
  std::deque<RemoteLogSegment> segments;
  for (std::uint32_t number = 0; number < 200; ++number) {
    const Offset start{number * 10};
    segments.push_back(
        make_segment(number, start, start + 9, {{LeaderEpoch{static_cast<std::int32_t>(number)}, start}}));
  }
  RemoteLogMetadataCache forward{TransitionTable::kip};
  RemoteLogMetadataCache backward{TransitionTable::kip};
  std::vector<RemoteLogSegmentState> states;
  for (const RemoteLogSegment& segment : segments) {
    states.push_back(static_cast<RemoteLogSegmentState>(random.below(5)));
    bring_to(forward, segment, states.back());
  }
  for (std::size_t left = segments.size(); left > 0; --left) bring_to(backward, segments[left - 1], states[left - 1]);
  BOOST_TEST(forward.content_hash() == backward.content_hash());
  forward.handle(make_event(segments[0], RemoteLogSegmentState::copy_segment_started, model::BrokerId{9}));
  BOOST_TEST((forward.content_hash() == backward.content_hash()) == (forward.version() == backward.version()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
