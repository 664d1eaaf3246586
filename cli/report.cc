#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "reports/page.h"
#include "reports/stored_run.h"
#include "reports/svg.h"

namespace cli {
namespace {

int write_picture(const Options& options, Console& console) {
  std::vector<reports::StoredRun> runs;
  for (const std::string& folder : options.arguments) {
    auto read = reports::read_runs(folder, options.partial);
    if (!read) {
      console.error(read.error());
      return exit_usage;
    }
    std::move(read->begin(), read->end(), std::back_inserter(runs));
  }
  if (const auto writable = check_writable_file("svg", options.svg); !writable) {
    console.error(writable.error());
    return exit_usage;
  }
  const auto picture = reports::garbage_svg(runs);
  if (!picture) {
    console.error(picture.error());
    return exit_usage;
  }
  if (const auto written = reports::replace_file(options.svg, *picture); !written) {
    console.error(written.error());
    return exit_internal;
  }
  console.print("{}\n", options.svg);
  return exit_ok;
}

int write_page(const Options& options, Console& console) {
  const std::string path = options.out.empty() ? options.arguments.front() + "/report.html" : options.out;
  // What cannot be read is said first: it is what the user named.
  for (const std::string& folder : options.arguments) {
    if (const auto manifest = reports::read_manifest(folder); !manifest) {
      console.error(manifest.error());
      return exit_usage;
    }
  }
  if (!reports::has_page()) {
    console.error("this build has no page: it was made without npm and Node.js 18; --svg FILE draws the picture");
    return exit_usage;
  }
  if (const auto writable = check_writable_file("out", path); !writable) {
    console.error(writable.error());
    return exit_usage;
  }
  if (const auto written = reports::write_page(path, {.folders = options.arguments, .partial = options.partial});
      !written) {
    console.error(written.error());
    return exit_usage;
  }
  console.print("{}\n", path);
  return exit_ok;
}

}  // namespace

int report_command(const Options& options, Console& console) {
  if (!options.svg.empty()) {
    if (const int code = write_picture(options, console); code != exit_ok || options.out.empty()) return code;
  }
  return write_page(options, console);
}

}  // namespace cli
