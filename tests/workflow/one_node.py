"""A real Slurm on this machine: munged, slurmctld and slurmd on the loopback interface, in a folder of their own."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from project import HANGS

DAEMONS = ("munged", "slurmctld", "slurmd")
COMMANDS = ("srun", "squeue", "sacct", "scancel", "scontrol", "sbatch", "sinfo")

# cons_tres shares the node between jobs by core and memory, as clusters do; MinJobAge keeps an ended job visible to squeue,
# which is what there is without an accounting data base. config_overrides: the node has more slots than the machine cores.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={other_port}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.log
SlurmdParameters=config_overrides
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
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=6000 State=UNKNOWN
PartitionName=debug Nodes={host} Default=YES MaxTime=60 State=UP
"""


def why_not() -> str:
    """What is missing for it, or nothing."""
    missing = [name for name in (*DAEMONS, "sbatch") if not shutil.which(name, path=_path())]
    if missing:
        return f"{', '.join(missing)} not installed: apt-get install slurm-wlm munge"
    return "" if os.getuid() == 0 else "starting Slurm's daemons needs root"


class Cluster:
    """Use as `with Cluster(folder) as cluster`; it stops what it started, by their process ids."""

    def __init__(self, folder: Path):
        self.folder = folder

    def __enter__(self) -> "Cluster":
        for name in ("state", "spool", "log", "munge", "bin"):
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        (self.folder / "munge").chmod(0o700)
        key = self.folder / "munge/key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        host = socket.gethostname().split(".")[0]
        ports = {"port": _free_port(), "other_port": _free_port()}
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(folder=self.folder, host=host, **ports))
        for command in COMMANDS:
            # The plugin clears SLURM_* from a job's environment, so each command brings the configuration along.
            wrapper = self.folder / "bin" / command
            wrapper.write_text(f'#!/bin/sh\nSLURM_CONF={self.folder}/slurm.conf exec /usr/bin/{command} "$@"\n')
            wrapper.chmod(0o755)
        try:
            munge = [f"--{name}={self.folder}/munge/{name.removesuffix('-file')}" for name in ("key-file", "seed-file")]
            pid = f"--pid-file={self.folder}/munged.pid"
            log = f"--log-file={self.folder}/log/munged.log"
            self._start("munged", "--force", f"--socket={self.folder}/munge/socket", *munge, pid, log)
            self._start("slurmctld", "-f", self.folder / "slurm.conf")
            self._start("slurmd", "-f", self.folder / "slurm.conf", "-N", host)
            self._wait_until_idle()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to find this cluster and no other."""
        return {**os.environ, "PATH": f"{self.folder}/bin:{_path()}", "SLURM_CONF": f"{self.folder}/slurm.conf"}

    def ask(self, *command: str) -> str:
        """What a Slurm command prints."""
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=HANGS
        ).stdout.strip()

    def pids(self) -> dict[str, int]:
        """The daemons that left a pid file."""
        files = {daemon: self.folder / f"{daemon}.pid" for daemon in DAEMONS}
        return {daemon: int(file.read_text()) for daemon, file in files.items() if file.exists()}

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

    def _start(self, daemon: str, *arguments) -> None:
        done = subprocess.run(
            [shutil.which(daemon, path=_path()), *map(str, arguments)],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=HANGS,
        )
        if done.returncode:
            raise RuntimeError(f"{daemon}: {done.stderr}")

    def _wait_until_idle(self) -> None:
        end = time.monotonic() + HANGS
        while time.monotonic() < end:
            if "idle" in self.ask("sinfo", "-h", "-o", "%T"):
                return
            time.sleep(0.5)
        raise RuntimeError("the node never became idle: " + (self.folder / "log/slurmd.log").read_text()[-2000:])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _path() -> str:
    return os.environ["PATH"] + ":/usr/sbin:/sbin"
