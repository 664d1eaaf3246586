// conformance_runner SCRIPTS_DIR GOLDENS_DIR [NAME...] [--print VERSION]: see tests/conformance/README.md.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/scenario/names.h"
#include "tests/conformance/runner/comparison.h"

namespace {

using namespace tests::conformance;

constexpr int exit_differs = 1;
constexpr int exit_usage = 64;

struct Usage {
  std::vector<std::string> places;
  /// Empty: compare.
  std::string printed_version;
};

int fail(const std::string& what) {
  fmt::print(stderr, "conformance_runner: {}\n", what);
  return exit_usage;
}

/// Names that no script has, as one message.
std::string unknown_names(const std::vector<std::string>& names, const std::vector<ScriptFile>& scripts) {
  std::vector<std::string> valid;
  for (const ScriptFile& script : scripts) valid.push_back(script.name);
  for (const std::string& name : names) {
    if (std::find(valid.begin(), valid.end(), name) != valid.end()) continue;
    return fmt::format("there is no script {}{}", sim::quoted(name), sim::suggestion(name, valid));
  }
  return {};
}

int print_model(const std::vector<ScriptFile>& scripts, const Version& version) {
  int code = 0;
  for (const ScriptFile& file : scripts) {
    try {
      const Script script = read_script(file.file, file.text);
      if (!script.is_for(version.name)) continue;
      fmt::print("== {}\n", script.name);
      for (const std::string& line : ScriptWorld{script, version}.run()) fmt::print("{}\n", line);
    } catch (const ScriptError& error) {
      fmt::print(stderr, "{}\n", to_string(error));
      code = exit_differs;
    }
  }
  return code;
}

int run(const Usage& usage) {
  std::vector<ScriptFile> scripts = read_scripts(usage.places[0]);
  std::vector<GoldenFile> goldens = read_goldens(usage.places[1]);
  const std::vector<std::string> names(usage.places.begin() + 2, usage.places.end());
  if (const std::string unknown = unknown_names(names, scripts); !unknown.empty()) return fail(unknown);
  if (!names.empty()) {
    const auto is_other = [&](const auto& file) {
      return std::find(names.begin(), names.end(), file.name) == names.end();
    };
    std::erase_if(scripts, is_other);
    std::erase_if(goldens, is_other);
  }
  if (!usage.printed_version.empty()) {
    for (const Version& version : versions()) {
      if (version.name == usage.printed_version) return print_model(scripts, version);
    }
    return fail(fmt::format("version {} is not judged", usage.printed_version));
  }
  const Comparison comparison = compare(scripts, goldens, versions());
  for (const std::string& report : comparison.reports) fmt::print("{}\n", report);
  if (comparison.comparison_count == 0) fmt::print(stderr, "conformance_runner: no golden, nothing was compared\n");
  fmt::print("{}\n", comparison.summary());
  return comparison.passes() ? 0 : exit_differs;
}

}  // namespace

int main(int argc, char** argv) {
  Usage usage;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != "--print") {
      usage.places.push_back(arguments[i]);
    } else if (++i < arguments.size()) {
      usage.printed_version = arguments[i];
    }
  }
  if (usage.places.size() < 2) return fail("usage: SCRIPTS_DIR GOLDENS_DIR [NAME...] [--print VERSION]");
  try {
    return run(usage);
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
