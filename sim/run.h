#pragma once

#include <memory>

#include "sim/run_result.h"

namespace sim {

/// One world that runs as far as its owner wants: to its end, as run_world does, or to a moment that somebody looks at.
/// Where it is stopped changes none of its records.
///
///   WorldRun run{scenario, policy, seed, &listener};
///   run.run_until(time_start + 1h);
///   look_at(run.world(), run.ledger());
class WorldRun {
 public:
  /// All of them outlive the run. The listener hears everything, its begin() with the first step.
  WorldRun(const Scenario& scenario, const PolicyChoice& policy, std::uint64_t seed, RunListener* listener = nullptr);
  /// The world may be left anywhere, but not from inside a listener's call.
  ~WorldRun();
  WorldRun(const WorldRun&) = delete;
  WorldRun& operator=(const WorldRun&) = delete;

  const WorldView& world() const;
  /// As of the last record; `advance` brings it to the world's time.
  Ledger& ledger();
  const Trace& trace() const;

  /// Runs up to and including `time`, which must not be before now, at most to the world's end.
  void run_until(SimTime time);
  /// Executes the kernel's next event, which may leave any number of records; false when the world has ended.
  bool step();
  /// Runs to the end and judges. The last call.
  RunResult finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim
