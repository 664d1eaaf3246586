#include "sim/search/draw.h"

#include <algorithm>
#include <array>
#include <mutex>

#include <fmt/format.h>

#include "sim/scenario/catalogue.h"
#include "sim/scenario/layers.h"
#include "sim/scenario/names.h"
#include "sim/scenario/values.h"

namespace sim {

namespace {

/// Reads each file once, whoever asks.
class RememberedFiles final : public ScenarioFiles {
 public:
  Result<std::string, std::string> read(const std::string& path) const override {
    const std::lock_guard lock{mutex_};
    const auto found = texts_.find(path);
    if (found != texts_.end()) return found->second;
    auto text = files_.read(path);
    if (text) texts_.emplace(path, *text);
    return text;
  }
  std::vector<std::string> names() const override { return files_.names(); }
  std::optional<std::string> find(std::string_view name) const override { return files_.find(name); }

 private:
  CatalogueFiles files_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> texts_;
};

constexpr std::chrono::seconds pause_least = 1min;
constexpr std::chrono::seconds pause_most = 6min;

/// What a parameter may be when [chaos] says nothing: by its type, so that a new kind needs no word here.
std::vector<DrawnValue> values_of(const ParamInfo& param) {
  using Kind = DrawnValue::Kind;
  const auto text = [](std::string_view word) { return DrawnValue{Kind::text, std::string{word}, 0, 0}; };
  switch (param.type) {
    case ParamType::duration:
    case ParamType::distribution:
      return {{Kind::duration, {}, 1'000'000, 300'000'000}};
    case ParamType::ratio:
      if (param.name == "factor") return {{Kind::integer, {}, 2, 20}};
      return {{Kind::share, {}, 50, 500}, text("1")};
    case ParamType::bytes:
      return {{Kind::bytes, {}, 0, 4 << 20}};
    case ParamType::rate:
      return {{Kind::rate, {}, 64 << 10, 4 << 20}};
    case ParamType::integer:
      if (!param.default_text.empty()) return {text(param.default_text)};
      return {{Kind::integer, {}, 1, 20}};
    case ParamType::stored:
      return {text("none"), text("indexes"), text("producer-snapshot"), text("all")};
    case ParamType::word: {
      std::vector<DrawnValue> words;
      for (const std::string& word : split_list(param.words, "|")) words.push_back(text(word));
      return words.empty() ? std::vector{text(param.default_text)} : words;
    }
    case ParamType::operations:
      return {text("put"), text("delete"), text("put+delete"), text("list"), text(param.default_text)};
    case ParamType::topic_option:
      return {text(param.default_text)};
  }
  return {text(param.default_text)};
}

/// One value of a list, by its index.
template <class List>
const auto& one_of(const List& list, std::uint64_t keyed) {
  return list[static_cast<std::size_t>(uniform(keyed, 0, static_cast<std::int64_t>(std::size(list)) - 1))];
}

std::string broker_text(const Scenario& scenario, std::uint64_t keyed) {
  return fmt::format("broker:{}", uniform(keyed, 1, scenario.cluster.brokers));
}

/// `orders-3`.
std::string partition_text(const Scenario& scenario, std::uint64_t keyed) {
  const TopicScenario& topic = one_of(scenario.topics, keyed);
  return fmt::format("{}-{}", topic.name, uniform(mix(keyed), 0, topic.partitions - 1));
}

/// Two different ends, one direction or both.
std::string link_text(const Scenario& scenario, std::uint64_t keyed) {
  const std::string from = broker_text(scenario, keyed);
  std::string to = "store";
  if (scenario.cluster.brokers > 1 && mix(keyed) % 2 == 0) {
    const auto first = uniform(keyed, 1, scenario.cluster.brokers);
    to = fmt::format(
        "broker:{}",
        (first - 1 + uniform(mix(keyed + 1), 1, scenario.cluster.brokers - 1)) % scenario.cluster.brokers + 1);
  }
  constexpr std::array<std::string_view, 2> arrows{"<>", ">"};
  const bool backwards = mix(keyed + 2) % 3 == 0;
  return backwards ? fmt::format("{}>{}", to, from) : fmt::format("{}{}{}", from, one_of(arrows, mix(keyed + 3)), to);
}

std::string target_text(TargetKind kind, const Scenario& scenario, std::uint64_t keyed) {
  switch (kind) {
    case TargetKind::all:
      return "*";
    case TargetKind::broker:
      return broker_text(scenario, keyed);
    case TargetKind::topic:
      return fmt::format("topic:{}", one_of(scenario.topics, keyed).name);
    case TargetKind::partition:
      return fmt::format("partition:{}", partition_text(scenario, keyed));
    case TargetKind::store:
      return "store";
    case TargetKind::metadata:
      return "metadata";
    case TargetKind::metadata_partition:
    case TargetKind::metadata_of:
      // A partition by number is seldom one that is used.
      return fmt::format("metadata-of:{}", partition_text(scenario, keyed));
    case TargetKind::link:
      return link_text(scenario, keyed);
  }
  return "*";
}

std::vector<InputError> at_chaos(std::vector<InputError> errors, std::uint64_t seed) {
  for (InputError& error : errors) error.message = fmt::format("[chaos] draws with seed {}: {}", seed, error.message);
  return errors;
}

}  // namespace

Result<WorldDrawer, std::vector<InputError>> WorldDrawer::make(const ScenarioSource& source, const Scenario& base,
                                                               std::span<const FaultKindInfo> kinds,
                                                               const KnownNames& known) {
  WorldDrawer drawer{source, kinds, known};
  auto options = read_chaos(base.chaos, kinds);
  if (!options) return Failed{options.error()};
  drawer.options_ = std::move(*options);
  // What the base's own plan breaks is not drawn as well: two rows of one kind may contradict each other.
  for (const FaultRow& row : base.faults) std::erase(drawer.options_.kinds, row.kind);
  auto files = std::make_shared<RememberedFiles>();
  drawer.path_ = is_path(source.scenario) ? source.scenario : files->find(source.scenario).value_or(source.scenario);
  auto text = files->read(drawer.path_);
  if (!text) return Failed{std::vector{InputError{drawer.path_, 0, text.error()}}};
  drawer.text_ = std::move(*text);
  drawer.files_ = std::move(files);
  if (auto errors = drawer.check_values(base); !errors.empty()) return Failed{std::move(errors)};
  return drawer;
}

const DrawnKey* WorldDrawer::find_param(std::string_view kind, std::string_view param) const {
  const std::array names{fmt::format("{}.{}", kind, param), fmt::format("*.{}", param)};
  for (const std::string& name : names) {
    const auto found = std::find_if(options_.params.begin(), options_.params.end(),
                                    [&](const DrawnKey& key) { return key.name == name; });
    if (found != options_.params.end()) return &*found;
  }
  return nullptr;
}

std::string WorldDrawer::draw_param(const FaultKindInfo& kind, const ParamInfo& param, Seed seed) const {
  const std::uint64_t keyed = keyed_draw(seed, "chaos-param", hash_of(kind.name), hash_of(param.name));
  if (const DrawnKey* key = find_param(kind.name, param.name)) return key->draw(keyed);
  return DrawnKey{{}, values_of(param)}.draw(keyed);
}

std::string WorldDrawer::draw_target(const FaultKindInfo& kind, const Scenario& scenario, Seed seed) const {
  const std::uint64_t keyed = keyed_draw(seed, "chaos-target", hash_of(kind.name));
  if (const DrawnKey* key = find_param(kind.name, "target")) return key->draw(keyed);
  return target_text(one_of(kind.targets, keyed), scenario, mix(keyed));
}

PlanRow WorldDrawer::draw_row(const FaultKindInfo& kind, const Scenario& scenario, Seed seed) const {
  const std::uint64_t kind_hash = hash_of(kind.name);
  const KeyOrigin origin{fmt::format("drawn {}", kind.name), 0};
  const auto field = [&](std::string text) { return PlanField{std::move(text), origin}; };
  const Duration room = scenario.faults_end() - time_start;
  PlanRow row;
  row.origin = origin;
  row.kind = field(std::string{kind.name});
  row.target = field(draw_target(kind, scenario, seed));
  for (const ParamInfo& param : kind.params) {
    std::string value = draw_param(kind, param, seed);
    if (value != param.default_text) row.params.emplace_back(param.name, field(std::move(value)));
  }
  Duration length{0};
  if (!kind.instant) {
    const DrawnKey* own = find_param(kind.name, "duration");
    const std::uint64_t keyed = keyed_draw(seed, "chaos-window", kind_hash);
    const auto drawn = parse_duration(own != nullptr ? own->draw(keyed) : options_.window.draw(keyed));
    length = std::min(drawn ? *drawn : Duration{0}, room);
    row.duration = field(format_duration(length));
  }
  DrawnValue from{DrawnValue::Kind::duration, {}, 0, (room - length).count()};
  if (options_.from) {
    from.low = std::min(options_.from->low, from.high);
    from.high = std::min(options_.from->high, from.high);
  }
  // Whole seconds are easier to read, where there is room for them.
  constexpr std::int64_t second = 1'000'000;
  if (from.high >= from.low + 10 * second) {
    from.low = (from.low + second - 1) / second * second;
    from.high = from.high / second * second;
  }
  row.start = field(from.draw(keyed_draw(seed, "chaos-start", kind_hash)));
  if (!kind.instant && length > Duration{0} && chance(keyed_draw(seed, "chaos-repeat", kind_hash), options_.repeat)) {
    // A pause in which something can be done again, so that a window of seconds does not come a hundred times.
    const auto pause = uniform(keyed_draw(seed, "chaos-period", kind_hash), pause_least.count(), pause_most.count());
    row.every = field(format_duration(length + std::chrono::seconds{pause}));
  }
  return row;
}

void WorldDrawer::draw_faults(Scenario& scenario, Seed seed, std::vector<InputError>& errors) const {
  std::vector<std::pair<std::uint64_t, const FaultKindInfo*>> order;
  for (const FaultKindInfo& kind : kinds_) {
    if (std::find(options_.kinds.begin(), options_.kinds.end(), kind.name) == options_.kinds.end()) continue;
    order.emplace_back(keyed_draw(seed, "chaos-kind", hash_of(kind.name)), &kind);
  }
  std::sort(order.begin(), order.end());
  const auto wanted = uniform(keyed_draw(seed, "chaos-count"), options_.faults.low, options_.faults.high);
  order.resize(std::min(order.size(), static_cast<std::size_t>(wanted)));
  std::vector<PlanRow> rows;
  for (const auto& [drawn, kind] : order) rows.push_back(draw_row(*kind, scenario, seed));

  PlanWorld world{scenario.cluster.brokers, scenario.metadata.partitions, {}, scenario.faults_end()};
  for (const TopicScenario& topic : scenario.topics) world.topics.emplace_back(topic.name, topic.partitions);
  InputErrors wrong;
  for (FaultRow& row : check_plan_rows(rows, kinds_, world, wrong)) scenario.faults.push_back(std::move(row));
  errors = wrong.take();
}

Result<Scenario, std::vector<InputError>> WorldDrawer::draw(std::uint64_t number) const {
  const Seed seed{number};
  std::vector<std::string> sets = source_.sets;
  for (const DrawnKey& key : options_.keys) {
    sets.push_back(fmt::format("{}={}", key.name, key.draw(keyed_draw(seed, "chaos-key", hash_of(key.name)))));
  }
  auto scenario = read_scenario_text(path_, text_, sets, kinds_, *files_, known_, source_.configs);
  if (!scenario) return Failed{at_chaos(scenario.error(), number)};
  if (scenario->faults_end() <= time_start) {
    return Failed{
        at_chaos({{path_, 0,
                   fmt::format("scenario.duration {} leaves no time for faults before scenario.settle, {}",
                               format_duration(scenario->scenario.duration), format_duration(scenario->settle()))}},
                 number)};
  }
  std::vector<InputError> errors;
  draw_faults(*scenario, seed, errors);
  if (!errors.empty()) return Failed{at_chaos(std::move(errors), number)};
  scenario->changed = true;
  scenario->chaos.clear();
  for (auto& [policy, expectation] : scenario->expectations) {
    auto& may_break = expectation.may_break;
    may_break.insert(may_break.end(), expectation.must_break.begin(), expectation.must_break.end());
    expectation.must_break.clear();
    expectation.asserts.clear();
  }
  scenario->text = print_scenario(*scenario);
  scenario->plan_text = print_plan(scenario->faults);
  return scenario;
}

}  // namespace sim
