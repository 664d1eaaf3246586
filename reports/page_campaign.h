#pragma once

#include <string>

#include "reports/json_writer.h"
#include "reports/manifest.h"

namespace reports {

inline constexpr std::string_view campaign_kind = "campaign";

/// What a campaign's folder says of all its seeds: outcomes by policy, failures (the first 500), goals. Of another
/// kind's folder null.
Result<void, Problem> write_campaign(JsonWriter& json, const std::string& folder, const Manifest& manifest);

/// `chaos, seeds 1..2000: 3 signatures that nobody expects, 5 goals not reached.`
std::string campaign_headline(const std::string& folder, const Manifest& manifest);

}  // namespace reports
