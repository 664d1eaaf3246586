#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "cli/commands.h"
#include "model/metrics.h"
#include "model/policy.h"
#include "model/ports.h"
#include "model/remote_log_segment_state.h"
#include "reports/causes.h"
#include "reports/csv.h"
#include "sim/faults/faults.h"
#include "sim/observers/invariants.h"
#include "sim/scenario/scenario.h"

namespace cli {

namespace {

/// A list as a table: the first column is the name, the last one the help.
struct Listing {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

Listing list_policies() {
  Listing listing{{"name", "help"}, {}};
  for (const model::PolicyEntry& policy : model::policies()) {
    listing.rows.push_back({std::string{policy.name}, std::string{policy.help}});
  }
  return listing;
}

Listing list_scenarios() {
  Listing listing{{"name", "title"}, {}};
  for (const std::string& name : sim::catalogue_names()) {
    const auto scenario = sim::read_scenario({.scenario = name, .sets = {}}, sim::fault_kinds());
    listing.rows.push_back(
        {name, scenario ? scenario->scenario.title : "cannot be read; `flotsam check " + name + "` says why"});
  }
  return listing;
}

std::string_view target_name(sim::TargetKind kind) {
  switch (kind) {
    case sim::TargetKind::all:
      return "*";
    case sim::TargetKind::broker:
      return "broker:1";
    case sim::TargetKind::topic:
      return "topic:T";
    case sim::TargetKind::partition:
      return "partition:T-3";
    case sim::TargetKind::store:
      return "store";
    case sim::TargetKind::metadata:
      return "metadata";
    case sim::TargetKind::metadata_partition:
      return "metadata:7";
    case sim::TargetKind::metadata_of:
      return "metadata-of:T-3";
    case sim::TargetKind::link:
      return "A>B";
  }
  return "";
}

/// What a value looks like, with its unit; empty where the words or the default tell.
std::string_view form_of(const sim::ParamInfo& param) {
  switch (param.type) {
    case sim::ParamType::duration:
      return "time, as 10m";
    case sim::ParamType::distribution:
      return "time, as 10m, or a distribution";
    case sim::ParamType::ratio:
      return param.name == "factor" ? "number above 0" : "share, 0 to 1";
    case sim::ParamType::bytes:
      return "size, as 1MiB";
    case sim::ParamType::rate:
      return "rate, as 1MiB/s";
    case sim::ParamType::integer:
      return "number";
    case sim::ParamType::word:
      return param.words;
    case sim::ParamType::operations:
      return "of put, get, delete, list, joined with +; no task reads the store, so get hits nothing";
    case sim::ParamType::stored:
      return "none, all, an object or a size";
    case sim::ParamType::topic_option:
      return "as the topic's key";
  }
  return "";
}

Listing list_faults() {
  Listing listing{{"name", "instant", "targets", "params", "help"}, {}};
  for (const sim::FaultKindInfo& kind : sim::fault_kinds()) {
    std::vector<std::string> targets;
    for (const sim::TargetKind target : kind.targets) targets.emplace_back(target_name(target));
    std::vector<std::string> params;
    for (const sim::ParamInfo& param : kind.params)
      params.push_back(form_of(param).empty()
                           ? fmt::format("{}={}", param.name, param.default_text)
                           : fmt::format("{}={} ({})", param.name, param.default_text, form_of(param)));
    listing.rows.push_back({std::string{kind.name}, kind.instant ? "yes" : "no",
                            fmt::format("{}", fmt::join(targets, " ")), fmt::format("{}", fmt::join(params, ";")),
                            std::string{kind.help}});
  }
  return listing;
}

Listing list_invariants() {
  Listing listing{{"name", "kind", "property"}, {}};
  for (const sim::InvariantEntry& invariant : sim::invariants()) {
    const bool safety = invariant.kind == sim::InvariantKind::safety;
    listing.rows.push_back(
        {std::string{invariant.name}, safety ? "safety" : "liveness", std::string{invariant.property}});
  }
  return listing;
}

Listing list_metrics() {
  Listing listing{{"name", "attribute", "mbean", "mbean_of_topic", "help"}, {}};
  for (const model::MetricInfo& metric : model::metrics()) {
    listing.rows.push_back({std::string{metric.name}, std::string{metric.attribute()},
                            model::broker_topic_metrics_mbean(metric.name),
                            model::broker_topic_metrics_mbean(metric.name, "TOPIC"), std::string{metric.help}});
  }
  for (const model::ManagerMetricInfo& metric : model::manager_metrics()) {
    listing.rows.push_back({std::string{metric.name}, std::string{metric.attribute}, std::string{metric.mbean}, "",
                            std::string{metric.help}});
  }
  return listing;
}

Listing list_states() {
  using State = model::RemoteLogSegmentState;
  constexpr std::array<std::string_view, model::remote_log_segment_state_count> helps{
      "The upload has begun and is not confirmed.", "The upload is confirmed and can be read.",
      "A deletion has been announced.", "The deletion is confirmed; nothing follows.",
      "The KIP's fifth state: a copy or deletion failed and may have left bytes."};
  Listing listing{{"name", "id", "help"}, {}};
  for (std::size_t id = 0; id < helps.size(); ++id) {
    listing.rows.push_back(
        {std::string{to_string(static_cast<State>(id))}, std::to_string(id), std::string{helps[id]}});
  }
  return listing;
}

Listing list_keys() {
  Listing listing{{"name", "default", "unit", "help"}, {}};
  for (const sim::KeyInfo& key : sim::all_keys()) {
    listing.rows.push_back({fmt::format("{}.{}", key.section, key.name), key.default_text, key.unit, key.help});
  }
  return listing;
}

std::string_view step_help(model::TaskStep step) {
  using enum model::TaskStep;
  switch (step) {
    case none:
      return "No task: what was there when the world began.";
    case copy_publish_started:
      return "The copy task announces a copy; it holds it from here on.";
    case copy_upload:
      return "The copy's upload is under way.";
    case copy_publish_finished:
      return "The upload succeeded, and the copy task says so.";
    case clean_up_decided:
      return "The copy failed and the copy task is about to delete what it left.";
    case clean_up_publish_started:
      return "The copy task announces the deletion of its failed copy.";
    case clean_up_delete:
      return "The copy task deletes its failed copy.";
    case clean_up_publish_finished:
      return "The copy task confirms that its failed copy is deleted.";
    case publish_dangling:
      return "The copy failed and the copy task says that it dangles.";
    case sweep_publish_started:
      return "The sweep takes a dangling copy and announces its deletion.";
    case sweep_delete:
      return "The sweep deletes a dangling copy.";
    case sweep_publish_finished:
      return "The sweep confirms a deletion.";
    case sweep_publish_dangling:
      return "The sweep's delete failed, and the copy dangles again.";
    case retention_publish_started:
      return "The expiration task announces a deletion.";
    case retention_delete:
      return "The expiration task deletes a copy.";
    case retention_publish_finished:
      return "The expiration task confirms a deletion.";
    case retention_publish_dangling:
      return "The expiration task's delete failed, and the copy dangles.";
    case topic_deletion_publish_started:
      return "The topic is deleted: the leader announces the deletion of every copy.";
    case topic_deletion_delete:
      return "The topic is deleted: the leader deletes one copy after the other.";
    case topic_deletion_publish_finished:
      return "The topic is deleted: the leader confirms the deletion of every copy.";
    case adopt_publish_dangling:
      return "The copy task takes over an unfinished copy, or keeps it dangling until no write of it can land.";
  }
  return "";
}

Listing list_causes() {
  Listing listing{{"name", "help"}, {}};
  for (const reports::CauseEntry& cause : reports::causes()) {
    listing.rows.push_back({std::string{cause.name}, std::string{cause.help}});
  }
  return listing;
}

Listing list_steps() {
  Listing listing{{"name", "help"}, {}};
  for (int i = 0; i < model::task_step_count; ++i) {
    const auto step = static_cast<model::TaskStep>(i);
    listing.rows.push_back({std::string{to_string(step)}, std::string{step_help(step)}});
  }
  return listing;
}

struct What {
  std::string_view name;
  Listing (*make)();
};
constexpr std::array whats{What{"policies", &list_policies}, What{"scenarios", &list_scenarios},
                           What{"faults", &list_faults},     What{"invariants", &list_invariants},
                           What{"metrics", &list_metrics},   What{"states", &list_states},
                           What{"keys", &list_keys},         What{"causes", &list_causes},
                           What{"steps", &list_steps}};

std::string csv_line(const std::vector<std::string>& fields) {
  std::vector<std::string> escaped;
  escaped.reserve(fields.size());
  for (const std::string& field : fields) escaped.push_back(reports::csv_field(field));
  return fmt::format("{}\n", fmt::join(escaped, ","));
}

/// One line an entry: every column that is filled, the name padded.
std::string plain_text(const Listing& listing) {
  std::size_t width = 0;
  for (const auto& row : listing.rows) width = std::max(width, row.front().size());
  std::string text;
  for (const auto& row : listing.rows) {
    std::string line = fmt::format("{:<{}}", row.front(), width);
    for (std::size_t column = 1; column < row.size(); ++column) {
      // Between the name and the help a bare value would not say what it is.
      const bool last = column + 1 == row.size();
      if (!row[column].empty())
        line += last ? "  " + row[column] : fmt::format("  [{} {}]", listing.columns[column], row[column]);
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace

int list_command(const Options& options, Console& console) {
  const std::string& wanted = options.arguments.front();
  const auto* const found =
      std::find_if(whats.begin(), whats.end(), [&](const What& what) { return what.name == wanted; });
  if (found == whats.end()) {
    std::vector<std::string> valid;
    for (const What& what : whats) valid.emplace_back(what.name);
    const std::string nearest = sim::nearest_name(wanted, valid);
    console.error(fmt::format("nothing to list under '{}'; {}", wanted,
                              nearest.empty() ? fmt::format("there are {}", fmt::join(valid, ", "))
                                              : fmt::format("did you mean {}?", nearest)));
    return exit_usage;
  }
  if (options.csv && options.names) {
    console.error("--csv and --names exclude each other");
    return exit_usage;
  }
  const Listing listing = found->make();
  if (options.csv) {
    console.print(csv_line(listing.columns));
    for (const auto& row : listing.rows) console.print(csv_line(row));
  } else if (options.names) {
    for (const auto& row : listing.rows) console.print("{}\n", row.front());
  } else {
    console.print(plain_text(listing));
  }
  return exit_ok;
}

}  // namespace cli
