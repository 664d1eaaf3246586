#pragma once

#include <span>

#include "sim/faults/fault.h"

namespace sim {

/// Every kind of fault, in the order of `list faults`. To add one: its file, and a line here and in the list.
std::span<const FaultKind* const> faults();
/// The same as the scenario's reader wants it.
std::span<const FaultKindInfo> fault_kinds();
const FaultKind* find_fault(std::string_view name);

extern const FaultKind store_unavailable_fault;
extern const FaultKind store_reject_fault;
extern const FaultKind copy_fail_fault;
extern const FaultKind delete_fail_fault;
extern const FaultKind store_slow_fault;
extern const FaultKind partition_fault;
extern const FaultKind link_delay_fault;
extern const FaultKind link_loss_fault;
extern const FaultKind link_duplicate_fault;
extern const FaultKind metadata_unavailable_fault;
extern const FaultKind metadata_publish_lost_fault;
extern const FaultKind metadata_ack_lost_fault;
extern const FaultKind metadata_late_fault;
extern const FaultKind metadata_consumer_lag_fault;
extern const FaultKind metadata_record_loss_fault;
extern const FaultKind metadata_retention_fault;
extern const FaultKind consumer_slow_start_fault;
extern const FaultKind crash_fault;
extern const FaultKind restart_fault;
extern const FaultKind pause_fault;
extern const FaultKind clock_skew_fault;
extern const FaultKind clock_jump_fault;
extern const FaultKind leader_move_fault;
extern const FaultKind leader_balance_fault;
extern const FaultKind unclean_election_fault;
extern const FaultKind topic_delete_fault;
extern const FaultKind topic_create_fault;
extern const FaultKind config_change_fault;
extern const FaultKind delete_records_fault;
extern const FaultKind copy_quota_fault;
extern const FaultKind oversized_custom_metadata_fault;
extern const FaultKind store_throttle_fault;
extern const FaultKind store_full_fault;
extern const FaultKind key_denied_fault;
extern const FaultKind copy_hang_fault;
extern const FaultKind late_write_fault;
extern const FaultKind delete_no_effect_fault;
extern const FaultKind stale_listing_fault;

}  // namespace sim
