"""The privacy account of the private contextual policies."""

from typing import Literal

from dpbandits.algorithms.logs._contextual import tree_leaves
from dpbandits.algorithms.logs._ridge import DIMENSION, SUMS
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_node_scale


def account_of_sums(
    horizon: int, number_of_arms: int, *, eps0: float, neighbours: Literal["visit", "reward"] = "visit", **_
) -> Account:
    """Each of a visit's 27 numbers is one leaf of one tree; if only its reward may differ, the 21 of z z' do not
    change.

    With one model per article, a visit is still in the trees of one model only. Not covered:

    - the visitor's own article. It depends on the visitor's vector without any mechanism, so the guarantee for a visitor
      is about the articles shown to all other visitors (joint differential privacy).
    - the replay. Whether an event is kept depends on the policy's choice for this visitor. A changed visit may be kept
      where it was discarded, and then all later visits move on by one leaf; the ledger compares streams of kept
      visits in which one is replaced. The number of kept events and the click rates are published without noise.
    """
    leaves, trees = tree_leaves(horizon, number_of_arms), SUMS if neighbours == "visit" else DIMENSION
    click = f"one click: {DIMENSION * eps0:.6g}"
    what = f"one visit (joint DP; {click})" if neighbours == "visit" else "one click"
    ledger = tree_ledger(leaves, tree_node_scale(leaves, eps0)).repeated(trees)
    return Account(trees * eps0, 0.0, ledger, neighbours=what, releases="visits")
