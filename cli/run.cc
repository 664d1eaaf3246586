#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/verdicts.h"
#include "reports/curve_text.h"
#include "reports/reproduce.h"
#include "reports/stored_run.h"
#include "reports/table.h"

namespace cli {

namespace {

using reports::AsideFolder;

/// What a run leaves, while it goes on.
struct RunState {
  Tally tally;
  std::vector<WorldDone> done;
  std::vector<reports::RunRow> rows;
  std::optional<std::string> problem;
};

/// A folder for several policies, or for one the proof that its folder can be made (which its own writer then makes).
model::Result<AsideFolder, std::string> make_folder(const Options& options, const std::string& place, bool several) {
  const bool may_replace = options.out.empty() || options.overwrite;
  auto folder = AsideFolder::make(place, may_replace ? AsideFolder::Existing::replace : AsideFolder::Existing::refuse);
  if (!folder) return model::Failed{fmt::format("--out {}: {}", place, folder.error())};
  if (!several) folder->discard();
  return folder;
}

std::vector<WorldJob> jobs_of(const Options& options, const Input& input, const AsideFolder& folder,
                              const std::string& place) {
  std::vector<WorldJob> jobs;
  const bool several = input.policies.size() > 1;
  for (std::size_t i = 0; i < input.policies.size(); ++i) {
    WorldJob job{.policy = i,
                 .seed = options.seeds.first,
                 .folder = place,
                 .replace_folder = options.out.empty() || options.overwrite};
    if (several) job.folder = fmt::format("{}/{}", folder.path(), reports::folder_name(input.policies[i].label));
    jobs.push_back(std::move(job));
  }
  return jobs;
}

/// runs.csv and the manifest of a folder with several policies, and the folder in its place.
std::optional<std::string> finish_folder(AsideFolder& folder, reports::Manifest manifest, const RunState& state,
                                         bool complete, std::chrono::steady_clock::time_point begun) {
  const auto wall = std::chrono::steady_clock::now() - begun;
  state.tally.fill(manifest, complete);
  manifest.wall_ms = std::chrono::duration_cast<std::chrono::milliseconds>(wall).count();
  if (auto written = reports::write_runs(folder.path(), state.rows); !written) return written.error();
  if (auto written = reports::write_manifest(folder.path(), manifest); !written) return written.error();
  if (auto placed = folder.put_in_place(); !placed) return placed.error();
  return std::nullopt;
}

/// `problem` with the place that the user knows instead of the folder aside.
std::string at_place(std::string problem, const std::string& aside, const std::string& place) {
  if (const std::size_t at = aside.empty() ? std::string::npos : problem.find(aside); at != std::string::npos) {
    problem.replace(at, aside.size(), place);
  }
  return problem;
}

void publish_policy(const Options& options, const Input& input, const WorldJob& job, const WorldDone& done,
                    Publication& publication) {
  auto failure = failure_of(options, done);
  if (!failure) return publication.complete(done.result.policy_label, {});
  const sim::Verdict verdict = done.result.summary.verdict;
  const bool could_tell = verdict == sim::Verdict::fail || differs_from_itself(done);
  if (!options.junit.empty()) failure->last_events = last_events(input, job, telling_event(done));
  publication.complete(done.result.policy_label, {*failure}, could_tell ? std::string{} : failure->message);
}

void print_runs(const Options& options, const RunState& state, const std::vector<reports::RunOverview>& overviews,
                const std::string& place, Console& console) {
  console.print(reports::run_table(overviews));
  console.print("{}\n\n", reports::headline(overviews));
  // The folder has the curves; what an interrupted run left of it may have none.
  if (const auto stored = reports::read_runs(place, /*partial=*/true)) {
    if (const std::string curve = reports::curve_text(*stored); !curve.empty()) console.print("{}\n", curve);
  }
  for (const WorldDone& done : state.done) console.print(describe_run(options, done));
}

}  // namespace

int run_command(const Options& options, Console& console) {
  auto read = read_input(options, console);
  if (!read) return exit_usage;
  const auto input = std::make_shared<const Input>(std::move(*read));
  const auto place = prepare_output(options, input->scenario, console);
  if (!place) return exit_usage;
  const bool several = input->policies.size() > 1;
  auto folder = make_folder(options, *place, several);
  if (!folder) {
    console.error(folder.error());
    return exit_usage;
  }
  auto publication = Publication::start(options, *input);
  if (!publication) {
    console.error(publication.error());
    return exit_internal;
  }

  console.print("seed {} ({})\n", options.seeds.first, options.seeds.origin);
  tell_notes(*input, console);
  (void)console.flush();
  const std::string aside = folder->path();
  const reports::Manifest manifest = begin_manifest(options, input->scenario, input->policies);
  const auto begun = std::chrono::steady_clock::now();
  const WorldSettings settings{.threads = options.jobs,
                               .keep = options.keep,
                               .metrics = options.metrics,
                               .dump_metadata = options.dump_metadata,
                               .verify = options.verify,
                               .manifest = manifest};
  const std::vector<WorldJob> jobs = jobs_of(options, *input, *folder, *place);
  RunState state;
  const int interrupted = run_worlds(input, jobs, settings, console, [&](std::size_t job, WorldDone done) {
    if ((state.problem = done.problem)) return false;
    state.tally.add(done);
    state.rows.push_back({done.result.summary, reports::folder_name(input->policies[jobs[job].policy].label)});
    publish_policy(options, *input, jobs[job], done, *publication);
    state.done.push_back(std::move(done));
    return true;
  });
  const bool complete = state.done.size() == jobs.size();
  const bool keeps_something = several && !state.done.empty();
  if (!state.problem && keeps_something) state.problem = finish_folder(*folder, manifest, state, complete, begun);
  if (state.problem) {
    console.error(at_place(*state.problem, aside, *place));
    folder->discard();
    return exit_internal;
  }
  folder->discard();

  std::vector<reports::RunOverview> overviews;
  for (const WorldDone& done : state.done) overviews.push_back(done.overview);
  if (!state.done.empty()) print_runs(options, state, overviews, *place, console);
  const std::string heading = fmt::format("run {}, seed {}", input->scenario.name, options.seeds.first);
  const auto problem = publication->finish(console, heading, reports::headline(overviews), overviews,
                                           complete ? state.tally.verdict() : reports::unfinished);
  if (problem) console.error(*problem);
  if (interrupted != 0)
    console.error(fmt::format("interrupted; {} of {} policies finished", state.done.size(), jobs.size()));
  if (!state.done.empty()) {
    console.print("further: flotsam report {}\n{}\n", reports::shell_quote(*place), *place);
  }
  if (interrupted != 0) return interrupted;
  return problem ? exit_internal : state.tally.exit_code();
}

}  // namespace cli
