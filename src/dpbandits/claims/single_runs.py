"""Measures on single runs, not on a statistic of them: spread, ratios of paired runs, runs that lose the best arm."""

import math

import numpy as np

from dpbandits.claims.curves import Extreme
from dpbandits.claims.runs import Measurement, NotMeasured, Runs, regret, window
from dpbandits.parameters import Positive, Whole
from dpbandits.statistics.estimators import error_of_share, locked_in, share_of_subsets_within, students_t


@regret
def final_spread(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest difference between two runs' final regrets, over the series `of`."""
    value, series = max((float(np.ptp(runs.runs_of(name)[:, -1])), name) for name in of)
    return value, f"{series}, best against worst run at t = {runs.t[-1]}"


def chance_of_spread_below(runs: Runs, *, of: list[str], runs_each: Whole, below: Positive) -> Measurement:
    """The probability that so many runs of each of these series differ by less than `below` at the end.

    The share of all subsets of the runs for which this is so, series by series; the series are independent.
    """
    chances = []
    for name in of:
        finals = runs.runs_of(name)[:, -1]
        if len(finals) < runs_each:
            raise NotMeasured(f"it speaks of {runs_each} runs, and at this scale there are {len(finals)}")
        chances.append((share_of_subsets_within(finals, runs_each, below), name))
    shown = ", ".join(f"{chance:.3g} for {name}" for chance, name in chances)
    return math.prod(chance for chance, _ in chances), f"probability that {runs_each} runs differ by less: {shown}"


def locked_in_share(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest share of runs that lose at least a quarter of the smallest gap per round in their second half."""
    shares = [(_locked_in_at(runs, name, len(runs.t) - 1), name) for name in runs.series_of(of)]
    value, worst = max(shares)
    evidence = ", ".join(f"{share:.3g} in {name}" for share, name in shares)
    return value, evidence, error_of_share(value, len(runs.runs_of(worst)))


def locked_in_share_over_earlier(runs: Runs, *, of: str, since: int) -> Measurement:
    """The share of runs that lose, as in `locked_in_share`, up to T relative to that up to round `since`."""
    at = int(np.argmax(window(runs, since)))
    earlier, later = (_locked_in_at(runs, of, k) for k in (at, len(runs.t) - 1))
    if not earlier:
        raise NotMeasured(f"no run of {of} loses up to t = {runs.t[at]}")
    return later / earlier, f"{of}: {earlier:.3g} up to t = {runs.t[at]}, {later:.3g} up to t = {runs.t[-1]}"


def _locked_in_at(runs: Runs, series: str, k: int) -> float:
    """The share of runs that lose from half of checkpoint k to that checkpoint."""
    gap = float(runs.gaps[runs.gaps > 0].min())
    ends = [*np.flatnonzero(runs.t <= runs.t[k] / 2)[-1:], k]
    return float(locked_in(runs.runs_of(series)[:, ends], runs.t[ends], gap)[-1])


def paired_ratio(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The product of the final values of `of`, divided by that of `to`, in each run; mean and standard error over the runs.

    Run n of every series meets the same realisation of the environment; where a series has fewer runs, the first ones of
    all are taken. One series each: `of` relative to `to`. Two each, [a1, b0] to [a0, b1]: the change of a relative to
    that of b.
    """
    finals = [runs.runs_of(name)[:, -1] for name in [*of, *to]]
    ratios = np.ones(min(map(len, finals)))
    for place, final in enumerate(finals):
        ratios = ratios * final[: len(ratios)] if place < len(of) else ratios / final[: len(ratios)]
    return _paired(runs, ratios, f"{' x '.join(of)} / {' x '.join(to)}")


def extreme_paired_ratio(runs: Runs, *, of: list[str], to: list[str], take: Extreme) -> Measurement:
    """The largest, or smallest, mean of the paired ratios of the first of `of` to the first of `to`, and so on."""
    each = [paired_ratio(runs, of=[a], to=[b]) for a, b in zip(of, to, strict=True)]
    value, where, error, needed = (max if take == "max" else min)(each)
    return value, f"{where}; all: " + ", ".join(f"{found[0]:.4g}" for found in each), error, needed


def _paired(runs: Runs, ratios: np.ndarray, of_what: str) -> Measurement:
    """Mean, evidence, standard error, and how many of these decide: Student's t for few runs, at 2 standard errors' level.

    Runs on a recorded log differ in the policies' own random numbers, not in the log.
    """
    error = float(ratios.std(ddof=1) / math.sqrt(len(ratios)))
    one_log = runs.experiment.environment["kind"] == "news_log"
    over = " on one log: the error does not include what another log would change" if one_log else ""
    return float(ratios.mean()), f"{of_what}, {len(ratios)} paired runs{over}", error, students_t(len(ratios) - 1)
