#include "tests/support/model_support.h"

namespace tests {

using model::RemoteLogSegmentState;

model::EpochEntries epochs(std::initializer_list<std::pair<std::int32_t, std::int64_t>> entries) {
  model::EpochEntries result;
  for (const auto& [epoch, start] : entries) result.push_back({model::LeaderEpoch{epoch}, model::Offset{start}});
  return result;
}

model::RemoteLogSegment make_segment(std::uint32_t number, model::Offset start, model::Offset end,
                                     model::EpochEntries epochs, model::Bytes size, model::SimTime max_timestamp) {
  model::RemoteLogSegment segment;
  segment.id = {0, number};
  segment.number = number;
  segment.start_offset = start;
  segment.end_offset = end;
  segment.max_timestamp = max_timestamp;
  segment.size = size;
  segment.segment_leader_epochs = std::move(epochs);
  if (segment.segment_leader_epochs.empty()) segment.segment_leader_epochs = {{model::LeaderEpoch{0}, start}};
  return segment;
}

model::RemoteLogSegmentMetadata make_event(const model::RemoteLogSegment& segment, RemoteLogSegmentState state,
                                           model::BrokerId broker, model::SimTime at) {
  model::RemoteLogSegmentMetadata event;
  event.segment = &segment;
  event.event_timestamp = at;
  event.state = state;
  event.broker_id = broker;
  return event;
}

void bring_to(model::RemoteLogMetadataCache& cache, const model::RemoteLogSegment& segment,
              RemoteLogSegmentState state) {
  cache.handle(make_event(segment, RemoteLogSegmentState::copy_segment_started));
  if (state == RemoteLogSegmentState::delete_segment_finished) {
    cache.handle(make_event(segment, RemoteLogSegmentState::delete_segment_started));
  }
  if (state != RemoteLogSegmentState::copy_segment_started) cache.handle(make_event(segment, state));
}

std::vector<std::uint32_t> numbers_of(const std::vector<model::RemoteLogSegmentMetadata>& list) {
  std::vector<std::uint32_t> numbers;
  for (const model::RemoteLogSegmentMetadata& metadata : list) numbers.push_back(metadata.segment->number);
  return numbers;
}

std::uint64_t SplitMix::next() {
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t value = state_;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

}  // namespace tests
