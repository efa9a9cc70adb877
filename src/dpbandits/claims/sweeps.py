"""Measures on final regrets along a parameter: of a sweep's series, or of experiments that differ in it."""

import itertools
import math

import numpy as np

from dpbandits.claims.curves import Extreme
from dpbandits.claims.runs import Measurement, Runs, Together, compares_experiments


def _along(
    runs: Runs, of: list[str], along: str, least: float = -math.inf, most: float = math.inf
) -> list[tuple[float, float]]:
    """(value, final regret) of the series whose parameter `along` is between two values, in its order."""
    pairs = [(runs.series(name).parameters[along], final) for name, final in runs.finals(of).items()]
    return sorted(pair for pair in pairs if least <= pair[0] <= most)


def rise(
    runs: Runs,
    *,
    of: list[str],
    along: str,
    least: float = -math.inf,
    most: float = math.inf,
    take: Extreme,
) -> Measurement:
    """The largest, or smallest, ratio of final regrets at neighbouring values of a parameter, between two of its values."""
    pairs = itertools.pairwise(_along(runs, of, along, least, most))
    ratios = [(b / a, f"from {along} = {x:g} to {y:g}") for (x, a), (y, b) in pairs]
    return max(ratios) if take == "max" else min(ratios)


def middle_ratio(runs: Runs, *, of: list[str], to: str) -> Measurement:
    """The median, over the series of a sweep, of the ratio of their final regrets to that of another series."""
    reference = float(runs.final(to))
    ratios = {name: final / reference for name, final in runs.finals(of).items()}
    return float(np.median([*ratios.values()])), f"over {to}: " + ", ".join(
        f"{name} {r:.3g}" for name, r in ratios.items()
    )


def range_along(runs: Runs, *, of: list[str], along: str, least: float, most: float) -> Measurement:
    """The largest final regret of a sweep between two values of its parameter, relative to the smallest."""
    (top, at_top), (low, at_low) = (
        extreme((final, value) for value, final in _along(runs, of, along, least, most)) for extreme in (max, min)
    )
    return top / low, f"{top:.5g} at {along} = {at_top:g}, {low:.5g} at {along} = {at_low:g}"


def exponent_along(
    runs: Runs, *, of: list[str], along: str, least: float = -math.inf, most: float = math.inf
) -> Measurement:
    """The slope of ln(final regret) in the logarithm of a parameter, between two of its values, by least squares.

    It is -1 where the regret falls as one over the parameter.
    """
    values, finals = zip(*_along(runs, of, along, least, most), strict=True)
    slope = np.polyfit(np.log(values), np.log(finals), 1)[0]
    return float(slope), f"{finals[0]:.5g} at {along} = {values[0]:g}, {finals[-1]:.5g} at {along} = {values[-1]:g}"


def growth_exponent(runs: Together, *, of: str) -> Measurement:
    """The slope of ln(final regret) in ln T over games of different lengths, by least squares."""
    T = [part.experiment.design.horizon for part in runs.parts]
    finals = [part.final(of) for part in runs.parts]
    slope = np.polyfit(np.log(T), np.log(finals), 1)[0]
    return float(slope), f"{of}, T = {min(T)} to {max(T)}"


def rise_between_experiments(runs: Together, *, of: list[str]) -> Measurement:
    """The largest ratio of a series' final regret in an experiment to that in the one before it."""
    return max(
        (
            later.finals([name])[name] / earlier.finals([name])[name],
            f"{name}, {later.experiment.base} / {earlier.experiment.base}",
        )
        for name in of
        for earlier, later in itertools.pairwise(runs.parts)
    )


def largest_over_first(runs: Together, *, of: list[str]) -> Measurement:
    """The largest ratio of a series' final regret in an experiment to that in the first one."""
    first, *others = runs.parts
    return max(
        (
            part.finals([name])[name] / first.finals([name])[name],
            f"{name}, {part.experiment.base} / {first.experiment.base}",
        )
        for name in of
        for part in others
    )


def range_over_experiments(runs: Together, *, of: str) -> Measurement:
    """The range of a series' final regrets over experiments, relative to the smallest."""
    finals = [part.finals([of])[of] for part in runs.parts]
    return (max(finals) - min(finals)) / min(finals), f"{of}: " + ", ".join(f"{final:.5g}" for final in finals)


@compares_experiments
def ratio_between_experiments(runs: Together, *, of: list[str], to: list[str], along: str = "") -> Measurement:
    """The largest ratio of final regrets of series in different experiments, at equal values of the parameter `along`."""
    ours, theirs = (
        {
            part.series(name).parameters.get(along): final
            for part in runs.parts
            for name, final in part.finals(names).items()
        }
        for names in (of, to)
    )
    ratios = {value: ours[value] / theirs[value] for value in ours if value in theirs}
    at = "".join(f", {ratio:.3g} at {along} = {value:g}" for value, ratio in ratios.items() if along)
    return max(ratios.values()), f"{' '.join(of)} / {' '.join(to)} at T" + at
