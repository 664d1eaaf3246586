#include "cli/cli.h"

#include <cstdlib>
#include <exception>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/signals.h"

namespace cli {

namespace {

const char* environment(const char* name) { return std::getenv(name); }

int run_words(std::span<const char* const> words, Console& console) {
  if (words.empty()) {
    console.print(first_screen());
    return exit_ok;
  }
  const auto options = parse_options(words);
  if (!options) {
    console.error(options.error());
    return exit_usage;
  }
  console.set_quiet(options->quiet);
  if (options->version) {
    console.print(version_text());
    return exit_ok;
  }
  const Command* command = find_command(options->command);
  if (options->help) {
    console.print(command == nullptr ? help_text() : help_text(*command));
    return exit_ok;
  }
  if (command == nullptr) {
    console.error("a command is missing; `flotsam --help` lists them");
    return exit_usage;
  }
  return command->run(*options, console);
}

}  // namespace

int run_main(std::span<const char* const> words, std::FILE* out, std::FILE* err) {
  const SignalScope signals;
  Console console{out, err, &environment};
  int exit_code = exit_internal;
  try {
    exit_code = run_words(words, console);
  } catch (const std::exception& problem) {
    // The library of the language reports what we cannot go on without, such as memory, this way.
    console.error(problem.what());
  }
  console.end_progress();
  if (!console.flush()) {
    console.error("cannot write the results to standard output");
    return worst_exit_code(exit_code, exit_internal);
  }
  return exit_code;
}

}  // namespace cli
