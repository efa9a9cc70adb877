"""What the private contextual policies spend."""

from dpbandits.algorithms.logs._ridge import DIMENSION, SUMS
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_levels


def account_of_sums(leaves: int, eps0: float, confidence: str, neighbours: str) -> Account:
    """A visit's 27 numbers are one leaf each of 27 trees; if only its reward may change, the 21 of z z' stay as they are.

    With a model an article a visit still is in one model's trees only. What this does not cover: the article that a visitor
    is shown depends on the visitor's own vector outside of any mechanism, so the promise to a visitor is about everybody
    else's actions (joint differential privacy).
    """
    trees = SUMS if neighbours == "visit" else DIMENSION
    if confidence == "exact":
        return Account(trees * eps0, 0.0, None)
    return Account(trees * eps0, 0.0, tree_ledger(leaves, tree_levels(leaves) / eps0).repeated(trees))
