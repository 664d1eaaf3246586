#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/options.h"

namespace cli {

// Exit codes. The verdict's own (0 to 4) come with each run's result.
inline constexpr int exit_ok = 0;
inline constexpr int exit_not_deterministic = 4;
inline constexpr int exit_usage = 64;
inline constexpr int exit_internal = 70;

/// The worse of two exit codes: interrupted, 70, 4, 1, 3, 2, 0.
int worst_exit_code(int a, int b);

/// One command of the program.
struct Command {
  std::string_view name;
  /// As `SCENARIO`; shown after the name.
  std::string_view argument;
  /// One line for the first screen and `--help`.
  std::string_view help;
  /// One full command line to try.
  std::string_view example;
  /// The options it takes, joined with blanks; --help goes with each.
  std::string_view options;
  /// How many arguments it takes.
  int arguments_min;
  int arguments_max;
  int (*run)(const Options& options, Console& console);
};

/// What can be done today, in the order in which help shows it.
std::span<const Command> commands();
/// The command of that name; nullptr when there is none.
const Command* find_command(std::string_view name);
/// Whether a later version has a command or an option of this name (an option without its dashes).
bool comes_later(std::string_view name);

// One function a command; each returns the exit code.
int run_command(const Options& options, Console& console);
int compare_command(const Options& options, Console& console);
int campaign_command(const Options& options, Console& console);
int merge_command(const Options& options, Console& console);
int check_command(const Options& options, Console& console);
int list_command(const Options& options, Console& console);
int replay_command(const Options& options, Console& console);
int diff_command(const Options& options, Console& console);
int report_command(const Options& options, Console& console);
int import_command(const Options& options, Console& console);

}  // namespace cli
