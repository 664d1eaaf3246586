#include "model/copy_quota.h"

#include <algorithm>

#include "model/options.h"

namespace model {

CopyQuota::CopyQuota(Bytes limit, std::int32_t sample_count, Duration window)
    : limit_(limit),
      sample_count_(static_cast<std::size_t>(sample_count)),
      window_ms_(std::chrono::duration_cast<std::chrono::milliseconds>(window).count()) {}

bool CopyQuota::is_exceeded(SimTime now) {
  if (limit_ == Bytes{no_limit}) return false;
  const std::int64_t now_ms = to_milliseconds(now);
  if (samples_.empty()) samples_.push_back({now_ms, now_ms, Bytes{0}});
  empty_old_samples(now_ms);
  std::int64_t oldest = now_ms;
  Bytes sum;
  for (const Sample& sample : samples_) {
    oldest = std::min(oldest, sample.start_ms);
    sum += sample.bytes;
  }
  const auto limit = static_cast<__int128>(limit_.value());
  const auto allowed = limit * std::max(now_ms - oldest, window_ms_);
  return 2 * (static_cast<__int128>(sum.value()) * 1000 - allowed) >= limit;
}

void CopyQuota::record(Bytes size, SimTime now) {
  const std::int64_t now_ms = to_milliseconds(now);
  if (samples_.empty()) samples_.push_back({now_ms, now_ms, Bytes{0}});
  if (now_ms - samples_[current_].start_ms >= window_ms_) {
    current_ = (current_ + 1) % sample_count_;
    const Sample fresh{now_ms, now_ms, Bytes{0}};
    if (current_ == samples_.size()) {
      samples_.push_back(fresh);
    } else {
      samples_[current_] = fresh;
    }
  }
  samples_[current_].bytes += size;
  samples_[current_].last_event_ms = now_ms;
  for (Interruptible* thread : waiters_) thread->wake();
}

void CopyQuota::remove_waiter(Interruptible& thread) { std::erase(waiters_, &thread); }

void CopyQuota::empty_old_samples(std::int64_t now_ms) {
  const std::int64_t age = static_cast<std::int64_t>(sample_count_) * window_ms_;
  for (Sample& sample : samples_) {
    if (now_ms - sample.last_event_ms >= age) sample = {now_ms, now_ms, Bytes{0}};
  }
}

}  // namespace model
