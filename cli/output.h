#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/options.h"
#include "model/result.h"
#include "reports/manifest.h"
#include "sim/scenario/scenario.h"

namespace cli {

/// Where a command's folder goes, checked: `--out`, or flotsam-out/COMMAND-SCENARIO.
///
/// The default is replaced freely. Anything else that exists is refused, but for a folder with a manifest of ours under
/// --overwrite. Links are followed, so that what is replaced is the folder and not the link.
model::Result<std::string, std::string> output_place(const Options& options, std::string_view scenario_name);

/// Whether a file could be created or replaced at `path`; says why not. Nothing is written.
model::Result<void, std::string> check_writable_file(std::string_view option, const std::string& path);

/// Both for a command that writes a folder, --junit and --summary: where the folder goes; nothing, said on the error
/// stream, when one of them cannot be written.
std::optional<std::string> prepare_output(const Options& options, const sim::Scenario& scenario, Console& console);

/// The manifest of a command's folder before anything has run: verdict `unfinished`.
reports::Manifest begin_manifest(const Options& options, const sim::Scenario& scenario,
                                 const std::vector<sim::PolicyChoice>& policies);

/// The manifest of an import, which knows no scenario of its own.
reports::Manifest import_manifest(std::string_view name);

/// A folder that stands at its place from the start, for what takes long: what was there before steps aside, and comes
/// back unless keep() is called.
class StandingFolder {
 public:
  static model::Result<StandingFolder, std::string> make(const std::string& place);
  ~StandingFolder();
  StandingFolder(StandingFolder&& other) noexcept;
  StandingFolder& operator=(StandingFolder&&) = delete;

  const std::string& path() const { return place_; }
  /// The new folder stays, whatever was there before goes.
  void keep();

 private:
  StandingFolder() = default;
  std::string place_;
  /// Where the older folder waits; empty when there was none.
  std::string before_;
  bool undecided_ = false;
};

}  // namespace cli
