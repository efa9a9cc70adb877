"""Runs are read one trace at a time, and only those that a test needs."""

import numpy as np
import pytest

from dpbandits.errors import InputError
from dpbandits.files import Trace
from dpbandits.verdicts.runs import Request, recordings

T = np.array([10, 100, 1000])
CURVES = np.arange(24.0).reshape(2, 4, 3)
TRACES = {
    "x": Trace({"series": {"a": {}, "b": {}}}, T, {"regret": CURVES, "comparator": -CURVES}),
    "y": Trace({"series": {"c": {}}}, T, {"regret": CURVES[:1]}),
}
ENTRIES = {"fig1": [(trace.header, [name], list(trace.header["series"])) for name, trace in TRACES.items()]}


def test_a_trace_is_read_once_and_only_if_it_is_asked_for():
    opened = []

    def read(files, spec):
        opened.append(*files)
        assert spec == TRACES[files[0]].header
        return TRACES[files[0]]

    a, b = Request("fig1", "a", "regret", False), Request("fig1", "b", "comparator", False)
    found = recordings([a, b, a], ENTRIES, read)
    assert opened == ["x"]
    assert (found[a] == CURVES[0]).all()
    assert (found[b] == -CURVES[1]).all()
    assert found[a].base is None  # a copy: a view would keep the whole trace alive


def test_an_unknown_quantity_is_named():
    with pytest.raises(InputError, match="the runs of a have no quantity 'regrett'; did you mean 'regret'"):
        recordings([Request("fig1", "a", "regrett", False)], ENTRIES, lambda files, _: TRACES[files[0]])
