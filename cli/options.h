#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/result.h"
#include "model/time.h"
#include "model/types.h"
#include "reports/run_files.h"
#include "sim/scenario/scenario.h"

namespace cli {

/// A seed and where it came from, for the first line printed.
struct SeedRange {
  std::uint64_t first = 1;
  /// Included.
  std::uint64_t last = 1;
  std::string origin = "default";

  std::uint64_t count() const { return last - first + 1; }
};

/// A command line, read. What was not given has the command's default.
struct Options {
  std::string command;
  /// What stands after the command: a scenario, a word or folders.
  std::vector<std::string> arguments;
  std::vector<std::string> policies;
  SeedRange seeds;
  /// Empty: the command's own folder.
  std::string out;
  std::vector<std::string> sets;
  /// --broker-config and --topic-config.
  sim::KafkaConfigFiles configs;
  int jobs = 1;
  reports::Keep keep = reports::Keep::all;
  reports::MetricChoice metrics = reports::MetricChoice::kip;
  bool dump_metadata = false;
  bool overwrite = false;
  /// Goes on with what an earlier process left in the folder.
  bool resume = false;
  /// Takes unfinished folders, and parts with gaps.
  bool partial = false;
  /// `I/N`; empty: what the environment says.
  std::string shard;
  /// How long seeds may be begun; nothing: until all are done.
  std::optional<model::Duration> time_budget;
  /// Whether the seeds are the command's default.
  bool default_seeds = true;
  /// A file of seeds that run before the others; empty: none.
  std::string corpus;
  std::string junit;
  std::string summary;
  std::string svg;
  std::vector<std::string> topics;
  bool anonymise = false;
  /// `3.6` to `4.3` and what lies between; empty: not said.
  std::string kafka_version;
  /// Milliseconds since 1970.
  std::optional<std::int64_t> now_ms;
  std::string listing;
  std::optional<std::int64_t> listing_time_ms;
  std::optional<model::Duration> grace;
  std::optional<model::Bytes> fail_over;
  /// Of replay, as given; each is read where the world is at hand.
  std::string until;
  std::string why;
  /// `event`, `transition`, `ask`; empty: not asked for.
  std::string step;
  bool verify = false;
  bool quiet = false;
  bool print = false;
  bool csv = false;
  bool names = false;
  bool help = false;
  bool version = false;
};

/// Reads the words after the program's name. The error is one message that names what was found and the nearest valid
/// word.
model::Result<Options, std::string> parse_options(std::span<const char* const> words);

/// `N` below 2^63, or the 40 hexadecimal digits of a git commit, hashed to such a number.
model::Result<SeedRange, std::string> parse_seed(std::string_view text);
/// `A..B`, both included.
model::Result<SeedRange, std::string> parse_seeds(std::string_view text);

/// The processors that this process may use; at least 1.
int processor_count();

}  // namespace cli
