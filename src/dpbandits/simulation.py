"""Simulate policies on a bandit."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dpbandits import __version__
from dpbandits.bandit import Bandit
from dpbandits.errors import InputError
from dpbandits.files import Trace
from dpbandits.parameters import Natural, Recorded
from dpbandits.policy import Policy
from dpbandits.random import Stream, stream

OF_BANDIT = "environment of"  # the name of the bandit's stream, where a policy's has its own name


@dataclass(frozen=True)
class Checkpoints:
    """The rounds after which a run is recorded; the last round always is."""

    first: Recorded = 0
    """Number of rounds recorded at the beginning of a run."""
    log: Recorded = 0
    """Number of rounds evenly spaced in log t."""
    linear: Recorded = 0
    """Number of rounds evenly spaced in t."""
    least: Natural = 1
    """No round before this one is recorded."""
    also: Sequence[Natural] = ()
    """Further rounds."""

    def rounds(self, horizon: int) -> tuple[int, ...]:
        """The rounds of a game of this length."""
        chosen = {horizon, *range(1, self.first + 1), *self.also}
        chosen |= {
            round(math.exp(math.log(horizon) * i / self.log)) for i in range(1, self.log + 1)
        }
        chosen |= {round(horizon * i / self.linear) for i in range(1, self.linear + 1)}
        return tuple(sorted(t for t in chosen if min(self.least, horizon) <= t <= horizon))


@dataclass(frozen=True)
class Simulation:
    """Games of several policies on one bandit, whose numbers follow from names.

    The random numbers of a run follow from (seed, paper, instance, name of the series, run).

    Parameters
    ----------
    bandit : Bandit
        What is played. Run i is the same for all policies.
    policies : mapping of str to Policy
        The policies by the ids of their series.
    horizon : int
        The number of rounds of a game.
    checkpoints : sequence of int
        The rounds after which a run is recorded.
    seed : int
        The seed.
    paper, experiment, instance : str
        The names of the streams; `instance` is that of the experiment, or of another with the same
        numbers.
    name : str, optional
        The name of its traces.
    names : mapping of str to str, optional
        Names of series in the streams that are not their ids.
    regret : mapping, optional
        How the regret of a series is counted (`Bandit.curves`).

    Examples
    --------
    >>> from dpbandits import Bernoulli
    >>> from dpbandits.policies import UCB
    >>> simulation = Simulation(Bernoulli([0.9, 0.6]), {"UCB": UCB()}, 1000, (10, 1000))
    >>> simulation.run(0, 9).values["regret"].shape  # series, run, checkpoint
    (1, 10, 2)
    """

    bandit: Bandit
    policies: Mapping[str, Policy]
    horizon: int
    checkpoints: tuple[int, ...]
    seed: int = 1
    paper: str = "library"
    experiment: str = "compare"
    instance: str = ""
    name: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    regret: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def header(self) -> dict[str, Any]:
        """Everything that the runs depend on, as plain data."""
        series = {
            id: {
                "policy": type(policy).__name__,
                "parameters": policy.parameters,
                "name": self.names.get(id, id),
                "regret": dict(self.regret.get(id, {})),
            }
            for id, policy in self.policies.items()
        }
        return {
            "paper": self.paper,
            "experiment": self.experiment,
            "instance": self.instance or self.experiment,
            "name": self.name,
            "bandit": {"kind": type(self.bandit).__name__, **self.bandit.parameters},
            "horizon": self.horizon,
            "checkpoints": list(self.checkpoints),
            "series": series,
            "seed": self.seed,
        }

    def run(self, first: int, last: int, log: str | None = None) -> Trace:
        """Play the runs first..last, from 0, both included.

        The game of a run is drawn once, for all series.

        Parameters
        ----------
        first, last : int
            The runs.
        log : str, optional
            The file with the tables of a real news log.

        Raises
        ------
        InputError
            If a policy does not play its game to the end, or records other quantities.
        """
        bandit = replace(self.bandit, tables=str(log)) if log else self.bandit
        t = np.array(self.checkpoints, dtype=np.int64)
        values: dict[str, np.ndarray] = {}
        shape = len(self.policies), last + 1 - first
        for run in range(first, last + 1):
            game = bandit.draw_game(self._stream(run, OF_BANDIT), self.horizon)
            for i, (id, policy) in enumerate(self.policies.items()):
                name, regret = self.names.get(id, id), self.regret.get(id, {})
                # A series may have the name of the bandit's stream, too.
                parts = (OF_BANDIT, "series") if name == OF_BANDIT else (name,)
                rng = self._stream(run, *parts)
                try:  # the bandit begins a run, which the policy's `play` gets
                    curves = bandit.play_run(policy, game, rng, self.horizon, t, **regret)
                except InputError as error:
                    raise InputError(f"{type(policy).file()}: {error}") from None
                if not values:
                    values = {key: _room(curve, *shape) for key, curve in curves.items()}
                if curves.keys() != values.keys():
                    differing = ", ".join(sorted(curves.keys() ^ values.keys()))
                    raise InputError(f"{id}, run {run}: some series have no '{differing}'")
                for quantity, curve in curves.items():
                    values[quantity][i, run - first] = curve
        header = {key: value for key, value in self.header.items() if key != "checkpoints"}
        return Trace(header | {"runs": [first, last], "version": __version__}, t, values)

    def _stream(self, run: int, *name: str) -> Stream:
        return stream(self.seed, self.paper, self.instance or self.experiment, *name, run)


def _room(curve: np.ndarray, series: int, runs: int) -> np.ndarray:
    """Room for the curves of all runs; small integers, such as numbers of arms, stay small."""
    kind = curve.dtype if curve.dtype.itemsize < 8 else np.float64
    return np.empty((series, runs, len(curve)), kind)
