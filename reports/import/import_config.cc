#include "reports/import/import_config.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace reports {

std::string_view to_string(KafkaVersion version) {
  switch (version) {
    case KafkaVersion::v3_6:
      return "3.6";
    case KafkaVersion::v3_9:
      return "3.9";
    case KafkaVersion::v4_0:
      return "4.0";
    case KafkaVersion::v4_3:
      return "4.3";
  }
  return "";
}

Result<KafkaVersion, std::string> parse_kafka_version(std::string_view text) {
  std::array<int, 3> parts{0, 0, -1};
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  bool is_number = !text.empty();
  while (is_number && at != end && count < parts.size()) {
    const auto [next, error] = std::from_chars(at, end, parts[count++]);
    is_number = error == std::errc{} && (next == end || (*next == '.' && next + 1 != end));
    at = next == end ? end : next + 1;
  }
  const int version = 100 * parts[0] + parts[1];
  if (!is_number || count < 2 || at != end || version < 306 || version > 404)
    return Failed{fmt::format("--kafka-version takes 3.6 to 4.4, not '{}'", text)};
  if (version >= 403) return KafkaVersion::v4_3;
  if (version >= 400) return KafkaVersion::v4_0;
  // Of 3.8 the later releases are what people run.
  if (version == 309 || (version == 308 && parts[2] != 0)) return KafkaVersion::v3_9;
  return KafkaVersion::v3_6;
}

}  // namespace reports
