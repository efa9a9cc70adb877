"""Compare algorithms from Python, in a few lines and with the same random numbers as in the workflow.

policies = {"UCB": "ucb", "DP-SE": ("dp_se", {"epsilon": 0.5})}
compare(bernoulli(means=[0.8, 0.7, 0.5]), T=1e5, runs=50, policies=policies).plot("compare.pdf")
"""

import io
import math
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Drawing
from numba import NumbaError
from tqdm import tqdm

from dpbandits import bandits, figures, files, simulation
from dpbandits.audit import accounts
from dpbandits.errors import InputError, one_line, within
from dpbandits.plan.batches import batches
from dpbandits.statistics.summaries import summary_of
from dpbandits.studies import playable
from dpbandits.studies.experiment import Checkpoints, Design, Experiment, Policy, Series
from dpbandits.studies.model import Axis, Figure, Panel

Algorithm = str | Callable | tuple[str | Callable, Mapping[str, Any]]
GROUPS = 25  # the most groups of runs for the median of means
CHECKPOINTS = Checkpoints(first=10, log=200, linear=200)
PRIVACY = ["epsilon", "delta", "spent"]
FORMS = 'an algorithm, or a pair of it and its parameters: "ucb", or ("dp_se", {"epsilon": 0.5})'


def bandit(kind: str, **settings: Any) -> dict[str, Any]:
    """An environment of any kind (a module of dpbandits.bandits) and its settings, as in a paper file."""
    if not isinstance(kind, str):
        raise InputError(
            f"bandit: {kind!r} should be the name of a kind of environment, such as 'bernoulli'"
        )
    with within(kind):
        playable.environment_of({"kind": kind, **settings})
    return {"kind": kind, **settings}


def bernoulli(means: Iterable[float], *, shuffled: bool = False) -> dict[str, Any]:
    """Arms that pay 1 with these probabilities, else 0; `shuffled`: in another order in every run."""
    return bandit("bernoulli", means=np.asarray(means).tolist(), shuffled=shuffled)


@dataclass(frozen=True)
class Comparison:
    """What was played, and the summary of `quantity`, the regret, or of news logs the ratio of click rates."""

    experiment: Experiment
    quantity: str
    summary: pd.DataFrame

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each (policy, t): the summary, the mean's standard error, and what the policy promises and spends."""
        table = self.summary.assign(
            standard_error=self.summary["std"] / np.sqrt(self.summary["runs"])
        )
        return table.join(self.privacy().set_index("policy")[PRIVACY], on="policy")

    def plot(self, file: str | Path | None = None, *, log: bool = True) -> Drawing:
        """Draw the curves, and return the figure, for a notebook; `file`: .pdf, .png or .svg; `log`: axes are logarithmic."""
        if file is not None and Path(file).suffix[1:] not in figures.style.METADATA:
            raise InputError(
                f"plot: {file}: the name should end in one of .{', .'.join(figures.style.METADATA)}"
            )
        played, scale = self.experiment, "log" if log else "linear"
        x, y = (Axis(label, scale) for label in ("time step t", self.quantity.replace("_", " ")))
        panel = Panel(experiment=played.id, series=list(played.series), x=x, y=y)
        figure = Figure(name=played.id, caption="", columns=1, panels=[panel])
        files = [] if file is None else [file]
        drawing = figures.draw(
            figure, [figures.Part(panel, played, self.summary, "default", {})], files
        )
        drawing._repr_png_ = partial(_png_of, drawing)  # how a notebook asks for a picture
        return drawing

    def privacy(self) -> pd.DataFrame:
        """What each policy promises and to whom, and what the ledger adds up."""
        table = accounts.table([self.experiment]).drop(columns=["experiment", "reading", "label"])
        return table.astype(dict.fromkeys(PRIVACY, float))


def _png_of(drawing: Drawing) -> bytes:
    content = io.BytesIO()
    drawing.savefig(content, format="png", dpi=100)
    return content.getvalue()


def compare(
    on: Mapping[str, Any],
    *,
    T: float,
    runs: int,
    policies: Mapping[str, Algorithm],
    seed: int = 1,
    at: Iterable[int] | None = None,
    cores: int | None = None,
    paper: str = "library",
    experiment: str = "compare",
) -> Comparison:
    """Play `runs` games of T rounds with every policy on a `bandit`, and summarise them.

    `policies`: label -> an algorithm's name, or a function with the signature of an algorithm's `play`, whose promise is
    its attribute `privacy`; in a pair with its parameters if it has some. `at`: the rounds to record, besides T; evenly spaced in t
    and ln t by default. `cores`: all by default, for compiled loops; the numbers do not depend on it. A run's random numbers follow from
    (seed, paper, experiment, label, run): with those of a paper file, they are the workflow's.
    """
    if not isinstance(on, Mapping) or "kind" not in on:
        raise InputError(
            f"compare: {on!r} is no environment; write bernoulli(means=[...]) or bandit(kind, ...)"
        )
    if not isinstance(policies, Mapping) or not policies:
        raise InputError(
            f"compare: policies: {policies!r} should be a mapping from each label to {FORMS}"
        )
    on, T, runs, seed = (
        bandit(**on),
        _whole("T", T, 2),
        _whole("runs", runs, 2),
        _whole("seed", seed, 0),
    )
    cores = _whole("cores", os.cpu_count() or 1 if cores is None else cores)
    t = (
        CHECKPOINTS
        if at is None
        else Checkpoints(also=[_whole("at", each, 1, T) for each in np.ravel(at).tolist()])
    )
    played = {
        str(label): _policy(str(label), given, on, T, runs) for label, given in policies.items()
    }
    statistics = {"groups": GROUPS, "checkpoints": t, "statistic": "median_of_means"}
    design = Design(horizon=T, runs=runs, block=runs, **statistics)
    what = Experiment(id=experiment, paper=paper, environment=on, policies=played, design=design)
    (batch,) = batches(what, seed, block=math.ceil(runs / (4 * cores)), together=True)
    with ThreadPoolExecutor(
        cores
    ) as pool:  # kernels let other threads work; the bar is for terminals only
        done = tqdm(
            pool.map(lambda chunk: _play(batch.spec, *chunk), batch.chunks),
            total=len(batch.chunks),
            unit="chunk",
            disable=None,
            leave=False,
            delay=1,
        )
        trace = files.joined(done, batch.spec)
    quantity = next(iter(trace.values))
    return Comparison(what, quantity, summary_of([trace], GROUPS, quantity=quantity))


def _whole(name: str, number: Any, least: int = 1, most: int = 10**12) -> int:
    """A whole number, which may be a float, such as 1e4, or NumPy's."""
    if (
        not isinstance(number, int | float | np.number)
        or number % 1 != 0
        or not least <= number <= most
    ):
        raise InputError(
            f"compare: {name}: {number!r} should be a whole number from {least} to {most:g}"
        )
    return int(number)


def _policy(label: str, choice: Algorithm, on: Mapping[str, Any], T: int, runs: int) -> Policy:
    is_pair = isinstance(choice, tuple) and len(choice) == 2
    algorithm, values = choice if is_pair else (choice, {})
    if not isinstance(algorithm, str | Callable) or not isinstance(values, Mapping):
        raise InputError(f"compare: policies: {label}: {choice!r} should be {FORMS}")
    plain = {
        k: v.tolist() if isinstance(v, np.generic | np.ndarray) else v for k, v in values.items()
    }
    series, environment = Series(label, label, algorithm, plain, label, 0), bandits.make(on)
    with within(f"compare: policies: {label}"):
        environment.check(T)
        playable.check_playable(series, on["kind"], environment.number_of_arms, T)
    return Policy(id=label, label=label, series=(series,), runs=runs)


def _play(spec: Mapping[str, Any], first: int, last: int) -> files.Trace:
    try:
        return simulation.simulate(spec, first, last)
    except NumbaError as failure:  # whose own message has dozens of lines
        raise InputError(one_line(failure)) from None
