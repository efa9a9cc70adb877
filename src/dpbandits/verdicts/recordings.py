"""Reads the runs that claims need from traces, one trace at a time.

All traces of a paper together are larger than a laptop's memory, and nearly all of it is recorded for the Nash
regret. So a trace is read when a claim first needs one of its series; everything that any claim needs is extracted
at once, a Nash regret reduced to one number per run and checkpoint (`NashRuns`), and the rest is dropped. What no
other claim needs is dropped when a claim has been judged (`release`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpbandits.errors import InputError, nearest
from dpbandits.files import traces
from dpbandits.files.traces import Entry, Trace
from dpbandits.statistics.nash import NashRuns, nash_runs
from dpbandits.studies.study import Experiment


@dataclass(frozen=True)
class Request:
    """A claim's request for a quantity of a series."""

    claim: str
    experiment: str
    series: str  # its id
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
        # (experiment, series) -> the specification and the files of the trace that has it
        self._trace = {
            (experiment, series): (spec, tuple(files))
            for experiment, listed in entries.items()
            for spec, files, names in listed
            for series in names
        }
        requests = list(requests)
        self._requests = {self._place(request): request for request in requests}
        self._waiting = Counter(map(self._place, requests))  # place -> the number of claims that have yet to be judged
        self._found: dict[tuple, np.ndarray | NashRuns] = {}

    def _place(self, request: Request) -> tuple:
        """The same for requests of the same runs, also if two readings share a series."""
        _, files = self._trace[request.experiment, request.series]
        return files, request.series, request.quantity, request.nash

    def of(self, request: Request) -> np.ndarray | NashRuns:
        """The runs, (run, checkpoint), of a series; the request is one of those given at construction."""
        spec, files = self._trace[request.experiment, request.series]
        if self._place(request) not in self._found:
            trace = self._read(files, spec)
            for place, asked in self._requests.items():
                if place[0] == files:
                    self._found[place] = _extract(trace, asked)
        return self._found[self._place(request)]

    def release(self, requests: Iterable[Request]) -> None:
        """Drop the runs of a judged claim's requests unless another claim needs them."""
        for place in map(self._place, requests):
            self._waiting[place] -= 1
            if not self._waiting[place]:
                del self._requests[place]
                self._found.pop(place, None)


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
    """The series of a reading of these names, and all of the policies of these names, in the order of the legend."""
    names = set(names)
    return [name for name, series in experiment.by_name.items() if name in names or series.policy in names]
