#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/time.h"
#include "model/types.h"

namespace reports {

using namespace model;

/// `0`, `512 B`, `1.2 GiB`, `340 GiB`: at most 8 columns, rounded to nearest.
std::string human_bytes(Bytes bytes);
/// Whole byte-hours of an integral over microseconds, rounded down; as many as fit.
Bytes byte_hours(unsigned __int128 byte_time);
/// `950`, `1.2k`, `340k`, `5.1M`: at most 5 columns.
std::string human_count(std::int64_t count);
/// The two greatest units, rounded down: `2h 13m`, `6d 20h`, `45s`, `250ms`; a part that is zero is left out; `0s`.
std::string human_duration(Duration duration);
/// Keeps head and tail: `kip-dang..recovery`. A text that fits stays as it is.
std::string shorten(std::string_view text, std::size_t width);

}  // namespace reports
