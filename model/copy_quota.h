// Mirrors: RLMQuotaManager for copies, with the SimpleRate over MetricConfig's samples that it measures with, and the
// condition on which throttled copies wait (facts 5.4; 3.8 and later).
// Leaves out: the sensor's expiry after an hour without copies (every sample is older than its window by then), the
// throttle-time sensors, the quota of fetches.
#pragma once

#include <cstdint>
#include <vector>

#include "model/ports.h"
#include "model/time.h"
#include "model/types.h"

namespace model {

/// How many bytes a second one broker's copy tasks may upload together. A copy is charged whole before it begins, so
/// that the rate may overshoot by one segment, and the debt delays the next copy.
class CopyQuota {
 public:
  /// How long a throttled copy waits before it looks again.
  static constexpr Duration wait = 1000ms;

  /// `limit` is in bytes a second; no_limit never throttles. The rate is that of the last `sample_count` windows.
  CopyQuota(Bytes limit, std::int32_t sample_count, Duration window);

  /// Whether a copy must wait at `now`, which is the broker's clock: the rate is over the limit by half a millisecond
  /// of waiting at least.
  bool is_exceeded(SimTime now);
  /// Another limit from now on; what was copied before counts (remote.log.manager.copy.max.bytes.per.second is
  /// dynamic).
  void set_limit(Bytes limit) { limit_ = limit; }
  /// Charges a copy, then lets every waiting thread look again.
  void record(Bytes size, SimTime now);

  void add_waiter(Interruptible& thread) { waiters_.push_back(&thread); }
  void remove_waiter(Interruptible& thread);

 private:
  /// One window's bytes; it begins with its first event, or when it was emptied.
  struct Sample {
    std::int64_t start_ms;
    std::int64_t last_event_ms;
    Bytes bytes;
  };
  void empty_old_samples(std::int64_t now_ms);

  Bytes limit_;
  std::size_t sample_count_;
  std::int64_t window_ms_;
  /// A ring once it is full; `current_` is the newest.
  std::vector<Sample> samples_;
  std::size_t current_ = 0;
  std::vector<Interruptible*> waiters_;
};

}  // namespace model
