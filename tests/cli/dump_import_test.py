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


with Place() as here:
    for scenario in sys.argv[2:] or FAST:
        there_and_back(here, scenario)
check.finish()
