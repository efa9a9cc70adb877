"""The seconds and megabytes that a simulate job requests, estimated from the sizes in the paper file.

    seconds   = 1.5 + runs x sum over the series of (0.0001 + nanoseconds of algorithm and environment / 10^9)
    megabytes = 300 + 16 bytes per round where the environment stores rounds + 3 x the trace

1.5 s and 300 MB are Python, its imports and the compiled kernels; 0.1 ms per run are its generators and its
checkpoints. An algorithm's module may say what its parts of a run cost on an idle core, `nanoseconds = {"round": 7}` in
the units of `nanoseconds` below, or have a function `nanoseconds(horizon, number_of_arms, **parameters)`; without either
50 ns per round are assumed, and 20 microseconds where nothing is compiled. The costs of a run outside the algorithm are
those of the environment (`Environment.nanoseconds`, and `bytes_per_round` for a table of gains in memory). The trace, two
curves per run, is in memory up to three times while it is written.

benchmarks/estimates.py prints the estimates beside measured times; a factor of three is good enough, and is also the
margin in the limits of a cluster's jobs. No result depends on them.
"""

import math
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from dpbandits import algorithms, simulation

START_SECONDS, START_MEGABYTES = 1.5, 300.0
RUN_NANOSECONDS = 100_000.0
DEFAULT_NANOSECONDS = 50.0  # per round: an index policy that computes the indices of all of 10 to 50 arms
UNCOMPILED_NANOSECONDS = 20_000.0  # per round: a policy in plain Python with a few calls of numpy
# Per job, on two cores at the smoke scale.
SUMMARY_SECONDS, FIGURE_SECONDS, CLAIMS_SECONDS = 0.8, 1.5, 4.0


def nanoseconds(algorithm: str, horizon: int, number_of_arms: int, parameters: Mapping[str, Any]) -> float:
    """Nanoseconds of one run: the algorithm's own estimate, or the default."""
    module = algorithms.find(algorithm)
    cost = getattr(module, "nanoseconds", None)
    if callable(cost):
        return float(cost(horizon, number_of_arms, **parameters))
    units = {
        "run": 1,
        "round": horizon,
        "arm": number_of_arms,
        "arm and round": number_of_arms * horizon,
        "episode": number_of_arms * horizon.bit_length(),  # where they double: at most log2 T per arm
    }
    default = DEFAULT_NANOSECONDS if is_compiled(module) else UNCOMPILED_NANOSECONDS
    return float(sum(units[unit] * each for unit, each in (cost or {"round": default}).items()))


def is_compiled(module: ModuleType) -> bool:
    """Whether an algorithm's module defines a kernel or uses one of another algorithm, such as a driver."""
    defined = (value for value in vars(module).values() if hasattr(value, "py_func"))
    return any(value.__module__ == module.__name__ or ".algorithms." in value.__module__ for value in defined)


def seconds_per_run(spec: Mapping[str, Any]) -> float:
    """Seconds of one run of every series of a policy."""
    horizon, environment = spec["horizon"], simulation.make_environment(spec["environment"])
    each = RUN_NANOSECONDS + environment.nanoseconds(horizon, spec["checkpoints"])
    played = [
        nanoseconds(entry["algorithm"], horizon, environment.number_of_arms, entry["parameters"])
        for entry in spec["series"].values()
    ]
    return (sum(played) + each * len(played)) * 1e-9


def seconds(spec: Mapping[str, Any], runs: int) -> float:
    """Seconds of a job with this number of runs."""
    return START_SECONDS + runs * seconds_per_run(spec)


def megabytes(spec: Mapping[str, Any], runs: int) -> float:
    """Megabytes of a job with this number of runs."""
    environment = simulation.make_environment(spec["environment"])
    table = environment.bytes_per_round * spec["horizon"]
    trace = 2 * 8 * len(spec["series"]) * runs * len(spec["checkpoints"])
    return START_MEGABYTES + (table + 3 * trace) / 1e6


def minutes_to_ask_for(spec: Mapping[str, Any], runs: int) -> int:
    """The time limit of a cluster job: three times the estimate, plus five minutes for a slow start and compilation."""
    return 5 + math.ceil(3 * seconds(spec, runs) / 60)


def megabytes_to_ask_for(spec: Mapping[str, Any], runs: int) -> int:
    """The memory limit of a cluster job: twice the estimate, in steps of 100 MB."""
    return 100 * math.ceil(2 * megabytes(spec, runs) / 100)


def runs_in(minutes: float, spec: Mapping[str, Any]) -> int:
    """The number of runs that take about this many minutes; at least one."""
    return max(1, int((60 * minutes - START_SECONDS) / max(seconds_per_run(spec), 1e-9)))
