// Mirrors: SampledStat with its MetricConfig: what a sensor has recorded lately, window by window.
// Leaves out: windows that end by a count of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace model {

/// What was recorded in one window; it begins with its first event, or when it was emptied.
struct Sample {
  std::int64_t start_ms;
  std::int64_t last_event_ms;
  std::int64_t sum = 0;
  std::int64_t greatest = 0;
  std::int64_t count = 0;
};

/// The last windows of a sensor, a ring once it is full.
class Samples {
 public:
  Samples(std::int32_t sample_count, std::int64_t window_ms)
      : sample_count_(static_cast<std::size_t>(sample_count)), window_ms_(window_ms) {}

  void record(std::int64_t value, std::int64_t now_ms);
  /// Empties what is older than all windows together; there is a window afterwards.
  void empty_old(std::int64_t now_ms);
  bool is_old(const Sample& sample, std::int64_t now_ms) const;
  std::int64_t window_ms() const { return window_ms_; }
  std::span<const Sample> all() const { return samples_; }

 private:
  Sample& current(std::int64_t now_ms);

  std::size_t sample_count_;
  std::int64_t window_ms_;
  std::vector<Sample> samples_;
  std::size_t current_ = 0;
};

}  // namespace model
