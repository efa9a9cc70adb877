"""Measures of azize2022's checks: regret over experiments, gains with and without privacy."""

import itertools
import math
from typing import Any

import numpy as np

from dpbandits.checks.general import exponent_along, finals_along
from dpbandits.checks.measurement import Measurement, Runs, series_in
from dpbandits.policies import POLICIES
from dpbandits.statistics.estimators import error_of_share
from dpbandits.studies.experiment import Experiment
from dpbandits.theory import azize2022

# The grid of exact probabilities
MEANS = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
SAMPLES = (1, 2, 4, 8, 32, 128, 512)
ROUNDS = (2, 6, 10, 100, 10_000, 10_000_000)


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


def regret_at(runs: Runs, *, of: str, t: float) -> Measurement:
    """The regret of a series in a round, on a line between two checkpoints."""
    return Measurement(float(np.interp(t, runs.t, runs.curve(of))), f"{of} at t = {t:g}")


def exponent_over_exponent(runs: Runs, *, of: list[str], along: str, border: float) -> Measurement:
    """The exponent of the final regret above a value of the parameter, over that up to it.

    Below 1/2 the regret above it is nearer to a constant than to what it does below.
    """
    low = exponent_along(runs, of=of, along=along, most=border)
    high = exponent_along(runs, of=of, along=along, least=border)
    where = f"{high.value:.3g} from {along} = {border:g} on, {low.value:.3g} up to it"
    return Measurement(high.value / low.value, f"exponents {where}")


def change_point(runs: Runs, *, of: list[str], along: str) -> Measurement:
    """The value of a parameter at which the final regret becomes a constant.

    A line in ln(parameter) is fitted to ln(regret) up to a value, and a constant after it, by least
    squares. They meet at the change point.
    """
    x, y = np.log(finals_along(runs, of, along)).T
    fits = []
    for k in range(2, len(x)):
        line, level = np.polyfit(x[:k], y[:k], 1), y[k:].mean()
        residuals = *(np.polyval(line, x[:k]) - y[:k]), *(y[k:] - level)
        fits.append((np.square(residuals).sum(), (level - line[1]) / line[0], line[0]))
    _, place, slope = min(fits)
    return Measurement(math.exp(place), f"power {slope:.3g} of {along}, then a constant")


def likeness_of_shapes(several: list[Runs], *, of: list[str], to: list[str]) -> Measurement:
    """The distance of two shapes, over the smallest one from either to the shapes of `to`.

    A shape is R(t)/R(T), and a distance the largest over t. Below 1 the two are alike. The first of
    `of` plays in the last experiment; the other experiments have all other series. Of these, the
    one with the smallest ratio decides.
    """
    *panels, last = several
    measurements = []
    for runs in panels:
        first, second, *thirds = (
            part.curve(name) / part.final(name)
            for name, part in zip((*of, *to), (last, *[runs] * (1 + len(to))), strict=True)
        )
        apart = np.abs(first - second).max()
        nearest = min(np.abs(one - third).max() for one in (first, second) for third in thirds)
        where = f"{runs.experiment.id}: {' and '.join(of)} {apart:.3g} apart, a third {nearest:.3g}"
        measurements.append(Measurement(float(apart / nearest), where))
    return min(measurements)


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


def share_that_loses(runs: Runs, *, of: list[str], share: float) -> Measurement:
    """The share of runs in which worse arms may have this share of all pulls, over `of`.

    The final regret bounds their pulls: each costs the smallest gap or more.
    """
    names, limit = series_in(runs.experiment, of), runs.smallest_gap * float(runs.t[-1])
    measurements = []
    for name in names:
        pulls = runs.runs_of(name, -1) / limit
        part, number = float(np.mean(pulls > share)), len(pulls)
        where = f"{name}, {number} runs: worse arms have at most {pulls.max():.2g} of the pulls"
        measurements.append(Measurement(part, where, error_of_share(part, number)))
    return max(measurements)


def bound_over_horizon(experiment: Experiment, *, epsilon: float) -> Measurement:
    """Theorem 2's bound at T over T, which is the largest regret of rewards in [0, 1]."""
    T, gaps = experiment.design.horizon, np.array(experiment.bandit.gaps)
    bound = azize2022.azize2022_theorem_2(gaps, T, epsilon)
    return Measurement(bound / T, f"{bound:.4g} for K = {len(gaps)}, T = {T}")


def price_of_privacy(experiment: Experiment, *, epsilon: float) -> Measurement:
    """A lower bound on the regret with privacy, over the best one without it, as T grows.

    A pull of an arm with mean mu changes no likelihood of actions, relative to an arm that is as
    good as the best one, by more than m = ln((mu + (1 - mu) e^epsilon)/(mu* + (1 - mu*)
    e^epsilon)). Its pulls are at least ln T/m (docs/readings), and ln T/kl suffice without privacy.
    """
    means = np.array(experiment.environment["means"])
    gap, d = azize2022.distinguishability(means)
    best, sure = means.max(), math.exp(-epsilon)  # m with its two sums over e^epsilon
    m = np.log((1 - (best - gap) * (1 - sure)) / (1 - best * (1 - sure)))
    private, public = ((gap / cost).sum() for cost in (np.minimum(d, m), d))
    return Measurement(float(private / public), f"{private:.4g} ln T to {public:.4g} ln T")


def chance_of_low_index(experiment: Experiment, *, of: list[str]) -> Measurement:
    """The largest t^alpha P(an arm's index in round t is below its mean), on a grid.

    The probability is exact: the index increases with the released mean, which is a binomial number
    over s, with Laplace noise.
    """
    from scipy import optimize, stats

    measurements = []
    for name, mean, s, t in itertools.product(of, MEANS, SAMPLES, ROUNDS):
        series = experiment.by_name[name]
        policy = POLICIES.make(series.algorithm, series.parameters)
        rule, scale = policy.rule(t, 2), 1 / (policy.epsilon * s)

        def above(released: float, rule: Any = rule, at: Any = (s, t), mean: float = mean) -> float:
            return rule.index_at(released, *at) - mean

        lowest = -2.0 - 100 * math.log(t) * scale
        if above(lowest) < 0:  # else it is above, whatever is released
            sums, edge = np.arange(s + 1), optimize.brentq(above, lowest, mean)
            chance = stats.binom.pmf(sums, s, mean) @ stats.laplace.cdf((edge - sums / s) / scale)
            where = f"{name}: {chance:.3g} for a mean of {mean:g} and {s} rewards in round {t}"
            measurements.append(Measurement(float(chance * t**policy.alpha), where))
    return max(measurements)


def crossing_of_example(
    experiment: Experiment, *, number_of_arms: int, horizon: int
) -> Measurement:
    """The epsilon at which the two parts of Theorem 2's bound are equal, in the paper's example."""
    crossing = azize2022.azize2022_theorem_2_crossing(number_of_arms, horizon)
    exchanged = azize2022.azize2022_theorem_2_example(number_of_arms, horizon)
    return Measurement(crossing, f"{exchanged:.4g} with the constants exchanged")
