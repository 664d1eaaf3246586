// Mirrors: nothing of Kafka; the places where the KIP's text leaves a choice (readings 3.3), as rows for files and
// command line.
// Leaves out: nothing.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "model/option_rows.h"
#include "model/policy.h"

namespace model {

inline std::span<const std::string_view> enum_names(KipDanglingOptions::Base) {
  static constexpr std::array<std::string_view, 3> names{"kafka-4.0", "kafka-3.9", "kafka-4.3"};
  return names;
}
inline std::span<const std::string_view> enum_names(KipDanglingOptions::Sweep) {
  static constexpr std::array<std::string_view, 2> names{"always", "after-success"};
  return names;
}
inline std::span<const std::string_view> enum_names(KipDanglingOptions::OnDeleteFailure) {
  static constexpr std::array<std::string_view, 2> names{"go-on", "stop"};
  return names;
}
inline std::span<const std::string_view> enum_names(KipDanglingOptions::DanglingOn) {
  static constexpr std::array<std::string_view, 3> names{"storage-error", "any-error", "also-failed-finish"};
  return names;
}
inline std::span<const std::string_view> enum_names(KipDanglingOptions::RetentionFailure) {
  static constexpr std::array<std::string_view, 2> names{"dangling", "stays"};
  return names;
}
inline std::span<const std::string_view> enum_names(KipDanglingOptions::Expiration) {
  static constexpr std::array<std::string_view, 3> names{"as-any", "skip", "delete"};
  return names;
}
inline std::span<const std::string_view> enum_names(DanglingEncoding) {
  static constexpr std::array<std::string_view, 2> names{"state-4", "tagged"};
  return names;
}

inline std::span<const std::string_view> enum_names(KipDanglingOptions::FeatureGate) {
  static constexpr std::array<std::string_view, 2> names{"none", "finalized"};
  return names;
}

template <class Visitor>
constexpr void KipDanglingOptions::describe(Visitor& row) {
  using Self = KipDanglingOptions;
  row("base", &Self::base, Unit::none, Range{0, 2}, "The version whose rules hold wherever the KIP changes nothing.");
  row("sweep", &Self::sweep, Unit::none, Range{0, 1}, "Whether a run whose copy failed still sweeps.");
  row("sweep-on-delete-failure", &Self::sweep_on_delete_failure, Unit::none, Range{0, 1},
      "What a sweep does after a failed delete.");
  row("dangling-on", &Self::dangling_on, Unit::none, Range{0, 2},
      "Which failures of a copy set DANGLING; each value adds to the one before.");
  row("publish-when-cancelled", &Self::publish_when_cancelled, Unit::none, Range{0, 1},
      "Whether a cancelled task still publishes DANGLING.");
  row("retention-failure", &Self::retention_failure, Unit::none, Range{0, 1},
      "What a failed retention delete leaves: DANGLING, or DELETE_SEGMENT_STARTED as in Kafka.");
  row("expiration", &Self::expiration, Unit::none, Range{0, 2}, "How the expiration walk meets a DANGLING copy.");
  row("encoding", &Self::encoding, Unit::none, Range{0, 1},
      "How records say DANGLING: as a state of its own, or as DELETE_SEGMENT_STARTED and a tag.");
  row("feature-gate", &Self::feature_gate, Unit::none, Range{0, 1},
      "Whether a feature level guards DANGLING: finalized when every registered broker knows it, until then all is as "
      "in "
      "base; from then on a broker that does not know it cannot start.");
}

template <class Visitor>
constexpr void KipDanglingRecoveryOptions::describe(Visitor& row) {
  using Self = KipDanglingRecoveryOptions;
  KipDanglingOptions::describe(row);
  row("requests-per-run", &Self::requests_per_run, Unit::none, Range{4, 1'000'000},
      "Deletes and publishes that one run's sweep may cost.");
  // Ten minutes at most: what can be deleted again is never much longer left (readings 1).
  row("backoff", &Self::backoff, Unit::none, Range{1'000'000, 600'000'000},
      "Wait after a copy's first failed delete; doubles with each.");
  row("backoff-max", &Self::backoff_max, Unit::none, Range{1'000'000, 600'000'000}, "Longest such wait.");
  row("margin", &Self::margin, Unit::none, Range{0, 86'400'000'000},
      "What is added to a copy's longest time, for clocks that differ and for writes that land late.");
}

}  // namespace model
