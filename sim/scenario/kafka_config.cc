#include "sim/scenario/kafka_config.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "sim/scenario/kafka_names.h"
#include "sim/scenario/layers.h"
#include "sim/scenario/option_values.h"

namespace sim {

namespace {

/// One setting before anybody has judged it.
struct Setting {
  std::string key;
  std::string value;
  KeyOrigin origin;
};

bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\f'; }

/// A backslash stands for the letter after it.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

/// `key=value`, `key: value` or `key value`, as java.util.Properties takes them.
Setting split_property(std::string_view line, const KeyOrigin& origin) {
  std::size_t end = 0;
  while (end < line.size() && line[end] != '=' && line[end] != ':' && !is_blank(line[end])) {
    end += line[end] == '\\' ? 2 : 1;
  }
  end = std::min(end, line.size());
  std::string_view rest = trimmed(line.substr(end));
  if (rest.starts_with('=') || rest.starts_with(':')) rest = trimmed(rest.substr(1));
  return {unescaped(line.substr(0, end)), unescaped(rest), origin};
}

bool is_continued(std::string_view line) {
  std::size_t count = 0;
  while (count < line.size() && line[line.size() - 1 - count] == '\\') ++count;
  return count % 2 == 1;
}

std::vector<Setting> read_properties(const std::string& file, std::string_view text, InputErrors& errors) {
  std::vector<Setting> settings;
  std::string joined;
  KeyOrigin origin;
  for_each_line(file, text, errors, [&](std::string_view whole, int number) {
    std::string_view line = trimmed(whole);
    if (joined.empty()) {
      if (line.empty() || line.starts_with('#') || line.starts_with('!')) return;
      origin = {file, number};
    }
    const bool goes_on = is_continued(line);
    if (goes_on) line.remove_suffix(1);
    joined += line;
    if (goes_on) return;
    settings.push_back(split_property(joined, origin));
    joined.clear();
  });
  if (!joined.empty()) settings.push_back(split_property(joined, origin));
  return settings;
}

/// `key=value sensitive=false synonyms={...}`; nothing for what no such line is, or has no value.
std::optional<Setting> read_describe_line(std::string_view line, const KeyOrigin& origin) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  const std::string_view key = line.substr(0, equals);
  if (std::any_of(key.begin(), key.end(), is_blank)) return std::nullopt;
  return Setting{std::string{key}, std::string{trimmed(without_describe_tail(line.substr(equals + 1)))}, origin};
}

/// `a=b,c=d,e` is a=b and c=d,e: a value may hold commas.
std::vector<Setting> read_joined(std::string_view text, const KeyOrigin& origin) {
  std::vector<Setting> settings;
  for (const std::string& part : split_list(text, ",")) {
    if (auto setting = read_describe_line(part, origin)) {
      settings.push_back(std::move(*setting));
    } else if (!settings.empty()) {
      settings.back().value += "," + part;
    }
  }
  return settings;
}

/// `Dynamic configs for topic NAME are:` and what follows it on the line; nothing for other lines.
struct Heading {
  std::string name;
  std::string_view rest;
};
std::optional<Heading> read_heading(std::string_view line, std::string_view entity) {
  const std::string before = fmt::format("onfigs for {} ", entity);
  const std::size_t at = line.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(at + before.size());
  const std::size_t end = std::min(rest.find(" are"), rest.size());
  std::string_view name = trimmed(rest.substr(0, end));
  if (name.size() >= 2 && name.front() == '\'' && name.back() == '\'') name = name.substr(1, name.size() - 2);
  std::string_view after = rest.substr(std::min(end + 4, rest.size()));
  if (after.starts_with(':')) after.remove_prefix(1);
  return Heading{std::string{name}, trimmed(after)};
}

/// Whether this is a line of the tools' own log.
bool is_noise(std::string_view line) { return line.empty() || line.starts_with('[') || line.starts_with('#'); }

/// Sorts settings into entries, notes and errors.
class Judge {
 public:
  Judge(InputErrors& errors, std::vector<std::string>& notes) : errors_(errors), notes_(notes) {}

  void judge_topic(const Setting& setting, const std::string& section, std::vector<IniEntry>& entries) {
    if (setting.value == "null") return;
    if (is_kafka_key_without_effect(setting.key)) return note(setting);
    IniEntry entry{section, setting.key, setting.value, setting.origin};
    TopicOptions options;
    take(std::move(entry), set_option(options, setting.key, setting.value), option_names<TopicOptions>(), entries);
  }

  void judge_broker(const Setting& setting, std::vector<IniEntry>& entries) {
    if (setting.value == "null") return;
    IniEntry entry{"broker", setting.key, setting.value, setting.origin};
    normalise(entry);
    if (entry.key == "default.replication.factor") {
      notes_.push_back(at(setting) + "the scenario says how many replicas there are");
    } else if (is_kafka_key_without_effect(entry.key)) {
      note(setting);
    } else {
      const SetOutcome outcome = set_broker_key(entry);
      take(std::move(entry), outcome, broker_names(), entries);
    }
  }

 private:
  static std::string at(const Setting& setting) {
    return fmt::format("{}:{}: {}: ", setting.origin.file, setting.origin.line, setting.key);
  }

  void note(const Setting& setting) {
    notes_.push_back(
        fmt::format("{}:{}: Kafka's '{}' has no effect here", setting.origin.file, setting.origin.line, setting.key));
  }

  static SetOutcome set_broker_key(const IniEntry& entry) {
    if (entry.section == "cluster") {
      ClusterOptions options;
      return set_option(options, entry.key, entry.value);
    }
    if (entry.section == "metadata") {
      MetadataOptions options;
      return set_option(options, entry.key, entry.value);
    }
    for (const TopicDefault& known : topic_defaults()) {
      if (known.broker_key != entry.key) continue;
      TopicScenario topic;
      return set_option(topic, known.topic_key, in_topic_unit(entry.value, known));
    }
    RemoteLogManagerOptions options;
    return set_option(options, entry.key, entry.value);
  }

  static std::vector<std::string> broker_names() {
    auto names = option_names<RemoteLogManagerOptions>();
    for (const TopicDefault& known : topic_defaults()) names.emplace_back(known.broker_key);
    return names;
  }

  void take(IniEntry entry, const SetOutcome& outcome, std::vector<std::string> names, std::vector<IniEntry>& entries) {
    if (!outcome.known) {
      for (const std::string_view name : kafka_keys_without_effect()) names.emplace_back(name);
      const std::string nearest = nearest_name(entry.key, names);
      return errors_.add(entry.origin,
                         fmt::format("unknown key {}{}", quoted(entry.key),
                                     nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
    }
    if (outcome.error) return errors_.add(entry.origin, fmt::format("{}: {}", entry.key, *outcome.error));
    entries.push_back(std::move(entry));
  }

  InputErrors& errors_;
  std::vector<std::string>& notes_;
};

/// The settings of each broker that the output names, in its order.
std::vector<Setting> read_described_brokers(const std::string& file, std::string_view text, InputErrors& errors,
                                            std::vector<std::string>& notes) {
  std::vector<Setting> settings;
  std::string first;
  std::string current;
  std::map<std::string, std::string> values;
  for_each_line(file, text, errors, [&](std::string_view whole, int number) {
    const std::string_view line = trimmed(whole);
    const KeyOrigin origin{file, number};
    if (is_noise(line)) return;
    auto heading = read_heading(line, "broker");
    if (!heading) heading = read_heading(line, "brokers");
    if (heading) {
      current = heading->name;
      if (settings.empty()) first = current;
      return;
    }
    auto setting = read_describe_line(line, origin);
    if (!setting) return errors.add(origin, fmt::format("neither a heading nor key=value: {}", quoted(line)));
    if (current == first) {
      values[setting->key] = setting->value;
      settings.push_back(std::move(*setting));
    } else if (const auto same = values.find(setting->key); same == values.end() || same->second != setting->value) {
      notes.push_back(fmt::format("{}:{}: broker {} has {} = {}, and broker {} counts", file, number, current,
                                  setting->key, setting->value, first));
    }
  });
  return settings;
}

/// The word after `label` in a line of kafka-topics.
std::string_view field_of(std::string_view line, std::string_view label) {
  const std::size_t found = line.find(label);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = trimmed(line.substr(found + label.size()));
  const auto* const end = std::find_if(rest.begin(), rest.end(), is_blank);
  return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
}

std::optional<std::int32_t> count_of(std::string_view line, std::string_view label) {
  const auto count = parse_integer(field_of(line, label));
  if (!count || *count < 1 || *count > 1'000'000) return std::nullopt;
  return static_cast<std::int32_t>(*count);
}

class TopicReader {
 public:
  TopicReader(const std::string& file, InputErrors& errors)
      : file_(file), errors_(errors), judge_(errors, configs_.notes) {}

  TopicConfigs read(std::string_view text) {
    for_each_line(file_, text, errors_, [&](std::string_view line, int number) {
      origin_ = {file_, number};
      read_line(trimmed(line));
    });
    return std::move(configs_);
  }

 private:
  void read_line(std::string_view line) {
    if (is_noise(line)) return;
    if (const auto heading = read_heading(line, "topic")) {
      begin(heading->name);
      return take(read_joined(heading->rest, origin_));
    }
    if (line.starts_with("Topic:")) return read_topics_line(line);
    const auto setting = read_describe_line(line, origin_);
    if (!setting) {
      return errors_.add(origin_, fmt::format("neither a heading, a topic nor key=value: {}", quoted(line)));
    }
    if (current_ == nullptr) begin({});
    take({*setting});
  }

  /// Of kafka-topics: a topic, or one of its partitions.
  void read_topics_line(std::string_view line) {
    const auto partitions = count_of(line, "PartitionCount:");
    if (!partitions) return;
    begin(std::string{field_of(line, "Topic:")});
    current_->partitions = partitions;
    current_->replication_factor = count_of(line, "ReplicationFactor:");
    constexpr std::string_view label = "Configs:";
    if (const std::size_t at = line.find(label); at != std::string_view::npos) {
      take(read_joined(line.substr(at + label.size()), origin_));
    }
  }

  /// What follows is of this topic.
  void begin(const std::string& name) {
    auto& topics = configs_.topics;
    auto known =
        std::find_if(topics.begin(), topics.end(), [&](const TopicConfig& topic) { return topic.name == name; });
    if (known == topics.end()) {
      topics.push_back({name, origin_, {}, {}, {}});
      known = topics.end() - 1;
    }
    current_ = &*known;
  }

  void take(const std::vector<Setting>& settings) {
    for (const Setting& setting : settings) judge_.judge_topic(setting, "topic." + current_->name, current_->entries);
  }

  const std::string& file_;
  InputErrors& errors_;
  TopicConfigs configs_;
  Judge judge_;
  KeyOrigin origin_;
  TopicConfig* current_ = nullptr;
};

}  // namespace

BrokerConfig read_broker_config(const std::string& file, std::string_view text, InputErrors& errors) {
  BrokerConfig config;
  const bool is_described = text.find("onfigs for broker") != std::string_view::npos;
  const std::vector<Setting> settings =
      is_described ? read_described_brokers(file, text, errors, config.notes) : read_properties(file, text, errors);
  Judge judge{errors, config.notes};
  for (const Setting& setting : settings) judge.judge_broker(setting, config.entries);
  return config;
}

TopicConfigs read_topic_config(const std::string& file, std::string_view text, InputErrors& errors) {
  TopicReader reader{file, errors};
  return reader.read(text);
}

}  // namespace sim
