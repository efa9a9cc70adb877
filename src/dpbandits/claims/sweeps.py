"""Predicates on the final regrets of a sweep, along its parameter."""

import itertools

from dpbandits.claims.runs import Measurement, Runs


def _along(runs: Runs, of: list[str], along: str, least: float, most: float) -> list[tuple[float, float]]:
    """(value, final regret) of a sweep's series whose parameter `along` is between two values, in its order."""
    pairs = [(runs.series(name).parameters[along], final) for name, final in runs.finals(of).items()]
    return sorted(pair for pair in pairs if least <= pair[0] <= most)


def range_along(runs: Runs, *, of: list[str], along: str, least: float, most: float) -> Measurement:
    """The largest final regret of a sweep between two values of its parameter, relative to the smallest."""
    (top, at_top), (low, at_low) = (
        extreme((final, value) for value, final in _along(runs, of, along, least, most)) for extreme in (max, min)
    )
    return top / low, f"{top:.5g} at {along} = {at_top:g}, {low:.5g} at {along} = {at_low:g}"


def smallest_rise_along(runs: Runs, *, of: list[str], along: str, least: float, most: float) -> Measurement:
    """The smallest ratio of final regrets at neighbouring values of a sweep's parameter: above 1, they increase."""
    pairs = _along(runs, of, along, least, most)
    ratios = [(b / a, f"from {along} = {x:g} to {y:g}") for (x, a), (y, b) in itertools.pairwise(pairs)]
    return min(ratios)
