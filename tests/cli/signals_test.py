#!/usr/bin/env python3
"""Interruptions and readers that go away: what was finished is kept, nothing unfinished is left, nothing crashes.

usage: python3 tests/cli/signals_test.py build/release/flotsam
"""

import csv
import json
import os
import pty
import re
import signal
import subprocess
import threading
import time

from support import Checks, Place, tree

check = Checks()
# A world that takes minutes.
LONG = ["quiet", "--set", "scenario.duration=3650d"]


def wait_for(holds, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def finish(process):
    try:
        out, err = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        err += b"\nkilled by the test: it did not end"
    return out.decode(), err.decode()


def hidden(place):
    return sorted(str(path.relative_to(place.path)) for path in place.path.rglob(".*"))


def interrupted_before_anything(number, code):
    name = f"run ended by signal {number}"
    with Place() as place:
        place.run("run", "quiet", "--policy", "kafka-4.0")
        older = tree(place.path, without=())
        process = place.start("run", *LONG, "--policy", "kafka-4.0")
        check(f"{name}: has begun", wait_for(lambda: hidden(place)), place.names())
        process.send_signal(number)
        out, err = finish(process)
        check(f"{name}: exit {code}", process.returncode == code, f"{process.returncode} {err}")
        check(f"{name}: says so", "interrupted" in err, err)
        check(
            f"{name}: nothing unfinished is left, the older folder is there",
            tree(place.path, without=()) == older and not hidden(place),
            hidden(place),
        )


def interrupted_after_one_policy():
    name = "run ended after the first policy"
    with Place() as place:
        process = place.start(
            "run",
            "quiet",
            "--set",
            "scenario.duration=120d",
            "--jobs",
            "1",
            "--policy",
            "kafka-4.0",
            "--policy",
            "kip-dangling",
            "--out",
            "out",
            "--junit",
            "junit.xml",
        )
        done = wait_for(lambda: list(place.path.glob(".out.*/kafka-4.0/manifest.json")))
        process.send_signal(signal.SIGINT)
        out, err = finish(process)
        if not check(f"{name}: exit 130", done and process.returncode == 130, f"{process.returncode} {err}"):
            return
        folder = place.path / "out"
        kept = sorted(path.name for path in folder.iterdir())
        check(
            f"{name}: its folder is kept, the other's is not",
            kept == ["kafka-4.0", "manifest.json", "runs.csv"],
            kept,
        )
        with open(folder / "runs.csv", newline="", encoding="utf-8") as file:
            runs = list(csv.DictReader(file))
        check(f"{name}: runs.csv has its row", [run["policy"] for run in runs] == ["kafka-4.0"], runs)
        check(
            f"{name}: the manifest is unfinished",
            json.loads((folder / "manifest.json").read_text())["verdict"] == "unfinished",
        )
        check(f"{name}: the last line is the folder", out.splitlines()[-1] == "out", out)
        xml = (place.path / "junit.xml").read_text()
        check(f"{name}: JUnit calls the other unfinished", "unfinished" in xml, xml)
        check(f"{name}: nothing is left aside", not hidden(place), hidden(place))


def interrupted_comparison(number, code):
    name = f"comparison ended by signal {number}"
    with Place() as place:
        process = place.start(
            "compare",
            "quiet",
            "--policy",
            "kafka-4.0",
            "--policy",
            "kip-dangling",
            "--seeds",
            "1..100000",
            "--out",
            "out",
        )
        begun = wait_for(lambda: (place.path / "out/manifest.json").exists())
        check(
            f"{name}: the folder is there from the start, unfinished",
            begun and json.loads((place.path / "out/manifest.json").read_text())["verdict"] == "unfinished",
        )
        refused = place.run("report", "out", "--svg", "x.svg")
        check(f"{name}: report refuses it meanwhile", refused.code == 64 and "unfinished" in refused.err, refused)
        time.sleep(2)
        process.send_signal(number)
        out, err = finish(process)
        check(f"{name}: exit {code}", process.returncode == code, f"{process.returncode} {err}")
        with open(place.path / "out/runs.csv", newline="", encoding="utf-8") as file:
            runs = list(csv.DictReader(file))
        check(f"{name}: what was finished is kept", len(runs) > 2, runs)
        manifest = json.loads((place.path / "out/manifest.json").read_text())
        check(f"{name}: the manifest is unfinished", manifest["verdict"] == "unfinished", manifest)
        check(f"{name}: nothing is left aside", not hidden(place), hidden(place))


def ignored():
    """A command started by nohup or in a script's background ignores SIGINT, as who started it wants."""
    with Place() as place:
        process = subprocess.Popen(
            [place.program, "compare", "tiny", "--seeds", "1..200"],
            cwd=place.path,
            env=place.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        )
        process.send_signal(signal.SIGINT)
        _, err = finish(process)
        check(
            "a SIGINT that is ignored stays ignored",
            process.returncode in (0, 1, 2, 3),
            f"{process.returncode} {err}",
        )


def readers_that_go_away():
    with Place() as place:
        whole = place.run("run", "tiny")
        for name, words, lines in [
            ("run", "run tiny", 1),
            ("list", "list keys", 1),
            ("help", "--help", 0),
            ("print", "check tiny --print", 1),
        ]:
            shell = f'"{place.program}" {words} | head -n {lines}; echo "codes ${{PIPESTATUS[*]}}"'
            done = subprocess.run(
                ["bash", "-c", shell],
                cwd=place.path,
                env=place.environment(),
                capture_output=True,
                timeout=120,
                check=False,
            )
            code = int(done.stdout.decode().rsplit("codes ", 1)[1].split()[0])
            wanted = whole.code if name == "run" else 0
            said = [line for line in done.stderr.decode().splitlines() if not line.startswith("note: ")]
            check(
                f"{name} | head: ends as without it, and says nothing", code == wanted and not said, f"{code} {said}"
            )
        check("run | head: the folder is complete", (place.path / "flotsam-out/run-tiny/manifest.json").exists())
        result = place.run("run", "tiny", before=lambda: os.close(1), stdout=None)
        check("a closed standard output does no harm to the folder", result.code in (whole.code, 70), result)


def read_all(terminal):
    seen = b""
    try:
        while chunk := os.read(terminal, 1 << 16):
            seen += chunk
    except OSError:  # A terminal that no program has open any more.
        pass
    return seen


def progress():
    """On a terminal a live line, elsewhere none before a minute has passed, under --quiet none at all."""
    with Place() as place:
        words = ["compare", "tiny", "--seeds", "1..3000", "--policy", "kafka-4.0"]
        check("progress: nothing off a terminal in the first minute", not place.run(*words).messages)
        for quiet in ([], ["--quiet"]):
            ours, theirs = pty.openpty()
            reader = threading.Thread(target=lambda: chunks.append(read_all(ours)))
            chunks = []
            reader.start()
            result = place.run(*words, *quiet, env={"TERM": "xterm", "NO_COLOR": "1"}, stderr=theirs)
            os.close(theirs)
            reader.join()
            os.close(ours)
            seen = chunks[0]
            if quiet:
                check("progress: none under --quiet", b"worlds done" not in seen, seen)
            else:
                check(
                    "progress: a live line that is erased at the end",
                    b"\r\x1b[K" in seen
                    and b"of 3000 worlds done" in seen
                    and seen.rstrip(b"\r\n").endswith(b"\r\x1b[K"),
                    seen[-300:],
                )
                check(
                    "progress: no colours under NO_COLOR",
                    not re.search(rb"\x1b\[[0-9;]*m", seen + result.out.encode()),
                )


for which, exit_code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
    interrupted_before_anything(which, exit_code)
    interrupted_comparison(which, exit_code)
interrupted_after_one_policy()
ignored()
readers_that_go_away()
progress()
check.finish()
