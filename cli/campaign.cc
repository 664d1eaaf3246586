#include "cli/campaign.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/shard.h"
#include "cli/signals.h"
#include "cli/worlds.h"
#include "reports/human.h"
#include "reports/reproduce.h"
#include "sim/scenario/names.h"
#include "sim/search/in_order.h"

namespace cli {

using model::Failed;
using model::Result;

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr auto checkpoint_every = std::chrono::seconds{2};
constexpr auto show_every = std::chrono::milliseconds{100};
/// Without --seeds a time budget is the size.
constexpr std::uint64_t seeds_without_end = 1'000'000'000'000;

/// The seeds of a campaign in their order: those that failed before, then the range without them.
class SeedList {
 public:
  SeedList(std::vector<std::uint64_t> corpus, std::uint64_t first, std::uint64_t count, const Shard& shard)
      : corpus_(std::move(corpus)), first_(first), shard_(shard) {
    for (const std::uint64_t seed : corpus_) {
      if (seed >= first && seed - first < count) in_range_.push_back(seed);
    }
    std::sort(in_range_.begin(), in_range_.end());
    all_ = corpus_.size() + count - in_range_.size();
  }

  /// How many this shard has.
  std::uint64_t size() const { return all_ < shard_.index ? 0 : (all_ - shard_.index) / shard_.count + 1; }
  std::uint64_t operator[](std::uint64_t number) const {
    const std::uint64_t at = shard_.index - 1 + number * shard_.count;
    if (at < corpus_.size()) return corpus_[at];
    std::uint64_t seed = first_ + at - corpus_.size();
    for (const std::uint64_t passed : in_range_) {
      if (passed <= seed) ++seed;
    }
    return seed;
  }

 private:
  std::vector<std::uint64_t> corpus_;
  std::vector<std::uint64_t> in_range_;
  std::uint64_t first_;
  std::uint64_t all_ = 0;
  Shard shard_;
};

/// Seeds one a line; what follows the number is a remark, `#` begins one too.
Result<std::vector<std::uint64_t>, std::string> read_corpus(const std::string& path) {
  std::vector<std::uint64_t> seeds;
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return seeds;
  const auto text = reports::read_file(path);
  if (!text) return Failed{text.error()};
  int number = 0;
  for (std::string_view rest = *text; !rest.empty();) {
    ++number;
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const auto words = sim::split_list(rest.substr(0, end), " \t\r,");
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (words.empty() || words.front().starts_with('#')) continue;
    const auto seed = parse_seed(words.front());
    if (!seed) return Failed{fmt::format("{}:{}: {}", path, number, seed.error())};
    if (std::find(seeds.begin(), seeds.end(), seed->first) == seeds.end()) seeds.push_back(seed->first);
  }
  return seeds;
}

/// Everything that does not change while the seeds run.
struct Plan {
  std::shared_ptr<const Input> input;
  Options options;
  Shard shard;
  SeedList seeds;
  std::string place;
  reports::Manifest manifest;
};

/// One seed under every policy.
struct SeedDone {
  std::uint64_t seed = 0;
  std::vector<sim::CampaignRun> runs;
  std::vector<std::string> folders;
  std::optional<std::string> problem;
};

std::unique_ptr<reports::RunFolderWriter> writer_for(const Plan& plan, const std::string& folder, reports::Keep keep) {
  reports::RunFolderOptions options;
  options.folder = folder;
  options.existing = reports::AsideFolder::Existing::replace;
  options.keep = keep;
  options.manifest = plan.manifest;
  options.manifest.shard.clear();
  return std::make_unique<reports::RunFolderWriter>(std::move(options));
}

SeedDone run_seed(const Plan& plan, std::uint64_t seed) {
  SeedDone done;
  done.seed = seed;
  const sim::ChaosOptions& chaos = plan.input->drawer->options();
  try {
    const auto drawn = plan.input->drawer->draw(seed);
    if (!drawn) {
      done.problem = to_string(drawn.error().front());
      return done;
    }
    for (const sim::PolicyChoice& choice : plan.input->policies) {
      const auto policy = sim::read_policy_choice(choice.label, *drawn);
      if (!policy) {
        done.problem = policy.error();
        return done;
      }
      std::unique_ptr<reports::RunFolderWriter> writer;
      const std::string folder =
          plan.options.keep == reports::Keep::summary ? std::string{} : run_folder(choice.label, seed);
      if (!folder.empty()) writer = writer_for(plan, plan.place + "/" + folder, plan.options.keep);
      sim::CampaignRun run = sim::run_campaign_world(*drawn, *policy, seed, chaos, writer.get());
      if (sim::runs_twice(seed, chaos)) sim::run_again(*drawn, *policy, run);
      if (writer) {
        if (const auto finished = writer->finish(); !finished) done.problem = finished.error();
      }
      done.runs.push_back(std::move(run));
      done.folders.push_back(folder);
    }
  } catch (const std::exception& problem) {
    done.problem = fmt::format("seed {}: {}", seed, problem.what());
  }
  return done;
}

/// The campaign while it goes on.
struct Progress {
  sim::CampaignTally tally;
  std::uint64_t done = 0;
  std::uint64_t resumed = 0;
  Clock::time_point begun = Clock::now();
  Clock::time_point saved = Clock::now();
  std::optional<std::string> problem;
  int interrupted = 0;
  bool out_of_time = false;
};

void show(const Plan& plan, const Progress& progress, Console& console) {
  const double elapsed = Seconds{Clock::now() - progress.begun}.count();
  const double rate = static_cast<double>(progress.done - progress.resumed) / std::max(elapsed, 0.001);
  const bool has_size = plan.seeds.size() < seeds_without_end / 2;
  std::string left;
  if (plan.options.time_budget) {
    const Seconds budget{*plan.options.time_budget};
    left = fmt::format(", {:.0f} s left", std::max(0.0, budget.count() - elapsed));
  } else if (rate > 0) {
    left = fmt::format(", {:.0f} s left", static_cast<double>(plan.seeds.size() - progress.done) / rate);
  }
  const auto missed = sim::goals_missed(progress.tally, plan.input->drawer->options(), plan.input->policies).size();
  console.progress(fmt::format("{}{} seeds, {:.0f}/s{}, {} unexpected, {} goals to go", progress.done,
                               has_size ? fmt::format(" of {}", plan.seeds.size()) : std::string{}, rate, left,
                               unexpected_failures(progress.tally).size(), missed),
                   elapsed);
}

bool take_seed(SeedDone done, reports::CampaignFolder& folder, Progress& progress) {
  if (done.problem) {
    progress.problem = std::move(done.problem);
    return false;
  }
  std::vector<sim::Summary> summaries;
  for (const sim::CampaignRun& run : done.runs) {
    progress.tally.add(run);
    summaries.push_back(run.summary);
  }
  folder.add(summaries, done.folders);
  ++progress.done;
  if (Clock::now() - progress.saved < checkpoint_every) return true;
  progress.saved = Clock::now();
  if (const auto saved = folder.checkpoint(progress.done, progress.tally); !saved) progress.problem = saved.error();
  return !progress.problem;
}

void run_seeds(const Plan& plan, reports::CampaignFolder& folder, Progress& progress, Console& console) {
  const std::uint64_t resumed = progress.done;
  progress.resumed = resumed;
  const auto budget = plan.options.time_budget;
  auto shown = progress.begun;
  sim::run_in_order<SeedDone>(
      plan.seeds.size() - resumed, plan.options.jobs,
      [&](std::size_t piece) { return run_seed(plan, plan.seeds[resumed + piece]); },
      [&](std::size_t, SeedDone done) { return take_seed(std::move(done), folder, progress); },
      [&] {
        if (Clock::now() - shown >= show_every) {
          shown = Clock::now();
          show(plan, progress, console);
        }
        progress.interrupted = SignalScope::interrupted();
        progress.out_of_time = budget && Clock::now() - progress.begun >= *budget;
        return progress.interrupted == 0 && !progress.out_of_time;
      });
  console.end_progress();
  if (progress.problem) return;
  if (const auto saved = folder.checkpoint(progress.done, progress.tally); !saved) progress.problem = saved.error();
}

/// Runs what is kept once more, with all its files.
std::optional<std::string> keep_failures(const Plan& plan, const std::vector<KeptFailure>& kept,
                                         const reports::CampaignFolder& folder) {
  for (const KeptFailure& failure : kept) {
    const auto drawn = plan.input->drawer->draw(failure.seed);
    if (!drawn) return to_string(drawn.error().front());
    const auto policy = sim::read_policy_choice(failure.policy, *drawn);
    if (!policy) return policy.error();
    auto writer = writer_for(plan, folder.work() + "/" + failure.folder, reports::Keep::all);
    (void)sim::run_campaign_world(*drawn, *policy, failure.seed, plan.input->drawer->options(), writer.get());
    if (const auto finished = writer->finish(); !finished) return finished.error();
  }
  return std::nullopt;
}

std::string reproduce(const Plan& plan, const sim::Signature& signature, const sim::FailureGroup& group) {
  reports::Reproduction reproduction;
  reproduction.command = "campaign";
  reproduction.scenario = plan.options.arguments.front();
  reproduction.policies = {signature.policy};
  reproduction.sets = plan.options.sets;
  reproduction.options = {"--seeds", fmt::format("{}..{}", group.seed, group.seed)};
  for (const std::string& file : plan.options.configs.broker)
    reproduction.options.insert(reproduction.options.end(), {"--broker-config", file});
  for (const std::string& file : plan.options.configs.topic)
    reproduction.options.insert(reproduction.options.end(), {"--topic-config", file});
  return reports::reproduce_command(reproduction);
}

/// The seeds of what failed go to the corpus, unless they are there.
std::optional<std::string> extend_corpus(const Plan& plan, const sim::CampaignTally& tally) {
  if (plan.options.corpus.empty()) return std::nullopt;
  const auto known = read_corpus(plan.options.corpus);
  if (!known) return known.error();
  std::string text;
  std::vector<std::uint64_t> there = *known;
  for (const auto& [signature, group] : unexpected_failures(tally)) {
    if (std::find(there.begin(), there.end(), group.seed) != there.end()) continue;
    there.push_back(group.seed);
    text += fmt::format("{} {}\n", group.seed, to_string(signature));
  }
  if (text.empty()) return std::nullopt;
  const auto written = reports::append_file(plan.options.corpus, text);
  return written ? std::nullopt : std::optional{written.error()};
}

/// The last 20 events before each, for JUnit.
void add_last_events(const Plan& plan, const sim::CampaignTally& tally, std::vector<reports::Failure>& failures) {
  if (plan.options.junit.empty()) return;
  const auto list = unexpected_failures(tally);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto drawn = plan.input->drawer->draw(list[i].second.seed);
    if (!drawn) continue;
    const auto policy = sim::read_policy_choice(list[i].first.policy, *drawn);
    if (policy) failures[i].last_events = last_events(*drawn, *policy, list[i].second.seed, list[i].second.event);
  }
}

std::vector<std::size_t> missed_by(const Plan& plan, const sim::CampaignTally& tally) {
  return sim::goals_missed(tally, plan.input->drawer->options(), plan.input->policies);
}

/// From what the seeds left to the folder, the words and the exit code.
int finish(const Plan& plan, reports::CampaignFolder& folder, Progress& progress, CampaignJUnit& junit,
           Console& console) {
  const bool keeps_all = plan.options.keep == reports::Keep::all;
  std::vector<KeptFailure> kept;
  if (progress.interrupted == 0) {
    kept = assign_kept(progress.tally, keeps_all);
    progress.problem = keep_failures(plan, kept, folder);
  }
  auto totals = reports::read_runs_totals(folder.runs_path());
  auto rows = rows_of_kept(folder.runs_path(), kept);
  if (!progress.problem && !totals) progress.problem = totals.error();
  if (!progress.problem && !rows) progress.problem = rows.error();
  if (progress.problem) {
    console.error(*progress.problem);
    return exit_internal;
  }
  const bool is_whole = progress.done == plan.seeds.size();
  const bool is_sized = !plan.options.time_budget || !plan.options.default_seeds;
  std::string why;
  if (!is_whole && is_sized) why = fmt::format("{} of {} seeds were run", progress.done, plan.seeds.size());
  CampaignEnd end = end_of(plan.manifest, std::move(*totals), progress.tally,
                           sim::goals_missed(progress.tally, plan.input->drawer->options(), plan.input->policies), why);
  if (progress.interrupted != 0) end.manifest.verdict = reports::unfinished;
  // Where the time was the size, what it came to is known now.
  if (!is_sized && progress.interrupted == 0 && !plan.shard.is_part() && plan.options.corpus.empty() &&
      progress.done > 0)
    end.manifest.seeds = fmt::format("{}..{}", plan.options.seeds.first, plan.options.seeds.first + progress.done - 1);
  end.manifest.wall_ms = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - progress.begun).count();
  if (const auto finished = folder.finish(progress.tally, *rows, end.manifest, is_whole || !is_sized); !finished) {
    console.error(finished.error());
    return exit_internal;
  }
  auto failures = failures_of(progress.tally, [&](const sim::Signature& signature, const sim::FailureGroup& group) {
    return reproduce(plan, signature, group);
  });
  const std::string text = describe_campaign(end, progress.tally, failures, plan.place);
  console.print(text);
  std::optional<std::string> problem;
  if (progress.interrupted == 0) {
    add_last_events(plan, progress.tally, failures);
    problem = junit.complete(progress.tally, failures, end);
    if (auto published = publish_campaign(plan.options, end, failures, text, console); published) problem = published;
    if (auto extended = extend_corpus(plan, progress.tally); extended) problem = extended;
  } else {
    console.error(
        fmt::format("interrupted; {} of {} seeds are kept; --resume goes on", progress.done, plan.seeds.size()));
  }
  if (problem) console.error(*problem);
  console.print("further: flotsam report {}\n{}\n", reports::shell_quote(plan.place), plan.place);
  if (progress.interrupted != 0) return progress.interrupted;
  return problem ? exit_internal : end.exit_code;
}

/// Whether the folder holds this campaign whole: nothing is left to go on with.
bool is_finished(const Plan& plan) {
  const auto there = reports::read_manifest(plan.place);
  if (!there || there->verdict == reports::unfinished) return false;
  if (!reports::campaign_difference(*there, plan.manifest).empty()) return false;
  // A time budget may have ended it before its size.
  const auto totals = reports::read_runs_totals(plan.place + "/runs.csv");
  const bool is_sized = !plan.options.time_budget || !plan.options.default_seeds;
  return totals && (!is_sized || totals->rows >= plan.seeds.size() * plan.input->policies.size());
}

/// What it came to, from its folder.
int tell_finished(const Plan& plan, Console& console) {
  auto stored = read_campaign(plan.place);
  if (!stored) {
    console.error(stored.error());
    return exit_internal;
  }
  const CampaignEnd end = end_of(stored->manifest, stored->totals, stored->tally, missed_by(plan, stored->tally), {});
  const auto failures = failures_of(
      stored->tally, [&](const auto& signature, const auto& group) { return reproduce(plan, signature, group); });
  console.print("was finished before\n{}{}\n", describe_campaign(end, stored->tally, failures, plan.place), plan.place);
  return end.exit_code;
}

/// Whether what another process left or leaves at the folder's place is gone on with.
bool joins_folder(const Options& options, const Shard& shard) {
  return options.resume || (options.out.empty() && shard.is_part());
}

/// Where the folder stands: parts of one campaign stand beside each other.
std::optional<std::string> place_of(const Options& options, const Shard& shard, const sim::Scenario& scenario,
                                    Console& console) {
  Options named = options;
  if (named.out.empty() && shard.is_part())
    named.out =
        fmt::format("flotsam-out/campaign-{}.{}-of-{}", reports::folder_name(scenario.name), shard.index, shard.count);
  std::error_code error;
  const std::string wanted =
      named.out.empty() ? fmt::format("flotsam-out/campaign-{}", reports::folder_name(scenario.name)) : named.out;
  if (joins_folder(options, shard) && std::filesystem::exists(wanted, error)) {
    // The folder's manifest says whether it is ours; another campaign's is told when it is opened.
    if (const auto manifest = reports::read_manifest(wanted); manifest || std::filesystem::is_empty(wanted, error))
      return wanted;
  }
  named.overwrite = named.overwrite || options.out.empty();
  return prepare_output(named, scenario, console);
}

std::optional<Plan> make_plan(const Options& given, Console& console) {
  Options options = given;
  if (options.arguments.empty()) options.arguments = {"chaos"};
  auto read = read_input(options, console);
  if (!read || !make_drawer(options, *read, console)) return std::nullopt;
  const auto shard = find_shard(options.shard, console);
  const auto corpus = read_corpus(options.corpus);
  if (!shard || !corpus) {
    console.error(!shard ? shard.error() : corpus.error());
    return std::nullopt;
  }
  const bool is_endless = options.time_budget && options.default_seeds;
  const std::uint64_t count = is_endless ? seeds_without_end : options.seeds.count();
  const auto place = place_of(options, *shard, read->scenario, console);
  if (!place) return std::nullopt;
  reports::Manifest manifest = begin_manifest(options, read->scenario, read->policies);
  manifest.seeds = is_endless ? fmt::format("{}..", options.seeds.first)
                              : fmt::format("{}..{}", options.seeds.first, options.seeds.last);
  if (!corpus->empty()) manifest.seeds += fmt::format(" after {}", fmt::join(*corpus, ","));
  manifest.shard = shard->text();
  SeedList seeds{*corpus, options.seeds.first, count, *shard};
  return Plan{std::make_shared<const Input>(std::move(*read)),
              std::move(options),
              *shard,
              std::move(seeds),
              *place,
              std::move(manifest)};
}

}  // namespace

int campaign_command(const Options& options, Console& console) {
  const auto plan = make_plan(options, console);
  if (!plan) return exit_usage;
  const bool joins = joins_folder(plan->options, plan->shard);
  if (joins && is_finished(*plan)) return tell_finished(*plan, console);
  std::optional<StandingFolder> standing;
  if (!joins) {
    auto made = StandingFolder::make(plan->place);
    if (!made) {
      console.error(fmt::format("--out {}", made.error()));
      return exit_usage;
    }
    standing.emplace(std::move(*made));
  }
  auto folder = reports::CampaignFolder::open(plan->place, plan->manifest);
  if (!folder) {
    console.error(fmt::format("--out {}", folder.error()));
    return exit_usage;
  }
  for (const auto& written :
       {reports::replace_file(plan->place + "/scenario.ini", plan->input->scenario.text),
        reports::replace_file(plan->place + "/faults.plan.csv", plan->input->scenario.plan_text)}) {
    if (written) continue;
    console.error(written.error());
    return exit_internal;
  }
  // From here on what is done is worth more than what was there before.
  if (standing) standing->keep();
  std::vector<std::string> labels;
  for (const sim::PolicyChoice& policy : plan->input->policies) labels.push_back(policy.label);
  auto junit = CampaignJUnit::start(plan->options.junit, plan->input->scenario.name, labels);
  if (!junit) {
    console.error(junit.error());
    return exit_internal;
  }
  console.print(
      "seeds {} ({}){}\n", plan->manifest.seeds, plan->options.seeds.origin,
      plan->shard.is_part() ? fmt::format(", shard {} ({})", plan->shard.text(), plan->shard.origin) : std::string{});
  Progress progress;
  if (joins) progress.done = std::min(folder->resume(progress.tally), plan->seeds.size());
  if (progress.done > 0) console.print("{} seeds were done before\n", progress.done);
  for (const std::string& note : plan->input->scenario.notes) console.note(fmt::format("note: {}", note));
  (void)console.flush();
  run_seeds(*plan, *folder, progress, console);
  if (progress.problem) {
    console.error(*progress.problem);
    return exit_internal;
  }
  return finish(*plan, *folder, progress, *junit, console);
}

}  // namespace cli
