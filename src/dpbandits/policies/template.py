"""Name of the algorithm and its source (paper, section, equation). A template: copy it to `my_ucb.py` in this folder.

    argmax_a mu_hat_a + sqrt(alpha ln t/n_a), where every user reports reward + Lap(1/epsilon)

The template runs as it is, and is epsilon-private. Change the names, the formulas of the rule, and the releases booked
in `privacy`. Then write `algorithm: my_ucb` in a paper file, or, to add it to the figures of all papers as a guest,
write `my-ucb: {label: ..., algorithm: my_ucb}` in config.yaml. An algorithm that is not an index policy has its own
loop, as in `dp_ucb.py`; one that trusts whoever runs it noises sums with the rule's `noisy`, as in `private_ucb.py`.
What a module may define besides is in `algorithms/__init__.py`.
"""

import math
from typing import NamedTuple

from dpbandits.drivers.index import index_rule, play_with_leads
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.random import laplace


def play(rng, arms, horizon, journal, *, epsilon: Positive, alpha: Positive = 2.0):
    """Play one run. A paper file may set the parameters after the star."""
    play_with_leads(rng, arms, horizon, journal, TemplateUCB(epsilon, alpha))


def privacy(horizon, number_of_arms, *, epsilon, **_) -> Account:
    """The guarantee (epsilon, delta) and the ledger of all releases: here one number per reward, by its user.

    Each reward is reported once, so the ledger has one item: one release of it, with this noise.
    """
    return Account(
        epsilon, 0.0, Ledger().book(1, 1, sensitivity=1.0, scale=1 / epsilon), trust="local"
    )


def reporting(horizon, number_of_arms, *, epsilon, alpha=2.0):
    """The rule by which every user reports, for an audit."""
    return {"any round": TemplateUCB(epsilon, alpha)}


@index_rule
class TemplateUCB(NamedTuple):
    """s: the sum of an arm's n reports."""

    epsilon: float
    alpha: float

    def report(self, rng, reward):
        return reward + laplace(rng, 1 / self.epsilon)

    def growth(self, t):
        return math.sqrt(self.alpha * math.log(t))

    def terms(self, s, n):
        return s / n, math.sqrt(1 / n)

    def score(self, terms, growth):
        mu_hat, width = terms
        return mu_hat + growth * width
