#include "cli/commands.h"

#include <algorithm>
#include <array>

namespace cli {

namespace {

constexpr std::array list{
    Command{"run", "SCENARIO", "one world a policy under one seed: a table, and a folder of CSV files",
            "flotsam run s3-outage-4h --policy kafka-4.0 --policy kip-dangling",
            "policy seed out set broker-config topic-config jobs keep metrics dump-metadata overwrite junit summary "
            "verify quiet",
            1, 1, &run_command},
    Command{"compare", "SCENARIO", "several policies under the same seeds, with paired differences",
            "flotsam compare partial-uploads --seeds 1..100",
            "policy seeds out set broker-config topic-config jobs keep metrics overwrite junit summary verify quiet", 1,
            1, &compare_command},
    Command{"campaign", "[SCENARIO]", "many seeds, each a world with faults drawn for it (default: the scenario chaos)",
            "flotsam campaign chaos --seeds 1..200",
            "policy seeds out set broker-config topic-config jobs shard resume time-budget corpus keep overwrite junit "
            "summary quiet",
            0, 1, &campaign_command},
    Command{"report", "DIR...", "one HTML page of what the folders of run or compare hold",
            "flotsam report flotsam-out/run-s3-outage-4h", "out partial svg", 1, 1'000, &report_command},
    Command{"import", "DUMP...", "a real cluster's metadata topic: transitions, curves, what is left and why",
            "flotsam import metadata.txt.gz --kafka-version 4.0",
            "topic kafka-version broker-config topic-config now listing listing-time grace fail-over anonymise out "
            "overwrite quiet",
            1, 100'000, &import_command},
    Command{"replay", "DIR", "a kept run again, bit for bit: what came before its first violation, or any moment of it",
            "flotsam replay flotsam-out/run-tiny/kip-dangling --until 1h", "until step why verify quiet", 1, 1,
            &replay_command},
    Command{"diff", "DIR DIR", "the first event in which two kept runs differ, with what stood around it",
            "flotsam diff out/kafka-4.0 out/kip-dangling", "quiet", 2, 2, &diff_command},
    Command{"merge", "DIR...", "the parts of a campaign as one", "flotsam merge part-1 part-2 --out whole",
            "out partial overwrite junit summary quiet", 1, 100'000, &merge_command},
    Command{"check", "SCENARIO", "all that is wrong with a scenario; --print writes it whole",
            "flotsam check my-outage.ini", "policy seed set broker-config topic-config print", 1, 1, &check_command},
    Command{"list", "WHAT", "policies, scenarios, faults, invariants, metrics, states, keys, causes or steps",
            "flotsam list scenarios", "csv names", 1, 1, &list_command},
};

constexpr std::array<std::string_view, 3> later_commands{"study", "shrink", "explore"};
constexpr std::array<std::string_view, 5> later_options{"grid", "faults", "matrix", "perfetto", "openmetrics"};

/// From the best to the worst; an interruption is above them all.
int severity(int exit_code) {
  constexpr std::array order{exit_ok, 2, 3, 1, exit_not_deterministic, exit_internal};
  const auto* const found = std::find(order.begin(), order.end(), exit_code);
  return static_cast<int>(found - order.begin());
}

}  // namespace

int worst_exit_code(int a, int b) { return severity(a) < severity(b) ? b : a; }

std::span<const Command> commands() { return list; }

const Command* find_command(std::string_view name) {
  const auto* const found =
      std::find_if(list.begin(), list.end(), [&](const Command& command) { return command.name == name; });
  return found == list.end() ? nullptr : &*found;
}

bool comes_later(std::string_view name) {
  const auto holds = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  return holds(later_commands) || holds(later_options);
}

}  // namespace cli
