#!/usr/bin/env python3
"""The catalogue: scenarios/README.md mentions each scenario and says of the fast ones what the program does; README.md
shows the demo as it is.

usage: python3 tests/cli/catalogue_test.py build/release/flotsam
"""

import csv
import pathlib
import re
import subprocess
import sys

from support import Checks, Place, Result, program

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios"
# A world that takes seconds is left to `python3 scenarios/matrix.py --check`.
SLOW = {"s3-outage-4h", "s3-outage-unlimited"}
check = Checks()


def mentioned(names):
    readme = (SCENARIOS / "README.md").read_text(encoding="utf-8")
    with open(SCENARIOS / "argued.csv", newline="", encoding="utf-8") as file:
        argued = {row["scenario"] for row in csv.DictReader(file)}
    for name in names:
        check(f"{name}: scenarios/README.md mentions it", re.search(rf"^\| {re.escape(name)} \|", readme, re.M))
        check(f"{name}: argued.csv says why", name in argued)
    check("argued.csv names no scenario that is not there", argued <= set(names), argued - set(names))


def listed(names):
    command = [program(), "list", "scenarios", "--names"]
    done = Result(subprocess.run(command, cwd=ROOT, capture_output=True, check=False))
    check("the program lists each scenario's file", set(names) <= set(done.out.split()), done)


def agrees(names):
    fast = [name for name in names if name not in SLOW]
    check("there are fast scenarios", fast)
    done = Result(subprocess.run([sys.executable, SCENARIOS / "matrix.py", "--check", "--program", program(), *fast],
                                 capture_output=True, check=False))
    check("scenarios/README.md says what the program does", done.code == 0, done)


def demo():
    """The embedded scenario, as who follows README.md runs it."""
    with Place() as place:
        done = place.run("run", "s3-outage-4h", "--policy", "all", "--seed", "1", "--keep", "curves")
        shown = {line.strip() for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()}
        table = done.out.partition("\n\n")[0].splitlines()[1:]
        missing = [line for line in table if line.strip() not in shown]
        check("README.md shows the demo's table", table and not missing, "\n".join(["missing in README.md:", *missing]))
        place.run("report", "flotsam-out/run-s3-outage-4h", "--svg", "demo.svg")
        drawn = (place.path / "demo.svg").read_bytes()
        check("docs/demo.svg is the demo's picture", drawn == (ROOT / "docs" / "demo.svg").read_bytes(),
              "renew it: flotsam report flotsam-out/run-s3-outage-4h --svg docs/demo.svg")


files = sorted(file.stem for file in SCENARIOS.glob("*.ini"))
mentioned(files)
listed(files)
agrees(files)
demo()
check.finish()
