#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// Whether Kafka has this key for brokers or topics although it changes nothing here: such a key becomes a note.
bool is_kafka_key_without_effect(std::string_view key);
/// All that are whole names, sorted.
std::span<const std::string_view> kafka_keys_without_effect();

/// A broker's default for a topic key: `log.retention.hours` is 3,600,000 times a millisecond of `retention.ms`.
struct TopicDefault {
  std::string_view broker_key;
  std::string_view topic_key;
  /// What a bare number is multiplied with.
  std::int64_t factor = 1;
};
/// The bare number in the unit of the topic's key: hours become milliseconds. Other texts stay.
std::string in_topic_unit(const std::string& text, const TopicDefault& known);
/// In the order of Kafka's precedence, the strongest last.
std::vector<TopicDefault> topic_defaults();

/// The key without the `rlmm.config.` under which Kafka's default metadata manager reads its settings.
std::string_view without_metadata_prefix(std::string_view key);

/// The value of a pasted `kafka-configs --describe` line: without its ` sensitive=… synonyms=…`.
std::string_view without_describe_tail(std::string_view value);

}  // namespace sim
