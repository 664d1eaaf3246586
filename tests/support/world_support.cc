#include "tests/support/world_support.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "sim/faults/faults.h"
#include "sim/scenario/catalogue.h"

namespace tests {

namespace {

/// The plan alone; a scenario names it as plan.csv.
class OnePlan final : public sim::ScenarioFiles {
 public:
  explicit OnePlan(std::string text) : text_(std::move(text)) {}
  sim::Result<std::string, std::string> read(const std::string&) const override { return text_; }
  std::vector<std::string> names() const override { return {}; }
  std::optional<std::string> find(std::string_view) const override { return std::nullopt; }

 private:
  std::string text_;
};

Scenario unwrap(sim::Result<Scenario, std::vector<sim::InputError>> result) {
  if (!result) {
    for (const sim::InputError& error : result.error()) BOOST_TEST_MESSAGE(to_string(error));
    BOOST_FAIL("the scenario cannot be read: " << to_string(result.error().front()));
  }
  return std::move(*result);
}

std::string milliseconds(SimTime time) {
  const auto microseconds = time.time_since_epoch().count();
  if (microseconds % 1'000 == 0) return std::to_string(microseconds / 1'000);
  return fmt::format("{}.{:03}", microseconds / 1'000, microseconds % 1'000);
}

std::string_view short_name(model::RemoteLogSegmentState state) {
  switch (state) {
    case model::RemoteLogSegmentState::copy_segment_started:
      return "CS";
    case model::RemoteLogSegmentState::copy_segment_finished:
      return "CF";
    case model::RemoteLogSegmentState::delete_segment_started:
      return "DS";
    case model::RemoteLogSegmentState::delete_segment_finished:
      return "DF";
    case model::RemoteLogSegmentState::dangling:
      return "DANGLING";
  }
  return "?";
}

void add_line(std::string& lines, const std::string& line) {
  if (!lines.empty()) lines += ", ";
  lines += line;
}

}  // namespace

Scenario read_world(std::string_view ini, std::string_view plan, const std::vector<std::string>& sets) {
  const OnePlan files{"start,duration,kind,target,params\n" + std::string{plan}};
  std::vector<std::string> all = {"scenario.faults=plan.csv"};
  all.insert(all.end(), sets.begin(), sets.end());
  return unwrap(read_scenario_text("world.ini", ini, all, sim::fault_kinds(), files));
}

Scenario read_catalogue(std::string_view name, const std::vector<std::string>& sets) {
  const std::string path = fmt::format("{}/scenarios/{}.ini", FLOTSAM_SOURCE_DIR, name);
  return unwrap(read_scenario({path, sets}, sim::fault_kinds()));
}

sim::PolicyChoice policy_choice(std::string_view text, const Scenario& scenario) {
  auto choice = read_policy_choice(text, scenario);
  if (!choice) BOOST_FAIL(choice.error());
  return *choice;
}

std::vector<std::string_view> policy_names() {
  std::vector<std::string_view> names;
  for (const model::PolicyEntry& entry : model::policies()) names.push_back(entry.name);
  return names;
}

std::string two_brokers() {
  std::string ini{one_broker};
  const auto replace = [&](std::string_view from, std::string_view to) {
    ini.replace(ini.find(from), from.size(), to);
  };
  replace("brokers = 1", "brokers = 2");
  replace("partitions = 1", "partitions = 2");
  replace("initial.closed = 2", "initial.closed = 1");
  return ini + "remote.log.metadata.topic.num.partitions = 1\n";
}

TestWorld::TestWorld(std::string_view ini, std::string_view plan, const std::vector<std::string>& sets,
                     std::string_view policy, std::uint64_t seed)
    : TestWorld(read_world(ini, plan, sets), policy, seed) {}

TestWorld::TestWorld(Scenario read, std::string_view policy, std::uint64_t seed)
    : scenario(std::move(read)), world(scenario, policy_choice(policy, scenario), seed) {
  world.trace().add_observer(recorder);
  world.begin();
}

std::string TestWorld::sizes(std::uint32_t copy, StoredAs stored_as) const {
  std::string text;
  for (int i = 0; i < sim::object_kind_count; ++i) {
    const Bytes size = world.stored(world.segment(copy), static_cast<ObjectKind>(i), stored_as);
    text += fmt::format("{}{}", i > 0 ? " " : "", size);
  }
  return text;
}

std::uint64_t TestWorld::hits(std::uint32_t row) const {
  std::uint64_t hits = 0;
  for (const sim::FaultWindow& window : world.faults().windows()) hits += window.row == row ? window.hits : 0;
  return hits;
}

std::string TestWorld::transitions(std::uint32_t copy) const {
  std::string lines;
  for (const auto& [time, event] : all<sim::Transition>()) {
    if (event.segment->number != copy) continue;
    add_line(lines, fmt::format("{} {}{}", milliseconds(time), event.applied ? "" : "-", short_name(event.to)));
  }
  return lines;
}

std::string TestWorld::requests() const {
  std::string lines;
  for (const auto& [time, event] : all<sim::StoreRequestEnded>()) {
    add_line(lines, fmt::format("{} {} {}-{} {}", to_string(event.operation), to_string(event.object),
                                milliseconds(event.started), milliseconds(time), to_string(event.result)));
  }
  return lines;
}

std::string TestWorld::calls() const {
  std::string lines;
  for (const auto& [time, event] : all<sim::StorageCallEnded>()) {
    add_line(lines, fmt::format("{} {}-{} {}", to_string(event.operation), milliseconds(event.started),
                                milliseconds(time), to_string(event.result)));
  }
  return lines;
}

std::string TestWorld::publishes(BrokerId broker) const {
  std::string lines;
  for (const auto& [time, event] : all<sim::PublishEnded>()) {
    if (event.broker != broker) continue;
    add_line(lines, fmt::format("{} {}-{} {}", short_name(event.state), milliseconds(event.started), milliseconds(time),
                                to_string(event.result)));
  }
  return lines;
}

std::string TestWorld::rolls(PartitionNumber partition) const {
  std::string lines;
  for (const auto& [time, event] : all<sim::SegmentRolled>()) {
    if (event.partition != partition) continue;
    add_line(lines, fmt::format("{} {}-{} {}", milliseconds(time), event.base_offset, event.next_offset, event.size));
  }
  return lines;
}

std::string TestWorld::leaders(PartitionNumber partition) const {
  std::string lines;
  for (const auto& [time, event] : all<sim::LeaderChanged>()) {
    if (event.partition != partition) continue;
    add_line(lines, fmt::format("{} {}/{}", milliseconds(time), event.leader, event.epoch));
  }
  return lines;
}

std::string TestWorld::epochs(BrokerId broker, PartitionNumber partition) const {
  std::string text;
  for (const model::EpochEntry& entry : world.log(broker, partition).leader_epochs().entries()) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", entry.epoch, entry.start_offset);
  }
  return text;
}

std::int64_t TestWorld::log_end(BrokerId broker, PartitionNumber partition) const {
  return world.log(broker, partition).log_end_offset().value();
}

std::string TestWorld::cached(BrokerId broker, std::uint32_t copy) const {
  const auto& segment = world.segment(copy);
  const auto metadata = world.cache(broker, segment.partition).find(segment);
  return metadata ? std::string{short_name(metadata->state)} : std::string{};
}

std::string TestWorld::folded(std::uint32_t copy) const {
  const auto& segment = world.segment(copy);
  const auto metadata = world.folded(segment.partition).find(segment);
  return metadata ? std::string{short_name(metadata->state)} : std::string{};
}

Fingerprint fingerprint(const Scenario& scenario, std::string_view policy, std::uint64_t seed) {
  sim::World world{scenario, policy_choice(policy, scenario), seed};
  world.begin();
  world.run_until(world.end());
  return {world.trace().hash(), world.trace().record_count()};
}

std::string first_difference(const Scenario& a, const Scenario& b, std::string_view policy, std::uint64_t seed) {
  TestWorld one{a, policy, seed};
  TestWorld other{b, policy, seed};
  for (TestWorld* each : {&one, &other}) each->world.run_until(each->world.end());
  const std::size_t count = std::min(one.recorder.records.size(), other.recorder.records.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string left = describe(one.recorder.records[i]);
    const std::string right = describe(other.recorder.records[i]);
    if (left != right) return fmt::format("{}\n{}", left, right);
  }
  return one.recorder.records.size() == other.recorder.records.size() ? std::string{} : "one run ends earlier";
}

}  // namespace tests
