#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "reports/stored_run.h"
#include "reports/svg.h"

namespace cli {

int report_command(const Options& options, Console& console) {
  if (options.svg.empty()) {
    console.error("report needs --svg FILE: the HTML page comes with a later version");
    return exit_usage;
  }
  std::vector<reports::StoredRun> runs;
  for (const std::string& folder : options.arguments) {
    auto read = reports::read_runs(folder);
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

}  // namespace cli
