// Mirrors: RLMQuotaManager for copies, with the SimpleRate over MetricConfig's samples that it measures with, the
// condition on which throttled copies wait, and RLMQuotaMetrics' sensor of how long (facts 5.4, 9; 3.8 and later).
// Leaves out: the sensors' expiry after an hour without copies (every sample is older than its window by then), the
// quota of fetches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/ports.h"
#include "model/samples.h"
#include "model/time.h"
#include "model/types.h"

namespace model {

/// What remote-copy-throttle-time-avg and -max show, in milliseconds.
struct ThrottleTime {
  double average = 0;
  double greatest = 0;
};

/// How many bytes a second one broker's copy tasks may upload together. A copy is charged whole before it begins, so
/// that the rate may overshoot by one segment, and the debt delays the next copy.
class CopyQuota {
 public:
  /// How long a throttled copy waits before it looks again.
  static constexpr Duration wait = 1000ms;

  /// `limit` is in bytes a second; no_limit never throttles. The rate is that of the last `sample_count` windows.
  CopyQuota(Bytes limit, std::int32_t sample_count, Duration window);

  /// How long a copy must wait at `now`, which is the broker's clock, in whole milliseconds, halves rounded up: until
  /// the rate would be the limit; 0 when it need not.
  std::int64_t throttle_time_ms(SimTime now);
  /// Another limit from now on; what was copied before counts (remote.log.manager.copy.max.bytes.per.second is
  /// dynamic).
  void set_limit(Bytes limit) { limit_ = limit; }
  /// A copy waits because it was told `throttle_time_ms`.
  void throttled(std::int64_t throttle_time_ms, SimTime now);
  /// Charges a copy, then lets every waiting thread look again.
  void record(Bytes size, SimTime now);

  void add_waiter(Interruptible& thread) { waiters_.push_back(&thread); }
  void remove_waiter(Interruptible& thread);

  /// Over the last minute; nothing when no copy waited (Kafka shows NaN, and no MBean before the first one).
  std::optional<ThrottleTime> throttle_time(SimTime now) const;

 private:
  Bytes limit_;
  Samples bytes_;
  /// As every sensor of a broker by default: metrics.num.samples and metrics.sample.window.ms.
  Samples throttle_times_{2, 30'000};
  std::vector<Interruptible*> waiters_;
};

}  // namespace model
