// Mirrors: the versions' rows of facts 5.6, 6.2, 6.3 and 6.9, and how each policy is made.
// Leaves out: nothing; policies.cc is the list of what can be chosen.
#pragma once

#include <memory>

#include "model/policy.h"

namespace model {

inline constexpr Rules kafka_3_6_rules{
    .one_task = true,
    .cancel_on_leader_move = false,
    .size_filter = SizeFilter::all_listed,
    .log_start_is_greatest = false,
    .caps_highest_remote_offset = false,
    .illegal_event_ends_consumer = true,
    .forgets_read_offset_on_seek = false,
    .lineage_rule = LineageRule::strict,
    .long_retention_fails = true,
    .truncation_spins_when_cancelled = false,
    .copy_lag_set = CopyLagSet::never,
    .has_expiration_metrics = false,
    .copy_quota = false,
    .resets_when_log_moves = false,
    .records_say_transaction_index = false,
    .local_log = {.log_start_opens_gate = false, .rolls_active_segment = false, .copy_can_be_disabled = false},
};
inline constexpr Rules kafka_3_9_rules{
    .skip_segments_being_copied = true,
    .size_filter = SizeFilter::finished_and_deleting,
    .pool_sizes_fall_back = true,
    .records_say_transaction_index = false,
};
inline constexpr Rules kafka_4_0_rules{
    .ready_gate = true,
    .skip_segments_being_copied = true,
    .retry_delete_started = true,
    .size_filter = SizeFilter::finished,
};
/// Differs from 4.0 in one metric and in how a start fails.
inline constexpr Rules kafka_4_2_rules{
    .ready_gate = true,
    .skip_segments_being_copied = true,
    .retry_delete_started = true,
    .size_filter = SizeFilter::finished,
    .exits_when_initialization_fails = true,
    .copy_lag_set = CopyLagSet::after_attempt,
};
inline constexpr Rules kafka_4_3_rules{
    .ready_gate = true,
    .skip_segments_being_copied = true,
    .retry_delete_started = true,
    .size_filter = SizeFilter::finished,
    .time_breach_is_strict = true,
    .exits_when_initialization_fails = true,
    .trusts_finished_size = true,
    .retriable_is_apart = true,
    .copy_lag_set = CopyLagSet::after_run,
    .size_metric_filter = SizeFilter::finished_and_deleting,
};

/// With the fix of KAFKA-20732, which 4.3.1 lacks and 4.4.0 has.
inline constexpr Rules kafka_4_3_seeding_rules = [] {
  Rules rules = kafka_4_3_rules;
  rules.seeds_before_expiration = true;
  return rules;
}();

/// What 4.0 and later do about a failed copy (KAFKA-17428): a delete with states, once, unless the task is cancelled.
Task<void> clean_up_with_states(CopyRun& run, RemoteLogSegmentMetadata metadata);

std::unique_ptr<Policy> make_kafka_3_6(const PolicyOptions& options);
std::unique_ptr<Policy> make_kafka_3_9(const PolicyOptions& options);
std::unique_ptr<Policy> make_kafka_4_0(const PolicyOptions& options);
/// Not in the list of policies: what becomes of failures is 4.0's. For whoever compares with Kafka 4.2 itself.
std::unique_ptr<Policy> make_kafka_4_2(const PolicyOptions& options);
std::unique_ptr<Policy> make_kafka_4_3(const PolicyOptions& options);
/// Not in the list either: 4.3 as it would be with the fix of KAFKA-20732.
std::unique_ptr<Policy> make_kafka_4_3_seeding(const PolicyOptions& options);
std::unique_ptr<Policy> make_kip_dangling(const PolicyOptions& options,
                                          const FinalizedFeatures& features = nothing_finalized);
std::unique_ptr<Policy> make_kip_dangling_recovery(const PolicyOptions& options,
                                                   const FinalizedFeatures& features = nothing_finalized);

}  // namespace model
