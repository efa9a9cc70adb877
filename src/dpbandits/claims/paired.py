"""Predicates on runs that are paired: run n of every series met the same world, so series are compared run by run."""

import math

import numpy as np

from dpbandits.claims.runs import Measurement, Runs


def paired_ratio(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The product of the final values of `of`, divided by that of `to`, in each run; mean and standard error over the runs.

    One series each: how much of `to` is left in `of`. Two each, [a1, b0] to [a0, b1]: the change of a relative to that of b.
    """
    ratios = np.ones(len(runs.runs_of(of[0])))
    for name in of:
        ratios = ratios * runs.runs_of(name)[:, -1]
    for name in to:
        ratios = ratios / runs.runs_of(name)[:, -1]
    error = float(ratios.std(ddof=1) / math.sqrt(len(ratios)))
    return float(ratios.mean()), f"{' x '.join(of)} / {' x '.join(to)}, {len(ratios)} paired runs", error
