// The rows of the structs in scenario.h: name in files, field, unit of a bare number, valid values, help. Everything
// that knows a key walks them: the reader, `check --print`, `list keys`, the fuzz targets.
#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "model/options.h"
#include "model/policy_options.h"
#include "sim/scenario/scenario.h"

namespace sim {

inline constexpr Range any_value{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
inline constexpr Range not_negative{0, std::numeric_limits<std::int64_t>::max()};
/// A thousand years in microseconds: longer than any world.
inline constexpr Range any_time{0, 31'557'600'000'000'000};
/// Up to an exbibyte: sums of a few cannot overflow.
inline constexpr Range any_size{0, std::int64_t{1} << 60};
inline constexpr Range any_rate{0, std::int64_t{1} << 50};

// Names of the enums, in their order.
std::span<const std::string_view> enum_names(BrokerOptions::First);
std::span<const std::string_view> enum_names(StoreOptions::Missing);
std::span<const std::string_view> enum_names(ClientOptions::Plugin);
std::span<const std::string_view> enum_names(ClientOptions::TimeoutError);
std::span<const std::string_view> enum_names(ClientOptions::Interrupt);
std::span<const std::string_view> enum_names(ClientOptions::DeleteMissing);

/// The rows of one struct; structs of model/ tell their own.
template <class Options>
struct Rows {
  template <class Row>
  static constexpr void describe(Row& row) {
    Options::describe(row);
  }
};

template <>
struct Rows<ScenarioOptions> {
  template <class Row>
  static constexpr void describe(Row& row) {
    using Self = ScenarioOptions;
    row("title", &Self::title, Unit::none, any_value, "One line that says what the scenario shows.");
    row("description", &Self::description, Unit::none, any_value, "What happens and what to look at.");
    row("source", &Self::source, Unit::none, any_value, "The public report or the paragraph that it comes from.");
    row("start", &Self::start, Unit::none, any_value, "ISO 8601 instant of the world's time 0; changes no trace.");
    row("duration", &Self::duration, Unit::none, Range{1, any_time.greatest}, "Length of the world.");
    row("settle", &Self::settle, Unit::none, any_time,
        "Time without faults that must follow the last one; 0s means ten task intervals.");
    row("policies", &Self::policies, Unit::none, any_value, "Policies to run, joined with blanks; empty means all.");
    row("curve.every", &Self::curve_every, Unit::none, any_time,
        "Grid of curves.csv; 0s means about 2,000 points over the duration.");
    row("faults", &Self::faults, Unit::none, any_value,
        "The fault plan, relative to this file; empty means no faults.");
    row("elide", &Self::elide, Unit::none, any_value, "Whether ticks that change nothing are left out.");
  }
};

template <>
struct Rows<ClusterOptions> {
  template <class Row>
  static constexpr void describe(Row& row) {
    using Self = ClusterOptions;
    row("brokers", &Self::brokers, Unit::none, Range{1, 10'000}, "How many brokers there are, numbered from 1.");
    row("auto.leader.rebalance.enable", &Self::auto_leader_rebalance_enable, Unit::none, any_value,
        "Whether leaders go back to the preferred replica by themselves.");
    row("leader.imbalance.check.interval.seconds", &Self::leader_imbalance_check_interval, Unit::seconds,
        Range{1'000'000, any_time.greatest}, "Time between two looks at the balance of leaders.");
    row("failover", &Self::failover, Unit::none, any_time, "From a crash until another replica leads.");
  }
};

/// The harness's own part of [broker]; Kafka's is RemoteLogManagerOptions.
template <>
struct Rows<BrokerOptions> {
  template <class Row>
  static constexpr void describe(Row& row) {
    using Self = BrokerOptions;
    row("first", &Self::first, Unit::none, any_value, "Which task goes first when both are due at one instant.");
    row("phase.copy", &Self::phase_copy, Unit::none, any_time,
        "First tick of the copy task; empty: drawn per partition below the task interval.");
    row("phase.expiration", &Self::phase_expiration, Unit::none, any_time,
        "First tick of the expiration task; empty: drawn per partition below the task interval.");
    row("common.pool.threads", &Self::common_pool_threads, Unit::none, Range{0, 10'000},
        "Threads of the JDK's common pool, one less than the processors in Kafka; 0: no limit.");
    row("policy", &Self::policy, Unit::none, any_value, "Fixes this broker's policy; empty: the policy that is run.");
  }
};

/// The harness's own part of [topic.NAME]; Kafka's is TopicOptions.
template <>
struct Rows<TopicScenario> {
  template <class Row>
  static constexpr void describe(Row& row) {
    using Self = TopicScenario;
    row("partitions", &Self::partitions, Unit::none, Range{1, 1'000'000}, "How many partitions the topic has.");
    row("replication.factor", &Self::replication_factor, Unit::none, Range{0, 10'000},
        "Replicas of each partition; 0 means as many as brokers, at most 3.");
    row("produce", &Self::produce, Unit::bytes_per_second, any_rate, "Bytes a second written to each partition.");
    row("record.bytes", &Self::record_bytes, Unit::none, Range{1, 1 << 30},
        "Size of a record: turns bytes into offsets.");
    row("initial.finished", &Self::initial_finished, Unit::none, Range{0, 1'000'000},
        "Remote segments of segment.bytes that each partition has at time 0.");
    row("initial.local", &Self::initial_local, Unit::none, Range{0, 1'000'000},
        "How many of the newest of them are on local disk too.");
    row("initial.closed", &Self::initial_closed, Unit::none, Range{0, 1'000'000},
        "Closed segments at time 0 that are on local disk only.");
    row("initial.active", &Self::initial_active, Unit::none, Range{0, std::int64_t{1} << 31},
        "Size of the active segment at time 0.");
    row("initial.seeded", &Self::initial_seeded, Unit::none, any_value,
        "Whether the highest remote offset is known at time 0.");
    row("initial.age", &Self::initial_age, Unit::none, any_time,
        "Time 0 less every timestamp of the initial segments.");
    row("initial.epochs", &Self::initial_epochs, Unit::none, any_value,
        "Leader epochs as EPOCH=START joined with blanks; empty: epoch 0 from offset 0.");
    row("initial", &Self::initial, Unit::none, any_value,
        "A csv of remote segments that says all of it instead, relative to this file; empty means none.");
  }
};

template <>
struct Rows<NetworkOptions> {
  template <class Row>
  static constexpr void describe(Row& row) {
    row("latency", &NetworkOptions::latency, Unit::none, any_time, "One way between any two nodes.");
  }
};

template <>
struct Rows<StoreOptions> {
  template <class Row>
  static constexpr void describe(Row& row) {
    using Self = StoreOptions;
    row("latency", &Self::latency, Unit::none, any_time, "Of one request, beside the transfer of its bytes.");
    row("bandwidth", &Self::bandwidth, Unit::bytes_per_second, any_rate, "Of one transfer; 0 takes no time.");
    row("delete.latency", &Self::delete_latency, Unit::none, any_time, "Of one delete.");
    row("missing", &Self::missing, Unit::none, any_value, "The answer to a delete of what is not there.");
    row("capacity", &Self::capacity, Unit::none, any_size,
        "Of all objects and parts; a put that does not fit is refused; 0: no limit.");
    row("price.put.per.1000", &Self::price_put_per_1000, Unit::none, not_negative,
        "Price of 1,000 puts in millionths of a dollar.");
    row("price.delete.per.1000", &Self::price_delete_per_1000, Unit::none, not_negative,
        "Price of 1,000 deletes in millionths of a dollar.");
    row("price.list.per.1000", &Self::price_list_per_1000, Unit::none, not_negative,
        "Price of 1,000 listings in millionths of a dollar.");
    row("price.gib.month", &Self::price_gib_month, Unit::none, not_negative,
        "Price of a GiB stored for a month in millionths of a dollar.");
  }
};

template <>
struct Rows<ClientOptions> {
  template <class Row>
  static constexpr void describe(Row& row) {
    using Self = ClientOptions;
    row("plugin", &Self::plugin, Unit::none, any_value,
        "Whose defaults the other keys have: a plain client's, or the common plug-in's for S3.");
    row("attempts", &Self::attempts, Unit::none, Range{1, 1'000}, "Tries of one request, the first included.");
    row("backoff", &Self::backoff, Unit::none, any_time, "Wait before the second try; doubles with each.");
    row("backoff.jitter", &Self::backoff_jitter, Unit::none, Range{0, 1}, "Share of the wait that is drawn.");
    row("timeout", &Self::timeout, Unit::none, any_time, "Of one try; 0s waits for ever.");
    row("timeout.error", &Self::timeout_error, Unit::none, any_value, "How the plug-in reports a time-out.");
    row("deadline", &Self::deadline, Unit::none, any_time,
        "Of a whole copy with its tries and waits, after which nothing of it is sent; 0s means none.");
    row("multipart", &Self::multipart, Unit::none, any_value, "Whether uploads are multipart.");
    row("part.size", &Self::part_size, Unit::none, Range{1, std::int64_t{1} << 40}, "Bytes of one part.");
    row("abort", &Self::abort, Unit::none, any_value, "Whether a failed upload's parts are aborted.");
    row("cleanup", &Self::cleanup, Unit::none, any_value, "Whether a failed copy removes what it wrote.");
    row("interrupt", &Self::interrupt, Unit::none, any_value, "What a call does when its thread is interrupted.");
    row("delete.batch", &Self::delete_batch, Unit::none, any_value,
        "Whether one request deletes all objects of a copy, each key with a result of its own.");
    row("delete.missing", &Self::delete_missing, Unit::none, any_value, "What a delete answers when nothing is there.");
    row("indexes.bytes", &Self::indexes_bytes, Unit::none, any_size, "Size of a segment's index objects.");
    row("producer.snapshot.bytes", &Self::producer_snapshot_bytes, Unit::none, any_size,
        "Size of a segment's producer snapshot.");
    row("leader.epoch.checkpoint.bytes", &Self::leader_epoch_checkpoint_bytes, Unit::none, any_size,
        "Size of a segment's leader-epoch checkpoint.");
  }
};

template <>
struct Rows<MetadataOptions> {
  template <class Row>
  static constexpr void describe(Row& row) {
    using Self = MetadataOptions;
    row("remote.log.metadata.topic.num.partitions", &Self::partitions, Unit::none, Range{1, 100'000},
        "Partitions of the metadata topic.");
    row("remote.log.metadata.topic.replication.factor", &Self::replication_factor, Unit::none, Range{1, 10'000},
        "Replicas of each of them; at most as many as brokers.");
    row("latency", &Self::latency, Unit::none, any_time, "Of one publish, before the poll step.");
    row("consumer.latency", &Self::consumer_latency, Unit::none, any_time,
        "From a record's append to its consumption.");
    row("consumer.rate", &Self::consumer_rate, Unit::none, Range{0, 1'000'000'000},
        "Records a second that one consumer reads at most; 0: no limit.");
    row("poll.step", &Self::poll_step, Unit::none, Range{1, any_time.greatest},
        "Step in which a publisher looks whether its own consumer has caught up.");
    row("delivery.timeout", &Self::delivery_timeout, Unit::none, any_time, "How long the producer tries.");
    row("record.bytes", &Self::record_bytes, Unit::none, Range{1, 1 << 30}, "Size of a metadata record.");
  }
};

template <>
struct Rows<RemedyOptions> {
  template <class Row>
  static constexpr void describe(Row& row) {
    using Self = RemedyOptions;
    row("bucket-rule.days", &Self::bucket_rule_days, Unit::none, Range{0, 36'500},
        "Age at which the bucket aborts unfinished uploads; 0: it does not.");
    row("bucket-rule.from", &Self::bucket_rule_from, Unit::none, any_time, "First run of that rule; then once a day.");
    row("scrubber.every", &Self::scrubber_every, Unit::none, any_time,
        "Time between two comparisons of the bucket with the metadata; 0s: none.");
    row("scrubber.grace", &Self::scrubber_grace, Unit::none, any_time, "Objects younger than this are left alone.");
    row("scrubber.requests", &Self::scrubber_requests, Unit::none, not_negative,
        "Requests that one scrub may make; the next goes on where it stopped; 0: no limit.");
    row("scrubber.view.age", &Self::scrubber_view_age, Unit::none, any_time,
        "How old the metadata is that it compares with.");
    row("scrubber.from", &Self::scrubber_from, Unit::none, any_time, "First scrub.");
  }
};

/// Calls `visit(name, value, unit, range, help)` for each option; `value` is a reference into `options`.
template <class Options, class Visit>
constexpr void for_each_own_option(Options& options, Visit&& visit) {
  auto row = [&](std::string_view name, auto member, Unit unit, Range range, std::string_view help) {
    visit(name, options.*member, unit, range, help);
  };
  Rows<std::remove_const_t<Options>>::describe(row);
}

/// The same for all keys of a section, Kafka's own first where the section has both.
template <class Options, class Visit>
constexpr void for_each_option(Options& options, Visit&& visit) {
  using Plain = std::remove_const_t<Options>;
  if constexpr (std::is_same_v<Plain, BrokerOptions>) for_each_own_option(options.manager, visit);
  if constexpr (std::is_same_v<Plain, TopicScenario>) for_each_own_option(options.options, visit);
  for_each_own_option(options, visit);
}

/// Calls `visit(policy name, options struct)` for each policy that has options of its own: the sections [policy.NAME].
template <class Options, class Visit>
constexpr void for_each_policy_options(Options& options, Visit&& visit) {
  visit(std::string_view{"kip-dangling"}, options.kip_dangling);
  visit(std::string_view{"kip-dangling-recovery"}, options.kip_dangling_recovery);
}

}  // namespace sim
