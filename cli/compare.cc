#include "reports/compare.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/verdicts.h"
#include "reports/reproduce.h"

namespace cli {

namespace {

/// Failures of one policy that broke the same things.
struct FailureGroup {
  /// Index of the job with the fewest events, then the lowest seed.
  std::size_t job = 0;
  std::uint64_t events = 0;
  reports::Failure failure;
  bool could_tell = true;
  std::uint64_t telling_event = 0;
};

/// What a comparison knows, while it goes on.
struct CompareState {
  Tally tally;
  /// By policy.
  std::vector<Tally> tallies;
  std::vector<std::map<std::string, int>> verdicts;
  /// By policy and signature.
  std::map<std::pair<std::size_t, std::string>, FailureGroup> failures;
  std::vector<reports::StudyRun> runs;
  std::vector<reports::RunRow> rows;
  /// The row of each job that was finished.
  std::map<std::size_t, std::size_t> row_of_job;
  std::optional<std::string> problem;
};

std::string run_folder(const Input& input, const WorldJob& job) {
  return fmt::format("{}/seed-{}", reports::folder_name(input.policies[job.policy].label), job.seed);
}

/// Seed by seed, so that what an interruption leaves is whole seeds.
std::vector<WorldJob> jobs_of(const Options& options, const Input& input, const std::string& folder) {
  std::vector<WorldJob> jobs;
  jobs.reserve(options.seeds.count() * input.policies.size());
  for (std::uint64_t i = 0; i < options.seeds.count(); ++i) {
    for (std::size_t policy = 0; policy < input.policies.size(); ++policy) {
      WorldJob job{.policy = policy, .seed = options.seeds.first + i, .folder = {}, .replace_folder = false};
      if (options.keep != reports::Keep::summary) job.folder = fmt::format("{}/{}", folder, run_folder(input, job));
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

void note_failure(const Options& options, CompareState& state, std::size_t job, std::size_t policy,
                  const WorldDone& done) {
  auto failure = failure_of(options, done);
  if (!failure) return;
  const sim::Summary& summary = done.result.summary;
  FailureGroup group;
  group.job = job;
  group.events = summary.events;
  group.could_tell = summary.verdict == sim::Verdict::fail || differs_from_itself(done);
  group.telling_event = telling_event(done);
  group.failure = std::move(*failure);
  const auto [known, is_new] = state.failures.try_emplace({policy, group.failure.type}, group);
  if (is_new) return;
  const std::uint64_t count = known->second.failure.count + 1;
  // Jobs come in the order of their seeds, so among equals the first one stays.
  if (group.events < known->second.events) known->second = std::move(group);
  known->second.failure.count = count;
}

void take_run(const Options& options, CompareState& state, const std::vector<WorldJob>& jobs, const Input& input,
              std::size_t job, const WorldDone& done) {
  const std::size_t policy = jobs[job].policy;
  const sim::Summary& summary = done.result.summary;
  state.tally.add(done);
  state.tallies[policy].add(done);
  ++state.verdicts[policy][std::string{to_string(summary.outcome)}];
  note_failure(options, state, job, policy, done);
  state.row_of_job[job] = state.rows.size();
  state.rows.push_back({summary, jobs[job].folder.empty() ? std::string{} : run_folder(input, jobs[job])});
  state.runs.push_back({{}, summary});
}

/// Of each signature one failure stays with all its files, whatever --keep says; it is run once more for that.
int keep_failures(const std::shared_ptr<const Input>& input, const std::vector<WorldJob>& jobs,
                  const std::string& folder, WorldSettings settings, Console& console, CompareState& state) {
  if (settings.keep == reports::Keep::all || state.failures.empty()) return 0;
  std::vector<WorldJob> again;
  std::vector<std::size_t> rows;
  for (const auto& [key, group] : state.failures) {
    WorldJob job = jobs[group.job];
    job.folder = fmt::format("{}/{}", folder, run_folder(*input, job));
    job.replace_folder = true;
    again.push_back(std::move(job));
    rows.push_back(state.row_of_job[group.job]);
  }
  settings.keep = reports::Keep::all;
  settings.verify = false;
  return run_worlds(input, again, settings, console, [&](std::size_t i, const WorldDone& done) {
    if ((state.problem = done.problem)) return false;
    state.rows[rows[i]].folder = run_folder(*input, again[i]);
    return true;
  });
}

void publish_policies(const Options& options, const Input& input, const std::vector<WorldJob>& jobs, bool complete,
                      const CompareState& state, Publication& publication) {
  if (!complete) return;
  for (std::size_t policy = 0; policy < input.policies.size(); ++policy) {
    std::vector<reports::Failure> failures;
    std::string unknown;
    for (const auto& [key, group] : state.failures) {
      if (key.first != policy) continue;
      if (!group.could_tell) unknown = group.failure.message;
      failures.push_back(group.failure);
      if (!options.junit.empty())
        failures.back().last_events = last_events(input, jobs[group.job], group.telling_event);
    }
    publication.complete(input.policies[policy].label, std::move(failures), unknown);
  }
}

std::optional<std::string> write_folder(StandingFolder& folder, reports::Manifest manifest, const CompareState& state,
                                        const std::vector<reports::Comparison>& comparisons, bool complete,
                                        std::chrono::steady_clock::time_point begun) {
  const auto wall = std::chrono::steady_clock::now() - begun;
  state.tally.fill(manifest, complete);
  manifest.wall_ms = std::chrono::duration_cast<std::chrono::milliseconds>(wall).count();
  if (auto written = reports::write_runs(folder.path(), state.rows); !written) return written.error();
  const std::string file = fmt::format("{}/compare.csv", folder.path());
  if (auto written = reports::write_comparisons(file, {}, comparisons); !written) return written.error();
  // Last, because it says that the rest is there.
  if (auto written = reports::write_manifest(folder.path(), manifest); !written) return written.error();
  folder.keep();
  return std::nullopt;
}

std::string describe_policies(const Input& input, const CompareState& state) {
  std::string text;
  for (std::size_t policy = 0; policy < input.policies.size(); ++policy) {
    const Tally& tally = state.tallies[policy];
    std::vector<std::string> outcomes;
    for (const auto& [outcome, count] : state.verdicts[policy])
      outcomes.push_back(fmt::format("{} {}", count, outcome));
    text += fmt::format("{}: {}, {} run{} ({}), trace_hash {}\n", input.policies[policy].label, tally.verdict(),
                        tally.count(), tally.count() == 1 ? "" : "s", fmt::join(outcomes, ", "),
                        reports::hash_text(tally.trace_hash()));
    for (const auto& [key, group] : state.failures) {
      if (key.first != policy) continue;
      text += fmt::format("  {} of {} runs: {}\n  again: {}\n", group.failure.count, tally.count(),
                          group.failure.message, group.failure.reproduce);
    }
  }
  return text;
}

/// The policy to which the others are compared: [study] baseline if it runs; empty leaves the choice to reports.
std::string baseline_of(const Input& input, Console& console) {
  std::string name;
  for (const auto& [key, value] : input.scenario.study)
    if (key == "baseline") name = value;
  const bool runs = std::any_of(input.policies.begin(), input.policies.end(),
                                [&](const sim::PolicyChoice& policy) { return policy.label == name; });
  if (name.empty() || runs) return name;
  std::vector<std::string> labels;
  for (const sim::PolicyChoice& policy : input.policies) labels.push_back(policy.label);
  console.note(fmt::format("note: [study] baseline {} does not run here; compared with {} instead", name,
                           reports::reference_policy(labels)));
  return {};
}

}  // namespace

int compare_command(const Options& options, Console& console) {
  auto read = read_input(options, console);
  if (!read) return exit_usage;
  const auto input = std::make_shared<const Input>(std::move(*read));
  const auto place = prepare_output(options, input->scenario, console);
  if (!place) return exit_usage;
  const reports::Manifest manifest = begin_manifest(options, input->scenario, input->policies);
  auto folder = StandingFolder::make(*place);
  if (!folder) {
    console.error(fmt::format("--out {}", folder.error()));
    return exit_usage;
  }
  if (const auto written = reports::write_manifest(folder->path(), manifest); !written) {
    console.error(written.error());
    return exit_internal;
  }
  auto publication = Publication::start(options, *input);
  if (!publication) {
    console.error(publication.error());
    return exit_internal;
  }

  console.print("seeds {}..{} ({})\n", options.seeds.first, options.seeds.last, options.seeds.origin);
  tell_notes(*input, console);
  const std::string baseline = baseline_of(*input, console);
  (void)console.flush();
  const auto begun = std::chrono::steady_clock::now();
  const WorldSettings settings{.threads = options.jobs,
                               .keep = options.keep,
                               .metrics = options.metrics,
                               .verify = options.verify,
                               .manifest = manifest};
  const std::vector<WorldJob> jobs = jobs_of(options, *input, *place);
  CompareState state;
  state.tallies.resize(input->policies.size());
  state.verdicts.resize(input->policies.size());
  int interrupted = run_worlds(input, jobs, settings, console, [&](std::size_t job, const WorldDone& done) {
    if ((state.problem = done.problem)) return false;
    take_run(options, state, jobs, *input, job, done);
    return true;
  });
  const bool complete = state.rows.size() == jobs.size();
  if (!state.problem && complete) interrupted = keep_failures(input, jobs, *place, settings, console, state);
  const std::vector<reports::Comparison> comparisons = reports::compare(state.runs, baseline);
  const bool keeps_something = !state.rows.empty();
  if (!state.problem && keeps_something)
    state.problem = write_folder(*folder, manifest, state, comparisons, complete, begun);
  if (state.problem) {
    console.error(*state.problem);
    return exit_internal;
  }

  publish_policies(options, *input, jobs, complete, state, *publication);
  const std::string text = keeps_something ? describe_policies(*input, state) : std::string{};
  // One policy alone has nothing to be compared with, but numbers all the same.
  const std::string table =
      comparisons.empty() ? reports::spread_table(state.runs) : reports::compare_table({}, comparisons);
  console.print("{}{}{}", table, keeps_something ? "\n" : "", text);
  const std::string heading =
      fmt::format("compare {}, seeds {}..{}", input->scenario.name, options.seeds.first, options.seeds.last);
  const auto problem =
      publication->finish(console, heading, {}, {}, complete ? state.tally.verdict() : reports::unfinished, table);
  if (problem) console.error(*problem);
  if (interrupted != 0)
    console.error(fmt::format("interrupted; {} of {} runs finished", state.rows.size(), jobs.size()));
  if (keeps_something) console.print("further: {}/compare.csv\n{}\n", *place, *place);
  if (interrupted != 0) return interrupted;
  return problem ? exit_internal : state.tally.exit_code();
}

}  // namespace cli
