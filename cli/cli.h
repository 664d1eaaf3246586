#pragma once

#include <cstdio>
#include <span>

namespace cli {

/// The whole program as a call: reads the words after the program's name, does what they say, returns the exit code.
///
/// A program of your own that adds a policy to model::policies() gets every command by calling this. While it runs,
/// SIGINT, SIGTERM, SIGPIPE and SIGXFSZ are ours; after an interruption (130 or 143) worlds may still stand in other
/// threads, so the process should end without running destructors, as cli/main.cc does.
int run_main(std::span<const char* const> words, std::FILE* out = stdout, std::FILE* err = stderr);

}  // namespace cli
