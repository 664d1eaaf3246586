// Mirrors: the branches of RLMCopyTask and RLMExpirationTask that differ between versions (facts 5.6, 6.2, 6.3, 6.9) as
// one table, and what becomes of a failed copy or delete, which is the policy proper.
// Leaves out: 4.2's wait of 100 ms for a cache that is not initialized (facts 2.7), because from 4.0 on no task gets
// past the gate before it is.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "model/finalized_features.h"
#include "model/leader_epochs.h"
#include "model/ports.h"
#include "model/remote_log_segment_record.h"

namespace model {

/// Which states size retention adds up (facts 6.2).
enum class SizeFilter : std::uint8_t { all_listed, finished_and_deleting, finished };

/// When the copy-lag gauges are set (facts 5.7); a cancelled task never sets them.
enum class CopyLagSet : std::uint8_t {
  never,          ///< There are none (3.6).
  after_success,  ///< After each copied segment: stale while copies fail, none before the first (3.9 to 4.1).
  after_attempt,  ///< After each segment, copied or not (4.2).
  after_run,      ///< At the end of each run, and never below 0 (4.3+).
};

/// What the versions do differently outside of a failure: the rows of facts 6.9.
struct Rules {
  bool one_task = false;  ///< One task copies and then expires, on one pool (3.6).
  /// Losing leadership sets the flag and interrupts (3.9+); 3.6 looks at isLeader between segments.
  bool cancel_on_leader_move = true;
  bool ready_gate = false;                  ///< Tasks return silently until the metadata consumer has caught up (4.0+).
  bool skip_segments_being_copied = false;  ///< The walk stops at a segment that this broker is copying (3.9+).
  bool retry_delete_started = false;        ///< The walk takes every DELETE_SEGMENT_STARTED it reaches (4.0+).
  SizeFilter size_filter = SizeFilter::finished;
  /// The walk ends at the first copy that stays (facts 6.1 step i). It does in every version; a test plants the error
  /// of one that goes on.
  bool walk_stops_early = true;
  bool time_breach_is_strict = false;        ///< `<` instead of `<=` (4.3+).
  bool log_start_is_greatest = true;         ///< The greatest end of the chosen segments, not the last one's (3.8+).
  bool caps_highest_remote_offset = true;    ///< findHighestRemoteOffset looks at where the epoch ends (3.7+).
  bool illegal_event_ends_consumer = false;  ///< An illegal transition is an exception (3.6); dropped later (3.7+).
  bool forgets_read_offset_on_seek = true;   ///< Reading the metadata again forgets how far it had been (3.7.1+).
  /// A metadata manager that cannot be initialized ends its process (4.2+); before, its calls throw an Error.
  bool exits_when_initialization_fails = false;
  LineageRule lineage_rule = LineageRule::relaxed;
  bool seeds_before_expiration = false;  ///< Expiration seeds the highest remote offset itself (KAFKA-20732, 4.4).
  /// Retention that reaches behind 1970 makes every run fail, instead of keeping by no time rule (to 3.9.0).
  bool long_retention_fails = false;
  /// Cancelled while there is something to list below the earliest epoch, a run never ends (F14, 3.7+).
  bool truncation_spins_when_cancelled = true;
  /// Once size retention has found every finished copy in the lineage, this task never looks again (KAFKA-20026, 4.3+).
  bool trusts_finished_size = false;
  /// A RetriableRemoteStorageException cleans up nothing after a copy and counts as an error nowhere (4.3+).
  bool retriable_is_apart = false;
  CopyLagSet copy_lag_set = CopyLagSet::after_success;
  /// The delete meters, and the gauges of metadata, size and delete lag (3.7+).
  bool has_expiration_metrics = true;
  /// What RemoteLogSizeBytes adds up (4.3+: finished and deleting).
  SizeFilter size_metric_filter = SizeFilter::all_listed;
  bool copy_quota = true;             ///< Copies wait for remote.log.manager.copy.max.bytes.per.second (3.8+).
  bool resets_when_log_moves = true;  ///< Another log folder makes the copy task look again (3.8+, KAFKA-16711).
  /// A size of -1, its default, stands for remote.log.manager.thread.pool.size, whose default is 10 (3.9; facts 4.1).
  bool pool_sizes_fall_back = false;
  /// A segment's record says whether its transaction index is empty (4.0+, KAFKA-16780).
  bool records_say_transaction_index = true;
  LocalLogRules local_log = {};
};

/// What the KIP leaves open (readings 3.3): the options of kip-dangling, with the defaults that the readings choose.
struct KipDanglingOptions {
  enum class Base : std::uint8_t { kafka_4_0, kafka_3_9, kafka_4_3 };
  enum class Sweep : std::uint8_t { always, after_success };
  enum class OnDeleteFailure : std::uint8_t { go_on, stop };
  enum class DanglingOn : std::uint8_t { storage_error, any_error, also_failed_finish };
  enum class RetentionFailure : std::uint8_t { dangling, stays };
  enum class Expiration : std::uint8_t { as_any, skip, delete_it };
  using Encoding = DanglingEncoding;
  enum class FeatureGate : std::uint8_t { none, finalized };

  Base base = Base::kafka_4_0;
  Sweep sweep = Sweep::always;
  OnDeleteFailure sweep_on_delete_failure = OnDeleteFailure::go_on;
  DanglingOn dangling_on = DanglingOn::storage_error;
  bool publish_when_cancelled = false;
  RetentionFailure retention_failure = RetentionFailure::dangling;
  Expiration expiration = Expiration::as_any;
  Encoding encoding = Encoding::state_4;
  FeatureGate feature_gate = FeatureGate::none;

  template <class Visitor>
  static constexpr void describe(
      Visitor& row);  // Keys: base, sweep, sweep-on-delete-failure, dangling-on, ... in policy_options.h.
};

/// The options of kip-dangling-recovery: the KIP's, and the bounds of what it adds.
struct KipDanglingRecoveryOptions : KipDanglingOptions {
  /// Deletes and publishes of one run's sweep, each counted once however many requests the plug-in makes of it.
  std::int32_t requests_per_run = 20;
  Duration backoff = 30s;
  /// Shorter than ten task intervals, after which worlds are judged.
  Duration backoff_max = 240s;
  /// For the brokers' clocks, and for what the store applies after its client has given up.
  Duration margin = 60s;

  template <class Visitor>
  static constexpr void describe(Visitor& row);
};

struct PolicyOptions {
  KipDanglingOptions kip_dangling = {};
  KipDanglingRecoveryOptions kip_dangling_recovery = {};
};

/// What a broker's configuration says of how long a copy can go on; nothing: for ever.
struct CopyBounds {
  std::optional<Duration> copy_deadline = {};
  std::optional<Duration> publish_deadline = {};
};

struct CopyRun;  // copy_task.h: one run of a copy task, with its ports.
struct Outlook;  // task_context.h

/// One version's or one proposal's way with failures. Stateless: one object serves every broker of a world.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::string_view name() const = 0;
  virtual const Rules& rules() const = 0;
  virtual TransitionTable transitions() const { return TransitionTable::kafka; }

  /// The plug-in's copy failed with `error` and `metadata` is COPY_SEGMENT_STARTED in the topic. The run ends after
  /// this. A clean-up that throws in the Java says so in `run.thrown`, which then replaces the copy's own error.
  virtual Task<void> after_failed_copy(CopyRun& run, RemoteLogSegmentMetadata metadata,
                                       RemoteStorageError error) const = 0;
  /// The upload succeeded, but its custom metadata (whose size `metadata` carries) is over the limit. The copy task is
  /// cancelled for good after this, unless `run.thrown` was replaced. Without an override the same as a failed copy.
  virtual Task<void> after_oversized_custom_metadata(CopyRun& run, RemoteLogSegmentMetadata metadata) const;
  /// Publishing COPY_SEGMENT_FINISHED failed.
  virtual Task<void> after_failed_finish(CopyRun& run, RemoteLogSegmentMetadata metadata) const;
  /// The end of a run of the copy task that was neither cancelled nor interrupted; `copies_succeeded` is false when it
  /// failed.
  virtual Task<void> after_copies(CopyRun& run, bool copies_succeeded) const;
  /// What after_copies would find now, or from when on.
  virtual Outlook outlook_after_copies(CopyRun& run) const;
  /// From when on the copy tasks of `broker` remove an entry that is like this, if no task holds it; nothing: never.
  virtual std::optional<SimTime> sweeps_from(const RemoteLogSegmentMetadata& entry, BrokerId broker,
                                             const CopyBounds& bounds) const;
  /// What a retention delete that failed with a RemoteStorageException leaves: DELETE_SEGMENT_STARTED (false) or
  /// DANGLING (true).
  virtual bool retention_failure_is_dangling(bool is_cancelled) const;
  /// How the expiration walk meets a DANGLING copy.
  virtual KipDanglingOptions::Expiration dangling_in_walk() const { return KipDanglingOptions::Expiration::as_any; }
  /// Whether the expiration walk passes what a sweep of this broker deletes just then; in Kafka and the KIP it does not
  /// know of it (readings 2.7).
  virtual bool walk_knows_sweep() const { return false; }
  /// How this policy's broker writes DANGLING.
  virtual DanglingEncoding dangling_encoding() const { return DanglingEncoding::state_4; }
  /// Whether it writes DANGLING only where FinalizedFeatures says so, and is its base until then.
  virtual bool has_feature_gate() const { return false; }
};

struct PolicyEntry {
  std::string_view name;
  /// One line for `list policies`.
  std::string_view help;
  /// The policy asks `features`, which outlive it, whenever its gate matters.
  std::unique_ptr<Policy> (*make)(const PolicyOptions& options, const FinalizedFeatures& features);
};

/// All policies, in the order in which reports show them.
std::span<const PolicyEntry> policies();

}  // namespace model
