"""Measures of azize2022's claims: regret along epsilon in one experiment and over several, and its shape in time."""

import numpy as np

from dpbandits.claims.measurement import Measurement, measure
from dpbandits.claims.measures.general import finals_along
from dpbandits.claims.runs import Runs, Together
from dpbandits.theory import azize2022


@measure()
def largest_window(runs: Runs, *, of: str, width: float, since: float) -> Measurement:
    """The largest share of the final regret that a window of `width` T holds, in the rounds after `since` T."""
    curve, T = runs.curve(of), runs.t[-1]
    start = np.flatnonzero(runs.t >= since * T)
    end = np.searchsorted(runs.t, runs.t[start] + width * T, side="right") - 1
    share = (curve[end] - curve[start]) / curve[-1]
    return Measurement(float(share.max()), f"{of} after t = {runs.t[start[share.argmax()]]}")


@measure()
def range_along(runs: Runs, *, of: list[str], along: str, least: float, most: float) -> Measurement:
    """The largest final regret of a sweep between two values of its parameter, relative to the smallest."""
    pairs = [(final, value) for value, final in finals_along(runs, of, along, least, most)]
    (top, at_top), (low, at_low) = max(pairs), min(pairs)
    return Measurement(top / low, f"{top:.5g} at {along} = {at_top:g}, {low:.5g} at {along} = {at_low:g}")


@measure(compares="experiments")
def range_over_experiments(runs: Together, *, of: str) -> Measurement:
    """The range of a series' final regrets over experiments, relative to the smallest."""
    finals = [float(part.final(of)) for part in runs.parts]
    where = f"{of}: " + ", ".join(f"{final:.5g}" for final in finals)
    return Measurement((max(finals) - min(finals)) / min(finals), where)


@measure(deterministic=True)
def crossing_of_example(runs: Runs, *, number_of_arms: int, horizon: int) -> Measurement:
    """The epsilon at which the two parts of Theorem 2's bound are equal, in the example of the text."""
    crossing = azize2022.azize2022_theorem_2_crossing(number_of_arms, horizon)
    here = azize2022.azize2022_theorem_2_crossing(len(runs.gaps), int(runs.t[-1]))
    printed = azize2022.azize2022_theorem_2_example(number_of_arms, horizon)
    where = f"{printed:.4g} with the constants exchanged; in this figure they cross at {here:.4g}"
    return Measurement(crossing, where)
