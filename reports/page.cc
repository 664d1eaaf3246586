#include "reports/page.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "reports/csv_stream.h"
#include "reports/import/instant.h"
#include "reports/junit.h"
#include "reports/lane_reader.h"
#include "reports/packed.h"
#include "reports/page_data.h"

namespace reports {
namespace {

/// Runs of several seeds tell the same story again and again, so the page takes those of the first seed.
void choose_runs(std::vector<StoredRun>& runs, const PageOptions& options, PageData& data) {
  const auto all = runs.size();
  if (all > options.runs) {
    const auto seed = runs.front().overview.summary.seed;
    std::erase_if(runs, [&](const StoredRun& run) { return run.overview.summary.seed != seed; });
    if (runs.size() > options.runs) runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(options.runs), runs.end());
  }
  data.runs_left_out = all - runs.size();
}

Result<std::vector<StoredRun>, Problem> read_folders(const PageOptions& options, PageData& data) {
  std::vector<StoredRun> runs;
  for (const auto& path : options.folders) {
    auto found = read_runs(path, options.partial);
    if (!found) return Failed{found.error()};
    std::move(found->begin(), found->end(), std::back_inserter(runs));
    PageFolder folder{.path = path};
    auto manifest = read_manifest(path);
    if (!manifest) return Failed{manifest.error()};
    folder.manifest = std::move(*manifest);
    std::error_code error;
    folder.has_comparison = std::filesystem::exists(path + "/compare.csv", error);
    data.folders.push_back(std::move(folder));
  }
  return runs;
}

/// An import's times count from 1970, the page's from its first record: how much lies between. Zero for a run.
Result<std::int64_t, Problem> begin_at_first_record(StoredRun& run) {
  if (run.manifest.kind != import_kind) return std::int64_t{0};
  using namespace std::string_view_literals;
  constexpr std::array columns{"time_ms"sv};
  auto rows = CsvStream::open(run.folder + "/curves.csv", columns);
  if (!rows) return Failed{rows.error()};
  const auto origin = rows->next() ? rows->integer(0) : 0;
  run.manifest.start = instant_text(origin);
  run.manifest.world_ms -= origin;
  return origin;
}

/// What a browser needs before it runs the script: nothing is ever fetched, and the sentence shows without a script.
std::string head(const PageData& data) {
  const auto& manifest = data.folders.front().manifest;
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{} - flotsam</title>\n<style>\n{}</style>\n</head>\n<body>\n<main id=\"page\"><h1>{}</h1>"
      "<noscript><p>The pictures need a script, which this browser does not run.</p></noscript></main>\n",
      xml_escape(manifest.scenario), page_bundle().style, xml_escape(page_headline(data)));
}

void write_part(File& file, std::string_view id, std::string_view packed_json) {
  file.write(fmt::format("<script type=\"text/plain\" id=\"{}\">", id));
  file.write(packed_json);
  file.write("</script>\n");
}

/// The lanes as they stand in the page; copies are taken out of the book until they fit.
std::string packed_lanes(LaneBook& book, Words& ids, std::size_t limit) {
  auto lanes = packed(to_json(book, ids));
  // A tenth less than the proportion, because what is left may be what has most to tell.
  while (lanes.size() > limit && !book.copies.empty()) {
    const auto part = 0.9 * static_cast<double>(limit) / static_cast<double>(lanes.size());
    thin_copies(book, static_cast<std::size_t>(part * static_cast<double>(book.copies.size())));
    lanes = packed(to_json(book, ids));
  }
  return lanes;
}

/// Of each run in its order; what one run does not need is left to the others.
std::vector<std::string> packed_lanes(std::vector<PageRun>& runs, Words& ids, std::size_t limit) {
  std::vector<std::string> lanes;
  for (auto& run : runs) {
    lanes.push_back(packed_lanes(run.book, ids, limit / (runs.size() - lanes.size())));
    limit -= std::min(limit, lanes.back().size());
  }
  return lanes;
}

}  // namespace

Result<void, Problem> write_page(const std::string& path, const PageOptions& options) {
  PageData data;
  auto stored = read_folders(options, data);
  if (!stored) return Failed{stored.error()};
  choose_runs(*stored, options, data);

  const LaneLimits limits{.copies = options.copies / std::max<std::size_t>(1, stored->size())};
  for (auto& run : *stored) {
    PageRun shown{.stored = std::move(run)};
    auto origin = begin_at_first_record(shown.stored);
    if (!origin) return Failed{origin.error()};
    auto run_limits = limits;
    run_limits.origin_ms = *origin;
    auto curves = TopicCurves::read(shown.stored.folder + "/curves.csv", options.curve_rows, *origin);
    if (!curves) return Failed{curves.error()};
    shown.curves = std::move(*curves);
    auto book = read_lanes(shown.stored.folder, run_limits);
    if (!book) return Failed{book.error()};
    shown.book = std::move(*book);
    data.runs.push_back(std::move(shown));
  }
  // Before the rest is written, which says what was left out.
  Words ids;
  const auto lanes = packed_lanes(data.runs, ids, options.lane_bytes);
  const auto json = to_json(data);
  if (!json) return Failed{json.error()};

  const auto aside = path + ".new";
  File file = File::create(aside);
  file.write(head(data));
  write_part(file, "core", packed(*json));
  file.write("<script>\n");
  file.write(page_bundle().script);
  file.write("</script>\n");
  // The lanes follow the script: the page above them stands while they are still being read.
  write_part(file, "ids", packed(to_json(ids)));
  for (std::size_t run = 0; run < data.runs.size(); ++run) {
    write_part(file, fmt::format("lanes-{}", run), lanes[run]);
    if (const auto& curves = data.runs[run].curves; !curves.topics.empty())
      write_part(file, fmt::format("topics-{}", run), packed(to_json(curves)));
  }
  file.write("</body>\n</html>\n");
  std::error_code error;
  if (auto closed = file.close(); !closed) {
    std::filesystem::remove(aside, error);
    return closed;
  }
  std::filesystem::rename(aside, path, error);
  if (!error) return {};
  const auto problem = problem_with(path, error.value());
  std::filesystem::remove(aside, error);
  return Failed{problem};
}

}  // namespace reports
