#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/run_result.h"

namespace tests {

/// One world of a case worked by hand: its result, and what a person would read off its files.
struct CaseRun {
  sim::RunResult result;
  std::vector<sim::CurvePoint> curve;
  /// `CS DS DF | CS CF`: the states of each copy in the order of its records, copies in the order of their first one.
  std::string states;
  /// The instant at which garbage fell to zero for the last time.
  sim::Bytes garbage_at(sim::SimTime time) const;
  sim::Bytes garbage_end() const { return result.summary.garbage_bytes_end; }
  /// Log start offset of partition 0 at the end.
  sim::Offset log_start;
};

/// What the cases share: one broker and one partition, copies at 0 s, 30 s, ..., expiration 15 s later, everything
/// immediate but the publisher's 50 ms step, objects of the log's size alone, segments of 100 MiB.
struct CaseWorld {
  std::string broker = "phase.copy = 0s\nphase.expiration = 15s\n";
  std::string topic;
  int partitions = 1;
  std::string store = "latency = 0\ndelete.latency = 0\nbandwidth = 0\n";
  std::string client =
      "attempts = 1\nindexes.bytes = 0\nproducer.snapshot.bytes = 0\nleader.epoch.checkpoint.bytes = 0\n";
  std::string duration = "10m";
  /// Rows of the plan.
  std::string faults;
};

/// Runs it under a policy as --policy names it. The scenario must be valid.
CaseRun run_case(const CaseWorld& world, std::string_view policy, std::uint64_t seed = 1);

/// The policies of the cases, both sweep options among them.
inline constexpr std::string_view always = "kip-dangling:sweep=always";
inline constexpr std::string_view after_success = "kip-dangling:sweep=after-success";

}  // namespace tests
