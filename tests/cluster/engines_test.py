#!/usr/bin/env python3
"""The files for other engines: cluster/github/campaign.yml and cluster/kubernetes/campaign.yaml.

usage: python3 tests/cluster/engines_test.py build/release/flotsam
Their own shell lines are taken out of them and run here, a shard after the other, with the variables that the engine
would set; what comes out must be the bytes of one machine. Without PyYAML nothing is tested: exit 77.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from support import LEAKY, WHOLE, Checks, Place

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed; ./dev setup cluster installs it")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = "leaky.ini --seeds 1..240 --policy kafka-4.0"

check = Checks()


def shell(place, words, variables, folder):
    """As the engine would call it: with its variables, flotsam on PATH."""
    environment = {**place.environment(variables), "PATH": f"{place.path}/bin:{os.environ['PATH']}"}
    return subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=300, check=False)


def is_clean(script, dialect):
    if not shutil.which("shellcheck"):
        return True
    done = subprocess.run(["shellcheck", "-s", dialect, "-"], input=script, capture_output=True, text=True, check=False)
    print(done.stdout, end="")
    return done.returncode == 0


def same(place, folder):
    one = place.path / "one"
    return all((folder / name).is_file() and (one / name).read_bytes() == (folder / name).read_bytes()
               for name in WHOLE)


def evaluated(text, context):
    """GitHub's ${{ }} with what it would know."""
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda mark: str(context[mark.group(1)]), str(text))


def github(place):
    workflow = yaml.safe_load((ROOT / "cluster/github/campaign.yml").read_text())
    jobs = workflow["jobs"]
    check("GitHub: the parts wait for the build, the merge for the parts",
          (jobs["part"]["needs"], jobs["merge"]["needs"]) == ("build", "part"))
    check("GitHub: a failed part stops no other", jobs["part"]["strategy"]["fail-fast"] is False)
    steps = {name: {step.get("name"): step for step in job["steps"]} for name, job in jobs.items()}
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
    scripts = {name: steps[job][name]["run"] for job, name in (("part", "Part"), ("merge", "Merge"))}
    for name, script in scripts.items():
        check(f"GitHub: {name} is run by bash", steps[name.lower()][name]["shell"] == "bash")
        check(f"GitHub: shellcheck of {name}", is_clean(script, "bash"))
    total = len(jobs["part"]["strategy"]["matrix"]["part"])
    folder = place.path / "github"
    for index in reversed(range(total)):
        context = {"strategy.job-index": index, "strategy.job-total": total, "inputs.campaign": WORDS}
        variables = {name: evaluated(value, context)
                     for name, value in {**workflow["env"], **jobs["part"]["env"]}.items()}
        runner = place.path / f"runner-{index}"
        shutil.copytree(place.path / "tree", runner)
        done = shell(place, [*bash, scripts["Part"]], variables, runner)
        check(f"GitHub: part {index} with findings is no failure", done.returncode == 0, done)
        upload = [step["with"] for step in jobs["part"]["steps"] if "upload" in step.get("uses", "")][0]
        name, path = evaluated(upload["name"], context), evaluated(upload["path"], context)
        shutil.copytree(runner / path, folder / name)
    bad = shell(place, [*bash, scripts["Part"]], {"FLOTSAM_SHARDS": "2", "JOB_COMPLETION_INDEX": "0",
                                                  "CAMPAIGN": "leaky.ini --policy kafka-40"}, runner)
    check("GitHub: a part with bad words fails", bad.returncode != 0 and "did you mean" in bad.stderr, bad)
    shutil.copytree(place.path / "tree", folder, dirs_exist_ok=True)
    done = shell(place, [*bash, scripts["Merge"]], {}, folder)
    check("GitHub: the merge fails with the verdict's code", done.returncode == 3, done)
    check("GitHub: the bytes of one machine", same(place, folder / "whole"), done)


def container_of(job):
    return job["spec"]["template"]["spec"]["containers"][0]


def kubernetes(place):
    documents = list(yaml.safe_load_all((ROOT / "cluster/kubernetes/campaign.yaml").read_text()))
    named = {(one["kind"], one["metadata"]["name"]): one for one in documents}
    part, merge = named["Job", "flotsam-campaign"], named["Job", "flotsam-merge"]
    data = named["ConfigMap", "flotsam-campaign"]["data"]
    check("Kubernetes: indexed", part["spec"]["completionMode"] == "Indexed")
    check("Kubernetes: as many completions as shards", str(part["spec"]["completions"]) == data["FLOTSAM_SHARDS"], data)
    check("Kubernetes: the merge waits", merge["spec"]["suspend"] is True)
    check("Kubernetes: every value is a text", all(isinstance(value, str) for value in data.values()), data)
    for job in (part, merge):
        pod = job["spec"]["template"]["spec"]
        claims = {volume["name"]: volume["persistentVolumeClaim"]["claimName"] for volume in pod["volumes"]}
        mounts = {mount["name"]: mount["mountPath"] for mount in container_of(job)["volumeMounts"]}
        check(f"{job['metadata']['name']}: the volume is there and mounted",
              all(("PersistentVolumeClaim", claim) in named for claim in claims.values()) and set(mounts) <= set(claims)
              and container_of(job)["workingDir"] in mounts.values(), (claims, mounts))
        check(f"{job['metadata']['name']}: shellcheck", is_clean(container_of(job)["command"][2] + "\n", "sh"))
    reference = container_of(part)["envFrom"][0]["configMapRef"]["name"]
    check("Kubernetes: the variables are there", ("ConfigMap", reference) in named, reference)
    rules = [rule for rule in part["spec"]["podFailurePolicy"]["rules"] if rule["action"] == "FailJob"]
    check("Kubernetes: the policy is for the part's container",
          [rule["onExitCodes"]["containerName"] for rule in rules] == [container_of(part)["name"]])
    folder = place.path / "kubernetes"
    shutil.copytree(place.path / "tree", folder)
    variables = {**data, "CAMPAIGN": WORDS}
    for index in range(part["spec"]["completions"]):
        words, own = container_of(part)["command"], {**variables, "JOB_COMPLETION_INDEX": str(index)}
        if index == 1:
            evicted(place, words, own, folder)
        done = shell(place, words, own, folder)
        check(f"Kubernetes: part {index} with findings is no failure", done.returncode == 0, done)
    bad = shell(place, container_of(part)["command"], {**variables, "JOB_COMPLETION_INDEX": "0",
                                                       "CAMPAIGN": "leaky.ini --policy kafka-40"}, folder)
    check("Kubernetes: bad words end with what fails the Job", bad.returncode in rules[0]["onExitCodes"]["values"], bad)
    done = shell(place, container_of(merge)["command"], {}, folder)
    check("Kubernetes: the merge ends with the verdict's code", done.returncode == 3, done)
    check("Kubernetes: the bytes of one machine", same(place, folder / "whole"), done)


def evicted(place, words, variables, folder):
    """The first pod of a part goes with its node."""
    environment = {**place.environment(variables), "PATH": f"{place.path}/bin:{os.environ['PATH']}",
                   "CAMPAIGN": variables["CAMPAIGN"]}
    pod = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, start_new_session=True)
    limit = time.monotonic() + 30
    while not list((folder / "part-1").glob(".work-*")) and pod.poll() is None and time.monotonic() < limit:
        time.sleep(0.005)
    if pod.poll() is None:
        os.killpg(pod.pid, 9)
    pod.wait()


with Place() as here:
    here.write("leaky.ini", LEAKY)
    here.write("tree/leaky.ini", LEAKY)
    for name in ("bin", "tree/bin"):
        (here.path / name).mkdir(exist_ok=True)
        shutil.copy(here.program, here.path / name / "flotsam")
    ran = here.run("campaign", *WORDS.split(), "--out", "one")
    check("one machine: findings", ran.code == 3, ran)
    github(here)
    kubernetes(here)
check.finish()
