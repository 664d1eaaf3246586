#!/usr/bin/env python3
"""docs/fragilities.md and docs/cases.md: a row for each fragility and for each public case, and everything that they
name is there; so is each test of scenarios/goals.csv.

usage: python3 tests/cli/fragilities_test.py build/release/flotsam
"""

import csv
import pathlib
import re

from support import Checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
FRAGILITIES = [f"F{number}" for number in range(1, 31)]
CASES = [f"C{number:02}" for number in (1, 2, 3, 5, 7, 8, 11, 12, 13, 16, 17, 18, 19, 20, 21, 23, 25, 27, 29, 30, 33,
                                        34, 35, 37, 39, 41, 43, 46, 48, 50, 51, 52, 55)]
check = Checks()


def cases():
    """`suite/case` of every C++ test."""
    found = set()
    for path in (ROOT / "tests").rglob("*_test.cc"):
        text = path.read_text(encoding="utf-8")
        suite = re.search(r"BOOST_AUTO_TEST_SUITE\((\w+)", text)
        if not suite:
            continue
        for case in re.findall(r"BOOST_(?:AUTO|FIXTURE|DATA)_TEST_CASE\((\w+)", text):
            found.add(f"{suite.group(1)}/{case}")
    return found


def is_there(name, known_cases):
    if name.endswith(".script"):
        return (ROOT / "tests" / "conformance" / name).is_file()
    if "/" in name:
        return name in known_cases
    return (ROOT / "scenarios" / f"{name}.ini").is_file()


def check_table(path, column, numbers):
    """Column `column` of the table's rows names what shows each."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in path.read_text(encoding="utf-8").splitlines()
            if re.match(r"\| [FC]\d+ \|", line)]
    found = [row[0] for row in rows]
    check(f"{path.name}: a row for each, in order", found == numbers, found)
    for row in rows:
        for name in (word.strip().strip("`") for word in row[column].split(",")):
            check(f"{row[0]}: {name} is there", is_there(name, known))


known = cases()
check_table(ROOT / "docs" / "fragilities.md", 3, FRAGILITIES)
check_table(ROOT / "docs" / "cases.md", 3, CASES)
with open(ROOT / "scenarios" / "goals.csv", newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        check(f"goal {row['goal']}: {row['test']} is there", row["test"] in known)
check.finish()
