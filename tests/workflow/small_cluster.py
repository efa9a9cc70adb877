"""A real Slurm on this machine, in a folder of its own: two nodes that can fail.

Each node has a network namespace, and so has the machine that they are connected with, where
slurmctld and Snakemake run. The network of this machine is left as it is, and all processes in a
namespace can be found and ended together. This needs root, network namespaces and Debian's
slurm-wlm, munge and iproute2.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
COMMANDS = ("srun", "squeue", "sacct", "scancel", "scontrol", "sbatch", "sinfo")
# Snakemake with the cluster's profile. Tests wait less, and everything else is as in the profile.
COMMAND = [sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", "--latency-wait=600"]
COMMAND += ["--slurm-init-seconds-before-status-checks=1", "--seconds-between-status-checks=2"]
CONTROL = "10.0.0.1"  # an address that nobody outside the three namespaces sees
NODES = {"node1": "10.0.1.2", "node2": "10.0.2.2"}

# cons_tres shares a node between jobs by core and memory, as clusters do. MinJobAge keeps an ended
# job visible to squeue, since there is no accounting database. With config_overrides nodes have
# more slots than the machine has cores. A silent node is down after 10 seconds, and its jobs may
# run again after 15.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}({control})
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=15
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd-%n.log
SlurmdParameters=config_overrides
SlurmdTimeout=10
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
PartitionName=debug Nodes=ALL Default=YES MaxTime=120 State=UP
"""
NODE = "NodeName={name} NodeAddr={address} CPUs={slots} RealMemory=6000 State=UNKNOWN\n"


def why_not():
    """Return what is missing for a Slurm, or an empty string."""
    packages = {**dict.fromkeys([*DAEMONS, "sbatch"], "slurm-wlm munge"), "ip": "iproute2"}
    if missing := [name for name in packages if not shutil.which(name, path=_path())]:
        return f"{', '.join(missing)} not installed: apt-get install {packages[missing[0]]}"
    name = f"slurm-{secrets.token_hex(3)}-trial"
    tried = _ip("netns", "add", name)
    if tried.returncode == 0:
        tried = _ip("-n", name, "link", "add", "one", "type", "veth", "peer", "name", "other")
        _ip("netns", "delete", name)
    return (
        f"no network namespaces here, which need root: {tried.stderr.strip()}"
        if tried.returncode
        else ""
    )


class Cluster:
    """Two nodes in a `with` statement, which ends its processes by their ids.

    `cut_power` ends a node. The folder has a short name, because the path of a socket has at most
    108 characters.
    """

    def __init__(self, slots):
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-"))
        self.name, self.slots = f"slurm-{secrets.token_hex(3)}", slots
        # The words before a command that is to run where slurmctld is.
        self.inside = self.within("control")

    def __enter__(self):
        for name in ("state", "spool", "log", "munge", "bin", *(f"spool/{node}" for node in NODES)):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        (self.folder / "munge").chmod(0o700)
        key = self.folder / "munge/key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        nodes = [
            NODE.format(name=name, address=address, slots=self.slots)
            for name, address in NODES.items()
        ]
        text = CONFIGURATION.format(
            folder=self.folder, host=socket.gethostname().split(".")[0], control=CONTROL
        )
        (self.folder / "slurm.conf").write_text(text + "".join(nodes))
        for command in COMMANDS:
            # The plugin clears SLURM_* from a job's environment, so commands set the configuration.
            wrapper = self.folder / "bin" / command
            wrapper.write_text(
                f'#!/bin/sh\nSLURM_CONF={self.folder}/slurm.conf exec /usr/bin/{command} "$@"\n'
            )
            wrapper.chmod(0o755)
        try:
            self._connect()
            places = {"socket": "munge/socket", "key-file": "munge/key", "seed-file": "munge/seed"}
            places |= {"pid-file": "munged.pid", "log-file": "log/munged.log"}
            self._start(
                "munged",
                "--force",
                *(f"--{name}={self.folder}/{place}" for name, place in places.items()),
            )
            self._start("slurmctld", "-f", self.folder / "slurm.conf", before=self.inside)
            for node in NODES:
                self._start(
                    "slurmd", "-f", self.folder / "slurm.conf", "-N", node, before=self.within(node)
                )
            while set(self.states().values()) != {"idle"}:
                time.sleep(0.5)
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_):
        self._stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def within(self, place):
        """Return the words before a command that is to run on a node, or at slurmctld (`control`).

        Not `ip netns exec`, which hides the cgroups that slurmd looks for.
        """
        return ("nsenter", f"--net=/run/netns/{self.name}-{place}")

    @property
    def environment(self):
        """The environment in which a program finds this cluster and no other."""
        return {
            **os.environ,
            "PATH": f"{self.folder}/bin:{_path()}",
            "SLURM_CONF": f"{self.folder}/slurm.conf",
        }

    def ask(self, *command):
        """Return the output of a Slurm command."""
        done = subprocess.run(
            [*self.inside, *command], env=self.environment, capture_output=True, text=True
        )
        return done.stdout.strip()

    def states(self):
        return dict(
            line.split() for line in self.ask("sinfo", "-h", "-N", "-o", "%N %T").splitlines()
        )

    def check_launches(self):
        """Raise an error if a job could not start, for which Snakemake would wait forever."""
        if "held" in self.ask("squeue", "--noheader", "--format=%r"):
            logs = "".join(
                path.read_text()[-2000:] for path in (self.folder / "log").glob("slurmd-*.log")
            )
            raise RuntimeError(f"a job could not be started: {logs}")

    def processes(self, place):
        """Return the ids of all processes in a namespace."""
        return list(map(int, _ip("netns", "pids", f"{self.name}-{place}").stdout.split()))

    def cut_power(self, node):
        """Unplug a node, so that slurmctld gets no message, and then kill its processes."""
        self._in(node, "link", "set", "cable", "down")
        self._end_all(node)

    def _connect(self):
        """Make a namespace for each machine, and a cable from each node to the central one."""
        self._do("netns", "add", f"{self.name}-control")
        self._in("control", "link", "set", "lo", "up")
        self._in("control", "address", "add", f"{CONTROL}/32", "dev", "lo")
        for node, address in NODES.items():
            gateway = address.rpartition(".")[0] + ".1"
            self._do("netns", "add", f"{self.name}-{node}")
            self._in(node, "link", "set", "lo", "up")
            self._in(
                "control",
                *f"link add {node} type veth peer name cable netns {self.name}-{node}".split(),
            )
            for place, device, its in (("control", node, gateway), (node, "cable", address)):
                self._in(place, "address", "add", f"{its}/24", "dev", device)
                self._in(place, "link", "set", device, "up")
            self._in(node, "route", "add", "default", "via", gateway)

    def _start(self, daemon, *arguments, before=()):
        command = [*before, shutil.which(daemon, path=_path()), *map(str, arguments)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{daemon}: {done.stderr}")

    def _stop(self):
        """End all processes in the namespaces, then munged, and remove the namespaces."""
        for place in ("control", *NODES):
            self._end_all(place)
        with suppress(FileNotFoundError, ProcessLookupError):
            os.kill(int((self.folder / "munged.pid").read_text()), signal.SIGKILL)
        for place in ("control", *NODES):
            _ip("netns", "delete", f"{self.name}-{place}")

    def _end_all(self, place):
        while pids := self.processes(place):
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)

    def _in(self, place, *words):
        self._do("-n", f"{self.name}-{place}", *words)

    def _do(self, *words):
        done = _ip(*words)
        if done.returncode:
            raise RuntimeError(f"ip {' '.join(words)}: {done.stderr}")


def _ip(*words):
    return subprocess.run(
        [shutil.which("ip", path=_path()), *words], capture_output=True, text=True
    )


def _path():
    return os.environ["PATH"] + ":/usr/sbin:/sbin"
