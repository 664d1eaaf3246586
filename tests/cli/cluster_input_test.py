#!/usr/bin/env python3
"""What comes from a cluster of one's own: an initial state from a csv, Kafka's configuration files, and the metadata
topic dumped as Kafka's tools print it.

usage: python3 tests/cli/cluster_input_test.py build/release/flotsam
"""

import csv
import re
import shutil

from support import Checks, Place

check = Checks()

SCENARIO = """[scenario]
duration = 3h
[cluster]
brokers = 2
[topic.orders]
partitions = 2
segment.bytes = 1MiB
produce = 2KiB/s
initial = state.csv
"""
STATE = """segment_id,partition,start_offset,end_offset,size_bytes,to_state,stored_bytes,max_timestamp_ms
EREiIjMzRESVVWZmd3eIiA,0,0,1023,1048576,COPY_SEGMENT_FINISHED,,-60000
Lz5NXGt6iZintsXU4_IBEA,0,1024,2047,1048576,COPY_SEGMENT_STARTED,4096,-50000
MP_u3cy7qpmId2ZVRDMiEQ,1,0,1023,1048576,DELETE_SEGMENT_STARTED,,-50000
"""


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def initial_state(place):
    (place.path / "in").mkdir()
    (place.path / "in" / "world.ini").write_text(SCENARIO, encoding="utf-8")
    (place.path / "in" / "state.csv").write_text(STATE, encoding="utf-8")
    result = place.run("run", "in/world.ini", "--policy", "kafka-4.0", "--out", "first")
    check("an initial state: runs", result.code in (0, 3), result)
    first = place.path / "first"
    check("its file is in the folder", (first / "initial.1.csv").read_text(encoding="utf-8") == STATE)
    check("the scenario there names it", "\ninitial = initial.1.csv\n" in (first / "scenario.ini").read_text())
    begins = [(r["segment_id"], r["to_state"]) for r in rows(first / "transitions.csv") if r["time_ms"] == "0"]
    check("its segments are there at time 0", ("Lz5NXGt6iZintsXU4_IBEA", "COPY_SEGMENT_STARTED") in begins, begins)
    point = next(r for r in rows(first / "curves.csv") if r["topic"] == "*")
    check("what they left is garbage at time 0", int(point["garbage_bytes"]) >= 4096 + 1048576, point)
    # The folder alone: where it came from is gone, and it stands elsewhere.
    shutil.rmtree(place.path / "in")
    shutil.move(first, place.path / "moved")
    result = place.run("run", "moved/scenario.ini", "--policy", "kafka-4.0", "--out", "second")
    check("the folder alone runs again", result.code in (0, 3), result)
    hashes = [rows(place.path / folder / "summary.csv")[0]["trace_hash"] for folder in ("moved", "second")]
    check("with the same hash", hashes[0] == hashes[1], hashes)
    printed = place.run("check", "moved/scenario.ini", "--print")
    (place.path / "printed.ini").write_text(printed.out, encoding="utf-8")
    result = place.run("check", "printed.ini")
    check("check --print is valid where the file is", result.code == 0, result)
    (place.path / "moved" / "initial.1.csv").write_text(STATE.replace("FINISHED", "FINISH"), encoding="utf-8")
    result = place.run("check", "moved/scenario.ini")
    check(
        "a wrong state is named with file, line and the nearest",
        result.code == 64 and "moved/initial.1.csv:2: to_state: unknown state 'COPY_SEGMENT_FINISH' (did you mean "
        "'COPY_SEGMENT_FINISHED'?)" in result.out,
        result,
    )


def configuration(place):
    (place.path / "server.properties").write_text("broker.id=1\nlog.segment.bytes=33554432\n", encoding="utf-8")
    (place.path / "topics.txt").write_text(
        "Dynamic configs for topic theirs are:\n  retention.ms=7200000 sensitive=false synonyms={}\n", encoding="utf-8"
    )
    words = ("--broker-config", "server.properties", "--topic-config", "topics.txt")
    result = place.run("check", "tiny", "--print", *words)
    has_it = result.code == 0 and "\nretention.ms = 2h\n" in result.out
    check("a cluster's configuration is in the scenario", has_it, result)
    result = place.run("check", "tiny", *words)
    note = "server.properties:1: Kafka's 'broker.id' has no effect here"
    check("what has no effect is listed", note in result.out, result)
    check("and for whom a topic stands", "'theirs' stands for the scenario's only topic" in result.out, result)
    result = place.run("run", "tiny", "--policy", "kafka-4.0", "--out", "configured", *words)
    check("run takes it", result.code in (0, 3), result)
    scenario = (place.path / "configured" / "scenario.ini").read_text(encoding="utf-8")
    check("its folder has it", "\nretention.ms = 2h\n" in scenario, scenario)
    result = place.run("compare", "tiny", "--policy", "kafka-4.0", "--seeds", "1..2", "--out", "compared", *words)
    check("compare takes it", result.code in (0, 3), result)
    (place.path / "topics.txt").write_text("retention.m=7200000\n", encoding="utf-8")
    result = place.run("run", "tiny", "--out", "none", *words)
    check(
        "an unknown key is named with file, line and the nearest, and nothing is written",
        result.code == 64
        and "topics.txt:1: unknown key 'retention.m' (did you mean 'retention.ms'?)" in result.err
        and not (place.path / "none").exists(),
        result,
    )


def dump(place):
    policies = ("kafka-4.0", "kip-dangling")
    words = [word for policy in policies for word in ("--policy", policy)]
    result = place.run("run", "tiny", *words, "--dump-metadata", "--out", "dumped")
    check("--dump-metadata: runs", result.code in (0, 3), result)
    for policy in policies:
        folder = place.path / "dumped" / policy
        records = len(rows(folder / "transitions.csv")) + len(rows(folder / "dropped.csv"))
        console = (folder / "metadata.console.txt").read_text(encoding="utf-8").splitlines()
        form = re.compile(r"partition: \d+, offset: \d+, value: RemoteLogSegmentMetadata(Update)?\{.*\}")
        check(f"{policy}: a line a record", len(console) == records and records > 0, (len(console), records))
        check(f"{policy}: in the formatter's form", all(form.fullmatch(line) for line in console), console[:2])
        values = {}
        for log in folder.glob("__remote_log_metadata-*/metadata.dump-log.txt"):
            lines = log.read_text(encoding="utf-8").splitlines()
            name = log.parent.name
            check(f"{policy}: {name} begins as kafka-dump-log", lines[1] == "Log starting offset: 0", lines[:2])
            payloads = [line.partition(" payload: ")[2] for line in lines if line.startswith("| offset: ")]
            values[name.rpartition("-")[2]] = payloads
        said = {}
        for line in console:
            said.setdefault(line.split(",")[0].split()[-1], []).append(line.partition(" value: ")[2])
        check(f"{policy}: both say the same", values == said)
    result = place.run("check", "tiny", "--dump-metadata")
    check("only run dumps", result.code == 64 and "check takes no --dump-metadata" in result.err, result)


with Place() as place:
    initial_state(place)
with Place() as place:
    configuration(place)
with Place() as place:
    dump(place)
check.finish()
