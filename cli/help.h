#pragma once

#include <string>

#include "cli/commands.h"

namespace cli {

/// What the program shows without arguments: the first five commands, an example each.
std::string first_screen();
/// `--help`: all commands, the exit codes, where to go on.
std::string help_text();
/// `COMMAND --help`: one command with its options and their defaults.
std::string help_text(const Command& command);
/// `--version`: with the commit, the compiler and the build.
std::string version_text();

}  // namespace cli
