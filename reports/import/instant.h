#pragma once

#include <cstdint>
#include <string>

namespace reports {

/// ISO 8601 in UTC, `2025-01-01T00:00:04Z`, with milliseconds where there are any; `milliseconds` since 1970.
std::string instant_text(std::int64_t milliseconds);

}  // namespace reports
