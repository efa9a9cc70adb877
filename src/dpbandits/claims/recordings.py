"""Reads the runs that claims need from traces, one trace at a time.

All traces of a paper together are larger than a laptop's memory, and nearly all of it is recorded for the Nash
regret. So a trace is read when a measure first needs one of its series; everything that any claim needs is extracted
at once, a Nash regret reduced to one number per run and checkpoint (`NashRuns`), and the rest is dropped. What no
other claim needs is dropped when a claim has been judged (`release`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpbandits.errors import InputError, nearest
from dpbandits.files import traces
from dpbandits.files.traces import Entry, Trace
from dpbandits.statistics.estimators import NashRuns, nash_runs
from dpbandits.studies.study import Experiment


@dataclass(frozen=True)
class Request:
    """A claim's request for a quantity of a series."""

    claim: str
    experiment: str
    series: str
    quantity: str
    nash: bool  # the Nash regret, computed from several quantities unless every run records its own


class Recordings:
    """The runs of experiments: read on demand, every trace once."""

    def __init__(
        self,
        entries: Mapping[str, Sequence[Entry]],
        requests: Iterable[Request],
        read: Callable[[Sequence, Mapping], Trace] = traces.read_blocks,
    ):
        self._read = read
        self._entry: dict[tuple[str, str], Entry] = {}  # (experiment, series) -> the entry that has it
        for experiment, listed in entries.items():
            for entry in listed:
                for series in entry[2]:
                    self._entry[experiment, series] = entry
        # Two readings of an experiment may share a trace, so requests are grouped by files.
        self._requests: dict[tuple, dict[tuple, Request]] = {}
        self._waiting: Counter[tuple] = Counter()  # (files, key) -> the number of claims that have yet to be judged
        for request in requests:
            files = self._files(request.experiment, request.series)
            self._requests.setdefault(files, {}).setdefault(_key(request), request)
            self._waiting[files, _key(request)] += 1
        self._found: dict[tuple, np.ndarray | NashRuns] = {}

    def of(self, request: Request) -> np.ndarray | NashRuns:
        """The runs, (run, checkpoint), of a series; the request is one of those given at construction."""
        files = self._files(request.experiment, request.series)
        if (files, _key(request)) not in self._found:
            trace = self._read(files, self._entry[request.experiment, request.series][0])
            for key, asked in self._requests[files].items():
                self._found[files, key] = _extract(trace, asked)
        return self._found[files, _key(request)]

    def release(self, requests: Iterable[Request]) -> None:
        """Drop the runs of a judged claim's requests unless another claim needs them."""
        for request in requests:
            place = self._files(request.experiment, request.series), _key(request)
            self._waiting[place] -= 1
            if not self._waiting[place]:
                self._requests[place[0]].pop(place[1])
                self._found.pop(place, None)

    def _files(self, experiment: str, series: str) -> tuple:
        return tuple(self._entry[experiment, series][1])


class LazyRuns(Mapping):
    """Series -> runs, read when one is asked for: a claim on privacy alone reads nothing."""

    def __init__(self, recordings: Recordings, requests: Iterable[Request]):
        self._recordings = recordings
        self._requests = {request.series: request for request in requests}
        self._found: dict[str, np.ndarray | NashRuns] = {}

    def __getitem__(self, series: str) -> np.ndarray | NashRuns:
        if series not in self._found:
            self._found[series] = self._recordings.of(self._requests[series])
        return self._found[series]

    def __iter__(self) -> Iterator[str]:
        return iter(self._requests)

    def __len__(self) -> int:
        return len(self._requests)


def _key(request: Request) -> tuple:
    return request.series, request.quantity, request.nash


def _extract(trace: Trace, request: Request) -> np.ndarray | NashRuns:
    """Copy one series out of a trace, so that the trace itself can be freed."""
    i = list(trace.header["series"]).index(request.series)
    found = nash_runs(trace.t, trace.values, i) if request.nash else None
    if found is not None:
        return found
    if request.quantity not in trace.values:
        known = nearest(request.quantity, trace.values)
        raise InputError(
            f"claim {request.claim}: the runs of {request.series} have no quantity '{request.quantity}'; {known}"
        )
    return trace.values[request.quantity][i].copy()


def series_in(experiment: Experiment, names: Iterable[str]) -> list[str]:
    """The series of these names, and all series of the policies of these names, in the order of the legend."""
    names = set(names)
    return [series.id for series in experiment.series.values() if series.id in names or series.policy in names]
