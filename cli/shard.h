#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/console.h"
#include "model/result.h"

namespace cli {

/// Which part of the work this process does: the pieces `index - 1`, `index - 1 + count`, ... of all.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
  /// Where that was said, for the first line printed; empty: nowhere, all of it.
  std::string origin = {};

  bool is_part() const { return !origin.empty(); }
  /// `3/7`; empty for all of it.
  std::string text() const;
};

/// `I/N`, I from 1.
model::Result<Shard, std::string> parse_shard(std::string_view text);

/// What --shard says, or the engine that runs many of us: FLOTSAM_SHARDS=N with SLURM_ARRAY_TASK_ID (1..N) or
/// JOB_COMPLETION_INDEX (from 0); without FLOTSAM_SHARDS a Slurm array 1-N or 0-(N-1) of step 1.
model::Result<Shard, std::string> find_shard(const std::string& option, const Console& console);

}  // namespace cli
