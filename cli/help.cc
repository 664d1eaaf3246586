#include "cli/help.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "build_info.h"

namespace cli {

namespace {

struct OptionHelp {
  std::string_view name;
  std::string_view value;
  std::string_view help;
};

constexpr std::array option_helps{
    OptionHelp{"policy", "NAME",
               "a policy, `all`, or NAME:key=value for a variant with a row of its own; may be repeated"},
    OptionHelp{"seed", "N", "the world's luck: a number below 2^63, or the 40 digits of a git commit (default 1)"},
    OptionHelp{"seeds", "A..B", "the seeds, both included (default 1..30 for compare, 1..1000 for campaign)"},
    OptionHelp{"out", "DIR",
               "where the files go (default flotsam-out/COMMAND-SCENARIO, replaced; report: a file, DIR/report.html)"},
    OptionHelp{"set", "SECTION.KEY=VALUE",
               "changes one key of the scenario; may be repeated; `flotsam list keys` has them"},
    OptionHelp{"broker-config", "FILE",
               "a server.properties, or what kafka-configs prints of a broker, above the scenario's [broker]"},
    OptionHelp{"topic-config", "FILE",
               "what kafka-configs or kafka-topics --describe prints, above the scenario's topics; may be repeated"},
    OptionHelp{"jobs", "N", "worlds at once (default: the processors this process may use)"},
    OptionHelp{"keep", "all|curves|summary", "what stays of each run (default: all for run, summary for compare)"},
    OptionHelp{"metrics", "kip|all", "the MBeans of metrics.csv: the KIP's two (default), or Kafka's as well"},
    OptionHelp{"dump-metadata", "", "also writes the metadata topic as Kafka's console consumer and dump-log print it"},
    OptionHelp{"overwrite", "", "replaces --out when flotsam wrote what is there"},
    OptionHelp{"resume", "",
               "goes on where an interrupted or killed campaign in --out stopped; begins one that is not"},
    OptionHelp{"partial", "", "takes unfinished folders too, and says what is missing"},
    OptionHelp{"shard", "I/N",
               "does the I-th of N parts; else FLOTSAM_SHARDS, Slurm's or Kubernetes' variables say it"},
    OptionHelp{"time-budget", "TIME", "begins no seed after that; without --seeds it is the campaign's size"},
    OptionHelp{"corpus", "FILE", "seeds that failed before, one a line: they run first, and new ones are added"},
    OptionHelp{"junit", "FILE", "writes the verdicts as JUnit XML, one test case a policy"},
    OptionHelp{"summary", "FILE", "writes the result as Markdown"},
    OptionHelp{"svg", "FILE", "draws garbage over time alone, as a picture"},
    OptionHelp{"topic", "NAME", "takes only records of this topic; may be repeated"},
    OptionHelp{"kafka-version", "3.6..4.4",
               "whose retention is to come for what is left (default 4.0, and it says so)"},
    OptionHelp{"now", "TIME",
               "when the dump was made: ISO 8601, or milliseconds since 1970 (default: its last record)"},
    OptionHelp{"listing", "FILE", "what the bucket holds: `aws s3 ls --recursive`, list-objects-v2 JSON, or CSV"},
    OptionHelp{"listing-time", "TIME", "when the listing was made (default: its youngest object)"},
    OptionHelp{"grace", "TIME",
               "how much younger than the last record the listing must be to prove anything (default 24h)"},
    OptionHelp{"fail-over", "SIZE",
               "exit 1 when nobody will read more bytes than that: the upper figure, in real sizes"},
    OptionHelp{"anonymise", "",
               "changes names, ids and sizes, the same way everywhere, so that the folder may be shown"},
    OptionHelp{"until", "TIME|@EVENT",
               "shows the world at a time (1h30m, or the files' milliseconds) or after an event"},
    OptionHelp{"step", "event|transition|ask",
               "goes on to the next one and shows it; ask (or --step alone) reads commands: e, t, until X, why X, q"},
    OptionHelp{"why", "SEGMENT",
               "tells of a copy (an id or its beginning, or TOPIC-PARTITION@OFFSET): bytes, path, cause, end"},
    OptionHelp{"verify", "", "runs each world twice; exit 4 if the two traces differ"},
    OptionHelp{"print", "", "writes the scenario whole, with every default, unit and a comment a key"},
    OptionHelp{"csv", "", "all columns, as CSV with a header row"},
    OptionHelp{"names", "", "the names alone"},
    OptionHelp{"quiet", "", "no progress"},
};

/// Of options that mean something else to import.
constexpr std::array import_helps{
    OptionHelp{"out", "DIR", "where the files go (default flotsam-out/import-NAME after the first dump, replaced)"},
    OptionHelp{"broker-config", "FILE",
               "a server.properties, or what kafka-configs prints of a broker: retention where no topic says its own"},
    OptionHelp{"topic-config", "FILE",
               "what kafka-configs or kafka-topics --describe prints: the topics' retention; may be repeated"},
};

const OptionHelp* find_help(std::span<const OptionHelp> helps, std::string_view name) {
  const auto found = std::find_if(helps.begin(), helps.end(), [&](const auto& row) { return row.name == name; });
  return found == helps.end() ? nullptr : &*found;
}

std::string option_line(std::string_view name, bool is_import) {
  const auto* found = is_import ? find_help(import_helps, name) : nullptr;
  if (found == nullptr) found = find_help(option_helps, name);
  CHECK(found != nullptr, "no help for --{}", name);
  const std::string left = fmt::format("--{}{}{}", name, found->value.empty() ? "" : " ", found->value);
  return fmt::format("  {:<26} {}\n", left, found->help);
}

constexpr std::string_view exit_codes =
    "Exit codes: 0 as the scenario expects, 1 an unexpected loss or a failed assert, 2 unknown, 3 an unexpected leak "
    "or an\n"
    "expected break that did not come, 4 one seed gave two traces, 64 bad usage or input (nothing is written), 70 "
    "flotsam\n"
    "itself failed, 130 and 143 interrupted (what was finished is kept).\n";

constexpr std::string_view import_exit_codes =
    "Exit codes: 0 imported, 1 more than --fail-over, 64 bad usage or input, or no record in it (nothing is written), "
    "70 flotsam\n"
    "itself failed, 130 and 143 interrupted (nothing is written).\n";

constexpr std::string_view diff_exit_codes =
    "Exit codes: 0 no difference, 1 a difference, 4 a difference though scenario, policy, seed and commit are the "
    "same, "
    "64 bad usage\n"
    "or input, 70 flotsam itself failed.\n";

constexpr std::string_view replay_exit_codes =
    "It exits as the kept run did; with 4, too, when the trace is another one though neither scenario nor commit is.\n";

std::string exit_codes_of(std::string_view command) {
  if (command == "import") return std::string{import_exit_codes};
  if (command == "diff") return std::string{diff_exit_codes};
  return std::string{exit_codes} + std::string{command == "replay" ? replay_exit_codes : ""};
}

}  // namespace

std::string first_screen() {
  constexpr std::size_t first_commands = 5;
  std::string text =
      "flotsam simulates what Kafka's tiered storage leaves behind in the remote store when copies and deletes "
      "fail.\n\n";
  for (const Command& command : commands().first(first_commands)) {
    text += fmt::format("  {:<8} {}\n             {}\n", command.name, command.help, command.example);
  }
  return text + "\n`flotsam --help` tells more, `flotsam COMMAND --help` a command's options.\n";
}

std::string help_text() {
  std::string text = "usage: flotsam COMMAND [ARGUMENT] [OPTIONS]\n\n";
  for (const Command& command : commands()) {
    text += fmt::format("  {:<26} {}\n", fmt::format("{} {}", command.name, command.argument), command.help);
  }
  text += fmt::format("  {:<26} {}\n", "--help, COMMAND --help", "this, and a command's options");
  text += fmt::format("  {:<26} {}\n\n", "--version", "version, commit, compiler and build");
  text += "SCENARIO is a file when it has a `/` or ends in .ini, else a name of `flotsam list scenarios`.\n";
  return text + std::string{exit_codes};
}

std::string help_text(const Command& command) {
  std::string text = fmt::format("usage: flotsam {} {} [OPTIONS]\n{}\nexample: {}\n\n", command.name, command.argument,
                                 command.help, command.example);
  const bool is_import = command.name == "import";
  std::size_t at = 0;
  while (at < command.options.size()) {
    const std::size_t end = std::min(command.options.find(' ', at), command.options.size());
    text += option_line(command.options.substr(at, end - at), is_import);
    at = end + 1;
  }
  return text + "\n" + exit_codes_of(command.name);
}

std::string version_text() {
  return fmt::format("flotsam {}\ncommit {}\ncompiler {}\nbuild {}\n", version, commit, compiler, build_type);
}

}  // namespace cli
