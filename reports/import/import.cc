#include "reports/import/import.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "reports/import/instant.h"
#include "reports/import/transition_files.h"
#include "reports/summary_row.h"
#include "sim/scenario/names.h"

namespace reports {
namespace {

class Import {
 public:
  explicit Import(const ImportOptions& options, AsideFolder folder)
      : options_(options),
        folder_(std::move(folder)),
        files_(folder_.path()),
        fold_(files_, options.topics, options.anonymise ? &anonymiser_ : nullptr),
        reader_(fold_, options.stop) {
    files_.name_states(fold_.states());
    reader_.on_progress(options.progress);
  }

  Result<ImportResult, ImportProblem> run() {
    if (auto read = reader_.read(options_.dumps); !read) return Failed{ImportProblem{true, read.error()}};
    if (reader_.counts().taken == 0) return Failed{ImportProblem{true, why_nothing_was_taken()}};
    if (auto problem = problem_of_now(); !problem.empty()) return Failed{ImportProblem{true, problem}};
    if (!options_.listing.empty()) {
      listing_.emplace(fold_, options_.anonymise ? &anonymiser_ : nullptr);
      if (auto joined = listing_->join(options_.listing); !joined) return Failed{ImportProblem{true, joined.error()}};
    }
    tell();
    if (auto written = write(); !written) return Failed{ImportProblem{false, place_in(written.error())}};
    if (auto placed = folder_.put_in_place(); !placed) return Failed{ImportProblem{false, placed.error()}};
    return result_;
  }

 private:
  Problem why_nothing_was_taken() const {
    const auto& counts = reader_.counts();
    const auto& first = options_.dumps.front();
    const std::string_view name = first == "-" ? "standard input" : std::string_view{first};
    if (counts.lines == 0 && counts.notes.empty() && counts.files == 1)
      return fmt::format("no record in {}: it is empty", name);
    if (counts.other_topics > 0) {
      const auto& seen = fold_.passed_over();
      const std::vector<std::string> names(seen.begin(), seen.end());
      const auto& asked = *options_.topics.begin();
      return fmt::format("no record of --topic {}{}", sim::quoted(asked), sim::suggestion(asked, names));
    }
    auto text = fmt::format("no record of __remote_log_metadata in {} line{} of {}", counts.lines,
                            counts.lines == 1 ? "" : "s", name);
    if (counts.files > 1) text += fmt::format(" and {} more", counts.files - 1);
    if (counts.unreadable > 0)
      text += fmt::format("; {} unreadable, the first {}:{}: {}", counts.unreadable, counts.told.front().file,
                          counts.told.front().line, counts.told.front().reason);
    if (counts.undecodable > 0) text += fmt::format("; {} that the dump tool could not decode", counts.undecodable);
    for (const auto& note : counts.notes) text += "; " + note;
    return text;
  }

  /// A time before the last record cannot be when the dump was made, but for a difference of clocks.
  Problem problem_of_now() const {
    constexpr std::int64_t skew_ms = 60'000;
    const auto last_ms = fold_.last_ms().value_or(0);
    if (!options_.now_ms || *options_.now_ms >= last_ms - skew_ms) return {};
    return fmt::format("--now {} is before the dump's last record, {}", instant_text(*options_.now_ms),
                       instant_text(last_ms));
  }

  void tell() {
    result_.counts = reader_.counts();
    result_.first_ms = fold_.first_ms();
    result_.last_ms = fold_.last_ms();
    result_.applied = fold_.applied_count();
    result_.dropped = fold_.dropped_count();
    result_.topics = fold_.topics().size();
    result_.partitions = fold_.partitions().size();
    result_.segments = fold_.segments().size();
    result_.segments_most = fold_.segments().size_most();
  }

  Result<void, Problem> write() {
    fold_.segments().for_each([&](const ImportedSegment& segment) {
      if (segment.is_unfounded) return;  // None of its transitions applied.
      const auto& topic = fold_.topics()[fold_.partitions()[segment.partition].topic];
      files_.curves().remain(topic.name, segment.size_bytes, segment.state, segment.since_ms);
    });
    if (auto closed = files_.close(); !closed) return closed;
    if (auto written = files_.curves().write(folder_.path() + "/curves.csv"); !written) return written;
    auto manifest = options_.manifest;
    manifest.start = instant_text(0);
    manifest.transitions = fold_.applied_count();
    manifest.events = reader_.counts().taken;
    manifest.world_ms = fold_.last_ms().value_or(0);
    if (auto found = write_findings(); !found) return found;
    if (auto written = write_rows("/summary.csv", "", ""); !written) return written;
    if (auto written = write_rows("/runs.csv", ",folder", ",."); !written) return written;
    return write_manifest(folder_.path(), manifest);
  }

  Result<void, Problem> write_findings() {
    FindingRules rules{.version = options_.version,
                       .config = config(),
                       .now_ms = options_.now_ms.value_or(fold_.last_ms().value_or(0)),
                       .grace_ms = options_.grace_ms};
    if (listing_) {
      // A listing without times is as old as the dump at least.
      rules.listing_ms = options_.listing_ms ? options_.listing_ms : listing_->totals().youngest_ms;
      if (!rules.listing_ms) rules.listing_ms = rules.now_ms;
    }
    FindingFile out{folder_.path() + "/findings.csv", rules.now_ms};
    find_leftovers(fold_, rules, out);
    if (listing_) {
      if (auto found = listing_->find_orphans(options_.listing, rules, out); !found) return found;
      result_.listing = listing_->totals();
    }
    auto scenario = write_scenario_files(folder_.path(), options_.manifest.scenario, fold_, rules);
    if (!scenario) return Failed{scenario.error()};
    result_.scenario = *scenario;
    tell_deleted_topics();
    result_.now_ms = rules.now_ms;
    result_.waste = out.waste();
    result_.is_anonymised = options_.anonymise;
    result_.real_waste_bytes = options_.anonymise ? anonymiser_.real_size(out.waste().bytes) : out.waste().bytes;
    result_.findings = out.counts();
    result_.config_names_no_topic = !options_.config.topics.empty();
    for (const auto& topic : fold_.topics()) {
      result_.lacks_retention = result_.lacks_retention || !rules.config.of(topic.name).milliseconds;
      if (rules.config.topics.find(topic.name) != rules.config.topics.end()) result_.config_names_no_topic = false;
    }
    return out.close();
  }

  void tell_deleted_topics() {
    const auto& scenario = result_.scenario;
    if (scenario.of_deleted_topics == 0) return;
    result_.counts.notes.push_back(
        scenario.has_scenario()
            ? fmt::format("the scenario leaves out {} copies of deleted topics", scenario.of_deleted_topics)
            : fmt::format("no scenario.ini: all {} copies are of deleted topics", scenario.of_deleted_topics));
  }

  /// By the names that the topics have in the folder.
  ImportConfig config() const {
    if (!options_.anonymise) return options_.config;
    ImportConfig config{.others = options_.config.others};
    for (const auto& [name, retention] : options_.config.topics)
      if (const auto changed = anonymiser_.new_name(name); !changed.empty()) config.topics.emplace(changed, retention);
    return config;
  }

  /// The one row of summary.csv and runs.csv: what was recorded stands where a policy would, and nearly all else is not
  /// known and empty.
  Result<void, Problem> write_rows(const std::string& name, std::string_view more_columns, std::string_view more) {
    std::string row;
    for (std::string_view rest = summary_columns; !rest.empty();) {
      const auto end = std::min(rest.find(','), rest.size());
      const auto column = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!row.empty()) row += ',';
      if (column == "scenario") row += csv_field(options_.manifest.scenario);
      if (column == "policy") row += "recorded";
      if (column == "outcome" || column == "verdict") row += options_.manifest.outcome;
      if (column == "metadata_records") row += std::to_string(reader_.counts().taken);
      if (column == "transitions") row += std::to_string(fold_.applied_count());
    }
    return write_file(folder_.path() + name, fmt::format("{}{}\n{}{}\n", summary_columns, more_columns, row, more));
  }

  /// Files name themselves by where they are written; the user knows where they would have stood.
  Problem place_in(Problem problem) const {
    if (problem.starts_with(folder_.path())) problem.replace(0, folder_.path().size(), folder_.place());
    return problem;
  }

  const ImportOptions& options_;
  AsideFolder folder_;
  Anonymiser anonymiser_;
  TransitionFiles files_;
  DumpFold fold_;
  DumpReader reader_;
  std::optional<ListingJoin> listing_;
  ImportResult result_;
};

}  // namespace

Result<ImportResult, ImportProblem> import_dumps(const ImportOptions& options) {
  auto folder = AsideFolder::make(options.folder, options.existing);
  if (!folder) return Failed{ImportProblem{false, folder.error()}};
  return Import{options, std::move(*folder)}.run();
}

}  // namespace reports
