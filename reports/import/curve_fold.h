#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/file.h"
#include "reports/import/segment_table.h"

namespace reports {

/// A copy in COPY_SEGMENT_STARTED or DELETE_SEGMENT_STARTED for longer than this counts as stuck from then on:
/// transitions do not say whether somebody still works on it.
inline constexpr std::int64_t stuck_after_ms = 3'600'000;

/// curves.csv as far as transitions alone tell it: bytes by the state of what claims them. Adding differences per time,
/// it does not care in which order partitions and their clocks come.
///
/// At a point of the grid a curve holds all transitions up to that millisecond, and
///   stored_bytes     what segments claim that are not DELETE_SEGMENT_FINISHED,
///   in_flight_bytes  of them COPY_SEGMENT_STARTED, up to stuck_after_ms,
///   deleting_bytes   DELETE_SEGMENT_STARTED, up to stuck_after_ms,
///   stuck_bytes      either for longer,
///   dangling_bytes   DANGLING,
///   garbage_bytes    stuck and dangling, and garbage_count how many copies these are.
/// Sizes are segmentSizeInBytes: what the metadata claims, for the log file alone. Every other column needs more than
/// transitions and stays empty.
class CurveFold {
 public:
  /// `every_ms`: the grid; 0 chooses the finest of 1 s, 10 s, 1 min, 10 min, 1 h, 6 h, 1 d, 10 d, 100 d that gives no
  /// more than `points_most` points.
  explicit CurveFold(std::int64_t every_ms = 0);
  static constexpr std::int64_t points_most = 5'000;

  /// A copy of `size` bytes (negative: unknown, counts as none) that came into `from` at `since_ms` went over to `to`
  /// at `time_ms`; without `from` it came to be.
  void move(std::string_view topic, std::int64_t size, std::optional<StateNumber> from, std::int64_t since_ms,
            StateNumber to, std::int64_t time_ms);
  /// At the end: a copy is still in `state`, and the curves go on to the greatest time moved to.
  void remain(std::string_view topic, std::int64_t size, StateNumber state, std::int64_t since_ms);

  /// curves.csv with all columns of a run's. `*` has a row at every point, a topic where it changes, at the first and
  /// at the last.
  Result<void, Problem> write(const std::string& path) const;

 private:
  struct Sums {
    std::int64_t stored = 0;
    std::int64_t in_flight = 0;
    std::int64_t deleting = 0;
    std::int64_t stuck = 0;
    std::int64_t dangling = 0;
    std::int64_t garbage_count = 0;

    void add(const Sums& other);
  };
  struct Topic {
    /// Changes by the grid's point, which is the time in units of the grid rounded up.
    std::map<std::int64_t, Sums> changes;
    /// Where the last change went; the next one is often there too.
    Sums* last = nullptr;
    std::int64_t last_point = 0;
  };

  Topic& topic_of(std::string_view name);
  Sums& at(Topic& topic, std::int64_t time_ms);
  void coarsen(std::int64_t every_ms);
  void leave(Topic& topic, std::int64_t size, StateNumber state, std::int64_t since_ms, std::int64_t time_ms);

  std::int64_t every_ms_;
  bool chooses_;
  std::int64_t first_ms_ = INT64_MAX;
  std::int64_t last_ms_ = INT64_MIN;
  std::map<std::string, Topic, std::less<>> topics_;
  std::string last_name_;
  Topic* last_topic_ = nullptr;
};

/// The curves of any transitions.csv, a run's or an import's, as `to`. `every_ms` as CurveFold has it.
Result<void, Problem> fold_curves(const std::string& transitions, const std::string& to, std::int64_t every_ms = 0);

}  // namespace reports
