#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/file.h"
#include "sim/scenario/scenario.h"

namespace reports {

inline constexpr int format_version = 1;

/// manifest.json: what a folder holds and what made it. The only file with wall time in it.
struct Manifest {
  int format = format_version;
  /// The command: run, compare, study, campaign, import ...
  std::string kind = {};
  std::string version = {};
  std::string commit = {};
  std::string compiler = {};
  std::string scenario = {};
  std::string scenario_hash = {};
  /// Labels, in order.
  std::vector<std::string> policies = {};
  /// `7` or `1..30`, as --seeds takes it.
  std::string seeds = {};
  /// ISO 8601 instant of the world's time 0.
  std::string start = {};
  /// 16 hexadecimal digits; of several runs whatever the command folds them to.
  std::string trace_hash = {};
  std::uint64_t events = 0;
  std::uint64_t transitions = 0;
  std::int64_t world_ms = 0;
  std::int64_t wall_ms = 0;
  std::string outcome = {};
  /// pass, fail, unknown, error, or `unfinished`.
  std::string verdict = {};
  /// `I/N` of a part of a campaign; empty: whole.
  std::string shard = {};
  /// Whether --set, a configuration or a draw had changed the scenario: then it was judged as such a one is
  /// (sim::Scenario::changed), and scenario.ini, which holds what was run, cannot say so.
  bool changed = false;
};

/// The kind of a folder that `import` wrote.
inline constexpr std::string_view import_kind = "import";
inline constexpr std::string_view unfinished = "unfinished";

std::string to_json(const Manifest& manifest);
Result<void, Problem> write_manifest(const std::string& folder, const Manifest& manifest);
/// A folder without a manifest of ours, or with one of a newer format, is a problem.
Result<Manifest, Problem> read_manifest(const std::string& folder);

/// 16 hexadecimal digits over the scenario's whole text, its plan and its initial states.
std::string scenario_hash(const sim::Scenario& scenario);
std::string hash_text(std::uint64_t hash);

/// `text` as a JSON string, quotes included.
std::string json_string(std::string_view text);

}  // namespace reports
