"""Measures of azize2022's claims: regret over several experiments, its shape in time, and gains with and without privacy."""

import numpy as np

from dpbandits.statistics.estimators import error_of_share
from dpbandits.theory import azize2022
from dpbandits.verdicts.measurement import Measurement, measure
from dpbandits.verdicts.runs import Runs, Together


@measure()
def largest_window(runs: Runs, *, of: str, width: float, since: float) -> Measurement:
    """The largest share of the final regret that a window of `width` T holds, in the rounds after `since` T."""
    curve, T = runs.curve(of), runs.t[-1]
    start = np.flatnonzero(runs.t >= since * T)
    end = np.searchsorted(runs.t, runs.t[start] + width * T, side="right") - 1
    share = (curve[end] - curve[start]) / curve[-1]
    return Measurement(float(share.max()), f"{of} after t = {runs.t[start[share.argmax()]]}")


@measure()
def share_that_still_loses(runs: Runs, *, of: str) -> Measurement:
    """The share of runs whose regret grows in the second half of the game: they do not play the best arm alone."""
    half = int(np.searchsorted(runs.t, runs.t[-1] / 2))
    curves = runs.runs_of(of)
    share = float(np.mean(curves[:, -1] > curves[:, half]))
    where = f"{of}, {len(curves)} runs after t = {runs.t[half]}"
    return Measurement(share, where, error_of_share(share, len(curves)))


@measure(compares="experiments")
def range_over_experiments(runs: Together, *, of: str) -> Measurement:
    """The range of a series' final regrets over experiments, relative to the smallest."""
    finals = [float(part.final(of)) for part in runs.parts]
    where = f"{of}: " + ", ".join(f"{final:.5g}" for final in finals)
    return Measurement((max(finals) - min(finals)) / min(finals), where)


@measure(compares="series of experiments")
def ratio_of_gains(runs: Together, *, of: list[str], to: list[str]) -> Measurement:
    """The ratio of the final regrets of the two series `of`, relative to that of the two series `to`: geometric means
    over the experiments that have them."""
    gains = []
    for first, second in (of, to):
        logs = [np.log(p.final(first) / p.final(second)) for p in runs.parts if first in p.values]
        gains.append(float(np.exp(np.mean(logs))))
    where = ", ".join(f"{first} / {second} {gain:.3g}" for (first, second), gain in zip((of, to), gains, strict=True))
    return Measurement(gains[0] / gains[1], where)


@measure(deterministic=True)
def crossing_of_example(runs: Runs, *, number_of_arms: int, horizon: int) -> Measurement:
    """The epsilon at which the two parts of Theorem 2's bound are equal, in the example of the text."""
    crossing = azize2022.azize2022_theorem_2_crossing(number_of_arms, horizon)
    here = azize2022.azize2022_theorem_2_crossing(len(runs.gaps), int(runs.t[-1]))
    printed = azize2022.azize2022_theorem_2_example(number_of_arms, horizon)
    where = f"{printed:.4g} with the constants exchanged; in this figure they cross at {here:.4g}"
    return Measurement(crossing, where)
