"""Reads the runs that tests need from the traces of experiments, one trace at a time.

All traces of a paper together are larger than a laptop's memory, and nearly all of it is recorded for the Nash regret, which
is reduced to one number per run and checkpoint (`NashRuns`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dpbandits.errors import InputError, nearest
from dpbandits.files import Entry, Trace, read_blocks
from dpbandits.statistics.nash import NashRuns, nash_runs


class Request(NamedTuple):
    """A quantity of a series."""

    experiment: str
    series: str  # its id
    quantity: str
    nash: bool  # the Nash regret, computed from several quantities unless every run records its own


Recordings = dict[Request, np.ndarray | NashRuns]  # (run, checkpoint)
Read = Callable[[Sequence, Mapping], Trace]


def recordings(
    requests: Iterable[Request], entries: Mapping[str, Sequence[Entry]], read: Read = read_blocks
) -> Recordings:
    """What these requests ask for; `entries`: experiment -> its traces, each a specification, files and series."""
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
    found = nash_runs(trace.t, trace.values, i) if request.nash else None
    if found is not None:
        return found
    if request.quantity not in trace.values:
        known = nearest(request.quantity, trace.values)
        raise InputError(f"the runs of {request.series} have no quantity '{request.quantity}'; {known}")
    return trace.values[request.quantity][i].copy()
