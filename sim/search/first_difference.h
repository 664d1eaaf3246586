#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace sim {

/// What decides a run; all of it outlives the call.
struct RunSetup {
  const Scenario& scenario;
  const PolicyChoice& policy;
  std::uint64_t seed = 0;
};

/// Where two runs part.
struct Difference {
  /// Number of the first record that is not the same in both.
  std::uint64_t event = 0;
  /// The first field of it that differs: `time`, `kind` or one of the event's own; `end`: one of them has no such
  /// record.
  std::string field;
  /// The last records that both have, described, one a line without its end.
  std::vector<std::string> before;
  /// Each one's records from there on.
  std::vector<std::string> first;
  std::vector<std::string> second;
};

/// How many records stand in each of Difference's lists, at most.
inline constexpr std::size_t difference_context = 5;

/// Runs two worlds side by side on the calling thread and compares their traces record by record; nothing when they are
/// the same to the end. Holds no more of them than what one event of the kernel leaves.
std::optional<Difference> first_difference(const RunSetup& a, const RunSetup& b);

/// `event #12 is the first that differs, in its field broker`.
std::string sentence_of(const Difference& difference);
/// The sentence in a line, and below it the lists of both sides under their names.
std::string describe(const Difference& difference, std::string_view first_name, std::string_view second_name);

}  // namespace sim
