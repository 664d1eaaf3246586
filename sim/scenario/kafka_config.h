#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/ini.h"
#include "sim/scenario/input_error.h"

namespace sim {

// A cluster's configuration as its owner has it: a server.properties, or what Kafka's own tools print of it.

/// Settings as the entries of a scenario, each with the file and line where it stands; of a key said twice the last
/// counts. What has no effect here is in the notes. Unknown keys and wrong values are errors of the reader.
struct BrokerConfig {
  /// In [broker], or where a scenario has a setting that Kafka keeps in server.properties: [cluster], [metadata].
  std::vector<IniEntry> entries;
  std::vector<std::string> notes;
};

/// What a text says of one topic.
struct TopicConfig {
  /// Empty: the text does not say of which topic it is.
  std::string name;
  /// Where it begins.
  KeyOrigin origin;
  // How many there are, when kafka-topics says so; not among the entries, since a scenario decides that itself.
  std::optional<std::int32_t> partitions;
  std::optional<std::int32_t> replication_factor;
  /// In [topic.NAME].
  std::vector<IniEntry> entries;
};
struct TopicConfigs {
  std::vector<TopicConfig> topics;
  std::vector<std::string> notes;
};

/// A server.properties (Java's properties with comments and continued lines), or the output of
/// `kafka-configs --describe --entity-type brokers`; of several brokers the first counts, and what others have
/// differently is noted.
BrokerConfig read_broker_config(const std::string& file, std::string_view text, InputErrors& errors);

/// The output of `kafka-configs --describe --entity-type topics`, with or without --all, in the forms of all versions;
/// of `kafka-topics --describe`; both one after the other; or lines of `key=value` alone.
TopicConfigs read_topic_config(const std::string& file, std::string_view text, InputErrors& errors);

}  // namespace sim
