// Compares what the model did with what Kafka did: scripts and goldens of a folder, as `./dev test` and the program
// conformance_runner see them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/conformance/runner/script_world.h"

namespace tests::conformance {

/// A folder's script, whole or with what is wrong with it.
struct ScriptFile {
  std::string name;
  std::string file;
  std::string text;
};
/// What one golden holds.
struct GoldenFile {
  std::string name;
  std::string version;
  std::string file;
  std::string text;
};

/// In the order of their names; empty for a folder that has none. Throws std::filesystem::filesystem_error.
std::vector<ScriptFile> read_scripts(const std::string& folder);
std::vector<GoldenFile> read_goldens(const std::string& folder);

struct Comparison {
  int script_count = 0;
  /// Goldens compared.
  int comparison_count = 0;
  /// Lines of the goldens that say what an action caused.
  int event_count = 0;
  /// Goldens from which the model differs, unreadable scripts and goldens without a script.
  int difference_count = 0;
  /// One text for each of them, ending with a newline.
  std::vector<std::string> reports;

  /// `scripts N, comparisons N, events N, differences N`.
  std::string summary() const;
  /// Something was compared, and nothing differs.
  bool passes() const { return comparison_count > 0 && difference_count == 0; }
};

/// Compares every golden that belongs to a script; `judged` are the versions, with the policies that answer for them.
Comparison compare(const std::vector<ScriptFile>& scripts, const std::vector<GoldenFile>& goldens,
                   std::span<const Version> judged);

/// The lines of `after` against those of `before` as `diff -u` shows them; empty when they are equal. Every hunk names
/// the action that it is about.
std::string unified_diff(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace tests::conformance
