"""From traces to the runs that claims speak of, one trace at a time.

All traces of a paper together are larger than a laptop's memory, and nearly all of it is what the Nash regret needs of
single runs. So a trace is read when a measure first asks for one of its series; whatever any claim will ask of it is
taken out at once, a Nash regret reduced to one number per run and checkpoint (`NashRuns`), and the rest is dropped.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits import traces
from dpbandits.errors import InputError, nearest
from dpbandits.estimators import NashRuns, nash_runs
from dpbandits.papers.expanded import Experiment
from dpbandits.traces import Trace

# What the blocks of a trace must be, their files, and which of its series are the experiment's.
Entry = tuple[Mapping[str, Any], Sequence[str | Path], Sequence[str]]


@dataclass(frozen=True)
class Request:
    """What a claim asks for: a quantity of a series."""

    claim: str
    experiment: str
    series: str
    quantity: str
    nash: bool  # the Nash regret, which is made of several quantities unless each run has one


class Recordings:
    """The runs of experiments: read on demand, every trace once."""

    def __init__(
        self,
        entries: Mapping[str, Sequence[Entry]],
        requests: Iterable[Request],
        read: Callable[[Sequence, Mapping], Trace] = traces.read_blocks,
    ):
        self._read = read
        self._entry: dict[tuple[str, str], Entry] = {}  # (experiment, series) -> where it is
        for experiment, listed in entries.items():
            for entry in listed:
                for series in entry[2]:
                    self._entry[experiment, series] = entry
        # Two readings of an experiment may share a trace: what counts is the files.
        self._asked: dict[tuple, dict[tuple, Request]] = {}
        for request in requests:
            files = self._files(request.experiment, request.series)
            self._asked.setdefault(files, {}).setdefault(_what(request), request)
        self._found: dict[tuple, np.ndarray | NashRuns] = {}

    def of(self, request: Request) -> np.ndarray | NashRuns:
        """The runs, (run, checkpoint), of a series; the request is one of those announced at the beginning."""
        files = self._files(request.experiment, request.series)
        if (files, _what(request)) not in self._found:
            trace = self._read(files, self._entry[request.experiment, request.series][0])
            for what, asked in self._asked[files].items():
                self._found[files, what] = _taken_out(trace, asked)
        return self._found[files, _what(request)]

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


def _what(request: Request) -> tuple:
    return request.series, request.quantity, request.nash


def _taken_out(trace: Trace, asked: Request) -> np.ndarray | NashRuns:
    """One series of a trace; a copy, so that the trace itself can go."""
    i = list(trace.header["series"]).index(asked.series)
    found = nash_runs(trace.t, trace.values, i) if asked.nash else None
    if found is not None:
        return found
    if asked.quantity not in trace.values:
        known = nearest(asked.quantity, trace.values)
        raise InputError(
            f"claim {asked.claim}: the runs of {asked.series} have no quantity '{asked.quantity}'; {known}"
        )
    return trace.values[asked.quantity][i].copy()


def series_in(experiment: Experiment, names: Iterable[str]) -> list[str]:
    """The series of these names, and all series of the policies of these names, in the order of the legend."""
    names = set(names)
    return [series.id for series in experiment.series.values() if series.id in names or series.policy in names]
