#include <algorithm>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/kept_run.h"
#include "cli/replay_session.h"
#include "cli/verdicts.h"

namespace cli {

namespace {

/// The first violation that nobody expects, else the first; null when nothing broke.
const sim::Violation* telling_violation(const sim::RunResult& result) {
  for (std::size_t i = 0; i < result.violations.size(); ++i) {
    if (!result.expected[i]) return &result.violations[i];
  }
  return result.violations.empty() ? nullptr : &result.violations.front();
}

std::string events_before_violation(const KeptRun& kept, const WorldDone& done) {
  const sim::Violation* const violation = telling_violation(done.result);
  if (violation == nullptr) return "no invariant broke\n\n";
  const WorldJob job{.policy = 0, .seed = kept.folder.summary.seed, .folder = {}, .replace_folder = false};
  return fmt::format("the last events before {}\n{}\n", describe(*violation),
                     last_events(kept.input, job, violation->event));
}

/// Whether it is the kept run, in a line; and what that adds to the exit code.
std::pair<std::string, int> compare_with_kept(const KeptRun& kept, const WorldDone& done) {
  const std::uint64_t hash = kept.folder.summary.trace_hash;
  if (done.result.summary.trace_hash == hash) return {"the trace is the kept run's\n", exit_ok};
  const std::string kept_hash = reports::hash_text(hash);
  const std::string reason = reason_to_differ(kept);
  if (!reason.empty()) return {fmt::format("another trace than the kept run's {}: {}\n", kept_hash, reason), exit_ok};
  const bool is_dirty = kept.folder.manifest.commit.ends_with("-dirty");
  return {fmt::format("another trace than the kept run's {}, of the same commit: the same seed gave two traces{}\n",
                      kept_hash, is_dirty ? ", unless the tree, which was not committed, has changed since" : ""),
          exit_not_deterministic};
}

}  // namespace

int replay_command(const Options& options, Console& console) {
  auto folder = read_kept_folder(options.arguments.front());
  if (!folder) {
    console.error(folder.error());
    return exit_usage;
  }
  auto kept = read_kept_run(std::move(*folder), console);
  if (!kept) return exit_usage;
  const sim::Summary& summary = kept->folder.summary;
  console.print("seed {} (kept run), scenario {}, policy {}\n", summary.seed, summary.scenario, summary.policy);
  if (kept->is_edited) console.note("note: scenario.ini, its plan or an initial state was edited since the run");
  (void)console.flush();

  const bool looks = !options.until.empty() || !options.step.empty() || !options.why.empty();
  if (looks) {
    if (const int code = ReplaySession{*kept, options, console}.run(); code != exit_ok) return code;
  }

  const auto input = std::make_shared<const Input>(kept->input);
  WorldSettings settings;
  settings.verify = options.verify;
  std::optional<WorldDone> done;
  const WorldJob job{.policy = 0, .seed = summary.seed, .folder = {}, .replace_folder = false};
  const int interrupted = run_worlds(input, {job}, settings, console, [&](std::size_t, WorldDone world) {
    done = std::move(world);
    return true;
  });
  if (!done) return interrupted;
  if (done->problem) {
    console.error(*done->problem);
    return exit_internal;
  }
  if (!looks) console.print(events_before_violation(*kept, *done));
  const auto [sentence, code] = compare_with_kept(*kept, *done);
  console.print("{}{}{}\n", describe_run(options, *done), sentence, kept->folder.path);
  return worst_exit_code(exit_code_of(*done), code);
}

}  // namespace cli
