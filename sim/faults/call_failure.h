#pragma once

#include "sim/faults/row_values.h"

namespace sim {

/// Calls of the plug-in for one operation fail with a probability: cleanly, after some parts, or with a lost answer.
class CallFailure final : public Fault {
 public:
  CallFailure(const FaultMaking& making, StoreOperation operation)
      : row_(making.row),
        client_(making.client),
        operation_(operation),
        probability_(ratio_param(making.row, "probability")),
        error_(error_param(making.row, "error")),
        answer_lost_(making.row.param("answer") == "lost"),
        seed_(making.seed),
        index_(making.index) {}

  CallEffect on_call(const StorageCall& call) const override;

 private:
  const FaultRow& row_;
  const ClientOptions& client_;
  StoreOperation operation_;
  Ratio probability_;
  RemoteStorageError error_;
  bool answer_lost_;
  Seed seed_;
  std::uint32_t index_;
};

}  // namespace sim
