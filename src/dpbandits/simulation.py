"""Simulate one chunk of the runs of a batch of policies in one experiment, and return its trace."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits import __version__, bandits, policies
from dpbandits.errors import InputError
from dpbandits.files import Trace
from dpbandits.parameters import as_numbers
from dpbandits.random import Stream, stream


def simulate(
    spec: Mapping[str, Any], first: int, last: int, log: str | Path | None = None
) -> Trace:
    """Simulate the runs first..last (from 0, inclusive) of every series.

    `spec` is plain data: paper, experiment, policy, environment, horizon, checkpoints, seed, `stream` (the experiment by whose
    name the random numbers are drawn), and `series`, a mapping from series ids to {name, algorithm, parameters, regret} (`regret`: how its authors counted it).
    """
    settings = spec["environment"]
    environment = bandits.make({**settings, "tables": str(log)} if log else settings)
    t = np.array(spec["checkpoints"], dtype=np.int64)
    name, runs = (spec["seed"], spec["paper"], spec["stream"]), range(first, last + 1)
    plays = [_play_of(entry) for entry in spec["series"].values()]
    values: dict[str, np.ndarray] = {}
    for run in runs:  # all series one after another: an environment may keep the game of a run for the next series
        words = stream(*name, "environment of", run).words
        for i, (series, entry) in enumerate(spec["series"].items()):
            rng = stream(*name, entry.get("name", series), run)
            arguments = Stream(words.copy()), rng, spec["horizon"], t, entry.get("regret", {})
            try:
                curves = environment.play_run(plays[i], *arguments)
            except InputError as error:
                algorithm = entry["algorithm"]
                who = series if callable(algorithm) else policies.file_of(algorithm)
                raise InputError(f"{who}: {error}") from None
            for quantity, curve in curves.items():
                if quantity not in values:
                    kind = (
                        curve.dtype if curve.dtype.itemsize < 8 else np.float64
                    )  # numbers of arms stay small
                    values[quantity] = np.empty((len(plays), len(runs), len(curve)), kind)
                values[quantity][i, run - first] = curve
    header = {**spec, "series": dict(spec["series"]), "runs": [first, last], "version": __version__}
    del header["checkpoints"]
    return Trace(header, t, values)


def _play_of(entry: Mapping[str, Any]) -> Callable:
    """The algorithm of a series with its parameters."""
    play = policies.play_of(entry["algorithm"])
    return partial(play, **as_numbers(play, entry["parameters"]))
