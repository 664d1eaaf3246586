#!/usr/bin/env python3
"""Help, version and lists: what people read first, and what scripts build on.

usage: python3 tests/cli/help_test.py build/release/flotsam
"""

import csv
import io
import re

from support import Checks, Place

COMMANDS = ("run", "compare", "campaign", "report", "import")  # The first screen.
MORE = ("replay", "diff", "merge", "check", "list")
LATER = ("study", "shrink", "explore")
LISTS = ("policies", "scenarios", "faults", "invariants", "metrics", "states", "keys", "causes", "steps")
check = Checks()


def screens(place):
    first = place.run()
    check(
        "without arguments: five commands with an example each",
        first.code == 0 and all(f"flotsam {command} " in first.out for command in COMMANDS),
        first,
    )
    check("without arguments: fits a screen", len(first.out.splitlines()) <= 24 and not first.err, first)
    for words in (["--help"], ["-h"], ["help"]):
        result = place.run(*words)
        check(
            f"{words[0]}: every command",
            result.code == 0 and all(re.search(rf"^  {c}\b", result.out, re.M) for c in COMMANDS + MORE),
            result,
        )
        check(
            f"{words[0]}: none that is not there", not any(re.search(rf"\b{c}\b", result.out) for c in LATER), result
        )
    for command in COMMANDS + MORE:
        result = place.run(command, "--help")
        check(
            f"{command} --help",
            result.code == 0 and result.out.startswith(f"usage: flotsam {command} ") and "example: " in result.out,
            result,
        )
        options = re.findall(r"^  --([a-z]+)", result.out, re.M)
        check(f"{command} --help: options", options, result)
        check(f"{command} --help: at most 130 columns", max(map(len, result.out.splitlines())) <= 130, result)
    version = place.run("--version")
    check(
        "--version: version, commit, compiler, build",
        version.code == 0 and re.search(r"flotsam \d+\.\d+.*\ncommit \S+.*\ncompiler \S+.*\nbuild \S+", version.out),
        version,
    )
    check("help writes nothing", place.names() == [], place.names())


def lists(place):
    names = {}
    for what in LISTS:
        plain = place.run("list", what)
        table = place.run("list", what, "--csv")
        short = place.run("list", what, "--names")
        rows = list(csv.reader(io.StringIO(table.out)))
        names[what] = short.out.split("\n")[:-1]
        check(f"list {what}: works", plain.code == table.code == short.code == 0 and not plain.err, plain)
        check(f"list {what} --csv: the first column is the name", rows and rows[0][0] == "name", table)
        check(f"list {what} --csv: a table", len({len(row) for row in rows}) == 1, table)
        check(
            f"list {what}: the same names each way",
            [row[0] for row in rows[1:]] == names[what]
            and [line.split()[0] for line in plain.out.splitlines()] == names[what],
            plain,
        )
        check(f"list {what}: no name twice", names[what] and len(set(names[what])) == len(names[what]), names[what])
    check(
        "list states: Kafka's and the KIP's",
        names["states"]
        == [
            "COPY_SEGMENT_STARTED",
            "COPY_SEGMENT_FINISHED",
            "DELETE_SEGMENT_STARTED",
            "DELETE_SEGMENT_FINISHED",
            "DANGLING",
        ],
        names["states"],
    )
    check(
        "list policies: in the order of reports",
        names["policies"][:1] == ["kafka-3.6"] and "kip-dangling" in names["policies"],
        names,
    )
    check(
        "list scenarios: the catalogue is in the binary",
        {"tiny", "quiet", "canary"} <= set(names["scenarios"]),
        names["scenarios"],
    )
    check(
        "list keys: sections and Kafka's names",
        {"scenario.duration", "store.latency"} <= set(names["keys"]),
        names["keys"][:9],
    )
    both = place.run("list", "states", "--csv", "--names")
    check("list: --csv and --names exclude each other", both.code == 64, both)


def catalogue(place):
    for name in place.run("list", "scenarios", "--names").out.split():
        result = place.run("check", name)
        check(f"check {name}: ok", result.code == 0 and "ok" in result.out, result)


def commits(place):
    commit = "0123456789abcdef0123456789abcdef01234567"
    results = [place.run("run", "tiny", "--policy", "kafka-4.0", "--seed", text) for text in (commit, commit.upper())]
    seeds = [result.out.split("\n", 1)[0] for result in results]
    check("a commit is a seed", re.fullmatch(rf"seed \d+ \(--seed, from commit {commit}\)", seeds[0]), results[0])
    check("a commit's case is no matter", seeds[0].split()[1] == seeds[1].split()[1], seeds)
    result = place.run("run", "tiny", "--policy", "kafka-4.0", "--seed", str((1 << 63) - 1))
    check("the greatest seed", result.out.startswith(f"seed {(1 << 63) - 1} (--seed)\n"), result)


with Place() as here:
    screens(here)
    lists(here)
    catalogue(here)
    commits(here)
check.finish()
