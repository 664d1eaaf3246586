#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/chaos.h"
#include "sim/scenario/scenario_builder.h"

namespace sim {

namespace {

constexpr std::int64_t partitions_max = 10'000'000;

// Of the log itself, where an epoch that begins where the next one does has written nothing.
std::optional<std::string> log_epochs_error(std::string_view text) {
  const auto entries = parse_epochs(text);
  if (!entries) return entries.error();
  const auto same_start = [](const EpochEntry& a, const EpochEntry& b) { return a.start_offset == b.start_offset; };
  const auto second = std::adjacent_find(entries->begin(), entries->end(), same_start);
  if (second == entries->end()) return std::nullopt;
  return fmt::format("'{}={}': epochs and their starts must rise", (second + 1)->epoch, (second + 1)->start_offset);
}

}  // namespace

void ScenarioBuilder::check_scenario() {
  const auto& options = scenario_.scenario;
  const auto must_stand = [&](std::string_view section, std::string_view key) {
    if (layers_.find(section, key) != nullptr) return;
    errors_.add(layers_.origin_of(section, {}), fmt::format("[{}] {} is missing", section, key));
  };
  must_stand("scenario", "duration");
  must_stand("cluster", "brokers");
  if (scenario_.topics.empty())
    errors_.add(layers_.origin_of({}, {}), "no topic: one section [topic.NAME] with partitions is needed");
  if (const auto instant = parse_instant(options.start); !instant) {
    errors_.add(layers_.origin_of("scenario", "start"), fmt::format("[scenario] start: {}", instant.error()));
  }
  if (scenario_.remedies.scrubber_requests == 1) {
    errors_.add(layers_.origin_of("remedies", "scrubber.requests"),
                "[remedies] scrubber.requests: 1 is too few: a scrub needs a listing before it can delete");
  }
  if (const auto choices = read_policy_choices({}, scenario_); !choices) {
    errors_.add(layers_.origin_of("scenario", "policies"), fmt::format("[scenario] policies: {}", choices.error()));
  }
  if (layers_.find("cluster", "brokers") == nullptr || scenario_.cluster.brokers == 0) return;
  std::int64_t partitions = 0;
  for (TopicScenario& topic : scenario_.topics) {
    if (topic.replication_factor == 0) topic.replication_factor = std::min(scenario_.cluster.brokers, 3);
    check_topic(topic);
    partitions += topic.partitions;
  }
  if (partitions > partitions_max) {
    errors_.add(layers_.origin_of({}, {}), fmt::format("{} partitions in all: at most {}", partitions, partitions_max));
  }
  check_metadata();
}

void ScenarioBuilder::check_topic(const TopicScenario& topic) {
  const std::string section = "topic." + topic.name;
  const auto error = [&](std::string_view key, std::string message) {
    errors_.add(layers_.origin_of(section, key), fmt::format("[{}] {}", section, message));
  };
  if (layers_.find(section, "partitions") == nullptr) error({}, "partitions is missing");
  if (topic.replication_factor > scenario_.cluster.brokers) {
    error("replication.factor", fmt::format("replication.factor: {} is above the number of brokers, {}",
                                            topic.replication_factor, scenario_.cluster.brokers));
  }
  if (topic.initial_local > topic.initial_finished) {
    error("initial.local",
          fmt::format("initial.local: {} is above initial.finished, {}", topic.initial_local, topic.initial_finished));
  }
  if (const auto wrong = log_epochs_error(topic.initial_epochs))
    error("initial.epochs", fmt::format("initial.epochs: {}", *wrong));
  if (!topic.initial.empty()) check_initial_keys(topic);
  if (topic.options.remote_storage_enable) check_local_retention(topic);
}

// The file says all that these would.
void ScenarioBuilder::check_initial_keys(const TopicScenario& topic) {
  const std::string section = "topic." + topic.name;
  const TopicScenario defaults;
  const auto check = [&](std::string_view key, bool is_default) {
    if (is_default) return;
    errors_.add(layers_.origin_of(section, key),
                fmt::format("[{}] {}: the file of 'initial' says what is there at time 0", section, key));
  };
  check("initial.finished", topic.initial_finished == defaults.initial_finished);
  check("initial.local", topic.initial_local == defaults.initial_local);
  check("initial.closed", topic.initial_closed == defaults.initial_closed);
  check("initial.active", topic.initial_active == defaults.initial_active);
  check("initial.age", topic.initial_age == defaults.initial_age);
  check("initial.epochs", topic.initial_epochs == defaults.initial_epochs);
}

void ScenarioBuilder::read_initial_files() {
  for (TopicScenario& topic : scenario_.topics) {
    if (topic.initial.empty()) continue;
    const KeyOrigin origin = layers_.origin_of("topic." + topic.name, "initial");
    const std::string path = resolve_path(origin.file, topic.initial);
    const auto text = files_.read(path);
    if (!text) {
      errors_.add(origin, fmt::format("[topic.{}] initial: {}: {}", topic.name, quoted(path), text.error()));
      continue;
    }
    InitialTopic expected{topic.name, topic.partitions, scenario_.cluster.brokers, {}};
    for (const TopicScenario& each : scenario_.topics) expected.topics.push_back(each.name);
    InputErrors file_errors;
    auto file = read_initial_file(path, *text, expected, file_errors);
    for (InputError& error : file_errors.take()) errors_.add({error.file, error.line}, std::move(error.message));
    if (!file) continue;
    for (const std::string& note : file->notes) scenario_.notes.push_back(note);
    note_partial_copies(*file);
    topic.initial_file = std::make_shared<const InitialFile>(std::move(*file));
  }
}

// A reader needs each object whole, as long as the keys of [client] say it is.
void ScenarioBuilder::note_partial_copies(const InitialFile& file) {
  const ClientOptions& client = scenario_.client;
  const Bytes rest = client.indexes_bytes + client.producer_snapshot_bytes + client.leader_epoch_checkpoint_bytes;
  const auto is_partial = [&](const InitialCopy& copy) {
    return copy.state == RemoteLogSegmentState::copy_segment_finished && copy.stored && *copy.stored < copy.size + rest;
  };
  const auto count = std::count_if(file.copies.begin(), file.copies.end(), is_partial);
  if (count == 0) return;
  scenario_.notes.push_back(
      fmt::format("{}: {} finished segments have fewer stored_bytes than size_bytes and the sizes of the other objects "
                  "in [client]: nobody can read them",
                  file.path, count));
}

// Kafka's own rules for tiered topics (facts 10.3).
void ScenarioBuilder::check_local_retention(const TopicScenario& topic) {
  const std::string section = "topic." + topic.name;
  const auto check = [&](std::string_view name, std::int64_t local, std::int64_t total, std::int64_t same,
                         std::string_view total_text) {
    const bool is_above = local != same && total >= 0 && (local < 0 || local > total);
    if (!is_above) return;
    const std::string key = fmt::format("local.{}", name);
    const std::string at = layers_.find(section, key) == nullptr ? std::string{name} : key;
    errors_.add(layers_.origin_of(section, at),
                fmt::format("[{}] {} must not be above {}, which is {}", section, key, name, total_text));
  };
  const TopicOptions& options = topic.options;
  check("retention.ms", options.local_retention_time.count(), options.retention_time.count(), Duration{-2ms}.count(),
        format_duration(options.retention_time));
  check("retention.bytes", options.local_retention_bytes.value(), options.retention_bytes.value(), -2,
        format_bytes(options.retention_bytes));
  if (!options.remote_log_copy_disable) return;
  // What is not copied any more can only go by the total limits.
  const auto check_same = [&](std::string_view key, bool is_same) {
    if (is_same) return;
    errors_.add(layers_.origin_of(section, key),
                fmt::format("[{}] {} must be -2 or the same as the total limit while remote.log.copy.disable holds",
                            section, key));
  };
  const Duration local_time = options.local_retention_time;
  check_same("local.retention.ms", local_time == -2ms || local_time == options.retention_time);
  const Bytes local_bytes = options.local_retention_bytes;
  check_same("local.retention.bytes", local_bytes == Bytes{-2} || local_bytes == options.retention_bytes);
}

void ScenarioBuilder::check_metadata() {
  auto& factor = scenario_.metadata.replication_factor;
  if (factor <= scenario_.cluster.brokers) return;
  const KeyOrigin origin = layers_.origin_of("metadata", "remote.log.metadata.topic.replication.factor");
  scenario_.notes.push_back(
      to_string({origin.file, origin.line,
                 fmt::format("remote.log.metadata.topic.replication.factor: {} taken, as there are no more brokers",
                             scenario_.cluster.brokers)}));
  factor = scenario_.cluster.brokers;
}

void ScenarioBuilder::override_faults(std::vector<PlanRow>& rows) {
  std::vector<std::string> names;
  for (const PlanRow& row : rows) {
    if (!row.name.empty()) names.push_back(row.name);
  }
  for (const IniEntry& entry : layers_.entries()) {
    const auto [kind, section_name] = split_section(entry.section);
    if (kind != "fault" || entry.key.empty()) continue;
    std::string name{section_name};
    std::string_view key = entry.key;
    if (name.empty()) name = take_longest_name(key, names);
    if (name.empty()) name = split_section(key).kind;
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const PlanRow& row) { return row.name == name; });
    if (found == rows.end()) {
      const std::string hint = names.empty() ? " (no row of the plan has a name)" : suggestion(name, names);
      errors_.add(entry.origin, fmt::format("unknown fault {}{}", quoted(name), hint));
      continue;
    }
    found->set(key, {entry.value, entry.origin});
  }
}

// A plan inside the scenario: each value is a row as the plan's file would have it, whatever its key.
void ScenarioBuilder::read_plan_section(std::vector<PlanRow>& rows) {
  for (const IniEntry& entry : layers_.entries()) {
    if (entry.section != "plan" || entry.key.empty()) continue;
    InputErrors plan_errors;
    const std::string text = std::string{plan_header} + "\n" + entry.value + "\n";
    for (PlanRow& row : read_plan_rows(entry.origin.file, text, layers_.vars(), plan_errors)) {
      row.move_to(entry.origin);
      rows.push_back(std::move(row));
    }
    for (InputError& error : plan_errors.take()) errors_.add(entry.origin, std::move(error.message));
  }
}

void ScenarioBuilder::read_faults() {
  const IniEntry* entry = layers_.find("scenario", "faults");
  std::vector<PlanRow> rows;
  if (entry != nullptr && !entry->value.empty()) {
    const std::string path = resolve_path(entry->origin.file, entry->value);
    const auto text = files_.read(path);
    if (!text) return errors_.add(entry->origin, fmt::format("[scenario] faults: {}: {}", quoted(path), text.error()));
    InputErrors plan_errors;
    rows = read_plan_rows(path, *text, layers_.vars(), plan_errors);
    const bool is_clean = plan_errors.empty();
    for (InputError& error : plan_errors.take()) errors_.add({error.file, error.line}, std::move(error.message));
    if (!is_clean) return;
  }
  read_plan_section(rows);
  override_faults(rows);
  PlanWorld world;
  world.brokers = scenario_.cluster.brokers;
  world.metadata_partitions = scenario_.metadata.partitions;
  for (const TopicScenario& topic : scenario_.topics) world.topics.emplace_back(topic.name, topic.partitions);
  world.faults_end = scenario_.faults_end();
  scenario_.faults = check_plan_rows(rows, kinds_, world, errors_);
}

void ScenarioBuilder::check_duration() {
  const FaultRow* last = nullptr;
  SimTime last_end = time_start;
  for (const FaultRow& row : scenario_.faults) {
    // A fault without an end needs some time too.
    const SimTime end = row.start + row.duration.value_or(Duration{0});
    if (last != nullptr && end <= last_end) continue;
    last = &row;
    last_end = end;
  }
  if (last == nullptr || last_end <= scenario_.faults_end()) return;
  const Duration end = last_end.time_since_epoch();
  errors_.add(layers_.origin_of("scenario", "duration"),
              fmt::format("[scenario] duration: {} is too short: the fault in {}:{} ends at {}, and scenario.settle "
                          "needs {} after it, so at least {}",
                          format_duration(scenario_.scenario.duration), last->file, last->line, format_duration(end),
                          format_duration(scenario_.settle()), format_duration(end + scenario_.settle())));
}

Scenario ScenarioBuilder::build(const std::string& name) {
  scenario_.name = name;
  scenario_.notes = layers_.notes();
  check_sections();
  read_plain_sections();
  read_brokers();
  read_topics();
  read_policy_options();
  read_expectations();
  check_scenario();
  if (!errors_.empty()) return std::move(scenario_);
  read_initial_files();
  read_faults();
  if (errors_.empty()) check_duration();
  if (const auto chaos = read_chaos(scenario_.chaos, kinds_); !chaos) {
    for (const InputError& error : chaos.error()) errors_.add({error.file, error.line}, error.message);
  }
  return std::move(scenario_);
}

}  // namespace sim
