"""Measures of azize2022's checks: regret over experiments, gains with and without privacy."""

import itertools
import math

import numpy as np

from dpbandits.checks.general import exponent_along, finals_along
from dpbandits.checks.measurement import Measurement, Runs, series_in, share_of
from dpbandits.statistics.estimators import change_point as change_point_of
from dpbandits.studies.experiment import Experiment
from dpbandits.theory import azize2022

# The grid of exact probabilities
MEANS = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
SAMPLES = (1, 2, 4, 8, 32, 128, 512)
ROUNDS = (2, 6, 10, 100, 10_000, 10_000_000)


def rise_between_experiments(several: list[Runs], *, of: list[str]) -> Measurement:
    """The largest ratio of a series' final regret in an experiment to that in the previous one."""
    return max(
        Measurement(b.final(name) / a.final(name), f"{name}, {b.experiment.id} / {a.experiment.id}")
        for a, b in itertools.pairwise(several)
        for name in of
    )


def regret_at(runs: Runs, *, of: str, t: float) -> Measurement:
    """The regret of a series in a round, interpolated linearly between checkpoints."""
    runs.reach(t)
    return Measurement(np.interp(t, runs.t, runs.curve(of)), f"{of} at t = {t:g}")


def exponent_over_exponent(
    runs: Runs, *, of: list[str], along: str, border: float, below: bool = False
) -> Measurement:
    """The exponent of the final regret above a value of the parameter, over that up to it.

    Below 1/2 the regret above the value is closer to a constant than to its power law below.
    `below`: the same the other way round.
    """
    low = exponent_along(runs, of=of, along=along, most=border)
    high = exponent_along(runs, of=of, along=along, least=border)
    where = f"{high.value:.3g} from {along} = {border:g} on, {low.value:.3g} up to it"
    ratio = low.value / high.value if below else high.value / low.value
    return Measurement(ratio, f"exponents {where}")


def change_point(runs: Runs, *, of: list[str], along: str) -> Measurement:
    """The value of a parameter at which the final regret becomes a constant."""
    place, power = change_point_of(*np.transpose(finals_along(runs, of, along)))
    return Measurement(place, f"power {power:.3g} of {along}, then a constant")


def likeness_of_shapes(several: list[Runs], *, of: list[str], to: list[str]) -> Measurement:
    """The distance of two shapes, over the smallest one from either to the shapes of `to`.

    A shape is R(t)/R(T), and a distance the largest over t. Below 1 the two are alike. The first of
    `of` plays in the last experiment; the other experiments have all other series. Of these, the
    one with the largest ratio decides.
    """
    *panels, last = several
    first, measurements = last.curve(of[0]) / last.final(of[0]), []
    for runs in panels:
        second, *thirds = (runs.curve(name) / runs.final(name) for name in (of[1], *to))
        apart = np.abs(first - second).max()
        nearest = min(np.abs(one - third).max() for one in (first, second) for third in thirds)
        where = f"{runs.experiment.id}: {' and '.join(of)} {apart:.3g} apart, a third {nearest:.3g}"
        measurements.append(Measurement(apart / nearest, where))
    return max(measurements)


def ratio_of_log_gains(several: list[Runs], *, of: list[str], to: list[str]) -> Measurement:
    """The log-ratio of the final regrets of the two series `of`, over that of the two series `to`.

    Both are means over the experiments that have the series. The measure is 0 where the first
    series of `of` gains nothing, and 1 where it gains as much as that of `to`.
    """
    gains, shown = [], []
    for first, second in (of, to):
        ratios = [runs.final(first) / runs.final(second) for runs in several if first in runs.of]
        gains.append(np.mean(np.log(ratios)))
        shown.append(f"{first} / {second} {math.exp(gains[-1]):.3g}")
    return Measurement(gains[0] / gains[1], ", ".join(shown))


def share_that_still_loses(runs: Runs, *, of: str) -> Measurement:
    """The share of runs whose regret grows in the second half of the game.

    These runs do not play the best arm alone.
    """
    at_half, at_end = runs.runs_of(of, [runs.half, -1]).T
    return share_of(at_end > at_half, f"{of}, {len(at_end)} runs after t = {runs.t[runs.half]}")


def share_that_loses(runs: Runs, *, of: list[str], share: float) -> Measurement:
    """The largest share of runs, over `of`, in which worse arms may have this share of all pulls.

    The final regret bounds their pulls: each costs the smallest gap or more.
    """
    limit, measurements = runs.smallest_gap * runs.t[-1], []
    for name in series_in(runs.experiment, of):
        pulls = runs.runs_of(name, -1) / limit
        where = f"{name}, {len(pulls)} runs: worse arms have at most {pulls.max():.2g} of the pulls"
        measurements.append(share_of(pulls > share, where))
    return max(measurements)


def price_of_privacy(experiment: Experiment, *, epsilon: float) -> Measurement:
    """A lower bound on the regret with privacy, over the best one without it, as T grows."""
    means = np.array(experiment.environment["means"])
    private, public = (azize2022.lower_bound_over_log(means, at) for at in (epsilon, math.inf))
    return Measurement(private / public, f"{private:.4g} ln T to {public:.4g} ln T")


def chance_of_low_index(experiment: Experiment, *, of: list[str]) -> Measurement:
    """The largest t^alpha P(an arm's index in round t is below its mean), on a grid."""
    measurements = []
    for name, mean, s, t in itertools.product(of, MEANS, SAMPLES, ROUNDS):
        policy = experiment.by_name[name].as_policy
        chance = azize2022.chance_of_low_index(policy, mean, s, t)
        where = f"{name}: {chance:.3g} for a mean of {mean:g} and {s} rewards in round {t}"
        measurements.append(Measurement(chance * t**policy.alpha, where))
    return max(measurements)


def crossing_of_example(
    experiment: Experiment, *, number_of_arms: int, horizon: int
) -> Measurement:
    """The epsilon at which the two parts of Theorem 2's bound are equal, in the paper's example."""
    crossing = azize2022.azize2022_theorem_2_crossing(number_of_arms, horizon)
    exchanged = crossing * (131 / 27) ** 2
    return Measurement(crossing, f"{exchanged:.4g} with the constants exchanged")
