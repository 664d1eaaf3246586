#!/usr/bin/env python3
"""diff: the first event in which two kept runs differ, from their files or from two more runs.

usage: python3 tests/cli/diff_test.py build/release/flotsam
"""

import csv
import re

from support import Checks, Place

check = Checks()


def events_of(folder):
    """All rows with an event of a run's folder, by its number."""
    found = {}
    for name in ("transitions.csv", "dropped.csv", "events.csv"):
        with open(folder / name, newline="", encoding="utf-8") as file:
            found.update({int(row["event"]): (name, row) for row in csv.DictReader(file)})
    return found


def first_difference(a, b):
    ours, theirs = events_of(a), events_of(b)
    return next((event for event in sorted(ours.keys() | theirs.keys()) if ours.get(event) != theirs.get(event)), None)


def named(result):
    match = re.search(r"event #(\d+) is the first that differs, in (?:its field (\w+))?", result.out)
    return (int(match.group(1)), match.group(2)) if match else (None, None)


with Place() as place:
    place.run("run", "partial-uploads", "--policy", "kafka-4.0", "--policy", "kip-dangling", "--out", "all")
    for name in ("one", "same"):
        place.run("run", "partial-uploads", "--policy", "kafka-4.0", "--out", name)
    before = place.everything()

    same = place.run("diff", "one", "same")
    check("the same run: no difference, exit 0", same.code == 0 and "no difference: " in same.out, same)
    check("diff writes nothing", place.everything() == before)

    policies = place.run("diff", "all/kafka-4.0", "all/kip-dangling")
    wanted = first_difference(place.path / "all/kafka-4.0", place.path / "all/kip-dangling")
    event, field = named(policies)
    check("two policies: exit 1", policies.code == 1, policies)
    check("two policies: says first that these differ", policies.out.splitlines()[1].strip()
          == "policy: kafka-4.0 | kip-dangling", policies)
    check("two policies: the first event that differs in the files", event == wanted, (event, wanted, policies))
    check("two policies: a field of its", field is not None, policies)
    check("two policies: both sides and what was before", all(name in policies.out for name in
          ("before it, in both\n", "all/kafka-4.0\n", "all/kip-dangling\n")), policies)

    place.run("run", "partial-uploads", "--policy", "kafka-4.0", "--set", "store.latency=21ms", "--out", "slower")
    slower = place.run("diff", "one", "slower")
    check("another scenario: the key that differs",
          slower.code == 1 and re.search(r"store.latency: \S+ \| 21ms", slower.out), slower)
    place.run("run", "partial-uploads", "--policy", "kafka-4.0", "--seed", 2, "--out", "seed")
    seed = place.run("diff", "one", "seed")
    check("another seed: said first", seed.code == 1 and "  seed: 1 | 2\n" in seed.out, seed)

    for name, policy in (("short", "kafka-4.0"), ("other", "kip-dangling"), ("twin", "kafka-4.0")):
        place.run("run", "partial-uploads", "--policy", policy, "--keep", "summary", "--out", name)
    twin = place.run("diff", "short", "twin")
    check("without events: both run again, no difference", twin.code == 0 and "run again" in twin.err, twin)
    other = place.run("diff", "short", "other")
    event, field = named(other)
    check("without events: an event, not after the files' one", other.code == 1 and event and event <= wanted
          and "#" in other.out, (wanted, other))
    mixed = place.run("diff", "one", "short")
    check("one of them without events", mixed.code == 0, mixed)

    # A run that says something else of the same scenario, policy, seed and commit: one seed gave two traces.
    path = place.path / "same/transitions.csv"
    lines = path.read_text().splitlines(keepends=True)
    fields = lines[5].split(",")
    fields[1] = str(int(fields[1]) + 1)
    lines[5] = ",".join(fields)
    path.write_text("".join(lines))
    forged = place.run("diff", "one", "same")
    check("equal settings, another row: exit 4 and its field", forged.code == 4
          and named(forged) == (int(fields[-1]), "broker"), forged)

    for name, words in (("several runs", ["all", "one"]), ("no folder", ["one", "nowhere"]), ("one folder", ["one"]),
                        ("three folders", ["one", "one", "one"])):
        result = place.run("diff", *words)
        check(f"{name}: exit 64 and a message", result.code == 64 and result.messages, result)
check.finish()
