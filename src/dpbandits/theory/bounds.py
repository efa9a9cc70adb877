"""Bounds by name: tests and figures in paper files refer to them by paper and theorem."""

import inspect
from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np

from dpbandits import theory
from dpbandits.theory import BOUNDS, REGIMES  # noqa: F401

OF_THE_GAME = {"gaps", "means", "t", "horizon", "number_of_arms"}  # not of a policy
MODULES = tuple(f"{theory.__name__}.{module.name}" for module in iter_modules(theory.__path__))
for each in MODULES:  # which adds its bounds
    import_module(each)


def required_parameters(name: str) -> set[str]:
    """The parameters of a policy that a bound needs."""
    parameters = inspect.signature(BOUNDS[name]).parameters.values()
    return {each.name for each in parameters if each.default is each.empty} - OF_THE_GAME


def at(name: str, environment: Mapping[str, Any], t: int, parameters: Mapping[str, Any]) -> float:
    """The value of a bound at round t, or on a game of t rounds, for a policy's parameters."""
    arguments = {**environment, **parameters, "t": t, "horizon": t}
    if "means" in environment:
        means = np.array(environment["means"], float)
        arguments |= {"means": means, "gaps": means.max() - means, "number_of_arms": len(means)}
    known = inspect.signature(BOUNDS[name]).parameters
    return BOUNDS[name](**{key: arguments[key] for key in known if key in arguments})
