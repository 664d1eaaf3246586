// Mirrors: the versions' rows of facts 5.6, 6.2, 6.3 and 6.9, and how each policy is made.
// Leaves out: nothing; policies.cc is the list.
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
    .lineage_rule = LineageRule::strict,
};
inline constexpr Rules kafka_3_9_rules{
    .skip_segments_being_copied = true,
    .size_filter = SizeFilter::finished_and_deleting,
};
inline constexpr Rules kafka_4_0_rules{
    .ready_gate = true,
    .skip_segments_being_copied = true,
    .retry_delete_started = true,
    .size_filter = SizeFilter::finished,
};

std::unique_ptr<Policy> make_kafka_3_6(const PolicyOptions& options);
std::unique_ptr<Policy> make_kafka_3_9(const PolicyOptions& options);
std::unique_ptr<Policy> make_kafka_4_0(const PolicyOptions& options);
std::unique_ptr<Policy> make_kip_dangling(const PolicyOptions& options);

}  // namespace model
