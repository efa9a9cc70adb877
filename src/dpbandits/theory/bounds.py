"""Bounds by name: tests and figures in paper files refer to them by paper and theorem."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpbandits.theory import azize2022, mishra2015, tossou2016, tossou2017

PAPERS = (tossou2016, azize2022, mishra2015)
# Functions of the gaps (or the means), the round and the policy's parameters.
BOUNDS = {bound.__name__: bound for paper in PAPERS for bound in paper.BOUNDS}
# Functions of the horizon, the number of arms and the policy's parameters.
THEOREMS = {theorem.__name__: theorem for theorem in tossou2017.THEOREMS}
# The values of epsilon at which a bound changes its form, as functions of the means.
REGIMES = {regimes.__name__: regimes for regimes in azize2022.REGIMES}


def find(name: str) -> Callable[..., float]:
    """The bound of that name."""
    return BOUNDS[name]


def module_name(name: str) -> str:
    """Where a bound or regime is defined."""
    return (BOUNDS | REGIMES)[name].__module__


def required_parameters(name: str) -> set[str]:
    """The parameters of a policy that a bound needs."""
    parameters = inspect.signature(find(name)).parameters.values()
    return {p.name for p in parameters if p.default is p.empty} - {"gaps", "means", "t"}


def at(name: str, means: np.ndarray, t: int, parameters: Mapping[str, Any]) -> float:
    """The value of a bound, a function of the means or of the gaps, at round t for a policy's parameters."""
    known = inspect.signature(find(name)).parameters
    arms = means if "means" in known else means.max() - means
    return find(name)(arms, t, **{key: value for key, value in parameters.items() if key in known})
