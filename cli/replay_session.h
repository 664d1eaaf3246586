#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/kept_run.h"
#include "cli/options.h"

namespace cli {

/// Where to stop in a run.
struct Moment {
  /// After all that happens up to and including this time.
  std::optional<model::SimTime> time;
  /// Just after the trace record of this number.
  std::uint64_t event = 0;
};
/// `1h30m`, bare milliseconds as in the files, an ISO 8601 instant as long as the world's start is one, or `@1234`.
model::Result<Moment, std::string> parse_moment(std::string_view text, const sim::Scenario& scenario);

/// A look into a kept run: `--until`, `--step` and `--why` of replay. Shows the world at a moment, goes on from there
/// step by step, and tells of a copy what it is, why, and what becomes of it.
class ReplaySession {
 public:
  ReplaySession(const KeptRun& kept, const Options& options, Console& console)
      : kept_(kept), options_(options), console_(console) {}

  /// 0; 64 when there is no such moment or copy; 130 or 143 when interrupted.
  int run();

 private:
  const KeptRun& kept_;
  const Options& options_;
  Console& console_;
};

}  // namespace cli
