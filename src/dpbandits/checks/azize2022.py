"""Measures of azize2022's checks: regret over experiments, gains with and without privacy."""

import itertools
import math

import numpy as np

from dpbandits.checks.general import exponent_along, finals_along
from dpbandits.checks.measurement import Measurement, Runs, series_in
from dpbandits.drivers.bernoulli_kl import kl
from dpbandits.policies import POLICIES
from dpbandits.policy import Policy
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
    """The value of a parameter from which on the final regret is constant.

    ln(regret) is fitted by a line in ln(parameter) that becomes flat there, by least squares.
    """
    x, y = np.log(finals_along(runs, of, along)).T
    places = np.linspace(x[1], x[-2], 1000)
    lines = np.minimum(x - places[:, None], 0)
    lines, y = lines - lines.mean(axis=1, keepdims=True), y - y.mean()
    best = int(np.argmax((lines @ y) ** 2 / (lines**2).sum(axis=1)))
    slope = lines[best] @ y / (lines[best] @ lines[best])
    where = f"{' '.join(of)}: power {slope:.3g} of {along}, then a constant"
    return Measurement(float(np.exp(places[best])), where)


def likeness_of_shapes(several: list[Runs], *, of: list[str], to: list[str]) -> Measurement:
    """The distance of two shapes, over the smallest one from either to the shapes of `to`.

    A shape is R(t)/R(T), and a distance the largest over t. Below 1 the two are alike. The first of
    `of` plays in the last experiment; the other experiments have all other series. Of these, the
    one with the smallest ratio decides.
    """
    *panels, last = several
    first, second = of
    measurements = []
    for runs in panels:
        shapes = {name: runs.curve(name) / runs.final(name) for name in (second, *to)}
        shapes[first] = last.curve(first) / last.final(first)
        apart = float(np.abs(shapes[first] - shapes[second]).max())
        nearest, one, other = min(
            (float(np.abs(shapes[one] - shapes[other]).max()), one, other)
            for one in of
            for other in to
        )
        where = f"{first} and {second} {apart:.3g} apart, {one} and {other} {nearest:.3g}"
        measurements.append(Measurement(apart / nearest, f"{runs.experiment.id}: {where}"))
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
    exceeded = f"above T for all epsilon < {(len(gaps) - 1) / (131 * T):.3g}"
    where = f"K = {len(gaps)}, T = {T}, epsilon = {epsilon:g}: {bound:.4g}, {exceeded}"
    return Measurement(bound / T, where)


def price_of_privacy(experiment: Experiment, *, epsilon: float) -> Measurement:
    """A lower bound on the regret with privacy, over the best one without it, as T grows.

    A pull of an arm with mean mu changes no likelihood of actions, relative to an arm that is as
    good as the best one, by more than m = ln((mu + (1 - mu) e^epsilon)/(mu* + (1 - mu*)
    e^epsilon)). Its pulls are at least ln T/m (docs/readings), and ln T/kl suffice without privacy.
    """
    means, odds = np.array(experiment.environment["means"]), math.exp(epsilon)
    best = means.max()
    worse = means[means < best]
    largest = np.log((worse + (1 - worse) * odds) / (best + (1 - best) * odds))
    d = np.array([kl(mean, best) for mean in worse])
    private, public = ((best - worse) / np.minimum(d, largest)).sum(), ((best - worse) / d).sum()
    crossings = ", ".join(f"{x:.3g}" for x in sorted(set(azize2022.azize2022_crossings(means))))
    where = f"epsilon = {epsilon:g}, above the crossings {crossings}"
    return Measurement(float(private / public), f"{private:.4g} ln T to {public:.4g} ln T, {where}")


def chance_of_low_index(experiment: Experiment, *, of: list[str]) -> Measurement:
    """The largest t^alpha P(an arm's index in round t is below its mean), on a grid.

    Means, numbers of rewards and rounds are on the grid; the probability is exact.
    """
    measurements = []
    for name in of:
        series = experiment.by_name[name]
        policy = POLICIES.make(series.algorithm, series.parameters)
        for mean, s, t in itertools.product(MEANS, SAMPLES, ROUNDS):
            chance = _chance_of_index_below(policy, mean, s, t)
            where = f"{name}: {chance:.3g} for a mean of {mean:g} and {s} rewards in round {t}"
            measurements.append(Measurement(chance * float(t) ** policy.alpha, where))
    return max(measurements)


def _chance_of_index_below(policy: Policy, mean: float, s: int, t: int) -> float:
    """The index increases with the released mean, a binomial number over s with Laplace noise."""
    from scipy import optimize, stats

    rule = policy.rule(t, 2)

    def above(released: float) -> float:
        return rule.index_at(released, s, t) - mean

    lowest = -2.0 - 100 * math.log(t) / (policy.epsilon * s)
    if above(lowest) >= 0:  # whatever is released
        return 0.0
    sums, edge = np.arange(s + 1), optimize.brentq(above, lowest, mean)
    noise = stats.laplace.cdf((edge - sums / s) * policy.epsilon * s)
    return float(stats.binom.pmf(sums, s, mean) @ noise)


def crossing_of_example(
    experiment: Experiment, *, number_of_arms: int, horizon: int
) -> Measurement:
    """The epsilon at which the two parts of Theorem 2's bound are equal, in the paper's example."""
    crossing = azize2022.azize2022_theorem_2_crossing(number_of_arms, horizon)
    exchanged = azize2022.azize2022_theorem_2_example(number_of_arms, horizon)
    return Measurement(crossing, f"{exchanged:.4g} with the constants exchanged")
