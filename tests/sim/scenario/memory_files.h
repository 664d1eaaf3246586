#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace sim::scenario_test {

/// Files that exist in the test only; a name without a path stands for `NAME.ini`.
class MemoryFiles final : public ScenarioFiles {
 public:
  MemoryFiles() = default;
  explicit MemoryFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  Result<std::string, std::string> read(const std::string& path) const override {
    const auto found = files_.find(path);
    if (found == files_.end()) return Failed<std::string>{"no such file"};
    return found->second;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [path, text] : files_) {
      if (path.ends_with(".ini")) names.push_back(path.substr(0, path.size() - 4));
    }
    return names;
  }
  std::optional<std::string> find(std::string_view name) const override {
    const std::string path = std::string{name} + ".ini";
    return files_.contains(path) ? std::optional{path} : std::nullopt;
  }

 private:
  std::map<std::string, std::string> files_;
};

/// Four kinds that have all there is: a target of each sort, an instant, a probability, each type of parameter.
inline std::span<const FaultKindInfo> test_kinds() {
  using enum TargetKind;
  static constexpr std::array store_targets{store, all};
  static constexpr std::array broker_targets{broker, topic, partition, metadata, metadata_partition, metadata_of, all};
  static constexpr std::array link_targets{link, all};
  static constexpr std::array store_params{
      ParamInfo{"operations", ParamType::operations, "put+get+delete+list", "", "Which operations fail."},
      ParamInfo{"mode", ParamType::word, "reject", "reject|hang", "How."},
  };
  static constexpr std::array reject_params{
      ParamInfo{"probability", ParamType::ratio, "", "", "Of each request."},
      ParamInfo{"stored", ParamType::stored, "none", "", "What is stored before."},
      ParamInfo{"delay", ParamType::distribution, "0s", "", "How late."},
      ParamInfo{"rate", ParamType::rate, "0", "", "How fast."},
  };
  static constexpr std::array kinds{
      FaultKindInfo{"store-unavailable", "No answer.", false, false, store_targets, store_params},
      FaultKindInfo{"store-reject", "Some fail.", false, true, store_targets, reject_params},
      FaultKindInfo{"crash", "Down.", false, false, broker_targets, {}},
      FaultKindInfo{"partition", "Cut.", false, false, link_targets, {}},
      FaultKindInfo{"leader-move", "Moves.", true, false, broker_targets, {}},
  };
  return kinds;
}

inline const std::string minimal =
    "[scenario]\nduration = 2h\n[cluster]\nbrokers = 3\n[topic.orders]\npartitions = 4\n";

/// What reading `text` as world.ini gives.
inline Result<Scenario, std::vector<InputError>> read(std::string_view text, const std::vector<std::string>& sets = {},
                                                      const MemoryFiles& files = {}, const KnownNames& known = {}) {
  return read_scenario_text("world.ini", text, sets, test_kinds(), files, known);
}

/// The minimal world with this plan as plan.csv.
inline Result<Scenario, std::vector<InputError>> read_with_plan(const std::string& plan,
                                                                const std::vector<std::string>& sets = {},
                                                                const std::string& more = {}) {
  return read(
      "[scenario]\nfaults = plan.csv\nduration = 2h\n[cluster]\nbrokers = 3\n[topic.orders]\npartitions = 4\n" + more,
      sets, MemoryFiles{{{"plan.csv", plan}}});
}

inline const std::string header = "start,duration,kind,target,params\n";

/// All errors, one a line.
template <class Read>
std::string errors_of(const Read& result) {
  if (result) return "no error";
  std::string text;
  for (const InputError& error : result.error()) text += to_string(error) + "\n";
  return text;
}

/// Whether the errors hold every one of these texts.
template <class Read>
bool complains(const Read& result, const std::vector<std::string>& texts) {
  const std::string errors = errors_of(result);
  return std::all_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return errors.find(text) != std::string::npos; });
}

}  // namespace sim::scenario_test

/// Shows what was said instead.
#define CHECK_COMPLAINT(read, ...)                                                             \
  do {                                                                                         \
    const auto result_ = (read);                                                               \
    BOOST_TEST(complains(result_, std::vector<std::string>{__VA_ARGS__}), errors_of(result_)); \
  } while (false)
