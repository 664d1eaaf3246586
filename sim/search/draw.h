// The random world of a seed: values for the keys of [chaos], a swarm of kinds of fault, a window and a target for
// each. What is drawn depends on the seed and on what it decides, never on the policy or on the other draws: all
// policies meet the same world.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/scenario/chaos.h"
#include "sim/scenario/scenario.h"

namespace sim {

class WorldDrawer {
 public:
  /// `base` is what `source` reads as; without a section [chaos] everything is drawn by its defaults. Errors name the
  /// section's keys.
  static Result<WorldDrawer, std::vector<InputError>> make(const ScenarioSource& source, const Scenario& base,
                                                           std::span<const FaultKindInfo> kinds,
                                                           const KnownNames& known);

  const ChaosOptions& options() const { return options_; }
  /// The whole scenario, as if all of it had been written down: its plan is the base's with the drawn faults, what must
  /// break under the base may break here, and asserts are gone. An error is one of the scenario's ranges.
  Result<Scenario, std::vector<InputError>> draw(std::uint64_t seed) const;

 private:
  WorldDrawer(ScenarioSource source, std::span<const FaultKindInfo> kinds, const KnownNames& known)
      : source_(std::move(source)), kinds_(kinds), known_(known) {}
  PlanRow draw_row(const FaultKindInfo& kind, const Scenario& scenario, Seed seed) const;
  std::string draw_target(const FaultKindInfo& kind, const Scenario& scenario, Seed seed) const;
  std::string draw_param(const FaultKindInfo& kind, const ParamInfo& param, Seed seed) const;
  /// What [chaos] says of a kind's parameter, or of that parameter of any kind; null when it says nothing.
  const DrawnKey* find_param(std::string_view kind, std::string_view param) const;
  /// What is wrong with one value, whichever seed draws it; each is tried alone.
  std::vector<InputError> check_values(const Scenario& base) const;
  void check_key(const DrawnKey& key, InputErrors& errors) const;
  void check_param(const DrawnKey& key, const Scenario& base, InputErrors& errors) const;
  void check_names(InputErrors& errors) const;
  void draw_faults(Scenario& scenario, Seed seed, std::vector<InputError>& errors) const;

  ScenarioSource source_;
  std::span<const FaultKindInfo> kinds_;
  KnownNames known_;
  ChaosOptions options_;
  /// Every file that the scenario is read from, so that one campaign reads one text.
  std::shared_ptr<const ScenarioFiles> files_;
  std::string path_;
  std::string text_;
};

}  // namespace sim
