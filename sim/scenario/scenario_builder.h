#pragma once

#include <string>
#include <vector>

#include "sim/scenario/layers.h"
#include "sim/scenario/option_values.h"
#include "sim/scenario/scenario.h"

namespace sim {

/// Makes a Scenario of the keys in the layers, section by section, and collects what is wrong and what is worth a note.
class ScenarioBuilder {
 public:
  ScenarioBuilder(const Layers& layers, std::span<const FaultKindInfo> kinds, const ScenarioFiles& files,
                  const KnownNames& known, InputErrors& errors)
      : layers_(layers), kinds_(kinds), files_(files), known_(known), errors_(errors) {}

  Scenario build(const std::string& name);

 private:
  // scenario_sections.cc: one section each.
  void check_sections();
  void read_plain_sections();
  void read_brokers();
  void read_broker_keys(const std::string& section, BrokerOptions& broker);
  void read_topics();
  void read_topic(const std::string& name, const TopicScenario& defaults);
  TopicScenario read_topic_defaults();
  void read_policy_options();
  void read_expectations();
  void read_expectation(const IniEntry& entry, Expectation& expectation);
  void check_assert(const IniEntry& entry, const std::string& text);

  // scenario_check.cc: what no single key can say.
  void check_scenario();
  void check_topic(const TopicScenario& topic);
  void check_local_retention(const TopicScenario& topic);
  void check_initial_keys(const TopicScenario& topic);
  void read_initial_files();
  void note_partial_copies(const InitialFile& file);
  void check_metadata();
  void read_faults();
  void read_plan_section(std::vector<PlanRow>& rows);
  void override_faults(std::vector<PlanRow>& rows);
  void check_duration();

  template <class Options>
  void read_section(const std::string& section, Options& options) {
    for (const IniEntry& entry : layers_.entries()) {
      if (entry.section == section && !entry.key.empty()) read_key(entry, options);
    }
  }

  template <class Options>
  void read_key(const IniEntry& entry, Options& options) {
    const SetOutcome outcome = set_option(options, entry.key, entry.value);
    if (!outcome.known) return unknown_key(entry, option_names<Options>());
    if (outcome.error) add_error(entry, *outcome.error);
  }

  void add_error(const IniEntry& entry, std::string_view message);
  void unknown_key(const IniEntry& entry, std::vector<std::string> names);
  void note(const IniEntry& entry);

  const Layers& layers_;
  std::span<const FaultKindInfo> kinds_;
  const ScenarioFiles& files_;
  const KnownNames& known_;
  InputErrors& errors_;
  Scenario scenario_;
};

}  // namespace sim
