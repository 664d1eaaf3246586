#include "reports/import/cluster_config.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "reports/file.h"
#include "sim/scenario/kafka_config.h"
#include "sim/scenario/kafka_names.h"
#include "sim/scenario/values.h"

namespace reports {
namespace {

constexpr std::int64_t kafka_retention_ms = 7LL * 24 * 3'600'000;

/// Takes a value of retention.ms or retention.bytes; false when it is none.
bool take(TopicRetention& retention, std::string_view key, const std::string& value) {
  if (key == "retention.ms") {
    const auto parsed = sim::parse_duration(value, sim::Unit::milliseconds);
    if (!parsed) return false;
    // -1 stands for no limit.
    retention.milliseconds = std::chrono::floor<std::chrono::milliseconds>(*parsed).count();
  } else if (key == "retention.bytes") {
    const auto parsed = sim::parse_bytes(value);
    if (!parsed) return false;
    retention.bytes = parsed->value();
  }
  return true;
}

class ConfigReader {
 public:
  Result<ImportConfig, std::string> read(const sim::KafkaConfigFiles& files) {
    for (const auto& path : files.broker) {
      if (auto done = read_broker(path); !done) return Failed{done.error()};
    }
    for (const auto& path : files.topic) {
      if (auto done = read_topics(path); !done) return Failed{done.error()};
    }
    return config_;
  }

 private:
  Result<void, std::string> wrong(const sim::IniEntry& entry) const {
    return Failed{to_string(sim::InputError{entry.origin.file, entry.origin.line,
                                            fmt::format("{}: '{}' is no retention", entry.key, entry.value)})};
  }

  Result<void, std::string> read_broker(const std::string& path) {
    const auto text = read_file(path);
    if (!text) return Failed{text.error()};
    sim::InputErrors errors;
    const auto broker = sim::read_broker_config(path, *text, errors);
    if (!errors.empty()) return Failed{to_string(errors.take().front())};
    config_.others = {.milliseconds = kafka_retention_ms, .bytes = -1};
    // The strongest of the keys that mean the same comes last.
    for (const auto& known : sim::topic_defaults()) {
      for (const auto& entry : broker.entries) {
        if (entry.key != known.broker_key) continue;
        if (!take(config_.others, known.topic_key, sim::in_topic_unit(entry.value, known))) return wrong(entry);
      }
    }
    return {};
  }

  Result<void, std::string> read_topics(const std::string& path) {
    const auto text = read_file(path);
    if (!text) return Failed{text.error()};
    sim::InputErrors errors;
    const auto topics = sim::read_topic_config(path, *text, errors);
    if (!errors.empty()) return Failed{to_string(errors.take().front())};
    for (const auto& topic : topics.topics) {
      // A text that names no topic is for all.
      auto& retention =
          topic.name.empty() ? config_.others : config_.topics.try_emplace(topic.name, config_.others).first->second;
      for (const auto& entry : topic.entries)
        if (!take(retention, entry.key, entry.value)) return wrong(entry);
    }
    return {};
  }

  ImportConfig config_;
};

}  // namespace

Result<ImportConfig, std::string> read_import_config(const sim::KafkaConfigFiles& files) {
  return ConfigReader{}.read(files);
}

}  // namespace reports
