"""The seconds and megabytes that a simulate job requests, estimated from the rounds that it plays.

    seconds   = 1.5 + runs x series x (0.0001 + rounds x 20 ns; of a policy that plays in episodes 0.2 ns, in plain Python 20 us)
    megabytes = 500 + 3 x the trace

1.5 s and 500 MB are Python, its imports, the compiled kernels and the game of one run; 0.1 ms per run are its generators and
checkpoints. The trace, two curves per run, is in memory up to three times while it is written. Compiled policies take 2 to 100
ns a round. No result depends on the estimates: they say which policies share a job, and what a cluster is asked for.
"""

import math
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from dpbandits import algorithms
from dpbandits.environments.arms import pull_many

START_SECONDS, START_MEGABYTES = 1.5, 500.0
RUN_SECONDS = 0.0001
ROUND_SECONDS, ROUND_OF_EPISODE_SECONDS, UNCOMPILED_ROUND_SECONDS = 20e-9, 0.2e-9, 20e-6
# Per job, on two cores at the smoke scale.
SUMMARY_SECONDS, FIGURE_SECONDS, CLAIMS_SECONDS = 0.8, 1.5, 4.0


def is_compiled(module: ModuleType) -> bool:
    """Whether an algorithm's module defines a kernel, or a driver that it uses does."""
    return any(
        hasattr(value, "py_func") and value.__module__ == each.__name__
        for each in _with_drivers(module)
        for value in vars(each).values()
    )


def plays_in_episodes(module: ModuleType) -> bool:
    """Whether an algorithm's module, or a driver that it uses, draws the rewards of many rounds at once."""
    return any(value is pull_many for each in _with_drivers(module) for value in vars(each).values())


def _with_drivers(module: ModuleType) -> list[ModuleType]:
    """An algorithm's module, and the modules of other algorithms and of drivers from which it imports something."""
    names = {str(getattr(value, "__module__", "")) for value in vars(module).values()} - {module.__name__}
    return [module, *(sys.modules[name] for name in sorted(names) if ".algorithms." in name)]


def seconds_per_run(spec: Mapping[str, Any]) -> float:
    """Seconds of one run of every series of a policy."""
    played = [algorithms.find(entry["algorithm"]) for entry in spec["series"].values()]
    return sum(RUN_SECONDS + spec["horizon"] * _seconds_per_round(module) for module in played)


def _seconds_per_round(module: ModuleType) -> float:
    if not is_compiled(module):
        return UNCOMPILED_ROUND_SECONDS
    return ROUND_OF_EPISODE_SECONDS if plays_in_episodes(module) else ROUND_SECONDS


def seconds(spec: Mapping[str, Any], runs: int) -> float:
    """Seconds of a job with this number of runs."""
    return START_SECONDS + runs * seconds_per_run(spec)


def megabytes(spec: Mapping[str, Any], runs: int) -> float:
    """Megabytes of a job with this number of runs."""
    trace = 2 * 8 * len(spec["series"]) * runs * len(spec["checkpoints"])
    return START_MEGABYTES + 3 * trace / 1e6


def minutes_to_ask_for(spec: Mapping[str, Any], runs: int) -> int:
    """The time limit of a cluster job: three times the estimate, plus five minutes for a slow start and compilation."""
    return 5 + math.ceil(3 * seconds(spec, runs) / 60)


def megabytes_to_ask_for(spec: Mapping[str, Any], runs: int) -> int:
    """The memory limit of a cluster job: twice the estimate, in steps of 100 MB."""
    return 100 * math.ceil(2 * megabytes(spec, runs) / 100)


def runs_in(minutes: float, spec: Mapping[str, Any]) -> int:
    """The number of runs that take about this many minutes; at least one."""
    return max(1, int((60 * minutes - START_SECONDS) / seconds_per_run(spec)))
