// Makers for tests of model/ and of what is built on it: a test names only what it is about.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "model/leader_epochs.h"
#include "model/remote_log_metadata_cache.h"
#include "model/remote_log_segment_metadata.h"
#include "model/time.h"
#include "model/types.h"

namespace tests {

using namespace model::literals;
using namespace std::chrono_literals;

/// {{epoch, start offset}, ...}.
model::EpochEntries epochs(std::initializer_list<std::pair<std::int32_t, std::int64_t>> entries);

/// Copy attempt `number` of offsets [start, end], both inclusive, of partition 0. Without `epochs` all of it is of
/// epoch 0. Attempts that meet in one cache need different numbers and a fixed address.
model::RemoteLogSegment make_segment(std::uint32_t number, model::Offset start, model::Offset end,
                                     model::EpochEntries epochs = {}, model::Bytes size = 100_MiB,
                                     model::SimTime max_timestamp = model::time_start);

/// An event of `segment`, written by `broker`.
model::RemoteLogSegmentMetadata make_event(const model::RemoteLogSegment& segment, model::RemoteLogSegmentState state,
                                           model::BrokerId broker = model::BrokerId{1},
                                           model::SimTime at = model::time_start);

/// Gives `cache` the legal events that bring an unknown `segment` to `state`.
void bring_to(model::RemoteLogMetadataCache& cache, const model::RemoteLogSegment& segment,
              model::RemoteLogSegmentState state);

/// What the lists of a cache are compared by.
std::vector<std::uint32_t> numbers_of(const std::vector<model::RemoteLogSegmentMetadata>& list);

/// SplitMix64 for randomized tests; not the product's generator, which is what some of them test.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// In [0, bound), with a bias that no test here can see.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() % bound); }

 private:
  std::uint64_t state_;
};

}  // namespace tests
