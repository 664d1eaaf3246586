"""What the end-to-end tests share: a place to work in, the program, and one line a check."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


# A campaign's worlds in which kafka-4.0 leaks for lack of expectations: exit 3, and failures to keep and to merge.
LEAKY = """[scenario]
base = tiny
duration = 30m
[chaos]
kinds = copy-fail delete-fail crash store-slow
faults = 1..3
window = 1m..4m
[expect.kafka-4.0]
must-break =
"""
# Files of a campaign's folder that are the same to the byte, however many processes wrote them.
WHOLE = ("runs.csv", "failures.csv", "goals.csv")


def program():
    """The program under test: the script's only argument, or $FLOTSAM."""
    path = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("FLOTSAM", "build/release/flotsam")
    path = pathlib.Path(path).resolve()
    if not path.exists():
        sys.exit(f"{path}: no such program; usage: {sys.argv[0]} build/release/flotsam")
    return str(path)


class Checks:
    """Counts; prints `ok NAME` or `not ok NAME` with what was seen."""

    def __init__(self):
        self.failed = 0
        self.count = 0

    def __call__(self, name, holds, seen=""):
        self.count += 1
        print(f"{'ok' if holds else 'not ok'} {name}", flush=True)
        if not holds:
            self.failed += 1
            for line in str(seen).splitlines()[:20]:
                print(f"    {line[:300]}")
        return holds

    def finish(self):
        print(f"{self.count - self.failed} of {self.count} checks hold")
        sys.exit(1 if self.failed or not self.count else 0)


class Result:
    def __init__(self, completed):
        self.code = completed.returncode
        self.out = completed.stdout.decode("utf-8", "replace")
        self.err = completed.stderr.decode("utf-8", "replace")

    @property
    def messages(self):
        """The error stream's lines without the scenario's own notes."""
        return [line for line in self.err.splitlines() if line.strip() and not line.startswith("note: ")]

    def __str__(self):
        return f"exit {self.code}\n{self.err}{self.out}"


class Place:
    """An empty folder that is the program's working directory, so that nothing is found or left elsewhere."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="flotsam-cli-"))
        self.program = program()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def environment(self, extra=None):
        keep = {
            name: os.environ[name]
            for name in ("PATH", "HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS")
            if name in os.environ
        }
        return {**keep, "LC_ALL": "C.UTF-8", **(extra or {})}

    def run(self, *words, env=None, before=None, timeout=600, **streams):
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
        completed = subprocess.run(
            [self.program, *map(str, words)],
            cwd=self.path,
            env=self.environment(env),
            timeout=timeout,
            preexec_fn=before,
            **streams,
        )
        completed.stdout = completed.stdout or b""
        completed.stderr = completed.stderr or b""
        return Result(completed)

    def start(self, *words, env=None):
        return subprocess.Popen(
            [self.program, *map(str, words)],
            cwd=self.path,
            env=self.environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def write(self, name, content):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def everything(self):
        """Every file and folder below, with what is in it: two of them are equal when nothing was written."""
        return {
            str(path.relative_to(self.path)): path.read_bytes() if path.is_file() else None
            for path in sorted(self.path.rglob("*"))
        }

    def names(self):
        return sorted(path.name for path in self.path.iterdir())


def tree(folder, without=("manifest.json",)):
    """The files of a run's folder by their relative names; what may hold wall time is left out."""
    folder = pathlib.Path(folder)
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in without
    }
