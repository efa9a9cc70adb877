"""Compare algorithms from Python, in a few lines and with the same random numbers as in the workflow.

policies = {"UCB": "ucb", "DP-SE": ("dp_se", {"epsilon": 0.5})}
compare(bernoulli(means=[0.8, 0.7, 0.5]), T=100_000, runs=50, policies=policies).plot("compare.pdf")
"""

import io
import itertools
import multiprocessing
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import pandas as pd
from annotated_types import Ge
from matplotlib.figure import Figure as Drawing
from tqdm import tqdm

from dpbandits import environments, figures, parameters, simulation
from dpbandits.audit import accounts
from dpbandits.errors import InputError
from dpbandits.files import tables
from dpbandits.files.traces import Trace
from dpbandits.statistics.summaries import SUMMARY, summary_of
from dpbandits.studies import playable
from dpbandits.studies.guests import SYMBOLS
from dpbandits.studies.study import Design, Experiment, Figure, Panel, Policy, Series, checkpoints

Player = str | Callable | Sequence  # a name, a function, or a pair of one of these and a mapping of parameters
GROUPS = 25  # the most groups of runs for the median of means
CHECKPOINTS = {"first": 10, "log": 200, "linear": 200}


@dataclass(frozen=True)
class Bandit:
    """An environment: its kind (a module of dpbandits.environments) and settings, as in a paper file."""

    settings: Mapping[str, Any]


def bandit(kind: str, **settings: Any) -> Bandit:
    """An environment of any kind, with the settings that a paper file gives to it."""
    if not isinstance(kind, str):
        raise InputError(f"bandit: {kind!r} should be the name of a kind of environment, such as 'bernoulli'")
    try:
        playable.environment_of({"kind": kind, **settings})
    except InputError as error:
        raise InputError(f"{kind}: {error}") from None
    return Bandit({"kind": kind, **settings})


def bernoulli(*, means: Iterable[float], shuffled: bool = False) -> Bandit:
    """Arms that pay 1 with these probabilities, else 0; `shuffled`: in another order in every run."""
    given = [_plain(mean) for mean in means] if isinstance(means, Iterable) else means
    return bandit("bernoulli", means=given, shuffled=shuffled)


def _check_sizes(
    *,
    T: Annotated[int, Ge(2)],
    runs: Annotated[int, Ge(2)],
    seed: Annotated[int, Ge(0)],
    cores: Annotated[int, Ge(1)],
) -> None:
    """Only its annotations are used."""


def _plain(number: Any) -> Any:
    """A number of NumPy's as one of Python's."""
    return number.item() if isinstance(number, np.number) else number


def compare(
    on: Bandit,
    *,
    T: int,
    runs: int,
    policies: Mapping[str, Player] | Iterable[Player],
    seed: int = 1,
    at: Iterable[int] | None = None,
    cores: int | None = None,
    paper: str = "library",
    experiment: str = "compare",
) -> "Comparison":
    """Play `runs` games of T rounds with every policy, and summarise them.

    `policies`: label -> an algorithm's name, or a function with the signature of an algorithm's `play`; in a pair with
    a mapping of parameters if it has some. A parameter with a list of values stands for as many policies; without labels,
    a list of policies is labelled by names and values. A function's promise is its attribute `privacy`. `at`: the rounds to record; evenly spaced in t and ln t by default. `cores`:
    all by default; the numbers do not depend on it. A run's random numbers follow from (seed, paper, experiment,
    label, run): with those of a paper file, they are the workflow's.
    """
    if not isinstance(on, Bandit):
        raise InputError(f"compare: {on!r} is no environment; write bernoulli(means=[...]) or bandit(kind, ...)")
    cores = os.cpu_count() or 1 if cores is None else cores
    T, runs, seed, cores = map(_plain, (T, runs, seed, cores))
    parameters.check(_check_sizes, {"T": T, "runs": runs, "seed": seed, "cores": cores}, "compare")
    t = checkpoints(T, CHECKPOINTS) if at is None else _checked(at, T)
    players = _players(policies)
    made = tuple(_policy(label, *player, on, T, runs) for label, player in players.items())
    design = Design(T, runs, GROUPS, runs, t, "median_of_means")
    played = Experiment(experiment, paper, on.settings, made, design)
    parts = _simulated(played, seed, cores)
    return Comparison(summary_of(parts, GROUPS, order=list(played.series)), experiment=played)


def _checked(at: Iterable[int], T: int) -> tuple[int, ...]:
    rounds = tuple(at) if isinstance(at, Iterable) else (at,)
    whole = all(isinstance(t, int | np.integer) for t in rounds)
    if not rounds or not whole or any(b <= a for a, b in zip((0, *rounds), rounds, strict=False)) or rounds[-1] > T:
        raise InputError(f"compare: at: {list(rounds)[:8]} should be increasing whole numbers from 1 to T = {T}")
    return tuple(int(t) for t in rounds) if rounds[-1] == T else (*map(int, rounds), T)


def _players(policies: Any) -> dict[str, tuple[str | Callable, dict[str, Any]]]:
    """Label -> algorithm and parameters, each with one value."""
    one_pair = isinstance(policies, tuple) and len(policies) == 2 and isinstance(policies[1], Mapping)
    if isinstance(policies, str | Callable) or one_pair:
        policies = [policies]
    if not isinstance(policies, Iterable):
        raise InputError(
            f"compare: policies: {policies!r} should be a mapping from labels to algorithms, or a list of these"
        )
    labelled = policies.items() if isinstance(policies, Mapping) else [(None, what) for what in policies]
    players: dict[str, tuple[str | Callable, dict[str, Any]]] = {}
    for given_label, what in labelled:
        algorithm, given = _pair(what, given_label)
        own = algorithm if isinstance(algorithm, str) else getattr(algorithm, "__name__", "policy")
        varying = [name for name, value in given.items() if isinstance(value, list | tuple | np.ndarray)]
        for name in varying:
            if len(given[name]) == 0:
                raise InputError(f"compare: policies: {given_label or own}: {name}: the list of values is empty")
        for values in itertools.product(*(given[name] for name in varying)):
            one = {**given, **dict(zip(varying, values, strict=True))}
            shown = varying if given_label is not None else list(given)
            label = ", ".join([str(given_label or own), *(f"{SYMBOLS.get(n, n)} = {_word(one[n])}" for n in shown)])
            if label in players:
                raise InputError(
                    f"compare: policies: two are called '{label}'; write a mapping from labels to policies"
                )
            players[label] = algorithm, one
    if not players:
        raise InputError("compare: policies: none is given; name at least one algorithm")
    return players


def _word(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _pair(what: Any, label: str | None) -> tuple[str | Callable, Mapping[str, Any]]:
    """An algorithm and its parameters."""
    pair = tuple(what) if isinstance(what, tuple | list) else (what, {})
    if len(pair) != 2 or not isinstance(pair[0], str | Callable) or not isinstance(pair[1], Mapping):
        where = "compare: policies" + (f": {label}" if label else "")
        raise InputError(
            f"{where}: {what!r} should be the name of an algorithm, a function, or a pair of one of these and its parameters, "
            'such as ("dp_se", {"epsilon": 0.5})'
        )
    return pair


def _policy(label: str, algorithm: str | Callable, given: Mapping[str, Any], on: Bandit, T: int, runs: int) -> Policy:
    where = f"compare: policies: {label}"
    series = Series(label, label, algorithm, given, label, 0)
    environment = environments.make(on.settings)
    try:
        environment.check(T)
        playable.check_playable(series, on.settings["kind"], environment.number_of_arms, T)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return Policy(label, (series,), runs)


def _simulated(played: Experiment, seed: int, cores: int) -> list[Trace]:
    """One trace per policy; the runs of all policies are distributed over the cores."""
    runs = played.design.runs
    size = max(1, -(-runs // max(1, 4 * cores // len(played.policies))))
    blocks = [(p.id, n, min(n + size, runs) - 1) for p in played.policies for n in range(0, runs, size)]
    alone = cores == 1 or "fork" not in multiprocessing.get_all_start_methods()
    # A fork inherits what it plays, which need not be picklable: a function of yours may be within another one.
    begin = _WILL_PLAY.append, [(played, seed)]
    with nullcontext() if alone else ProcessPoolExecutor(cores, multiprocessing.get_context("fork"), *begin) as pool:
        curves = map(partial(_block, played, seed), blocks) if alone else pool.map(_block_of_fork, blocks)
        shown = tqdm(curves, total=len(blocks), unit="block", disable=None, leave=False, delay=1)  # on a terminal only
        found = dict(zip(blocks, shown, strict=True))
    t = np.array(played.design.checkpoints)
    return [
        Trace(played.spec(policy.id, seed), t, _joined([found[block] for block in blocks if block[0] == policy.id]))
        for policy in played.policies
    ]


def _block(played: Experiment, seed: int, block: tuple[str, int, int]) -> dict[str, np.ndarray]:
    """The curves of a policy in a block of runs."""
    policy, first, last = block
    return simulation.simulate(played.spec(policy, seed), first, last).values


_WILL_PLAY: list[tuple[Experiment, int]] = []  # in a fork


def _block_of_fork(block: tuple[str, int, int]) -> dict[str, np.ndarray]:
    return _block(*_WILL_PLAY[-1], block)


def _joined(parts: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([part[name] for part in parts], axis=1) for name in parts[0]}


class Comparison(pd.DataFrame):
    """The summary of a comparison, one row for each (policy, t), with two more methods: `plot` and `privacy`.

    A selection of rows or columns, or a copy, has the same methods, as far as it has what they need.
    """

    _metadata: ClassVar[list[str]] = ["experiment"]

    def __init__(self, *arguments: Any, experiment: Experiment | None = None, **options: Any):
        super().__init__(*arguments, **options)
        self.experiment = experiment

    @property
    def _constructor(self) -> type["Comparison"]:
        return Comparison

    def plot(self, file: str | Path | None = None, *, log: bool = True) -> Drawing:
        """Draw the curves, and return the figure, which a notebook shows; `file`: .pdf, .png or .svg, to write it into; `log`: on
        logarithmic axes."""
        if file is not None and Path(file).suffix[1:] not in figures.style.METADATA:
            raise InputError(f"plot: {file}: the name should end in one of .{', .'.join(figures.style.METADATA)}")
        played, scale = self._played("plot", SUMMARY), "log" if log else "linear"
        there = list(dict.fromkeys(self["policy"]))
        if unknown := [policy for policy in there if policy not in played.series]:
            raise InputError(f"plot: policy '{unknown[0]}' was not played; give labels to `compare`, which draws them")
        shown = [policy for policy in played.series if policy in there]
        if not shown:
            raise InputError("plot: there are no rows; select some policies and rounds")
        x, y = {"label": "time step t", "scale": scale}, {"label": "regret", "scale": scale}
        panel = Panel("", played.id, tuple(shown), x, y)
        figure = Figure(played.id, "curves", "", "", "", "", 1, (panel,))
        table = tables.Table({name: self[name].to_numpy() for name in self})
        files = [] if file is None else [file]
        drawing = figures.draw(figure, {played.id: played}, {played.id: table}, "default", files)
        drawing._repr_png_ = partial(_png_of, drawing)  # how a notebook asks for a picture
        return drawing

    def privacy(self) -> pd.DataFrame:
        """What each policy promises and what the ledger adds up."""
        of_a_paper = ["experiment", "reading", "label"]  # the same in every row, or as `policy`
        table = accounts.table([self._played("privacy", [])]).drop(columns=of_a_paper)
        return table[table["policy"].isin(set(self["policy"]))].reset_index(drop=True) if "policy" in self else table

    def _played(self, method: str, columns: Iterable[str]) -> Experiment:
        """What was played. InputError if this table has lost it, or these columns."""
        if self.experiment is None:
            raise InputError(
                f"{method}: this table is made of several comparisons, or of none; ask each result of `compare` itself, or "
                "compare all policies in one call"
            )
        if missing := [name for name in columns if name not in self]:
            raise InputError(f"{method}: the column '{missing[0]}' is missing; select rows, and keep all columns")
        return self.experiment


def _png_of(drawing: Drawing) -> bytes:
    content = io.BytesIO()
    drawing.savefig(content, format="png", dpi=100)
    return content.getvalue()
