// The command line, nothing else.
#include <cstdio>
#include <cstdlib>
#include <span>

#include "cli/cli.h"

int main(int argument_count, char** arguments) {
  const std::span<const char* const> words{arguments, static_cast<std::size_t>(argument_count)};
  const int exit_code = cli::run_main(words.empty() ? words : words.subspan(1));
  // Interrupted: other threads may be in the middle of their worlds, so nothing is destroyed.
  if (exit_code > 128) std::_Exit(exit_code);
  return exit_code;
}
