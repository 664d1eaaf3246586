#!/usr/bin/env python3
"""cluster/slurm/campaign on a real Slurm, several nodes on this machine: whatever dies on the way, the same bytes.

usage: python3 tests/cluster/slurm_test.py build/release/flotsam [--quick]
--quick is one campaign with a machine that dies and one that is cut off, under a minute. Without Slurm or root nothing
is tested: exit 77 and a line that says so.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from slurm_cluster import Cluster, kill, program_of, wait_until, why_not
from support import LEAKY, WHOLE, Checks, Place

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = 6
SECONDS_MAX = 840
WORDS = ("leaky.ini", "--seeds", "1..1200", "--policy", "kafka-4.0", "--policy", "kip-dangling")

# Stands in for flotsam. A part that is named in hold/ does some seeds, is ended and begun again, and then stands still
# until somebody lets it go on: so what is killed is killed in the middle, on slow and on fast machines. A part with a
# number in exit/ ends with it.
HOLDING = """#!/usr/bin/env bash
set -euo pipefail
here=$(dirname "$0")
real={program}
if [[ $1 != campaign || -z ${{SLURM_ARRAY_TASK_ID:-}} ]]; then exec "$real" "$@"; fi
if [[ -e $here/exit/$SLURM_ARRAY_TASK_ID ]]; then
  echo 'planted failure' >&2
  exit "$(cat "$here/exit/$SLURM_ARRAY_TASK_ID")"
fi
if ! rm "$here/hold/$SLURM_ARRAY_TASK_ID" 2>/dev/null; then exec "$real" "$@"; fi
part=${{!#}}
for delay in 0.05 0.1 0.2 0.4 0.8 1.6 3.2; do
  "$real" "$@" &
  until compgen -G "$part/.work-*/runs.csv" >/dev/null; do sleep 0.01; done
  sleep "$delay"
  kill -TERM $!
  wait $! || true
  if grep -qsE '^[1-9]' "$part"/.work-*/checkpoint.csv; then break; fi
done
before=$(ls -d "$part"/.work-*)
# In a session of its own, or the kernel ends it when its node's daemon dies while it stands still.
setsid "$real" "$@" &
until [[ $(ls -d "$part"/.work-* 2>/dev/null) != "$before" ]]; do sleep 0.01; done
kill -STOP $!
echo "$SLURMD_NODENAME $!" >"$here/held/.$SLURM_ARRAY_TASK_ID"
mv "$here/held/.$SLURM_ARRAY_TASK_ID" "$here/held/$SLURM_ARRAY_TASK_ID"
code=0
wait $! || code=$?
exit "$code"
"""

check = Checks()


class Bench(Place):
    """A place with the scenario, the stand-in for flotsam, and the cluster."""

    def __init__(self, cluster):
        super().__init__()
        self.cluster = cluster
        self.write("leaky.ini", LEAKY)
        self.write("flotsam", HOLDING.format(program=self.program)).chmod(0o755)
        for name in ("hold", "held", "exit"):
            (self.path / name).mkdir()

    def submit(self, out, *options, words=WORDS):
        command = [str(ROOT / "cluster/slurm/campaign"), "--shards", str(PARTS), "--out", out, "--poll", "0.3",
                   "--flotsam", str(self.path / "flotsam"), *options, "--", *words]
        return subprocess.Popen(command, cwd=self.path, env=self.cluster.environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def hold(self, *parts):
        for part in parts:
            (self.path / f"hold/{part}").touch()
            (self.path / f"held/{part}").unlink(missing_ok=True)

    def held(self, part, seconds=60):
        """Waits until that part stands still; its node and flotsam's pid."""
        file = self.path / f"held/{part}"
        if not wait_until(file.exists, seconds):
            raise RuntimeError(f"part {part} never ran: {self.cluster.call('squeue', '-r', '--states=all')}")
        node, pid = file.read_text().split()
        return node, int(pid)

    def let_go(self, *parts):
        for part in parts:
            kill(self.held(part)[1], signal.SIGCONT)

    def log(self, out, part):
        path = self.path / out / f"log/part-{part}.log"
        return path.read_text() if path.exists() else ""

    def job(self, out, part):
        """The array that runs that part now."""
        return re.findall(r", job (\d+),", self.log(out, part))[-1]

    def same_as_one_machine(self, out):
        return all((self.path / "one" / name).read_bytes() == (self.path / out / "whole" / name).read_bytes()
                   for name in WHOLE)


def end_of(process, seconds=120):
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        err += f"\n(did not end within {seconds} s)"
    return process.returncode, out, err


def one_machine(bench):
    done = bench.run("campaign", *WORDS, "--out", "one")
    check("one machine: findings", done.code == 3, done)


def lost_nodes(bench):
    """A machine dies; another is cut off, works on, and meets its part's successor."""
    bench.hold(1, 3, 5)
    begun = time.monotonic()
    process = bench.submit("lost")
    where = {part: bench.held(part) for part in (1, 3, 5)}
    dead = where[1][0]
    cut_off = next((part for part in (3, 5) if where[part][0] != dead), None)
    check("the parts run on several nodes", cut_off is not None, where)
    bench.let_go(*(part for part in (3, 5) if part != cut_off))
    bench.cluster.lose_node(dead, with_its_work=True)
    bench.cluster.lose_node(where[cut_off][0], with_its_work=False)
    # The twin goes on as soon as its successor has begun.
    begins = f"part {cut_off} of {PARTS} on"
    again = wait_until(lambda: bench.log("lost", cut_off).count(begins) == 2, 60)
    check("a node that was cut off: its part runs elsewhere", again, bench.log("lost", cut_off))
    twin = where[cut_off][1]
    check("and here still", program_of(twin) != "", program_of(twin))
    kill(twin, signal.SIGCONT)
    code, out, err = end_of(process)
    check("lost nodes: merge's exit code", code == 3, err + out)
    check("lost nodes: the bytes of one machine", code == 3 and bench.same_as_one_machine("lost"), err + out)
    check("the verdict is told", "whole: fail (leak), exit 3" in out, out)
    check("the dead node's part ran twice", bench.log("lost", 1).count(f"part 1 of {PARTS} on") == 2,
          bench.log("lost", 1))
    check("and went on where it was", re.search(r"[1-9]\d* seeds were done before", bench.log("lost", 1)),
          bench.log("lost", 1))
    wait_until(lambda: not program_of(twin), 20)
    left = [str(path) for path in (bench.path / "lost").glob("part-*/.work-*")]
    check("nothing of the lost is left", not left, left)
    print(f"    {time.monotonic() - begun:.1f} s, two of {len(bench.cluster.nodes)} nodes lost")
    for node in {dead, where[cut_off][0]}:
        bench.cluster.start_node(node)
    up = wait_until(lambda: bench.cluster.call("sinfo", "-hN", "-o%T").split() == ["idle"] * 3, 60)
    check("the nodes come back", up, bench.cluster.call("sinfo", "-N"))


def killed_tasks(bench):
    """flotsam killed, a task cancelled with SIGKILL, its script killed; a twin by hand beside all that."""
    bench.hold(1, 2, 3, 4)
    process = bench.submit("killed")
    where = {part: bench.held(part) for part in (1, 2, 3, 4)}
    by_hand = bench.start("campaign", *WORDS, "--shard", f"4/{PARTS}", "--resume", "--out", "killed/part-4")
    kill(where[1][1], signal.SIGKILL)
    bench.cluster.call("scancel", "--signal=KILL", f"{bench.job('killed', 2)}_2")
    bench.cluster.call("scancel", "--signal=KILL", "--batch", f"{bench.job('killed', 3)}_3")
    bench.let_go(4)
    code, out, err = end_of(process)
    twin = by_hand.wait(timeout=60)
    by_hand.communicate()
    check("killed tasks: the bytes of one machine", code == 3 and bench.same_as_one_machine("killed"), err + out)
    for part, why in ((1, "it was killed"), (2, "its task was cancelled"), (3, "it was killed")):
        check(f"part {part}: {why}, and is run again", re.search(rf"part {part}: {why} after [1-9]\d* seeds", err), err)
    check("a twin by hand ends as if alone", twin == 3, twin)
    again = end_of(bench.submit("killed"))
    check("given again: only merged", again[0] == 3 and "job" not in again[2] and bench.same_as_one_machine("killed"),
          again)
    bench.cluster.call("sbatch", "--array=2", f"--output={bench.path}/by-hand.log", "--wait",
                       str(ROOT / "cluster/slurm/part.sbatch"), str(PARTS), str(bench.path / "killed"), bench.program,
                       *WORDS)
    check("a requeued task of a finished part ends at once", "finished already" in
          (bench.path / "by-hand.log").read_text(), (bench.path / "by-hand.log").read_text())
    other = end_of(bench.submit("killed", words=("leaky.ini", "--seeds", "1..9")))
    check("another campaign in the same folder is refused", other[0] == 64 and "holds another campaign" in other[2],
          other)


def interrupted(bench):
    """Ctrl-C, then a command that is killed itself, then one that joins its array."""
    bench.hold(1)
    process = bench.submit("stopped")
    bench.held(1)
    process.send_signal(signal.SIGINT)
    code, _, err = end_of(process)
    check("Ctrl-C: 130, and says what stays", code == 130 and "the same command goes on" in err, err)
    gone = wait_until(lambda: not bench.cluster.call("squeue", "-h").strip(), 30)
    check("Ctrl-C: the array is cancelled", gone, bench.cluster.call("squeue"))
    bench.hold(2)
    process = bench.submit("stopped")
    bench.held(2)
    process.kill()
    process.communicate()
    process = bench.submit("stopped")
    time.sleep(1)
    bench.let_go(2)
    code, out, err = end_of(process)
    check("joins the array in the queue", re.search(r"going on: \d of 6 parts are done, [1-6] in the queue", err), err)
    check("interrupted twice: the bytes of one machine", code == 3 and bench.same_as_one_machine("stopped"), err + out)


def failed_tasks(bench):
    """What must not be run again."""
    (bench.path / "exit/2").write_text("64")
    (bench.path / "exit/5").write_text("70")
    code, out, err = end_of(bench.submit("failed"))
    check("tasks that fail: 70", code == 70, err + out)
    check("which, and the log's end", "part 2 failed: flotsam ended with 64" in err and "planted failure" in err, err)
    check("what is done is told", "4 of 6 parts are done; failed: 2,5" in err, err)
    check("nothing was merged", not (bench.path / "failed/whole").exists())
    for part in (2, 5):
        (bench.path / f"exit/{part}").unlink()
    code, out, err = end_of(bench.submit("failed"))
    check("mended: only the missing parts run", re.search(r"job \d+: parts 2,5", err), err)
    check("mended: the bytes of one machine", code == 3 and bench.same_as_one_machine("failed"), err + out)
    (bench.path / "exit/3").write_text("137")
    code, out, err = end_of(bench.submit("hopeless"))
    check("killed again and again: an end", code == 70 and "3 times in a row" in err, err)
    (bench.path / "exit/3").unlink()
    code, out, err = end_of(bench.submit("typo", words=("leaky.ini", "--policy", "kafka-40")))
    check("bad words: 64 before anything is submitted", code == 64 and "did you mean" in err and "job" not in out, err)
    process = bench.submit("cancelled", "--at-once", "1")
    wait_until(lambda: "flotsam" in bench.cluster.call("squeue", "-h", "-o%j"), 20)
    bench.cluster.call("scancel", "--user=root")
    code, out, err = end_of(process)
    check("all cancelled: is not run again", code == 70 and "with all others" in err, err)


def time_limit(bench):
    """A minute is the least that Slurm knows; the part that stands still reaches it and goes on in another task."""
    bench.hold(6)
    code, out, err = end_of(bench.submit("limit", "--time", "1"), seconds=240)
    again = re.search(r"part 6: it reached its time limit after [1-9]\d* seeds", err)
    check("a time limit: submitted again", again, err)
    check("a time limit: a checkpoint at the end", "flotsam ended with 143" in bench.log("limit", 6),
          bench.log("limit", 6))
    check("a time limit: the bytes of one machine", code == 3 and bench.same_as_one_machine("limit"), err + out)


def main():
    quick = "--quick" in sys.argv
    reason = why_not()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    os.umask(0o022)
    # The cluster ends in every case: at SIGTERM, and before ctest's limit, which is SIGKILL.
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    signal.alarm(SECONDS_MAX)
    with Cluster(nodes=3, cpus=2) as cluster, Bench(cluster) as bench:
        one_machine(bench)
        lost_nodes(bench)
        if not quick:
            for test in (killed_tasks, interrupted, failed_tasks, time_limit):
                print(f"# {test.__name__}", flush=True)
                test(bench)
    left = [pid for pid in cluster.processes() if program_of(pid)]
    check("nothing of the cluster is left", not left and not cluster.path.exists(), left)
    check.finish()


main()
