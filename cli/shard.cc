#include "cli/shard.h"

#include <fmt/format.h>

#include "sim/scenario/values.h"

namespace cli {

using model::Failed;
using model::Result;

namespace {

constexpr std::int64_t shards_max = 1'000'000;

/// A variable that must be a whole number from 0 on when it is set; nothing when it is not.
Result<std::optional<std::int64_t>, std::string> number_of(const Console& console, const char* name) {
  const std::string_view text = console.variable(name);
  if (text.empty()) return std::optional<std::int64_t>{};
  const auto number = sim::parse_integer(text);
  if (!number || *number < 0 || *number > shards_max)
    return Failed{fmt::format("{}={}: a whole number from 0 to {} is needed", name, text, shards_max)};
  return std::optional{*number};
}

Result<Shard, std::string> part(std::int64_t index, std::int64_t count, std::string origin) {
  if (count < 1 || index < 1 || index > count)
    return Failed{fmt::format("{}: shard {} of {} is none of 1 to {}", origin, index, count, count)};
  return Shard{static_cast<std::uint64_t>(index), static_cast<std::uint64_t>(count), std::move(origin)};
}

Result<Shard, std::string> of_slurm_array(const Console& console, std::int64_t task) {
  const auto least = number_of(console, "SLURM_ARRAY_TASK_MIN");
  const auto greatest = number_of(console, "SLURM_ARRAY_TASK_MAX");
  const auto step = number_of(console, "SLURM_ARRAY_TASK_STEP");
  const auto count = number_of(console, "SLURM_ARRAY_TASK_COUNT");
  for (const auto* number : {&least, &greatest, &step, &count}) {
    if (!*number) return Failed{number->error()};
  }
  const bool is_told = least->has_value() && greatest->has_value() && count->has_value();
  const std::int64_t first = least->value_or(0);
  const bool is_whole =
      is_told && first <= 1 && step->value_or(1) == 1 && greatest->value_or(0) - first + 1 == count->value_or(0);
  if (!is_whole) {
    return Failed{
        fmt::format("SLURM_ARRAY_TASK_ID={} without FLOTSAM_SHARDS: only arrays 1-N or 0-(N-1) of step 1 say "
                    "how many shards there are; set FLOTSAM_SHARDS=N",
                    task)};
  }
  return part(task - first + 1, count->value_or(0), fmt::format("SLURM_ARRAY_TASK_ID={}", task));
}

}  // namespace

std::string Shard::text() const { return is_part() ? fmt::format("{}/{}", index, count) : std::string{}; }

Result<Shard, std::string> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto index = sim::parse_integer(text.substr(0, slash));
  const auto count = slash == std::string_view::npos ? index : sim::parse_integer(text.substr(slash + 1));
  const bool is_one = slash != std::string_view::npos && index && count && *count >= 1 && *count <= shards_max &&
                      *index >= 1 && *index <= *count;
  if (!is_one) return Failed{fmt::format("--shard takes I/N, I from 1 to N, not '{}'", text)};
  return part(*index, *count, fmt::format("--shard {}", text));
}

Result<Shard, std::string> find_shard(const std::string& option, const Console& console) {
  if (!option.empty()) return parse_shard(option);
  const auto shards = number_of(console, "FLOTSAM_SHARDS");
  const auto task = number_of(console, "SLURM_ARRAY_TASK_ID");
  const auto completion = number_of(console, "JOB_COMPLETION_INDEX");
  for (const auto* number : {&shards, &task, &completion}) {
    if (!*number) return Failed{number->error()};
  }
  if (!shards->has_value()) return task->has_value() ? of_slurm_array(console, **task) : Shard{};
  const std::string of = fmt::format("FLOTSAM_SHARDS={}", **shards);
  if (task->has_value()) return part(**task, **shards, fmt::format("{} SLURM_ARRAY_TASK_ID={}", of, **task));
  if (completion->has_value())
    return part(**completion + 1, **shards, fmt::format("{} JOB_COMPLETION_INDEX={}", of, **completion));
  return Failed{fmt::format("{} without SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX: which shard is this?", of)};
}

}  // namespace cli
