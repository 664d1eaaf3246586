#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/result.h"

namespace reports {

using namespace model;

/// What is known of how long a topic keeps its data; nothing where nobody said.
struct TopicRetention {
  /// retention.ms; -1: no limit.
  std::optional<std::int64_t> milliseconds = {};
  /// retention.bytes of a partition; -1: no limit.
  std::optional<std::int64_t> bytes = {};
};

/// The cluster's configuration, as far as it was told.
struct ImportConfig {
  std::map<std::string, TopicRetention, std::less<>> topics = {};
  /// Of topics that are not among them.
  TopicRetention others = {};

  const TopicRetention& of(std::string_view topic) const {
    const auto found = topics.find(topic);
    return found == topics.end() ? others : found->second;
  }
};

/// Versions of Kafka that differ in what their expiration reaches (facts 6.8, 6.9); each holds up to the next.
enum class KafkaVersion : std::uint8_t {
  v3_6,  ///< Up to 3.8.0.
  v3_9,  ///< 3.8.1 and 3.9.
  v4_0,  ///< 4.0 to 4.2: takes every DELETE_SEGMENT_STARTED entry that its walk comes to.
  v4_3,  ///< And later: retention.ms has to be over, not only reached.
};
std::string_view to_string(KafkaVersion version);
/// `3.6`, `3.8.1`, `4.2.1` ...: 3.6 to 4.4.
Result<KafkaVersion, std::string> parse_kafka_version(std::string_view text);

}  // namespace reports
