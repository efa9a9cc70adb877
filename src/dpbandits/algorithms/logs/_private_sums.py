"""How the private contextual policies release their sums, and what it costs.

Each of the 27 sums of a model (21 of z z', 6 of reward z) passes through a binary tree of its own. A visit adds a number in
[0, 1] to each of them, so that with an epsilon of eps0 per tree it costs 27 eps0.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from dpbandits.algorithms.logs._ridge import DIMENSION, SUMS, Rules
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_levels, tree_node_scale


def tree_leaves(horizon: int, number_of_arms: int) -> int:
    """The leaves of a tree: a quarter more than the expected number of kept events in a log of this length."""
    return math.ceil(1.25 * horizon / number_of_arms)


def private_rules(log: Any, horizon: int, eps0: float) -> Callable[[float], Rules]:
    """The rules for private sums, given lam.

    The shift is 2 sigma sqrt(6), with sigma = (L/eps0) sqrt(2 L) the standard deviation of a prefix that has all L levels. It
    does not depend on the data.
    """
    leaves = tree_leaves(horizon, log.pool_size)
    scale = tree_node_scale(leaves, eps0)
    sigma = scale * math.sqrt(2 * tree_levels(leaves))
    return partial(Rules, node_scale=scale, shift=2 * sigma * math.sqrt(DIMENSION), room=leaves)


def account_of_sums(horizon: int, number_of_arms: int, *, eps0: float, **_) -> Account:
    """Each of a visit's 27 numbers is one leaf of one tree. If only its click differs, the 21 of z z' do not change.

    With one model per article, a visit is still in the trees of one model only. Not covered:

    - the visitor's own article. It depends on the visitor's vector without any mechanism, so the guarantee for a visitor
      is about the articles shown to all other visitors (joint differential privacy).
    - the replay. Whether an event is kept depends on the policy's choice for this visitor. A changed visit may be kept
      where it was discarded, and then all later visits move on by one leaf; the ledger compares streams of kept
      visits in which one is replaced. The number of kept events and the click rates are published without noise.
    """
    leaves = tree_leaves(horizon, number_of_arms)
    ledger = tree_ledger(leaves, tree_node_scale(leaves, eps0), trees=SUMS)
    what = f"one visit (joint DP; one click: {DIMENSION * eps0:.6g})"
    return Account(SUMS * eps0, 0.0, ledger, neighbours=what)
