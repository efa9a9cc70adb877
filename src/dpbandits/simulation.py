"""One block of runs of one policy in one experiment, from their names to a trace."""

import importlib
import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits import __version__, algorithms, environments
from dpbandits.errors import InputError, nearest
from dpbandits.provenance import fingerprint
from dpbandits.randomness import stream
from dpbandits.traces import Trace


def environment_maker(kind: str) -> Callable:
    """The function that makes a kind of environment: the one that its module is named after."""
    if kind not in _kinds():
        raise InputError(f"unknown kind of environment '{kind}'; {nearest(kind, _kinds())}")
    return getattr(importlib.import_module(f"dpbandits.environments.{kind}"), kind)


@cache
def _kinds() -> list[str]:
    folder = Path(environments.__file__).parent
    return [path.stem for path in folder.glob("*.py") if "journal" not in path.stem and path.stem[0] != "_"]


def make_environment(environment: Mapping[str, Any]) -> Any:
    """{kind: bernoulli, means: [0.9, 0.6]} -> the environment."""
    parameters = {key: value for key, value in environment.items() if key != "kind"}
    return environment_maker(environment["kind"])(**parameters)


def simulate(spec: Mapping[str, Any], first: int, last: int, seconds: dict[str, float] | None = None) -> Trace:
    """Runs first..last (from 0, both included) of every series; `seconds` is given the processor time of each.

    `spec` is plain data: paper, experiment, policy, environment, horizon, checkpoints, seed, and `series`, a mapping from
    series ids to {algorithm, parameters}: one series, or several if the policy is a sweep.
    """
    environment = make_environment(spec["environment"])
    host = getattr(environment, "host", partial(_one_game, environment))
    t = np.array(spec["checkpoints"], dtype=np.int64)
    runs = range(first, last + 1)
    values: dict[str, np.ndarray] = {}
    for i, (series, what) in enumerate(spec["series"].items()):
        play, start = algorithms.find(what["algorithm"]).play, time.process_time()
        for run in runs:
            name = (spec["paper"], spec["stream"])
            theirs = stream(spec["seed"], *name, "environment of", run)
            ours = stream(spec["seed"], *name, series, run)
            curves = host(partial(play, **what["parameters"]), theirs, ours, spec["horizon"], t)
            for quantity, curve in curves.items():
                if quantity not in values:
                    kind = curve.dtype if curve.dtype.itemsize < 8 else np.float64
                    values[quantity] = np.empty((len(spec["series"]), len(runs), len(curve)), kind)
                values[quantity][i, run - first] = curve
        if seconds is not None:
            seconds[series] = round(time.process_time() - start, 3)
    header = {**spec, "series": dict(spec["series"]), "runs": [first, last], "version": __version__}
    del header["checkpoints"]
    return Trace(header, t, values)


def _one_game(
    environment: Any,
    play: Callable,
    rng_of_environment: np.random.Generator,
    rng: np.random.Generator,
    horizon: int,
    t: np.ndarray,
) -> dict[str, np.ndarray]:
    """What a run is unless the environment is a host itself: one game, from its first round to the horizon."""
    world, journal = environment.begin(rng_of_environment, horizon, t)
    play(rng, world, horizon, journal)
    return journal.results()


def code_of(spec: Mapping[str, Any]) -> str:
    """Hash of the source code that a simulation of this specification runs."""
    used = {f"algorithms.{what['algorithm']}" for what in spec["series"].values()}
    return fingerprint("simulation", f"environments.{spec['environment']['kind']}", *used)
