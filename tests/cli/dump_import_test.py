#!/usr/bin/env python3
"""Scenarios of the catalogue there and back: run with --dump-metadata, import the dump, and run the scenario that
import wrote under every policy.

usage: python3 tests/cli/dump_import_test.py build/release/flotsam [SCENARIO...]
"""

import csv
import pathlib
import sys

from support import Checks, Place

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What takes longer is left to whoever names it.
FAST = ("canary", "delete-failures", "leader-crash-mid-copy", "partial-uploads", "quiet", "tiny")
check = Checks()


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def final_states(path):
    """What became of each segment: its id and last state, without those that are gone."""
    last = {row["segment_id"]: row["to_state"] for row in rows(path)}
    return {segment: state for segment, state in last.items() if state != "DELETE_SEGMENT_FINISHED"}


def there_and_back(place, name):
    result = place.run("run", name, "--policy", "kip-dangling", "--dump-metadata", "--out", f"{name}-run")
    if not check(f"{name}: runs and dumps", result.code in (0, 1, 3), result):
        return
    run = place.path / f"{name}-run"
    result = place.run("import", run / "metadata.console.txt", "--out", f"{name}-import")
    if not check(f"{name}: is imported", result.code == 0, result):
        return
    imported = place.path / f"{name}-import"
    columns = ("segment_id", "from_state", "to_state")
    stories = [[tuple(row[c] for c in columns) for row in rows(f / "transitions.csv")] for f in (run, imported)]
    check(f"{name}: the same transitions in the same order", stories[0] == stories[1] and stories[0])
    result = place.run("check", imported / "scenario.ini")
    check(f"{name}: its scenario is valid", result.code == 0, result)
    result = place.run("run", imported / "scenario.ini", "--policy", "all", "--out", f"{name}-again",
                       "--set", "scenario.duration=6h")
    if not check(f"{name}: its scenario runs under every policy", result.code in (0, 3), result):
        return
    left = final_states(imported / "transitions.csv")
    for folder in sorted((place.path / f"{name}-again").iterdir()):
        if not folder.is_dir():
            continue
        first = {r["segment_id"]: r["to_state"] for r in rows(folder / "transitions.csv") if r["leader_epoch"] == "-1"}
        begins = f"{name}: under {folder.name} the world begins with what was left"
        check(begins, first == left, (len(first), len(left)))


def forgetful(place):
    """What the topic has forgotten when the run ends is in no dump, and import says that something is missing."""
    for name, plan in (("retention", "0s,4h,metadata-retention,metadata,retention=1h,x"),
                       ("loss", "2h,,metadata-record-loss,metadata,newest=1h,x")):
        text = (ROOT / "scenarios/metadata-retention.ini").read_text(encoding="utf-8")
        text = text.replace("metadata-retention.csv", f"{name}.csv").replace("must-break", "may-break")
        place.write(f"{name}.ini", text)
        place.write(f"{name}.csv", f"start,duration,kind,target,params,name\n{plan}\n")
        result = place.run("run", f"{name}.ini", "--policy", "kafka-4.0", "--dump-metadata", "--out", f"{name}-run")
        run = place.path / f"{name}-run"
        if not check(f"{name}: runs and dumps", result.code in (0, 1, 3) and run.is_dir(), result):
            continue
        offsets = {}
        for line in (run / "metadata.console.txt").read_text().splitlines():
            partition, offset = (part.split(": ")[1] for part in line.split(", ")[:2])
            offsets.setdefault(partition, []).append(int(offset))
        starts = {}
        logs = {}
        for path in run.glob("__remote_log_metadata-*/metadata.dump-log.txt"):
            lines = path.read_text().splitlines()
            partition = path.parent.name.rsplit("-", 1)[1]
            starts[partition] = int(lines[1].split(": ")[1])
            logs[partition] = [int(line.split()[1]) for line in lines if line.startswith("baseOffset")]
        check(f"{name}: both dumps hold the same", {p: o for p, o in logs.items() if o} == offsets, (logs, offsets))
        jumps = any(b != a + 1 for seen in offsets.values() for a, b in zip(seen, seen[1:]))
        if name == "retention":
            begins = all(starts[p] == seen[0] > 0 for p, seen in offsets.items()) and not jumps
            check("retention: the log starts later, without a gap", offsets and begins, (starts, offsets))
        else:
            check("loss: a gap, and the log starts at 0", jumps and not any(starts.values()), (starts, offsets))
        dumps = sorted(run.glob("__remote_log_metadata-*/metadata.dump-log.txt"))
        result = place.run("import", *dumps, "--out", f"{name}-import")
        if not check(f"{name}: is imported", result.code == 0, result):
            continue
        kinds = {row["finding"] for row in rows(place.path / f"{name}-import" / "findings.csv")}
        check(f"{name}: import says that records are missing",
              bool(kinds & {"begins-in-mid-life", "records-missing"}), kinds)


with Place() as here:
    if not sys.argv[2:]:
        forgetful(here)
    for scenario in sys.argv[2:] or FAST:
        there_and_back(here, scenario)
check.finish()
