"""The input of measures: the runs of an experiment in one reading, or resamples of them, and a statistic over the runs."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from dpbandits import environments
from dpbandits.errors import InputError, nearest
from dpbandits.files import Entry, read_chunks
from dpbandits.statistics.estimators import mean, median_of_means, number_of_groups
from dpbandits.statistics.nash import NashRuns, nash_runs
from dpbandits.studies.experiment import NASH_REGRET, Experiment

ALL_RUNS = (slice(None),)
BLOCK = 2500  # runs whose sums are made at once, in little memory


Quantities = Mapping[str, np.ndarray | NashRuns]  # of a series: name -> its runs


class NotMeasured(Exception):
    """This scale's games are too short, or its runs too few, for a test."""


@dataclass(frozen=True)
class Sampled:
    """The runs of a series, (run, checkpoint), and a statistic over all of them, or over each of several resamples."""

    values: np.ndarray
    statistic: Callable[[np.ndarray], np.ndarray]
    samples: Sequence[slice | np.ndarray] = ALL_RUNS
    found: dict[tuple[int, ...], np.ndarray] = field(default_factory=dict, init=False)

    @cached_property
    def end(self) -> np.ndarray:
        """The runs at T."""
        return self.values[:, -1].copy()

    def at(self, *checkpoints: int) -> np.ndarray:
        """The statistic over each sample at these checkpoints, of which there are several, or else at all: equal, bit for bit.

        numpy sums the rows of a single column in another order than those of several.
        """
        if checkpoints not in self.found:
            chosen = np.take(self.values, checkpoints, axis=1) if checkpoints else self.values
            self.found[checkpoints] = self._statistics(chosen)
        return self.found[checkpoints]

    def _statistics(self, values: np.ndarray) -> np.ndarray:
        if self.statistic is not mean or self.samples is ALL_RUNS:
            return np.array([self.statistic(values[chosen]) for chosen in self.samples])
        times = np.empty((len(self.samples), len(values)), np.int32)  # how often each run occurs
        for n, chosen in enumerate(self.samples):
            times[n] = np.bincount(chosen, minlength=len(values))
        sums = np.zeros((values.shape[1], len(self.samples)))
        # `mean` of all resamples; a product of transposed matrices takes OpenBLAS less than half as long.
        for n in range(0, len(values), BLOCK):
            sums += (values[n : n + BLOCK] - values[0]).T @ times[:, n : n + BLOCK].T
        return values[0] + sums.T / len(values)


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
        gaps = environments.make(self.experiment.environment).gaps
        return float(gaps[gaps > 0].min())

    def runs_of(self, series: str, checkpoints: Sequence[int]) -> np.ndarray:
        """(run, checkpoint) of a series at these checkpoints."""
        return self.of[series].values[:, checkpoints][self.of[series].samples[self.sample]]

    def at_end(self, series: str) -> np.ndarray:
        """The runs of a series at T."""
        return self.of[series].end[self.of[series].samples[self.sample]]

    def curve(self, series: str) -> np.ndarray:
        """The test's statistic of a series at every checkpoint."""
        return self.of[series].at()[self.sample]

    def since(self, series: str, checkpoint: int) -> np.ndarray:
        """The test's statistic of a series at a checkpoint and at T, which takes less than its curve."""
        return self.of[series].at(checkpoint, -1)[self.sample]

    def final(self, series: str) -> np.float64:
        """The test's statistic of a series at T."""
        return self.since(series, 0)[1]

    def first(self, since: int) -> int:
        """The first checkpoint from round `since` on; NotMeasured if there is none or T alone."""
        k = int(np.searchsorted(self.t, since))
        if k >= len(self.t) - 1:
            raise NotMeasured(f"it speaks of rounds from t = {since} on, and this scale ends at t = {self.t[-1]}")
        return k

    def resampled(self, samples: Mapping[str, Sequence[np.ndarray]]) -> list["Runs"]:
        """The runs in each of these resamples, series -> the indices of its runs in each; its statistics are of all at once."""
        of = {name: replace(runs, samples=samples[name]) for name, runs in self.of.items()}
        return [replace(self, of=of, sample=n) for n in range(min(map(len, samples.values())))]


def series_in(experiment: Experiment, names: Iterable[str]) -> list[str]:
    """The series of a reading of these names, and all of the policies of these names, in the order of the legend."""
    names = set(names)
    return [name for name, series in experiment.by_name.items() if name in names or series.policy in names]


def read_series(entries: Sequence[Entry], wanted: Collection[str]) -> dict[str, Quantities]:
    """Each wanted series -> its runs. Only these are read: a paper's traces exceed a laptop's memory."""
    found = {}
    for spec, files, series in entries:
        if mine := [id for id in series if id in wanted]:
            trace = read_chunks(files, spec, mine)
            found |= {id: quantities(trace.t, values) for id, values in trace.by_series()}
    return found


def quantities(t: np.ndarray, values: Quantities) -> Quantities:
    """The quantities of a series; with the Nash regret in place of those that it is computed from."""
    nash = nash_runs(t, values)
    return values if nash is None else {"regret": values["regret"], NASH_REGRET: nash}


def sampled(values: Quantities, series: str, quantity: str, statistic: str, groups: int) -> Sampled:
    """A quantity of all runs of a series."""
    if quantity not in values:
        raise InputError(f"the runs of {series} have no quantity '{quantity}'; {nearest(quantity, values)}")
    runs = values[quantity]
    if isinstance(runs, NashRuns):
        return Sampled(runs.logs, runs.regret)
    grouped = partial(median_of_means, groups=number_of_groups(len(runs), groups))
    return Sampled(runs, grouped if statistic == "median_of_means" else mean)
