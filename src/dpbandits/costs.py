"""What a simulate job asks for, in seconds and megabytes, estimated from the sizes in the paper file.

    seconds   = 1.5 + runs x sum over the series of (0.0001 + nanoseconds of algorithm and environment / 10^9)
    megabytes = 300 + 16 bytes a round where the environment remembers rounds + 3 x the trace

1.5 s and 300 MB are Python, its imports and the compiled kernels; 0.1 ms a run are its generators and its checkpoints.
`nanoseconds` is an optional function of an algorithm's module, one run on a quiet core; a module without it is taken to
need 50 ns a round. An environment says what a run costs beside the algorithm (`Environment.nanoseconds`, and
`bytes_per_round` for a table of gains that is remembered). The trace, two curves a run, is in memory up to three times while it is written.

benchmarks/estimates.py prints the estimates beside measured times; a factor of three is good enough, and is also the room
that a cluster's limits leave. No result depends on them.
"""

import math
from collections.abc import Mapping
from typing import Any

from dpbandits import algorithms, simulation

START_SECONDS, START_MEGABYTES = 1.5, 300.0
RUN_NANOSECONDS = 100_000.0
DEFAULT_NANOSECONDS = 50.0  # a round: an index policy that looks at all of 10 to 50 arms
SECONDS_OF_OTHER_RULES = {  # for the time left only; measured on two cores at the smoke scale, a job each
    "draw": 1.5,
    "summarise": 0.8,
    "judge": 4.0,
    "account": 1.2,
    "tabulate": 2.5,
    "compare": 1.0,
    "verify": 1.0,
    "report": 3.0,
    "write_log": 2.0,
    "read_log": 300.0,
}


def nanoseconds(algorithm: str, horizon: int, number_of_arms: int, parameters: Mapping[str, Any]) -> float:
    """One run, by the algorithm's own account if it gives one."""
    module = algorithms.find(algorithm)
    if hasattr(module, "nanoseconds"):
        return float(module.nanoseconds(horizon, number_of_arms, **parameters))
    return DEFAULT_NANOSECONDS * horizon


def seconds_a_run(spec: Mapping[str, Any]) -> float:
    """One run of every series of a policy."""
    horizon, world = spec["horizon"], simulation.make_environment(spec["environment"])
    each = RUN_NANOSECONDS + world.nanoseconds(horizon, spec["checkpoints"])
    played = [
        nanoseconds(one["algorithm"], horizon, world.number_of_arms, one["parameters"])
        for one in spec["series"].values()
    ]
    return (sum(played) + each * len(played)) * 1e-9


def seconds(spec: Mapping[str, Any], runs: int) -> float:
    """A job that does that many runs."""
    return START_SECONDS + runs * seconds_a_run(spec)


def megabytes(spec: Mapping[str, Any], runs: int) -> float:
    """The memory of such a job."""
    world = simulation.make_environment(spec["environment"])
    remembered = world.bytes_per_round * spec["horizon"]
    trace = 2 * 8 * len(spec["series"]) * runs * len(spec["checkpoints"])
    return START_MEGABYTES + (remembered + 3 * trace) / 1e6


def minutes_to_ask_for(spec: Mapping[str, Any], runs: int) -> int:
    """A job's limit on a cluster: three times the estimate, and five minutes for a slow start and compiling."""
    return 5 + math.ceil(3 * seconds(spec, runs) / 60)


def megabytes_to_ask_for(spec: Mapping[str, Any], runs: int) -> int:
    """The same for memory: twice the estimate, in steps of 100 MB."""
    return 100 * math.ceil(2 * megabytes(spec, runs) / 100)


def runs_in(minutes: float, spec: Mapping[str, Any]) -> int:
    """How many runs take about that many minutes; at least one."""
    return max(1, int((60 * minutes - START_SECONDS) / max(seconds_a_run(spec), 1e-9)))
