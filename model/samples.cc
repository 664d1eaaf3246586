#include "model/samples.h"

#include <algorithm>

namespace model {

Sample& Samples::current(std::int64_t now_ms) {
  if (samples_.empty()) samples_.push_back({now_ms, now_ms});
  if (now_ms - samples_[current_].start_ms < window_ms_) return samples_[current_];
  current_ = (current_ + 1) % sample_count_;
  const Sample fresh{now_ms, now_ms};
  if (current_ == samples_.size()) {
    samples_.push_back(fresh);
  } else {
    samples_[current_] = fresh;
  }
  return samples_[current_];
}

void Samples::record(std::int64_t value, std::int64_t now_ms) {
  Sample& sample = current(now_ms);
  sample.sum += value;
  sample.greatest = std::max(sample.greatest, value);
  ++sample.count;
  sample.last_event_ms = now_ms;
}

void Samples::empty_old(std::int64_t now_ms) {
  if (samples_.empty()) samples_.push_back({now_ms, now_ms});
  for (Sample& sample : samples_) {
    if (is_old(sample, now_ms)) sample = {now_ms, now_ms};
  }
}

bool Samples::is_old(const Sample& sample, std::int64_t now_ms) const {
  return now_ms - sample.last_event_ms >= static_cast<std::int64_t>(sample_count_) * window_ms_;
}

}  // namespace model
