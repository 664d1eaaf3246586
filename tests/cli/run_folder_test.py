#!/usr/bin/env python3
"""What stands in the folders: exact columns, legal transitions, sums that hold, the same bytes when they should be.

usage: python3 tests/cli/run_folder_test.py build/release/flotsam
"""

import csv
import json
import pathlib
import re
import shutil

from support import Checks, Place, tree

SCENARIOS = ("tiny", "quiet", "partial-uploads")

SUMMARY = (
    "scenario,policy,seed,outcome,verdict,first_violation,peak_garbage_bytes,garbage_byte_hours,waste_byte_hours,"
    "reclaim_ms,garbage_bytes_end,garbage_bytes_never,last_due_ms,garbage_age_max_ms,orphan_bytes_end,stuck_bytes_end,"
    "ghosts_end,over_deleted_bytes,copy_attempts,copy_failures,delete_attempts,delete_failures,put_bytes,"
    "metadata_records,metadata_bytes,store_requests,cost_usd,events,transitions,trace_hash"
)
TRANSITIONS = (
    "time_ms,broker,topic,partition,leader_epoch,segment_id,start_offset,end_offset,size_bytes,from_state,to_state,"
    "cause,event"
)
COLUMNS = {
    "transitions.csv": TRANSITIONS,
    "curves.csv": (
        "time_ms,topic,stored_bytes,live_bytes,in_flight_bytes,expired_bytes,unreferenced_bytes,dangling_bytes,"
        "deleting_bytes,stuck_bytes,orphan_bytes,upload_parts_bytes,waste_bytes,garbage_bytes,garbage_count,"
        "metric_dangling_count,metric_dangling_bytes,copy_lag_bytes,active_faults,deleting_failed_bytes,"
        "garbage_bytes_max,ghost_count,ghost_claimed_bytes"
    ),
    "events.csv": "time_ms,event,end_ms,broker,task,topic,partition,segment_id,kind,object,bytes,result,fault",
    "metrics.csv": "time_ms,broker,mbean,attribute,value",
    "faults.csv": "start_ms,end_ms,kind,target,params,hits,name",
    "violations.csv": "time_ms,invariant,subject,detail,expected,event",
    "leftovers.csv": (
        "segment_id,topic,partition,bytes,became_garbage_ms,reclaimed_ms,state,fault,step,reclaimed_by,due_by,"
        "due_ms"
    ),
    "goals.csv": "kind,goal,times,first_ms,event",
    "summary.csv": SUMMARY,
    "runs.csv": SUMMARY + ",folder",
}
COMPARE = (
    "scenario,metric,policy_a,policy_b,n,mean_a,mean_b,mean_difference,ci95_low,ci95_high,median_difference,"
    "share_reclaimed_a,share_reclaimed_b"
)

CS, CF = "COPY_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED"
DS, DF, DANGLING = "DELETE_SEGMENT_STARTED", "DELETE_SEGMENT_FINISHED", "DANGLING"
# RemoteLogSegmentState.isValidTransition; an empty source is an id never seen.
KAFKA = {("", CS), (CS, CS), (CS, CF), (CS, DS), (CF, CF), (CF, DS), (DS, DS), (DS, DF), (DF, DF)}
# The KIP's diagram adds these to it.
KIP = KAFKA | {(CS, DANGLING), (DS, DANGLING), (DANGLING, DS), (DANGLING, DANGLING)}

CLASSES = ("live", "in_flight", "expired", "unreferenced", "dangling", "deleting", "stuck", "orphan", "upload_parts")
GARBAGE = ("dangling_bytes", "deleting_failed_bytes", "stuck_bytes", "orphan_bytes", "upload_parts_bytes")

check = Checks()


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def policies(place):
    return place.run("list", "policies", "--names").out.split()


def check_columns(name, folder):
    for file, columns in COLUMNS.items():
        path = folder / file
        if not check(f"{name}: {file} is there", path.exists(), sorted(p.name for p in folder.iterdir())):
            continue
        first = path.read_bytes().split(b"\n", 1)[0].decode()
        # Columns at the end may be added.
        check(f"{name}: {file} has its columns", (first + ",").startswith(columns + ","), first)
        data = path.read_bytes()
        check(f"{name}: {file} ends its lines with \\n", data.endswith(b"\n") and b"\r" not in data)
        width = len(next(csv.reader([first])))
        with open(path, newline="", encoding="utf-8") as text:
            check(f"{name}: {file} is a table", all(len(row) == width for row in csv.reader(text)))
    for file in ("manifest.json", "scenario.ini", "faults.plan.csv"):
        check(f"{name}: {file} is there", (folder / file).exists())
    for file, content in tree(folder).items():
        # An import of the scenario may well name a file; a folder of this machine it must not.
        check(f"{name}: {file} names no path of this machine", str(folder.parent).encode() not in content)


def check_transitions(name, folder, policy):
    table = KIP if policy.startswith("kip-") else KAFKA
    state, time, event = {}, 0, 0
    transitions = rows(folder / "transitions.csv")
    check(f"{name}: there are transitions", transitions)
    illegal, torn, unordered = [], [], []
    for row in transitions:
        if (row["from_state"], row["to_state"]) not in table:
            illegal.append(row)
        if state.get(row["segment_id"], "") != row["from_state"]:
            torn.append(row)
        state[row["segment_id"]] = row["to_state"]
        if int(row["time_ms"]) < time or int(row["event"]) <= event:
            unordered.append(row)
        time, event = int(row["time_ms"]), int(row["event"])
    check(f"{name}: every transition is legal under {policy}", not illegal, illegal[:3])
    check(f"{name}: every transition starts from the state before", not torn, torn[:3])
    check(f"{name}: transitions are in order, events grow", not unordered, unordered[:3])
    ids = [row["segment_id"] for row in transitions]
    check(
        f"{name}: segment ids are Kafka's 22 characters",
        all(re.fullmatch(r"[A-Za-z0-9_-]{22}", i) for i in ids),
        ids[:3],
    )


def check_curves(name, folder):
    curves = rows(folder / "curves.csv")
    numbers = [{key: (value if key == "topic" else int(value)) for key, value in row.items()} for row in curves]
    check(f"{name}: there are curves", numbers)

    def all_hold(what, holds):
        wrong = [row for row in numbers if not holds(row)]
        check(f"{name}: {what} in every row", not wrong, wrong[:2])

    all_hold(
        "the nine classes add up to what is stored",
        lambda r: sum(r[f"{c}_bytes"] for c in CLASSES) == r["stored_bytes"],
    )
    all_hold("garbage is the sum of its classes", lambda r: sum(r[c] for c in GARBAGE) == r["garbage_bytes"])
    all_hold(
        "waste is all but live and in flight",
        lambda r: r["stored_bytes"] - r["live_bytes"] - r["in_flight_bytes"] == r["waste_bytes"],
    )
    all_hold(
        "garbage is at most its greatest value since the row before",
        lambda r: r["garbage_bytes"] <= r["garbage_bytes_max"],
    )
    all_hold("nothing is negative", lambda r: all(v >= 0 for k, v in r.items() if k != "topic"))
    # A topic whose values stay may be left out until they change; * never is.
    times, now = {}, {}
    for row in numbers:
        now[row["topic"]] = row
        times[row["time_ms"]] = dict(now)
    wrong = [
        time
        for time, at in times.items()
        if at["*"]["time_ms"] != time
        or any(
            sum(row[column] for topic, row in at.items() if topic != "*") != at["*"][column]
            for column in ("stored_bytes", "garbage_bytes", "waste_bytes", "garbage_count", "ghost_count")
        )
    ]
    check(f"{name}: the topics add up to *", not wrong, wrong[:3])
    check(
        f"{name}: curves begin at 0 and go on in time", list(times) == sorted(times) and 0 in times, list(times)[:3]
    )
    summary = rows(folder / "summary.csv")[0]
    peak = max(row["garbage_bytes_max"] for row in numbers if row["topic"] == "*")
    check(
        f"{name}: the curves' peak is the summary's",
        peak == int(summary["peak_garbage_bytes"]),
        f"{peak} {summary['peak_garbage_bytes']}",
    )
    last = max(times)
    check(
        f"{name}: the curves' end is the summary's",
        times[last]["*"]["garbage_bytes"] == int(summary["garbage_bytes_end"]),
        f"{times[last]['*']} {summary['garbage_bytes_end']}",
    )


def check_manifest(name, folder, result, policy):
    manifest = json.loads((folder / "manifest.json").read_text())
    wanted = {
        "format_version",
        "kind",
        "version",
        "commit",
        "compiler",
        "scenario",
        "policies",
        "seeds",
        "start",
        "trace_hash",
        "events",
        "transitions",
        "world_ms",
        "wall_ms",
        "outcome",
        "verdict",
    }
    check(f"{name}: the manifest has its keys", wanted <= set(manifest), wanted - set(manifest))
    check(
        f"{name}: the manifest names policy and seed",
        manifest["policies"] == [policy] and str(manifest["seeds"]) == "1",
        manifest,
    )
    summary = rows(folder / "summary.csv")[0]
    check(
        f"{name}: the hash is the same in manifest, summary and on the terminal",
        manifest["trace_hash"] == summary["trace_hash"] and f"trace_hash {summary['trace_hash']}" in result.out,
        result,
    )
    run = rows(folder / "runs.csv")
    check(
        f"{name}: runs.csv is the summary's row",
        len(run) == 1 and {key: value for key, value in run[0].items() if key != "folder"} == summary,
        run,
    )
    codes = {"pass": (0,), "fail": (1, 3), "unknown": (2,)}
    check(
        f"{name}: the exit code follows the verdict",
        result.code in codes[summary["verdict"]],
        f"{summary['verdict']} {result}",
    )


def one_policy(place, scenario, policy):
    """One run, looked at from all sides; returns its files."""
    name = f"{scenario}, {policy}"
    out = f"one-{scenario}-{policy}"
    result = place.run("run", scenario, "--policy", policy, "--out", out)
    folder = place.path / out
    if not check(f"{name}: runs", result.code in (0, 1, 2, 3) and folder.exists(), result):
        return None
    lines = result.out.splitlines()
    check(f"{name}: the first line names the seed and where it came from", lines[0] == "seed 1 (default)", lines[0])
    check(f"{name}: the last line is the folder", lines[-1] == out, lines[-1])
    check(f"{name}: nothing on the error stream but notes", not result.messages, result)
    check_columns(name, folder)
    check_transitions(name, folder, policy)
    check_curves(name, folder)
    check_manifest(name, folder, result, policy)
    files = tree(folder)

    def again(what, *words, same=True):
        where = f"{out}-{what.split()[0]}"
        other = place.run("run", scenario, "--policy", policy, "--out", where, *words)
        other_files = tree(place.path / where)
        if same:
            different = [file for file in set(files) | set(other_files) if files.get(file) != other_files.get(file)]
            check(f"{name}: {what}: the same bytes", not different, different)
        else:
            hashes = [rows(place.path / f / "summary.csv")[0]["trace_hash"] for f in (out, where)]
            check(f"{name}: {what}: another hash", hashes[0] != hashes[1], hashes)
        return other

    again("again")
    verified = again("verify", "--verify")
    check(f"{name}: --verify says so", "the same twice" in verified.out, verified)
    again("seed 2", "--seed", "2", same=False)
    no_elision(place, scenario, policy, name, files)
    return files


def no_elision(place, scenario, policy, name, files):
    """Every idle tick simulated: more kernel events, the same trace."""
    where = f"ticks-{scenario}-{policy}"
    place.run("run", scenario, "--policy", policy, "--out", where, "--set", "scenario.elide=no")
    other = tree(place.path / where)
    of_the_run = {"scenario.ini", "summary.csv", "runs.csv"}
    different = [file for file in files if file not in of_the_run and files[file] != other.get(file)]
    check(f"{name}: without elision: the same files", not different, different)
    summaries = [rows(place.path / folder / "summary.csv")[0] for folder in (f"one-{scenario}-{policy}", where)]
    judged = {"events", "verdict"}  # A changed key lets must-break pass as may-break; kernel events are counted.
    different = [key for key in summaries[0] if key not in judged and summaries[0][key] != summaries[1][key]]
    check(f"{name}: without elision: the same summary, hash included", not different, different)


def several_policies(place, scenario, labels, alone):
    name = f"{scenario}, all policies"
    words = [word for label in labels for word in ("--policy", label)]
    for jobs in ("1", "2"):
        result = place.run("run", scenario, *words, "--out", f"all-{scenario}-{jobs}", "--jobs", jobs)
        check(f"{name}: runs with --jobs {jobs}", result.code in (0, 1, 2, 3), result)
    folder = place.path / f"all-{scenario}-1"
    check(f"{name}: --jobs 1 and 2: the same bytes", tree(folder) == tree(place.path / f"all-{scenario}-2"))
    check(
        f"{name}: a subfolder each, and no other",
        sorted(p.name for p in folder.iterdir() if p.is_dir()) == sorted(labels),
    )
    runs = rows(folder / "runs.csv")
    check(f"{name}: a row each, in order, with its folder", [row["folder"] for row in runs] == labels, runs)
    for label in labels:
        check(
            f"{name}: {label} has the bytes of a run alone",
            alone[label] is not None and tree(folder / label) == alone[label],
        )
    manifest = json.loads((folder / "manifest.json").read_text())
    check(
        f"{name}: the manifest names them all",
        manifest["policies"] == labels and manifest["verdict"] != "unfinished",
        manifest,
    )


def comparison(place, scenario, labels):
    name = f"compare {scenario}"
    words = [word for label in labels for word in ("--policy", label)]
    outputs = []
    for jobs in ("1", "2"):
        result = place.run("compare", scenario, *words, "--seeds", "1..4", "--out", f"compare-{jobs}", "--jobs", jobs)
        check(f"{name}: runs with --jobs {jobs}", result.code in (0, 1, 2, 3), result)
        outputs.append(result.out.replace(f"compare-{jobs}", "DIR"))
    check(f"{name}: --jobs 1 and 2: the same output", outputs[0] == outputs[1], outputs[1])
    first, second = place.path / "compare-1", place.path / "compare-2"
    check(f"{name}: --jobs 1 and 2: the same bytes", tree(first) == tree(second))
    check(f"{name}: compare.csv has its columns", (first / "compare.csv").read_text().split("\n", 1)[0] == COMPARE)
    runs = rows(first / "runs.csv")
    wanted = [(label, str(seed)) for seed in range(1, 5) for label in labels]
    check(
        f"{name}: a row a policy and seed, in the order of the seeds",
        [(r["policy"], r["seed"]) for r in runs] == wanted,
        runs,
    )
    kept = sorted(row["folder"] for row in runs if row["folder"])
    failed = {(row["policy"], row["first_violation"]) for row in runs if row["verdict"] == "fail"}
    check(
        f"{name}: --keep summary keeps folders of failures alone",
        len(kept) >= bool(failed) and bool(failed) >= bool(kept),
        kept,
    )
    check(
        f"{name}: what runs.csv names is there",
        all((first / folder / "manifest.json").exists() for folder in kept),
        kept,
    )
    lines = outputs[0].splitlines()
    check(
        f"{name}: the first line names the seeds, the last the folder",
        lines[0] == "seeds 1..4 (--seeds)" and lines[-1] == "DIR",
        lines,
    )
    result = place.run("compare", scenario, *words, "--seeds", "1..2", "--keep", "all", "--out", "compare-all")
    runs = rows(place.path / "compare-all" / "runs.csv")
    check(
        f"{name}: --keep all keeps every folder",
        all(row["folder"] for row in runs) and len(runs) == 2 * len(labels),
        result,
    )
    alone = place.run("run", scenario, "--policy", labels[0], "--seed", "2", "--out", "compare-alone")
    check(
        f"{name}: a kept folder has the bytes of a run alone",
        tree(place.path / "compare-all" / runs[len(labels)]["folder"]) == tree(place.path / "compare-alone"),
        alone,
    )


def baseline(place):
    """What the others are compared with: [study] baseline, else kafka-4.0, wherever it stands among the policies."""
    words = ["--policy", "kafka-3.6", "--policy", "kip-dangling", "--policy", "kafka-4.0", "--seeds", "1..2"]
    folder = place.path / "study"
    folder.mkdir()
    source = pathlib.Path(__file__).parents[2] / "scenarios"
    shutil.copy(source / "partial-uploads.csv", folder)
    text = (source / "partial-uploads.ini").read_text()
    for named, wanted in (("", "kafka-4.0"), ("kafka-3.6", "kafka-3.6"), ("kafka-3.9", "kafka-4.0")):
        name = f"baseline {named or 'not named'}"
        scenario = folder / f"named-{named or 'none'}.ini"
        scenario.write_text(text + (f"\n[study]\nbaseline = {named}\n" if named else ""))
        result = place.run("compare", str(scenario), *words, "--out", scenario.stem)
        found = {row["policy_a"] for row in rows(place.path / scenario.stem / "compare.csv")}
        check(f"{name}: compared with {wanted}", found == {wanted}, result)
        said = "does not run here" in result.out + result.err
        check(f"{name}: says when it does not run", said == (named == "kafka-3.9"), result)
    result = place.run("compare", "partial-uploads", "--policy", "kafka-4.0", "--seeds", "1..2", "--out", "lonely")
    check("compare with one policy has numbers", "peak garbage" in result.out and "greatest" in result.out, result)


def for_ci(place):
    environment = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(place.path / "step.md")}
    result = place.run("run", "canary", "--junit", "junit.xml", "--summary", "summary.md", env=environment)
    check("canary: fails", result.code in (1, 3), result)
    xml = (place.path / "junit.xml").read_text()
    check("canary: JUnit tells", "<failure" in xml and "flotsam run canary" in xml and 'name="kafka-3.6"' in xml, xml)
    check(
        "canary: --summary and the step's summary tell",
        all("canary" in (place.path / f).read_text() for f in ("summary.md", "step.md")),
    )
    marks = [line for line in result.out.splitlines() if line.startswith("::error")]
    check("canary: GitHub gets its marks", 1 <= len(marks) <= 10, result)
    again = next((line.split("again: ")[1] for line in result.out.splitlines() if "again: " in line), "")
    check("canary: the command that shows it again is printed", again.startswith("flotsam run canary"), result)
    if again:
        check("canary: that command shows it again", place.run(*again.split()[1:]).code == result.code)
    changed = place.run("run", "canary", "--set", "network.latency=1ms", "--set", "store.latency=exp(30ms)")
    again = next((line for line in changed.out.splitlines() if "again: " in line), "")
    if check("canary: fails with other latencies as well", changed.code in (1, 3), changed):
        check(
            "canary: ... with every --set",
            "network.latency=1ms" in again and "'store.latency=exp(30ms)'" in again,
            changed,
        )
    result = place.run("run", "tiny", "--policy", "kafka-4.0", "--junit", "junit.xml")
    if result.code == 0:
        xml = (place.path / "junit.xml").read_text()
        check(
            "a pass is a test case without failure",
            "<failure" not in xml and "<error" not in xml and "kafka-4.0" in xml,
            xml,
        )


def pictures(place, labels):
    folders = [f"one-partial-uploads-{label}" for label in labels]
    result = place.run("report", *folders, "--svg", "all.svg")
    picture = place.path / "all.svg"
    check("report lays folders over each other", result.code == 0 and picture.read_text().startswith("<"), result)
    result = place.run("report", "all-partial-uploads-1", "--svg", "same.svg")
    check("report finds the runs below a folder", result.code == 0 and (place.path / "same.svg").exists(), result)


def metrics_of_kafka(place):
    """--metrics all: what is there by default, and Kafka's own beside it (facts 9)."""
    words = ["run", "tiny", "--policy", "kip-dangling"]
    names = {}
    for choice in ([], ["--metrics", "kip"], ["--metrics", "all"]):
        out = "metrics-" + "".join(choice)
        result = place.run(*words, *choice, "--out", out)
        check(f"{' '.join(choice) or 'no --metrics'}: runs", result.code == 0, result)
        shown = rows(place.path / out / "metrics.csv")
        names[out] = {(row["mbean"].split("name=")[1], row["attribute"]) for row in shown}
    kip = {(f"DanglingRemoteLog{what}{topic}", "Value") for what in ("Count", "Bytes")
           for topic in ("", ",topic=orders")}
    check("metrics.csv has the KIP's two by default", names["metrics-"] == names["metrics---metricskip"] == kip, names)
    everything = names["metrics---metricsall"]
    wanted = {("RemoteCopyBytesPerSec", "Count"), ("RemoteCopyErrorsPerSec,topic=orders", "Count"),
              ("RemoteDeleteRequestsPerSec", "Count"), ("RemoteLogMetadataCount", "Value"),
              ("RemoteLogSizeBytes,topic=orders", "Value")}
    check("--metrics all adds Kafka's own", kip | wanted <= everything, everything)
    manager_metrics(place)


def manager_metrics(place):
    """Facts 9: what a RemoteLogManager shows of itself; 1 MiB at 100,000 bytes a second is a debt of 10 s."""
    quota = "broker.remote.log.manager.copy.max.bytes.per.second=100000"
    for policy, waits in (("kafka-4.0", True), ("kafka-3.6", False)):
        out = f"manager-{policy}"
        result = place.run("run", "tiny", "--policy", policy, "--metrics", "all", "--set", quota, "--out", out)
        check(f"{policy}: a run with a quota", result.code == 0, result)
        shown = [row for row in rows(place.path / out / "metrics.csv") if "type=RemoteLogManager" in row["mbean"]]
        idle = {row["value"] for row in shown if row["mbean"].endswith("name=RemoteLogManagerTasksAvgIdlePercent")}
        check(f"{policy}: the share of idle threads", idle == {"1", "0.9"}, idle)
        for attribute in ("remote-copy-throttle-time-avg", "remote-copy-throttle-time-max"):
            times = [float(row["value"]) for row in shown if row["attribute"] == attribute]
            check(f"{policy}: {attribute}", bool(times) == waits and (not waits or max(times) > 1000), times)
            check(f"{policy}: {attribute} is over a minute after", not waits or times[-1] == 0, times)


with Place() as here:
    chosen = policies(here)
    check("there are policies", len(chosen) >= 4, chosen)
    for which in SCENARIOS:
        singles = {label: one_policy(here, which, label) for label in chosen}
        several_policies(here, which, chosen, singles)
    comparison(here, "partial-uploads", [chosen[-2], chosen[-1]])
    baseline(here)
    for_ci(here)
    metrics_of_kafka(here)
    pictures(here, chosen)
check.finish()
