"""Name of the algorithm, and where it is from (paper, section, equation). A template: copy it to `my_ucb.py`, beside this file.

    argmax_a mu_hat_a + sqrt(alpha ln t/n_a), where every user reports reward + Lap(1/epsilon)

As it stands it runs, and is epsilon-private. What to change: the names, the formulas of the rule, and what `privacy` books. A
paper file then says `algorithm: my_ucb`; config.yaml, for a guest beside all papers, `my-ucb: {label: ..., algorithm: my_ucb}`.
An algorithm that is no index policy writes a loop of its own, as `dp_ucb.py` does.
"""

import math
from typing import NamedTuple

from dpbandits.algorithms.arms._index import index_rule, play_with_leads
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger


def play(rng, arms, horizon, journal, *, epsilon: Positive, alpha: Positive = 2.0):
    """One run. What a paper file may set are the parameters after the star."""
    play_with_leads(rng, arms, horizon, journal, TemplateUCB(epsilon, alpha))


def privacy(horizon, number_of_arms, *, epsilon, alpha=2.0) -> Account:
    """What is promised (epsilon, delta) and, in the ledger, what is released: here one number per reward, by its user."""
    ledger = Ledger(1)
    ledger.release(1, 1, sensitivity=1.0, scale=1 / epsilon)
    return Account(epsilon, 0.0, ledger, trust="local")


@index_rule
class TemplateUCB(NamedTuple):
    """s: the sum of an arm's n reports. Give the class a name of its own."""

    epsilon: float
    alpha: float

    def report(self, rng, reward):
        return reward + rng.laplace(0.0, 1 / self.epsilon)

    def growth(self, t):
        return math.sqrt(self.alpha * math.log(t))

    def terms(self, s, n):
        return s / n, math.sqrt(1 / n)

    def index(self, terms, growth):
        mu_hat, width = terms
        return mu_hat + growth * width
