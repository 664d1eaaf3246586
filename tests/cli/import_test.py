#!/usr/bin/env python3
"""`flotsam import` as a new user meets it: dumps in every form, listings, exit codes, folders.

usage: python3 tests/cli/import_test.py build/release/flotsam
"""

import base64
import csv
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import time

from support import Checks, Place, tree

TOPIC_ID = "ASNFZ4mrze-O3LqYdlQyEA"
START = 1735689600000
HOUR = 3600_000
check = Checks()


def uid(number):
    return f"S{number:02}iIjMzRESVVWZmd3eIiA"


def started(number, start, end, time, topic="orders", extra=""):
    return (
        f"RemoteLogSegmentMetadata{{remoteLogSegmentId=RemoteLogSegmentId{{topicIdPartition={TOPIC_ID}:{topic}-0, "
        f"id={uid(number)}}}, startOffset={start}, endOffset={end}, brokerId=3, maxTimestampMs={time}, "
        f"eventTimestampMs={time}, segmentLeaderEpochs={{4={start}}}, segmentSizeInBytes=1048576, "
        f"customMetadata=Optional.empty, state=COPY_SEGMENT_STARTED{extra}}}"
    )


def update(number, state, time, topic="orders"):
    return (
        f"RemoteLogSegmentMetadataUpdate{{remoteLogSegmentId=RemoteLogSegmentId{{topicIdPartition={TOPIC_ID}:{topic}-0"
        f", id={uid(number)}}}, customMetadata=Optional.empty, state={state}, eventTimestampMs={time}, brokerId=3}}"
    )


def story():
    """Two finished copies, one that was copied again, one half deleted, one deleted."""
    return [
        started(1, 0, 99, START),
        update(1, "COPY_SEGMENT_FINISHED", START + 1000),
        started(2, 100, 199, START + 2000),
        started(3, 100, 199, START + 60_000),
        update(3, "COPY_SEGMENT_FINISHED", START + 61_000),
        started(4, 200, 299, START + 62_000),
        update(4, "DELETE_SEGMENT_STARTED", START + 63_000),
        started(5, 200, 299, START + 90_000),
        update(5, "DELETE_SEGMENT_STARTED", START + 91_000),
        update(5, "DELETE_SEGMENT_FINISHED", START + 92_000),
        started(6, 200, 299, START + 5 * HOUR),
    ]


def console(values, first=0):
    return "".join(f"partition: 29, offset: {first + i}, value: {value}\n" for i, value in enumerate(values))


def dumped(values, first=0):
    text = "Dumping 00000000000000000000.log\nLog starting offset: 0\n"
    for i, value in enumerate(values):
        time_ms = value.split("eventTimestampMs=")[1].split(",")[0]
        text += f"baseOffset: {first + i} lastOffset: {first + i} count: 1 magic: 2 isvalid: true\n"
        text += f"| offset: {first + i} CreateTime: {time_ms} keySize: -1 valueSize: 112 headerKeys: [] "
        text += f"payload: {value}\n"
    return text


def rows(place, folder, name="transitions.csv"):
    with open(place.path / folder / name, newline="") as file:
        return list(csv.DictReader(file))


def transitions(place, folder):
    """Without what a form may not tell."""
    keys = "time_ms broker topic partition segment_id start_offset size_bytes from_state to_state".split()
    return [tuple(row[key] for key in keys) for row in rows(place, folder)]


def forms(place):
    whole = console(story())
    place.write("console.txt", whole)
    result = place.run("import", "console.txt")
    check("console: taken", result.code == 0 and "read 11 lines of 1 input: 11 records taken" in result.out, result)
    check("the last line names the folder", result.out.splitlines()[-1] == "flotsam-out/import-console", result)
    expected = transitions(place, "flotsam-out/import-console")
    check("console: all apply", len(expected) == 11, expected)
    folder = place.path / "flotsam-out/import-console"
    names = {"curves.csv", "dropped.csv", "faults.plan.csv", "findings.csv", "initial.csv", "manifest.json", "runs.csv",
             "scenario.ini", "summary.csv", "transitions.csv"}
    check("the folder's files", names <= set(os.listdir(folder)), sorted(os.listdir(folder)))
    check("manifest", json.loads((folder / "manifest.json").read_text())["kind"] == "import")
    before = tree(folder)
    again = place.run("import", "console.txt")
    check("the same bytes again", again.code == 0 and tree(folder) == before, again)

    noise = bytes(range(256)) * 40
    later = [value.replace("STARTED}", "STARTED, txnIdxEmpty=true}") for value in story()]
    older = [value.replace("customMetadata=Optional.empty, ", "") for value in story()]
    wrapped = "".join(f"2025-01-01T00:00:00Z stdout F {line}\n" for line in whole.splitlines())
    broken = "".join(line[at : at + 100] + "\n" for line in whole.splitlines() for at in range(0, len(line), 100))
    inputs = {
        "__remote_log_metadata-29/0.txt": dumped(story()),
        "bare.txt": "".join(value + "\n" for value in story()),
        "skip-record-metadata.txt": "".join(f" payload: {value}\n" for value in story()),
        "later.txt": console(later),
        "older.txt": console(older),
        "wrapped.txt": wrapped,
        "broken.txt": broken,
        "windows.txt": whole.replace("\n", "\r\n"),
        "noisy.txt": noise + b"\n" + whole.encode() + noise + b"\nProcessed a total of 11 messages\n",
        "plain.txt.gz": gzip.compress(whole.encode()),
    }
    if shutil.which("zstd"):
        inputs["plain.txt.zst"] = subprocess.run(["zstd", "-q"], input=whole.encode(), capture_output=True).stdout
    for name, content in inputs.items():
        place.write(name, content)
        result = place.run("import", name, "--out", "out", "--overwrite")
        seen = transitions(place, "out") if result.code == 0 else result
        check(f"{name}: the same transitions", seen == expected, f"{result}{seen}")
        check(f"{name}: nothing unreadable", ", 0 unreadable" in result.out, result)
    with open(place.path / "console.txt", "rb") as file:
        result = place.run("import", "-", "--out", "out", "--overwrite", stdin=file)
    check("standard input: the same transitions", result.code == 0 and transitions(place, "out") == expected, result)
    return expected


def several(place, expected):
    values = story()
    place.write("broker-1.txt", console(values[:7]))
    place.write("broker-2.txt", console(values[4:], 4))
    for order in (["broker-1.txt", "broker-2.txt"], ["broker-2.txt", "broker-1.txt"]):
        result = place.run("import", *order, "--out", "out", "--overwrite")
        check(f"{order[0]} first: what both have is taken once",
              result.code == 0 and transitions(place, "out") == expected and ", 3 repeated" in result.out, result)
    place.write("cut.txt", console(values)[:-30])
    result = place.run("import", "cut.txt", "--out", "out", "--overwrite")
    check("truncated: all but the last", result.code == 0 and transitions(place, "out") == expected[:-1], result)
    check("truncated: told with its line", "cut.txt:11: the record's braces do not close" in result.out, result)
    place.write("cut.txt.gz", gzip.compress(console(values).encode())[:-20])
    result = place.run("import", "cut.txt.gz", "--out", "out", "--overwrite")
    check("packed data cut off: told, not fatal", result.code == 0 and "ends in the middle" in result.out, result)
    place.write("noise.bin", os.urandom(100_000))
    place.write("empty.txt", "")
    place.write("utf-16.txt", console(values).encode("utf-16"))
    for name, says in (("noise.bin", "no record of __remote_log_metadata"), ("empty.txt", "empty.txt: it is empty"),
                       ("utf-16.txt", "is UTF-16")):
        result = place.run("import", name, "--out", "nothing")
        check(f"{name}: 64 and why", result.code == 64 and says in result.err, result)
        check(f"{name}: nothing is written", "nothing" not in place.names(), place.names())


def findings(place):
    result = place.run("import", "console.txt", "--kafka-version", "4.0")
    found = {row["finding"]: row for row in rows(place, "flotsam-out/import-console", "findings.csv")}
    check("findings", set(found) == {"abandoned-copy", "delete-left"}, found)
    checked = place.run("check", "flotsam-out/import-console/scenario.ini")
    check("the scenario is valid", checked.code == 0 and "ok: scenario, 6 policies" in checked.out, checked)
    unknown = all(row["due_ms"] == "" and row["due_by"] == "" for row in found.values())
    check("findings: retention is not assumed", unknown, found)
    check("printed: how much", "nobody will read: up to 2.0 MiB in 2 copies" in result.out, result)
    check("printed: nothing is certain of what never finished", "at least" not in result.out, result)
    sources = {row["size_source"] for row in found.values()}
    check("findings: sizes of what never finished are claimed", sources == {"claimed"}, found)
    place.write("topics.txt", "Dynamic configs for topic orders are:\n  retention.ms=86400000 sensitive=false\n")
    place.write("server.properties", "log.retention.hours=-1\n")
    in_a_day = str(START + 60_000 + 24 * HOUR)
    for name, due in (("topics.txt", ("retention", in_a_day)), ("server.properties", ("none", ""))):
        option = "--topic-config" if name == "topics.txt" else "--broker-config"
        result = place.run("import", "console.txt", option, name, "--kafka-version", "4.0")
        seen = {row["finding"]: row for row in rows(place, "flotsam-out/import-console", "findings.csv")}
        copy = seen.get("abandoned-copy", {})
        check(f"{option}: due", (copy.get("due_by"), copy.get("due_ms")) == due, f"{result}{copy}")
        check(f"{option}: printed", ("falls due" if due[1] else "never: 100%") in result.out, result)
    for size, code in (("1MiB", 1), ("2MiB", 0), ("0", 1)):
        result = place.run("import", "console.txt", "--fail-over", size)
        check(f"--fail-over {size}: {code}", result.code == code, result)
        scaled = place.run("import", "console.txt", "--fail-over", size, "--anonymise")
        check(f"--fail-over {size} --anonymise: real sizes", scaled.code == code, scaled)
        check("--fail-over --anonymise: no real size is printed", "2097152 bytes" not in scaled.out, scaled)
        check("--anonymise: says that sizes are scaled", "all sizes are scaled" in scaled.out, scaled)

    key = f"tiered/orders-{TOPIC_ID}/0/00000000000000000000-"
    listing = "".join(f"2025-01-01 00:00:00    1048576 {key}{uid(number)}.log\n" for number in (1, 3, 5))
    place.write("listing.txt", listing)
    day = 24 * HOUR
    for words, advice in (([], "look"), (["--listing-time", str(START + 3 * day)], "delete-objects")):
        listing = listing.replace("2025-01-01", "2024-12-01") if not words else listing
        place.write("listing.txt", listing)
        result = place.run("import", "console.txt", "--listing", "listing.txt", *words, "--out", "out", "--overwrite")
        orphans = [row for row in rows(place, "out", "findings.csv") if row["finding"] == "orphan-objects"]
        seen = [(row["segment_id"], row["advice"]) for row in orphans]
        check(f"an orphan, {advice}", seen == [(uid(5), advice)], orphans)


def anonymous(place):
    result = place.run("import", "console.txt", "--anonymise", "--out", "secret", "--overwrite")
    text = b"".join(content or b"" for name, content in place.everything().items() if name.startswith("secret/"))
    check("--anonymise: works", result.code == 0, result)
    for word in ("orders", TOPIC_ID, uid(1), "1048576", "console"):
        check(f"--anonymise: no {word}", word.encode() not in text, word)
    check("--anonymise: the story stays", len(rows(place, "secret")) == 11)
    place.run("import", "console.txt", "--anonymise", "--out", place.path / "secret", "--overwrite")
    path = place.path / "secret/report.html"
    if path.exists():
        seen = unpacked(path.read_text())
        check("--anonymise: the page's data can be read", "flotsam run secret/scenario.ini" in seen, seen[:200])
        check("--anonymise: the page names no absolute path", str(place.path) not in seen + path.read_text())


def unpacked(page):
    """What a page holds, out of its packed parts."""
    parts = re.findall(r'<script type="text/plain" id="[^"]*">([^<]*)</script>', page)
    return "".join(gzip.decompress(base64.b64decode(part)).decode() for part in parts)


def listed(place):
    """A listing's objects are not of the model's sizes: a finished copy whose log is there is whole."""
    values = [v for n in range(1, 5) for v in (started(n, 100 * n, 100 * n + 99, START + 1000 * n),
                                               update(n, "COPY_SEGMENT_FINISHED", START + 1000 * n + 500))]
    place.write("whole.txt", console(values))
    key = f"tiered/orders-{TOPIC_ID}/0/00000000000000000000-"
    for name, log, missing in (("full", 1048576, None), ("compressed", 300_000, None), ("missing", 1048576, 2)):
        objects = [(n, ending, size) for n in range(1, 5) if n != missing
                   for ending, size in (("log", log), ("indexes", 1200))]
        place.write("whole-listing.txt", "".join(
            f"2025-01-01 00:00:00    {size} {key}{uid(n)}.{ending}\n" for n, ending, size in objects))
        result = place.run("import", "whole.txt", "--listing", "whole-listing.txt", "--out", "whole", "--overwrite")
        check(f"{name} logs listed: imported", result.code == 0, result)
        stored = {row["segment_id"]: row["stored_bytes"] for row in rows(place, "whole", "initial.csv")}
        check(f"{name} logs listed: what is whole has all objects",
              stored == {uid(n): "0" if n == missing else "" for n in range(1, 5)}, stored)
        result = place.run("run", "whole/scenario.ini", "--policy", "all", "--out", "whole-run", "--overwrite")
        broken = [row for folder in sorted((place.path / "whole-run").iterdir()) if folder.is_dir()
                  for row in rows(place, f"whole-run/{folder.name}", "violations.csv")
                  if row["invariant"] == "readable-offsets"]
        check(f"{name} logs listed: a loss only where an object is missing", bool(broken) == bool(missing),
              f"{result}{broken}")


def deleted_topic(place):
    """No policy cleans what a deleted topic left, so a topic that lives must not hold it."""
    gone = [v for n in (1, 2) for v in (started(n, 100 * n, 100 * n + 99, START, "gone"),
                                        update(n, "DELETE_SEGMENT_STARTED", START + n, "gone"))]
    gone = [v.replace(TOPIC_ID, "BSNFZ4mrze-O3LqYdlQyEA") for v in gone]
    place.write("gone.txt", console(gone))
    result = place.run("import", "gone.txt", "--out", "gone", "--overwrite")
    said = result.code == 0 and "no scenario.ini: all 2 copies" in result.out
    check("a deleted topic alone: no scenario", said, result)
    names = set(os.listdir(place.path / "gone"))
    check("a deleted topic alone: no file of it", not {"scenario.ini", "initial.csv"} & names, names)
    report = place.run("report", "gone", "--svg", "gone.svg")
    check("a deleted topic alone: report", report.code == 0, report)
    place.write("gone.txt", console(gone + story()))
    result = place.run("import", "gone.txt", "--out", "gone", "--overwrite")
    text = (place.path / "gone/scenario.ini").read_text()
    check("a deleted topic: not in the scenario", "[topic.gone]" not in text and "[topic.orders]" in text, text)
    check("a deleted topic: said", "# Not in it: 2 copies of topics that count as deleted" in text, text)
    topics = {row["topic"] for row in rows(place, "gone", "initial.csv")}
    check("a deleted topic: no copy of it", topics == {"orders"}, topics)
    checked = place.run("check", "gone/scenario.ini")
    check("without the deleted topic: valid", checked.code == 0, checked)


def bad_input(place):
    place.write("error.txt", "An error occurred (AccessDenied) when calling the ListObjectsV2 operation\n")
    before = place.everything()
    for words, says in (
        (["import"], "import needs DUMP..."),
        (["import", "nowhere.txt"], "nowhere.txt: No such file"),
        (["import", "."], "Is a directory"),
        (["import", "console.txt", "--kafka-version", "2.8"], "3.6 to 4.4"),
        (["import", "console.txt", "--now", "soon"], "--now takes a time"),
        (["import", "console.txt", "--fail-over", "much"], "--fail-over takes a size"),
        (["import", "console.txt", "--listing", "nowhere.csv"], "nowhere.csv"),
        (["import", "console.txt", "--listing", "error.txt"], "it begins with 'An error occurred"),
        (["import", "console.txt", "--listing", "empty.txt"], "empty.txt: the listing is empty"),
        (["import", "console.txt", "--listing-time", "2025-01-02"], "--listing FILE is missing"),
        (["import", "console.txt", "--now", "2024-12-31T00:00:00Z"], "is before the dump's last record"),
        (["import", "console.txt", "--topic", "order"], "did you mean 'orders'?"),
        (["import", "console.txt", "--policy", "kafka-4.0"], "import takes no --policy"),
    ):
        result = place.run(*words)
        check(f"{' '.join(words)}: 64 and why", result.code == 64 and says in result.err, result)
    check("bad input writes nothing", place.everything() == before, place.names())


def interrupted(place):
    """Somebody waits for a consumer that never ends, and gives up."""
    before = place.everything()
    words = [place.program, "import", "-", "--out", "interrupted"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, cwd=place.path, stdin=pipe, stdout=pipe, stderr=pipe)
    process.stdin.write(console(story()).encode())
    process.stdin.flush()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    code = process.wait(timeout=60)
    process.stdin.close()
    check("an interrupted import: 130 at once", code == 130, code)
    check("an interrupted import leaves nothing", place.everything() == before, place.names())


def picture(place):
    result = place.run("report", "flotsam-out/import-console", "--svg", "import.svg")
    text = re.sub(r"<[^>]*>", " ", (place.path / "import.svg").read_text())
    text = " ".join(text.split())
    says = result.code == 0 and "2.0 MiB, as the metadata has it, in 2 copies" in text
    check("picture of an import: what nobody will read", says, f"{result}{text}")
    check("picture of an import: no seed", "seed" not in text and "nothing behind" not in text, text)
    check("picture of an import: from its first record", "time since the first record" in text, text)


def page(place):
    result = place.run("report", "flotsam-out/import-console")
    if result.code == 64 and "this build has no page" in result.err:
        return
    text = (place.path / "flotsam-out/import-console/report.html").read_text()
    check("report of an import", result.code == 0 and "that nobody will read" in text, result)


def main():
    with Place() as place:
        expected = forms(place)
        several(place, expected)
        findings(place)
        anonymous(place)
        listed(place)
        deleted_topic(place)
        picture(place)
        bad_input(place)
        interrupted(place)
        page(place)
    check.finish()


if __name__ == "__main__":
    main()
