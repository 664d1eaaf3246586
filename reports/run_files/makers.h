#pragma once

#include <memory>

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
std::unique_ptr<RunFile> make_summary(CsvFile file, const RunContext& context);

}  // namespace reports
