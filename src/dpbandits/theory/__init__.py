"""The papers' theorems: one module per paper, with its bounds, regimes and tables.

`bounds` finds bounds by name. scipy.optimize is imported where it is used: it takes half a second,
and few of the jobs that import these modules need it.
"""

from collections.abc import Callable

import numpy as np

TABLES = {"azize2022": ("table1", "table2")}  # the functions of a paper's module that make a table
BOUNDS: dict[str, Callable[..., float]] = {}
# The values of epsilon at which a bound changes its form, as functions of the means.
REGIMES: dict[str, Callable[..., np.ndarray]] = {}


def bound(function: Callable[..., float]) -> Callable[..., float]:
    """Let files name this bound.

    A bound is a function of the gaps or the means and the round, or, on whole games, of the horizon
    and the number of arms; and of the policy's parameters.
    """
    BOUNDS[function.__name__] = function
    return function
