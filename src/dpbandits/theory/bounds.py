"""Bounds by name: tests and figures in paper files refer to them by paper and theorem."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpbandits.theory import azize2022, mishra2015, tossou2016, tossou2017

# Bounds are functions of the gaps or the means and the round, or, on whole games, of the horizon and the number of arms; and of the
# policy's parameters.
GIVEN = (("gaps", "t"), ("means", "t"), ("horizon", "number_of_arms"))
BOUNDS: dict[str, Callable[..., float]] = {
    name: function
    for paper in (tossou2016, azize2022, mishra2015, tossou2017)
    for name, function in inspect.getmembers(paper, inspect.isfunction)
    if function.__module__ == paper.__name__
    and tuple(inspect.signature(function).parameters)[:2] in GIVEN
}
# The values of epsilon at which a bound changes its form, as functions of the means.
REGIMES = {"azize2022_crossings": azize2022.azize2022_crossings}


def required_parameters(name: str) -> set[str]:
    """The parameters of a policy that a bound needs."""
    parameters = inspect.signature(BOUNDS[name]).parameters.values()
    return {p.name for p in parameters if p.default is p.empty}.difference(*GIVEN)


def at(name: str, environment: Mapping[str, Any], t: int, parameters: Mapping[str, Any]) -> float:
    """The value of a bound at round t, or on a whole game of t rounds, in an environment for a policy's parameters."""
    arguments = {**environment, **parameters, "t": t, "horizon": t}
    if "means" in environment:
        means = np.array(environment["means"], float)
        arguments |= {"means": means, "gaps": means.max() - means, "number_of_arms": len(means)}
    known = inspect.signature(BOUNDS[name]).parameters
    return BOUNDS[name](**{key: arguments[key] for key in known if key in arguments})
