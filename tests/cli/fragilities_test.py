#!/usr/bin/env python3
"""docs/fragilities.md: a row for each fragility, and everything that it names is there.

usage: python3 tests/cli/fragilities_test.py build/release/flotsam
"""

import pathlib
import re

from support import Checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNT = 30
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


text = (ROOT / "docs" / "fragilities.md").read_text(encoding="utf-8")
rows = re.findall(r"^\| F(\d+) \|[^|]*\|[^|]*\|([^|]*)\|$", text, re.M)
numbers = [int(number) for number, _ in rows]
check("a row for each fragility, in order", numbers == list(range(1, COUNT + 1)), numbers)
known = cases()
for number, shown_by in rows:
    for name in (word.strip().strip("`") for word in shown_by.split(",")):
        check(f"F{number}: {name} is there", is_there(name, known))
check.finish()
