#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "cli/campaign.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/shard.h"
#include "reports/reproduce.h"
#include "reports/run_folder.h"

namespace cli {

namespace fs = std::filesystem;
using model::Failed;
using model::Result;

namespace {

struct Part {
  std::string folder;
  StoredCampaign campaign;
  Shard shard;
};

Result<Part, std::string> read_part(const std::string& folder, bool partial) {
  Part part;
  part.folder = folder;
  const auto manifest = reports::read_manifest(folder);
  if (!manifest) return Failed{manifest.error()};
  if (manifest->shard.empty()) return Failed{fmt::format("{}: is a whole campaign, no part of one", folder)};
  if (manifest->verdict == reports::unfinished && !partial)
    return Failed{
        fmt::format("{}: is not finished: go on with --resume, or take what is there with --partial", folder)};
  auto campaign = read_campaign(folder);
  if (!campaign) return Failed{campaign.error()};
  const auto shard = parse_shard(manifest->shard);
  if (!shard) return Failed{fmt::format("{}: {}", folder, shard.error())};
  part.campaign = std::move(*campaign);
  part.shard = *shard;
  return part;
}

/// How many rows a finished part has; nothing where its seeds are not a plain range.
std::optional<std::uint64_t> rows_of(const Part& part) {
  const reports::Manifest& manifest = part.campaign.manifest;
  const auto seeds = parse_seeds(manifest.seeds);
  if (!seeds) return std::nullopt;
  const std::uint64_t before = part.shard.index - 1;
  const std::uint64_t own = seeds->count() <= before ? 0 : (seeds->count() - before - 1) / part.shard.count + 1;
  return own * manifest.policies.size();
}

/// What speaks against making one of them; empty: nothing.
std::string misfit(const std::vector<Part>& parts, bool partial) {
  const Part& first = parts.front();
  std::set<std::uint64_t> seen;
  for (const Part& part : parts) {
    reports::Manifest same = part.campaign.manifest;
    same.shard = first.campaign.manifest.shard;
    if (const std::string difference = reports::campaign_difference(same, first.campaign.manifest); !difference.empty())
      return fmt::format("{} is no part of what {} is: {}", part.folder, first.folder, difference);
    if (part.shard.count != first.shard.count) {
      return fmt::format("{} is one of {} parts, {} one of {}", part.folder, part.shard.count, first.folder,
                         first.shard.count);
    }
    const auto rows = rows_of(part);
    if (rows && *rows != part.campaign.totals.rows && !partial) {
      return fmt::format("{}: runs.csv has {} rows of {}; --partial takes what is there", part.folder,
                         part.campaign.totals.rows, *rows);
    }
    if (!seen.insert(part.shard.index).second)
      return fmt::format("{}: part {} is there twice", part.folder, part.shard.index);
  }
  std::vector<std::uint64_t> missing;
  for (std::uint64_t index = 1; index <= first.shard.count; ++index) {
    if (seen.count(index) == 0) missing.push_back(index);
  }
  if (missing.empty() || partial) return {};
  return fmt::format("of {} parts {} missing: {}; --partial takes what is there", first.shard.count,
                     missing.size() == 1 ? "one is" : fmt::format("{} are", missing.size()), fmt::join(missing, ", "));
}

/// Seed by seed, as one campaign would have written them. What was kept of single failures is chosen again.
Result<void, std::string> merge_rows(const std::vector<Part>& parts, const std::string& to) {
  const std::size_t rows_a_seed = parts.front().campaign.manifest.policies.size();
  std::vector<std::ifstream> files;
  std::string line;
  for (const Part& part : parts) {
    files.emplace_back(part.folder + "/runs.csv", std::ios::binary);
    std::getline(files.back(), line);
  }
  reports::File out = reports::File::create(to);
  out.write(line + "\n");
  for (bool found = true; found;) {
    found = false;
    for (std::ifstream& file : files) {
      for (std::size_t row = 0; row < rows_a_seed && std::getline(file, line); ++row) {
        found = true;
        const std::size_t comma = line.rfind(',');
        if (line.compare(comma + 1, std::string_view{"failures/"}.size(), "failures/") == 0) line.resize(comma + 1);
        out.write(line);
        out.put('\n');
      }
    }
  }
  return out.close();
}

Result<void, std::string> copy_folder(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::create_directories(fs::path{to}.parent_path(), error);
  if (!error) fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
  if (error) return Failed{fmt::format("{}: {}", from, error.message())};
  return {};
}

/// The tallies as one; a failure's folder is where it lies now, whole.
sim::CampaignTally merge_tallies(const std::vector<Part>& parts) {
  sim::CampaignTally all;
  for (const Part& part : parts) {
    sim::CampaignTally tally = part.campaign.tally;
    for (auto& [signature, group] : tally.failures) {
      if (!group.folder.empty()) group.folder = fmt::format("{}/{}", part.folder, group.folder);
    }
    all.add(tally);
  }
  return all;
}

/// Puts the chosen failures' folders into the work folder.
Result<void, std::string> copy_kept(sim::CampaignTally& tally, const std::string& work,
                                    std::vector<KeptFailure>& kept) {
  std::map<std::pair<std::string, std::uint64_t>, std::string> sources;
  for (const auto& [signature, group] : tally.failures) {
    if (!group.folder.empty()) sources[{signature.policy, group.seed}] = group.folder;
  }
  kept = assign_kept(tally, /*every_run_is_kept=*/false);
  for (const KeptFailure& failure : kept) {
    const auto source = sources.find({failure.policy, failure.seed});
    if (source == sources.end()) continue;
    if (auto copied = copy_folder(source->second, work + "/" + failure.folder); !copied) return copied;
  }
  return {};
}

/// Where all runs were kept: their folders, as they are.
Result<void, std::string> copy_runs(const std::vector<Part>& parts, const std::string& place) {
  for (const Part& part : parts) {
    for (const std::string& policy : part.campaign.manifest.policies) {
      const std::string name = reports::folder_name(policy);
      std::error_code error;
      const std::string from = fmt::format("{}/{}", part.folder, name);
      if (!fs::exists(from, error)) continue;
      if (auto copied = copy_folder(from, fmt::format("{}/{}", place, name)); !copied) return copied;
    }
  }
  return {};
}

/// Everything into `folder`; the verdict's part is the caller's.
Result<CampaignEnd, std::string> merge_into(reports::CampaignFolder& folder, const std::vector<Part>& parts,
                                            const Input& input, reports::Manifest manifest, sim::CampaignTally& tally) {
  if (auto merged = merge_rows(parts, folder.runs_path()); !merged) return Failed{merged.error()};
  std::vector<KeptFailure> kept;
  if (auto copied = copy_kept(tally, folder.work(), kept); !copied) return Failed{copied.error()};
  if (auto copied = copy_runs(parts, folder.place()); !copied) return Failed{copied.error()};
  auto totals = reports::read_runs_totals(folder.runs_path());
  if (!totals) return Failed{totals.error()};
  auto rows = rows_of_kept(folder.runs_path(), kept);
  if (!rows) return Failed{rows.error()};
  std::string why;
  for (const Part& part : parts) {
    if (part.campaign.manifest.verdict == reports::unfinished) why = "some parts are not finished";
  }
  if (parts.size() < parts.front().shard.count)
    why = fmt::format("{} of {} parts are there", parts.size(), parts.front().shard.count);
  CampaignEnd end = end_of(std::move(manifest), std::move(*totals), tally,
                           sim::goals_missed(tally, input.drawer->options(), input.policies), why);
  for (const Part& part : parts) end.manifest.wall_ms += part.campaign.manifest.wall_ms;
  if (auto finished = folder.finish(tally, *rows, end.manifest, /*is_whole=*/true); !finished)
    return Failed{finished.error()};
  return end;
}

std::optional<std::vector<Part>> read_parts(const Options& options, Console& console) {
  std::vector<Part> parts;
  for (const std::string& folder : options.arguments) {
    auto part = read_part(folder, options.partial);
    if (!part) {
      console.error(part.error());
      return std::nullopt;
    }
    parts.push_back(std::move(*part));
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.shard.index < b.shard.index; });
  if (const std::string problem = misfit(parts, options.partial); !problem.empty()) {
    console.error(problem);
    return std::nullopt;
  }
  return parts;
}

}  // namespace

int merge_command(const Options& given, Console& console) {
  auto parts = read_parts(given, console);
  if (!parts) return exit_usage;
  reports::Manifest manifest = parts->front().campaign.manifest;
  manifest.shard.clear();
  manifest.verdict = reports::unfinished;
  manifest.wall_ms = 0;
  Options options = given;
  options.arguments = {parts->front().folder + "/scenario.ini"};
  options.policies = manifest.policies;
  auto input = read_input(options, console);
  if (!input || !make_drawer(options, *input, console)) return exit_usage;
  options.command = "merge";
  const auto place = prepare_output(options, input->scenario, console);
  if (!place) return exit_usage;
  auto standing = StandingFolder::make(*place);
  auto folder = standing ? reports::CampaignFolder::open(*place, manifest) : Failed{standing.error()};
  if (!folder) {
    console.error(fmt::format("--out {}", folder.error()));
    return exit_usage;
  }
  std::vector<std::string> labels = manifest.policies;
  auto junit = CampaignJUnit::start(options.junit, input->scenario.name, labels);
  if (!junit) {
    console.error(junit.error());
    return exit_internal;
  }
  sim::CampaignTally tally = merge_tallies(*parts);
  auto end = merge_into(*folder, *parts, *input, manifest, tally);
  std::optional<std::string> problem;
  if (!end) problem = end.error();
  for (const char* name : {"/scenario.ini", "/faults.plan.csv"}) {
    if (const auto copied = copy_folder(parts->front().folder + name, *place + name); !copied) problem = copied.error();
  }
  if (problem) {
    console.error(*problem);
    return exit_internal;
  }
  standing->keep();
  const auto failures = failures_of(tally, [&](const sim::Signature&, const sim::FailureGroup& group) {
    return fmt::format("flotsam replay {}", reports::shell_quote(*place + "/" + group.folder));
  });
  const std::string text = describe_campaign(*end, tally, failures, *place);
  console.print("{} of {} parts\n{}", parts->size(), parts->front().shard.count, text);
  problem = junit->complete(tally, failures, *end);
  if (auto published = publish_campaign(options, *end, failures, text, console); published) problem = published;
  if (problem) console.error(*problem);
  console.print("further: flotsam report {}\n{}\n", reports::shell_quote(*place), *place);
  return problem ? exit_internal : end->exit_code;
}

}  // namespace cli
