#!/usr/bin/env python3
"""replay: a kept run again, bit for bit, and what it was like at a moment of it.

usage: python3 tests/cli/replay_test.py build/release/flotsam
"""

import csv
import json
import re
import shutil
import subprocess

from support import LEAKY, Checks, Place

check = Checks()


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def events_shown(text):
    return [int(number) for number in re.findall(r"^\S.*?  #(\d+) ", text, re.M)]


def same_runs(place):
    """Kept runs of every kind of folder exit as they did and leave the kept trace."""
    place.run("run", "partial-uploads", "--policy", "all", "--out", "all")
    place.run("run", "tiny", "--policy", "kip-dangling:sweep=after-success", "--seed", 7, "--out", "one")
    place.run("run", "tiny", "--policy", "kafka-4.0", "--keep", "summary", "--out", "short")
    for folder in ("all/kafka-4.0", "all/kip-dangling", "one", "one/", "short"):
        summary = rows(place.path / folder / "summary.csv")[0]
        result = place.run("replay", folder)
        lines = result.out.splitlines()
        check(f"{folder}: exits as the run did", result.code == 0, result)
        check(
            f"{folder}: seed and policy come first, the folder last",
            lines[0].startswith(f"seed {summary['seed']} ") and summary["policy"] in lines[0]
            and lines[-1] == folder.rstrip("/"),
            result,
        )
        check(f"{folder}: the kept trace", f"trace_hash {summary['trace_hash']}" in result.out
              and "the trace is the kept run's" in result.out, result)
        check(f"{folder}: no message", result.messages == [], result)
    before = place.everything()
    place.run("replay", "one")
    check("replay writes nothing", place.everything() == before)
    twice = place.run("replay", "one", "--verify")
    check("--verify: the same twice", twice.code == 0 and "the same twice" in twice.out, twice)


def failures(place):
    """A failed run shows what came before its first unexpected violation, and exits with 1 or 3 again."""
    for scenario, policy, code in (("canary", None, None), ("mine.ini", "kafka-4.0", 3)):
        if scenario == "mine.ini":
            text = place.run("check", "partial-uploads", "--print").out
            place.write("mine.ini", re.sub(r"^(must-break|may-break) =.*$", r"\1 =", text, flags=re.M))
        words = ["--policy", policy] if policy else []
        kept = place.run("run", scenario, *words, "--out", f"kept-{policy}")
        folder = f"kept-{policy}"
        if not (place.path / folder / "violations.csv").exists():
            folder = next(f"{folder}/{row['folder']}" for row in rows(place.path / folder / "runs.csv")
                          if row["verdict"] == "fail")
            kept.code = None
        unexpected = [row for row in rows(place.path / folder / "violations.csv") if row["expected"] == "no"]
        result = place.run("replay", folder)
        check(f"{folder}: exits as the run did", result.code in (kept.code, code) or
              kept.code is None and result.code in (1, 3), (kept.code, result))
        if not check(f"{folder}: broke something", unexpected, result):
            continue
        first = unexpected[0]
        numbers = events_shown(result.out)
        check(
            f"{folder}: the last 20 events before the first unexpected violation",
            f"the last events before {first['invariant']} at " in result.out
            and numbers == list(range(max(1, int(first["event"]) - 19), int(first["event"]) + 1)),
            (first, numbers, result),
        )
        check(f"{folder}: says how to see it again", f"again: flotsam replay {folder}" in result.out, result)


def judged_as_then(place):
    """Under --set must-break is may-break; scenario.ini alone cannot say that it was changed."""
    changed = place.run("run", "partial-uploads", "--policy", "kafka-4.0", "--set", "scenario.duration=1h",
                        "--set", "scenario.settle=5m", "--set", "scenario.faults=", "--out", "changed")
    again = place.run("replay", "changed")
    check("a run under --set is judged as it was", changed.code == 0 and again.code == 0, (changed, again))
    manifest = place.path / "changed/manifest.json"
    check("the manifest says that it was changed", json.loads(manifest.read_text())["changed"] is True)
    manifest.write_text(manifest.read_text().replace('"changed": true', '"changed": false'))
    as_written = place.run("replay", "changed")
    check("without that a must-break that held is told", as_written.code == 3, as_written)


def other_traces(place):
    place.run("run", "tiny", "--policy", "kafka-4.0", "--out", "kept")
    for name in ("edited", "older", "forged"):
        shutil.copytree(place.path / "kept", place.path / name)
    ini = place.path / "edited/scenario.ini"
    ini.write_text(ini.read_text().replace("latency = 20ms", "latency = 21ms"))
    edited = place.run("replay", "edited")
    check("an edited scenario is told, and is no defect", edited.code == 0 and "edited since" in edited.err
          and "its scenario or plan was edited since" in edited.out, edited)

    summary = rows(place.path / "kept/summary.csv")[0]
    for name in ("older", "forged"):
        path = place.path / name / "runs.csv"
        path.write_text(path.read_text().replace(summary["trace_hash"], "0123456789abcdef"))
    manifest = place.path / "older/manifest.json"
    manifest.write_text(re.sub(r'"commit": "[^"]*"', '"commit": "0123456"', manifest.read_text()))
    older = place.run("replay", "older")
    check("another commit: the code changed", older.code == 0 and "the code changed since (kept by commit 0123456"
          in older.out, older)
    forged = place.run("replay", "forged")
    check("another trace of the same commit is exit 4", forged.code == 4
          and "0123456789abcdef" in forged.out and "two traces" in forged.out, forged)


def wrong_folders(place):
    place.run("run", "tiny", "--policy", "kafka-4.0", "--policy", "kip-dangling", "--out", "two")
    two = place.run("replay", "two")
    check("several runs: the subfolders to choose from", two.code == 64 and "two/kafka-4.0 " in two.err
          and "two/kip-dangling " in two.err, two)
    place.run("compare", "tiny", "--policy", "kafka-4.0", "--seeds", "1..2", "--out", "none")
    none = place.run("replay", "none")
    check("no kept run: says so", none.code == 64 and "none is kept" in none.err, none)
    place.run("compare", "tiny", "--policy", "kafka-4.0", "--seeds", "1..2", "--keep", "all", "--out", "seeds")
    check("a compare's run", place.run("replay", "seeds/kafka-4.0/seed-2").code == 0)
    for name, words in (("no folder", ["nowhere"]), ("no argument", []), ("two folders", ["two", "none"]),
                        ("no manifest", ["."])):
        result = place.run("replay", *words)
        check(f"{name}: exit 64 and one message", result.code == 64 and len(result.messages) == 1, result)


def campaigns(place):
    """What a campaign kept of its failures is the drawn world whole."""
    place.write("leaky.ini", LEAKY)
    place.run("campaign", "leaky.ini", "--seeds", "1..40", "--policy", "kafka-4.0", "--out", "many")
    kept = [row for row in rows(place.path / "many/failures.csv") if row["folder"]]
    check("a campaign keeps failures", kept)
    for row in kept[:3]:
        result = place.run("replay", f"many/{row['folder']}")
        check(f"{row['folder']}: fails as it did", result.code in (1, 3)
              and f"seed {row['seed']} (kept run)" in result.out and row["invariant"] in result.out, result)
        check(f"{row['folder']}: the kept trace", "the trace is the kept run's" in result.out, result)
    whole = place.run("replay", "many")
    check("the campaign itself: its kept runs to choose from", whole.code == 64
          and all(f"many/{row['folder']} " in whole.err for row in kept[:3]), whole)


def moments(place):
    place.run("run", "partial-uploads", "--policy", "kip-dangling", "--out", "kept")
    at_time = place.run("replay", "kept", "--until", "1h")
    check("--until TIME: the world then", "the world at 1h 00m 00.000s, after event #" in at_time.out, at_time)
    for part in ("leaders\n", "copies: ", "bytes: ", "faults", "entries that are not settled", "last events\n"):
        check(f"--until: shows {part.strip()}", part in at_time.out, at_time)
    check("--until: replays to the end all the same", "the trace is the kept run's" in at_time.out, at_time)
    number = int(re.search(r"after event #(\d+)", at_time.out).group(1))
    transitions = rows(place.path / "kept/transitions.csv")
    done = [row for row in transitions if int(row["event"]) <= number]
    late = [row for row in transitions if int(row["event"]) > number]
    check("--until TIME: all that happened by then", int(done[-1]["time_ms"]) <= 3600000
          and int(late[0]["time_ms"]) >= 3600000, (done[-1], late[0]))
    state = {}
    for row in done:
        state[row["segment_id"]] = row["to_state"]
    for name in set(state.values()):
        count = sum(value == name for value in state.values())
        folds = re.search(rf"copies: .*\b{count} {name}\b", at_time.out)
        check(f"--until: {name} as transitions.csv folds", folds, at_time)
    same = place.run("replay", "kept", "--until", 3600000)
    check("--until: bare milliseconds, as in the files", same.out == at_time.out, same)
    iso = place.run("replay", "kept", "--until", "1970-01-01T01:00:00Z")
    check("--until: an instant", iso.out == at_time.out, iso)

    at_event = place.run("replay", "kept", "--until", f"@{done[-1]['event']}")
    check("--until @EVENT: just after it", f"after event #{done[-1]['event']}\n" in at_event.out
          and events_shown(at_event.out.replace("\n  ", "\n"))[-1] == int(done[-1]["event"]), at_event)
    for name, words in (("past the end", ["--until", "9999h"]), ("no such event", ["--until", "@99999999"]),
                        ("no time", ["--until", "soon"]), ("no number", ["--until", "@x"]),
                        ("no step", ["--until", "1h", "--step", "evnt"])):
        result = place.run("replay", "kept", *words)
        check(f"{name}: exit 64 and one message", result.code == 64 and len(result.messages) == 1, result)

    step = place.run("replay", "kept", "--until", f"@{done[-1]['event']}", "--step", "event")
    check("--step event: the next event", f"  #{int(done[-1]['event']) + 1} " in step.out
          and f"  #{int(done[-1]['event']) + 2} " not in step.out, step)
    step = place.run("replay", "kept", "--until", f"@{done[-1]['event']}", "--step", "transition")
    check("--step transition: the next transition", f"  #{late[0]['event']} transition " in step.out, step)
    change = late[0]["to_state"]
    check("--step transition: what it changes", re.search(rf"copies {change}: \d+ -> \d+", step.out), step)
    initial = place.run("replay", "kept", "--until", "@1", "--why", done[0]["segment_id"])
    check("--until @1: in the midst of the initial state", initial.code == 0 and "after event #1\n" in initial.out
          and f"{done[0]['segment_id']} of " in initial.out, initial)
    first = place.run("replay", "kept", "--step", "event")
    check("--step without --until: the first event", "  #1 " in first.out and first.code == 0, first)


def talk(place, words, commands):
    process = subprocess.run([place.program, *words], cwd=place.path, env=place.environment(), check=False,
                             input=commands.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    return process.returncode, process.stdout.decode(), process.stderr.decode()


def asks(place):
    transitions = rows(place.path / "kept/transitions.csv")
    chosen = next(row for row in transitions if row["to_state"] == "DANGLING")
    event = int(chosen["event"])
    code, out, err = talk(place, ["replay", "kept", "--step", "ask", "--until", f"@{event}"],
                          f"e\nt\nuntil @{event + 40}\nuntil @{event}\nwhy {chosen['segment_id'][:12]}\nwhy x@y\n"
                          "nonsense\nuntil 9999h\nstate\nq\ne\n")
    check("--step ask: exits as the run did", code == 0, (code, err))
    check("--step ask: e is the next event", f"  #{event + 1} " in out, out)
    check("--step ask: until goes on", f"after event #{event + 40}\n" in out, out)
    copy = f"{chosen['segment_id']} of {chosen['topic']}-{chosen['partition']}"
    check("--step ask: why tells of a copy", copy in out, out)
    check("--step ask: the past is past", "has passed" in err and "no partition is called" in err, err)
    check("--step ask: what it does not know it explains", out.count("e: the next event") >= 2, out)
    check("--step ask: q ends it", "the trace is the kept run's" in out, out)
    code, alone, err = talk(place, ["replay", "kept", "--step"], "t\n")
    check("--step alone asks, and the end of input ends it", code == 0 and "transition segment=" in alone, (alone, err))


def stories(place):
    place.run("run", "partial-uploads", "--policy", "all", "--out", "every")
    for policy in ("kafka-4.0", "kip-dangling"):
        folder = f"every/{policy}"
        for row in rows(place.path / folder / "leftovers.csv")[:4]:
            result = place.run("replay", folder, "--why", row["segment_id"])
            name = f"--why {policy} {row['segment_id'][:6]}"
            out = result.out
            check(f"{name}: exits as the run did", result.code == 0 and "the trace is the kept run's" in out, result)
            copy = f"{row['segment_id']} of {row['topic']}-{row['partition']}, offsets"
            check(f"{name}: names the copy", copy in out, result)
            cause = re.search(rf"cause: .*{row['fault']}.* at step {row['step']}\n", out)
            check(f"{name}: the fault and the step", cause, (row, result))
            removal = re.search(r"removal: (.*)", out).group(1)
            wanted = f"by {row['reclaimed_by']}" if row["reclaimed_ms"] else row["due_by"]
            if not row["reclaimed_ms"] and row["due_by"] == "none":
                wanted = "nothing will remove it"
            check(f"{name}: who removes it", wanted in removal, (row, removal))
            path = [line for line in rows(place.path / folder / "transitions.csv")
                    if line["segment_id"] == row["segment_id"]]
            shown = [line for line in path[:20]
                     if re.search(rf"#{line['event']}  .*{line['to_state']}, broker {line['broker']}", out)]
            check(f"{name}: the path of states", len(path) > 20 or len(shown) == len(path), (path, result))
    row = rows(place.path / "every/kafka-4.0/leftovers.csv")[0]
    start = next(line["start_offset"] for line in rows(place.path / "every/kafka-4.0/transitions.csv")
                 if line["segment_id"] == row["segment_id"])
    by_offset = place.run("replay", "every/kafka-4.0", "--why", f"{row['topic']}-{row['partition']}@{start}")
    found = by_offset.code == 0 and f"{row['segment_id']} of " in by_offset.out
    check("--why TOPIC-PARTITION@OFFSET", found, by_offset)
    early = place.run("replay", "every/kafka-4.0", "--why", row["segment_id"], "--until",
                      int(row["became_garbage_ms"]) + 1)
    check("--why with --until: as it was then", early.code == 0 and "the world at" in early.out
          and re.search(r"removal: (retention|expiration) will remove it at", early.out), early)
    near = row["segment_id"][:-1] + ("A" if row["segment_id"][-1] != "A" else "B")
    for name, text, wanted in (
        ("a wrong id", near, row["segment_id"]),
        ("a wrong topic", f"{row['topic']}x-0@0", row["topic"]),
        ("a wrong offset", f"{row['topic']}-{row['partition']}@99999999999", "its copies hold"),
    ):
        result = place.run("replay", "every/kafka-4.0", "--why", text)
        check(f"--why {name}: the nearest valid name", result.code == 64 and wanted in result.err, result)


with Place() as here:
    same_runs(here)
    failures(here)
    judged_as_then(here)
with Place() as here:
    other_traces(here)
    wrong_folders(here)
    campaigns(here)
with Place() as here:
    moments(here)
    asks(here)
    stories(here)
check.finish()
