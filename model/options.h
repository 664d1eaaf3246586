// Mirrors: RemoteLogManagerConfig, TopicBasedRemoteLogMetadataManagerConfig and the topic settings that tiering reads
// (facts 10).
// Leaves out: class names, listeners, reader and fetch settings, the fetch quota; the reader notes such keys as without
// effect.
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
  // Threads, as configured; nothing: the version's default. Who needs a pool's size asks pool_sizes.
  /// 3.6's one pool, 3.9's fallback for the others, and the followers' pool of 3.9 to 4.1.
  std::optional<std::int32_t> thread_pool_size;
  std::optional<std::int32_t> copier_thread_pool_size;
  std::optional<std::int32_t> expiration_thread_pool_size;
  std::optional<std::int32_t> follower_thread_pool_size;
  /// Bytes a second of all copies of a broker.
  Bytes copy_max_bytes_per_second{no_limit};
  std::int32_t copy_quota_window_num = 11;
  Duration copy_quota_window_size = 1s;
  std::int32_t custom_metadata_max_bytes = 128;
  Duration consume_wait = 120s;
  Duration initialization_retry_interval = 100ms;
  Duration initialization_retry_max_timeout = 120s;
  Duration log_retention_check_interval = 300s;
  Duration log_initial_task_delay = 30s;

  template <class Visitor>
  static constexpr void describe(Visitor& row) {
    using Self = RemoteLogManagerOptions;
    row("remote.log.manager.task.interval.ms", &Self::task_interval, Unit::milliseconds, Range{1'000, no_limit},
        "Fixed delay between the end of one run of a task and the start of the next.");
    row("remote.log.manager.thread.pool.size", &Self::thread_pool_size, Unit::none, Range{1, 10'000},
        "Threads of kafka-3.6's one pool, fallback of kafka-3.9's; empty: 10, in 4.0 and later 2.");
    row("remote.log.manager.copier.thread.pool.size", &Self::copier_thread_pool_size, Unit::none, Range{-1, 10'000},
        "Threads that run copy tasks; empty: 10, and kafka-3.9 takes thread.pool.size for -1 or nothing.");
    row("remote.log.manager.expiration.thread.pool.size", &Self::expiration_thread_pool_size, Unit::none,
        Range{-1, 10'000}, "Threads that run expiration tasks; empty or -1: as for copies.");
    row("remote.log.manager.follower.thread.pool.size", &Self::follower_thread_pool_size, Unit::none, Range{1, 10'000},
        "Threads that run follower tasks in 4.2 and later; empty: thread.pool.size.");
    row("remote.log.manager.copy.max.bytes.per.second", &Self::copy_max_bytes_per_second, Unit::bytes_per_second,
        Range{1, no_limit}, "Quota of all copies of a broker; without effect in kafka-3.6.");
    row("remote.log.manager.copy.quota.window.num", &Self::copy_quota_window_num, Unit::none, Range{1, 10'000},
        "Windows over which the copy quota measures.");
    row("remote.log.manager.copy.quota.window.size.seconds", &Self::copy_quota_window_size, Unit::seconds,
        Range{1'000'000, 86'400'000'000}, "Length of one of these windows.");
    row("remote.log.metadata.custom.metadata.max.bytes", &Self::custom_metadata_max_bytes, Unit::none,
        Range{0, 1 << 20}, "Largest custom metadata a storage plug-in may return.");
    row("remote.log.metadata.consume.wait.ms", &Self::consume_wait, Unit::milliseconds, Range{0, no_limit},
        "How long a publisher waits until its own consumer has read what it published.");
    row("remote.log.metadata.initialization.retry.interval.ms", &Self::initialization_retry_interval,
        Unit::milliseconds, Range{1'000, 31'557'600'000'000'000},
        "How often a starting broker looks for the metadata topic.");
    row("remote.log.metadata.initialization.retry.max.timeout.ms", &Self::initialization_retry_max_timeout,
        Unit::milliseconds, Range{0, 31'557'600'000'000'000},
        "How long it does before its tiering has failed to start.");
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
  bool remote_log_copy_disable = false;
  Bytes segment_bytes{1'073'741'824};
  Duration segment_time = 604'800s;
  Duration segment_jitter{0};
  Duration retention_time = 604'800s;
  Bytes retention_bytes{-1};
  Duration local_retention_time = -2ms;
  Bytes local_retention_bytes{-2};

  template <class Visitor>
  static constexpr void describe(Visitor& row) {
    using Self = TopicOptions;
    row("remote.storage.enable", &Self::remote_storage_enable, Unit::none, Range{0, 1}, "Whether the topic is tiered.");
    row("remote.log.copy.disable", &Self::remote_log_copy_disable, Unit::none, Range{0, 1},
        "Whether a tiered topic copies nothing any more; without effect in kafka-3.6.");
    row("segment.bytes", &Self::segment_bytes, Unit::bytes, Range{14, std::int64_t{1} << 31},
        "Size at which a segment is closed.");
    row("segment.ms", &Self::segment_time, Unit::milliseconds, Range{1'000, no_limit},
        "Age at which the next append closes a segment.");
    row("segment.jitter.ms", &Self::segment_jitter, Unit::milliseconds, Range{0, no_limit},
        "By how much less than segment.ms at most, drawn for each segment.");
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
