#pragma once

#include <memory>
#include <string>

#include "reports/run_files.h"

namespace reports {

// One a file of this folder; run_files.cc lists them.

std::unique_ptr<RunFile> make_transitions(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_dropped(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_curves(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_events(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_metrics(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_faults(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_violations(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_leftovers(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_scrubber(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_goals(CsvFile file, const RunContext& context);
std::unique_ptr<RunFile> make_summary(CsvFile file, const RunContext& context);

// Not a csv, and written on demand only.

/// metadata.console.txt and __remote_log_metadata-N/metadata.dump-log.txt in `folder`.
std::unique_ptr<RunOutput> make_metadata_dump(const std::string& folder, const RunContext& context);

}  // namespace reports
