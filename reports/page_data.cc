#include "reports/page_data.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "reports/compare.h"
#include "reports/json_writer.h"
#include "reports/page_campaign.h"
#include "reports/page_findings.h"
#include "reports/reproduce.h"
#include "reports/summary_row.h"
#include "sim/faults/faults.h"
#include "sim/scenario/ini.h"
#include "sim/scenario/scenario.h"

namespace reports {
namespace {

/// The fields of a csv's columns, cut at commas.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The rows of a csv as objects of texts; a file that is not there has none.
Result<void, Problem> write_csv(JsonWriter& json, const std::string& path, std::string_view columns) {
  json.array();
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    const auto names = split(columns);
    auto read = read_csv(path, [&](const CsvRow& row) {
      json.object();
      for (const auto name : names) json.key(name).text(row[name]);
      json.end_object();
    });
    if (!read) return read;
  }
  json.end_array();
  return {};
}

void write_maybe(JsonWriter& json, std::string_view key, std::optional<std::int64_t> value) {
  json.key(key);
  if (value) {
    json.integer(*value);
  } else {
    json.null();
  }
}

void write_manifest(JsonWriter& json, const Manifest& manifest) {
  json.object();
  for (const auto& [key, value] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{{"kind", manifest.kind},
                                                                            {"scenario", manifest.scenario},
                                                                            {"scenario_hash", manifest.scenario_hash},
                                                                            {"seeds", manifest.seeds},
                                                                            {"start", manifest.start},
                                                                            {"version", manifest.version},
                                                                            {"commit", manifest.commit},
                                                                            {"compiler", manifest.compiler},
                                                                            {"trace_hash", manifest.trace_hash},
                                                                            {"outcome", manifest.outcome},
                                                                            {"verdict", manifest.verdict}})
    json.key(key).text(value);
  json.key("policies").array();
  for (const auto& policy : manifest.policies) json.text(policy);
  json.end_array();
  json.key("events").integer(manifest.events).key("transitions").integer(manifest.transitions);
  json.key("world_ms").integer(manifest.world_ms).key("wall_ms").integer(manifest.wall_ms);
  json.end_object();
}

void write_files(JsonWriter& json, const std::string& folder) {
  std::map<std::string, std::uint64_t> sizes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator{folder, error}) {
    if (entry.is_regular_file(error)) sizes.emplace(entry.path().filename().string(), entry.file_size(error));
  }
  json.array();
  for (const auto& [name, size] : sizes) json.array().text(name).integer(size).end_array();
  json.end_array();
}

void write_causes(JsonWriter& json, const LaneBook& book) {
  json.array();
  for (std::size_t i = 0; i < book.causes.size(); ++i) {
    const auto& cause = book.causes[i];
    const auto names = split(book.cause_names.list()[i]);
    json.object().key("fault").text(names[0]).key("step").text(names[1]).key("state").text(names[2]);
    json.key("copies").integer(cause.copy_count).key("ghosts").integer(cause.ghost_count);
    json.key("bytes").integer(cause.bytes).key("first_ms").integer(cause.first_ms);
    write_maybe(json, "last_reclaimed_ms", cause.last_reclaimed_ms);
    json.key("left").integer(cause.left_count);
    write_maybe(json, "last_due_ms", cause.last_due_ms);
    json.key("never").integer(cause.never_count);
    for (const auto& [key, counts] : {std::pair{"removed", &cause.removed}, std::pair{"due", &cause.due}}) {
      json.key(key).array();
      for (std::size_t who = 0; who < counts->size(); ++who)
        if ((*counts)[who] > 0) json.array().text(book.removers.list()[who]).integer((*counts)[who]).end_array();
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
}

/// The key as `all_keys` lists it: the sections of one topic, broker or fault stand under a placeholder there.
std::string listed_section(const std::string& section) {
  for (const auto& [prefix, listed] : {std::pair{"topic.", "topic.NAME"}, std::pair{"broker.", "broker.ID"},
                                       std::pair{"expect.", "expect.POLICY"}, std::pair{"fault.", "fault.NAME"}})
    if (section.starts_with(prefix)) return listed;
  return section;
}

/// What of the scenario differs from the defaults: [section, key, value, default, help].
void write_changes(JsonWriter& json, const std::string& path, std::string_view text) {
  std::map<std::string, sim::KeyInfo> keys;
  for (auto& key : sim::all_keys()) {
    auto name = fmt::format("{}.{}", key.section, key.name);
    keys.emplace(std::move(name), std::move(key));
  }
  sim::InputErrors errors;
  json.array();
  for (const auto& entry : sim::read_ini(path, text, errors)) {
    if (entry.key.empty() || entry.value.empty()) continue;
    auto found = keys.find(fmt::format("{}.{}", listed_section(entry.section), entry.key));
    // A broker's own section takes what [broker] takes.
    if (found == keys.end() && entry.section.starts_with("broker.")) found = keys.find("broker." + entry.key);
    const bool is_known = found != keys.end();
    if (is_known && found->second.default_text == entry.value) continue;
    json.array().text(entry.section).text(entry.key).text(entry.value);
    json.text(is_known ? found->second.default_text : "").text(is_known ? found->second.help : "").end_array();
  }
  json.end_array();
}

Result<void, Problem> write_scenario(JsonWriter& json, const std::string& folder) {
  const auto path = folder + "/scenario.ini";
  const auto text = read_file(path);
  const auto plan = read_file(folder + "/faults.plan.csv");
  json.object().key("text").text(text ? *text : "").key("plan").text(plan ? *plan : "").key("changes");
  write_changes(json, path, text ? std::string_view{*text} : std::string_view{});
  json.end_object();
  return {};
}

/// The command that makes the folder again: by the scenario's name while the catalogue still holds it as it was.
std::string reproduction(const PageFolder& folder, const PageData& data) {
  const auto& manifest = folder.manifest;
  if (manifest.kind == import_kind) {
    // Where all copies are of deleted topics, there is no scenario.
    std::error_code error;
    if (!std::filesystem::exists(folder.path + "/scenario.ini", error)) return "";
    return fmt::format("flotsam run {}/scenario.ini --policy all", shown_path(data, folder.path));
  }
  Reproduction again{.command = manifest.kind, .scenario = manifest.scenario, .policies = manifest.policies};
  const auto names = sim::catalogue_names();
  bool is_in_catalogue = false;
  if (std::find(names.begin(), names.end(), manifest.scenario) != names.end()) {
    const auto scenario = sim::read_scenario({.scenario = manifest.scenario, .sets = {}}, sim::fault_kinds());
    is_in_catalogue = scenario && scenario_hash(*scenario) == manifest.scenario_hash;
  }
  if (!is_in_catalogue && manifest.kind == campaign_kind) {
    again.scenario = shown_path(data, folder.path) + "/scenario.ini";
  } else if (!is_in_catalogue && !data.runs.empty()) {
    again.scenario = shown_path(data, data.runs.front().stored.folder) + "/scenario.ini";
  }
  if (manifest.kind == "run") {
    again.options = {"--seed", manifest.seeds};
  } else {
    again.options = {"--seeds", manifest.seeds};
  }
  return reproduce_command(again);
}

Result<void, Problem> write_run(JsonWriter& json, const PageData& data, const PageRun& run, std::size_t scenario) {
  const auto& overview = run.stored.overview;
  const auto& folder = run.stored.folder;
  json.object().key("label").text(overview.summary.policy).key("folder").text(shown_path(data, folder));
  json.key("scenario").integer(scenario);
  json.key("clause")
      .text(run.stored.recorded ? recorded_sentence(run.stored) : headline_clause(overview))
      .key("time_to_reclaim")
      .text(time_to_reclaim(overview));
  json.key("last_fault").text(overview.last_fault);
  json.key("last_fault_end_ms").integer(to_milliseconds(overview.last_fault_end));
  json.key("manifest");
  write_manifest(json, run.stored.manifest);
  for (const auto& [key, columns] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"summary", summary_columns},
           {"faults", "start_ms,end_ms,kind,target,params,hits,name,fault"},
           {"violations", "time_ms,invariant,subject,detail,expected,event"}}) {
    json.key(key);
    if (auto written = write_csv(json, fmt::format("{}/{}.csv", folder, key), columns); !written) return written;
  }
  json.key("findings");
  auto left_out = write_findings(json, folder + "/findings.csv");
  if (!left_out) return Failed{left_out.error()};
  json.key("findings_left_out").integer(*left_out);
  json.key("curves");
  run.curves.all.write(json);
  json.key("topics").array();
  for (const auto& [name, own] : run.curves.topics) json.text(name);
  json.end_array().key("topics_left_out").integer(run.curves.topics_left_out);
  json.key("causes");
  write_causes(json, run.book);
  json.key("files");
  write_files(json, folder);
  const auto& book = run.book;
  json.key("lanes").object().key("shown").integer(book.copies.size());
  json.key("copies_left_out").integer(book.copies_left_out);
  json.key("leftovers_left_out").integer(book.leftovers_left_out).key("folded").integer(book.folded);
  json.key("steps_left_out").integer(book.steps_left_out);
  json.key("leader_changes_left_out").integer(book.leader_changes_left_out);
  json.key("has_transitions").boolean(book.has_transitions).key("has_calls").boolean(book.has_calls).end_object();
  json.end_object();
  return {};
}

std::string text_of(const std::optional<Decimal>& decimal) { return decimal ? to_string(*decimal) : ""; }

/// Each pair of policies, as compare.csv would have it whichever of them it took for the baseline.
void write_pairs(JsonWriter& json, std::span<const StudyRun> runs) {
  json.array();
  for (const auto& row : compare_each_pair(runs)) {
    json.object().key("scenario").text(row.scenario).key("metric").text(row.metric);
    json.key("policy_a").text(row.policy_a).key("policy_b").text(row.policy_b).key("n").text(std::to_string(row.n));
    for (const auto& [key, value] : std::initializer_list<std::pair<std::string_view, std::string>>{
             {"mean_a", text_of(row.mean_a)},
             {"mean_b", text_of(row.mean_b)},
             {"mean_difference", text_of(row.mean_difference)},
             {"ci95_low", text_of(row.ci95_low)},
             {"ci95_high", text_of(row.ci95_high)},
             {"median_difference", text_of(row.median_difference)},
             {"share_reclaimed_a", text_of(row.share_reclaimed_a)},
             {"share_reclaimed_b", text_of(row.share_reclaimed_b)}})
      json.key(key).text(value);
    json.end_object();
  }
  json.end_array();
}

/// The baseline that compare.csv has, and the pairs: of `compare` all, so that the reader may take another baseline.
Result<void, Problem> write_comparison(JsonWriter& json, const PageFolder& folder) {
  constexpr std::string_view columns =
      "scenario,metric,policy_a,policy_b,n,mean_a,mean_b,mean_difference,ci95_low,ci95_high,median_difference,"
      "share_reclaimed_a,share_reclaimed_b";
  const auto path = folder.path + "/compare.csv";
  std::string baseline;
  auto read = read_csv(path, [&](const CsvRow& row) {
    if (baseline.empty()) baseline = row["policy_a"];
  });
  if (!read) return read;
  json.object().key("baseline").text(baseline).key("pairs");
  if (folder.manifest.kind == "compare") {
    auto rows = read_run_rows(folder.path);
    if (!rows) return Failed{rows.error()};
    std::vector<StudyRun> runs;
    for (auto& row : *rows) runs.push_back({{}, std::move(row.summary)});
    write_pairs(json, runs);
  } else if (auto written = write_csv(json, path, columns); !written) {
    return written;
  }
  json.end_object();
  return {};
}

Result<void, Problem> write_folder(JsonWriter& json, const PageFolder& folder, const PageData& data) {
  json.object().key("path").text(shown_path(data, folder.path)).key("reproduce").text(reproduction(folder, data));
  json.key("manifest");
  write_manifest(json, folder.manifest);
  json.key("rows");
  // A campaign's are too many; the page has their sums.
  const bool is_campaign = folder.manifest.kind == campaign_kind;
  const std::string rows = is_campaign ? std::string{} : folder.path + "/runs.csv";
  if (auto written = write_csv(json, rows, summary_columns); !written) return written;
  json.key("campaign");
  if (auto written = write_campaign(json, folder.path, folder.manifest); !written) return written;
  json.key("comparison");
  if (folder.has_comparison) {
    if (auto written = write_comparison(json, folder); !written) return written;
  } else {
    json.null();
  }
  json.end_object();
  return {};
}

std::vector<RunOverview> overviews(const PageData& data) {
  std::vector<RunOverview> list;
  for (const auto& run : data.runs) list.push_back(run.stored.overview);
  return list;
}

}  // namespace

std::string shown_path(const PageData& data, const std::string& path) {
  const std::filesystem::path whole{path};
  if (!whole.is_absolute()) return path;
  // What all absolute folders lie in.
  std::optional<std::filesystem::path> root;
  for (const auto& folder : data.folders) {
    auto own = std::filesystem::path{folder.path}.lexically_normal();
    if (!own.is_absolute()) continue;
    if (!own.has_filename()) own = own.parent_path();
    if (!root) root = own.parent_path();
    while (root->has_relative_path() && *own.lexically_relative(*root).begin() == "..") root = root->parent_path();
  }
  if (!root) return whole.filename();
  auto shown = whole.lexically_normal().lexically_relative(*root).generic_string();
  while (shown.ends_with('/')) shown.pop_back();
  return shown;
}

std::string page_headline(const PageData& data) {
  const bool is_import = std::any_of(data.folders.begin(), data.folders.end(),
                                     [](const PageFolder& folder) { return folder.manifest.kind == import_kind; });
  if (is_import) return import_headline(data);
  for (const PageFolder& folder : data.folders) {
    if (folder.manifest.kind == campaign_kind) return campaign_headline(folder.path, folder.manifest);
  }
  if (!data.runs.empty()) {
    // A sentence compares policies; of several scenarios each gets its own.
    std::vector<std::string> scenarios;
    for (const auto& run : data.runs) {
      const auto& name = run.stored.manifest.scenario;
      if (std::find(scenarios.begin(), scenarios.end(), name) == scenarios.end()) scenarios.push_back(name);
    }
    if (scenarios.size() == 1) return headline(overviews(data));
    std::string text;
    for (const auto& name : scenarios) {
      std::vector<RunOverview> own;
      for (const auto& run : data.runs)
        if (run.stored.manifest.scenario == name) own.push_back(run.stored.overview);
      text += fmt::format("{}{}: {}", text.empty() ? "" : " ", name, headline(own));
    }
    return text;
  }
  if (data.folders.empty()) return "";
  const auto& manifest = data.folders.front().manifest;
  return fmt::format("{} compared under seeds {}.", fmt::join(manifest.policies, ", "), manifest.seeds);
}

std::string to_json(const TopicCurves& curves) {
  JsonWriter json;
  json.array();
  for (const auto& [name, own] : curves.topics) own.write(json);
  json.end_array();
  return json.result();
}

Result<std::string, Problem> to_json(const PageData& data) {
  JsonWriter json;
  json.object().key("headline").text(page_headline(data));
  json.key("order").array();
  for (const auto place : best_to_worst(overviews(data))) json.integer(place);
  json.end_array();
  json.key("runs_left_out").integer(data.runs_left_out);
  json.key("folders").array();
  for (const auto& folder : data.folders)
    if (auto written = write_folder(json, folder, data); !written) return Failed{written.error()};
  json.end_array();

  // Runs of one scenario carry it once.
  std::vector<std::string> hashes;
  json.key("runs").array();
  for (const auto& run : data.runs) {
    const auto& hash = run.stored.manifest.scenario_hash;
    const auto found = std::find(hashes.begin(), hashes.end(), hash);
    const auto scenario = static_cast<std::size_t>(found - hashes.begin());
    if (found == hashes.end()) hashes.push_back(hash);
    if (auto written = write_run(json, data, run, scenario); !written) return Failed{written.error()};
  }
  json.end_array().key("scenarios").array();
  for (const auto& hash : hashes) {
    const auto run = std::find_if(data.runs.begin(), data.runs.end(),
                                  [&](const PageRun& each) { return each.stored.manifest.scenario_hash == hash; });
    if (auto written = write_scenario(json, run->stored.folder); !written) return Failed{written.error()};
  }
  json.end_array().end_object();
  return json.result();
}

}  // namespace reports
