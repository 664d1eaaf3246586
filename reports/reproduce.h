#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reports {

/// The one command that shows a result again.
struct Reproduction {
  std::string command = "run";
  /// As the user gave it: a name or a path.
  std::string scenario = {};
  std::vector<std::string> policies = {};
  std::optional<std::uint64_t> seed = {};
  /// As given to --set, in order.
  std::vector<std::string> sets = {};
  /// Further options, whole.
  std::vector<std::string> options = {};
};
std::string reproduce_command(const Reproduction& reproduction);

/// One word of a POSIX shell; quoted when it needs to be.
std::string shell_quote(std::string_view word);

}  // namespace reports
