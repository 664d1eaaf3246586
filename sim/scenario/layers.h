#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/ini.h"
#include "sim/scenario/scenario.h"

namespace sim {

/// A section's sort and name: `topic.my.orders` is topic and my.orders, `store` has no name.
struct SectionName {
  std::string_view kind;
  std::string_view name;
};
SectionName split_section(std::string_view section);

/// The path of a file that `from` names: relative to the folder of `from`; what a --set names is relative to the
/// working folder.
std::string resolve_path(const std::string& from, const std::string& path);

/// Gives a pasted Kafka line the form and the section that the rows know.
void normalise(IniEntry& entry);

/// Whether a scenario is named by its path.
bool is_path(std::string_view scenario);

/// A scenario's keys with its bases below it and the sets on top: of each key the last one said, variables replaced.
class Layers {
 public:
  /// `file` is where `text` comes from. The cluster's configuration lies between it and the sets.
  static Layers read(const std::string& file, std::string_view text, const std::vector<std::string>& sets,
                     const KafkaConfigFiles& configs, const ScenarioFiles& files, InputErrors& errors);

  /// In the order in which keys were first said, bases first. Entries without a key are section headers.
  const std::vector<IniEntry>& entries() const { return entries_; }
  const IniEntry* find(std::string_view section, std::string_view key) const;
  /// Where the key stands, else its section's header, else the file.
  KeyOrigin origin_of(std::string_view section, std::string_view key) const;
  /// Names of the sections of this kind, in order.
  std::vector<std::string> names_of(std::string_view kind) const;
  const std::map<std::string, std::string>& vars() const { return vars_; }
  /// What of the cluster's configuration is left out.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  friend class LayerReader;
  void put(IniEntry entry);

  std::string file_;
  std::vector<IniEntry> entries_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
  std::map<std::string, std::string> vars_;
  std::vector<std::string> notes_;
};

/// Removes the longest of `names` that is followed by a dot from the front of `path`; empty when none is there.
std::string take_longest_name(std::string_view& path, const std::vector<std::string>& names);

}  // namespace sim
