#!/usr/bin/env python3
"""Campaigns: the same files with one thread and with many, in parts and merged, killed and resumed; failures are kept.

usage: python3 tests/cli/campaign_test.py build/release/flotsam
"""

import csv
import json
import shutil
import signal
import time
import xml.etree.ElementTree

from support import LEAKY, WHOLE, Checks, Place

check = Checks()
SEEDS = "1..60"


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def same(place, a, b, names=WHOLE):
    return all((place.path / a / name).read_bytes() == (place.path / b / name).read_bytes() for name in names)


def campaign(place, *words, **more):
    return place.run("campaign", "leaky.ini", "--seeds", SEEDS, "--policy", "kafka-4.0", "--policy", "kip-dangling",
                     *words, **more)


def leaky_place():
    place = Place()
    place.write("leaky.ini", LEAKY)
    return place


def whole(place):
    done = campaign(place, "--out", "whole", "--junit", "j.xml", "--summary", "s.md")
    check("a leak that nobody expects: exit 3", done.code == 3, done)
    manifest = json.loads((place.path / "whole/manifest.json").read_text())
    check("the manifest says what was run", (manifest["kind"], manifest["seeds"], manifest["verdict"])
          == ("campaign", SEEDS, "fail"), manifest)
    runs = rows(place.path / "whole/runs.csv")
    check("a row a seed and policy, in order", [(int(r["seed"]), r["policy"]) for r in runs]
          == [(s, p) for s in range(1, 61) for p in ("kafka-4.0", "kip-dangling")])
    failures = rows(place.path / "whole/failures.csv")
    unexpected = [row for row in failures if row["standing"] == "unexpected"]
    check("failures have signatures", any(
        row["invariant"] == "garbage-zero" and row["states"] == "COPY_SEGMENT_STARTED>DELETE_SEGMENT_STARTED"
        and row["policy"] == "kafka-4.0" for row in unexpected), failures)
    kept = {row["folder"] for row in unexpected}
    check("each is kept whole", kept and all((place.path / "whole" / f / "events.csv").exists() for f in kept), kept)
    in_runs = {row["folder"] for row in runs if row["folder"]}
    check("runs.csv names the kept folders", in_runs == kept, (in_runs, kept))
    for row in unexpected:
        of = [r for r in runs if r["policy"] == row["policy"] and r["seed"] == row["seed"]][0]
        check(f"kept failure of seed {row['seed']} is its run's", of["events"] == row["events"], (of, row))
    again = next(line.split("again: ")[1] for line in done.out.splitlines() if "again: " in line)
    check("the command that reproduces it fails too", place.run(*again.split()[1:]).code in (2, 3), again)
    suite = xml.etree.ElementTree.parse(place.path / "j.xml").getroot()
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    check("JUnit has a case a policy and invariant", "kip-dangling/garbage-zero" in cases and "goals" in cases,
          sorted(cases))
    failed = cases["kafka-4.0/garbage-zero"].find("failure")
    check("JUnit tells the failure and its last events", failed is not None and "transition" in failed.text)
    check("the summary tells it", "garbage-zero" in (place.path / "s.md").read_text())
    hidden = [path for path in (place.path / "whole").rglob(".*")]
    check("nothing of the work is left", not hidden, hidden)


def threads(place):
    for jobs in ("1", "2", "5"):
        campaign(place, "--out", f"jobs-{jobs}", "--jobs", jobs)
        check(f"--jobs {jobs}: the same files", same(place, "whole", f"jobs-{jobs}"))


def parts(place):
    for count in (2, 7):
        folders = []
        for index in range(1, count + 1):
            folders.append(f"part-{index}-of-{count}")
            campaign(place, "--out", folders[-1], "--shard", f"{index}/{count}")
        merged = place.run("merge", *reversed(folders), "--out", f"merged-{count}", "--junit", f"m{count}.xml")
        check(f"{count} parts: the verdict of the whole", merged.code == 3, merged)
        check(f"{count} parts: the bytes of the whole", same(place, "whole", f"merged-{count}"))
        kept = [row["folder"] for row in rows(place.path / f"merged-{count}/failures.csv") if row["folder"]]
        check(f"{count} parts: what is kept is there",
              kept and all((place.path / f"merged-{count}" / f / "summary.csv").exists() for f in kept))
        for folder in kept:
            check(f"{count} parts: {folder} is the whole's", same(place, f"whole/{folder}", f"merged-{count}/{folder}",
                                                                  ("summary.csv", "transitions.csv")))
    gap = ("part-1-of-2",)
    check("a missing part is told", "of 2 parts one is missing: 2" in place.run("merge", *gap, "--out", "x").err)
    partial = place.run("merge", *gap, "--out", "x", "--partial")
    check("--partial takes what is there", partial.code == 3 and "1 of 2 parts are there" in partial.out, partial)
    check("a part twice is told", "is there twice" in place.run("merge", *gap, *gap, "--out", "y").err)
    mixed = place.run("merge", "part-1-of-2", "part-2-of-7", "--out", "y")
    check("parts of different numbers are told", mixed.code == 64 and "one of 7 parts" in mixed.err, mixed)
    check("a whole is no part", "no part of one" in place.run("merge", "whole", "--out", "y").err)
    check("nothing was written for those", not (place.path / "y").exists())


def environment(place):
    for name, variables in {
            "Slurm's array": {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "2",
                              "SLURM_ARRAY_TASK_STEP": "1", "SLURM_ARRAY_TASK_COUNT": "2"},
            "Slurm's task of FLOTSAM_SHARDS": {"FLOTSAM_SHARDS": "2", "SLURM_ARRAY_TASK_ID": "2"},
            "Kubernetes' index": {"FLOTSAM_SHARDS": "2", "JOB_COMPLETION_INDEX": "1"}}.items():
        done = campaign(place, "--out", "by-engine", "--overwrite", env=variables)
        check(f"{name}: is shard 2/2, and says so", "shard 2/2" in done.out, done)
        check(f"{name}: does its part", same(place, "part-2-of-2", "by-engine"))
    bad = campaign(place, "--out", "z", env={"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1",
                                             "SLURM_ARRAY_TASK_MAX": "9", "SLURM_ARRAY_TASK_STEP": "2",
                                             "SLURM_ARRAY_TASK_COUNT": "5"})
    check("an array with gaps is refused", bad.code == 64 and "FLOTSAM_SHARDS" in bad.err, bad)
    shard = campaign(place, env={"FLOTSAM_SHARDS": "2", "JOB_COMPLETION_INDEX": "0"})
    check("parts have a place each", "campaign-leaky.1-of-2" in shard.out, shard)


def killed(place):
    words = ("campaign", "leaky.ini", "--seeds", "1..4000", "--policy", "kafka-4.0", "--policy", "kip-dangling")
    place.run(*words, "--out", "long")
    for times, number in ((1, signal.SIGKILL), (2, signal.SIGKILL), (1, signal.SIGTERM)):
        shutil.rmtree(place.path / "stopped", ignore_errors=True)
        for _ in range(times):
            process = place.start(*words, "--out", "stopped", "--resume", "--jobs", "1")
            limit = time.monotonic() + 20
            before = {path: path.read_bytes() for path in (place.path / "stopped").glob(".work-*/checkpoint.csv")}
            while time.monotonic() < limit and process.poll() is None:
                now = {path: path.read_bytes() for path in (place.path / "stopped").glob(".work-*/checkpoint.csv")}
                if set(now.values()) - set(before.values()):
                    break
                time.sleep(0.01)
            process.send_signal(number)
            process.communicate(timeout=60)
        verdict = json.loads((place.path / "stopped/manifest.json").read_text())["verdict"]
        check(f"{number.name}: unfinished is said", verdict == "unfinished", verdict)
        refused = place.run("report", "stopped", "--svg", "x.svg")
        check(f"{number.name}: report refuses it", refused.code == 64, refused)
        taken = place.run("report", "stopped", "--partial", "--out", "x.html")
        check(f"{number.name}: --partial takes it", taken.code == 0, taken)
        again = place.run(*words, "--out", "stopped", "--resume")
        check(f"{number.name} {times}: goes on where it was", "seeds were done before" in again.out, again)
        check(f"{number.name} {times}: the same files", same(place, "long", "stopped"))
        hidden = sorted(path.name for path in (place.path / "stopped").glob(".*"))
        check(f"{number.name} {times}: nothing is left of the dead", not hidden, hidden)
    before = (place.path / "stopped/runs.csv").stat().st_mtime_ns
    told = place.run(*words, "--out", "stopped", "--resume", "--time-budget", "1ms")
    check("a finished one is told and left alone", told.code == 3 and "was finished before" in told.out
          and (place.path / "stopped/runs.csv").stat().st_mtime_ns == before, told)
    other = place.run("campaign", "leaky.ini", "--seeds", "1..9", "--policy", "kafka-4.0", "--out", "long", "--resume")
    check("another campaign's folder is refused", other.code == 64 and "holds another campaign" in other.err, other)
    full = place.run(*words, "--out", "long")
    check("an existing folder is refused", full.code == 64 and "--overwrite" in full.err, full)


def twins(place):
    """Two processes on one part at the same time: a task that was taken for dead and its successor."""
    words = ("campaign", "leaky.ini", "--seeds", "1..2000", "--policy", "kafka-4.0", "--shard", "1/2")
    place.run(*words, "--out", "alone")
    pair = [place.start(*words, "--out", "twins", "--resume", "--jobs", "1") for _ in range(2)]
    codes = [process.wait(timeout=120) for process in pair]
    for process in pair:
        process.communicate()
    check("twins: both end as one alone", codes == [3, 3], codes)
    check("twins: the same bytes", same(place, "alone", "twins"))


def time_budget(place):
    done = place.run("campaign", "leaky.ini", "--policy", "kip-dangling", "--time-budget", "1s", "--out", "budget")
    seeds = [int(row["seed"]) for row in rows(place.path / "budget/runs.csv")]
    check("a time budget ends well", done.code in (0, 2) and "seeds were run" not in done.out, done)
    check("what was done is a prefix", seeds and seeds == list(range(1, len(seeds) + 1)))
    stated = place.run("campaign", "leaky.ini", "--policy", "kip-dangling", "--time-budget", "1ms", "--seeds",
                       "1..900000", "--out", "stated")
    seeds = len(rows(place.path / "stated/runs.csv"))
    place.run("campaign", "leaky.ini", "--policy", "kip-dangling", "--time-budget", "1ms", "--seeds", "1..900000",
              "--out", "stated", "--resume")
    check("--resume goes on after a time budget", len(rows(place.path / "stated/runs.csv")) > seeds)
    check("a stated size that was not done: exit 2", stated.code == 2 and "of 900000 seeds were run" in stated.out,
          stated)


def corpus(place):
    place.write("corpus.txt", "# seeds that failed before\n9 whatever\n777\n9\n")
    campaign(place, "--corpus", "corpus.txt", "--out", "with-corpus")
    seeds = [int(row["seed"]) for row in rows(place.path / "with-corpus/runs.csv")][::2]
    check("the corpus runs first, each seed once", seeds == [9, 777] + [s for s in range(1, 61) if s != 9], seeds)
    lines = (place.path / "corpus.txt").read_text().splitlines()
    failed = {row["seed"] for row in rows(place.path / "with-corpus/failures.csv") if row["standing"] == "unexpected"}
    check("what failed is added", failed <= {line.split()[0] for line in lines[1:]}, lines)
    place.write("bad.txt", "1\nx\n")
    bad = campaign(place, "--corpus", "bad.txt", "--out", "q")
    check("a corpus with a word is told with its line", bad.code == 64 and "bad.txt:2" in bad.err, bad)


def drawn_worlds(place):
    run = place.run("run", "leaky.ini", "--seed", "5", "--policy", "kafka-4.0", "--out", "run-5")
    row = [r for r in rows(place.path / "whole/runs.csv") if r["seed"] == "5" and r["policy"] == "kafka-4.0"][0]
    check("run draws the campaign's world", rows(place.path / "run-5/runs.csv")[0]["trace_hash"] == row["trace_hash"],
          run)
    printed = place.run("check", "leaky.ini", "--print", "--seed", "5")
    place.write("five.ini", printed.out)
    place.run("run", "./five.ini", "--seed", "5", "--policy", "kafka-4.0", "--out", "five")
    check("check --print --seed is that world", rows(place.path / "five/runs.csv")[0]["trace_hash"] ==
          row["trace_hash"])
    kept = place.run("campaign", "leaky.ini", "--seeds", "4..6", "--policy", "kip-dangling", "--keep", "all", "--out",
                     "all")
    check("--keep all keeps each run", all((place.path / f"all/kip-dangling/seed-{s}/events.csv").exists()
                                           for s in (4, 5, 6)), kept)
    plain = place.run("campaign", "tiny", "--seeds", "1..20", "--policy", "kip-dangling", "--out", "plain")
    check("a scenario without [chaos] has faults drawn too", plain.code in (0, 1, 2, 3) and "20 runs" in plain.out,
          plain)
    short = place.run("campaign", "chaos", "--set", "scenario.settle=2h", "--out", "k")
    check("no time for faults is told", short.code == 64 and "leaves no time for faults" in short.err, short)
    for index in (1, 2):
        place.run("campaign", "--seeds", "1..10", "--policy", "kafka-4.0", "--shard", f"{index}/2", "--out",
                  f"c{index}")
    merged = place.run("merge", "c1", "c2", "--out", "c")
    check("parts of the default campaign merge", merged.code in (0, 1, 2, 3) and "10 runs" in merged.out, merged)
    unknown = place.run("campaign", "tiny", "--set", "chaos.kinds=crsh", "--out", "k")
    check("an unknown kind is told", unknown.code == 64 and "did you mean 'crash'" in unknown.err, unknown)


with leaky_place() as here:
    whole(here)
    threads(here)
    parts(here)
    environment(here)
    killed(here)
    twins(here)
    time_budget(here)
    corpus(here)
    drawn_worlds(here)
check.finish()
