#pragma once

#include <cstdint>
#include <string>

#include "reports/json_writer.h"
#include "reports/page_data.h"

namespace reports {

/// An import's findings.csv as an array of objects: errors first, then the most bytes; a file that is not there has
/// none. Returns how many rows a page has no room for.
Result<std::uint64_t, Problem> write_findings(JsonWriter& json, const std::string& path);

/// The sentence above the page of an import.
std::string import_headline(const PageData& data);

}  // namespace reports
