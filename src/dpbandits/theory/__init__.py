"""The papers' theorems: one module per paper, with its bounds, regimes and tables.

`bounds` finds bounds by name. scipy.optimize is imported where it is used: it takes half a second,
and few of the jobs that import these modules need it.
"""

from collections.abc import Callable

import numpy as np

# The functions of a paper's module that make a table -> what the table has.
TABLES = {
    "azize2022": {
        "table1": "Four columns are ours: anytime as simulated, private means of one arm that is "
        "always played, epsilon spent, and upper bound (Theorems 7 and 8). They are computed on "
        "the arms of Figure 2 (means 0.75, 0.625, 0.5, 0.375 and 0.25) for epsilon = 1 and "
        "T = 1e7. The paper calls DP-UCB anytime, but its trees and its relaxation need T here.",
        "table2": "The last three columns are ours: the bounds on the arms of Figure 2 for "
        "T = 1e7, at two values of epsilon and without privacy.",
    }
}
# The policies whose ledgers a table has, in the order of its rows.
LEDGERS = {"table1": ("private_ucb", "dp_se", "adap_ucb", "adap_klucb")}
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
