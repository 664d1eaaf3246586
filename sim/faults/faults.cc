#include "sim/faults/faults.h"

#include <algorithm>
#include <array>

namespace sim {

namespace {

constexpr std::array list{&store_unavailable_fault,
                          &store_reject_fault,
                          &copy_fail_fault,
                          &delete_fail_fault,
                          &store_slow_fault,
                          &partition_fault,
                          &link_delay_fault,
                          &link_loss_fault,
                          &link_duplicate_fault,
                          &metadata_unavailable_fault,
                          &metadata_publish_lost_fault,
                          &metadata_ack_lost_fault,
                          &metadata_late_fault,
                          &metadata_consumer_lag_fault,
                          &metadata_record_loss_fault,
                          &metadata_retention_fault,
                          &consumer_slow_start_fault,
                          &crash_fault,
                          &restart_fault,
                          &pause_fault,
                          &clock_skew_fault,
                          &clock_jump_fault,
                          &leader_move_fault,
                          &leader_balance_fault,
                          &unclean_election_fault,
                          &topic_delete_fault,
                          &topic_create_fault,
                          &config_change_fault,
                          &delete_records_fault,
                          &copy_quota_fault,
                          &oversized_custom_metadata_fault,
                          &store_throttle_fault,
                          &store_full_fault,
                          &key_denied_fault,
                          &copy_hang_fault,
                          &late_write_fault,
                          &delete_no_effect_fault,
                          &stale_listing_fault};

}  // namespace

std::span<const FaultKind* const> faults() { return list; }

std::span<const FaultKindInfo> fault_kinds() {
  static const auto infos = [] {
    std::array<FaultKindInfo, list.size()> all;
    std::transform(list.begin(), list.end(), all.begin(), [](const FaultKind* kind) { return kind->info; });
    return all;
  }();
  return infos;
}

const FaultKind* find_fault(std::string_view name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const FaultKind* kind) { return kind->info.name == name; });
  return found == list.end() ? nullptr : *found;
}

}  // namespace sim
