// Mirrors: RemoteLogManagerConfig, TopicBasedRemoteLogMetadataManagerConfig and the topic settings that tiering reads
// (facts 10).
// Leaves out: class names, listeners, reader and fetch settings, quotas; the reader notes such keys as
// without effect.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "model/option_rows.h"
#include "model/time.h"
#include "model/types.h"

namespace model {

inline constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// The broker's settings for tiering, by Kafka's names.
struct RemoteLogManagerOptions {
  Duration task_interval = 30s;
  /// 3.6's one pool, and 3.9's fallback for both pools.
  std::int32_t thread_pool_size = 10;
  std::int32_t copier_thread_pool_size = 10;
  std::int32_t expiration_thread_pool_size = 10;
  std::int32_t custom_metadata_max_bytes = 128;
  Duration consume_wait = 120s;
  Duration log_retention_check_interval = 300s;
  Duration log_initial_task_delay = 30s;

  template <class Visitor>
  static constexpr void describe(Visitor& row) {
    using Self = RemoteLogManagerOptions;
    row("remote.log.manager.task.interval.ms", &Self::task_interval, Unit::milliseconds, Range{1'000, no_limit},
        "Fixed delay between the end of one run of a task and the start of the next.");
    row("remote.log.manager.thread.pool.size", &Self::thread_pool_size, Unit::none, Range{1, 10'000},
        "Threads of the one pool that kafka-3.6 has.");
    row("remote.log.manager.copier.thread.pool.size", &Self::copier_thread_pool_size, Unit::none, Range{1, 10'000},
        "Threads that run copy tasks.");
    row("remote.log.manager.expiration.thread.pool.size", &Self::expiration_thread_pool_size, Unit::none,
        Range{1, 10'000}, "Threads that run expiration tasks.");
    row("remote.log.metadata.custom.metadata.max.bytes", &Self::custom_metadata_max_bytes, Unit::none,
        Range{0, 1 << 20}, "Largest custom metadata a storage plug-in may return.");
    row("remote.log.metadata.consume.wait.ms", &Self::consume_wait, Unit::milliseconds, Range{0, no_limit},
        "How long a publisher waits until its own consumer has read what it published.");
    row("log.retention.check.interval.ms", &Self::log_retention_check_interval, Unit::milliseconds,
        Range{1'000, no_limit}, "Time between two runs of local retention.");
    row("log.initial.task.delay.ms", &Self::log_initial_task_delay, Unit::milliseconds, Range{0, no_limit},
        "Time before the first run of local retention.");
  }
};

/// A topic's settings, by Kafka's names. -1 means unlimited, -2 (local limits) the same as the total limit, as in
/// Kafka.
struct TopicOptions {
  bool remote_storage_enable = true;
  Bytes segment_bytes{1'073'741'824};
  Duration segment_time = 604'800s;
  Duration retention_time = 604'800s;
  Bytes retention_bytes{-1};
  Duration local_retention_time = -2ms;
  Bytes local_retention_bytes{-2};

  template <class Visitor>
  static constexpr void describe(Visitor& row) {
    using Self = TopicOptions;
    row("remote.storage.enable", &Self::remote_storage_enable, Unit::none, Range{0, 1}, "Whether the topic is tiered.");
    row("segment.bytes", &Self::segment_bytes, Unit::bytes, Range{14, std::int64_t{1} << 31},
        "Size at which a segment is closed.");
    row("segment.ms", &Self::segment_time, Unit::milliseconds, Range{1'000, no_limit},
        "Age at which the next append closes a segment.");
    row("retention.ms", &Self::retention_time, Unit::milliseconds, Range{-1'000, no_limit},
        "How long records are kept over both tiers; -1 for ever.");
    row("retention.bytes", &Self::retention_bytes, Unit::bytes, Range{-1, no_limit},
        "How many bytes a partition keeps over both tiers; -1 without limit.");
    row("local.retention.ms", &Self::local_retention_time, Unit::milliseconds, Range{-2'000, no_limit},
        "How long copied records stay on local disk; -2 as long as retention.ms says.");
    row("local.retention.bytes", &Self::local_retention_bytes, Unit::bytes, Range{-2, no_limit},
        "How many bytes of copied records stay on local disk; -2 as many as retention.bytes says.");
  }

  /// Nothing means no limit.
  std::optional<Duration> retention_time_limit() const {
    return retention_time < Duration{0} ? std::nullopt : std::optional{retention_time};
  }
  std::optional<Bytes> retention_size_limit() const {
    return retention_bytes < Bytes{0} ? std::nullopt : std::optional{retention_bytes};
  }
  std::optional<Duration> local_retention_time_limit() const {
    if (local_retention_time == -2ms) return retention_time_limit();
    return local_retention_time < Duration{0} ? std::nullopt : std::optional{local_retention_time};
  }
  std::optional<Bytes> local_retention_size_limit() const {
    if (local_retention_bytes == Bytes{-2}) return retention_size_limit();
    return local_retention_bytes < Bytes{0} ? std::nullopt : std::optional{local_retention_bytes};
  }
};

}  // namespace model
