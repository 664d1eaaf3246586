#include "model/policies/policies.h"

#include <array>

namespace model {

namespace {

/// A version of Kafka, whose policy asks nothing of the cluster.
template <std::unique_ptr<Policy> (*make)(const PolicyOptions&)>
std::unique_ptr<Policy> in_any_cluster(const PolicyOptions& options, const FinalizedFeatures&) {
  return make(options);
}

}  // namespace

std::span<const PolicyEntry> policies() {
  static constexpr std::array list{
      PolicyEntry{"kafka-3.6", "A failed copy stays as it is until retention reaches it; size retention counts it.",
                  &in_any_cluster<&make_kafka_3_6>},
      PolicyEntry{"kafka-3.9", "One delete at once, the state unchanged; never tried again.",
                  &in_any_cluster<&make_kafka_3_9>},
      PolicyEntry{"kafka-4.0",
                  "DELETE_SEGMENT_STARTED and one delete at once; retried where the expiration walk reaches.",
                  &in_any_cluster<&make_kafka_4_0>},
      PolicyEntry{"kafka-4.3", "As kafka-4.0; after a retriable error of a copy nothing at all until retention.",
                  &in_any_cluster<&make_kafka_4_3>},
      PolicyEntry{"kip-dangling", "DANGLING and no delete; every run of the copy task sweeps what is DANGLING.",
                  &make_kip_dangling},
      PolicyEntry{"kip-dangling-recovery",
                  "The same, with back-off and a bound; a leader takes over what earlier tasks left unfinished.",
                  &make_kip_dangling_recovery},
  };
  return list;
}

}  // namespace model
