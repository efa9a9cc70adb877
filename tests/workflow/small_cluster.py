"""A real Slurm on this machine, in a folder of its own: a single node on the loopback interface, or two that can fail.

Each of two nodes has a network namespace, and so has the machine that they are connected with, where slurmctld and
Snakemake run. The network of this machine is left as it is, and what runs in a namespace can be found and ended together.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
COMMANDS = ("srun", "squeue", "sacct", "scancel", "scontrol", "sbatch", "sinfo")

# cons_tres shares the node between jobs by core and memory, as clusters do; MinJobAge keeps an ended job visible to squeue,
# which is what there is without an accounting data base. config_overrides: the node has more slots than the machine cores.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={cluster.host}({cluster.address})
SlurmctldPort={port}
SlurmdPort={other_port}
{cluster.listening}
AuthType=auth/munge
AuthInfo=socket={cluster.folder}/munge/socket,cred_expire={cluster.requeued_after}
SlurmUser=root
SlurmdUser=root
StateSaveLocation={cluster.folder}/state
SlurmdSpoolDir={cluster.folder}/spool/%n
SlurmctldPidFile={cluster.folder}/slurmctld.pid
SlurmdPidFile={cluster.folder}/slurmd-%n.pid
SlurmctldLogFile={cluster.folder}/log/slurmctld.log
SlurmdLogFile={cluster.folder}/log/slurmd-%n.log
SlurmdParameters=config_overrides
SlurmdTimeout={cluster.down_after}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=300
PartitionName=debug Nodes=ALL Default=YES MaxTime=60 State=UP
"""
NODE = "NodeName={name} NodeAddr={address} CPUs={cpus} RealMemory=6000 State=UNKNOWN\n"


def why_not() -> str:
    """What is missing for it, or nothing."""
    missing = [name for name in (*DAEMONS, "sbatch") if not shutil.which(name, path=_path())]
    if missing:
        return f"{', '.join(missing)} not installed: apt-get install slurm-wlm munge"
    return "" if os.getuid() == 0 else "starting Slurm's daemons needs root"


def why_not_two() -> str:
    """What is missing for two nodes, or nothing."""
    if why_not():
        return why_not()
    if not shutil.which("ip", path=_path()):
        return "ip not installed: apt-get install iproute2"
    name = f"slurm-{secrets.token_hex(3)}-trial"
    tried = _ip("netns", "add", name)
    if tried.returncode == 0:
        tried = _ip("-n", name, "link", "add", "one", "type", "veth", "peer", "name", "other")
        _ip("netns", "delete", name)
    return f"no network namespaces here: {tried.stderr.strip()}" if tried.returncode else ""


class Cluster:
    """Use as `with Cluster() as cluster`: one node; it stops what it started, by process ids.

    Its folder has a short name, because the path of a socket has at most 108 characters.
    """

    address = "127.0.0.1"
    listening = "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny"  # to this machine only
    # Seconds until a node that is silent is down, and until what ran on it may run again: Slurm's own defaults.
    down_after, requeued_after = 300, 120

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-"))
        self.host = socket.gethostname().split(".")[0]
        self.inside: tuple[str, ...] = ()  # the words before a command that is to run where slurmctld is

    def nodes(self) -> dict[str, tuple[str, int]]:
        """Address and number of slots of each."""
        return {self.host: (self.address, 4)}

    def __enter__(self) -> "Cluster":
        for name in ("state", "spool", "log", "munge", "bin", *(f"spool/{node}" for node in self.nodes())):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        (self.folder / "munge").chmod(0o700)
        key = self.folder / "munge/key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        nodes = [NODE.format(name=name, address=at, cpus=cpus) for name, (at, cpus) in self.nodes().items()]
        text = CONFIGURATION.format(cluster=self, port=_free_port(), other_port=_free_port())
        (self.folder / "slurm.conf").write_text(text + "".join(nodes))
        for command in COMMANDS:
            # The plugin clears SLURM_* from a job's environment, so each command brings the configuration along.
            wrapper = self.folder / "bin" / command
            wrapper.write_text(f'#!/bin/sh\nSLURM_CONF={self.folder}/slurm.conf exec /usr/bin/{command} "$@"\n')
            wrapper.chmod(0o755)
        try:
            self.connect()
            places = {
                "socket": "munge/socket",
                "key-file": "munge/key",
                "seed-file": "munge/seed",
                "pid-file": "munged.pid",
            }
            places |= {"log-file": "log/munged.log"}
            self._start("munged", "--force", *(f"--{name}={self.folder}/{place}" for name, place in places.items()))
            self._start("slurmctld", "-f", self.folder / "slurm.conf", before=self.inside)
            for node in self.nodes():
                self.start_node(node)
            self.wait_until_idle(*self.nodes())
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to find this cluster and no other."""
        return {**os.environ, "PATH": f"{self.folder}/bin:{_path()}", "SLURM_CONF": f"{self.folder}/slurm.conf"}

    def ask(self, *command: str) -> str:
        """What a Slurm command prints."""
        command = [*self.inside, *command]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return done.stdout.strip()

    def pids(self) -> dict[str, int]:
        """The daemons that left a pid file."""
        files = [*self.folder.glob("munged.pid"), *self.folder.glob("slurmctld.pid"), *self.folder.glob("slurmd-*.pid")]
        return {file.stem: int(file.read_text()) for file in files}

    def connect(self) -> None:
        """Nothing to do: a single node is reached over the loopback interface."""

    def start_node(self, name: str, before: tuple[str, ...] = ()) -> None:
        self._start("slurmd", "-f", self.folder / "slurm.conf", "-N", name, before=before)

    def stop(self) -> None:
        """End slurmd, slurmctld and munged, and wait until they are gone."""
        for pid in reversed(self.pids().values()):
            for sent in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.kill(pid, sent)
                    for _ in range(100):
                        os.kill(pid, 0)
                        time.sleep(0.1)
                except ProcessLookupError:
                    break

    def wait_until_idle(self, *names: str) -> None:
        def states():
            return dict(line.split() for line in self.ask("sinfo", "-h", "-N", "-o", "%N %T").splitlines())

        while {states().get(name) for name in names} != {"idle"}:
            time.sleep(0.5)

    def logs(self) -> str:
        """The ends of the nodes' logs."""
        return "".join(path.read_text()[-2000:] for path in (self.folder / "log").glob("slurmd-*.log"))

    def check_launches(self) -> None:
        """Raise an error if Slurm holds a job because it could not be started: Snakemake would wait for ever."""
        if "held" in self.ask("squeue", "--noheader", "--format=%r"):
            raise RuntimeError(f"a job could not be started: {self.logs()}")

    def _start(self, daemon: str, *arguments, before: tuple[str, ...] = ()) -> None:
        command = [*before, shutil.which(daemon, path=_path()), *map(str, arguments)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{daemon}: {done.stderr}")


class TwoNodes(Cluster):
    """node1 and node2, of one slot each; `cut_power` ends one of them as a power cut does."""

    address = "10.0.0.1"  # seen by nobody outside the three namespaces
    listening = ""
    down_after, requeued_after = 10, 15

    def __init__(self):
        super().__init__()
        self.name = f"slurm-{secrets.token_hex(3)}"
        self.inside = self.within("control")

    def nodes(self) -> dict[str, tuple[str, int]]:
        return {"node1": ("10.0.1.2", 1), "node2": ("10.0.2.2", 1)}

    def within(self, place: str) -> tuple[str, ...]:
        """The words before a command that is to run on a node, or beside slurmctld (`control`).

        Not `ip netns exec`, which hides the cgroups that slurmd looks for.
        """
        return ("nsenter", f"--net=/run/netns/{self.name}-{place}")

    def connect(self) -> None:
        """A namespace for each machine, and a cable from each node to the one that passes on what is sent."""
        self._do("netns", "add", f"{self.name}-control")
        self._in("control", "link", "set", "lo", "up")
        self._in("control", "address", "add", f"{self.address}/32", "dev", "lo")
        for node, (address, _) in self.nodes().items():
            gateway = address.rpartition(".")[0] + ".1"
            self._do("netns", "add", f"{self.name}-{node}")
            self._in(node, "link", "set", "lo", "up")
            self._in("control", *f"link add {node} type veth peer name cable netns {self.name}-{node}".split())
            for place, device, its in (("control", node, gateway), (node, "cable", address)):
                self._in(place, "address", "add", f"{its}/24", "dev", device)
                self._in(place, "link", "set", device, "up")
            self._in(node, "route", "add", "default", "via", gateway)

    def start_node(self, name: str) -> None:
        super().start_node(name, before=self.within(name))

    def processes(self, place: str) -> list[int]:
        """Everything that runs there."""
        return list(map(int, _ip("netns", "pids", f"{self.name}-{place}").stdout.split()))

    def cut_power(self, node: str) -> None:
        """First the cable, so that slurmctld gets no message; then everything on the node ends, as it is."""
        self._in(node, "link", "set", "cable", "down")
        self._end_all(node)

    def stop(self) -> None:
        """End whatever runs in the namespaces, then munged, and remove them."""
        for place in ("control", *self.nodes()):
            self._end_all(place)
        super().stop()
        for place in ("control", *self.nodes()):
            _ip("netns", "delete", f"{self.name}-{place}")

    def _end_all(self, place: str) -> None:
        while pids := self.processes(place):
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)

    def _in(self, place: str, *words: str) -> None:
        self._do("-n", f"{self.name}-{place}", *words)

    def _do(self, *words: str) -> None:
        done = _ip(*words)
        if done.returncode:
            raise RuntimeError(f"ip {' '.join(words)}: {done.stderr}")


def _ip(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([shutil.which("ip", path=_path()), *words], capture_output=True, text=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _path() -> str:
    return os.environ["PATH"] + ":/usr/sbin:/sbin"
