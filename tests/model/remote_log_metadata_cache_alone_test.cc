// A program of its own, because it counts what the whole program allocates.
#define BOOST_TEST_MODULE remote_log_metadata_cache_allocation
#include "model/remote_log_metadata_cache.h"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <new>

#include <boost/test/unit_test.hpp>

#include "tests/support/counting_allocations.h"
#include "tests/support/model_support.h"

namespace tests {
namespace {

using model::Offset;
using model::RemoteLogMetadataCache;
using model::RemoteLogSegment;
using model::RemoteLogSegmentMetadata;
using enum model::RemoteLogSegmentState;

BOOST_AUTO_TEST_SUITE(remote_log_metadata_cache_allocation)

/// A copy's life: the `index`-th copy comes after a failed attempt, and the one 200 before it expires.
void step(RemoteLogMetadataCache& cache, std::deque<RemoteLogSegment>& segments, std::size_t index,
          std::vector<RemoteLogSegmentMetadata>& list) {
  const RemoteLogSegment& failed = segments[2 * index];
  const RemoteLogSegment& copied = segments[2 * index + 1];
  bring_to(cache, failed, dangling);
  bring_to(cache, copied, copy_segment_finished);
  list.clear();
  cache.list_in_state(dangling, list);
  cache.list_remote_log_segments(model::LeaderEpoch{0}, list);
  if (index >= 50) {
    cache.handle(make_event(segments[2 * (index - 50)], delete_segment_started));
    cache.handle(make_event(segments[2 * (index - 50)], delete_segment_finished));
  }
  if (index >= 200) {
    cache.handle(make_event(segments[2 * (index - 200) + 1], delete_segment_started));
    cache.handle(make_event(segments[2 * (index - 200) + 1], delete_segment_finished));
  }
}

BOOST_AUTO_TEST_CASE(a_steady_stream_of_copies_allocates_nothing) {
  std::deque<RemoteLogSegment> segments;
  for (std::uint32_t number = 0; number < 20'000; ++number) {
    const Offset start{number / 2 * 10};
    segments.push_back(make_segment(number, start, start + 9));
  }
  RemoteLogMetadataCache cache{model::TransitionTable::kip};
  std::vector<RemoteLogSegmentMetadata> list;
  for (std::size_t index = 0; index < 2'000; ++index) step(cache, segments, index, list);
  const std::uint64_t before = allocation_count;
  for (std::size_t index = 2'000; index < 10'000; ++index) step(cache, segments, index, list);
  BOOST_TEST(allocation_count == before);
  BOOST_TEST(cache.count(copy_segment_finished) == 200);
  BOOST_TEST(cache.count(dangling) == 50);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
