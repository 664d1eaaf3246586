#include "sim/scenario/layers.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/policy.h"
#include "sim/scenario/kafka_config.h"
#include "sim/scenario/kafka_names.h"
#include "sim/scenario/vars.h"

namespace sim {

namespace {

constexpr std::size_t bases_max = 32;

// Settings of the cluster and of the metadata topic that Kafka keeps in server.properties.
struct Redirect {
  std::string_view key;
  std::string_view section;
};
constexpr Redirect redirects[]{
    {"auto.leader.rebalance.enable", "cluster"},
    {"leader.imbalance.check.interval.seconds", "cluster"},
    {"remote.log.metadata.topic.num.partitions", "metadata"},
    {"remote.log.metadata.topic.replication.factor", "metadata"},
};

/// Settings of the metadata manager that each broker has for itself.
constexpr std::string_view of_each_broker[]{
    "remote.log.metadata.consume.wait.ms",
    "remote.log.metadata.initialization.retry.interval.ms",
    "remote.log.metadata.initialization.retry.max.timeout.ms",
};

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const PolicyEntry& policy : policies()) names.emplace_back(policy.name);
  return names;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

void normalise(IniEntry& entry) {
  const std::string_view kind = split_section(entry.section).kind;
  if (kind != "broker" && kind != "topic" && kind != "metadata") return;
  entry.value = trimmed(without_describe_tail(entry.value));
  entry.key = std::string{without_metadata_prefix(entry.key)};
  for (const Redirect& redirect : redirects) {
    if (entry.section == "broker" && entry.key == redirect.key) entry.section = redirect.section;
  }
  const bool is_of_each_broker =
      std::find(std::begin(of_each_broker), std::end(of_each_broker), entry.key) != std::end(of_each_broker);
  if (kind == "metadata" && is_of_each_broker) entry.section = "broker";
}

SectionName split_section(std::string_view section) {
  const std::size_t dot = section.find('.');
  if (dot == std::string_view::npos) return {section, {}};
  return {section.substr(0, dot), section.substr(dot + 1)};
}

std::string resolve_path(const std::string& from, const std::string& path) {
  constexpr std::string_view embedded = "embedded:";
  if (path.starts_with('/') || path.starts_with(embedded)) return path;
  std::size_t length = from.rfind('/') + 1;  // 0 when there is none.
  if (length == 0 && from.starts_with(embedded)) length = embedded.size();
  return from.substr(0, length) + path;
}

bool is_path(std::string_view scenario) {
  return scenario.find('/') != std::string_view::npos || scenario.ends_with(".ini");
}

std::string take_longest_name(std::string_view& path, const std::vector<std::string>& names) {
  std::string longest;
  for (const std::string& name : names) {
    const bool fits = path.size() > name.size() + 1 && path.starts_with(name) && path[name.size()] == '.';
    if (fits && name.size() > longest.size()) longest = name;
  }
  if (!longest.empty()) path.remove_prefix(longest.size() + 1);
  return longest;
}

void Layers::put(IniEntry entry) {
  const auto [at, is_new] = index_.try_emplace({entry.section, entry.key}, entries_.size());
  if (is_new) {
    entries_.push_back(std::move(entry));
  } else if (!entry.key.empty()) {
    entries_[at->second] = std::move(entry);
  }
}

const IniEntry* Layers::find(std::string_view section, std::string_view key) const {
  const auto found = index_.find({std::string{section}, std::string{key}});
  return found == index_.end() ? nullptr : &entries_[found->second];
}

KeyOrigin Layers::origin_of(std::string_view section, std::string_view key) const {
  if (const IniEntry* entry = find(section, key)) return entry->origin;
  if (const IniEntry* header = find(section, {})) return header->origin;
  return {file_, 0};
}

std::vector<std::string> Layers::names_of(std::string_view kind) const {
  std::vector<std::string> names;
  for (const IniEntry& entry : entries_) {
    const SectionName section = split_section(entry.section);
    if (section.kind != kind || section.name.empty()) continue;
    if (std::find(names.begin(), names.end(), section.name) == names.end()) names.emplace_back(section.name);
  }
  return names;
}

/// Reads the files from the lowest base up, then the sets.
class LayerReader {
 public:
  LayerReader(const ScenarioFiles& files, InputErrors& errors) : files_(files), errors_(errors) {}

  Layers read(const std::string& file, std::string_view text, const std::vector<std::string>& sets,
              const KafkaConfigFiles& configs) {
    layers_.file_ = file;
    split_sets(sets);
    read_file(file, text);
    for (const std::string& path : configs.broker) read_broker_file(path);
    for (const std::string& path : configs.topic) read_topic_file(path);
    for (const auto& [path, value] : sets_) put_set(path, value);
    read_vars();
    return std::move(layers_);
  }

 private:
  struct Set {
    std::string path;
    std::string value;
  };

  void split_sets(const std::vector<std::string>& sets) {
    for (const std::string& set : sets) {
      const std::size_t equals = set.find('=');
      if (equals == std::string::npos) {
        errors_.add(set_origin, fmt::format("{}: write SECTION.KEY=VALUE", quoted(set)));
        continue;
      }
      const std::string value{trimmed(std::string_view{set}.substr(equals + 1))};
      const auto is_bad = [](char letter) {
        return static_cast<unsigned char>(letter) < 0x20 || letter == '#' || letter == 0x7f;
      };
      if (std::any_of(value.begin(), value.end(), is_bad)) {
        errors_.add(set_origin, fmt::format("{}: a value holds neither '#' nor control characters", quoted(set)));
        continue;
      }
      sets_.push_back({std::string{trimmed(std::string_view{set}.substr(0, equals))}, value});
    }
  }

  void read_file(const std::string& file, std::string_view text) {
    if (std::find(stack_.begin(), stack_.end(), file) != stack_.end()) {
      return errors_.add(base_origin_, fmt::format("base: {} inherits itself", quoted(file)));
    }
    if (stack_.size() >= bases_max)
      return errors_.add(base_origin_, fmt::format("base: more than {} levels", bases_max));
    std::vector<IniEntry> entries = read_ini(file, text, errors_);
    std::map<std::pair<std::string, std::string>, int> lines;
    const IniEntry* base = nullptr;
    for (IniEntry& entry : entries) {
      normalise(entry);
      if (entry.key.empty()) continue;
      const auto [first, is_new] = lines.try_emplace({entry.section, entry.key}, entry.origin.line);
      if (!is_new) {
        errors_.add(entry.origin, fmt::format("key {} of [{}] stands in line {} too", quoted(entry.key), entry.section,
                                              first->second));
      }
      if (entry.section == "scenario" && entry.key == "base") base = &entry;
    }
    stack_.push_back(file);
    if (const auto set =
            std::find_if(sets_.begin(), sets_.end(), [](const Set& s) { return s.path == "scenario.base"; });
        stack_.size() == 1 && set != sets_.end()) {
      read_base(set->value, set_origin);
    } else if (base != nullptr) {
      read_base(base->value, base->origin);
    }
    stack_.pop_back();
    const bool is_base = !stack_.empty();
    for (IniEntry& entry : entries) {
      // What only the scenario itself has is not inherited.
      const bool is_own = entry.section == "scenario" && (entry.key == "base" || (is_base && entry.key == "name"));
      if (!is_own) layers_.put(std::move(entry));
    }
  }

  void read_base(const std::string& name, const KeyOrigin& origin) {
    if (name.empty()) return;
    std::string path;
    if (is_path(name)) {
      path = resolve_path(origin.file, name);
    } else if (const auto found = files_.find(name)) {
      path = *found;
    } else {
      return errors_.add(origin,
                         fmt::format("base: unknown scenario {}{}", quoted(name), suggestion(name, files_.names())));
    }
    const auto text = files_.read(path);
    if (!text) return errors_.add(origin, fmt::format("base: {}: {}", quoted(path), text.error()));
    base_origin_ = origin;
    read_file(path, *text);
  }

  void read_broker_file(const std::string& path) {
    const auto text = files_.read(path);
    if (!text) return errors_.add({"--broker-config", 0}, fmt::format("{}: {}", quoted(path), text.error()));
    BrokerConfig config = read_broker_config(path, *text, errors_);
    for (IniEntry& entry : config.entries) layers_.put(std::move(entry));
    append_notes(config.notes);
  }

  void read_topic_file(const std::string& path) {
    const auto text = files_.read(path);
    if (!text) return errors_.add({"--topic-config", 0}, fmt::format("{}: {}", quoted(path), text.error()));
    TopicConfigs configs = read_topic_config(path, *text, errors_);
    append_notes(configs.notes);
    const std::vector<std::string> names = layers_.names_of("topic");
    // Where there is one of each, it is that one, whatever its owner calls it.
    const bool is_only_one = names.size() == 1 && configs.topics.size() == 1;
    bool fits = configs.topics.empty();
    for (TopicConfig& topic : configs.topics) {
      const bool is_known = std::find(names.begin(), names.end(), topic.name) != names.end();
      fits |= is_known || is_only_one;
      if (!is_known && !is_only_one) continue;
      for (IniEntry& entry : topic.entries) {
        if (is_only_one) entry.section = "topic." + names.front();
        layers_.put(std::move(entry));
      }
    }
    if (!fits) {
      const TopicConfig& first = configs.topics.front();
      return errors_.add(first.origin, fmt::format("the scenario has no topic {}{}", quoted(first.name),
                                                   suggestion(first.name, names)));
    }
    note_left_out(configs, names);
  }

  void note_left_out(const TopicConfigs& configs, const std::vector<std::string>& names) {
    for (const TopicConfig& topic : configs.topics) {
      const bool is_known = std::find(names.begin(), names.end(), topic.name) != names.end();
      const std::string place = fmt::format("{}:{}: ", topic.origin.file, topic.origin.line);
      if (!is_known && configs.topics.size() > 1) {
        layers_.notes_.push_back(fmt::format("{}topic {} is not in the scenario", place, quoted(topic.name)));
      } else if (!is_known) {
        layers_.notes_.push_back(fmt::format("{}{} stands for the scenario's only topic, {}", place,
                                             topic.name.empty() ? "the file" : quoted(topic.name), names.front()));
      }
      if (is_known && topic.partitions) {
        layers_.notes_.push_back(
            fmt::format("{}the scenario says how many partitions and replicas {} has", place, topic.name));
      }
    }
  }

  void append_notes(std::vector<std::string>& notes) {
    for (std::string& note : notes) layers_.notes_.push_back(std::move(note));
  }

  // `topic.my.orders.retention.ms`: which section, which key?
  void put_set(std::string_view path, const std::string& value) {
    if (path == "scenario.base") return;
    const auto [kind, rest] = split_section(path);
    if (rest.empty()) return errors_.add(set_origin, fmt::format("{}: write SECTION.KEY=VALUE", quoted(path)));
    std::string section{kind};
    std::string_view key = rest;
    if (kind == "topic" || kind == "policy" || kind == "expect") {
      const auto names = kind == "topic" ? layers_.names_of(kind) : policy_names();
      const std::string name = take_longest_name(key, names);
      if (name.empty()) return errors_.add(set_origin, unknown_name(path, kind, rest, names));
      section += "." + name;
    } else if (kind == "broker" && is_number(split_section(rest).kind)) {
      const auto [id, broker_key] = split_section(rest);
      section += fmt::format(".{}", id);
      key = broker_key;
    } else if (kind == "vars" && layers_.find(kind, key) == nullptr) {
      std::vector<std::string> names;
      for (const IniEntry& entry : layers_.entries()) {
        if (entry.section == kind && !entry.key.empty()) names.push_back(entry.key);
      }
      return errors_.add(set_origin,
                         fmt::format("{}: unknown variable {}{}", quoted(path), quoted(key), suggestion(key, names)));
    }
    IniEntry entry{section, std::string{key}, value, set_origin};
    if (entry.key.empty()) return errors_.add(set_origin, fmt::format("{}: write SECTION.KEY=VALUE", quoted(path)));
    normalise(entry);
    layers_.put(std::move(entry));
  }

  static std::string unknown_name(std::string_view path, std::string_view kind, std::string_view rest,
                                  const std::vector<std::string>& names) {
    const std::string_view what = kind == "topic" ? "topic" : "policy";
    std::string hint;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos && hint.empty();
         dot = rest.find('.', dot + 1)) {
      hint = nearest_name(rest.substr(0, dot), names);
    }
    const std::string_view first = rest.substr(0, rest.find('.'));
    const std::string tail = hint.empty() ? suggestion(first, names) : fmt::format(" (did you mean '{}'?)", hint);
    return fmt::format("{}: unknown {} {}{}", quoted(path), what, quoted(first), tail);
  }

  void read_vars() {
    for (const IniEntry& entry : layers_.entries_) {
      if (entry.section != "vars" || entry.key.empty()) continue;
      if (!is_plain_name(entry.key)) {
        errors_.add(entry.origin,
                    fmt::format("variable {}: letters, digits, '.', '_' and '-' only", quoted(entry.key)));
      } else if (entry.value.find("${") != std::string::npos) {
        errors_.add(entry.origin, fmt::format("variable {} names another variable", quoted(entry.key)));
      } else {
        layers_.vars_[entry.key] = entry.value;
      }
    }
    for (IniEntry& entry : layers_.entries_) {
      if (entry.section == "vars") continue;
      if (const auto value = substitute(entry.value, layers_.vars_)) {
        entry.value = trimmed(*value);
      } else {
        errors_.add(entry.origin, fmt::format("{}: {}", entry.key, value.error()));
      }
    }
  }

  inline static const KeyOrigin set_origin{"--set", 0};

  const ScenarioFiles& files_;
  InputErrors& errors_;
  std::vector<Set> sets_;
  std::vector<std::string> stack_;
  KeyOrigin base_origin_;
  Layers layers_;
};

Layers Layers::read(const std::string& file, std::string_view text, const std::vector<std::string>& sets,
                    const KafkaConfigFiles& configs, const ScenarioFiles& files, InputErrors& errors) {
  LayerReader reader{files, errors};
  return reader.read(file, text, sets, configs);
}

}  // namespace sim
