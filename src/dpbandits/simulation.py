"""Simulate one block of runs of one policy in one experiment, and return its trace."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from dpbandits import __version__, algorithms
from dpbandits.environments import make as make_environment
from dpbandits.errors import InputError
from dpbandits.files.traces import Trace
from dpbandits.kernels.streams import stream
from dpbandits.parameters import as_numbers


def simulate(spec: Mapping[str, Any], first: int, last: int, seconds: dict[str, float] | None = None) -> Trace:
    """Simulate the runs first..last (from 0, inclusive) of every series; the processor time of each is added to
    `seconds`.

    `spec` is plain data: paper, experiment, policy, environment, horizon, checkpoints, seed, and `series`, a mapping
    from series ids to {algorithm, parameters, regret}: one series, or several if the policy is a sweep.
    """
    environment = make_environment(spec["environment"])
    t = np.array(spec["checkpoints"], dtype=np.int64)
    runs = range(first, last + 1)
    values: dict[str, np.ndarray] = {}
    took = dict.fromkeys(spec["series"], 0.0)
    plays = {series: _play_of(entry) for series, entry in spec["series"].items()}
    for run in runs:  # all series one after another: an environment may keep the game of a run for the next series
        for i, (series, play) in enumerate(plays.items()):
            start = time.process_time()
            name = (spec["paper"], spec["stream"])
            rng_of_environment = stream(spec["seed"], *name, "environment of", run)
            rng = stream(spec["seed"], *name, series, run)
            regret = spec["series"][series].get("regret", {})
            try:
                curves = environment.play_run(play, rng_of_environment, rng, spec["horizon"], t, regret)
            except InputError as error:
                algorithm = spec["series"][series]["algorithm"]
                where = series if callable(algorithm) else algorithms.file_of(algorithm)
                raise InputError(f"{where}: {error}") from None
            for quantity, curve in curves.items():
                if quantity not in values:
                    kind = curve.dtype if curve.dtype.itemsize < 8 else np.float64
                    values[quantity] = np.empty((len(spec["series"]), len(runs), len(curve)), kind)
                values[quantity][i, run - first] = curve
            took[series] += time.process_time() - start
    if seconds is not None:
        seconds.update({series: round(sum_of_runs, 3) for series, sum_of_runs in took.items()})
    header = {**spec, "series": dict(spec["series"]), "runs": [first, last], "version": __version__}
    del header["checkpoints"]
    return Trace(header, t, values)


def _play_of(entry: Mapping[str, Any]) -> Callable:
    """The algorithm of a series with its parameters."""
    algorithm = entry["algorithm"]
    play = algorithms.play_of(algorithm)
    return partial(play, **as_numbers(play, entry["parameters"]))
