"""Measures of azize2022's checks: regret over experiments, gains with and without privacy."""

import itertools
import math

import numpy as np

from dpbandits.checks.measurement import Measurement, Runs
from dpbandits.statistics.estimators import error_of_share
from dpbandits.studies.experiment import Experiment
from dpbandits.theory import azize2022


def rise_between_experiments(several: list[Runs], *, of: list[str]) -> Measurement:
    """The largest ratio of a series' final regret in an experiment to that in the previous one."""
    return max(
        Measurement(
            float(b.final(name) / a.final(name)), f"{name}, {b.experiment.id} / {a.experiment.id}"
        )
        for a, b in itertools.pairwise(several)
        for name in of
    )


def range_over_experiments(several: list[Runs], *, of: str) -> Measurement:
    """The range of a series' final regrets over experiments, relative to the smallest."""
    finals = [float(runs.final(of)) for runs in several]
    where = f"{of}: " + ", ".join(f"{final:.5g}" for final in finals)
    return Measurement((max(finals) - min(finals)) / min(finals), where)


def ratio_of_log_gains(several: list[Runs], *, of: list[str], to: list[str]) -> Measurement:
    """The log-ratio of the final regrets of the two series `of`, over that of the two series `to`.

    Both are means over the experiments that have the series. The measure is 0 where the first
    series of `of` gains nothing, and 1 where it gains as much as that of `to`.
    """
    gains, shown = [], []
    for first, second in (of, to):
        logs = [
            np.log(runs.final(first) / runs.final(second)) for runs in several if first in runs.of
        ]
        gains.append(float(np.mean(logs)))
        shown.append(f"{first} / {second} {math.exp(gains[-1]):.3g}")
    return Measurement(gains[0] / gains[1], ", ".join(shown))


def share_that_still_loses(runs: Runs, *, of: str) -> Measurement:
    """The share of runs whose regret grows in the second half of the game.

    These runs do not play the best arm alone.
    """
    half = int(np.searchsorted(runs.t, runs.t[-1] / 2))
    at_half, at_end = runs.runs_of(of, [half, -1]).T
    share, number = float(np.mean(at_end > at_half)), len(at_end)
    return Measurement(
        share, f"{of}, {number} runs after t = {runs.t[half]}", error_of_share(share, number)
    )


def crossing_of_example(
    experiment: Experiment, *, number_of_arms: int, horizon: int
) -> Measurement:
    """The epsilon at which the two parts of Theorem 2's bound are equal, in the paper's example."""
    crossing = azize2022.azize2022_theorem_2_crossing(number_of_arms, horizon)
    exchanged = azize2022.azize2022_theorem_2_example(number_of_arms, horizon)
    return Measurement(crossing, f"{exchanged:.4g} with the constants exchanged")
