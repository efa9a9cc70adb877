"""Name of the policy and its source (paper, section, equation).

The template runs as it is, and is epsilon-private. Change the names, the methods, and the releases
booked in `privacy`. Save it as config/my_ucb.py and write `algorithm: my_ucb` in a paper's file. To
add it to the figures of all papers as a guest, write `my-ucb: {label: ..., algorithm: my_ucb}` in
config.yaml. A policy that ships is in the list of `dpbandits.policies`, its class with the letters
of its module.

A policy that is not an index policy has a loop of its own, as in `dp_ucb.py`. If the operator may
see rewards, the method `noisy` releases sums, as in `private_ucb.py`. Remove `short_cut` if your
index may fall while its arm is not played.
"""

import math

from dpbandits.drivers.index import IndexPolicy, Leads
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger


class TemplateUCB(IndexPolicy):
    """argmax_a s_a/n_a + sqrt(alpha ln t/n_a) on reports reward + Lap(1/epsilon)."""

    short_cut = Leads

    epsilon: Positive
    alpha: Positive = 2.0

    def report(self, releases, reward):
        return releases.laplace(reward, 1 / self.epsilon)

    def index(self, s, n, t):
        return s / n + math.sqrt(self.alpha * math.log(t) / n)

    def privacy(self, horizon, number_of_arms):
        """Each reward is reported once: one release, of sensitivity 1, with this noise."""
        ledger = Ledger().book(1, 1, sensitivity=1.0, scale=1 / self.epsilon)
        return Account(self.epsilon, 0.0, ledger, trust="local")
