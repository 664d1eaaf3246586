#include <algorithm>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/kept_run.h"
#include "reports/row_difference.h"
#include "sim/scenario/ini.h"
#include "sim/search/first_difference.h"

namespace cli {

namespace {

constexpr int exit_different = 1;
constexpr std::size_t listed_max = 20;

/// The values of a kept scenario by `section.key`; empty when it cannot be read.
std::map<std::string, std::string> keys_of(const KeptFolder& folder) {
  std::map<std::string, std::string> values;
  const std::string path = folder.path + "/scenario.ini";
  const auto text = reports::read_file(path);
  if (!text) return values;
  sim::InputErrors errors;
  for (const sim::IniEntry& entry : sim::read_ini(path, *text, errors))
    if (!entry.key.empty()) values[fmt::format("{}.{}", entry.section, entry.key)] = entry.value;
  return values;
}

std::vector<std::string> plan_of(const KeptFolder& folder) {
  const auto text = reports::read_file(folder.path + "/faults.plan.csv");
  return text ? sim::split_list(*text, "\n") : std::vector<std::string>{};
}

/// Lines of which the later ones are only counted.
std::string cut(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), listed_max); ++i) text += fmt::format("  {}\n", lines[i]);
  if (lines.size() > listed_max) text += fmt::format("  and {} more\n", lines.size() - listed_max);
  return text;
}

/// What decides the runs and is not the same in both; empty when all of it is.
std::string describe_settings(const KeptFolder& a, const KeptFolder& b) {
  std::vector<std::string> lines;
  const auto compare = [&lines](std::string_view name, std::string_view ours, std::string_view theirs) {
    if (ours == theirs) return;
    const auto shown = [](std::string_view value) { return value.empty() ? std::string_view{"(empty)"} : value; };
    lines.push_back(fmt::format("{}: {} | {}", name, shown(ours), shown(theirs)));
  };
  compare("policy", a.summary.policy, b.summary.policy);
  compare("seed", std::to_string(a.summary.seed), std::to_string(b.summary.seed));
  compare("commit", a.manifest.commit, b.manifest.commit);
  const auto ours = keys_of(a);
  const auto theirs = keys_of(b);
  std::set<std::string> names;
  for (const auto* const keys : {&ours, &theirs})
    for (const auto& [name, value] : *keys) names.insert(name);
  for (const std::string& name : names) {
    const auto one = ours.find(name);
    const auto other = theirs.find(name);
    compare(name, one == ours.end() ? "(not there)" : one->second,
            other == theirs.end() ? "(not there)" : other->second);
  }
  const auto plan_a = plan_of(a);
  const auto plan_b = plan_of(b);
  const auto add_missing = [&](const auto& rows, const auto& others, std::string_view mark) {
    for (const std::string& row : rows)
      if (std::find(others.begin(), others.end(), row) == others.end())
        lines.push_back(fmt::format("plan {} {}", mark, row));
  };
  add_missing(plan_a, plan_b, "<");
  add_missing(plan_b, plan_a, ">");
  if (lines.empty() && a.manifest.scenario_hash != b.manifest.scenario_hash)
    lines.emplace_back("an initial state, or how the scenario is written");
  return lines.empty() ? std::string{} : fmt::format("what decides the runs differs\n{}", cut(lines));
}

/// Of worlds that run once more, where the files do not say it.
int compare_again(std::span<const KeptFolder> folders, bool is_same_setup, Console& console) {
  std::vector<KeptRun> runs;
  for (const KeptFolder& folder : folders) {
    auto run = read_kept_run(folder, console);
    if (!run) return exit_usage;
    if (const std::string reason = reason_to_differ(*run); !reason.empty())
      console.note(fmt::format("note: {} may not run as it was kept: {}", folder.path, reason));
    runs.push_back(std::move(*run));
  }
  const auto setup = [](const KeptRun& run) {
    return sim::RunSetup{run.input.scenario, run.input.policies.front(), run.folder.summary.seed};
  };
  const auto difference = sim::first_difference(setup(runs[0]), setup(runs[1]));
  if (difference) {
    console.print(describe(*difference, folders[0].path, folders[1].path));
    return is_same_setup ? exit_not_deterministic : exit_different;
  }
  if (folders[0].summary.trace_hash == folders[1].summary.trace_hash) {
    console.print("no difference: both worlds, run again, leave the same trace\n");
    return exit_ok;
  }
  console.print("run again both worlds leave the same trace, but the kept ones differ: {} and {}\n",
                reports::hash_text(folders[0].summary.trace_hash), reports::hash_text(folders[1].summary.trace_hash));
  return is_same_setup ? exit_not_deterministic : exit_different;
}

}  // namespace

int diff_command(const Options& options, Console& console) {
  std::vector<KeptFolder> folders;
  for (const std::string& path : options.arguments) {
    auto folder = read_kept_folder(path);
    if (!folder) {
      console.error(folder.error());
      return exit_usage;
    }
    folders.push_back(std::move(*folder));
  }
  const std::string settings = describe_settings(folders[0], folders[1]);
  console.print(settings.empty() ? "scenario, policy, seed and commit are the same in both\n" : settings);

  const auto has_rows = [](const KeptFolder& folder) { return reports::has_event_rows(folder.path); };
  if (!std::all_of(folders.begin(), folders.end(), has_rows)) {
    console.note("note: not both kept their events (--keep all); both worlds run again");
    (void)console.flush();
    return compare_again(folders, settings.empty(), console);
  }
  const auto rows = reports::compare_rows(folders[0].path, folders[1].path);
  if (!rows) {
    console.error(rows.error());
    return exit_usage;
  }
  if (rows->difference) {
    console.print(describe(*rows->difference, folders[0].path, folders[1].path));
    return settings.empty() ? exit_not_deterministic : exit_different;
  }
  if (folders[0].summary.trace_hash == folders[1].summary.trace_hash) {
    console.print("no difference: {} rows of events, and one trace_hash {}\n", rows->equal,
                  reports::hash_text(folders[0].summary.trace_hash));
    return exit_ok;
  }
  console.note("note: the files have the same rows, the traces differ in what has none; both worlds run again");
  (void)console.flush();
  return compare_again(folders, settings.empty(), console);
}

}  // namespace cli
