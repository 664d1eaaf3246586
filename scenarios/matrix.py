#!/usr/bin/env python3
"""The tables of scenarios/README.md: what each scenario shows, and what each policy is expected to do in it and does.

usage: python3 scenarios/matrix.py [--check | --write] [--program FILE] [--big NAME]... [NAME...]

Runs every scenario (or those named) under all policies with seed 1 and prints Markdown. --check compares it with what
stands between the markers of README.md and exits with 1 where they differ; --write puts it there (all scenarios only).
Worlds of minutes run only where --big names them; else what README.md says was observed in them, marked `by hand`, is
taken over, and only the other columns are made anew. Why a policy is expected to do what it does stands in argued.csv;
policy `*` there means every policy not named. Of all scenarios together, the big ones left out, it also tells which
goals of a run's goals.csv (transitions, fault kinds, steps, branches) none reaches; goals.csv here names the test that
reaches each of those.
"""

import argparse
import configparser
import csv
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
README = HERE / "README.md"
BEGIN, END = "<!-- matrix.py: begin -->", "<!-- matrix.py: end -->"
CATALOGUE_HEAD = ["| scenario | shows | world | source |", "|---|---|---|---|"]
MATRIX_HEAD = ["| scenario | policy | must break | may break | asserts | observed (seed 1) | argued |",
               "|---|---|---|---|---|---|---|"]
# Worlds of minutes, each with the policies that --big runs; none named: all.
BIG = {"fleet-100k": ["kafka-4.0", "kip-dangling"], "year-long": []}
BY_HAND = " (by hand)"


class Problem(Exception):
    """Something that a person has to mend; the message says what."""


def call(program, *words, accepted=(0,)):
    done = subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in accepted:
        raise Problem(f"{pathlib.Path(program).name} {' '.join(words)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def line(*cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def arguments():
    """(scenario, policy) -> why."""
    return {(row["scenario"], row["policy"]): row["argued"] for row in rows_of(HERE / "argued.csv")}


def read_whole(program, name):
    """The scenario with what it inherits."""
    whole = configparser.RawConfigParser(delimiters=("=",), comment_prefixes=("#",))
    whole.optionxform = str
    whole.read_string(call(program, "check", name, "--print"))
    return whole


def catalogue_line(name, whole):
    about = whole["scenario"]
    return line(name, about["title"], about["duration"], about["source"])


def removers(folder):
    """Who will take what is left, in words; the expiration task comes when retention does."""
    left = {row["due_by"] for row in rows_of(folder / "leftovers.csv") if not row["reclaimed_ms"] and int(row["bytes"])}
    names = {"retention": "retention", "expiration": "retention", "sweep": "the next sweep",
             "bucket-rule": "the bucket rule", "scrubber": "the scrubber", "topic-deletion": "the topic's deletion"}
    return sorted({names[each] for each in left})


def observed(run, folder):
    broken = []
    for violation in rows_of(folder / run["folder"] / "violations.csv"):
        if violation["invariant"] not in broken:
            broken.append(violation["invariant"])
    words = run["outcome"] + (": " + ", ".join(broken) if broken else "")
    if int(run["garbage_bytes_never"]):
        words += "; bytes left for ever"
    elif int(run["garbage_bytes_end"]):
        words += f"; bytes left until {' and '.join(removers(folder / run['folder']))}"
    elif run["outcome"] != "clean":
        words += "; no bytes at the end"
    return words if run["verdict"] == "pass" else f"**{run['verdict']}**, {words}"


def count_goals(run, folder, goals):
    """Adds how often this run reached each (kind, goal) to `goals`."""
    for row in rows_of(folder / run["folder"] / "goals.csv"):
        key = (row["kind"], row["goal"])
        goals[key] = goals.get(key, 0) + int(row["times"])


def goal_lines(goals, everything):
    tests = {(row["kind"], row["goal"]): row["test"] for row in rows_of(HERE / "goals.csv")}
    lines = ["", "| goals | reached by some scenario | by none, and the test that reaches it |", "|---|---|---|"]
    for kind in dict.fromkeys(kind for kind, _ in goals):
        names = {goal: times for (each, goal), times in goals.items() if each == kind}
        missed = [goal for goal, times in names.items() if times == 0]
        for goal in missed if everything else []:
            if (kind, goal) not in tests:
                raise Problem(f"no scenario reaches the {kind} '{goal}': name in scenarios/goals.csv a test that does")
        told = [f"`{goal}` ({tests[kind, goal]})" if (kind, goal) in tests else f"`{goal}`" for goal in missed]
        lines.append(line(kind, f"{len(names) - len(missed)} of {len(names)}", ", ".join(told) or "-"))
    return lines


def run_scenario(program, name, policies, goals):
    """policy -> what was observed, in the order of the run."""
    with tempfile.TemporaryDirectory(prefix="flotsam-matrix-") as place:
        folder = pathlib.Path(place) / "out"
        call(program, "run", name, *(word for policy in policies for word in ("--policy", policy)), "--seed", "1",
             "--keep", "curves", "--quiet", "--out", str(folder), accepted=(0, 1, 2, 3))
        found = {}
        for run in rows_of(folder / "runs.csv"):
            found[run["policy"]] = observed(run, folder)
            # Of the big ones nothing is counted, so that the table of goals does not depend on --big.
            if goals is not None:
                count_goals(run, folder, goals)
        return found


def stored_observations(name):
    """policy -> what README.md says was observed by hand."""
    lines = parts_of_readme()[1].split("\n")
    rows = [each.split(" | ") for each in lines if each.startswith(f"| {name} |")]
    return {row[1]: row[5] for row in rows if len(row) == len(MATRIX_HEAD[0].split(" | "))}


def observations(program, name, run_big, goals):
    if name not in BIG:
        return run_scenario(program, name, ["all"], goals)
    found = dict.fromkeys(call(program, "list", "policies", "--names").split(), "not run whole")
    found.update(stored_observations(name))
    if name in run_big:
        fresh = run_scenario(program, name, BIG[name] or ["all"], None)
        found.update({policy: words + BY_HAND for policy, words in fresh.items()})
    return found


def matrix_lines(name, whole, why, seen):
    lines = []
    for policy, words in seen.items():
        argued = why.get((name, policy)) or why.get((name, "*"))
        if argued is None:
            raise Problem(f"scenarios/argued.csv has no line for {name},{policy}: say there why it is expected")
        section = f"expect.{policy}"
        expected = whole[section] if section in whole else {}
        stated = [expected.get(key, "").strip() for key in ("must-break", "may-break", "assert")]
        lines.append(line(name, policy, *stated, words, argued))
    return lines


def tables(program, names, run_big, everything):
    why = arguments()
    catalogue, matrix, goals = [], [], {}
    for name in names:
        whole = read_whole(program, name)
        catalogue.append(catalogue_line(name, whole))
        if "chaos" in whole:
            continue  # Another world with each seed: campaigns judge it.
        matrix += matrix_lines(name, whole, why, observations(program, name, run_big, goals))
    return catalogue, matrix, goal_lines(goals, everything)


def whole_text(catalogue, matrix, goals):
    return "\n".join([*CATALOGUE_HEAD, *catalogue, "", *MATRIX_HEAD, *matrix, *goals])


def parts_of_readme():
    text = README.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    middle, end, after = rest.partition(END)
    if not begin or not end:
        raise Problem(f"scenarios/README.md lacks the markers {BEGIN} and {END}")
    return before + begin, middle.strip("\n"), end + after


def differences(stored, catalogue, matrix, goals, names, everything):
    """Lines that stand in only one of the two; only of the named scenarios."""
    if everything:
        wanted = whole_text(catalogue, matrix, goals).split("\n")
    else:
        wanted = catalogue + matrix
    found = [each for each in stored.split("\n") if everything or any(each.startswith(f"| {name} |") for name in names)]
    if found == wanted:
        return []
    only = [f"- {each}" for each in found if each not in wanted] + [f"+ {each}" for each in wanted if each not in found]
    return only or ["the lines are the same, in another order"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "flotsam"))
    parser.add_argument("--big", action="append", choices=sorted(BIG), default=[], metavar="NAME")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    everything = not options.names
    names = sorted(set(options.names) or {file.stem for file in HERE.glob("*.ini")})
    if options.write and not everything:
        parser.error("--write takes no names: the tables are written whole")
    try:
        catalogue, matrix, goals = tables(program, names, options.big, everything)
        if options.check:
            different = differences(parts_of_readme()[1], catalogue, matrix, goals, names, everything)
            if different:
                print("scenarios/README.md differs (- stands there, + is now); python3 scenarios/matrix.py --write",
                      *different, sep="\n")
                return 1
            print(f"scenarios/README.md agrees on {', '.join(names)}")
        elif options.write:
            before, _, after = parts_of_readme()
            README.write_text(f"{before}\n{whole_text(catalogue, matrix, goals)}\n{after}", encoding="utf-8")
        else:
            print(whole_text(catalogue, matrix, goals))
    except (Problem, OSError) as problem:
        print(f"matrix.py: {problem}", file=sys.stderr)
        return 2
    return 0


sys.exit(main())
