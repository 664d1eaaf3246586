#pragma once

#include <string>
#include <string_view>

namespace reports {

/// The text as gzip in base64: what a page can carry and its browser unpack (DecompressionStream). The same text gives
/// the same result with the same zlib.
std::string packed(std::string_view text);

}  // namespace reports
