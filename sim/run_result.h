#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/observers/goals.h"
#include "sim/observers/invariants.h"
#include "sim/observers/ledger.h"
#include "sim/scenario/scenario.h"

namespace sim {

/// What happened: a liveness invariant broken is a leak, a safety invariant broken is a loss.
enum class Outcome : std::uint8_t { clean, leak, loss, unknown };
/// Whether that was expected.
enum class Verdict : std::uint8_t { pass, fail, unknown, error };
std::string_view to_string(Outcome outcome);
std::string_view to_string(Verdict verdict);

/// summary.csv's row, in its order of columns. Times in microseconds here, milliseconds in the file.
struct Summary {
  std::string scenario;
  std::string policy;
  std::uint64_t seed = 0;
  Outcome outcome = Outcome::clean;
  Verdict verdict = Verdict::pass;
  std::string first_violation;
  Bytes peak_garbage_bytes;
  /// Byte-microseconds; the file has byte-hours.
  unsigned __int128 garbage_byte_time = 0;
  unsigned __int128 waste_byte_time = 0;
  /// From the end of the last fault that hit until garbage is zero for good; nothing: not before the world ended.
  std::optional<Duration> reclaim;
  Bytes garbage_bytes_end;
  /// The part of garbage_bytes_end that nothing will ever remove.
  Bytes garbage_bytes_never;
  /// When the last of the rest falls due.
  std::optional<SimTime> last_due;
  Duration garbage_age_max{0};
  Bytes orphan_bytes_end;
  Bytes stuck_bytes_end;
  std::int64_t ghosts_end = 0;
  Bytes over_deleted_bytes;
  std::int64_t copy_attempts = 0;
  std::int64_t copy_failures = 0;
  std::int64_t delete_attempts = 0;
  std::int64_t delete_failures = 0;
  Bytes put_bytes;
  std::int64_t metadata_records = 0;
  Bytes metadata_bytes;
  std::int64_t store_requests = 0;
  /// Millionths of a dollar; the file has dollars with six digits.
  std::int64_t cost_micro_usd = 0;
  std::uint64_t events = 0;
  std::uint64_t transitions = 0;
  std::uint64_t trace_hash = 0;
};

/// What a fault did: a row of faults.csv; one a window of a repeating row.
struct FaultWindow {
  SimTime start;
  SimTime end;
  std::uint32_t row = 0;  ///< Index into Scenario::faults.
  std::uint64_t hits = 0;
};

/// One world's end.
struct RunResult {
  Summary summary;
  std::vector<Violation> violations;
  /// Per violation: whether the scenario expects it under this policy.
  std::vector<bool> expected;
  std::vector<Leftover> leftovers;
  std::vector<FaultWindow> faults;
  /// One entry a goal, in the order of goals().
  std::vector<GoalReached> goals;
  /// Why the verdict is fail: unexpected breaks, expected breaks that did not come, failed asserts, in words.
  std::vector<std::string> failures;
  std::string policy_label;
  /// 0, 1 (loss or failed assert), 2, 3 (unexpected leak, or an expected break that did not come): this run's part of
  /// the exit code.
  int exit_code = 0;
  SimTime world_end;
};

/// One point of curves.csv; all rows of one instant together.
struct CurvePoint {
  SimTime time;
  /// First all topics (`*`), then each topic in order.
  struct Row {
    LedgerTotals totals;
    Bytes garbage_max;
    DanglingGauges metric;
    Bytes copy_lag;
  };
  std::vector<Row> rows;
  std::uint32_t active_faults = 0;
};

/// What a run hands out while it goes on, for the files that are streamed; all optional.
class RunListener {
 public:
  virtual ~RunListener() = default;
  /// Before the first event. The world outlives the run's calls.
  virtual void begin(const WorldView&) {}
  /// Every trace record.
  virtual void record(const TraceRecord&) {}
  /// The grid, and every change of a fault.
  virtual void curve(const CurvePoint&) {}
  /// The world is still there; after this call the leftovers' segments are null.
  virtual void end(const RunResult&) {}
};

/// Runs one world. Deterministic: scenario, policy and seed decide every record. `elapsed` tells how far it is (0..1),
/// now and then.
RunResult run_world(const Scenario& scenario, const PolicyChoice& policy, std::uint64_t seed,
                    RunListener* listener = nullptr);

}  // namespace sim
