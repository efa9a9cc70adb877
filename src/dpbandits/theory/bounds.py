"""Bounds by name: tests and figures in paper files refer to them by paper and theorem."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpbandits.theory import azize2022, mishra2015, tossou2016, tossou2017


def _functions_of(*first: str) -> dict[str, Callable]:
    """The functions of the papers' modules whose first parameters are these."""
    return {
        name: function
        for paper in (tossou2016, azize2022, mishra2015, tossou2017)
        for name, function in inspect.getmembers(paper, inspect.isfunction)
        if function.__module__ == paper.__name__ and tuple(inspect.signature(function).parameters)[:2] == first
    }


# Functions of the gaps (or the means), the round and the policy's parameters.
BOUNDS = _functions_of("gaps", "t") | _functions_of("means", "t")
# Functions of the horizon, the number of arms and the policy's parameters.
THEOREMS = _functions_of("horizon", "number_of_arms")
# The values of epsilon at which a bound changes its form, as functions of the means.
REGIMES = {"azize2022_crossings": azize2022.azize2022_crossings}


def module_name(name: str) -> str:
    """Where a bound or regime is defined."""
    return (BOUNDS | REGIMES)[name].__module__


def required_parameters(name: str) -> set[str]:
    """The parameters of a policy that a bound needs."""
    parameters = inspect.signature(BOUNDS[name]).parameters.values()
    return {p.name for p in parameters if p.default is p.empty} - {"gaps", "means", "t"}


def at(name: str, means: np.ndarray, t: int, parameters: Mapping[str, Any]) -> float:
    """The value of a bound, a function of the means or of the gaps, at round t for a policy's parameters."""
    known = inspect.signature(BOUNDS[name]).parameters
    arms = means if "means" in known else means.max() - means
    return BOUNDS[name](arms, t, **{key: value for key, value in parameters.items() if key in known})
