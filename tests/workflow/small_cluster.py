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
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from project import run_program

COMMANDS = ("srun", "squeue", "sacct", "scancel", "scontrol", "sbatch", "sinfo")
# Snakemake with the cluster's profile. Tests wait less, and everything else is as in the profile.
COMMAND = [sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", "--latency-wait=600"]
COMMAND += ["--slurm-init-seconds-before-status-checks=1", "--seconds-between-status-checks=2"]
CONTROL = "10.0.0.1"  # an address that nobody outside the three namespaces sees
NODES = {"node1": "10.0.1.2", "node2": "10.0.2.2"}
PLACES = ("control", *NODES)
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"

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
NODE = "NodeName={} NodeAddr={} CPUs={} RealMemory=6000 State=UNKNOWN\n"
MUNGE = "--{kind}={folder}/munge/{kind}"


def why_not():
    """Return what is missing for a Slurm, or an empty string."""
    packages = dict.fromkeys(("munged", "slurmctld", "slurmd", "sbatch"), "slurm-wlm munge")
    for name, package in {**packages, "ip": "iproute2"}.items():
        if not shutil.which(name, path=PATH):
            return f"{name} is not installed: apt-get install {package}"
    name = f"slurm-{secrets.token_hex(3)}-trial"
    try:
        _run("ip", "netns", "add", name)
        _run(*f"ip -n {name} link add one type veth peer name other".split())
    except RuntimeError as failure:
        return f"no network namespaces here, which need root: {failure}"
    finally:
        run_program("ip", "netns", "delete", name)
    return ""


class Cluster:
    """Two nodes in a `with` statement, which ends its processes by their ids.

    `cut_power` ends a node. The folder has a short name, because the path of a socket has at most
    108 characters.
    """

    def __init__(self, slots):
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-"))
        self.name, self.slots = f"slurm-{secrets.token_hex(3)}", slots
        # The environment in which a program finds this cluster and no other.
        configuration = {"SLURM_CONF": f"{self.folder}/slurm.conf"}
        self.environment = os.environ | configuration | {"PATH": f"{self.folder}/bin:{PATH}"}
        # The words before a command that is to run where slurmctld is.
        self.inside = self.within("control")

    def __enter__(self):
        self._write_files()
        try:
            self._connect()
            kinds = ("socket", "key-file", "seed-file", "pid-file", "log-file")
            munge = (MUNGE.format(kind=kind, folder=self.folder) for kind in kinds)
            self._start((), "munged", "--force", *munge)
            configured = ("-f", f"{self.folder}/slurm.conf")
            self._start(self.inside, "slurmctld", *configured)
            for node in NODES:
                self._start(self.within(node), "slurmd", *configured, "-N", node)
            while {*self.states().values()} != {"idle"}:
                time.sleep(0.5)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """End all processes in the namespaces, then munged, and remove the namespaces."""
        for place in PLACES:
            self._end_all(place)
        with suppress(FileNotFoundError, ProcessLookupError):
            os.kill(int((self.folder / "munge/pid-file").read_text()), signal.SIGKILL)
        for place in PLACES:
            run_program("ip", "netns", "delete", f"{self.name}-{place}", variables=self.environment)
        shutil.rmtree(self.folder, ignore_errors=True)

    def within(self, place):
        """Return the words before a command that is to run on a node, or at slurmctld (`control`).

        Not `ip netns exec`, which hides the cgroups that slurmd looks for.
        """
        return ("nsenter", f"--net=/run/netns/{self.name}-{place}")

    def ask(self, *command):
        """Return the output of a Slurm command."""
        done = run_program(*self.inside, *command, variables=self.environment)
        return done.stdout.strip()

    def jobs(self, columns, *which):
        """Return the columns of each job that is or was here."""
        listed = self.ask("squeue", "--noheader", "--states=all", *which, f"--Format={columns}")
        return [line.split() for line in listed.splitlines()]

    def states(self):
        return dict(map(str.split, self.ask("sinfo", "-h", "-N", "-o", "%N %T").splitlines()))

    def check_launches(self):
        """Raise an error if a job could not start, for which Snakemake would wait forever."""
        if "held" in self.ask("squeue", "--noheader", "--format=%r"):
            logs = (path.read_text()[-2000:] for path in (self.folder / "log").glob("slurmd-*.log"))
            raise RuntimeError(f"a job could not be started: {''.join(logs)}")

    def processes(self, place):
        """Return the ids of all processes in a namespace."""
        command = ("ip", "netns", "pids", f"{self.name}-{place}")
        done = run_program(*command, variables=self.environment)
        return [*map(int, done.stdout.split())]

    def cut_power(self, node):
        """Unplug a node, so that slurmctld gets no message, and then kill its processes."""
        self._ip(node, "link set cable down")
        self._end_all(node)

    def _write_files(self):
        for name in ("state", "spool", "log", "munge", "bin", *(f"spool/{node}" for node in NODES)):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        (self.folder / "munge").chmod(0o700)
        key = self.folder / "munge/key-file"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        host = socket.gethostname().split(".")[0]
        text = CONFIGURATION.format(folder=self.folder, host=host, control=CONTROL)
        text += "".join(NODE.format(*node, self.slots) for node in NODES.items())
        (self.folder / "slurm.conf").write_text(text)
        for command in COMMANDS:
            # The plugin clears SLURM_* from a job's environment, so commands set the configuration.
            wrapper = self.folder / "bin" / command
            sets = f"SLURM_CONF={self.folder}/slurm.conf"
            wrapper.write_text(f'#!/bin/sh\n{sets} exec /usr/bin/{command} "$@"\n')
            wrapper.chmod(0o755)

    def _connect(self):
        """Make a namespace for each machine, and a cable from each node to the central one."""
        for place in PLACES:
            _run("ip", "netns", "add", f"{self.name}-{place}")
            self._ip(place, "link set lo up")
        self._ip("control", f"address add {CONTROL}/32 dev lo")
        for node, address in NODES.items():
            gateway = address.rpartition(".")[0] + ".1"
            cable = f"type veth peer name cable netns {self.name}-{node}"
            self._ip("control", f"link add {node} {cable}")
            for place, device, its in (("control", node, gateway), (node, "cable", address)):
                self._ip(place, f"address add {its}/24 dev {device}")
                self._ip(place, f"link set {device} up")
            self._ip(node, f"route add default via {gateway}")

    def _start(self, before, daemon, *arguments):
        _run(*before, shutil.which(daemon, path=PATH), *arguments, environment=self.environment)

    def _end_all(self, place):
        while pids := self.processes(place):
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)

    def _ip(self, place, words):
        _run("ip", "-n", f"{self.name}-{place}", *words.split(), environment=self.environment)


def _run(*command, environment=()):
    """Run a command that must not fail."""
    done = run_program(*command, variables=environment)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
