#!/usr/bin/env python3
"""The same scenario, seed and policy must give the same trace with every compiler and optimisation level.

Builds the program with each preset, runs the same worlds with each and compares what they wrote: trace_hash first, then
every file but manifest.json (which holds wall time and the build) byte for byte. Also: the same command twice, glibc's
FMA and AVX2 variants off, and another seed, which must not give the same trace everywhere. And flotsam_planted, in
which a run depends on the runs before it: --verify and diff must find that.

usage: determinism.py [SCENARIO...]    the named scenarios in every build, instead of the usual ones
"""
import csv
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "determinism"
REFERENCE = "release"
PRESETS = [REFERENCE, "clang", "gcc-O0", "clang-O0"]
# An unoptimised build is ten times slower, so that it runs the small worlds only.
SMALL = ["tiny", "quiet", "leader-crash-mid-copy", "partial-uploads"]
LARGER = ["s3-outage-4h", "ack-lost-storm"]
SEED, OTHER_SEED = 1, 2
CAMPAIGN_SEEDS = "1..40"
PLANTED = "flotsam_planted"
NOT_DETERMINISTIC = 4
WITHOUT_FMA = "glibc.cpu.hwcaps=-AVX2_Usable,-FMA_Usable,-AVX2,-FMA"
TIMEOUT_SECONDS = 600


class Failure(Exception):
    """One thing that is not as it must be; the message names scenario, policy and builds."""


def build(preset, target="flotsam"):
    subprocess.run(["cmake", "--preset", preset], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", preset, "--target", target], cwd=ROOT, check=True)


def run(preset, scenario, seed, label, tunables=None):
    """Runs one scenario under all policies; returns the folder and the hash of each policy."""
    folder = OUT / label / f"{scenario}-{seed}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    command = [str(ROOT / "build" / preset / "flotsam"), "run", scenario, "--policy", "all", "--seed", str(seed)]
    environment = dict(os.environ)
    if tunables:
        environment["GLIBC_TUNABLES"] = tunables
    done = subprocess.run(command + ["--out", str(folder)], cwd=ROOT, env=environment, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
    # 1 to 3 are verdicts on the modelled Kafka; 4 and above say that the run itself went wrong.
    if done.returncode < 0 or done.returncode >= 4:
        raise Failure(f"{scenario}: {label} ended with {done.returncode}: {' '.join(command)}\n{done.stdout[-2000:]}")
    with open(folder / "runs.csv", newline="", encoding="utf-8") as rows:
        hashes = {row["policy"]: row["trace_hash"] for row in csv.DictReader(rows)}
    if not hashes or not all(hashes.values()):
        raise Failure(f"{scenario}: {label} wrote no trace_hash for some policy: {hashes}")
    return folder, hashes


def compare(scenario, left, right):
    """left and right are (label, folder, hashes)."""
    for policy in sorted(left[2].keys() | right[2].keys()):
        ours, theirs = left[2].get(policy), right[2].get(policy)
        if ours != theirs:
            raise Failure(f"{scenario}, policy {policy}: {left[0]} gives {ours}, {right[0]} gives {theirs}; "
                          f"compare the files of {left[1].relative_to(ROOT)} and {right[1].relative_to(ROOT)}")
    names = {path.relative_to(folder) for folder in (left[1], right[1]) for path in folder.rglob("*") if path.is_file()}
    for name in sorted(names):
        if name.name == "manifest.json":
            continue
        ours, theirs = left[1] / name, right[1] / name
        if not (ours.exists() and theirs.exists() and filecmp.cmp(ours, theirs, shallow=False)):
            raise Failure(f"{scenario}: equal hashes, but {name} differs between {left[0]} and {right[0]}")


class Results:
    """Counts checks and prints each as it ends."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, name, function):
        try:
            function()
        except (Failure, OSError, subprocess.SubprocessError, KeyError) as error:
            self.failed += 1
            print(f"FAILED  {name}\n  {error}", flush=True)
        else:
            self.passed += 1
            print(f"ok      {name}", flush=True)


def check_scenario(results, scenario, presets):
    reference = {}

    def first():
        reference["run"] = (REFERENCE, *run(REFERENCE, scenario, SEED, REFERENCE))

    def against(label, preset, tunables=None):
        def body():
            compare(scenario, reference["run"], (label, *run(preset, scenario, SEED, label, tunables)))
        return body

    results.check(f"{scenario}: runs", first)
    if "run" not in reference:
        return {}
    results.check(f"{scenario}: {REFERENCE} twice", against(f"{REFERENCE}-again", REFERENCE))
    results.check(f"{scenario}: {REFERENCE} without FMA", against(f"{REFERENCE}-without-fma", REFERENCE, WITHOUT_FMA))
    for preset in presets:
        if preset != REFERENCE:
            results.check(f"{scenario}: {REFERENCE} and {preset}", against(preset, preset))
    return reference["run"][2]


def check_seeds(results, hashes_of):
    """A policy whose trace is the same for two seeds in every scenario ignores the seed."""
    def body():
        same = None
        for scenario, hashes in hashes_of.items():
            _, others = run(REFERENCE, scenario, OTHER_SEED, f"{REFERENCE}-other-seed")
            equal = {policy for policy in hashes if hashes[policy] == others.get(policy)}
            same = equal if same is None else same & equal
        if same:
            raise Failure(f"seeds {SEED} and {OTHER_SEED} give the same trace in {', '.join(hashes_of)} under "
                          f"{', '.join(sorted(same))}")
    results.check(f"seeds {SEED} and {OTHER_SEED} differ", body)


def check_campaign(results, presets):
    """Worlds of all kinds of fault, the same in every build and with one thread or two."""
    folders = {}

    def campaign(label, preset, *words):
        folder = OUT / "campaign" / label
        command = [str(ROOT / "build" / preset / "flotsam"), "campaign", "chaos", "--seeds", CAMPAIGN_SEEDS, "--policy",
                   "all", "--quiet", "--overwrite", "--out", str(folder), *words]
        done = subprocess.run(command, cwd=ROOT, text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
        if done.returncode < 0 or done.returncode >= 4:
            raise Failure(f"campaign: {label} ended with {done.returncode}:\n{done.stdout[-2000:]}")
        folders[label] = folder

    def same(label, preset, *words):
        def body():
            campaign(label, preset, *words)
            for name in ("runs.csv", "failures.csv", "goals.csv"):
                if not filecmp.cmp(folders[REFERENCE] / name, folders[label] / name, shallow=False):
                    raise Failure(f"campaign: {name} differs between {REFERENCE} and {label}")
        return body

    results.check(f"campaign {CAMPAIGN_SEEDS}: runs", lambda: campaign(REFERENCE, REFERENCE))
    if REFERENCE not in folders:
        return
    results.check("campaign: one thread and many", same("one-thread", REFERENCE, "--jobs", "1"))
    for preset in presets:
        if preset != REFERENCE:
            results.check(f"campaign: {REFERENCE} and {preset}", same(preset, preset))


def check_plant(results):
    """The checks must find a world that depends on the process's past; whoever misses it finds nothing elsewhere."""
    program = ROOT / "build" / REFERENCE / PLANTED
    folder = OUT / PLANTED

    def flotsam(*words):
        done = subprocess.run([str(program), *map(str, words)], cwd=ROOT, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
        return done.returncode, done.stdout

    def found(what, code, text):
        if code != NOT_DETERMINISTIC:
            raise Failure(f"{what} ended with {code}, not {NOT_DETERMINISTIC}:\n{text[-2000:]}")
        if what.startswith("diff") and not re.search(r"event #\d+ is the first that differs, in its field \w+", text):
            raise Failure(f"{what} names no event:\n{text[-2000:]}")

    def builds():
        build(REFERENCE, PLANTED)
        shutil.rmtree(folder, ignore_errors=True)

    def verify():
        words = ("--policy", "kip-dangling", "--verify", "--out", folder / "twice")
        found("run --verify", *flotsam("run", "tiny", *words))

    def campaign():
        words = ("--policy", "kip-dangling", "--seeds", "1..3", "--set", "chaos.run-twice=1", "--quiet")
        code, text = flotsam("campaign", "chaos", *words, "--out", folder / "campaign")
        found("campaign", code, text)
        if not re.search(r"not-deterministic.*event #\d+ is the first that differs", text):
            raise Failure(f"campaign names no event:\n{text[-2000:]}")

    def diff(keep):
        # The second folder's policy runs after another one in its process, the first one's alone.
        def body():
            alone, after = folder / f"alone-{keep}", folder / f"after-{keep}"
            options = ("--jobs", "1", "--keep", keep, "--policy")
            flotsam("run", "tiny", "--out", alone, *options, "kip-dangling")
            flotsam("run", "tiny", "--out", after, *options, "kafka-4.0", "--policy", "kip-dangling")
            found(f"diff of --keep {keep}", *flotsam("diff", alone, after / "kip-dangling"))
        return body

    results.check(f"{PLANTED}: builds", builds)
    results.check(f"{PLANTED}: run --verify finds it", verify)
    results.check(f"{PLANTED}: a campaign's seeds that run twice find it", campaign)
    results.check(f"{PLANTED}: diff names the event from the files", diff("all"))
    results.check(f"{PLANTED}: diff names the event from two more runs", diff("summary"))


def main(arguments):
    results = Results()
    for preset in PRESETS:
        print(f"== Build ({preset})", flush=True)
        build(preset)
    print("== Runs", flush=True)
    every = {scenario: PRESETS for scenario in arguments or SMALL}
    if not arguments:
        every.update({scenario: [REFERENCE, "clang"] for scenario in LARGER})
    hashes_of = {scenario: check_scenario(results, scenario, presets) for scenario, presets in every.items()}
    hashes_of = {scenario: hashes for scenario, hashes in hashes_of.items() if hashes}
    if hashes_of:
        check_seeds(results, hashes_of)
    if not arguments:
        check_campaign(results, PRESETS)
    check_plant(results)
    print(f"{results.passed} passed, {results.failed} failed")
    return 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
