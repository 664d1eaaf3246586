#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/result.h"

namespace sim {

/// The text with each `${name}` replaced; the error names the nearest variable. Values are taken as they are, not
/// searched again.
model::Result<std::string, std::string> substitute(std::string_view text,
                                                   const std::map<std::string, std::string>& vars);

}  // namespace sim
