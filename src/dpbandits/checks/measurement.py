"""Runs and resamples for a measure, and its number with an error."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from dpbandits.bandits.nash_regret import NashRuns, nash_runs
from dpbandits.errors import InputError, nearest
from dpbandits.files import Entry, read_chunks
from dpbandits.statistics.estimators import (
    DECIDING_ERRORS,
    before_half,
    error_of_share,
    errors_needed,
    mean,
    means_of_resamples,
    median_of_means,
    number_of_groups,
)
from dpbandits.studies.claim import LARGE_IS_HARD
from dpbandits.studies.experiment import NASH_REGRET, Experiment

RESAMPLES = 200
POPULATIONS, FIGURES = 20, 50  # resamples of the runs; figures of as many runs as the paper drew
OFTEN = {"at_least": 0.05}  # a rarer figure contradicts what a paper says of its own
ONE_IN_TWENTY = 1.645  # deviations of a normal law, beyond which lies one number in twenty
ALL_RUNS = (slice(None),)
Quantities = Mapping[str, np.ndarray | NashRuns]  # of a series: name -> its runs


class NotMeasured(Exception):
    """A check has no number: games are too short, runs are too few, or it is not finite."""


@dataclass(frozen=True)
class Sampled:
    """The runs of a series, (run, checkpoint), and a statistic over them or over resamples."""

    values: np.ndarray
    statistic: Callable[[np.ndarray], np.ndarray]
    samples: Sequence[slice | np.ndarray] = ALL_RUNS

    @cached_property
    def curves(self) -> np.ndarray:
        """The statistic over each sample at every checkpoint."""
        if self.statistic is mean and self.samples is not ALL_RUNS:
            return means_of_resamples(self.values, self.samples)
        return np.array([self.statistic(self.values[chosen]) for chosen in self.samples])

    @cached_property
    def ends(self) -> np.ndarray:
        """The statistic over each sample at T alone, which is faster than `curves`.

        It is computed at two checkpoints, since numpy sums a single column in another order.
        """
        return replace(self, values=self.values[:, -2:]).curves[:, -1:]


@dataclass(frozen=True)
class Runs:
    """The runs of an experiment in one reading, all of them or one of their resamples."""

    experiment: Experiment
    t: np.ndarray
    of: Mapping[str, Sampled]  # name of a series -> its runs
    sample: int = 0

    @property
    def smallest_gap(self) -> float:
        """The smallest difference of the best arm's mean and another one's."""
        gaps = self.experiment.bandit.gaps
        return float(gaps[gaps > 0].min())

    def runs_of(self, series: str, checkpoints: int | slice | Sequence[int]) -> np.ndarray:
        """The runs of a series at a checkpoint, or (run, checkpoint) at several."""
        return self.of[series].values[:, checkpoints][self.of[series].samples[self.sample]]

    def curve(self, series: str, minus: str = "", first: int = 0) -> np.ndarray:
        """The statistic of a series from a checkpoint on, less that of another one (`minus`).

        `first`: the place of the checkpoint; -1 for T alone.
        """
        runs = self.of[series]
        curve = (runs.ends if first == -1 else runs.curves[:, first:])[self.sample]
        return curve - self.curve(minus, first=first) if minus else curve

    def final(self, series: str, minus: str = "") -> np.float64:
        """The statistic of a series at T, less that of another one (`minus`)."""
        return self.curve(series, minus, first=-1)[0]

    def first(self, since: float) -> int:
        """The first checkpoint from round `since` on; NotMeasured if there is none or T alone.

        From round 0 on, it is T alone.
        """
        if not since:
            return -1
        k = int(np.searchsorted(self.t, since))
        if k >= len(self.t) - 1:
            raise NotMeasured(
                f"it is about rounds from t = {since} on, and this scale ends at t = {self.t[-1]}"
            )
        return k

    def reach(self, until: float) -> None:
        """NotMeasured if the game ends before this round."""
        if self.t[-1] < until:
            says = f"rounds up to t = {until:g}, and this scale ends at t = {self.t[-1]}"
            raise NotMeasured(f"it is about {says}")

    @property
    def half(self) -> int:
        """The last checkpoint in the first half of the game; NotMeasured if there is none."""
        k = int(before_half(self.t, self.t[-1]))
        if k < 0:
            raise NotMeasured(f"this scale records nothing up to half of T = {self.t[-1]}")
        return k


def series_in(experiment: Experiment, names: Iterable[str]) -> list[str]:
    """The series with these names and all series of policies with these names, as in the legend."""
    names = set(names)
    return [
        name
        for name, series in experiment.by_name.items()
        if name in names or series.policy in names
    ]


def read_series(entries: Sequence[Entry], wanted: Collection[str]) -> dict[str, Quantities]:
    """Read these series: id -> its runs. The traces of a whole paper exceed a laptop's memory."""
    quantities = {}
    for spec, files in entries:
        if ids := [id for id in spec["series"] if id in wanted]:
            trace = read_chunks(files, spec, ids)
            for id, values in trace.by_series():
                nash = nash_runs(trace.t, values)
                # It replaces the quantities that it is computed from.
                quantities[id] = (
                    values if nash is None else {"regret": values["regret"], NASH_REGRET: nash}
                )
    return quantities


def sampled(values: Quantities, series: str, quantity: str, statistic: str, groups: int) -> Sampled:
    """A quantity of all runs of a series."""
    if quantity not in values:
        raise InputError(
            f"the runs of {series} have no quantity '{quantity}'; {nearest(quantity, values)}"
        )
    runs = values[quantity]
    if isinstance(runs, NashRuns):
        return Sampled(runs.shares, lambda shares: runs.regret(mean(shares)))
    grouped = partial(median_of_means, groups=number_of_groups(len(runs), groups))
    return Sampled(runs, grouped if statistic == "median_of_means" else mean)


class Measurement(NamedTuple):
    """A measured number."""

    value: float
    evidence: str  # where the number occurs
    error: float | None = None  # the standard error; None: by the bootstrap, or no error
    needed: float = DECIDING_ERRORS  # errors that decide; more if the error comes from few runs

    @property
    def spread(self) -> float:
        """The distance from a threshold that a verdict needs."""
        return self.needed * self.error if self.error else 0.0


def share_of(cases: np.ndarray, where: str) -> Measurement:
    """The share of independent cases that are true, with its error; `where` is the evidence."""
    share = np.mean(cases)
    return Measurement(share, where, error_of_share(share, len(cases)))


def finite(measure: Callable[[Any], Measurement], runs: Any) -> Measurement:
    """Measure these runs; NotMeasured if a logarithm, a ratio or the number is not finite.

    A measure needs no guard of its own if it takes logarithms with NumPy.
    """
    try:
        with np.errstate(divide="raise", invalid="raise"):
            measurement = measure(runs)
    except (FloatingPointError, ZeroDivisionError) as problem:
        raise NotMeasured(f"a logarithm or a ratio is not finite ({problem})") from None
    if not math.isfinite(measurement.value):
        raise NotMeasured(f"the number is {measurement.value:g}")
    return measurement


def with_error(
    measure: Callable[[Sequence[Runs]], Measurement],
    parts: Sequence[Runs],
    rng: np.random.Generator,
) -> Measurement:
    """Measure these runs, with the error of the bootstrap unless the measure gives one.

    The bootstrap needs no formula and respects the dependence between the rounds of a run. The
    error is infinite if the number cannot be measured, or is not finite, in one of the resamples.
    """
    whole = finite(measure, parts)
    if whole.error is not None:
        return whole
    numbers = [len(runs.values) for part in parts for runs in part.of.values()]
    # As many runs of every series, drawn independently.
    draws = [[rng.integers(0, n, n).astype(np.int32) for n in numbers] for _ in range(RESAMPLES)]
    try:
        values = _values(measure, parts, draws)
    except NotMeasured as reason:
        return whole._replace(
            evidence=f"{whole.evidence}; in a resample of the runs, {reason}", error=math.inf
        )
    error = float(np.std(values, ddof=1))
    # Resamples that differ only in their last bits agree.
    error = error if error > 1e-12 * abs(whole.value) else 0.0
    return whole._replace(error=error, needed=errors_needed(min(numbers)))


def _values(
    measure: Callable[[Sequence[Runs]], Measurement],
    parts: Sequence[Runs],
    draws: Sequence[Sequence[np.ndarray]],
) -> list[float]:
    """The numbers of several samples of the runs; a sample: which runs of each series."""
    samples = zip(*draws, strict=True)
    parts = [
        replace(
            part, of={name: replace(runs, samples=next(samples)) for name, runs in part.of.items()}
        )
        for part in parts
    ]
    return [
        finite(measure, [replace(part, sample=n) for part in parts]).value
        for n in range(len(draws))
    ]


def chance_of_figure(
    measure: Callable[[Sequence[Runs]], Measurement],
    parts: Sequence[Runs],
    drawn_runs: int,
    thresholds: Mapping[str, float],
    rng: np.random.Generator,
) -> Measurement:
    """The share of figures of `drawn_runs` of these runs that meet the thresholds.

    Figures are drawn from several resamples of the runs. What these differ by, beyond chance, is
    the error that comes from our number of runs. With fewer runs than two figures have, resamples
    resemble each other by chance. A share that is not OFTEN then has at least the error of 20
    figures, unless the nearest threshold is DECIDING_ERRORS beyond 19 of 20 of a normal law.
    """
    numbers = [len(runs.values) for part in parts for runs in part.of.values()]
    draws = []
    for _ in range(POPULATIONS):
        # Series with as many runs have the same ones, since runs may be pairs.
        populations = {n: rng.integers(0, n, n) for n in sorted(set(numbers))}
        for _ in range(FIGURES):
            drawn = {
                n: rng.choice(runs, drawn_runs, replace=False) for n, runs in populations.items()
            }
            draws.append([drawn[n] for n in numbers])
    values = np.array(_values(measure, parts, draws))
    # Curves that are equal contradict no sentence, so the thresholds themselves are allowed.
    looks = [
        values <= limit if relation in LARGE_IS_HARD else values >= limit
        for relation, limit in thresholds.items()
    ]
    shares = np.all(looks, axis=0).reshape(POPULATIONS, FIGURES).mean(axis=1)
    share, by_chance = shares.mean(), (shares * (1 - shares)).mean() / FIGURES
    error = math.sqrt(max(shares.var() - by_chance, 0) + by_chance / POPULATIONS)
    apart = min(abs(values.mean() - limit) for limit in thresholds.values())
    by_runs = values.reshape(POPULATIONS, FIGURES).mean(axis=1).std()
    is_near = apart < ONE_IN_TWENTY * values.std() + DECIDING_ERRORS * by_runs
    is_rare = share < OFTEN["at_least"]
    if is_rare and is_near and min(numbers) < 2 * drawn_runs:
        error = max(error, error_of_share(share, POPULATIONS))
    where = f"of figures of {drawn_runs} runs a share of {share:.3f} ± {error:.3f} looks like it"
    return Measurement(share, where, error)
