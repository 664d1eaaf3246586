#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/types.h"
#include "reports/file.h"

namespace reports {

/// One object of a bucket, as a listing has it. The key lives until the next object.
struct ListedObject {
  std::string_view key = {};
  std::int64_t bytes = 0;
  /// Milliseconds since 1970; nothing where the listing does not say. `aws s3 ls` prints local time without a zone,
  /// which is taken for UTC.
  std::optional<std::int64_t> modified_ms = {};
};

/// What of the listing could not be read.
struct ListingProblems {
  std::uint64_t unreadable = 0;
  /// `FILE:LINE: REASON` of the first.
  std::string first = {};
  /// How the listing begins: its first line that is not blank, or `{` of JSON; empty when there is none.
  std::string head = {};
};

/// Calls for each object of a listing: `aws s3 ls --recursive`, the JSON of list-objects-v2, or CSV with a header row
/// that names key, size and last modified. Which it is, its beginning says.
Result<ListingProblems, Problem> read_listing(const std::string& path,
                                              const std::function<void(const ListedObject&)>& each);

/// What a key says of the copy it belongs to; names as Aiven's plug-in and Kafka's own test store give them.
struct ObjectKey {
  Uuid segment_id = {};
  /// The log file, not one of its companions.
  bool is_log = false;
  // Of the folders above, when they are named like one of the two.
  std::optional<Uuid> topic_id = {};
  std::int32_t partition = -1;
};
/// Nothing when its last 22 characters before the suffix are no segment's id.
std::optional<ObjectKey> parse_object_key(std::string_view key);

}  // namespace reports
