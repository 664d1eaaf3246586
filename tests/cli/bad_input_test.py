#!/usr/bin/env python3
"""Bad input: each mistake gives exit 64 and one message with file, line, what stood there and what is near.

Nothing is written, and a full disk takes nothing away.

usage: python3 tests/cli/bad_input_test.py build/release/flotsam
"""

import os
import re
import resource
import signal
import subprocess

from support import Checks, Place

INI = """\
[scenario]
duration = 6h
{scenario}
[cluster]
brokers = 2
{cluster}
[topic.orders]
partitions = 1
{topic}
"""
HEADER = "start,duration,kind,target,params\n"
check = Checks()


def ini(scenario="", cluster="", topic="", tail=""):
    return INI.format(scenario=scenario, cluster=cluster, topic=topic) + tail


def line_of(text, needle):
    return next(number for number, line in enumerate(text.splitlines(), 1) if needle in line)


def refused(name, place, words, contains, messages=1):
    """Exit 64, `messages` lines on the error stream that name all of `contains`, and the folder as it was."""
    before = place.everything()
    result = place.run(*words)
    lines = result.messages
    check(f"{name}: exit 64", result.code == 64, result)
    check(f"{name}: one message", len(lines) == messages and not result.out, result)
    check(f"{name}: says {', '.join(contains)}", all(part in result.err for part in contains), result)
    check(f"{name}: nothing written", place.everything() == before, place.names())


def bad_scenario(name, text, needle, contains):
    """A scenario file whose line with `needle` is wrong."""
    with Place() as place:
        place.write("bad.ini", text)
        where = f"bad.ini:{line_of(text, needle)}:"
        refused(name, place, ["run", "./bad.ini", "--out", "out"], [where, *contains])
        result = place.run("check", "./bad.ini")
        check(f"{name}: check says the same", result.code == 64 and where in result.out and not result.err, result)


def bad_plan(name, plan, line, contains, messages=1):
    """A fault plan whose line is wrong."""
    with Place() as place:
        place.write("bad.ini", ini(scenario="faults = bad.csv"))
        place.write("bad.csv", plan)
        refused(
            name,
            place,
            ["run", "./bad.ini", "--out", "out"],
            [f"bad.csv:{line}".rstrip(":") + ":", *contains],
            messages,
        )


def scenarios():
    bad_scenario("unknown key", ini(topic="retention.mss = 5"), "retention.mss", ["retention.mss", "retention.ms"])
    bad_scenario(
        "unknown key of a broker",
        ini(tail="[broker]\nremote.log.manager.task.intervall.ms = 5\n"),
        "intervall",
        ["remote.log.manager.task.intervall.ms", "remote.log.manager.task.interval.ms"],
    )
    bad_scenario("unknown section", ini(tail="[stroe]\nlatency = 5ms\n"), "[stroe]", ["stroe", "store"])
    bad_scenario("unknown unit", ini(tail="[store]\nlatency = 5mss\n"), "5mss", ["5mss", "latency"])
    bad_scenario("unknown size", ini(topic="segment.bytes = 5MoB"), "5MoB", ["5MoB", "segment.bytes"])
    bad_scenario("unknown word", ini(tail="[client]\ninterrupt = throws-up\n"), "throws-up", ["throws-up", "throw"])
    bad_scenario(
        "unknown policy of the scenario",
        ini(scenario="policies = kafka-4.O"),
        "kafka-4.O",
        ["kafka-4.O", "kafka-4.0"],
    )
    bad_scenario("value out of range", ini(topic="replication.factor = 9"), "replication.factor", ["9"])
    bad_scenario("negative duration", ini(tail="[network]\nlatency = -5ms\n"), "-5ms", ["-5ms", "latency"])
    bad_scenario("a # inside a value", ini(scenario="title = segment # 5"), "segment # 5", ["#"])
    bad_scenario("a line that is none", ini(topic="this is no key"), "this is no key", ["this is no key"])
    bad_scenario(
        "the same key twice",
        ini(topic="segment.bytes = 1MiB\nsegment.bytes = 2MiB"),
        "segment.bytes = 2MiB",
        ["segment.bytes"],
    )
    bad_scenario("NUL byte", ini(topic="segment.bytes = 1\0MiB"), "1\0MiB", [])
    bad_scenario("a line over 1 MiB", ini(scenario="title = " + "x" * (1 << 20)), "xxxx", [])
    bad_scenario("missing plan", ini(scenario="faults = nowhere.csv"), "nowhere.csv", ["nowhere.csv"])
    with Place() as place:
        place.write("bad.ini", ini().replace("partitions = 1\n", ""))
        refused("missing key", place, ["run", "./bad.ini"], ["bad.ini", "partitions"])
        refused("missing file", place, ["run", "./nowhere.ini"], ["nowhere.ini"])
        refused("unknown scenario", place, ["run", "quite"], ["quite", "quiet"])
        place.write("a.ini", ini(topic="retention.mss = 5\nsegment.byts = 6"))
        refused("all that is wrong at once", place, ["run", "./a.ini"], ["retention.mss", "segment.byts"], messages=2)


def plans():
    bad_plan(
        "unknown fault", HEADER + "1h,1h,store-unavailble,store,\n", 2, ["store-unavailble", "store-unavailable"]
    )
    bad_plan("unknown topic", HEADER + "1h,1h,copy-fail,topic:order,\n", 2, ["order", "orders"])
    bad_plan("unknown partition", HEADER + "1h,1h,copy-fail,partition:orders-7,\n", 2, ["orders", "7"])
    bad_plan("unknown broker", HEADER + "1h,10m,crash,broker:9,\n", 2, ["9"])
    bad_plan("unknown target", HEADER + "1h,1h,store-unavailable,sotre,\n", 2, ["sotre", "store"])
    bad_plan("unknown parameter", HEADER + "1h,1h,store-unavailable,store,mod=hang\n", 2, ["mod", "mode"])
    bad_plan(
        "unknown word of a parameter", HEADER + "1h,1h,store-unavailable,store,mode=hangs\n", 2, ["hangs", "hang"]
    )
    bad_plan("missing column", "start,duration,kind,params\n1h,1h,store-unavailable,\n", 1, ["target"])
    bad_plan(
        "unknown column",
        "start,duration,kind,target,params,nmae\n1h,1h,store-unavailable,store,,x\n",
        1,
        ["nmae", "name"],
    )
    bad_plan(
        "duplicate column", "start,duration,kind,target,params,kind\n1h,1h,store-unavailable,store,,\n", 1, ["kind"]
    )
    bad_plan("too few fields", HEADER + "1h,1h,store-unavailable\n", 2, [])
    bad_plan("too many fields", HEADER + "1h,1h,store-unavailable,store,,,\n", 2, [])
    bad_plan("no header", "1h,1h,store-unavailable,store,\n", 1, [])
    bad_plan("empty plan", "", "", ["header"])
    bad_plan("line break inside quotes", HEADER + '1h,1h,store-unavailable,"sto\nre",\n', 2, [], messages=2)
    bad_plan("NUL byte in the plan", HEADER + "1h,1h,store-un\0available,store,\n", 2, [])
    bad_plan(
        "a line over 1 MiB in the plan", HEADER + "1h,1h,store-unavailable,store," + "x" * (1 << 20) + "\n", 2, []
    )
    bad_plan("negative start", HEADER + "-1h,1h,store-unavailable,store,\n", 2, ["-1h"])
    bad_plan("negative duration in the plan", HEADER + "1h,-5m,store-unavailable,store,\n", 2, ["-5m"])
    bad_plan("unknown unit in the plan", HEADER + "1h,5mm,store-unavailable,store,\n", 2, ["5mm"])
    bad_plan(
        "contradicting rows",
        HEADER + "1h,1h,store-unavailable,store,\n90m,1h,store-unavailable,store,mode=hang\n",
        3,
        ["store-unavailable"],
    )


def accepted():
    with Place() as place:
        place.write("bom.ini", b"\xef\xbb\xbf" + ini(scenario="; a comment\n# another", topic="; and here").encode())
        result = place.run("check", "./bom.ini")
        check("a byte-order mark and ; comments are accepted", result.code == 0 and "ok" in result.out, result)
        place.write("crlf.ini", ini().replace("\n", "\r\n"))
        result = place.run("check", "./crlf.ini")
        check("lines that end in CR LF are accepted", result.code == 0, result)
        place.write("plan.ini", ini(scenario="faults = plan.csv"))
        place.write(
            "plan.csv", b"\xef\xbb\xbf" + (HEADER + "1h,1h,store-unavailable,store,\n").replace("\n", "\r\n").encode()
        )
        result = place.run("check", "./plan.ini")
        check("a plan with a byte-order mark and CR LF is accepted", result.code == 0, result)
        place.write("printed.ini", place.run("check", "./bom.ini", "--print").out)
        result = place.run("check", "./printed.ini")
        check("what --print writes is valid", result.code == 0, result)


def command_lines():
    with Place() as place:
        for name, words, contains in [
            ("unknown command", ["rum", "tiny"], ["rum", "run"]),
            ("unknown option", ["run", "tiny", "--polcy", "all"], ["--polcy", "--policy"]),
            ("abbreviated option", ["run", "tiny", "--poli", "all"], ["--poli", "--policy"]),
            ("option of another command", ["run", "tiny", "--seeds", "1..3"], ["--seeds", "--seed"]),
            ("option without a value", ["run", "tiny", "--seed"], ["--seed"]),
            ("flag with a value", ["run", "tiny", "--verify=yes"], ["--verify"]),
            ("option twice", ["run", "tiny", "--seed", "1", "--seed", "2"], ["--seed", "twice"]),
            ("missing scenario", ["run"], ["SCENARIO"]),
            ("two scenarios", ["run", "tiny", "quiet"], ["quiet"]),
            ("unknown policy", ["run", "tiny", "--policy", "kip-danglin"], ["kip-danglin", "kip-dangling"]),
            (
                "unknown option of a policy",
                ["run", "tiny", "--policy", "kip-dangling:swep=always"],
                ["swep", "sweep"],
            ),
            ("seed that is none", ["run", "tiny", "--seed", "many"], ["many"]),
            ("negative seed", ["run", "tiny", "--seed", "-1"], ["-1"]),
            ("seed too large", ["run", "tiny", "--seed", str(1 << 63)], [str(1 << 63), str((1 << 63) - 1)]),
            ("seeds that are none", ["compare", "tiny", "--seeds", "5"], ["A..B", "5"]),
            ("seeds the wrong way round", ["compare", "tiny", "--seeds", "5..1"], ["5..1"]),
            ("jobs that are none", ["compare", "tiny", "--jobs", "0"], ["--jobs", "0"]),
            ("metrics that are none", ["run", "tiny", "--metrics", "kafka"], ["--metrics", "kafka", "all"]),
            ("keep that is none", ["run", "tiny", "--keep", "sumary"], ["sumary", "summary"]),
            ("unknown key set", ["run", "tiny", "--set", "store.latecy=5ms"], ["--set", "latecy", "latency"]),
            ("bad value set", ["run", "tiny", "--set", "store.latency=5mss"], ["--set", "5mss", "latency"]),
            ("set without a value", ["run", "tiny", "--set", "store.latency"], ["store.latency"]),
            ("unknown list", ["list", "polices"], ["polices", "policies"]),
            ("report of nothing", ["report", "nowhere", "--svg", "x.svg"], ["nowhere"]),
            ("report of no folder", ["report", "nowhere"], ["nowhere"]),
            ("command of a later version", ["explore", "tiny"], ["explore", "not there yet"]),
            ("command and option of a later version", ["study", "tiny", "--grid", "a=1"], ["study", "not there yet"]),
            ("option of a later version", ["compare", "tiny", "--grid", "a=1"], ["--grid", "not there yet"]),
            (
                "option with a value of a later version",
                ["compare", "tiny", "--faults", "2"],
                ["--faults", "not there yet"],
            ),
        ]:
            refused(name, place, words, contains)


def output_folders():
    with Place() as place:
        place.write("taken/notes.txt", "mine")
        place.write("file", "mine")
        (place.path / "empty").mkdir()
        os.symlink("taken", place.path / "link")
        tiny = ["run", "tiny", "--policy", "kafka-4.0"]
        refused("folder that exists", place, [*tiny, "--out", "taken"], ["taken", "--overwrite"])
        refused("empty folder that exists", place, [*tiny, "--out", "empty/"], ["empty"])
        refused("link to a folder that exists", place, [*tiny, "--out", "link"], ["link"])
        refused(
            "folder of somebody else under --overwrite",
            place,
            [*tiny, "--out", "taken", "--overwrite"],
            ["taken", "manifest"],
        )
        refused("--out that is a file", place, [*tiny, "--out", "file"], ["file"])
        refused("--out below a file", place, [*tiny, "--out", "file/out"], ["file"])
        refused("--out that cannot be made", place, [*tiny, "--out", "/proc/flotsam/out"], ["/proc"])
        refused("comparison into a folder that exists", place, ["compare", "tiny", "--out", "taken"], ["taken"])
        refused("comparison that cannot be made", place, ["compare", "tiny", "--out", "/proc/flotsam/out"], ["/proc"])
        refused("--junit into no folder", place, [*tiny, "--junit", "nowhere/junit.xml"], ["nowhere"])
        refused("--summary that is a folder", place, [*tiny, "--summary", "taken"], ["taken"])
        for several in ([], ["--policy", "kip-dangling"]):
            for _ in range(2):
                result = place.run(*tiny, *several)
                check(
                    f"the default folder is replaced freely ({1 + len(several) // 2} policies)",
                    result.code in (0, 1, 2, 3),
                    result,
                )
        result = place.run(*tiny, "--out", "mine")
        refused("folder of an earlier run", place, [*tiny, "--out", "mine"], ["mine", "--overwrite"])
        place.write("mine/old.txt", "old")
        again = place.run(*tiny, "--out", "mine", "--overwrite")
        check(
            "--overwrite replaces a folder of ours, whole",
            again.code == result.code
            and not (place.path / "mine/old.txt").exists()
            and (place.path / "mine/manifest.json").exists(),
            again,
        )
        check(
            "nothing is left beside the folders",
            not [name for name in place.names() if name.startswith(".")],
            place.names(),
        )


def broken(name, place, result, older, names_file=True):
    """Exit 70, one message that names a file, the older folder as it was, nothing beside it."""
    check(f"{name}: exit 70", result.code == 70, result)
    lines = result.messages
    check(
        f"{name}: one message that names the file",
        len(lines) == 1 and (not names_file or bool(re.search(r"[\w.-]+\.(csv|json|ini|xml|md)", lines[0]))),
        result,
    )
    check(f"{name}: the older folder is still there, nothing else", place.everything() == older, place.names())


def limit_files(size):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def full_disks():
    for name, words in [
        ("run", ["run", "partial-uploads", "--policy", "kafka-4.0"]),
        ("run of two", ["run", "partial-uploads", "--policy", "kafka-4.0", "--policy", "kip-dangling"]),
        ("comparison", ["compare", "partial-uploads", "--seeds", "1..3", "--keep", "all"]),
    ]:
        with Place() as place:
            place.run(*words)
            older = place.everything()
            broken(
                f"{name} over the limit of a file's size", place, place.run(*words, before=limit_files(2_000)), older
            )
    with Place() as place:
        result = place.run("run", "tiny", "--junit", "/dev/full")
        broken("--junit on a full disk", place, result, place.everything(), names_file=False)
        check(
            "--junit on a full disk: /dev/full is named and still a device",
            "/dev/full" in result.err and not os.path.isfile("/dev/full"),
            result,
        )
        with open("/dev/full", "w") as full:
            result = place.run("list", "policies", stdout=full)
        check(
            "standard output on a full disk: exit 70 and a message",
            result.code == 70 and "standard output" in result.err,
            result,
        )
    if os.geteuid() == 0:
        tiny_disk()


def tiny_disk():
    """A file system of 256 KiB; only root may mount one, and not in every container."""
    with Place() as place:
        disk = place.path / "disk"
        disk.mkdir()
        if (
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=256k", "flotsam", disk], stderr=subprocess.DEVNULL
            ).returncode
            != 0
        ):
            print("skipped: no tmpfs can be mounted here")
            return
        try:
            place.run("run", "tiny", "--policy", "kafka-4.0", "--out", "disk/out")
            (disk / "ballast").write_bytes(b"x" * (128 << 10))
            older = place.everything()
            result = place.run("run", "partial-uploads", "--policy", "kafka-4.0", "--out", "disk/out", "--overwrite")
            broken("a full disk", place, result, older)
        finally:
            subprocess.run(["umount", disk], check=False)


for part in (scenarios, plans, accepted, command_lines, output_folders, full_disks):
    part()
check.finish()
