#pragma once

#include <array>

#include "sim/faults/row_values.h"

namespace sim {

// What every kind of failing call takes; `stored` says of each what it means.
inline constexpr std::array call_targets{TargetKind::store, TargetKind::broker, TargetKind::all};
inline constexpr ParamInfo call_probability{"probability", ParamType::ratio, "1", "", "Of each call, each anew."};
inline constexpr ParamInfo call_error{"error", ParamType::word, "permanent", error_words,
                                      "What the failure says about another try."};
inline constexpr ParamInfo call_answer{"answer", ParamType::word, "given", "given|lost",
                                       "Whether the caller hears of it, or only its own time-out."};

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
