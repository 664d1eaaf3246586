#include "model/copy_quota.h"

#include <algorithm>

#include "model/options.h"

namespace model {

CopyQuota::CopyQuota(Bytes limit, std::int32_t sample_count, Duration window)
    : limit_(limit), bytes_(sample_count, std::chrono::duration_cast<std::chrono::milliseconds>(window).count()) {}

std::int64_t CopyQuota::throttle_time_ms(SimTime now) {
  if (limit_ == Bytes{no_limit}) return 0;
  const std::int64_t now_ms = to_milliseconds(now);
  bytes_.empty_old(now_ms);
  std::int64_t oldest = now_ms;
  Bytes sum;
  for (const Sample& sample : bytes_.all()) {
    oldest = std::min(oldest, sample.start_ms);
    sum += Bytes{sample.sum};
  }
  const auto limit = static_cast<__int128>(limit_.value());
  const auto allowed = limit * std::max(now_ms - oldest, bytes_.window_ms());
  const __int128 excess = static_cast<__int128>(sum.value()) * 1000 - allowed;
  return excess <= 0 ? 0 : static_cast<std::int64_t>((2 * excess + limit) / (2 * limit));
}

void CopyQuota::throttled(std::int64_t throttle_time_ms, SimTime now) {
  throttle_times_.record(throttle_time_ms, to_milliseconds(now));
}

void CopyQuota::record(Bytes size, SimTime now) {
  bytes_.record(size.value(), to_milliseconds(now));
  for (Interruptible* thread : waiters_) thread->wake();
}

void CopyQuota::remove_waiter(Interruptible& thread) { std::erase(waiters_, &thread); }

std::optional<ThrottleTime> CopyQuota::throttle_time(SimTime now) const {
  const std::int64_t now_ms = to_milliseconds(now);
  std::int64_t sum = 0;
  std::int64_t count = 0;
  std::int64_t greatest = 0;
  for (const Sample& sample : throttle_times_.all()) {
    if (throttle_times_.is_old(sample, now_ms)) continue;
    sum += sample.sum;
    count += sample.count;
    greatest = std::max(greatest, sample.greatest);
  }
  if (count == 0) return std::nullopt;
  return ThrottleTime{static_cast<double>(sum) / static_cast<double>(count), static_cast<double>(greatest)};
}

}  // namespace model
