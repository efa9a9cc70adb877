"""The privacy account of the private contextual policies."""

from dpbandits.algorithms.logs._ridge import DIMENSION, SUMS
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_levels


def account_of_sums(leaves: int, eps0: float, confidence: str, neighbours: str) -> Account:
    """Each of a visit's 27 numbers is one leaf of one tree; if only its reward may differ, the 21 of z z' do not
    change.

    With one model per article, a visit is still in the trees of one model only. Not covered: the article that a visitor
    is shown depends on the visitor's own vector without any mechanism, so the guarantee for a visitor is about the
    articles shown to all other visitors (joint differential privacy).
    """
    trees = SUMS if neighbours == "visit" else DIMENSION
    if confidence == "exact":
        return Account(trees * eps0, 0.0, None)
    return Account(trees * eps0, 0.0, tree_ledger(leaves, tree_levels(leaves) / eps0).repeated(trees))
