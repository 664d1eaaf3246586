#include "reports/import/import.h"

#include <array>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "reports/import/cluster_config.h"
#include "reports/page.h"

namespace cli {
namespace {

constexpr int exit_fail_over = 1;

/// What the folder is called after: the first dump, unless nobody is to know it.
std::string import_name(const Options& options) {
  if (options.anonymise) return "anonymous";
  const auto& first = options.arguments.front();
  if (first == "-") return "stdin";
  // `orders.txt.gz` is `orders`.
  std::string name = std::filesystem::path{first}.filename().string();
  const auto dot = name.find('.', 1);
  return dot == std::string::npos ? name : name.substr(0, dot);
}

/// The page of a small import; a large one's would take as long again.
void write_page(const std::string& place, const reports::ImportResult& result, Console& console) {
  constexpr std::uint64_t transitions_most = 1'000'000;
  if (!reports::has_page()) return;
  const std::string path = place + "/report.html";
  if (result.applied > transitions_most) {
    console.print("no page yet: `flotsam report {}` writes it\n", place);
    return;
  }
  const std::array folders{place};
  // The rest of the folder is there, whatever becomes of the page.
  if (const auto written = reports::write_page(path, {.folders = folders}); !written) {
    console.error(written.error());
    return;
  }
  console.print("page: {}\n", path);
}

bool is_interrupted() { return SignalScope::interrupted() != 0; }

}  // namespace

int import_command(const Options& options, Console& console) {
  const auto name = import_name(options);
  const auto place = output_place(options, name);
  if (!place) {
    console.error(place.error());
    return exit_usage;
  }
  reports::KafkaVersion version = reports::KafkaVersion::v4_0;
  if (!options.kafka_version.empty()) {
    const auto parsed = reports::parse_kafka_version(options.kafka_version);
    if (!parsed) {
      console.error(parsed.error());
      return exit_usage;
    }
    version = *parsed;
  }
  const auto config = reports::read_import_config(options.configs);
  if (!config) {
    console.error(config.error());
    return exit_usage;
  }
  if (options.listing_time_ms && options.listing.empty()) {
    console.error("--listing-time is the time of a listing: --listing FILE is missing");
    return exit_usage;
  }
  const auto begun = std::chrono::steady_clock::now();
  reports::ImportOptions import{.dumps = options.arguments,
                                .topics = {options.topics.begin(), options.topics.end()},
                                .listing = options.listing,
                                .listing_ms = options.listing_time_ms,
                                .now_ms = options.now_ms,
                                .version = version,
                                .config = *config,
                                .anonymise = options.anonymise,
                                .stop = &is_interrupted,
                                .progress =
                                    [&](std::uint64_t lines) {
                                      const std::chrono::duration<double> elapsed =
                                          std::chrono::steady_clock::now() - begun;
                                      console.progress(fmt::format("{} lines read", lines), elapsed.count());
                                    },
                                .folder = *place,
                                .existing = reports::AsideFolder::Existing::replace,
                                .manifest = import_manifest(name)};
  if (options.grace) import.grace_ms = std::chrono::duration_cast<std::chrono::milliseconds>(*options.grace).count();
  const auto result = reports::import_dumps(import);
  console.end_progress();
  if (is_interrupted()) return SignalScope::interrupted();
  if (!result) {
    console.error(result.error().text);
    return result.error().is_input ? exit_usage : exit_internal;
  }
  console.print(reports::import_summary(*result));
  if (options.kafka_version.empty())
    console.print("note: no --kafka-version; what becomes of it is told as Kafka {} does it\n", to_string(version));
  write_page(*place, *result, console);
  const bool fails = options.fail_over && result->real_waste_bytes > options.fail_over->value();
  // Beside the scaled sizes the real one would tell the factor.
  if (fails && result->is_anonymised) {
    console.print("fail: in real sizes nobody will read more than --fail-over {}\n", options.fail_over->value());
  } else if (fails) {
    console.print("fail: {} {} bytes that nobody will read, more than --fail-over {}\n",
                  result->listing ? "the listing has" : "there may be up to", result->real_waste_bytes,
                  options.fail_over->value());
  }
  console.print("`flotsam run {0}/scenario.ini --policy all` says what each policy would do from here\n{0}\n", *place);
  return fails ? exit_fail_over : exit_ok;
}

}  // namespace cli
