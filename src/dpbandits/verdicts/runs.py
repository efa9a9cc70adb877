"""The input of measures: the runs of an experiment in one reading, from its traces, curves of a statistic over them, and resamples."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dpbandits import environments
from dpbandits.errors import InputError, nearest
from dpbandits.files import Entry, Trace, read_chunks
from dpbandits.statistics.estimators import mean, median_of_means, number_of_groups
from dpbandits.statistics.nash import NashRuns, nash_runs
from dpbandits.studies.study import NASH_REGRET, Experiment, Series
from dpbandits.verdicts.measurement import NotMeasured

# Two checkpoints, since numpy sums the rows of a single column in another order than those of several.
LAST = slice(-2, None)


@dataclass(frozen=True)
class Runs:
    """The runs of an experiment in one reading, all of them or a resample."""

    experiment: Experiment
    t: np.ndarray
    values: Mapping[str, np.ndarray | NashRuns]  # name of a series -> (run, checkpoint)
    statistic: str
    samples: Sequence[Mapping[str, np.ndarray]] = ()  # all resamples: series -> indices of runs
    sample: int | None = None  # which of them; all runs if None
    shared: dict[Hashable, np.ndarray | NashRuns] = field(default_factory=dict, repr=False)  # by all resamples

    @property
    def fewest(self) -> int:
        """The smallest number of runs of a series."""
        return min(map(len, self.values.values()))

    @property
    def smallest_gap(self) -> float:
        """The smallest difference of the best arm's mean and another one's."""
        gaps = environments.make(self.experiment.environment).gaps
        return float(gaps[gaps > 0].min())

    def series(self, name: str) -> Series:
        """A series of the experiment: its algorithm and parameters."""
        return self.experiment.by_name[name]

    def series_of(self, names: Iterable[str]) -> list[str]:
        """The series of these names, and all series of the policies of these names, in the order of the legend."""
        return series_in(self.experiment, names)

    def runs_of(self, series: str) -> np.ndarray | NashRuns:
        """(run, checkpoint) of a series."""
        return self._chosen(series, self.values[series])

    def at_end(self, series: str) -> np.ndarray:
        """The runs of a series at T."""
        return self._chosen(series, self._end_of(series))[:, -1]

    def curve(self, series: str) -> np.ndarray:
        """The test's statistic of a series at every checkpoint."""
        return self._statistic_of(series, self.values[series])

    def final(self, series: str) -> np.float64:
        """The test's statistic of a series at T: the last of its curve, bit for bit."""
        return self._statistic_of(series, self._end_of(series))[-1]

    def finals(self, names: Iterable[str]) -> dict[str, float]:
        """The statistic at T of the series of these names, and of every series of the policies of these names."""
        return {series: float(self.final(series)) for series in self.series_of(names)}

    def draw(self, rng: np.random.Generator) -> dict[str, np.ndarray]:
        """A resample: as many runs, drawn with replacement, independently for every series."""
        return {name: rng.integers(0, len(runs), len(runs)).astype(np.int32) for name, runs in self.values.items()}

    def resampled(self, samples: Sequence[Mapping[str, np.ndarray]]) -> list["Runs"]:
        """The runs in each of these resamples."""
        whole = replace(self, samples=samples, shared=dict(self.shared))
        return [replace(whole, sample=n) for n in range(len(samples))]

    def _chosen(self, series: str, runs: np.ndarray | NashRuns) -> np.ndarray | NashRuns:
        return runs if self.sample is None else runs[self.samples[self.sample][series]]

    def _end_of(self, series: str) -> np.ndarray | NashRuns:
        if series not in self.shared:
            runs = self.values[series]
            if isinstance(runs, NashRuns):
                end = NashRuns(runs.best, np.ascontiguousarray(runs.logs[:, LAST]), runs.average[LAST])
            else:
                end = np.ascontiguousarray(runs[:, LAST])
            self.shared[series] = end
        return self.shared[series]

    def _statistic_of(self, series: str, runs: np.ndarray | NashRuns) -> np.ndarray:
        if self.sample is not None and self.statistic == "mean" and not isinstance(runs, NashRuns):
            key = series, runs.shape
            if key not in self.shared:
                self.shared[key] = resampled_means(runs, [sample[series] for sample in self.samples])
            return self.shared[key][self.sample]
        runs = self._chosen(series, runs)
        if isinstance(runs, NashRuns):
            return runs.curve()
        if self.statistic == "median_of_means":
            return median_of_means(runs, number_of_groups(len(runs), self.experiment.design.groups))
        return np.median(runs, axis=0) if self.statistic == "median" else mean(runs)


def series_in(experiment: Experiment, names: Iterable[str]) -> list[str]:
    """The series of a reading of these names, and all of the policies of these names, in the order of the legend."""
    names = set(names)
    return [name for name, series in experiment.by_name.items() if name in names or series.policy in names]


def resampled_means(runs: np.ndarray, samples: Sequence[np.ndarray]) -> np.ndarray:
    """`estimators.mean` of every resample, in one pass over the runs: ten thousand of them are many."""
    times = np.empty((len(samples), len(runs)))  # how often each run occurs
    for n, chosen in enumerate(samples):
        times[n] = np.bincount(chosen, minlength=len(runs))
    return runs[0] + times @ (runs - runs[0]) / len(runs)


def window(runs: Runs, since: int) -> np.ndarray:
    """The checkpoints from round `since` on; T alone is not measured."""
    later = runs.t >= since
    if not later[:-1].any():  # the last round alone is not what such a test is about
        raise NotMeasured(f"it speaks of rounds from t = {since} on, and this scale ends at t = {runs.t[-1]}")
    return later


def read_series(entries: Sequence[Entry], wanted: Collection[str]) -> dict[str, Trace]:
    """Id of each wanted series -> the trace that has its runs; those of a whole paper are larger than a laptop's memory."""
    found = {}
    for spec, files, series in entries:
        if mine := [id for id in series if id in wanted]:
            found |= dict.fromkeys(mine, read_chunks(files, spec, mine))
    return found


def quantity_of(trace: Trace, series: str, quantity: str) -> np.ndarray | NashRuns:
    """(run, checkpoint) of a series; the Nash regret is computed from several quantities, unless every run records its own."""
    i = list(trace.header["series"]).index(series)
    if quantity == NASH_REGRET and (found := nash_runs(trace.t, trace.values, i)) is not None:
        return found
    if quantity not in trace.values:
        raise InputError(f"the runs of {series} have no quantity '{quantity}'; {nearest(quantity, trace.values)}")
    return trace.values[quantity][i]
