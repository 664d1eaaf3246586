#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <sched.h>
#include <tuple>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/values.h"

namespace cli {

namespace po = boost::program_options;
using model::Failed;
using model::Result;

namespace {

constexpr std::uint64_t seed_limit = std::uint64_t{1} << 63;
constexpr std::uint64_t seed_count_max = 10'000'000;
constexpr int jobs_max = 1024;

/// Where Boost puts what it reads: texts first, so that every mistake in a value is ours to word.
struct Raw {
  std::vector<std::string> words;
  std::string seed;
  std::string seeds;
  std::string jobs;
  std::string keep;
  std::string metrics;
  std::string now;
  std::string listing_time;
  std::string grace;
  std::string fail_over;
  std::string time_budget;
};

po::options_description describe_options(Options& options, Raw& raw) {
  po::options_description all;
  auto row = all.add_options();
  row("words", po::value(&raw.words));
  row("policy", po::value(&options.policies)->composing());
  row("seed", po::value(&raw.seed));
  row("seeds", po::value(&raw.seeds));
  row("out", po::value(&options.out));
  row("set", po::value(&options.sets)->composing());
  row("broker-config", po::value(&options.configs.broker)->composing());
  row("topic-config", po::value(&options.configs.topic)->composing());
  row("jobs", po::value(&raw.jobs));
  row("keep", po::value(&raw.keep));
  row("metrics", po::value(&raw.metrics));
  row("dump-metadata", po::bool_switch(&options.dump_metadata));
  row("overwrite", po::bool_switch(&options.overwrite));
  row("resume", po::bool_switch(&options.resume));
  row("partial", po::bool_switch(&options.partial));
  row("shard", po::value(&options.shard));
  row("time-budget", po::value(&raw.time_budget));
  row("corpus", po::value(&options.corpus));
  row("junit", po::value(&options.junit));
  row("summary", po::value(&options.summary));
  row("svg", po::value(&options.svg));
  row("topic", po::value(&options.topics)->composing());
  row("kafka-version", po::value(&options.kafka_version));
  row("now", po::value(&raw.now));
  row("listing", po::value(&options.listing));
  row("listing-time", po::value(&raw.listing_time));
  row("grace", po::value(&raw.grace));
  row("fail-over", po::value(&raw.fail_over));
  row("anonymise", po::bool_switch(&options.anonymise));
  row("until", po::value(&options.until));
  row("why", po::value(&options.why));
  row("step", po::value(&options.step));
  row("verify", po::bool_switch(&options.verify));
  row("quiet", po::bool_switch(&options.quiet));
  row("print", po::bool_switch(&options.print));
  row("csv", po::bool_switch(&options.csv));
  row("names", po::bool_switch(&options.names));
  row("help,h", po::bool_switch(&options.help));
  row("version", po::bool_switch(&options.version));
  return all;
}

std::vector<std::string> words_of(std::string_view joined) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < joined.size()) {
    const std::size_t end = std::min(joined.find(' ', at), joined.size());
    if (end > at) words.emplace_back(joined.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// The name inside `--name=value`, `--name` or `-n`.
std::string_view bare_name(std::string_view word) {
  const std::size_t from = std::min(word.find_first_not_of('-'), word.size());
  return word.substr(from, word.find('=') - from);
}

std::string nearest_option(std::string_view name, const po::options_description& all) {
  std::vector<std::string> valid;
  for (const auto& option : all.options()) {
    if (option->long_name() != "words") valid.push_back(option->long_name());
  }
  const std::string nearest = sim::nearest_name(name, valid);
  return nearest.empty() ? "`flotsam COMMAND --help` lists a command's options"
                         : fmt::format("did you mean --{}?", nearest);
}

std::string describe_error(const po::error& error, const po::options_description& all) {
  if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error)) {
    const std::string option = unknown->get_option_name();
    const std::string_view name = bare_name(option);
    if (comes_later(name)) return fmt::format("--{} is not there yet: it comes with a later version", name);
    return fmt::format("unknown option '{}'; {}", option, nearest_option(name, all));
  }
  if (const auto* named = dynamic_cast<const po::error_with_option_name*>(&error)) {
    const std::string option = named->get_option_name();
    const std::string_view name = bare_name(option);
    if (dynamic_cast<const po::multiple_occurrences*>(named) != nullptr)
      return fmt::format("--{} is given twice", name);
    if (const auto* syntax = dynamic_cast<const po::invalid_command_line_syntax*>(named)) {
      switch (syntax->kind()) {
        case po::invalid_syntax::missing_parameter:
        case po::invalid_syntax::empty_adjacent_parameter:
          return fmt::format("--{} needs a value", name);
        case po::invalid_syntax::extra_parameter:
          return fmt::format("--{} takes no value", name);
        default:
          break;
      }
    }
  }
  return error.what();
}

/// An option that was left without its value swallows the next one; Boost lets it.
Result<void, std::string> check_values(const po::parsed_options& parsed) {
  for (const auto& option : parsed.options) {
    if (option.position_key >= 0 || option.value.empty() || option.value.front().rfind("--", 0) != 0) continue;
    return Failed{fmt::format("--{} needs a value, but '{}' follows", option.string_key, option.value.front())};
  }
  return {};
}

Result<int, std::string> parse_jobs(std::string_view text) {
  int jobs = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), jobs);
  if (problem != std::errc{} || end != text.data() + text.size() || jobs < 1 || jobs > jobs_max) {
    return Failed{fmt::format("--jobs takes a number from 1 to {}, not '{}'", jobs_max, text)};
  }
  return jobs;
}

Result<reports::Keep, std::string> parse_keep(std::string_view text) {
  if (const auto keep = reports::keep_from(text)) return *keep;
  const std::vector<std::string> valid{"all", "curves", "summary"};
  const std::string nearest = sim::nearest_name(text, valid);
  return Failed{fmt::format("--keep takes all, curves or summary, not '{}'{}", text,
                            nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest))};
}

Result<reports::MetricChoice, std::string> parse_metrics(std::string_view text) {
  if (const auto choice = reports::metric_choice_from(text)) return *choice;
  return Failed{fmt::format("--metrics takes kip or all, not '{}'", text)};
}

Result<std::uint64_t, std::string> parse_seed_number(std::string_view text) {
  std::uint64_t seed = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (problem != std::errc{} || end != text.data() + text.size() || seed >= seed_limit) {
    return Failed{fmt::format("a seed is a whole number from 0 to {}, not '{}'", seed_limit - 1, text)};
  }
  return seed;
}

Result<const Command*, std::string> parse_command(std::string_view name) {
  if (const Command* command = find_command(name); command != nullptr) return command;
  if (comes_later(name))
    return Failed{fmt::format("the command {} is not there yet: it comes with a later version", name)};
  std::vector<std::string> valid;
  for (const Command& command : commands()) valid.emplace_back(command.name);
  const std::string nearest = sim::nearest_name(name, valid);
  return Failed{fmt::format("unknown command '{}'; {}", name,
                            nearest.empty() ? fmt::format("there are {}", fmt::join(valid, ", "))
                                            : fmt::format("did you mean {}?", nearest))};
}

/// Whether the command takes every option that was given, and as many arguments.
Result<void, std::string> check_use(const Command& command, const po::variables_map& given, const Options& options) {
  const std::vector<std::string> taken = words_of(command.options);
  for (const auto& [name, value] : given) {
    if (value.defaulted() || name == "words" || name == "help" || name == "version") continue;
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
    return Failed{fmt::format("{} takes no --{}; its options are --{}", command.name, name, fmt::join(taken, ", --"))};
  }
  const int count = static_cast<int>(options.arguments.size());
  if (count < command.arguments_min) {
    return Failed{fmt::format("{} needs {}, as in `{}`", command.name, command.argument, command.example)};
  }
  if (count > command.arguments_max) {
    return Failed{fmt::format("{} takes one {}; '{}' is too much", command.name, command.argument,
                              options.arguments[static_cast<std::size_t>(command.arguments_max)])};
  }
  return {};
}

/// ISO 8601, or the milliseconds since 1970 that Kafka prints.
Result<std::int64_t, std::string> parse_time(std::string_view option, const std::string& text) {
  if (auto milliseconds = sim::parse_integer(text); milliseconds && *milliseconds >= 0) return *milliseconds;
  if (auto instant = sim::parse_instant(text)) return *instant;
  return Failed{
      fmt::format("--{} takes a time as 2025-01-31T12:00:00Z, or milliseconds since 1970, not '{}'", option, text)};
}

Result<void, std::string> read_import_values(const Raw& raw, const po::variables_map& given, Options& options) {
  for (const auto& [option, text, value] : {std::tuple{"now", &raw.now, &options.now_ms},
                                            std::tuple{"listing-time", &raw.listing_time, &options.listing_time_ms}}) {
    if (given.count(option) == 0) continue;
    auto time = parse_time(option, *text);
    if (!time) return Failed{time.error()};
    *value = *time;
  }
  if (given.count("grace") > 0) {
    auto grace = sim::parse_duration(raw.grace);
    if (!grace || *grace < model::Duration{0})
      return Failed{fmt::format("--grace takes a time as 24h, not '{}'", raw.grace)};
    options.grace = *grace;
  }
  if (given.count("fail-over") > 0) {
    auto size = sim::parse_bytes(raw.fail_over);
    if (!size || size->value() < 0)
      return Failed{fmt::format("--fail-over takes a size as 10GiB, not '{}'", raw.fail_over)};
    options.fail_over = *size;
  }
  return {};
}

Result<void, std::string> check_step(const std::string& step) {
  const std::vector<std::string> valid{"event", "transition", "ask"};
  if (step.empty() || std::find(valid.begin(), valid.end(), step) != valid.end()) return {};
  return Failed{fmt::format("--step takes event, transition or ask, not '{}'", step)};
}

/// `--step` alone asks.
std::vector<std::string> with_whole_step(std::span<const char* const> words) {
  std::vector<std::string> texts(words.begin(), words.end());
  const auto step = std::find(texts.begin(), texts.end(), "--step");
  if (step == texts.end()) return texts;
  const bool is_alone =
      step + 1 == texts.end() || (step + 1)->starts_with("--") || (step + 1)->find('/') != std::string::npos;
  if (is_alone) *step = "--step=ask";
  return texts;
}

Result<void, std::string> read_values(const Command& command, const Raw& raw, const po::variables_map& given,
                                      Options& options) {
  const bool is_campaign = command.name == "campaign";
  if (is_campaign || command.name == "compare") {
    options.seeds = {.first = 1, .last = is_campaign ? std::uint64_t{1'000} : 30};
    options.keep = reports::Keep::summary;
  }
  options.default_seeds = given.count("seed") + given.count("seeds") == 0;
  if (given.count("seed") > 0) {
    auto seed = parse_seed(raw.seed);
    if (!seed) return Failed{seed.error()};
    options.seeds = *seed;
  }
  if (given.count("seeds") > 0) {
    auto seeds = parse_seeds(raw.seeds);
    if (!seeds) return Failed{seeds.error()};
    options.seeds = *seeds;
  }
  options.jobs = processor_count();
  if (given.count("jobs") > 0) {
    auto jobs = parse_jobs(raw.jobs);
    if (!jobs) return Failed{jobs.error()};
    options.jobs = *jobs;
  }
  if (given.count("keep") > 0) {
    auto keep = parse_keep(raw.keep);
    if (!keep) return Failed{keep.error()};
    options.keep = *keep;
  }
  if (given.count("metrics") > 0) {
    auto metrics = parse_metrics(raw.metrics);
    if (!metrics) return Failed{metrics.error()};
    options.metrics = *metrics;
  }
  if (given.count("time-budget") > 0) {
    auto budget = sim::parse_duration(raw.time_budget);
    if (!budget || *budget <= model::Duration{0})
      return Failed{fmt::format("--time-budget takes a time as 10m, not '{}'", raw.time_budget)};
    options.time_budget = *budget;
  }
  if (auto read = read_import_values(raw, given, options); !read) return read;
  if (auto step = check_step(options.step); !step) return step;
  for (const char* name :
       {"shard", "corpus", "out", "junit", "summary", "svg", "listing", "kafka-version", "until", "why"}) {
    if (given.count(name) > 0 && given[name].as<std::string>().empty())
      return Failed{fmt::format("--{} needs a value", name)};
  }
  return {};
}

}  // namespace

Result<Options, std::string> parse_options(std::span<const char* const> words) {
  Options options;
  Raw raw;
  const po::options_description all = describe_options(options, raw);
  po::variables_map given;
  // The command first: whoever asks for one that is not there should hear that, whatever its options are.
  if (!words.empty() && words.front()[0] != '-' && std::string_view{words.front()} != "help") {
    if (auto command = parse_command(words.front()); !command) return Failed{command.error()};
  }
  try {
    po::positional_options_description positions;
    positions.add("words", -1);
    // No guessing: a script that abbreviates would break with the next option.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const std::vector<std::string> texts = with_whole_step(words);
    const po::parsed_options parsed =
        po::command_line_parser(texts).options(all).positional(positions).style(style).run();
    if (auto complete = check_values(parsed); !complete) return Failed{complete.error()};
    po::store(parsed, given);
    po::notify(given);
  } catch (const po::error& error) {
    return Failed{describe_error(error, all)};
  }
  if (!raw.words.empty()) {
    options.command = raw.words.front();
    options.arguments.assign(raw.words.begin() + 1, raw.words.end());
  }
  if (options.command == "help" && options.arguments.size() <= 1) {
    options.help = true;
    options.command = options.arguments.empty() ? "" : options.arguments.front();
    options.arguments.clear();
  }
  if (options.command.empty()) return options;

  const auto command = parse_command(options.command);
  if (!command) return Failed{command.error()};
  if (options.help || options.version) return options;
  if (auto used = check_use(**command, given, options); !used) return Failed{used.error()};
  if (auto read = read_values(**command, raw, given, options); !read) return Failed{read.error()};
  return options;
}

Result<SeedRange, std::string> parse_seed(std::string_view text) {
  constexpr std::size_t commit_digits = 40;
  if (text.size() == commit_digits && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos) {
    // FNV-1a over the digits in lower case; what a commit's seed is must never change.
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) {
      const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
      hash = (hash ^ static_cast<unsigned char>(lower)) * 0x100000001b3;
    }
    const std::uint64_t seed = hash % seed_limit;
    return SeedRange{.first = seed, .last = seed, .origin = fmt::format("--seed, from commit {}", text)};
  }
  const auto seed = parse_seed_number(text);
  if (!seed) return Failed{fmt::format("--seed: {} (nor the 40 digits of a commit)", seed.error())};
  return SeedRange{.first = *seed, .last = *seed, .origin = "--seed"};
}

Result<SeedRange, std::string> parse_seeds(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return Failed{fmt::format("--seeds takes A..B, both included, not '{}'", text)};
  const auto first = parse_seed_number(text.substr(0, dots));
  if (!first) return Failed{fmt::format("--seeds {}: {}", text, first.error())};
  const auto last = parse_seed_number(text.substr(dots + 2));
  if (!last) return Failed{fmt::format("--seeds {}: {}", text, last.error())};
  if (*last < *first) return Failed{fmt::format("--seeds {}: the first seed is greater than the last", text)};
  if (*last - *first >= seed_count_max)
    return Failed{fmt::format("--seeds {}: more than {} seeds", text, seed_count_max)};
  return SeedRange{.first = *first, .last = *last, .origin = "--seeds"};
}

int processor_count() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return std::clamp(CPU_COUNT(&allowed), 1, jobs_max);
}

}  // namespace cli
