#!/usr/bin/env python3
"""Checks what of the style guide a script can check; --self-test checks this script with planted violations.

usage: tidy_test.py [--self-test]
Prints each place with what to do instead; the last line is `N passed, N failed`, counted in rules.
"""
import pathlib
import sys

from tidy import planted
from tidy.rules import RULES
from tidy.tree import read_tree


def check_tree(root):
    tree = read_tree(root)
    failed = 0
    for rule in RULES:
        findings = sorted(set(rule(tree)), key=lambda found: (found.path, found.line, found.message))
        failed += bool(findings)
        for found in findings:
            print(found)
    print(f"{len(RULES) - failed} passed, {failed} failed")
    return failed


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if planted.check() else 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 64
    return 1 if check_tree(pathlib.Path(__file__).resolve().parent.parent) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
