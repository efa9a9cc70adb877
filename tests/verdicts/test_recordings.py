"""Runs are read one trace at a time, and only those that a claim needs."""

import weakref

import numpy as np
import pytest

from dpbandits.errors import InputError
from dpbandits.files.traces import Trace
from dpbandits.verdicts.recordings import Recordings, Request

T = np.array([10, 100, 1000])


def trace(series, **values):
    return Trace(
        {"series": {name: {} for name in series}}, T, {name: np.asarray(v, float) for name, v in values.items()}
    )


def request(series, quantity="regret", experiment="fig1", nash=False):
    return Request("A1", experiment, series, quantity, nash)


class Files:
    """Traces by name, and how often each was read."""

    def __init__(self, **traces):
        self.traces, self.read = traces, []

    def __call__(self, files, spec):
        (name,) = files
        assert spec == self.traces[name].header
        self.read.append(name)
        return self.traces[name]

    def entry(self, name):
        return self.traces[name].header, [name], list(self.traces[name].header["series"])


def test_a_trace_is_read_once_and_only_if_it_is_asked_for():
    """Trace x holds the series of two policies and is read for two experiments; nobody looks at z."""
    curves = np.arange(24).reshape(2, 4, 3)
    files = Files(x=trace("ab", regret=curves, comparator=-curves), y=trace("c", regret=curves[:1]), z=trace("d"))
    entries = {
        "fig1": [files.entry("x"), files.entry("y")],
        "fig2": [files.entry("x"), files.entry("z")],
    }
    a, b, b_again = request("a"), request("b", "comparator"), request("b", experiment="fig2")
    unread = request("d", experiment="fig2")
    found = Recordings(entries, [a, b, b_again, unread], files)
    assert files.read == []
    assert (found.of(b) == -curves[1]).all()
    assert (found.of(a) == curves[0]).all()
    assert (found.of(b_again) == curves[1]).all()
    assert files.read == ["x"]
    assert found.of(a).base is None  # a copy: a view would keep the whole trace alive


def test_runs_are_dropped_when_no_claim_needs_them():
    """Two claims need series a; after the second one only b is kept."""
    files = Files(x=trace("ab", regret=np.arange(24).reshape(2, 4, 3)))
    first, second, other = request("a"), request("a"), request("b")
    found = Recordings({"fig1": [files.entry("x")]}, [first, second, other], files)
    found.of(first)
    kept = weakref.ref(found.of(first))
    found.release([first])
    assert kept() is not None
    found.release([second])
    assert kept() is None
    assert (found.of(other) == np.arange(12, 24).reshape(4, 3)).all()
    assert files.read == ["x"]


def test_an_unknown_quantity_is_named_with_its_claim():
    files = Files(x=trace("a", regret=np.zeros((1, 4, 3))))
    asked = request("a", "regrett")
    with pytest.raises(InputError, match="claim A1: the runs of a have no quantity 'regrett'; did you mean 'regret'"):
        Recordings({"fig1": [files.entry("x")]}, [asked], files).of(asked)
