"""One module an algorithm, found by being there: `algorithm: ucb` in a paper file is `dpbandits.algorithms.ucb`.

A module defines

    play(rng, arms, horizon, journal, *, <parameters>)   one run, written into the journal; required
    privacy(horizon, number_of_arms, *, <parameters>)    -> Account: what is promised, what is spent; None if not private
    composition(horizon, number_of_arms, *, <parameters>)  -> {step: epsilon} that the source adds up; optional
    check(horizon, number_of_arms, *, <parameters>)      raises InputError where the parameters make no sense together
    nanoseconds(horizon, number_of_arms, **parameters)   what a run takes, roughly; 50 a round if absent (`dpbandits.costs`)

and its parameters are the keyword parameters of `play`, judged by their annotations (`dpbandits.parameters`).
"""

import importlib
from functools import cache
from pathlib import Path
from types import ModuleType

from dpbandits.errors import InputError, nearest


@cache
def known() -> list[str]:
    """Every algorithm that is there."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def find(name: str) -> ModuleType:
    """The module of an algorithm."""
    if name not in known():
        raise InputError(f"unknown algorithm '{name}'; {nearest(name, known())}")
    return importlib.import_module(f"dpbandits.algorithms.{name}")
