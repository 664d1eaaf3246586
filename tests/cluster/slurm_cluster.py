"""A Slurm cluster on this machine for tests: a controller and some nodes on loopback, without cgroups or accounting.

Written for Slurm 22.05 of Debian 12; as root. All daemons run in the foreground as children of the test, on ports that
were free, with a munge of their own; everything else they start is known by SLURM_CONF in its environment.
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

TOOLS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
SEARCHED = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin"

CONFIGURATION = """
ClusterName=flotsam
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
# cred_expire is also what a requeued task waits before it may start again.
AuthInfo=socket={path}/munge.socket,cred_expire=6
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort={controller_port}
SlurmctldPidFile={path}/slurmctld.pid
SlurmctldLogFile={path}/slurmctld.log
StateSaveLocation={path}/state
SlurmdPidFile={path}/%n.pid
SlurmdLogFile={path}/%n.log
SlurmdSpoolDir={path}/spool.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
# The processors stated below, whatever the machine has.
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
JobRequeue=1
# A node that does not answer is down after this.
MessageTimeout=4
TCPTimeout=2
SlurmdTimeout={node_timeout}
ReturnToService=2
KillWait=2
MaxArraySize=1001
NodeName=node[1-{nodes}] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[{node_ports}] CPUs={cpus} RealMemory=500
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """Why there can be no cluster here; empty when there can."""
    missing = [tool for tool in TOOLS if not shutil.which(tool, path=SEARCHED)]
    if missing:
        return f"Slurm is not installed ({', '.join(missing)} not found); ./dev setup cluster installs it"
    return "" if os.geteuid() == 0 else "a Slurm cluster can only be started as root"


def wait_until(holds, seconds, step=0.1):
    limit = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > limit:
            return False
        time.sleep(step)
    return True


def consecutive_ports(count):
    """Ports of which nobody listened on any a moment ago."""
    for base in range(20000 + os.getpid() % 1000 * 10, 32000, count):
        sockets = []
        try:
            for port in range(base, base + count):
                sockets.append(socket.socket())
                sockets[-1].bind(("127.0.0.1", port))
            return base
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()
    raise RuntimeError("no free ports")


class Cluster:
    def __init__(self, nodes=3, cpus=2, node_timeout=4):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="flotsam-slurm-"))
        self.path.chmod(0o755)  # munge wants its socket within everybody's reach.
        self.nodes = [f"node{number}" for number in range(1, nodes + 1)]
        port = consecutive_ports(nodes + 1)
        self.configuration = str(self.path / "slurm.conf")
        text = CONFIGURATION.format(path=self.path, controller_port=port, node_timeout=node_timeout, nodes=nodes,
                                    node_ports=f"{port + 1}-{port + nodes}", cpus=cpus)
        (self.path / "slurm.conf").write_text(text)
        # slurmd loads a cgroup plugin though nothing uses it; this one loads where no cgroup is mounted.
        (self.path / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        self.daemons = {}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """Everything of this cluster ends, and its folder goes."""
        for name in reversed(list(self.daemons)):
            self.end(name, signal.SIGKILL)
        for _ in range(20):
            pids = self.processes()
            for pid in pids:
                kill(pid, signal.SIGKILL)
            if not pids:
                break
            time.sleep(0.1)
        shutil.rmtree(self.path, ignore_errors=True)

    def environment(self):
        keep = {name: os.environ[name] for name in ("HOME", "TMPDIR", "LANG") if name in os.environ}
        return {**keep, "PATH": SEARCHED, "SLURM_CONF": self.configuration, "PYTHONDONTWRITEBYTECODE": "1"}

    def start(self):
        (self.path / "state").mkdir()
        key = self.path / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(1024))
        self.spawn("munged", "munged", "--foreground", f"--key-file={key}", f"--socket={self.path}/munge.socket",
                   f"--pid-file={self.path}/munged.pid", f"--log-file={self.path}/munged.log",
                   f"--seed-file={self.path}/munge.seed")
        self.need("munge", lambda: (self.path / "munge.socket").exists(), 20)
        self.spawn("slurmctld", "slurmctld", "-D")
        for node in self.nodes:
            self.start_node(node)
        self.need("all nodes", lambda: self.call("sinfo", "-hN", "-o%T").split() == ["idle"] * len(self.nodes), 60)

    def need(self, what, holds, seconds):
        if not wait_until(holds, seconds):
            tails = [f"{log.name}: {line}" for log in sorted([*self.path.glob("*.log"), *self.path.glob("*.out")])
                     for line in log.read_text(errors="replace").splitlines()[-5:]]
            raise RuntimeError("\n".join([f"{what}: not there after {seconds} s", *tails]))

    def spawn(self, name, *words):
        with open(self.path / f"{name}.out", "ab") as out:
            # A session of its own: Ctrl-C in a terminal is for the test alone.
            self.daemons[name] = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                                  env=self.environment(), start_new_session=True)

    def end(self, name, number):
        process = self.daemons.pop(name)
        process.send_signal(number)
        process.wait(timeout=20)

    def start_node(self, node):
        (self.path / f"spool.{node}").mkdir(exist_ok=True)
        self.spawn(node, "slurmd", "-D", "-N", node)

    def lose_node(self, node, with_its_work):
        """SIGKILL to its slurmd and steps: with the work too a machine that died, without a network that was cut."""
        self.end(node, signal.SIGKILL)
        for pid in self.processes(node):
            if with_its_work or program_of(pid).startswith("slurmstepd"):
                kill(pid, signal.SIGKILL)

    def processes(self, node=None):
        """What the cluster started and its daemons, or what it started on that node."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                environment = (folder / "environ").read_bytes().split(b"\0")
                if f"SLURM_CONF={self.configuration}".encode() not in environment or int(folder.name) == os.getpid():
                    continue
                # A step's own process has no variable for its node, but its log open.
                if node and f"SLURMD_NODENAME={node}".encode() not in environment:
                    files = [os.readlink(file) for file in (folder / "fd").iterdir()]
                    if str(self.path / f"{node}.log") not in files:
                        continue
            except OSError:
                continue  # It ended meanwhile.
            found.append(int(folder.name))
        return found

    def call(self, *words):
        return subprocess.run(words, env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, check=False).stdout


def program_of(pid):
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return ""


def kill(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
