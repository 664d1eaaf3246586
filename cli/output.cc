#include "cli/output.h"

#include <filesystem>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "build_info.h"
#include "reports/run_folder.h"

namespace cli {

namespace fs = std::filesystem;
using model::Failed;
using model::Result;

namespace {

std::string without_trailing_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

fs::path parent_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path{"."}; }

}  // namespace

Result<std::string, std::string> output_place(const Options& options, std::string_view scenario_name) {
  const std::string standard = fmt::format("flotsam-out/{}-{}", options.command, reports::folder_name(scenario_name));
  const std::string out = options.out.empty() ? standard : without_trailing_slashes(options.out);
  std::error_code error;
  const auto found = fs::symlink_status(out, error);
  if (!fs::exists(found)) {
    if (found.type() == fs::file_type::not_found) return out;
    return Failed{fmt::format("--out {}: {}", out, error.message())};
  }
  const fs::path place = fs::canonical(out, error);
  if (error || !fs::is_directory(place, error)) return Failed{fmt::format("--out {}: exists and is no folder", out)};
  const bool is_standard = fs::path{out}.lexically_normal() == fs::path{standard}.lexically_normal();
  if (!is_standard && !options.overwrite) {
    return Failed{fmt::format("--out {}: exists; --overwrite replaces a folder that flotsam wrote", out)};
  }
  // The standard folder is replaced freely, but what somebody else put there is not lost.
  if (const auto manifest = reports::read_manifest(place.string()); !manifest && !fs::is_empty(place, error)) {
    return Failed{fmt::format("--out {}: only what flotsam wrote is replaced: {}", out, manifest.error())};
  }
  // A link is followed; everything else keeps the name that was given.
  return fs::is_symlink(found) || fs::path{out}.filename() == "." || fs::path{out}.filename() == ".." ? place.string()
                                                                                                      : out;
}

Result<void, std::string> check_writable_file(std::string_view option, const std::string& path) {
  std::error_code error;
  const auto found = fs::status(path, error);
  if (fs::is_directory(found)) return Failed{fmt::format("--{} {}: is a folder", option, path)};
  if (fs::exists(found)) {
    if (::access(path.c_str(), W_OK) != 0)
      return Failed{fmt::format("--{} {}", option, reports::problem_with(path, errno))};
    return {};
  }
  const std::string parent = parent_of(path).string();
  if (::access(parent.c_str(), W_OK | X_OK) != 0) {
    return Failed{fmt::format("--{} {}: {}", option, path, reports::problem_with(parent, errno))};
  }
  if (!fs::is_directory(parent, error)) return Failed{fmt::format("--{} {}: {} is no folder", option, path, parent)};
  return {};
}

std::optional<std::string> prepare_output(const Options& options, const sim::Scenario& scenario, Console& console) {
  const auto place = output_place(options, scenario.name);
  if (!place) {
    console.error(place.error());
    return std::nullopt;
  }
  for (const auto& [option, path] : {std::pair{"junit", options.junit}, std::pair{"summary", options.summary}}) {
    if (path.empty()) continue;
    if (const auto writable = check_writable_file(option, path); !writable) {
      console.error(writable.error());
      return std::nullopt;
    }
  }
  return *place;
}

reports::Manifest begin_manifest(const Options& options, const sim::Scenario& scenario,
                                 const std::vector<sim::PolicyChoice>& policies) {
  reports::Manifest manifest;
  manifest.kind = options.command;
  manifest.version = version;
  manifest.commit = commit;
  manifest.compiler = compiler;
  manifest.scenario = scenario.name;
  manifest.scenario_hash = reports::scenario_hash(scenario);
  for (const sim::PolicyChoice& policy : policies) manifest.policies.push_back(policy.label);
  manifest.seeds = options.seeds.count() == 1 ? std::to_string(options.seeds.first)
                                              : fmt::format("{}..{}", options.seeds.first, options.seeds.last);
  manifest.start = scenario.scenario.start;
  manifest.trace_hash = reports::hash_text(0);
  manifest.outcome = to_string(sim::Outcome::unknown);
  manifest.verdict = reports::unfinished;
  manifest.changed = scenario.changed;
  return manifest;
}

reports::Manifest import_manifest(std::string_view name) {
  reports::Manifest manifest;
  manifest.kind = "import";
  manifest.version = version;
  manifest.commit = commit;
  manifest.compiler = compiler;
  manifest.scenario = name;
  manifest.trace_hash = reports::hash_text(0);
  manifest.outcome = to_string(sim::Outcome::unknown);
  manifest.verdict = to_string(sim::Outcome::unknown);
  return manifest;
}

Result<StandingFolder, std::string> StandingFolder::make(const std::string& place) {
  StandingFolder folder;
  folder.place_ = place;
  std::error_code error;
  fs::create_directories(parent_of(place), error);
  if (error) return Failed{fmt::format("{}: {}", place, error.message())};
  if (fs::exists(place, error)) {
    const fs::path name = fs::path{place}.filename();
    folder.before_ = (parent_of(place) / fmt::format(".{}.before-{}", name.string(), ::getpid())).string();
    fs::rename(place, folder.before_, error);
    if (error) return Failed{fmt::format("{}: {}", place, error.message())};
  }
  fs::create_directory(place, error);
  if (error) {
    const std::string reason = error.message();
    if (!folder.before_.empty()) fs::rename(folder.before_, place, error);
    return Failed{fmt::format("{}: {}", place, reason)};
  }
  folder.undecided_ = true;
  return folder;
}

StandingFolder::StandingFolder(StandingFolder&& other) noexcept
    : place_(std::move(other.place_)),
      before_(std::move(other.before_)),
      undecided_(std::exchange(other.undecided_, false)) {}

StandingFolder::~StandingFolder() {
  if (!undecided_) return;
  std::error_code ignored;
  fs::remove_all(place_, ignored);
  if (!before_.empty()) fs::rename(before_, place_, ignored);
}

void StandingFolder::keep() {
  undecided_ = false;
  std::error_code ignored;
  if (!before_.empty()) fs::remove_all(before_, ignored);
}

}  // namespace cli
