"""The input of measures: the runs of an experiment in one reading, read from its traces, curves of a statistic, and resamples."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from dpbandits import simulation
from dpbandits.compiled import kernel
from dpbandits.errors import InputError, nearest
from dpbandits.files import Entry, Trace, read_blocks
from dpbandits.statistics.estimators import mean, median, median_of_means, number_of_groups
from dpbandits.statistics.nash import NashRuns, nash_runs
from dpbandits.studies.study import NASH_REGRET, Experiment, Series
from dpbandits.verdicts.measurement import NotMeasured

Value = TypeVar("Value")
END = (-2, -1)  # two checkpoints, since numpy sums the rows of a single column in another order than those of several


@dataclass(frozen=True)
class Runs:
    """The runs of an experiment in one reading, all of them or a resample."""

    experiment: Experiment
    t: np.ndarray
    values: Mapping[str, np.ndarray | NashRuns]  # name of a series -> (run, checkpoint)
    statistic: str
    resample: Mapping[str, np.ndarray] = field(default_factory=dict)  # series -> indices of runs; all runs if absent
    cache: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)  # see `cached`

    @property
    def fewest(self) -> int:
        """The smallest number of runs of a series."""
        return min(map(len, self.values.values()))

    def cached(self, name: Hashable, compute: Callable[[], Value]) -> Value:
        """A value that is the same for all resamples, computed when it is first needed."""
        if name not in self.cache:
            self.cache[name] = compute()
        return self.cache[name]

    @property
    def smallest_gap(self) -> float:
        """The smallest difference of the best arm's mean and another one's."""
        gaps = self.cached("gaps", lambda: simulation.make_environment(self.experiment.environment).gaps)
        return float(gaps[gaps > 0].min())

    @property
    def means(self) -> np.ndarray:
        """mu_a of every arm."""
        return self.cached("means", lambda: np.array(self.experiment.environment["means"], dtype=float))

    def series(self, name: str) -> Series:
        """A series of the experiment: its algorithm and parameters."""
        return self.cached("series", lambda: self.experiment.by_name)[name]

    def series_of(self, names: Sequence[str]) -> list[str]:
        """The series of these names, and all series of the policies of these names, in the order of the legend."""
        return self.cached(("series of", *names), lambda: series_in(self.experiment, names))

    def runs_of(self, series: str) -> np.ndarray | NashRuns:
        """(run, checkpoint) of a series."""
        return self._chosen(series, self.values[series])

    def curve(self, series: str) -> np.ndarray:
        """The test's statistic of a series at every checkpoint."""
        return self._statistic_of(series, self.values[series])

    def at(self, series: str, checkpoints: tuple[int, int]) -> np.ndarray:
        """Two points of `curve`, bit for bit."""
        return self._statistic_of(series, self._runs_at(series, checkpoints))

    def final(self, series: str) -> np.float64:
        """The test's statistic of a series at T."""
        return self.at(series, END)[-1]

    def at_end(self, series: str) -> np.ndarray:
        """The runs of a series at T."""
        return self._chosen(series, self._runs_at(series, END))[:, -1]

    def finals(self, names: Sequence[str]) -> dict[str, float]:
        """The statistic at T of the series of these names, and of every series of the policies of these names."""
        return {series: float(self.final(series)) for series in self.series_of(names)}

    def resampled(self, rng: np.random.Generator) -> "Runs":
        """As many runs, drawn with replacement, independently for every series."""
        sample = replace(
            self, resample={name: rng.integers(0, len(runs), len(runs)) for name, runs in self.values.items()}
        )
        object.__setattr__(sample, "cache", self.cache)
        return sample

    def _chosen(self, series: str, runs: np.ndarray | NashRuns) -> np.ndarray | NashRuns:
        return runs[self.resample[series]] if series in self.resample else runs

    def _runs_at(self, series: str, checkpoints: tuple[int, int]) -> np.ndarray | NashRuns:
        def at_them() -> np.ndarray | NashRuns:
            runs, columns = self.values[series], [k % len(self.t) for k in checkpoints]
            if isinstance(runs, NashRuns):
                return NashRuns(runs.best, np.ascontiguousarray(runs.logs[:, columns]), runs.average[columns])
            return np.ascontiguousarray(runs[:, columns])

        return self.cached((series, checkpoints), at_them)

    def _statistic_of(self, series: str, runs: np.ndarray | NashRuns) -> np.ndarray:
        if series in self.resample and self.statistic == "mean" and not isinstance(runs, NashRuns):
            return resampled_mean(runs, self.resample[series])
        runs = self._chosen(series, runs)
        if isinstance(runs, NashRuns):
            return runs.curve()
        if self.statistic == "median_of_means":
            return median_of_means(runs, number_of_groups(len(runs), self.experiment.design.groups))
        return median(runs) if self.statistic == "median" else mean(runs)


def series_in(experiment: Experiment, names: Iterable[str]) -> list[str]:
    """The series of a reading of these names, and all of the policies of these names, in the order of the legend."""
    names = set(names)
    return [name for name, series in experiment.by_name.items() if name in names or series.policy in names]


@kernel
def resampled_mean(runs, chosen):
    """`estimators.mean` of a selection of the runs, bit for bit, without a copy of them: ten thousand runs are many."""
    first, total = runs[chosen[0]], np.zeros(runs.shape[1])
    for run in chosen:
        for k in range(total.size):
            total[k] += runs[run, k] - first[k]
    return first + total / chosen.size


def window(runs: Runs, since: int) -> np.ndarray:
    """The checkpoints from round `since` on; T alone is not measured."""
    window = runs.t >= since
    if not window[:-1].any():  # the last round alone is not what such a test is about
        raise NotMeasured(f"it speaks of rounds from t = {since} on, and this scale ends at t = {runs.t[-1]}")
    return window


# ---- from the traces, of which all of a paper together are larger than a laptop's memory


class Request(NamedTuple):
    """A quantity of a series."""

    experiment: str
    series: str  # its id
    quantity: str  # the Nash regret is computed from several, unless every run records its own


Recordings = dict[Request, np.ndarray | NashRuns]  # (run, checkpoint)
Read = Callable[[Sequence, Mapping], Trace]


def recordings(
    requests: Iterable[Request], entries: Mapping[str, Sequence[Entry]], read: Read = read_blocks
) -> Recordings:
    """What these requests ask for, one trace at a time; `entries`: experiment -> its traces, each a specification, files and series."""
    found: Recordings = {}
    requests = set(requests)
    for experiment in sorted({request.experiment for request in requests}):
        for spec, files, series in entries[experiment]:
            mine = [r for r in requests if r.experiment == experiment and r.series in series]
            trace = read(files, spec) if mine else None
            found |= {request: _extract(trace, request) for request in mine}
    return found


def _extract(trace: Trace, request: Request) -> np.ndarray | NashRuns:
    """Copy one series out of a trace, so that the trace itself can be freed."""
    i = list(trace.header["series"]).index(request.series)
    found = nash_runs(trace.t, trace.values, i) if request.quantity == NASH_REGRET else None
    if found is not None:
        return found
    if request.quantity not in trace.values:
        known = nearest(request.quantity, trace.values)
        raise InputError(f"the runs of {request.series} have no quantity '{request.quantity}'; {known}")
    return trace.values[request.quantity][i].copy()
