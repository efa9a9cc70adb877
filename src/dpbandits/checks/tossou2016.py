"""Measures of tossou2016's checks: averages, single runs, the error of the hybrid mechanism."""

import math

import numpy as np

from dpbandits.checks.measurement import Measurement, NotMeasured, Runs
from dpbandits.parameters import Natural
from dpbandits.privacy import hybrid
from dpbandits.random import stream
from dpbandits.statistics.estimators import before_half, error_of_share, locked_in
from dpbandits.studies.experiment import Experiment


def ratio_over_log_time(runs: Runs, *, of: str, to: str, since: int, until: int) -> Measurement:
    """The smallest geometric mean over ln(t) of the ratio of two curves, over several windows.

    Windows begin at round `since` and end anywhere between its tenfold and `until`: no single step
    of a curve decides, and no single end of "small t".
    """
    from scipy.integrate import cumulative_trapezoid  # takes as long as planning

    runs.reach(until)
    x = np.linspace(math.log(since), math.log(until), 200)
    curve, other = (np.interp(x, np.log(runs.t), runs.curve(name)) for name in (of, to))
    lengths = x[1:] - x[0]
    means = cumulative_trapezoid(np.log(curve / other), x) / lengths
    k = np.where(lengths >= math.log(10) - 1e-9, means, math.inf).argmin()
    where = f"from t = {since} to {math.exp(x[k + 1]):.0f}"
    return Measurement(math.exp(means[k]), f"{of} / {to} on average over ln t {where}")


def final_spread(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest difference between two runs' final regrets, over the series `of`."""
    where = f"best against worst run at t = {runs.t[-1]}"
    return max(Measurement(np.ptp(runs.runs_of(name, -1)), f"{name}, {where}") for name in of)


def likeness_of_spreads(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The largest distance of a spread of `of` from the first of `to`, relative to a third one.

    A spread is the difference of the best and the worst final regret. It may be 0, so a distance is
    a difference. The third spread is the second of `to`, from the nearer one of the two.
    """
    like, third, *spreads = (float(np.ptp(runs.runs_of(name, -1))) for name in (*to, *of))
    measurements = []
    for name, spread in zip(of, spreads, strict=True):
        nearest = min(abs(spread - third), abs(like - third))
        where = f"{name} {spread:.5g}, {to[0]} {like:.5g}, {to[1]} {third:.5g}"
        measurements.append(Measurement(np.float64(abs(spread - like)) / nearest, where))
    return max(measurements)


def locked_in_share_over_earlier(runs: Runs, *, of: str, since: int) -> Measurement:
    """The share of lost runs at T, relative to that at round `since`.

    A run is lost if it loses a quarter of the smallest gap per round or more from t/2 to t.
    """
    at = runs.first(since)
    earlier, later = map(float, _lost(runs, of, at, len(runs.t) - 1))
    if not earlier:
        raise NotMeasured(f"no run of {of} loses up to t = {runs.t[at]}")
    where = f"{of}: {earlier:.3g} up to t = {runs.t[at]}, {later:.3g} up to t = {runs.t[-1]}"
    return Measurement(later / earlier, where)


def locked_in_share_less_half(runs: Runs, *, of: list[str], minus: str) -> Measurement:
    """The largest share of lost runs of `of`, less half the share of `minus`.

    A run is lost if it loses a quarter of the smallest gap per round or more from T/2 to T.
    """
    lost = {name: _lost(runs, name, len(runs.t) - 1)[0] for name in (*of, minus)}
    most = max(of, key=lost.__getitem__)
    errors = [error_of_share(lost[name], len(runs.of[name].values)) for name in (most, minus)]
    where = f"lost runs: {lost[most]:.3g} of {most}, {lost[minus]:.3g} of {minus}"
    difference = lost[most] - lost[minus] / 2
    return Measurement(difference, where, math.hypot(errors[0], errors[1] / 2))


def interval_over_longest(experiment: Experiment, *, of: str) -> Measurement:
    """The mean number of pulls between two releases of DP-UCB-INT, times its input epsilon."""
    policy, T = experiment.by_name[of].as_policy, experiment.design.horizon
    counts = policy.update_counts(T)
    mean, longest = counts[-1] / len(counts), 1 / policy.input_epsilon
    where = f"{of}: {counts[0]} pulls at first, {mean:.1f} on average; 1/epsilon = {longest:.1f}"
    return Measurement(mean / longest, where)


def chance_of_larger_error(experiment: Experiment, *, of: str, draws: Natural) -> Measurement:
    """How often a hybrid sum has a larger error than Lemma B.2 allows, over the allowed gamma.

    The sum has n = 2^17 - 1 items, and gamma = 1/n.
    """
    policy, n = experiment.by_name[of].as_policy, 2**17 - 1
    rng, error = stream(1, experiment.paper, "Lemma B.2").numpy(), np.zeros(draws)
    for item in hybrid.drawn_at(n):
        scale = hybrid.scale_at(item, policy.hybrid_split, policy.epsilon)
        error += rng.laplace(0.0, scale, draws)
    bound = math.sqrt(8) / policy.epsilon * math.log(4 * n) * (math.log(n) + 1)
    share = np.mean(np.abs(error) > bound)
    sums = f"{share:.3g} of {draws:,} sums of {n:,} items"
    where = f"{of}: {sums} are further off than {bound:.4g}, allowed 1/n = {1 / n:.3g}"
    return Measurement(share * n, where, error_of_share(share, draws) * n)


def _lost(runs: Runs, series: str, *checkpoints: int) -> np.ndarray:
    """The share of lost runs at these checkpoints, from these and the last ones up to t/2."""
    half = before_half(runs.t, runs.t[[*checkpoints]])
    needed = np.unique([*half[half >= 0], *checkpoints])
    shares = locked_in(runs.runs_of(series, needed), runs.t[needed], runs.smallest_gap)
    return shares[np.searchsorted(needed, checkpoints)]
