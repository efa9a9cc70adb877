"""Bounds by name: tests and figures in paper files refer to them by paper and theorem."""

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpbandits.theory import (  # noqa: F401 - each module adds its bounds
    BOUNDS,
    azize2022,
    mishra2015,
    tossou2016,
    tossou2017,
)

OF_THE_GAME = {"gaps", "means", "t", "horizon", "number_of_arms"}  # not of a policy
# The values of epsilon at which a bound changes its form, as functions of the means.
REGIMES = {"azize2022_crossings": azize2022.azize2022_crossings}


def required_parameters(name: str) -> set[str]:
    """The parameters of a policy that a bound needs."""
    parameters = inspect.signature(BOUNDS[name]).parameters.values()
    return {p.name for p in parameters if p.default is p.empty} - OF_THE_GAME


def at(name: str, environment: Mapping[str, Any], t: int, parameters: Mapping[str, Any]) -> float:
    """The value of a bound at round t, or on a game of t rounds, for a policy's parameters."""
    arguments = {**environment, **parameters, "t": t, "horizon": t}
    if "means" in environment:
        means = np.array(environment["means"], float)
        arguments |= {"means": means, "gaps": means.max() - means, "number_of_arms": len(means)}
    known = inspect.signature(BOUNDS[name]).parameters
    return BOUNDS[name](**{key: arguments[key] for key in known if key in arguments})
